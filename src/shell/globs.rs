//! Patterns for paths, read as `.gitignore` reads them and relative to one folder.

use std::path::{Path, PathBuf};

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::host::files;

/// Some patterns; a path matches by itself or through a folder above it.
#[derive(Clone, Debug)]
pub struct Globs {
    folder: PathBuf,
    matcher: Gitignore,
}

impl Default for Globs {
    fn default() -> Globs {
        Globs { folder: PathBuf::new(), matcher: Gitignore::empty() }
    }
}

/// Patterns that are being gathered.
pub struct Builder {
    folder: PathBuf,
    builder: GitignoreBuilder,
}

impl Globs {
    /// No patterns yet, relative to a folder.
    #[expect(clippy::new_ret_no_self, reason = "patterns are gathered first")]
    pub fn new(folder: &Path) -> Builder {
        let folder = files::absolute(folder);
        let mut builder = GitignoreBuilder::new(&folder);
        builder.allow_unclosed_class(false);
        Builder { builder, folder }
    }

    /// Whether a file matches.
    pub fn matches(&self, file: &Path) -> bool {
        if self.matcher.is_empty() {
            return false;
        }
        let file = files::absolute(file);
        // The matcher panics on paths outside its folder.
        file.strip_prefix(&self.folder)
            .is_ok_and(|inside| self.matcher.matched_path_or_any_parents(inside, false).is_ignore())
    }

    /// True when nothing can match.
    pub fn is_empty(&self) -> bool {
        self.matcher.is_empty()
    }
}

impl Builder {
    /// Takes a pattern in, or says why it is none.
    pub fn add(&mut self, pattern: &str) -> Result<(), String> {
        let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
        let added = self.builder.add_line(None, pattern);
        added.map(|_| ()).map_err(|error| format!("`{pattern}` is no pattern for paths: {error}"))
    }

    /// The patterns, ready.
    pub fn finish(self) -> Globs {
        // Each line was understood when it was added.
        let matcher = self.builder.build().unwrap_or_else(|_| Gitignore::empty());
        Globs { folder: self.folder, matcher }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_those_of_gitignore() {
        let check = |pattern: &str, file: &str, expected: bool| {
            let mut globs = Globs::new(Path::new("/r"));
            globs.add(pattern).expect("a pattern");
            assert_eq!(globs.finish().matches(Path::new(file)), expected, "{pattern} {file}");
        };
        check("legacy/", "/r/legacy/a/workflow.xml", true);
        check("legacy/", "/r/a/legacy/workflow.xml", true);
        check("/legacy/", "/r/a/legacy/workflow.xml", false);
        check("legacy/**", "/r/legacy/workflow.xml", true);
        check("./legacy", "/r/legacy/workflow.xml", true);
        check("gen-*.xml", "/r/a/gen-1.xml", true);
        check("gen-*.xml", "/elsewhere/gen-1.xml", false);
        check("legacy/", "/r/legacy", false);
        assert!(Globs::new(Path::new("/r")).add("a[").is_err());
        assert!(!Globs::default().matches(Path::new("/r/a")));
    }
}
