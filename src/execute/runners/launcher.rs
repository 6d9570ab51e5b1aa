//! Settings of the `launcher` element that mean something on this machine; the definition was merged so that they are
//! properties by now (`LauncherConfigHandler`). Memory, queue and the like are accepted and mean nothing here.

use super::configuration::Configuration;
use super::{Fault, fault};

/// The longest output of an action unless it says otherwise (`oozie.action.max.output.data`), in characters.
const MAX_OUTPUT: u64 = 2048;

/// Variables of the environment: `A=1:B=2` (`JavaActionExecutor.extractEnvVarsFromOozieLauncherProps`).
pub(super) fn env(conf: &Configuration) -> Result<Vec<(String, String)>, Fault> {
    let Some(text) = conf.get("oozie.launcher.env") else { return Ok(Vec::new()) };
    let separator = if cfg!(windows) { ';' } else { ':' };
    let pair = |pair: &str| {
        let split = pair.split_once('=').filter(|(name, value)| !name.is_empty() && !value.is_empty());
        let words = || {
            format!(
                "Invalid launcher setting for environment variables: \"{text}\". <env> should contain a list of \
                 ENV_VAR_NAME=VALUE separated by the '{separator}' character"
            )
        };
        split.map(|(name, value)| (name.to_owned(), value.to_owned())).ok_or_else(|| fault("JA009", words()))
    };
    text.split(separator).filter(|pair| !pair.is_empty()).map(pair).collect()
}

/// Options of the Java machine, as they are written.
pub(super) fn java_options(conf: &Configuration) -> &str {
    conf.get("oozie.launcher.javaopts").map(String::as_str).unwrap_or_default()
}

/// How much an action may output, in characters (`JavaActionExecutor.getMaxOutputData`).
pub(super) fn max_output(conf: &Configuration) -> u64 {
    conf.get("oozie.action.max.output.data").and_then(|text| text.trim().parse().ok()).unwrap_or(MAX_OUTPUT)
}
