//! Finding definitions in folders: by their root element, never by their name; what `.gitignore` hides stays hidden.

use std::path::{Path, PathBuf};

use crate::analysis::app_files::AppFiles;
use crate::analysis::known_properties;
use crate::analysis::parameters::AppKind;
use crate::analysis::project::Kind;
use crate::diag::distance;
use crate::host::error::ShellError;
use crate::host::{files, overlay};
use crate::model::schedule::Notation;
use crate::model::{Dialect, RootKind};

/// The name of the configuration, which is no file of schedules.
const CONFIG_NAME: &str = "ankus.toml";

/// More files than this are not looked at; a project has hundreds.
pub const MAX_FILES: usize = 200_000;

/// How deep folders are followed.
pub const MAX_FOLDER_DEPTH: usize = 64;

/// What is read of a file to see its root element. Long licence comments come first in many.
const HEAD_BYTES: u64 = 8 * 1024;

/// The second look, for a file whose first comment is longer.
const LONG_HEAD_BYTES: u64 = 1024 * 1024;

/// What a look through a folder came to.
#[derive(Debug, Default)]
pub struct Candidates {
    /// The files that may matter: XML and properties, sorted.
    pub files: Vec<PathBuf>,
    /// What cannot be listed.
    pub faults: Vec<ShellError>,
}

/// The files below a folder that may matter.
pub fn candidates(folder: &Path) -> Result<Candidates, ShellError> {
    let mut found = Vec::new();
    let mut broken = Vec::new();
    let mut faults = walk(folder, |entry| {
        let may_matter = matches!(extension(entry.path()), Some("xml" | "properties"));
        if !may_matter && !is_called_schedules(entry.path()) {
            return;
        }
        if entry.path_is_symlink() {
            broken.extend(broken_link(entry.path()));
        }
        let is_file = entry.file_type().is_some_and(|kind| kind.is_file())
            || (entry.path_is_symlink() && entry.path().is_file() && files::is_within(entry.path(), folder));
        if is_file {
            found.push(entry.into_path());
        } else if entry.path_is_symlink() && entry.path().is_file() && is_named_as_definition(entry.path()) {
            let fault = files::holds(project_of(folder).as_path(), entry.path());
            broken.extend(fault.err().map(|source| ShellError::Read { path: entry.into_path(), source }));
        }
    })?;
    faults.append(&mut broken);
    Ok(Candidates { files: found, faults })
}

/// The folder of the project that a folder lies in: the nearest one with a repository or an ankus.toml, else itself.
fn project_of(folder: &Path) -> PathBuf {
    let folder = files::absolute(folder);
    let is_root = |it: &&Path| it.join(".git").exists() || it.join(CONFIG_NAME).exists();
    folder.ancestors().find(is_root).unwrap_or(&folder).to_owned()
}

/// How a file of schedules is written, by its extension; none for other files and for ankus.toml.
pub fn notation(path: &Path) -> Option<Notation> {
    match extension(path) {
        Some("json") => Some(Notation::Json),
        Some("toml") if path.file_name().is_some_and(|name| name != CONFIG_NAME) => Some(Notation::Toml),
        _ => None,
    }
}

/// Whether a file that nobody names is one of schedules, by its name.
pub fn is_called_schedules(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    ["schedules.toml", "schedules.json"].contains(&name)
        || name.ends_with(".schedules.toml")
        || name.ends_with(".schedule.json")
}

/// The error of a link that was to be a definition and leads to nothing, or to itself.
fn broken_link(path: &Path) -> Option<ShellError> {
    let source = std::fs::metadata(path).err()?;
    let is_nothing = source.kind() == std::io::ErrorKind::NotFound;
    // Where nothing says what would be there, a link to what is not checked out is left alone.
    let matters = !is_nothing || is_named_as_definition(path);
    let source = match is_nothing {
        true => std::io::Error::other("the link leads to nothing"),
        false => std::io::Error::other("the link leads to itself, or cannot be followed"),
    };
    matters.then(|| ShellError::Read { path: path.to_owned(), source })
}

/// All files in and below a folder, sorted; what `.gitignore` hides stays hidden.
pub fn everything_in(folder: &Path) -> Result<Vec<PathBuf>, ShellError> {
    let mut found = Vec::new();
    walk(folder, |entry| {
        if entry.path().is_file() {
            found.push(entry.into_path());
        }
    })?;
    Ok(found)
}

/// Whether a file is called as servers call definitions, so that it is one even where nothing can be made of it.
pub fn is_named_as_definition(path: &Path) -> bool {
    AppKind::ALL.iter().any(|kind| path.file_name().is_some_and(|name| name == kind.definition_file()))
}

