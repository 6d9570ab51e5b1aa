//! What the known action types say, element by element. Texts are as written; consumers trim where the server trims.
//!
//! [`super::workflow::ActionBody::details`] makes these from the kept element, so a workflow that nobody asks costs nothing.

use super::Configuration;
use crate::source::{Span, Text};

/// A known action type with its parts.
#[derive(Clone, Debug)]
pub enum Details {
    /// `map-reduce`, or `hadoop` of 2009
    MapReduce(Box<MapReduce>),
    /// `pig`
    Pig(Box<Script>),
    /// `hive`
    Hive(Box<Script>),
    /// `hive2`
    Hive2(Box<Hive2>),
    /// `sqoop`
    Sqoop(Box<Sqoop>),
    /// `ssh`
    Ssh(Box<Ssh>),
    /// `shell`
    Shell(Box<Shell>),
    /// `email`
    Email(Box<Email>),
    /// `fs`, or `hdfs` of 2009
    Fs(Box<Fs>),
    /// `java`
    Java(Box<Java>),
    /// `distcp`
    Distcp(Box<Distcp>),
    /// `spark`
    Spark(Box<Spark>),
    /// `git`
    Git(Box<Git>),
    /// `sub-workflow`
    SubWorkflow(Box<SubWorkflow>),
    /// `http`, of 2009
    Http(Box<Http>),
    /// Any other element; only the element itself says what it is.
    Extension,
}

impl Details {
    /// What the action runs with on the cluster; `None` for types that run nothing there.
    pub fn job(&self) -> Option<&Job> {
        match self {
            Details::MapReduce(action) => Some(&action.job),
            Details::Pig(action) | Details::Hive(action) => Some(&action.job),
            Details::Hive2(action) => Some(&action.script.job),
            Details::Sqoop(action) => Some(&action.job),
            Details::Shell(action) => Some(&action.job),
            Details::Java(action) => Some(&action.job),
            Details::Distcp(action) => Some(&action.job),
            Details::Spark(action) => Some(&action.job),
            Details::Git(action) => Some(&action.job),
            Details::Ssh(_)
            | Details::Email(_)
            | Details::Fs(_)
            | Details::SubWorkflow(_)
            | Details::Http(_)
            | Details::Extension => None,
        }
    }
}

/// What the types share that run on the cluster.
#[derive(Clone, Debug)]
pub struct Job {
    /// `resource-manager`, else `job-tracker`
    pub resource_manager: Option<Text>,
    /// `name-node`
    pub name_node: Option<Text>,
    /// The operations of `prepare`, in order.
    pub prepare: Vec<FsOperation>,
    /// Name and content of the children of `launcher`, in order.
    pub launcher: Vec<(String, Text)>,
    /// `job-xml`
    pub job_xml: Vec<Text>,
    /// `configuration`
    pub configuration: Configuration,
    /// `file`
    pub files: Vec<Text>,
    /// `archive`
    pub archives: Vec<Text>,
    /// Where `capture-output` stands, when it does.
    pub capture_output: Option<Span>,
}

/// `map-reduce`
#[derive(Clone, Debug)]
pub struct MapReduce {
    /// What all job types share.
    pub job: Job,
    /// Name and content of the children of `streaming`, in order.
    pub streaming: Option<Vec<(String, Text)>>,
    /// Name and content of the children of `pipes`, in order.
    pub pipes: Option<Vec<(String, Text)>>,
    /// `config-class`
    pub config_class: Option<Text>,
}

/// `pig` and `hive`
#[derive(Clone, Debug)]
pub struct Script {
    /// What all job types share.
    pub job: Job,
    /// `script`
    pub script: Option<Text>,
    /// `query`, instead of a script.
    pub query: Option<Text>,
    /// `param`
    pub params: Vec<Text>,
    /// `argument`
    pub arguments: Vec<Text>,
}

/// `hive2`
#[derive(Clone, Debug)]
pub struct Hive2 {
    /// What it shares with `hive`.
    pub script: Script,
    /// `jdbc-url`
    pub jdbc_url: Option<Text>,
    /// `password`
    pub password: Option<Text>,
}

/// `sqoop`
#[derive(Clone, Debug)]
pub struct Sqoop {
    /// What all job types share.
    pub job: Job,
    /// `command`
    pub command: Option<Text>,
    /// `arg`, instead of a command.
    pub args: Vec<Text>,
}

/// `ssh`
#[derive(Clone, Debug)]
pub struct Ssh {
    /// `host`
    pub host: Option<Text>,
    /// `command`
    pub command: Option<Text>,
    /// `args`, split at blanks by the server, and `arg`, which is not, in order; true for `arg`.
    pub args: Vec<(bool, Text)>,
    /// Where `capture-output` stands, when it does.
    pub capture_output: Option<Span>,
}

