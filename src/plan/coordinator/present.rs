//! What exists, as a plan is told.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Debug;

/// Knows which URIs exist, done-flag files included.
pub trait Exists: Debug {
    /// Whether a URI exists.
    fn exists(&self, uri: &str) -> bool;
}

impl Exists for Present {
    fn exists(&self, uri: &str) -> bool {
        self.contains(uri)
    }
}

/// The URIs that exist, done-flag files included.
#[derive(Clone, Debug, Default)]
pub struct Present {
    uris: BTreeSet<String>,
}

impl Present {
    /// Of a text with one URI a line; blank lines do not count.
    pub fn from_lines(text: &str) -> Present {
        text.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
    }

    /// These URIs and others.
    pub fn with<'a>(mut self, others: impl IntoIterator<Item = &'a str>) -> Present {
        self.uris.extend(others.into_iter().map(normalized));
        self
    }

    /// Whether a URI exists. Doubled slashes in its path count once, as `FSURIHandler` has it.
    pub fn contains(&self, uri: &str) -> bool {
        if self.uris.contains(uri) {
            return true;
        }
        let path = uri.find("://").map_or(0, |at| at + 3);
        (uri[path..].contains("//") || uri.ends_with('/')) && self.uris.contains(&normalized(uri))
    }
}

impl<'a> FromIterator<&'a str> for Present {
    fn from_iter<T: IntoIterator<Item = &'a str>>(uris: T) -> Present {
        Present { uris: uris.into_iter().map(normalized).collect() }
    }
}

/// A URI as it is compared: without doubled slashes in its path and without one at its end.
pub fn plain_uri(uri: &str) -> Cow<'_, str> {
    let path = uri.find("://").map_or(0, |at| at + 3);
    match uri[path..].contains("//") || uri.ends_with('/') {
        true => Cow::Owned(normalized(uri)),
        false => Cow::Borrowed(uri),
    }
}

/// Without doubled slashes in the path and without one at its end.
fn normalized(uri: &str) -> String {
    let path = uri.find("://").map_or(0, |at| at + 3);
    let mut text = uri[..path].to_owned();
    for c in uri[path..].chars() {
        if !(c == '/' && text.len() > path && text.ends_with('/')) {
            text.push(c);
        }
    }
    if text.len() > path + 1 && text.ends_with('/') {
        text.pop();
    }
    text
}
