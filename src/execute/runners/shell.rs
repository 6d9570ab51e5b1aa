//! Shell actions (`ShellActionExecutor`, `ShellMain`).

use std::path::Path;

use super::{Action, Attempt, CONF_VARIABLE, Refusal, Work, configuration, environment, fault, launcher};
use crate::engine::TroubleKind;
use crate::execute::attempt::Task;
use crate::execute::captures::Captures;
use crate::execute::scripts;
use crate::xml::Element;

/// The work of a shell action.
pub(super) fn work(action: &Action<'_>, root: &Element, attempt: &Attempt) -> Result<Work, Refusal> {
    let setup = super::setup(action, root)?;
    let conf = configuration::of(action, root)?;
    let exec = root.child("exec").map(|element| element.text().value.trim().to_owned()).unwrap_or_default();
    // Of a path only the name counts: what lies in the action's folder comes before what is on the path.
    let name = Path::new(&exec).file_name().unwrap_or_default();
    let is_own = setup.pieces.iter().any(|piece| piece.name == Path::new(name));
    let program = if is_own { attempt.work().join(name).into_os_string() } else { name.to_owned() };
    let mut command = vec![program.to_string_lossy().into_owned()];
    command.extend(root.children_named("argument").map(|element| element.text().value.trim().to_owned()));
    let mut env = environment();
    if let Some((_, path)) = env.iter_mut().find(|(name, _)| name == "PATH") {
        // `ShellActionExecutor.addActionSpecificEnvVars`
        path.insert_str(0, if cfg!(windows) { ".;" } else { ".:" });
    }
    env.extend(launcher::env(&conf)?);
    // Java looks for the program on its own path; that of an `env-var` counts for what the program starts.
    let path = env.iter().rev().find(|(name, _)| name == "PATH").map(|(_, path)| path.clone());
    for variable in root.children_named("env-var") {
        let text = variable.text().value;
        match text.trim().split_once('=') {
            Some((name, value)) if !value.is_empty() => env.push((name.to_owned(), value.to_owned())),
            _ => {
                let words =
                    format!("Wrong ENV format [{}] in <env-var> , key=value format expected", text.trim());
                return Err(Refusal { kind: TroubleKind::Failed, fault: fault("JA010", words) });
            }
        }
    }
    let is_changed = env.iter().rev().find(|(name, _)| name == "PATH").map(|(_, path)| path) != path.as_ref();
    if let (true, false, Some(path)) = (is_changed, is_own, &path)
        && let Some(found) = scripts::find(&command[0], &attempt.work(), path)
    {
        command[0] = found.to_string_lossy().into_owned();
    }
    env.push((CONF_VARIABLE.to_owned(), configuration::write(&conf, attempt)?));
    let captures = if root.child("capture-output").is_some() { Captures::Stdout } else { Captures::Nothing };
    Ok(Work {
        setup,
        task: Task::Process { command, env, captures },
        max_output: launcher::max_output(&conf),
    })
}
