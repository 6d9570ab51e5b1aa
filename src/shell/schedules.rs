//! Schedule files on disk, and the definitions of the programs that they name.

use std::path::{Path, PathBuf};

use super::app;
use super::config::Config;
use super::library::{Library, Loaded};
use super::project::Project;
use crate::analysis::project::Kind;
use crate::analysis::schedules::programs::action;
use crate::analysis::schedules::{Definition, Known, Lookup, Programs};
use crate::diag::Diagnostic;
use crate::host::discovery;
use crate::host::error::ShellError;
use crate::host::files::{self, Content};
use crate::model::App;
use crate::model::schedule::{self, Program, ProgramKind, Schedule, UnitKind};
use crate::project::programs::{Declared, Listed, Target, definition_of, is_unversioned};
use crate::redact;
use crate::source::Sources;

/// How many definitions are read to offer a name in place of one that is unknown.
const MAX_OFFERED: usize = 500;

/// Reads files of schedules.
pub fn read(
    paths: &[PathBuf],
    sources: &mut Sources,
) -> Result<(Vec<Schedule>, Vec<Diagnostic>), ShellError> {
    let (mut schedules, mut findings) = (Vec::new(), Vec::new());
    for path in paths {
        let notation = discovery::notation(path).unwrap_or(schedule::Notation::Json);
        let text = match files::read(path)? {
            Content::Bytes(bytes) => String::from_utf8(bytes)
                .map_err(|_| ShellError::usage(format!("`{}` is not UTF-8", files::shown(path))))?,
            Content::TooLarge => {
                return Err(ShellError::usage(format!("`{}` is too large", files::shown(path))));
            }
        };
        let file = sources.add(files::shown(path), text);
        let text = sources.shared_text(file);
        let (found, more) = schedule::read(notation, file, &text);
        let properties = found.iter().flat_map(|schedule| &schedule.properties);
        for property in properties {
            for range in redact::places(&property.name.value, &property.value.value) {
                sources.veil(property.value.span_of(range));
            }
        }
        schedules.extend(found);
        findings.extend(more);
    }
    Ok((schedules, findings))
}

/// The files of schedules that an argument stands for, directly in it where it is a folder; none where it stands for
/// something else.
pub fn files_of(argument: &Path) -> Result<Vec<PathBuf>, ShellError> {
    if argument.is_dir() {
        let found = discovery::candidates(argument)?.files;
        let is_own = |path: &PathBuf| path.parent() == Some(argument) && discovery::is_called_schedules(path);
        return Ok(found.into_iter().filter(is_own).collect());
    }
    let is_one = discovery::notation(argument).is_some();
    Ok(if is_one { vec![argument.to_owned()] } else { Vec::new() })
}

/// Finds the programs that schedules name.
pub fn programs<'l>(
    schedules: &[Schedule],
    config: &'l Config,
    project: &Project,
    library: &'l Library<'_>,
) -> Result<Programs<'l>, ShellError> {
    let finder = Finder { config, project, library };
    let mut programs = Programs { kill_node: Some(config.schedules.kill_node()), ..Programs::default() };
    let triggering = schedules.iter().flat_map(Schedule::units).filter_map(|unit| match &unit.kind {
        UnitKind::Program { program, .. } => Some(program),
        _ => None,
    });
    for program in schedules.iter().map(|schedule| &schedule.program).chain(triggering) {
        if !programs.lookups.contains_key(program) {
            let lookup = finder.find(program)?;
            programs.lookups.insert(program.clone(), lookup);
        }
    }
    programs.names = config.programs.iter().map(Declared::shown).collect();
    if programs.lookups.values().any(|lookup| matches!(lookup, Lookup::Unknown)) {
        for kind in [Kind::Workflow, Kind::Coordinator, Kind::Bundle] {
            for path in project.files_of(kind)?.iter().take(MAX_OFFERED) {
                programs.names.extend(listed(library.load(path)?).map(|listed| listed.shown()));
            }
        }
    }
    Ok(programs)
}

struct Finder<'c, 'l, 'p> {
    config: &'l Config,
    project: &'c Project,
    library: &'l Library<'p>,
}

