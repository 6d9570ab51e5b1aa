//! What an action does, as an operator of Airflow.
//!
//! Commands are those that the launcher of the server runs (`spark-submit`, `beeline`, `hdfs dfs`…), so that a DAG needs no
//! provider but the standard one, and `smtp` where it sends mail. Every word is quoted for the shell: no value is code.

mod parts;

use std::collections::BTreeSet;
use std::sync::Arc;

use super::expression::{Chunk, Language, Scope, Unsupported, variable_of};
use super::losses::{ACTION_UNKNOWN, FILES, JOB_XML, LAUNCHER, LossKind};
use super::python::{Expr, jinja_text, shell_word, statement, string};
use crate::model::Configuration;
use crate::model::Dialect;
use crate::model::action::{Details, Job};
use crate::model::workflow::ActionBody;
use crate::plan::workflow::ActionProgram;
use crate::redact::Redactor;
use crate::source::{Sources, Text};
use crate::xml::{self, Element};

/// A name that a file imports: the module and the name.
pub(super) type Import = (&'static str, &'static str);

pub(super) const BASH: Import = ("airflow.providers.standard.operators.bash", "BashOperator");
pub(super) const EMPTY: Import = ("airflow.providers.standard.operators.empty", "EmptyOperator");
const TRIGGER: Import = ("airflow.providers.standard.operators.trigger_dagrun", "TriggerDagRunOperator");
const MAIL: Import = ("airflow.providers.smtp.operators.smtp", "EmailOperator");

/// What a task does.
#[derive(Clone, Debug)]
pub(super) enum Work {
    /// An operator with its arguments, the id left out.
    Operator(&'static str, Vec<(&'static str, Expr)>),
    /// A function: what its parameters are, and its lines.
    Function(Vec<&'static str>, Vec<String>),
}

