//! `ankus.toml`: found upwards from the app, read strictly.

use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use serde::Deserialize;

use super::error::ShellError;
use super::files::{self, Content};
use crate::time::ProcessingZone;

/// The name of the file.
pub const FILE_NAME: &str = "ankus.toml";

/// The only version profile so far.
pub const DEFAULT_VERSION: &str = "5.2";

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
    /// Sets of parameters, chosen by `--profile`.
    #[serde(default)]
    pub profiles: IndexMap<String, Profile>,
    /// The folder that holds the file; paths in it are relative to this.
    #[serde(skip)]
    pub folder: Option<PathBuf>,
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
        if let Some(path) = explicit {
            return Config::read(path);
        }
        let start = files::absolute(start);
        let found = start.ancestors().map(|folder| folder.join(FILE_NAME)).find(|path| path.is_file());
        found.map_or_else(|| Ok(Config::default()), |path| Config::read(&path))
    }

    fn read(path: &Path) -> Result<Config, ShellError> {
        let fault = |message: String| ShellError::Config { path: files::shown(path), message };
        let Content::Bytes(bytes) = files::read(path)? else {
            return Err(fault("it is too large".to_owned()));
        };
        let text = String::from_utf8(bytes).map_err(|_| fault("it is not UTF-8".to_owned()))?;
        let mut config: Config =
            toml::from_str(&text).map_err(|error| fault(error.to_string().trim_end().to_owned()))?;
        config.folder = files::absolute(path).parent().map(Path::to_owned);
        Ok(config)
    }

    /// The profile of this name, empty when none is asked for.
    pub fn profile(&self, name: Option<&str>) -> Result<Profile, ShellError> {
        let Some(name) = name else { return Ok(Profile::default()) };
        self.profiles.get(name).cloned().ok_or_else(|| {
            let names = self.profiles.keys().map(String::as_str);
            let hint = crate::diag::closest(name, names).map(|near| format!("; did you mean `{near}`?"));
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
    pub fn version(&self, argument: Option<&str>) -> Result<String, ShellError> {
        let version = argument.or(self.version.as_deref()).unwrap_or(DEFAULT_VERSION);
        if version != DEFAULT_VERSION {
            return Err(ShellError::usage(format!(
                "Oozie version `{version}` is not known; known is {DEFAULT_VERSION}"
            )));
        }
        Ok(version.to_owned())
    }
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
        let config: Config = toml::from_str(text).expect("it is read");
        assert_eq!(config.profiles["prod"].define["nameNode"], "hdfs://nn1:8020");
        let error = toml::from_str::<Config>("versoin = \"5.2\"\n").expect_err("it is refused").to_string();
        assert!(error.contains("line 1") && error.contains("versoin"), "{error}");
        assert!(config.profile(Some("prd")).expect_err("unknown").to_string().contains("prod"));
        assert!(config.version(Some("4.1")).is_err());
    }
}
