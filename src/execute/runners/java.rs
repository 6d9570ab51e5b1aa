//! Java actions (`JavaActionExecutor`, `JavaMain`): the main class with the app's jars on its class path.

use super::{Action, Attempt, CONF_PROPERTY, Refusal, Work, configuration, environment, fault, launcher};
use crate::analysis::words;
use crate::execute::attempt::Task;
use crate::execute::captures::Captures;
use crate::xml::Element;

/// The property that names the file for captured output (`JavaMain`, `LauncherAM`).
const OUTPUT_PROPERTY: &str = "oozie.action.output.properties";

/// The work of a java action.
pub(super) fn work(action: &Action<'_>, root: &Element, attempt: &Attempt) -> Result<Work, Refusal> {
    let setup = super::setup(action, root)?;
    let conf = configuration::of(action, root)?;
    let text = |name: &str| root.child(name).map(|element| element.text().value.trim().to_owned());
    let main = text("main-class").filter(|main| !main.is_empty());
    let main = main.ok_or_else(|| fault("JA018", "there is no main class"))?;
    let mut command = vec!["java".to_owned()];
    // Several `java-opt`, or one `java-opts`, in one line; only without them those of `launcher` count
    // (`JavaActionExecutor.setJavaOpts`).
    let own: Vec<String> = root
        .children_named("java-opt")
        .chain(root.child("java-opts"))
        .map(|option| option.text().value.trim().to_owned())
        .collect();
    let options = if own.is_empty() { launcher::java_options(&conf).to_owned() } else { own.join(" ") };
    command.extend(words::java_options(&options).map_err(|found| fault("JA018", found.words))?);
    let output = attempt.folder().join("output.properties");
    // `LauncherAM.setupMainConfiguration`
    let properties = [
        (CONF_PROPERTY, configuration::write(&conf, attempt)?),
        (OUTPUT_PROPERTY, output.to_string_lossy().into_owned()),
        ("oozie.job.id", action.job_id.to_owned()),
        ("oozie.launcher.job.id", action.job_id.to_owned()),
        ("oozie.action.id", action.action_id.to_owned()),
    ];
    command.extend(properties.map(|(name, value)| format!("-D{name}={value}")));
    let captures = match root.child("capture-output") {
        Some(_) => Captures::File(output),
        None => Captures::Nothing,
    };
    // The working directory and every jar in it; the folders of archives are not on it, as on a server.
    command.extend(["-cp".to_owned(), format!(".{}*", if cfg!(windows) { ';' } else { ':' }), main]);
    command.extend(root.children_named("arg").map(|argument| argument.text().value.trim().to_owned()));
    let mut env = environment();
    env.extend(launcher::env(&conf)?);
    Ok(Work {
        setup,
        task: Task::Process { command, env, captures },
        max_output: launcher::max_output(&conf),
    })
}