/// `shell`
#[derive(Clone, Debug)]
pub struct Shell {
    /// What all job types share.
    pub job: Job,
    /// `exec`
    pub exec: Option<Text>,
    /// `argument`
    pub arguments: Vec<Text>,
    /// `env-var`, each `NAME=value`.
    pub env_vars: Vec<Text>,
}

/// `email`
#[derive(Clone, Debug)]
pub struct Email {
    /// `to`
    pub to: Option<Text>,
    /// `cc`
    pub cc: Option<Text>,
    /// `bcc`
    pub bcc: Option<Text>,
    /// `subject`
    pub subject: Option<Text>,
    /// `body`
    pub body: Option<Text>,
    /// `content_type`
    pub content_type: Option<Text>,
    /// `attachment`
    pub attachment: Option<Text>,
}

/// `fs`
#[derive(Clone, Debug)]
pub struct Fs {
    /// `name-node`
    pub name_node: Option<Text>,
    /// `job-xml`
    pub job_xml: Vec<Text>,
    /// `configuration`
    pub configuration: Configuration,
    /// The operations in order.
    pub operations: Vec<FsOperation>,
}

/// An operation on files, of `fs` or `prepare`: what rules ask about it. What it has not is `None`.
#[derive(Clone, Debug)]
pub struct FsOperation {
    /// The element.
    pub span: Span,
    /// The name in the start tag.
    pub tag_span: Span,
    /// What is done.
    pub kind: FsKind,
    /// `path`; of a move, `source`.
    pub path: Option<Text>,
    /// `target` of a move.
    pub target: Option<Text>,
    /// `permissions` of a chmod.
    pub permissions: Option<Text>,
    /// Where `recursive` stands, when it does.
    pub recursive: Option<Span>,
}

/// The kinds of operations on files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FsKind {
    /// `delete`
    Delete,
    /// `mkdir`
    Mkdir,
    /// `move`
    Move,
    /// `chmod`
    Chmod,
    /// `touchz`
    Touchz,
    /// `chgrp`
    Chgrp,
    /// `setrep`
    Setrep,
}

/// `java`
#[derive(Clone, Debug)]
pub struct Java {
    /// What all job types share.
    pub job: Job,
    /// `main-class`
    pub main_class: Option<Text>,
    /// `java-opts`, one text, or every `java-opt`.
    pub java_opts: Vec<Text>,
    /// `arg`
    pub args: Vec<Text>,
}

/// `distcp`
#[derive(Clone, Debug)]
pub struct Distcp {
    /// What all job types share.
    pub job: Job,
    /// `java-opts`
    pub java_opts: Option<Text>,
    /// `arg`
    pub args: Vec<Text>,
}

/// `spark`
#[derive(Clone, Debug)]
pub struct Spark {
    /// What all job types share.
    pub job: Job,
    /// `master`
    pub master: Option<Text>,
    /// `mode`
    pub mode: Option<Text>,
    /// `name`
    pub name: Option<Text>,
    /// `class`
    pub class: Option<Text>,
    /// `jar`
    pub jar: Option<Text>,
    /// `spark-opts`
    pub spark_opts: Option<Text>,
    /// `arg`
    pub args: Vec<Text>,
}

/// `git`
#[derive(Clone, Debug)]
pub struct Git {
    /// What all job types share.
    pub job: Job,
    /// `git-uri`
    pub git_uri: Option<Text>,
    /// `branch`
    pub branch: Option<Text>,
    /// `key-path`
    pub key_path: Option<Text>,
    /// `destination-uri`
    pub destination_uri: Option<Text>,
}

/// `sub-workflow`
#[derive(Clone, Debug)]
pub struct SubWorkflow {
    /// `app-path`; of 2009 the name of the application, `hadoop-workflow`.
    pub app_path: Option<Text>,
    /// Where `propagate-configuration` stands, when it does.
    pub propagate_configuration: Option<Span>,
    /// `configuration`
    pub configuration: Configuration,
}

/// `http`
#[derive(Clone, Debug)]
pub struct Http {
    /// `url`
    pub url: Option<Text>,
    /// `post`: the body of the request.
    pub post: Option<Text>,
    /// The `content-type` of `post`.
    pub content_type: Option<Text>,
    /// `mode`: `CONTINUE` or `WAIT`.
    pub mode: Option<Text>,
    /// Where `capture-output` stands, when it does.
    pub capture_output: Option<Span>,
}
