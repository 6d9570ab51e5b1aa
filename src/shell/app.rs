//! What a user means by an app: a definition, a folder that holds one, or the properties file that leads to one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::analysis::parameters::{
    APP_PATH_MISSING, AppKind, Given, JobConf, Submission, app_path, astray, undefined,
};
use crate::analysis::project::{Kind, Why};
use crate::diag::{Diagnostic, Severity, Stage};
use crate::host::discovery;
use crate::host::error::ShellError;
use crate::host::files;
use crate::properties::BYTE_ORDER_MARK;
use crate::shell::config::Config;
use crate::shell::context::Common;
use crate::shell::parameters;
use crate::shell::project::Project;
use crate::source::{Sources, Span};

/// A name that an old example made common; no server reads it.
const BUNDLE_PATH_MISNAMED: &str = "oozie.application.bundle.path";

/// An app and what it is submitted with.
#[derive(Debug)]
pub struct Chosen {
    /// The definition; none when the properties lead nowhere, which the findings say.
    pub definition: Option<PathBuf>,
    /// What the user gives: the layers above the default file.
    pub conf: JobConf,
    /// What reading the properties and following the path found.
    pub findings: Vec<Diagnostic>,
    /// The properties file that stands for the app.
    pub properties: Option<PathBuf>,
}

/// What an argument names.
enum Named {
    Definition(PathBuf),
    Properties(PathBuf),
}

/// Finds out which app an argument means, and reads the parameters.
pub fn choose(
    argument: &Path,
    common: &Common,
    config: &Config,
    project: &Project,
    sources: &mut Sources,
) -> Result<Chosen, ShellError> {
    let (definition, properties) = match named(argument, common)? {
        Named::Definition(path) => {
            refuse_several(argument, common, config, project)?;
            (Some(path), None)
        }
        Named::Properties(path) => (None, Some(path)),
    };
    let (mut submission, mut findings) =
        parameters::submission(common, config, properties.as_deref(), sources)?;
    if let Some(path) = definition {
        submission.app = app_of(&path, project);
        let conf = submission.job_conf().set_aside_awaited();
        return Ok(Chosen { definition: Some(path), conf, findings, properties: None });
    }
    let file = properties.as_deref().unwrap_or(argument);
    findings.extend(mend_misnamed(&mut submission));
    let conf = submission.job_conf().set_aside_awaited();
    let place = Span::new(sources.add(files::shown(file), String::new()), 0..0);
    let (named, more) = app_path(&conf, place);
    findings.extend(more);
    let Some((kind, uri)) = named else {
        let names = AppKind::ALL.map(|kind| format!("`{}`", kind.property())).join(", ");
        if findings.is_empty() {
            let file = files::shown(file);
            return Err(ShellError::usage(format!("`{file}` names no app: it sets none of {names}")));
        }
        let marked = |kind: AppKind| conf.contains(&format!("\u{FEFF}{}", kind.property()));
        let mark = findings.iter_mut().find(|finding| finding.rule.name == BYTE_ORDER_MARK.name);
        if let Some(mark) = mark.filter(|_| AppKind::ALL.into_iter().any(marked)) {
            mark.severity = Severity::Error;
            mark.stage = Some(Stage::Submit);
            mark.oozie = vec!["E0405"];
            mark.message.push_str(", so that no app is named");
            return Ok(Chosen { definition: None, conf, findings, properties });
        }
        // What reading found is the cause, most likely.
        let message = format!("no app is named: none of {names} is set");
        findings.push(Diagnostic::new(&APP_PATH_MISSING, place, message).oozie(&["E0405"]));
        return Ok(Chosen { definition: None, conf, findings, properties });
    };
    let span = conf.span(kind.property()).unwrap_or(place);
    let found = project.resolve(&uri, kind_of(kind), file)?;
    let doubt = found.doubt(&uri, kind_of(kind));
    findings.extend(doubt.map(|doubt| astray(&doubt, span)));
    let definition = match found.file(&uri, kind_of(kind)) {
        Ok(path) => Some(path),
        Err(astray) => {
            let missing = missing_names(&uri);
            let help = astray.help();
            if missing.is_empty() {
                let finding = Diagnostic::new(&APP_PATH_MISSING, span, astray.words()).help(help);
                findings.push(match astray.why {
                    Why::Unknown | Why::Absent => finding,
                    // The schema of its kind refuses it.
                    Why::OtherKind => finding.oozie(&["E0701"]),
                    // It is there, or may well be; which one, nobody has said.
                    Why::Likely | Why::Unclear | Why::Several | Why::Outside | Why::Beside | Why::Broken => {
                        finding.severity(Severity::Warning).stage(None)
                    }
                });
            }
            findings.extend(missing.iter().map(|name| undefined(&conf, name, span, &["E0504"])));
            None
        }
    };
    Ok(Chosen { definition, conf, findings, properties })
}

