//! Files as the fs actions of a rehearsal would leave them: they are not run, but what follows is to see what they do.

use std::cell::RefCell;

use super::files::{Known, Made, matches};
use super::fs_action::{Ground, act};
use crate::engine::{Fault, Outside};
use crate::plan::coordinator::Exists;
use crate::plan::hdfs;
use crate::time::Instant;

/// What the fs actions of rehearsals have done, over what is there.
#[derive(Debug, Default)]
pub struct Rehearsal {
    made: RefCell<Made>,
}

impl Rehearsal {
    /// An action begins that is not run; why it fails, when it is an fs action that does.
    pub fn begin(
        &self,
        kind: &str,
        definition: &str,
        outside: &dyn Outside,
        now: Instant,
    ) -> Result<(), Fault> {
        if !matches!(kind, "fs" | hdfs::KIND) {
            self.made.borrow_mut().named_in(definition, false, now);
            return Ok(());
        }
        let mut made = self.made.borrow_mut();
        let mut ground = Over { made: &mut made, outside, now };
        act(&mut ground, definition, "user").1
    }

    /// What is there with what fs actions have done.
    pub fn over<'r>(&'r self, outside: &'r dyn Outside) -> Rehearsed<'r> {
        Rehearsed { rehearsal: self, outside }
    }
}

struct Over<'o> {
    made: &'o mut Made,
    outside: &'o dyn Outside,
    now: Instant,
}

impl Ground for Over<'_> {
    fn now(&self) -> Instant {
        self.now
    }

    fn known(&self, path: &str) -> Known {
        if let Some((known, _)) = self.made.find(path) {
            return known;
        }
        let found = self.outside.files(path);
        let inside = format!("{path}/");
        match found.iter().find(|(found, _)| found == path) {
            Some((_, length)) => length.map_or(Known::Folder, Known::File),
            None if found.iter().any(|(found, _)| found.starts_with(&inside)) => Known::Folder,
            // What is not there now might have been written by then: nothing else is run either.
            None => Known::Unknown,
        }
    }

    fn matches(&self, pattern: &str) -> Vec<String> {
        matches(pattern, &|path| self.known(path), &|_| self.outside.files(pattern))
    }

    fn made(&mut self) -> &mut Made {
        self.made
    }

    fn delete(&mut self, path: &str) {
        self.made.delete(path, self.now);
    }

    fn move_to(&mut self, from: &str, to: &str) {
        let known = self.known(from);
        let others = self.outside.files(from).into_iter().filter(|(path, _)| path != from).collect();
        self.made.move_to(from, to, (known, others), self.now);
    }
}

/// What a rehearsal sees.
#[derive(Debug)]
pub struct Rehearsed<'r> {
    rehearsal: &'r Rehearsal,
    outside: &'r dyn Outside,
}

impl Exists for Rehearsed<'_> {
    fn exists(&self, uri: &str) -> bool {
        match self.rehearsal.made.borrow().find(uri) {
            Some((Known::Missing, _)) => false,
            Some((known, _)) if known.is_there() => true,
            _ => self.outside.exists(uri),
        }
    }
}

impl Outside for Rehearsed<'_> {
    fn files(&self, path: &str) -> Vec<(String, Option<i64>)> {
        let made = self.rehearsal.made.borrow();
        let start = path.find(['*', '?', '[', '{', '\\']).map_or(path, |at| &path[..at]);
        let found = self.outside.files(path).into_iter();
        let mut found: Vec<_> = found
            .filter(|(path, _)| made.find(path).is_none_or(|(known, _)| known == Known::Unknown))
            .collect();
        found.extend(made.there(start).map(|(path, length)| (path.to_owned(), length)));
        found
    }

    fn block_size(&self, path: &str) -> Option<i64> {
        self.outside.block_size(path)
    }
}
