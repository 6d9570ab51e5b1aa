//! `ankus.toml`: found upwards from the app, read strictly.

pub mod check;
pub mod outward;
pub mod programs;
pub mod storage;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use serde::Deserialize;

use self::outward::{EmailConfig, NotificationConfig, Outward, SshConfig};
use crate::diag::closest;
use crate::engine::Server;
use crate::engine::server::Value;
use crate::host::error::ShellError;
use crate::host::files::{self, Content};
use crate::project::programs::Declared;
use crate::report::catalogue;
use crate::schema::Version;
use crate::source::{Position, Sources};
use crate::time::ProcessingZone;

/// A longer file is not read; it is found without being named, in whatever folder is checked.
const MAX_BYTES: usize = 1 << 20;

/// The name of the file.
pub const FILE_NAME: &str = "ankus.toml";

/// The user when nothing names one; never the environment's, so that output is the same everywhere.
pub const DEFAULT_USER: &str = "oozie";

/// What `ankus.toml` says.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    /// The Oozie version to judge by.
    pub version: Option<String>,
    /// The processing timezone: `UTC` or `GMT+hhmm`.
    pub processing_timezone: Option<String>,
    /// Who submits, unless `user.name` says so.
    pub user: Option<String>,
    /// Where URIs lie in this project; the longest prefix wins.
    #[serde(default)]
    pub paths: IndexMap<String, String>,
    /// What stands for which beginnings of URIs when apps run here.
    #[serde(default)]
    pub storage: IndexMap<String, storage::Entry>,
    /// How actions run here.
    #[serde(default)]
    pub run: RunConfig,
    /// How the server is set up that apps are played and run on.
    #[serde(default)]
    server: BTreeMap<toml::Spanned<String>, toml::Spanned<toml::Value>>,
    /// The names that schedules use.
    #[serde(default, rename = "programs")]
    named: IndexMap<toml::Spanned<String>, programs::Entry>,
    /// How schedules take the ends of runs.
    #[serde(default)]
    pub schedules: programs::SchedulesConfig,
    /// `[programs]` as it is understood.
    #[serde(skip)]
    pub programs: Vec<Declared>,
    /// Sets of parameters, chosen by `--profile`.
    #[serde(default)]
    pub profiles: IndexMap<String, Profile>,
    /// `[check]` as it is written.
    #[serde(default, rename = "check")]
    table: check::Table,
    /// Which findings count.
    #[serde(skip)]
    pub check: check::CheckConfig,
    /// `[server]` as it is understood.
    #[serde(skip)]
    understood: Server,
    /// The folder that holds the file; paths in it are relative to this.
    #[serde(skip)]
    pub folder: Option<PathBuf>,
}

/// `[run]`
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RunConfig {
    /// The commands that run actions of a type, with places for the parts of the action.
    #[serde(default)]
    pub commands: BTreeMap<String, Vec<String>>,
    /// Notifications by HTTP.
    #[serde(default)]
    pub notification: NotificationConfig,
    /// The mail server.
    #[serde(default)]
    pub email: Option<EmailConfig>,
    /// How `ssh` connects.
    #[serde(default)]
    pub ssh: SshConfig,
}

/// A set of parameters.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Profile {
    /// Properties files, later ones win.
    #[serde(default)]
    pub properties: Vec<PathBuf>,
    /// Single parameters; they win over the files.
    #[serde(default)]
    pub define: IndexMap<String, String>,
}

impl Config {
    /// Reads the file that `--config` names, else the nearest one upwards from a path, else the defaults.
    pub fn find(explicit: Option<&Path>, start: &Path) -> Result<Config, ShellError> {
        let place = Config::locate(explicit, start);
        if let (None, Some(path)) = (explicit, &place) {
            Config::is_own(path)?;
        }
        Config::read_or_default(place.as_deref())
    }

    /// Refuses a file that nobody named and that a link leads out of the repository for: what is wrong in it would be
    /// shown.
    pub fn is_own(path: &Path) -> Result<(), ShellError> {
        if !path.is_symlink() {
            return Ok(());
        }
        let folder = path.parent().unwrap_or(Path::new("."));
        let root = folder.ancestors().find(|folder| folder.join(".git").exists()).unwrap_or(folder);
        files::holds(root, path).map_err(|source| ShellError::Read { path: path.to_owned(), source })
    }

