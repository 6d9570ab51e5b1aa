//! Java actions (`JavaActionExecutor`, `JavaMain`): the main class with the app's jars on its class path.

use super::{Action, Attempt, CONF_PROPERTY, Fault, Task, environment, fault, lay_out, prelude, write_conf};
use crate::shell::run::captures::Captures;
use crate::xml::Element;

/// The property that names the file for captured output (`JavaMain`, `LauncherAM`).
const OUTPUT_PROPERTY: &str = "oozie.action.output.properties";

/// The task of a java action.
pub(super) fn task(action: &Action<'_>, root: &Element, attempt: &Attempt) -> Result<Task, Fault> {
    prelude(action, root)?;
    lay_out(action, root, attempt)?;
    let text = |name: &str| root.child(name).map(|element| element.text().value.trim().to_owned());
    let main = text("main-class").filter(|main| !main.is_empty());
    let main = main.ok_or_else(|| fault("JA018", "there is no main class"))?;
    let mut command = vec!["java".to_owned()];
    // Several `java-opt`, or one `java-opts`, whose words are split at white space.
    for option in root.children_named("java-opt").chain(root.child("java-opts")) {
        command.extend(option.text().value.split_whitespace().map(str::to_owned));
    }
    let conf = write_conf(action, root, attempt)?;
    command.push(format!("-D{CONF_PROPERTY}={conf}"));
    let output = attempt.folder().join("output.properties");
    let captures = match root.child("capture-output") {
        Some(_) => {
            command.push(format!("-D{OUTPUT_PROPERTY}={}", output.display()));
            Captures::File(output)
        }
        None => Captures::Nothing,
    };
    // The working directory, and every jar in it.
    command.extend(["-cp".to_owned(), format!(".{}*", if cfg!(windows) { ';' } else { ':' }), main]);
    command.extend(root.children_named("arg").map(|argument| argument.text().value.trim().to_owned()));
    Ok(Task::Process { command, env: environment(), captures })
}