/// The files and folders that a pattern names, such as `apps/*/workflow.xml`, sorted. What `.gitignore` hides stays
/// hidden.
pub fn matching(pattern: &Path) -> Result<Vec<PathBuf>, ShellError> {
    let text = files::slashed(pattern);
    let text = text.strip_prefix("./").unwrap_or(&text);
    let glob = globset::GlobBuilder::new(text).literal_separator(true).build();
    let glob =
        glob.map_err(|error| ShellError::usage(format!("`{text}` is no pattern: {}", error.kind())))?;
    let glob = glob.compile_matcher();
    let fixed = fixed_part(pattern);
    let folder = fixed.as_deref().unwrap_or(Path::new("."));
    let mut found = Vec::new();
    if folder.is_dir() {
        walk(folder, |entry| {
            let path = entry.path().strip_prefix(".").unwrap_or(entry.path());
            if glob.is_match(path) {
                found.push(path.to_owned());
            }
        })?;
    }
    Ok(found)
}

/// The folder in which everything lies that a pattern or folder names; none for the working directory.
pub fn fixed_part(pattern: &Path) -> Option<PathBuf> {
    let fixed: PathBuf =
        pattern.components().take_while(|part| !is_pattern(Path::new(part.as_os_str()))).collect();
    (!fixed.as_os_str().is_empty()).then_some(fixed)
}

/// The files that may matter and all folders, in and below a folder; empty where it is too large.
pub fn everything(folder: &Path) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let (mut found, mut folders) = (Vec::new(), Vec::new());
    let walked = walk(folder, |entry| {
        if entry.file_type().is_some_and(|kind| kind.is_dir()) {
            folders.push(entry.into_path());
        } else if matches!(extension(entry.path()), Some("xml" | "properties"))
            || is_called_schedules(entry.path())
        {
            found.push(entry.into_path());
        }
    });
    // Whoever checks the folder is told.
    if walked.is_ok() { (found, folders) } else { (Vec::new(), Vec::new()) }
}

/// Whether a path that names no file may be meant as a pattern.
pub fn is_pattern(path: &Path) -> bool {
    path.to_string_lossy().contains(['*', '?', '[', '{'])
}

/// Everything in and below a folder that git would see; what cannot be listed.
fn walk(folder: &Path, mut take: impl FnMut(ignore::DirEntry)) -> Result<Vec<ShellError>, ShellError> {
    let mut faults = Vec::new();
    let walk = ignore::WalkBuilder::new(folder)
        .max_depth(Some(MAX_FOLDER_DEPTH))
        .follow_links(false)
        .require_git(false)
        .git_global(false)
        .sort_by_file_name(Ord::cmp)
        .build();
    for (count, entry) in walk.enumerate() {
        if count >= MAX_FILES {
            let folder = files::shown(folder);
            return Err(ShellError::usage(format!(
                "`{folder}` holds more than {MAX_FILES} files; name a smaller folder"
            )));
        }
        match entry {
            Ok(entry) if is_too_deep(&entry) => {
                let source = std::io::Error::other(format!(
                    "it lies {MAX_FOLDER_DEPTH} folders deep, and nothing deeper is looked at"
                ));
                faults.push(ShellError::Read { path: entry.into_path(), source });
            }
            Ok(entry) => take(entry),
            Err(error) => faults.extend(fault(error, folder)),
        }
    }
    Ok(faults)
}

/// Whether an entry is a folder that is not followed any more, and holds something.
fn is_too_deep(entry: &ignore::DirEntry) -> bool {
    entry.depth() >= MAX_FOLDER_DEPTH
        && entry.file_type().is_some_and(|kind| kind.is_dir())
        && std::fs::read_dir(entry.path()).is_ok_and(|mut entries| entries.next().is_some())
}

/// The error of a walk with its path; none for what has vanished meanwhile.
fn fault(error: ignore::Error, folder: &Path) -> Option<ShellError> {
    let mut path = folder;
    let mut inner = &error;
    loop {
        match inner {
            ignore::Error::WithPath { path: place, err } => (path, inner) = (place, err),
            ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => inner = err,
            _ => break,
        }
    }
    let path = path.to_owned();
    match error.into_io_error() {
        Some(source) if source.kind() == std::io::ErrorKind::NotFound => None,
        // The words of the walk name the path once more.
        Some(source) => Some(ShellError::Read { path, source: source.kind().into() }),
        None => Some(ShellError::Read { path, source: std::io::Error::other("it cannot be listed") }),
    }
}

/// More files in one app's folder are not listed.
const MAX_APP_FILES: usize = 2_000;

/// How deep an app's folder is followed.
const MAX_APP_DEPTH: usize = 6;

