//! Actions of 2009, evaluated, as the later actions that do the same: where the cluster is and what `job-xml` holds go to
//! where later actions have them. Their values are literal by now.

use std::collections::BTreeMap;

use super::{Action, Refusal, fault, text_of};
use crate::engine::Fault;
use crate::execute::files::FilesFault;
use crate::execute::files::Operation;
use crate::execute::storage::Storage;
use crate::host::files::{self, Content};
use crate::plan::hdfs::{self, Lies};
use crate::properties::hadoop::{self, Reader};
use crate::source::Sources;
use crate::xml::{self, Decoding, Element, Limits};

/// The property that says where the job tracker is, ...
const TRACKER: &str = "mapred.job.tracker";
/// ... and the file system.
const FILE_SYSTEM: &str = "fs.default.name";

/// Names that stand in the configuration of no later action.
const ELSEWHERE: [&str; 3] = [TRACKER, FILE_SYSTEM, "user.name"];

/// The type and the definition of the later action; `None` for what is the same there.
pub(super) fn later(action: &Action<'_>, root: &Element) -> Result<Option<(&'static str, String)>, Refusal> {
    Ok(match action.kind {
        "hadoop" => Some(("map-reduce", hadoop(action, root)?)),
        "pig" if root.child("pig-script").is_some() => Some(("pig", pig(action, root)?)),
        "email" if root.child("message").is_some() => Some(("email", email(root))),
        _ => None,
    })
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// All properties of an action: those inline over those of the file.
fn properties(action: &Action<'_>, root: &Element) -> Result<BTreeMap<String, String>, Refusal> {
    let mut all = BTreeMap::new();
    if let Some(path) = text_of(root, "job-xml") {
        let below = path.trim_start_matches('/');
        let place = action.app.join(below);
        let unread = |why: String| fault("JA018", format!("the file `{path}` of `job-xml`: {why}"));
        files::holds(action.app, &place).map_err(|error| unread(error.to_string()))?;
        let content = files::read(&place).map_err(|error| unread(error.to_string()))?;
        let Content::Bytes(bytes) = content else { return Err(unread("it is too large".to_owned()).into()) };
        let mut sources = Sources::new();
        let read = xml::read_bytes(&mut sources, &path, &bytes, Decoding::Declared, &Limits::default());
        let file = read.1.ok_or_else(|| unread("it is not XML".to_owned()))?;
        let (found, _) = hadoop::properties(&file, Reader::Server);
        all.extend(found.entries.into_iter().map(|entry| (entry.key.value, entry.value.value)));
    }
    if let Some(element) = root.child("configuration") {
        let (found, _) = hadoop::properties(element, Reader::Server);
        all.extend(found.entries.into_iter().map(|entry| (entry.key.value, entry.value.value)));
    }
    Ok(all)
}

/// The beginning of a later action: the cluster, and what is deleted before.
fn head(root: &Element, all: &BTreeMap<String, String>) -> String {
    let get = |name: &str| all.get(name).map(|value| value.trim().to_owned());
    let mut out = String::new();
    let tag = |name: &str, text: &str| format!("<{name}>{}</{name}>", escaped(text));
    out.push_str(&get(TRACKER).map_or(String::new(), |it| tag("resource-manager", &it)));
    out.push_str(&get(FILE_SYSTEM).map_or(String::new(), |it| tag("name-node", &it)));
    if let Some(prepare) = root.child("prepare") {
        let delete = |delete: &Element| {
            let path = delete.attribute("path").map(|path| path.value.value.trim().to_owned());
            format!("<delete path=\"{}\"/>", escaped(&on(all, &path.unwrap_or_default())))
        };
        out.push_str(&format!("<prepare>{}</prepare>", prepare.elements().map(delete).collect::<String>()));
    }
    out
}

/// A path on the file system of an action.
fn on(all: &BTreeMap<String, String>, path: &str) -> String {
    match all.get(FILE_SYSTEM) {
        Some(system) if path.starts_with('/') => format!("{}{path}", system.trim().trim_end_matches('/')),
        _ => path.to_owned(),
    }
}

fn configuration(all: &BTreeMap<String, String>) -> String {
    let own = all.iter().filter(|(name, _)| !ELSEWHERE.contains(&name.as_str()));
    let property = |(name, value): (&String, &String)| {
        format!("<property><name>{}</name><value>{}</value></property>", escaped(name), escaped(value))
    };
    format!("<configuration>{}</configuration>", own.map(property).collect::<String>())
}

fn hadoop(action: &Action<'_>, root: &Element) -> Result<String, Refusal> {
    let all = properties(action, root)?;
    let mut out = format!("<map-reduce>{}", head(root, &all));
    let streaming = root.child("streaming");
    let is_class = |name: &str| all.contains_key(name);
    if let Some(streaming) = streaming {
        let program = |name: &str, class: &str| match text_of(streaming, name) {
            Some(text) if !is_class(class) => format!("<{name}>{}</{name}>", escaped(&text)),
            _ => String::new(),
        };
        let mapper = program("mapper", "mapred.mapper.class");
        let reducer = program("reducer", "mapred.reducer.class");
        out.push_str(&format!("<streaming>{mapper}{reducer}</streaming>"));
    }
    out.push_str(&configuration(&all));
    let lists = [("files", "file"), ("cacheFiles", "file"), ("cacheArchives", "archive")];
    for (list, name) in lists {
        for file in streaming.and_then(|it| it.child(list)).into_iter().flat_map(Element::elements) {
            let text = file.text().value.trim().to_owned();
            let text =
                if list == "files" { text.trim_start_matches('/').to_owned() } else { on(&all, &text) };
            out.push_str(&format!("<{name}>{}</{name}>", escaped(&text)));
        }
    }
    out.push_str("</map-reduce>");
    Ok(out)
}

fn pig(action: &Action<'_>, root: &Element) -> Result<String, Refusal> {
    let all = properties(action, root)?;
    let script = text_of(root, "pig-script").unwrap_or_default();
    let params: String = root
        .child("parameters")
        .into_iter()
        .flat_map(Element::elements)
        .map(|param| format!("<param>{}</param>", escaped(param.text().value.trim())))
        .collect();
    let script = escaped(script.trim_start_matches('/'));
    let (head, conf) = (head(root, &all), configuration(&all));
    Ok(format!("<pig>{head}{conf}<script>{script}</script>{params}</pig>"))
}

fn email(root: &Element) -> String {
    let part = |name: &str, later: &str| {
        text_of(root, name).map_or(String::new(), |text| format!("<{later}>{}</{later}>", escaped(&text)))
    };
    format!("<email>{}{}{}</email>", part("to", "to"), part("subject", "subject"), part("message", "body"))
}

/// The commands of an hdfs action, all of which were looked at.
pub(super) fn operations(storage: &Storage, root: &Element, user: &str) -> Result<Vec<Operation>, Refusal> {
    let of = |found: FilesFault| Refusal { kind: found.kind, fault: Fault::new(found.code, found.words) };
    let operations = hdfs::operations(root, user).map_err(|found| of(found.into()))?;
    let mut trouble = None;
    let mut lies = |path: &str| match storage.spot(path).and_then(|spot| spot.status()) {
        Ok(Some(status)) if status.is_folder => Lies::Folder,
        Ok(Some(_)) => Lies::File,
        Ok(None) => Lies::Nothing,
        Err(found) => {
            trouble.get_or_insert(found);
            Lies::Unknown
        }
    };
    let looked = hdfs::look_ahead(&operations, &mut lies);
    if let Some(found) = trouble {
        let found = FilesFault::from(found);
        return Err(of(found));
    }
    looked.map_err(|found| of(found.into()))?;
    Ok(operations)
}