/// An action as code.
#[derive(Clone, Debug)]
pub(super) struct Rendered {
    /// What the task does.
    pub(super) work: Work,
    /// Arguments that every task takes.
    pub(super) common: Vec<(&'static str, Expr)>,
    /// What the file must import.
    pub(super) imports: BTreeSet<Import>,
    /// What is lost, with what of.
    pub(super) losses: Vec<(&'static LossKind, String)>,
    /// Airflow variables that must be set, each with what it is for.
    pub(super) variables: Vec<(String, String)>,
}

/// A workflow that a sub-workflow action runs.
#[derive(Clone, Debug, Default)]
pub(super) struct Child {
    /// The id of its DAG.
    pub(super) dag_id: String,
    /// The parameters that it uses.
    pub(super) parameters: BTreeSet<String>,
}

/// Turns actions into code.
pub(super) struct Actions<'s, 'c> {
    pub(super) scope: &'s Scope<'c>,
    pub(super) redactor: &'s Redactor,
    pub(super) dag_id: &'s str,
    /// Whether a fork of the workflow may kill an action.
    pub(super) has_fork: bool,
}

impl Actions<'_, '_> {
    /// The code of an action.
    pub(super) fn render(&self, node: &str, program: &ActionProgram, child: Option<&Child>) -> Rendered {
        let mut it = Rendering {
            actions: self,
            node,
            imports: BTreeSet::new(),
            losses: Vec::new(),
            variables: Vec::new(),
        };
        let text = program.definition.text.value.as_str();
        let work = match read(&program.kind, text) {
            Some((body, details)) => it.work(&body, &details, child),
            None => it.unknown(&program.kind, text),
        };
        let common = it.retries(program);
        let Rendering { imports, losses, variables, .. } = it;
        Rendered { work, common, imports, losses, variables }
    }
}

/// Reads the definition of an action, expressions left in.
fn read(kind: &str, text: &str) -> Option<(ActionBody, Details)> {
    let file = Sources::new().add("", "");
    let root = Arc::new(xml::read(file, text, &xml::Limits::default()).0?);
    let body = ActionBody {
        dialect: Dialect::Oozie,
        kind: root.name.local.clone(),
        namespace: root.name.namespace.clone(),
        texts: xml::without_comments(&root),
        element: root,
    };
    let details = body.details();
    (body.kind.as_str() == kind && !matches!(details, Details::Extension)).then_some((body, details))
}

/// Whether an action hands over what it prints.
pub(super) fn captures(program: &ActionProgram) -> bool {
    match read(&program.kind, &program.definition.text.value) {
        Some((_, Details::Ssh(ssh))) => ssh.capture_output.is_some(),
        Some((_, details)) => details.job().is_some_and(|job| job.capture_output.is_some()),
        None => false,
    }
}

struct Rendering<'a, 's, 'c> {
    actions: &'a Actions<'s, 'c>,
    node: &'a str,
    imports: BTreeSet<Import>,
    losses: Vec<(&'static LossKind, String)>,
    variables: Vec<(String, String)>,
}

impl Rendering<'_, '_, '_> {
    fn lose(&mut self, kind: &'static LossKind, what: impl Into<String>) {
        self.losses.push((kind, what.into()));
    }

    fn miss(&mut self, missing: Vec<Unsupported>) {
        for fault in missing {
            let what = self.actions.redactor.text(&fault.what).into_owned();
            self.lose(fault.kind, what);
        }
    }

    /// The variable that stands for a text that holds a secret.
    fn guard(&mut self, text: &Text) -> Option<String> {
        if self.actions.redactor.text(&text.value) == text.value {
            return None;
        }
        let number = self.variables.len() + 1;
        let name = variable_of(&format!("{}_{}_{number}", self.actions.dag_id, self.node));
        self.variables
            .push((name.clone(), format!("text number {number} of `{}` that holds a secret", self.node)));
        Some(name)
    }

    /// A text as Jinja.
    fn jinja(&mut self, text: &Text) -> String {
        if let Some(variable) = self.guard(text) {
            return format!("{{{{ var.value.{variable} }}}}");
        }
        let (out, missing) = self.actions.scope.jinja(text);
        self.miss(missing);
        out
    }

    /// A text as one word of a shell's command.
    fn word(&mut self, text: &Text) -> String {
        if let Some(variable) = self.guard(text) {
            return format!("{{{{ var.value.{variable} | quote }}}}");
        }
        let (chunks, missing) = self.actions.scope.chunks(text, Language::Jinja);
        self.miss(missing);
        let word: String = chunks
            .iter()
            .map(|chunk| match chunk {
                Chunk::Literal(text) => jinja_text(&shell_word(text)),
                Chunk::Code(code) if code.contains(' ') => format!("{{{{ ({code}) | quote }}}}"),
                Chunk::Code(code) => format!("{{{{ {code} | quote }}}}"),
            })
            .collect();
        if word.is_empty() { "''".to_owned() } else { word }
    }

    /// Options that a text holds with blanks between: a literal is split as the launcher does; the value of a property is
    /// one word.
    fn split(&mut self, text: Option<&Text>) -> Vec<String> {
        let Some(text) = text else { return Vec::new() };
        let mut words = Vec::new();
        let mut start = 0;
        let value = &text.value;
        let (mut depth, mut is_in_word) = (0_usize, false);
        for (at, c) in value.char_indices() {
            match c {
                '{' if value[..at].ends_with('$') => depth += 1,
                '}' if depth > 0 => depth -= 1,
                _ => {}
            }
            let is_blank = c.is_ascii_whitespace() && depth == 0;
            if is_blank && is_in_word {
                words.push(self.word(&text.part(start..at)));
            } else if !is_blank && !is_in_word {
                start = at;
            }
            is_in_word = !is_blank;
        }
        if is_in_word {
            words.push(self.word(&text.part(start..value.len())));
        }
        words
    }

    fn definitions(&mut self, option: &str, configuration: &Configuration) -> Vec<String> {
        let mut words = Vec::new();
        let is_of_oozie = |name: &str| name.starts_with("oozie.") || name.starts_with("mapred.job.queue");
        for property in &configuration.properties {
            let name = property.name.value.trim();
            if name.starts_with("oozie.launcher.") {
                self.lose(&LAUNCHER, format!("`{name}`"));
            } else if !is_of_oozie(name) {
                let value = match self.is_secret(name, &property.value) {
                    Some(variable) => format!("{{{{ var.value.{variable} | quote }}}}"),
                    None => self.word(&property.value.trimmed()),
                };
                words.push(format!("{option} {}={value}", jinja_text(&shell_word(name))));
            }
        }
        words
    }

    /// The variable for the value of a property whose name is that of a secret; a value that a parameter gives is the
    /// parameter's own affair.
    fn is_secret(&mut self, name: &str, value: &Text) -> Option<String> {
        let is_hidden = self.actions.redactor.value(Some(name), &value.value) != value.value;
        if !is_hidden || value.value.contains("${") {
            return None;
        }
        let variable = variable_of(&format!("{}_{}_{name}", self.actions.dag_id, self.node));
        self.variables.push((variable.clone(), format!("`{name}` of `{}`", self.node)));
        Some(variable)
    }

    fn work(&mut self, body: &ActionBody, details: &Details, child: Option<&Child>) -> Work {
        match details {
            Details::Shell(shell) => {
                let exec = shell.exec.as_ref().map(Text::trimmed);
                let own = exec.as_ref().map(|exec| exec.value.clone()).unwrap_or_default();
                let is_file = |file: &Text| {
                    let path = file.value.trim();
                    path.rsplit(['#', '/']).next() == Some(own.as_str())
                };
                let is_brought = !own.contains('/') && shell.job.files.iter().any(is_file);
                let mut words: Vec<String> = exec.iter().map(|exec| self.word(exec)).collect();
                if let (true, Some(word)) = (is_brought, words.first_mut()) {
                    word.insert_str(0, "./");
                }
                words.extend(shell.arguments.iter().map(|text| self.word(&text.trimmed())));
                let mut env = Vec::new();
                for text in &shell.env_vars {
                    let text = text.trimmed();
                    if let Some(at) = text.value.find('=') {
                        let value = text.part(at + 1..text.value.len());
                        let name = text.value[..at].to_owned();
                        let value = match self.is_secret(&name, &value) {
                            Some(variable) => format!("{{{{ var.value.{variable} }}}}"),
                            None => self.jinja(&value),
                        };
                        env.push((string(&name), Expr::text(&value)));
                    }
                }
                self.command(&words.join(" "), &shell.job, env)
            }
            Details::Ssh(ssh) => {
                let mut words = vec!["ssh".to_owned()];
                words.extend(ssh.host.iter().map(|host| self.word(&host.trimmed())));
                let mut remote: Vec<String> = ssh.command.iter().map(|it| self.word(&it.trimmed())).collect();
                for (is_whole, text) in &ssh.args {
                    match is_whole {
                        true => remote.push(self.word(text)),
                        false => remote.extend(self.split(Some(text))),
                    }
                }
                words.extend(remote);
                let command = words.join(" ");
                match ssh.capture_output {
                    Some(_) => self.capture(&command),
                    None => self.bash(&command, Vec::new(), false),
                }
            }
            Details::Spark(spark) => {
                let mut words = vec!["spark-submit".to_owned()];
                let options = [
                    ("--master", &spark.master),
                    ("--deploy-mode", &spark.mode),
                    ("--name", &spark.name),
                    ("--class", &spark.class),
                ];
                for (option, text) in options {
                    if let Some(text) = text {
                        words.push(format!("{option} {}", self.word(&text.trimmed())));
                    }
                }
                words.extend(self.split(spark.spark_opts.as_ref()));
                words.extend(spark.jar.iter().map(|jar| self.word(&jar.trimmed())));
                words.extend(spark.args.iter().map(|text| self.word(&text.trimmed())));
                self.command(&words.join(" "), &spark.job, Vec::new())
            }
            Details::Hive(script) => {
                let mut words = vec!["hive".to_owned()];
                words.extend(self.definitions("--hiveconf", &script.job.configuration));
                self.script(&mut words, "--hivevar", "-f", "-e", script);
                self.command(&words.join(" "), &script.job, Vec::new())
            }
            Details::Hive2(hive) => {
                let mut words = vec!["beeline".to_owned()];
                words.extend(hive.jdbc_url.iter().map(|url| format!("-u {}", self.word(&url.trimmed()))));
                if hive.password.is_some() {
                    let variable = variable_of(&format!("{}_{}_password", self.actions.dag_id, self.node));
                    self.variables.push((variable.clone(), format!("the password of `{}`", self.node)));
                    words.push(format!("-p {{{{ var.value.{variable} | quote }}}}"));
                }
                words.extend(self.definitions("--hiveconf", &hive.script.job.configuration));
                self.script(&mut words, "--hivevar", "-f", "-e", &hive.script);
                self.command(&words.join(" "), &hive.script.job, Vec::new())
            }
            Details::Pig(script) => {
                let mut words = vec!["pig".to_owned()];
                for word in self.definitions("-D", &script.job.configuration) {
                    words.push(word.replacen("-D ", "-D", 1));
                }
                self.script(&mut words, "-param", "-f", "-e", script);
                self.command(&words.join(" "), &script.job, Vec::new())
            }
            Details::Sqoop(sqoop) => {
                let mut words = vec!["sqoop".to_owned()];
                words.extend(self.split(sqoop.command.as_ref()));
                words.extend(sqoop.args.iter().map(|text| self.word(&text.trimmed())));
                self.command(&words.join(" "), &sqoop.job, Vec::new())
            }
            Details::Distcp(distcp) => {
                let mut words = vec!["hadoop distcp".to_owned()];
                for word in self.definitions("-D", &distcp.job.configuration) {
                    words.push(word.replacen("-D ", "-D", 1));
                }
                words.extend(distcp.args.iter().map(|text| self.word(&text.trimmed())));
                self.command(&words.join(" "), &distcp.job, Vec::new())
            }
            Details::Java(java) => {
                let mut words = vec!["hadoop".to_owned()];
                words.extend(java.main_class.iter().map(|class| self.word(&class.trimmed())));
                words.extend(java.args.iter().map(|text| self.word(&text.trimmed())));
                let options: Vec<String> =
                    java.java_opts.iter().map(|text| self.jinja(&text.trimmed())).collect();
                let env = match options.is_empty() {
                    true => Vec::new(),
                    false => vec![(string("HADOOP_CLIENT_OPTS"), Expr::text(&options.join(" ")))],
                };
                self.command(&words.join(" "), &java.job, env)
            }
            Details::MapReduce(job) if job.streaming.is_some() => {
                let mut words = vec!["mapred streaming".to_owned()];
                for word in self.definitions("-D", &job.job.configuration) {
                    words.push(word.replacen("-D ", "-D", 1));
                }
                for (name, text) in job.streaming.iter().flatten() {
                    let option = match name.as_str() {
                        "mapper" => "-mapper",
                        "reducer" => "-reducer",
                        "record-reader" => "-inputreader",
                        "env" => "-cmdenv",
                        _ => continue,
                    };
                    words.push(format!("{option} {}", self.word(&text.trimmed())));
                }
                self.command(&words.join(" "), &job.job, Vec::new())
            }
            Details::Git(git) => {
                let mut words = vec!["git clone".to_owned()];
                words
                    .extend(git.branch.iter().map(|text| format!("--branch {}", self.word(&text.trimmed()))));
                words.extend(
                    git.git_uri.iter().chain(&git.destination_uri).map(|text| self.word(&text.trimmed())),
                );
                if git.key_path.is_some() {
                    self.lose(&FILES, "`key-path`");
                }
                self.command(&words.join(" "), &git.job, Vec::new())
            }
            Details::Fs(fs) => {
                let elements: Vec<&Element> = body.element.elements().collect();
                let commands = self
                    .operations(&fs.operations, fs.name_node.as_ref(), &elements)
                    .unwrap_or_else(|| vec!["true".into()]);
                let command = if commands.is_empty() { "true".to_owned() } else { commands.join(" && ") };
                self.bash(&command, Vec::new(), false)
            }
            Details::Email(email) => {
                self.imports.insert(MAIL);
                let fields = [
                    ("to", &email.to),
                    ("cc", &email.cc),
                    ("bcc", &email.bcc),
                    ("subject", &email.subject),
                    ("html_content", &email.body),
                ];
                let mut arguments = Vec::new();
                for (name, text) in fields {
                    if let Some(text) = text {
                        let value = self.jinja(&text.trimmed());
                        // A text that ends like a file would be read as one.
                        let is_path = value.ends_with(".html");
                        arguments.push((name, Expr::text(&if is_path { value + " " } else { value })));
                    }
                }
                Work::Operator(MAIL.1, arguments)
            }
            Details::SubWorkflow(sub) => self.sub_workflow(sub, child),
            Details::MapReduce(_) | Details::Http(_) | Details::Extension => {
                self.unknown(body.kind.as_str(), "")
            }
        }
    }

    fn script(
        &mut self,
        words: &mut Vec<String>,
        param: &str,
        file: &str,
        query: &str,
        script: &crate::model::action::Script,
    ) {
        words.extend(script.params.iter().map(|text| format!("{param} {}", self.word(&text.trimmed()))));
        words.extend(script.script.iter().map(|text| format!("{file} {}", self.word(&text.trimmed()))));
        words.extend(script.query.iter().map(|text| format!("{query} {}", self.word(&text.trimmed()))));
        words.extend(script.arguments.iter().map(|text| self.word(&text.trimmed())));
    }

    fn unknown(&mut self, kind: &str, _text: &str) -> Work {
        self.lose(&ACTION_UNKNOWN, format!("`{kind}`"));
        let line = format!("raise NotImplementedError({})", string(&format!("an action of type {kind}")));
        Work::Function(Vec::new(), vec![line])
    }

    /// A command with what `prepare` does before it, in the folder of its files.
    fn command(&mut self, command: &str, job: &Job, env: Vec<(String, Expr)>) -> Work {
        for (name, _) in &job.launcher {
            self.lose(&LAUNCHER, format!("`{name}`"));
        }
        if !job.job_xml.is_empty() {
            self.lose(
                &JOB_XML,
                job.job_xml
                    .iter()
                    .map(|text| format!("`{}`", text.value.trim()))
                    .collect::<Vec<_>>()
                    .join(", "),
            );
        }
        let has_files = !job.files.is_empty() || !job.archives.is_empty();
        if has_files {
            let all = job.files.iter().chain(&job.archives);
            self.lose(
                &FILES,
                all.map(|text| format!("`{}`", text.value.trim())).collect::<Vec<_>>().join(", "),
            );
        }
        let mut commands = self.operations(&job.prepare, job.name_node.as_ref(), &[]).unwrap_or_default();
        commands.push(command.to_owned());
        let command = commands.join(" && ");
        match job.capture_output {
            Some(_) => self.capture(&command),
            None => self.bash(&command, env, has_files),
        }
    }

    fn bash(&mut self, command: &str, env: Vec<(String, Expr)>, has_files: bool) -> Work {
        self.imports.insert(BASH);
        // A command that ends like a file would be read as one.
        let is_path = command.ends_with(".sh") || command.ends_with(".bash");
        let command = if is_path { format!("{command} ") } else { command.to_owned() };
        let mut arguments = vec![("bash_command", Expr::text(&command))];
        if !env.is_empty() {
            arguments.push(("env", Expr::Dict(env)));
            arguments.push(("append_env", Expr::Code("True".to_owned())));
        }
        if has_files {
            let variable = variable_of(&format!("{}_files", self.actions.dag_id));
            self.variables
                .push((variable.clone(), "the folder on the worker that holds the app's files".to_owned()));
            arguments.push(("cwd", Expr::text(&format!("{{{{ var.value.{variable} }}}}"))));
        }
        Work::Operator(BASH.1, arguments)
    }

    /// A command whose output, lines of `key=value`, others read.
    fn capture(&mut self, command: &str) -> Work {
        let arguments = vec![(None, Expr::text(command)), (None, Expr::Code("context".to_owned()))];
        let render = Expr::Call("context[\"task\"].render_template".to_owned(), arguments);
        let lines = vec![statement(8, "command = ", &render, ""), "return captured(command)".to_owned()];
        Work::Function(vec!["**context"], lines)
    }
}
