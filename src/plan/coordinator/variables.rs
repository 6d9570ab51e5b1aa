//! The job's properties as expressions see them.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::analysis::parameters::{JobConf, USER_NAME, java_trim};

/// Names and trimmed values (`CoordELEvaluator.setConfigToEval`).
#[derive(Clone, Debug, Default)]
pub(super) struct Variables {
    values: BTreeMap<Arc<str>, Arc<str>>,
}

impl Variables {
    pub(super) fn new(conf: &JobConf) -> Variables {
        Variables {
            values: conf.iter().map(|(name, value)| (name.into(), java_trim(value).into())).collect(),
        }
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(|value| &**value)
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.values.keys().map(|name| &**name)
    }

    pub(super) fn user(&self) -> Option<&str> {
        self.get(USER_NAME)
    }
}