    /// The file that [`Config::find`] reads.
    pub fn locate(explicit: Option<&Path>, start: &Path) -> Option<PathBuf> {
        if let Some(path) = explicit {
            return Some(path.to_owned());
        }
        let start = files::absolute(start);
        start.ancestors().map(|folder| folder.join(FILE_NAME)).find(|path| files::is_file(path))
    }

    /// Reads a file; the defaults without one.
    pub fn read_or_default(path: Option<&Path>) -> Result<Config, ShellError> {
        path.map_or_else(|| Ok(Config::default()), Config::read)
    }

    fn read(path: &Path) -> Result<Config, ShellError> {
        let fault = |message: String| ShellError::Config { path: files::shown(path), message };
        let Content::Bytes(bytes) = files::read(path)? else {
            return Err(fault("it is too large".to_owned()));
        };
        // Of a tree of tables each byte costs a hundred times itself.
        if bytes.len() > MAX_BYTES {
            return Err(fault(format!("it has {} bytes, the limit is {MAX_BYTES}", bytes.len())));
        }
        let text = String::from_utf8(bytes).map_err(|_| fault("it is not UTF-8".to_owned()))?;
        let folder = files::absolute(path).parent().map(Path::to_owned).unwrap_or_default();
        Config::parse(&text, &folder).map_err(fault)
    }

    /// Understands the text of a file in `folder`, or says with line and column why it cannot.
    pub fn parse(text: &str, folder: &Path) -> Result<Config, String> {
        let mut config: Config = toml::from_str(text).map_err(|error| {
            let message = error.message().trim_end();
            placed(text, &error.span().unwrap_or_default(), &with_nearest(message))
        })?;
        let names: Vec<_> = catalogue::all().into_iter().map(|info| info.name).collect();
        let table = std::mem::take(&mut config.table);
        let understood = table.understand(folder, &names);
        config.check = understood.map_err(|fault| placed(text, &fault.range, &fault.message))?;
        if config.user.as_deref().is_some_and(|user| user.trim().is_empty()) {
            let place = toml::from_str::<UserPlace>(text).map_or(0..0, |of| of.user.span());
            return Err(placed(text, &place, "`user` is empty; name the one who submits, or leave it out"));
        }
        config.understood =
            server(&config.server).map_err(|(range, message)| placed(text, &range, &message))?;
        config.programs =
            programs::understand(&config.named).map_err(|(range, message)| placed(text, &range, &message))?;
        config.folder = Some(folder.to_owned());
        Ok(config)
    }

    /// The prefixes under `[paths]` that stand for folders which are not there, with these folders.
    pub fn lost_paths(&self) -> impl Iterator<Item = (&str, PathBuf)> {
        let base = self.folder.as_deref();
        let absolute =
            move |folder: &String| base.map_or_else(|| PathBuf::from(folder), |base| base.join(folder));
        let paths = self.paths.iter().map(move |(prefix, folder)| (prefix.as_str(), absolute(folder)));
        paths.filter(|(_, folder)| !folder.exists())
    }

    /// The server that apps are played and run on.
    pub fn server(&self) -> &Server {
        &self.understood
    }

    /// Where what is run sends something outward; paths are relative to the folder of the file.
    pub fn outward(&self) -> Outward {
        let RunConfig { notification, email, ssh, .. } = self.run.clone();
        let mut outward = Outward { notification, email, ssh };
        if let Some(folder) = &self.folder {
            let identity = outward.ssh.identity.as_mut();
            let certificate = outward.email.as_mut().and_then(|email| email.certificate.as_mut());
            identity.into_iter().chain(certificate).for_each(|path| *path = folder.join(&*path));
        }
        outward
    }

    /// The profile of this name, empty when none is asked for.
    pub fn profile(&self, name: Option<&str>) -> Result<Profile, ShellError> {
        let Some(name) = name else { return Ok(Profile::default()) };
        self.profiles.get(name).cloned().ok_or_else(|| {
            let names = self.profiles.keys().map(String::as_str);
            let hint = closest(name, names).map(|near| format!("; did you mean `{near}`?"));
            ShellError::usage(format!("ankus.toml has no profile `{name}`{}", hint.unwrap_or_default()))
        })
    }

