//! The configuration that an action gets (`JavaActionExecutor.createBaseHadoopConf`, `setupActionConf`).
//!
//! In a server's order: what it sets itself, then each `job-xml`, first those of `global`, then `configuration`, into which
//! the properties of `global` were merged when the definition was read.

use std::collections::BTreeMap;

use super::paths::{self, Place};
use super::{Action, CONF_FILE, Refusal, fault, unprepared};
use crate::engine::TroubleKind;
use crate::execute::attempt::Attempt;
use crate::execute::private;
use crate::host::files::{self, Content};
use crate::properties::hadoop::{self, Reader};
use crate::source::Sources;
use crate::xml::{Element, Limits};

/// What no action may set (`JavaActionExecutor.DISALLOWED_PROPERTIES`).
const DISALLOWED: [&str; 4] =
    ["user.name", "mapreduce.job.user.name", "fs.default.name", "yarn.resourcemanager.address"];

/// Names and values, sorted.
pub(super) type Configuration = BTreeMap<String, String>;

/// The configuration of an action.
pub(super) fn of(action: &Action<'_>, root: &Element) -> Result<Configuration, Refusal> {
    let mut all = Configuration::new();
    let text = |name: &str| root.child(name).map(|element| element.text().value.trim().to_owned());
    let own =
        action.conf.all().into_iter().filter(|(name, _)| name.starts_with("oozie.") || *name == "user.name");
    all.extend(own.map(|(name, value)| (name.to_owned(), value.to_owned())));
    let mut set = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            all.insert(name.to_owned(), value);
        }
    };
    set("yarn.resourcemanager.address", text("resource-manager").or_else(|| text("job-tracker")));
    for name in ["fs.default.name", "fs.defaultFS"] {
        set(name, text("name-node"));
    }
    set("mapreduce.fileoutputcommitter.marksuccessfuljobs", Some("true".to_owned()));
    set("oozie.action.config.class", text("config-class"));
    set("oozie.action.java.main", text("main-class"));
    set("oozie.action.rootlogger.log.level", Some("INFO".to_owned()));
    for file in root.children_named("job-xml") {
        add(&mut all, job_xml(action, root, file.text().value.trim())?, "job-xml")?;
    }
    if let Some(element) = root.child("configuration") {
        let (found, _) = hadoop::properties(element, Reader::Server);
        let inline = found.entries.into_iter().map(|entry| (entry.key.value, entry.value.value));
        add(&mut all, inline, "inline configuration")?;
    }
    Ok(all)
}

fn add(
    all: &mut Configuration,
    more: impl IntoIterator<Item = (String, String)>,
    from: &str,
) -> Result<(), Refusal> {
    for (name, value) in more {
        if DISALLOWED.contains(&name.as_str()) {
            let words = format!("Property [{name}] not allowed in action [{from}] configuration");
            return Err(Refusal { kind: TroubleKind::Failed, fault: fault("JA010", words) });
        }
        all.insert(name, value);
    }
    Ok(())
}

/// The properties of a file, with the expressions in them evaluated.
fn job_xml(action: &Action<'_>, root: &Element, path: &str) -> Result<Vec<(String, String)>, Refusal> {
    let transient =
        |code: &str, words: String| Refusal { kind: TroubleKind::Transient, fault: fault(code, words) };
    let missing = || fault("JA008", format!("File does not exist: {path}"));
    let content = match paths::place(action, root, path)? {
        Place::Here(located) if !located.path.exists() => return Err(missing().into()),
        Place::Here(located) => files::read(&located.path).map_err(|error| error.to_string()),
        Place::There(spot) => match spot.status()? {
            None => return Err(missing().into()),
            Some(status) if status.is_folder => Err(format!("`{path}` is a folder")),
            Some(_) => {
                let mut content = spot.backend.open(&spot.path)?;
                files::read_stream(&mut *content).map_err(|error| format!("`{path}`: {error}"))
            }
        },
    };
    let bytes = match content {
        Ok(Content::Bytes(bytes)) => bytes,
        Ok(_) => return Err(fault("JA009", format!("`{path}` is too large")).into()),
        Err(words) => return Err(transient("JA009", words)),
    };
    let mut sources = Sources::new();
    let (_, found, findings) =
        hadoop::read_bytes(&mut sources, path, &bytes, Reader::Server, &Limits::default());
    let bad = findings.iter().find(|finding| finding.severity == crate::diag::Severity::Error);
    if let Some(bad) = bad {
        return Err(transient("JA009", format!("`{path}`: {}", bad.message)));
    }
    let evaluated = |text: &str| (action.evaluate)(text).map_err(|words| transient("EL_EVAL_ERROR", words));
    let entries = found.entries.iter();
    entries.map(|entry| Ok((evaluated(&entry.key.value)?, evaluated(&entry.value.value)?))).collect()
}

/// Writes a configuration where an action finds it; the path of the file.
pub(super) fn write(conf: &Configuration, attempt: &Attempt) -> Result<String, Refusal> {
    let path = attempt.work().join(CONF_FILE);
    let written = attempt.make_folders().and_then(|()| private::write(&path, xml(conf).as_bytes()));
    written.map_err(unprepared)?;
    Ok(path.to_string_lossy().into_owned())
}

fn xml(conf: &Configuration) -> String {
    let escape = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let mut out = "<configuration>\n".to_owned();
    for (name, value) in conf {
        let (name, value) = (escape(name), escape(value));
        out.push_str(&format!("  <property><name>{name}</name><value>{value}</value></property>\n"));
    }
    out.push_str("</configuration>\n");
    out
}