impl<'l> Finder<'_, 'l, '_> {
    fn find(&self, program: &Program) -> Result<Lookup<'l>, ShellError> {
        if program.application.is_empty() {
            return Ok(Lookup::Open);
        }
        if program.kind.action().is_some() {
            return self.action(program);
        }
        if let Some(declared) = self.config.programs.iter().find(|declared| declared.is(program)) {
            return self.declared(program, declared);
        }
        let Some(kind) = definition_of(program.kind).filter(|_| is_unversioned(program)) else {
            return Ok(Lookup::Unknown);
        };
        let of = |kind: Kind| -> Result<Vec<&'l Loaded>, ShellError> {
            let all = self.of_application(program, kind)?;
            Ok(all.into_iter().filter(|loaded| name_of(loaded).as_deref() == Some(&program.name)).collect())
        };
        let found = of(kind)?;
        match found.as_slice() {
            [only] => Ok(known(only, None)),
            [] => {
                for other in [Kind::Workflow, Kind::Coordinator, Kind::Bundle] {
                    if other != kind && !of(other)?.is_empty() {
                        return Ok(Lookup::OtherKind(format!("it is a {}", other.name())));
                    }
                }
                Ok(Lookup::Unknown)
            }
            several => {
                Ok(Lookup::Ambiguous(several.iter().map(|loaded| files::shown(&loaded.path)).collect()))
            }
        }
    }

    fn declared(&self, program: &Program, declared: &'l Declared) -> Result<Lookup<'l>, ShellError> {
        let path = match (&declared.target, program.kind) {
            (Target::Command(words), ProgramKind::Command) => {
                return Ok(Lookup::Found(Known {
                    definition: Definition::Command(words),
                    file: String::new(),
                    text: "",
                    emits: declared.emits.clone(),
                }));
            }
            (Target::Command(_), _) => return Ok(Lookup::OtherKind("it is a command".to_owned())),
            (Target::App(path), _) => path,
        };
        let Some(loaded) = self.load(path)? else { return Ok(Lookup::Unknown) };
        let found = loaded.kind();
        Ok(match found {
            Some(kind) if Some(kind) == definition_of(program.kind) => known(loaded, declared.emits.clone()),
            Some(kind) => Lookup::OtherKind(format!("it is a {}", kind.name())),
            None => Lookup::Broken,
        })
    }

    /// The definition at a path of `[programs]`.
    fn load(&self, path: &str) -> Result<Option<&'l Loaded>, ShellError> {
        let base = self.config.folder.clone().unwrap_or_default();
        let path = base.join(path);
        let file = if path.is_dir() { app::definition_in(&path)? } else { path };
        if !files::is_file(&file) {
            return Ok(None);
        }
        self.library.load(&file).map(Some)
    }

    /// An action of a workflow of the application.
    fn action(&self, program: &Program) -> Result<Lookup<'l>, ShellError> {
        let mut workflows: Vec<(&'l Loaded, Option<Vec<String>>)> = Vec::new();
        for declared in self.config.programs.iter().filter(|declared| declared.is_beside(program)) {
            if let Target::App(path) = &declared.target {
                workflows.extend(self.load(path)?.map(|loaded| (loaded, declared.emits.clone())));
            }
        }
        if is_unversioned(program) {
            for loaded in self.of_application(program, Kind::Workflow)? {
                if !workflows.iter().any(|(known, _)| known.path == loaded.path) {
                    workflows.push((loaded, None));
                }
            }
        }
        let (mut found, mut other) = (Vec::new(), None);
        for (loaded, emits) in workflows {
            let Some(App::Workflow(workflow)) = &loaded.definition.app else { continue };
            match action(workflow, program.kind, &program.name) {
                Ok(body) => found.push((loaded, workflow, body, emits)),
                Err(why) => other = other.or(why),
            }
        }
        Ok(match found.as_slice() {
            [(loaded, workflow, body, emits)] => Lookup::Found(Known {
                definition: Definition::Action(workflow, body),
                file: files::shown(&loaded.path),
                text: &loaded.text,
                emits: emits.clone(),
            }),
            [] => other.map_or(Lookup::Unknown, Lookup::OtherKind),
            several => {
                Lookup::Ambiguous(several.iter().map(|(loaded, ..)| files::shown(&loaded.path)).collect())
            }
        })
    }

    /// The definitions of a kind in folders that are called as an application is.
    fn of_application(&self, program: &Program, kind: Kind) -> Result<Vec<&'l Loaded>, ShellError> {
        let paths = self.project.files_of(kind)?;
        let is_there = |path: &&PathBuf| {
            let folder = path.parent().and_then(Path::file_name);
            folder.is_some_and(|folder| folder.to_string_lossy() == program.application.as_str())
        };
        paths.iter().filter(is_there).map(|path| self.library.load(path)).collect()
    }
}

fn known(loaded: &Loaded, emits: Option<Vec<String>>) -> Lookup<'_> {
    match &loaded.definition.app {
        Some(app) if loaded.is_sound() => Lookup::Found(Known {
            definition: Definition::App(app),
            file: files::shown(&loaded.path),
            text: &loaded.text,
            emits,
        }),
        _ => Lookup::Broken,
    }
}

fn name_of(loaded: &Loaded) -> Option<String> {
    let name = match loaded.definition.app.as_ref()? {
        App::Workflow(app) => app.name.as_ref(),
        App::Coordinator(app) => app.name.as_ref(),
        App::Bundle(app) => app.name.as_ref(),
        App::Datasets(_) => None,
    };
    name.map(|name| name.value.trim().to_owned())
}

fn listed(loaded: &Loaded) -> Option<Listed> {
    let path = loaded.path.to_string_lossy().replace('\\', "/");
    Some(Listed { path, kind: loaded.kind()?, name: name_of(loaded)? })
}
