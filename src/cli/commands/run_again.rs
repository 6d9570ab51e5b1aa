//! The command line that goes on where a run has stopped, to be copied into a shell.

use std::path::Path;

use crate::execute::open::Place;
use crate::host::ShellError;
use crate::host::files;
use crate::shell::Context;

/// What a run was asked for that its store does not hold.
pub struct Again {
    /// How many actions run at once, when somebody has said it.
    pub jobs: Option<usize>,
    /// How what happens is printed, when somebody has said it.
    pub format: Option<&'static str>,
    /// Lines only.
    pub no_live: bool,
}

/// The command line. The store is named where `ankus run` would find another one, or none, from here.
pub fn command(place: &Place, again: &Again, context: &Context) -> Result<String, ShellError> {
    let common = &context.common;
    let mut words = vec!["ankus".to_owned()];
    if let Some(config) = &common.config {
        words.extend(["--config".to_owned(), config.display().to_string()]);
    }
    if let Some(version) = &common.oozie_version {
        words.extend(["--oozie-version".to_owned(), version.clone()]);
    }
    words.push("run".to_owned());
    let (config, version) = (common.config.as_deref(), common.oozie_version.as_deref());
    let here = Place::of(Path::new("."), None, config, version)?;
    if here.folder != place.folder {
        words.extend(["--store".to_owned(), files::shown(&place.folder)]);
    }
    if let Some(jobs) = again.jobs {
        words.extend(["--jobs".to_owned(), jobs.to_string()]);
    }
    if let Some(format) = again.format {
        words.extend(["--format".to_owned(), format.to_owned()]);
    }
    if again.no_live {
        words.push("--no-live".to_owned());
    }
    let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    Ok(words.join(" "))
}

/// A word as a shell takes it literally.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,@+".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_are_quoted_for_shells() {
        assert_eq!(quoted("shell=OK"), "shell=OK");
        assert_eq!(quoted("it's here"), r"'it'\''s here'");
        assert_eq!(quoted(""), "''");
    }
}