/// The files in and below the folder of a workflow, what `.gitignore` hides included: it is there when it is deployed.
/// Nothing where the folder cannot be listed.
pub fn app_files(workflow: &Path) -> Option<AppFiles> {
    let folder = workflow.parent()?;
    let mut found = AppFiles { is_whole: true, ..AppFiles::default() };
    let unpacked = overlay::below(folder);
    if !unpacked.is_empty() && !folder.is_dir() {
        found.files.extend(unpacked.iter().map(|path| files::slashed(path)));
        return Some(found);
    }
    let mut open = vec![(folder.to_owned(), String::new(), 0)];
    let mut seen = 0;
    while let Some((folder, prefix, depth)) = open.pop() {
        for entry in std::fs::read_dir(&folder).ok()?.flatten() {
            seen += 1;
            if seen > MAX_APP_FILES {
                found.is_whole = false;
                return Some(found);
            }
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = format!("{prefix}{name}");
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && name == ".git" => {}
                Ok(kind) if kind.is_dir() && depth < MAX_APP_DEPTH => {
                    open.push((entry.path(), format!("{path}/"), depth + 1));
                }
                Ok(kind) if kind.is_dir() => found.is_whole = false,
                Ok(_) => drop(found.files.insert(path)),
                Err(_) => found.is_whole = false,
            }
        }
    }
    Some(found)
}

/// The extension, when it is plain text.
pub fn extension(path: &Path) -> Option<&str> {
    path.extension().and_then(|extension| extension.to_str())
}

/// The properties that name an app; the last is a slip for that of bundles.
const APP_PATHS: [&str; 4] = [
    "oozie.wf.application.path",
    "oozie.coord.application.path",
    "oozie.bundle.application.path",
    "oozie.application.bundle.path",
];

/// Whether a properties file, or a Hadoop configuration file, sets the path of an app. Other XML does not, whatever it
/// holds: a POM may set a property of this name.
pub fn names_app(path: &Path) -> bool {
    let text = decoded(&files::head(path, LONG_HEAD_BYTES));
    if extension(path) == Some("xml") {
        return kind(path) == Some(Kind::Configuration)
            && APP_PATHS.iter().any(|name| sets_in_xml(&text, name));
    }
    let mut lines = text.trim_start_matches('\u{FEFF}').lines();
    lines.any(|line| APP_PATHS.iter().any(|name| sets_in_line(line, name) || nearly_sets(line, name)))
}

/// How many letters a misspelt name of an application path differs in.
const SLIP: usize = 2;

/// Whether a line sets a name that is nearly this one.
fn nearly_sets(line: &str, name: &str) -> bool {
    let key = line.trim_start().split(['=', ':', ' ', '\t']).next().unwrap_or_default();
    // Names of other settings are no slips: most of the line says which one is meant.
    key.starts_with("oozie.") && known_properties::near(key).as_deref() == Some(name)
        || key.ends_with("path") && key.starts_with("oozie.") && distance(key, name, SLIP).is_some()
        || key.contains("application") && distance(key, name, SLIP).is_some()
}

/// Whether `<name>` holds this name somewhere in a text.
fn sets_in_xml(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        text[..at].trim_end().ends_with("<name>")
            && text[at + name.len()..].trim_start().starts_with("</name>")
    })
}

/// Whether a line of a properties file sets this name.
fn sets_in_line(line: &str, name: &str) -> bool {
    let rest = line.trim_start().strip_prefix(name);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['=', ':', ' ', '\t', '\r']))
}

/// Whether a text that is not called so reads as properties: names, a sign, values, and hardly anything else. A page of
/// documentation or a script with such lines does not.
pub fn reads_as_properties(path: &Path) -> bool {
    let text = decoded(&files::head(path, LONG_HEAD_BYTES));
    if text.starts_with("#!") {
        return false;
    }
    let (mut others, mut settings, mut continues) = (0usize, 0usize, false);
    for line in text.lines().map(str::trim) {
        let is_more = std::mem::replace(&mut continues, line.ends_with('\\'));
        if is_more || line.is_empty() || line.starts_with(['#', '!']) {
            continue;
        }
        let name = line.split(['=', ':']).next().unwrap_or_default().trim_end();
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '$' | '{' | '}');
        let sets = name.len() < line.len() && !name.is_empty() && name.chars().all(is_name);
        *(if sets { &mut settings } else { &mut others }) += 1;
    }
    settings > 9 * others
}

/// What a file is by its root element; none when it has none.
pub fn kind(path: &Path) -> Option<Kind> {
    root(path).map(|name| Kind::of_root(&name))
}

/// The language of a workflow by its root element; none for what is no workflow.
pub fn dialect(path: &Path) -> Option<Dialect> {
    match RootKind::of(&root(path)?) {
        Some(RootKind::Workflow(dialect)) => Some(dialect),
        _ => None,
    }
}

/// The name of an application of 2009 by its root element.
pub fn application_name(path: &Path) -> Option<String> {
    if dialect(path) != Some(Dialect::Hws) {
        return None;
    }
    let text = decoded(&files::head(path, LONG_HEAD_BYTES));
    let tag = text.split("<hadoop-workflow").nth(1)?.split('>').next()?;
    let rest = tag.split("name").nth(1)?.trim_start().strip_prefix('=')?.trim_start();
    let quote = rest.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    Some(rest[1..].split(quote).next()?.trim().to_owned())
}