/// The definitions that properties files in and below a folder lead to, each with the file that counts: `job.properties`,
/// else the first.
pub fn led_to(
    folder: &Path,
    common: &Common,
    config: &Config,
    project: &Project,
) -> Result<BTreeMap<PathBuf, PathBuf>, ShellError> {
    let mut given: BTreeMap<PathBuf, PathBuf> = BTreeMap::new();
    for path in discovery::candidates(folder)?.files {
        if discovery::extension(&path) != Some("properties") || !discovery::names_app(&path) {
            continue;
        }
        // What cannot be read leads nowhere.
        let Ok(chosen) = choose(&path, common, config, project, &mut Sources::new()) else { continue };
        let Some(definition) = chosen.definition.map(|path| files::absolute(&path)) else { continue };
        let is_usual = path.file_name().is_some_and(|name| name == USUAL_PROPERTIES);
        if is_usual || !given.contains_key(&definition) {
            given.insert(definition, path);
        }
    }
    Ok(given)
}

/// A folder whose properties files lead to several apps is none of them.
fn refuse_several(
    argument: &Path,
    common: &Common,
    config: &Config,
    project: &Project,
) -> Result<(), ShellError> {
    if !argument.is_dir() || parameters::any(common) {
        return Ok(());
    }
    let given = led_to(argument, common, config, project)?;
    if given.len() < 2 {
        return Ok(());
    }
    let place = files::shown(argument);
    let paths: Vec<&PathBuf> = given.values().collect();
    Err(ShellError::usage(format!("`{place}` holds several apps; name one of {}", listed(&paths))))
}

