//! The configuration of a job: shared with the job above it, with its own properties on top.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::analysis::parameters::{JobConf, substitute};

/// Names and values. A copy costs nothing: what was there before is shared.
#[derive(Clone, Default)]
pub struct Conf {
    base: Option<Arc<Conf>>,
    /// Sorted by name.
    own: Vec<(Arc<str>, Arc<str>)>,
    /// The marks of all names, those below included. The engine asks at each node for properties that few jobs have.
    marks: u128,
}

/// One bit for a name. Several names may share it.
fn mark(name: &str) -> u128 {
    let bytes = name.as_bytes();
    let at = |index: usize| bytes.get(index).map_or(0, |byte| u32::from(*byte));
    let mixed = bytes.len() as u32 + 7 * at(bytes.len() / 2) + 31 * at(bytes.len().saturating_sub(1));
    1 << (mixed % u128::BITS)
}

impl Conf {
    /// These properties and nothing below.
    pub fn new<N: Into<Arc<str>>, V: Into<Arc<str>>>(given: impl IntoIterator<Item = (N, V)>) -> Conf {
        let mut conf = Conf::default();
        conf.extend(given);
        conf
    }

    /// Nothing of its own yet, above another.
    pub fn over(base: &Arc<Conf>) -> Conf {
        Conf { base: Some(base.clone()), own: Vec::new(), marks: base.marks }
    }

    /// Gives a property, over whatever it was.
    pub fn set(&mut self, name: impl Into<Arc<str>>, value: impl Into<Arc<str>>) {
        let (name, value) = (name.into(), value.into());
        self.marks |= mark(&name);
        match self.own.binary_search_by(|(own, _)| own.cmp(&name)) {
            Ok(at) => self.own[at].1 = value,
            Err(at) => self.own.insert(at, (name, value)),
        }
    }

    /// Gives several properties.
    pub fn extend<N: Into<Arc<str>>, V: Into<Arc<str>>>(&mut self, given: impl IntoIterator<Item = (N, V)>) {
        for (name, value) in given {
            self.set(name, value);
        }
    }

    /// The value as given.
    pub fn raw(&self, name: &str) -> Option<&str> {
        if self.marks & mark(name) == 0 {
            return None;
        }
        let mut conf = self;
        loop {
            if let Ok(at) = conf.own.binary_search_by(|(own, _)| (**own).cmp(name)) {
                return Some(&conf.own[at].1);
            }
            conf = conf.base.as_deref()?;
        }
    }

    /// The value with references put in, or as given where that fails (`XConfiguration.get`).
    pub fn get(&self, name: &str) -> Option<String> {
        let raw = self.raw(name)?;
        if !raw.contains('$') {
            return Some(raw.to_owned());
        }
        Some(substitute(raw, |name| self.raw(name), &mut Vec::new()).unwrap_or_else(|_| raw.to_owned()))
    }

    /// Whether some property has this quality. One that is hidden by another of its name counts too.
    pub fn any(&self, is: impl Fn(&str, &str) -> bool) -> bool {
        let mut level = Some(self);
        while let Some(conf) = level {
            if conf.own.iter().any(|(name, value)| is(name, value)) {
                return true;
            }
            level = conf.base.as_deref();
        }
        false
    }

    /// Everything, sorted by name.
    pub fn all(&self) -> BTreeMap<&str, &str> {
        let mut levels = vec![self];
        while let Some(below) = levels.last().and_then(|level| level.base.as_deref()) {
            levels.push(below);
        }
        let own = levels.into_iter().rev().flat_map(|level| &level.own);
        own.map(|(name, value)| (&**name, &**value)).collect()
    }
}

/// Equal configurations look the same, whatever of them is shared.
impl fmt::Debug for Conf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.all()).finish()
    }
}

impl From<&JobConf> for Conf {
    fn from(conf: &JobConf) -> Conf {
        Conf::new(conf.iter())
    }
}

impl PartialEq for Conf {
    fn eq(&self, other: &Conf) -> bool {
        self.all() == other.all()
    }
}

impl Eq for Conf {}

impl Serialize for Conf {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.all())
    }
}

impl<'de> Deserialize<'de> for Conf {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Conf, D::Error> {
        Ok(Conf::new(BTreeMap::<String, String>::deserialize(deserializer)?))
    }
}