/// The local name of a root element.
fn root(path: &Path) -> Option<String> {
    match root_of(&files::head(path, HEAD_BYTES)) {
        Root::Name(name) => Some(name),
        Root::None => None,
        Root::Later => match root_of(&files::head(path, LONG_HEAD_BYTES)) {
            Root::Name(name) => Some(name),
            _ => None,
        },
    }
}

/// Whether the root element claims to be one of ours by its namespace, whatever it is called: a misspelt root.
pub fn claims_a_definition(path: &Path) -> bool {
    let head = decoded(&files::head(path, HEAD_BYTES));
    let quotes = ['"', '\''];
    let values = head.split("xmlns").skip(1).filter_map(|rest| rest.split(quotes).nth(1));
    let ours = ["uri:oozie:workflow:", "uri:oozie:coordinator:", "uri:oozie:bundle:"];
    values.take(1).any(|namespace| ours.iter().any(|prefix| namespace.starts_with(prefix)))
}

/// What the beginning of a document says of its root element.
#[derive(Debug, PartialEq, Eq)]
enum Root {
    /// Its local name.
    Name(String),
    /// It comes after the beginning.
    Later,
    /// There is none.
    None,
}

/// Looks for the first start tag, past comments and instructions. A DTD is passed over, so that its file is looked at.
fn root_of(head: &[u8]) -> Root {
    let text = decoded(head);
    let mut rest = text.as_str();
    loop {
        let Some(at) = rest.find('<') else {
            return if rest.trim().is_empty() { Root::Later } else { Root::None };
        };
        rest = &rest[at..];
        let end = if rest.starts_with("<!--") {
            rest.find("-->").map(|end| end + 3)
        } else if rest.starts_with("<?") {
            rest.find("?>").map(|end| end + 2)
        } else if rest.starts_with("<!") {
            let subset = rest.find('[').filter(|open| rest.find('>').is_none_or(|close| open < &close));
            subset.map_or_else(|| rest.find('>'), |_| rest.find("]>").map(|end| end + 1)).map(|end| end + 1)
        } else {
            let name = &rest[1..];
            let Some(end) = name.find(|c: char| c.is_whitespace() || matches!(c, '>' | '/' | '<')) else {
                return Root::Later;
            };
            let name = name[..end].rsplit(':').next().unwrap_or_default();
            return if name.is_empty() { Root::None } else { Root::Name(name.to_owned()) };
        };
        match end {
            Some(end) => rest = &rest[end..],
            None => return Root::Later,
        }
    }
}

/// The characters of a head; only names of ASCII letters matter here, so other encodings need no care but UTF-16.
fn decoded(head: &[u8]) -> String {
    match head {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [0, b'<', ..] | [b'<', 0, ..] => {
            head.iter().filter(|byte| byte.is_ascii() && **byte != 0).map(|byte| char::from(*byte)).collect()
        }
        _ => String::from_utf8_lossy(head).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_settings_name_an_app() {
        let name = APP_PATHS[0];
        for line in
            ["oozie.wf.application.path=/a", "  oozie.wf.application.path : /a", "oozie.wf.application.path"]
        {
            assert!(sets_in_line(line, name), "{line}");
        }
        for line in
            ["#oozie.wf.application.path=/a", "oozie.wf.application.paths=/a", "x=oozie.wf.application.path"]
        {
            assert!(!sets_in_line(line, name), "{line}");
        }
        assert!(sets_in_xml("<property><name> oozie.wf.application.path </name>", name));
        assert!(!sets_in_xml("<oozie.wf.application.path>/a</oozie.wf.application.path>", name));
    }

    #[test]
    fn the_root_is_seen_past_what_precedes_it() {
        let check = |head: &[u8], expected: Root| assert_eq!(root_of(head), expected);
        let name = |name: &str| Root::Name(name.to_owned());
        check(b"<?xml version='1.0'?><!-- <a> --><workflow-app name='x'>", name("workflow-app"));
        check(b"\xef\xbb\xbf<w:workflow-app xmlns:w='u'>", name("workflow-app"));
        check(b"<!DOCTYPE a [<!ENTITY b 'c'>]><bundle-app>", name("bundle-app"));
        check(b"<!DOCTYPE a SYSTEM 'x'><bundle-app>", name("bundle-app"));
        check(b"<\0d\0a\0t\0a\0s\0e\0t\0s\0>\0", name("datasets"));
        check(b"<!-- long", Root::Later);
        check(b"<workfl", Root::Later);
        check(b"a=b", Root::None);
        check(b"", Root::Later);
    }
}