/// The names in `${…}` that nothing has put a value in for.
fn missing_names(uri: &str) -> Vec<&str> {
    let names = uri.split("${").skip(1).filter_map(|rest| rest.split_once('}').map(|(name, _)| name));
    let mut names: Vec<_> = names.collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// The kind of file that an app of this kind stands in.
pub fn kind_of(kind: AppKind) -> Kind {
    match kind {
        AppKind::Bundle => Kind::Bundle,
        AppKind::Coordinator => Kind::Coordinator,
        AppKind::Workflow => Kind::Workflow,
    }
}

/// The kind and the application path of a definition that is named by itself: its folder when it has the usual name.
pub fn app_of(path: &Path, project: &Project) -> Option<(AppKind, String)> {
    let kind = match discovery::kind(path)? {
        Kind::Bundle => AppKind::Bundle,
        Kind::Coordinator => AppKind::Coordinator,
        Kind::Workflow => AppKind::Workflow,
        Kind::Datasets | Kind::Configuration | Kind::Other => return None,
    };
    let usual = path.file_name().is_some_and(|name| name == kind.definition_file());
    let absolute = files::absolute(path);
    let place = if usual { absolute.parent().unwrap_or(&absolute) } else { &absolute };
    Some((kind, project.uri_of(place)))
}

/// Reads the misnamed property of bundles as what it is meant for, and says so.
fn mend_misnamed(submission: &mut Submission) -> Option<Diagnostic> {
    let lists = submission.files.iter_mut().chain([&mut submission.definitions]);
    let mut finding = None;
    let proper = AppKind::Bundle.property();
    for list in lists {
        let misnamed = list.iter().rev().find(|given| given.name == BUNDLE_PATH_MISNAMED).cloned();
        if let Some(given) = misnamed {
            if !list.iter().any(|other| other.name == proper) {
                list.push(Given { name: proper.to_owned(), ..given.clone() });
            }
            finding = given.span.map(|span| {
                let message = format!("no server knows `{BUNDLE_PATH_MISNAMED}`");
                Diagnostic::new(&APP_PATH_MISSING, span, message)
                    .severity(Severity::Warning)
                    .oozie(&["E0405"])
                    .help(format!("write `{proper}`"))
            });
        }
    }
    finding
}

fn named(argument: &Path, common: &Common) -> Result<Named, ShellError> {
    // A text that stands in for the file is enough.
    if !files::is_file(argument) {
        let metadata = std::fs::metadata(argument)
            .map_err(|source| ShellError::Read { path: argument.to_owned(), source })?;
        if metadata.is_dir() {
            return in_folder(argument, common);
        }
    }
    let path = argument.to_owned();
    let is_definition = discovery::extension(&path) == Some("xml")
        && !matches!(discovery::kind(&path), Some(Kind::Configuration));
    Ok(if is_definition { Named::Definition(path) } else { Named::Properties(path) })
}

/// The properties file of a folder that [`choose`] leaves aside because single parameters are given, which people seldom
/// mean: `-D` alone looks as if it came on top.
pub fn left_aside(argument: &Path, common: &Common) -> Option<PathBuf> {
    let only_defines =
        !common.defines.is_empty() && common.property_files.is_empty() && common.profile.is_none();
    let found = discovery::candidates(argument).ok().filter(|_| only_defines && argument.is_dir())?.files;
    let direct = found.into_iter().filter(|path| path.parent() == Some(argument));
    let is_properties = |path: &PathBuf| discovery::extension(path) == Some("properties");
    let mut files = direct.filter(is_properties).filter(|path| discovery::names_app(path));
    files.next().filter(|_| files.next().is_none())
}

/// The properties file that a folder is submitted with, whatever others lie beside it.
pub const USUAL_PROPERTIES: &str = "job.properties";

/// The app of a folder: its `job.properties` or only properties file when no other parameters are given, else the definition that leads to all others.
fn in_folder(folder: &Path, common: &Common) -> Result<Named, ShellError> {
    let found = discovery::candidates(folder)?.files;
    let direct = |path: &&PathBuf| path.parent() == Some(folder);
    if !parameters::any(common) {
        let is_properties = |path: &&PathBuf| discovery::extension(path) == Some("properties");
        let files: Vec<_> = found
            .iter()
            .filter(direct)
            .filter(is_properties)
            .filter(|path| discovery::names_app(path))
            .collect();
        let usual = files.iter().find(|path| path.file_name().is_some_and(|name| name == USUAL_PROPERTIES));
        if let Some(usual) = usual {
            return Ok(Named::Properties((*usual).clone()));
        }
        match files[..] {
            [] => {}
            [only] => return Ok(Named::Properties(only.clone())),
            _ => {
                let names: Vec<_> = files.iter().map(|path| format!("`{}`", files::shown(path))).collect();
                let folder = files::shown(folder);
                let names = names.join(", ");
                return Err(ShellError::usage(format!(
                    "`{folder}` holds several properties files; name one of {names}"
                )));
            }
        }
    }
    let definitions = definitions_of(&found);
    let place = files::shown(folder);
    match top_of(folder, &definitions) {
        Ok(path) => Ok(Named::Definition(path)),
        Err(tops) if tops.is_empty() => Err(ShellError::usage(format!("`{place}` holds no app"))),
        Err(tops) => {
            Err(ShellError::usage(format!("`{place}` holds several apps; name one of {}", listed(&tops))))
        }
    }
}

/// The definition that a folder stands for, whatever properties files lie beside it; the folder itself where it holds none.
pub fn definition_in(folder: &Path) -> Result<PathBuf, ShellError> {
    let found = discovery::candidates(folder)?.files;
    let place = files::shown(folder);
    match top_of(folder, &definitions_of(&found)) {
        Ok(path) => Ok(path),
        Err(tops) if tops.is_empty() => Ok(folder.to_owned()),
        Err(tops) => {
            Err(ShellError::usage(format!("`{place}` holds several apps; name one of {}", listed(&tops))))
        }
    }
}

/// Of more apps in a folder, the rest is counted.
const MAX_LISTED: usize = 12;

fn listed(paths: &[&PathBuf]) -> String {
    let names = paths.iter().take(MAX_LISTED).map(|path| format!("`{}`", files::shown(path)));
    let names = names.collect::<Vec<_>>().join(", ");
    match paths.len().saturating_sub(MAX_LISTED) {
        0 => names,
        more => format!("{names} and {more} more"),
    }
}

/// The bundles, coordinators and workflows among some files.
fn definitions_of(found: &[PathBuf]) -> Vec<(Kind, &PathBuf)> {
    let xml = found.iter().filter(|path| discovery::extension(path) == Some("xml"));
    xml.filter_map(|path| Some((discovery::kind(path)?, path)))
        .filter(|(kind, _)| matches!(kind, Kind::Bundle | Kind::Coordinator | Kind::Workflow))
        .collect()
}

/// Whether the definitions in and below a folder are one app, so that the folder stands for it.
pub fn is_one_app(folder: &Path) -> Result<bool, ShellError> {
    let found = discovery::candidates(folder)?.files;
    Ok(top_of(folder, &definitions_of(&found)).is_ok())
}

/// The one definition that leads to all others: one directly in the folder; else the only one of the highest kind, where
/// the others lie with it or in folders beside its own. Else all that may be meant.
fn top_of<'f>(folder: &Path, definitions: &[(Kind, &'f PathBuf)]) -> Result<PathBuf, Vec<&'f PathBuf>> {
    let is_direct = |path: &Path| path.parent() == Some(folder);
    let direct: Vec<_> = definitions.iter().copied().filter(|(_, path)| is_direct(path)).collect();
    let among = if direct.is_empty() { definitions.to_vec() } else { direct };
    let Some(highest) = among.iter().map(|(kind, _)| *kind).min() else { return Err(Vec::new()) };
    let tops: Vec<_> = among.iter().filter(|(kind, _)| *kind == highest).map(|(_, path)| *path).collect();
    let usual = |path: &&&PathBuf| {
        highest.usual_file().is_some_and(|usual| path.file_name().is_some_and(|name| name == usual))
    };
    let own = |path: &Path| path.parent().map(Path::to_owned).unwrap_or_default();
    let one_folder = tops.windows(2).all(|pair| own(pair[0]) == own(pair[1]));
    let named: Vec<_> = tops.iter().filter(usual).filter(|_| one_folder).collect();
    let top = match (&tops[..], &named[..]) {
        ([only], _) => *only,
        (_, [only]) => **only,
        _ => return Err(tops),
    };
    let above = own(top);
    let is_with = |path: &Path| {
        path.starts_with(&above) || (above.parent() == Some(folder) && own(path).parent() == Some(folder))
    };
    if is_direct(top) || definitions.iter().all(|(_, path)| is_with(path)) {
        return Ok(top.clone());
    }
    let mut all = definitions.to_vec();
    all.sort();
    Err(all.into_iter().map(|(_, path)| path).collect())
}
