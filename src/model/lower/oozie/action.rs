//! Action elements of Oozie into their details: by local name, children in the action's own namespace.

use super::workflow::resource_manager;
use crate::model::action::{
    Details, Distcp, Email, Fs, FsKind, FsOperation, Git, Hive2, Java, Job, MapReduce, Script, Shell, Spark,
    Sqoop, Ssh, SubWorkflow,
};
use crate::model::lower::elements::{attribute, child, child_text, child_texts, configuration};
use crate::source::{Span, Text};
use crate::xml::Element;

pub(in crate::model) fn details(action: &Element) -> Details {
    match action.name.local.as_str() {
        "map-reduce" => Details::MapReduce(Box::new(map_reduce(action))),
        "pig" => Details::Pig(Box::new(script(action))),
        "hive" => Details::Hive(Box::new(script(action))),
        "hive2" => Details::Hive2(Box::new(hive2(action))),
        "sqoop" => Details::Sqoop(Box::new(sqoop(action))),
        "ssh" => Details::Ssh(Box::new(ssh(action))),
        "shell" => Details::Shell(Box::new(shell(action))),
        "email" => Details::Email(Box::new(email(action))),
        "fs" => Details::Fs(Box::new(fs(action))),
        "java" => Details::Java(Box::new(java(action))),
        "distcp" => Details::Distcp(Box::new(distcp(action))),
        "spark" => Details::Spark(Box::new(spark(action))),
        "git" => Details::Git(Box::new(git(action))),
        "sub-workflow" => Details::SubWorkflow(Box::new(sub_workflow(action))),
        _ => Details::Extension,
    }
}

/// Where a child that is a mere flag stands.
fn flag(parent: &Element, name: &str) -> Option<Span> {
    child(parent, name).map(|flag| flag.span)
}

/// Name and content of every child of the child `name`.
fn entries(parent: &Element, name: &str) -> Option<Vec<(String, Text)>> {
    let entry = |entry: &Element| (entry.name.local.to_string(), entry.text());
    child(parent, name).map(|list| list.elements().map(entry).collect())
}

fn job(action: &Element) -> Job {
    Job {
        resource_manager: resource_manager(action),
        name_node: child_text(action, "name-node"),
        prepare: child(action, "prepare").map(operations).unwrap_or_default(),
        launcher: entries(action, "launcher").unwrap_or_default(),
        job_xml: child_texts(action, "job-xml"),
        configuration: configuration(action),
        files: child_texts(action, "file"),
        archives: child_texts(action, "archive"),
        capture_output: flag(action, "capture-output"),
    }
}

fn map_reduce(action: &Element) -> MapReduce {
    MapReduce {
        job: job(action),
        streaming: entries(action, "streaming"),
        pipes: entries(action, "pipes"),
        config_class: child_text(action, "config-class"),
    }
}

fn script(action: &Element) -> Script {
    Script {
        job: job(action),
        script: child_text(action, "script"),
        query: child_text(action, "query"),
        params: child_texts(action, "param"),
        arguments: child_texts(action, "argument"),
    }
}

fn hive2(action: &Element) -> Hive2 {
    Hive2 {
        script: script(action),
        jdbc_url: child_text(action, "jdbc-url"),
        password: child_text(action, "password"),
    }
}

fn sqoop(action: &Element) -> Sqoop {
    Sqoop { job: job(action), command: child_text(action, "command"), args: child_texts(action, "arg") }
}

fn ssh(action: &Element) -> Ssh {
    let args = action.elements().filter(|e| matches!(e.name.local.as_str(), "args" | "arg"));
    Ssh {
        host: child_text(action, "host"),
        command: child_text(action, "command"),
        args: args.map(|e| (e.name.local == "arg", e.text())).collect(),
        capture_output: flag(action, "capture-output"),
    }
}

fn shell(action: &Element) -> Shell {
    Shell {
        job: job(action),
        exec: child_text(action, "exec"),
        arguments: child_texts(action, "argument"),
        env_vars: child_texts(action, "env-var"),
    }
}

fn email(action: &Element) -> Email {
    Email {
        to: child_text(action, "to"),
        cc: child_text(action, "cc"),
        bcc: child_text(action, "bcc"),
        subject: child_text(action, "subject"),
        body: child_text(action, "body"),
        content_type: child_text(action, "content_type"),
        attachment: child_text(action, "attachment"),
    }
}

fn fs(action: &Element) -> Fs {
    Fs {
        name_node: child_text(action, "name-node"),
        job_xml: child_texts(action, "job-xml"),
        configuration: configuration(action),
        operations: operations(action),
    }
}

/// The operations among the children, in order.
fn operations(parent: &Element) -> Vec<FsOperation> {
    let mut found: Vec<FsOperation> = parent.elements().filter_map(operation).collect();
    // Most have one, and room for four is what a vector starts with.
    found.shrink_to_fit();
    found
}

fn operation(element: &Element) -> Option<FsOperation> {
    let kind = match element.name.local.as_str() {
        "delete" => FsKind::Delete,
        "mkdir" => FsKind::Mkdir,
        "move" => FsKind::Move,
        "chmod" => FsKind::Chmod,
        "touchz" => FsKind::Touchz,
        "chgrp" => FsKind::Chgrp,
        "setrep" => FsKind::Setrep,
        _ => return None,
    };
    let path = if kind == FsKind::Move { "source" } else { "path" };
    Some(FsOperation {
        span: element.span,
        tag_span: element.name_span,
        kind,
        path: attribute(element, path),
        target: attribute(element, "target"),
        permissions: attribute(element, "permissions"),
        recursive: flag(element, "recursive"),
    })
}

fn java(action: &Element) -> Java {
    let mut java_opts = child_texts(action, "java-opts");
    java_opts.extend(child_texts(action, "java-opt"));
    Java {
        job: job(action),
        main_class: child_text(action, "main-class"),
        java_opts,
        args: child_texts(action, "arg"),
    }
}

fn distcp(action: &Element) -> Distcp {
    Distcp { job: job(action), java_opts: child_text(action, "java-opts"), args: child_texts(action, "arg") }
}

fn spark(action: &Element) -> Spark {
    Spark {
        job: job(action),
        master: child_text(action, "master"),
        mode: child_text(action, "mode"),
        name: child_text(action, "name"),
        class: child_text(action, "class"),
        jar: child_text(action, "jar"),
        spark_opts: child_text(action, "spark-opts"),
        args: child_texts(action, "arg"),
    }
}

fn git(action: &Element) -> Git {
    Git {
        job: job(action),
        git_uri: child_text(action, "git-uri"),
        branch: child_text(action, "branch"),
        key_path: child_text(action, "key-path"),
        destination_uri: child_text(action, "destination-uri"),
    }
}

fn sub_workflow(action: &Element) -> SubWorkflow {
    SubWorkflow {
        app_path: child_text(action, "app-path"),
        propagate_configuration: flag(action, "propagate-configuration"),
        configuration: configuration(action),
    }
}