    /// The processing timezone.
    pub fn zone(&self) -> Result<ProcessingZone, ShellError> {
        let Some(name) = &self.processing_timezone else { return Ok(ProcessingZone::UTC) };
        ProcessingZone::parse(name).map_err(|error| ShellError::Config {
            path: FILE_NAME.to_owned(),
            message: format!("processing-timezone: {error}"),
        })
    }

    /// The version profile, refused when it is not known.
    pub fn version(&self, argument: Option<&str>) -> Result<Version, ShellError> {
        let Some(text) = argument.or(self.version.as_deref()) else { return Ok(Version::default()) };
        Version::new(text).ok_or_else(|| {
            let known = Version::ALL.map(|version| version.to_string()).join(", ");
            ShellError::usage(format!("Oozie version `{text}` is not known; known are {known}"))
        })
    }
}

/// Understands `[server]`; else what is wrong, and where.
fn server(
    table: &BTreeMap<toml::Spanned<String>, toml::Spanned<toml::Value>>,
) -> Result<Server, (Range<usize>, String)> {
    let mut server = Server::default();
    for (key, value) in table {
        let name = key.get_ref();
        if !Server::KEYS.contains(&name.as_str()) {
            let near = closest(name, Server::KEYS).map(|near| format!("; did you mean `{near}`?"));
            let message = format!("`[server]` has no key `{name}`{}", near.unwrap_or_default());
            return Err((key.span(), message));
        }
        let of = match value.get_ref() {
            toml::Value::Boolean(flag) => Value::Flag(*flag),
            toml::Value::Integer(number) => Value::Number(*number),
            _ => Value::Other,
        };
        server.set(name, of).map_err(|message| (value.span(), message))?;
    }
    Ok(server)
}

/// Where the user stands.
#[derive(Deserialize)]
struct UserPlace {
    user: toml::Spanned<String>,
}

/// A message with its place: line, column, and the line itself.
fn placed(text: &str, range: &Range<usize>, message: &str) -> String {
    let (place, shown) = shown_place(text, range);
    format!("line {}, column {}: {message}\n{shown}", place.line, place.column)
}

/// Where a range of a text begins, and the line with the range marked in it.
pub fn shown_place(text: &str, range: &Range<usize>) -> (Position, String) {
    let mut sources = Sources::new();
    let file = sources.add(FILE_NAME, text);
    let place = sources.position(file, u32::try_from(range.start).unwrap_or(u32::MAX));
    let number = place.line.to_string();
    let line = text.lines().nth(place.line - 1).unwrap_or_default();
    let marked = text.get(range.clone()).and_then(|marked| marked.lines().next()).unwrap_or_default();
    let (gap, indent) = (" ".repeat(number.len()), " ".repeat(place.column - 1));
    let marks = "^".repeat(marked.chars().count().max(1));
    let shown = format!("{gap} |\n{number} | {line}\n{gap} | {indent}{marks}");
    (place, shown)
}

/// The message of the reader about a word that is none of several, with the nearest of them.
fn with_nearest(message: &str) -> String {
    let mut words = message.split('`').skip(1).step_by(2);
    let near = words.next().filter(|_| message.starts_with("unknown ")).and_then(|word| closest(word, words));
    near.map_or_else(|| message.to_owned(), |near| format!("{message}; did you mean `{near}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_keys_of_the_design_are_read_and_others_refused() {
        let text = r#"
            version = "5.2"
            processing-timezone = "UTC"
            user = "oozie"
            [paths]
            "hdfs://nn1:8020" = "cluster"
            [profiles.prod]
            properties = ["config/prod.properties"]
            define = { nameNode = "hdfs://nn1:8020" }
        "#;
        let config = Config::parse(text, Path::new("/r")).expect("it is read");
        assert_eq!(config.profiles["prod"].define["nameNode"], "hdfs://nn1:8020");
        let error = Config::parse("versoin = \"5.2\"\n", Path::new("/r")).expect_err("it is refused");
        assert!(error.starts_with("line 1, column 1: ") && error.contains("versoin"), "{error}");
        assert!(error.contains("did you mean `version`?"), "{error}");
        assert!(config.profile(Some("prd")).expect_err("unknown").to_string().contains("prod"));
        assert!(config.version(Some("4.1")).is_ok() && config.version(Some("2.3")).is_err());
    }
}
