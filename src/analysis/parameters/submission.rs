//! A submission as the user writes it: property files and definitions, put together to a job's configuration.

use super::app_path::AppKind;
use super::job_conf::{Given, JobConf, Layer};
use super::{USER_NAME, java_trim};

/// The user when neither `user.name` nor ankus.toml names one. Never the environment's: the same input gives the
/// same bytes everywhere.
pub const DEFAULT_USER: &str = "oozie";

/// What a job is submitted with.
#[derive(Clone, Debug, Default)]
pub struct Submission {
    /// Property files in the order given; later ones win.
    pub files: Vec<Vec<Given>>,
    /// Definitions of the profile in order; they win over files.
    pub profile: Vec<Given>,
    /// Definitions on the command line in order; they win over files.
    pub definitions: Vec<Given>,
    /// The user of ankus.toml.
    pub user: Option<String>,
    /// The app and the path to assume when the properties name none.
    pub app: Option<(AppKind, String)>,
}

impl Submission {
    /// The configuration that reaches the server's command: the user and the application path filled in. The default
    /// file comes later, at submission. Values stay as given: they are trimmed where they become variables, as the
    /// recorded answers have it (a request over HTTP trims them before, `BaseJobsServlet.doPost`).
    pub fn job_conf(self) -> JobConf {
        let mut conf = JobConf::new();
        for file in self.files {
            conf.set_all(&Layer::File, file);
        }
        conf.set_all(&Layer::Profile, self.profile);
        conf.set_all(&Layer::Definition, self.definitions);
        if conf.get_raw(USER_NAME).is_none_or(|user| java_trim(user).is_empty()) {
            let user = self.user.unwrap_or_else(|| DEFAULT_USER.to_owned());
            conf.set(Layer::Server, Given::new(USER_NAME, user));
        }
        let named = AppKind::ALL.iter().any(|kind| conf.contains(kind.property()));
        if let (false, Some((kind, path))) = (named, self.app) {
            conf.set(Layer::Server, Given::new(kind.property(), path));
        }
        conf
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_win_over_files_and_later_files_over_earlier() {
        let file = |value| vec![Given::new("a", value), Given::new(value, "1")];
        let submission = Submission {
            files: vec![file("first"), file("second")],
            profile: vec![Given::new("a", "profile")],
            definitions: vec![Given::new("b", " x "), Given::new("a", "cli")],
            user: None,
            app: Some((AppKind::Workflow, "file:/w".to_owned())),
        };
        let conf = submission.job_conf();
        let pairs: Vec<_> = conf.iter().collect();
        let expected = [
            ("a", "cli"),
            ("b", " x "),
            ("first", "1"),
            ("oozie.wf.application.path", "file:/w"),
            ("second", "1"),
            ("user.name", "oozie"),
        ];
        assert_eq!(pairs, expected);
    }
}
