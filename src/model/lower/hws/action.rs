//! Action elements of 2009 into the details that both dialects share.

use crate::model::action::{
    Details, Email, Fs, FsKind, FsOperation, Http, Job, MapReduce, Script, Ssh, SubWorkflow,
};
use crate::model::lower::elements::{attribute, child, child_text, child_texts, configuration};
use crate::source::{Span, Text};
use crate::xml::Element;

pub(in crate::model) fn details(action: &Element) -> Details {
    match action.name.local.as_str() {
        "hadoop" => Details::MapReduce(Box::new(hadoop(action))),
        "pig" => Details::Pig(Box::new(pig(action))),
        "hdfs" => Details::Fs(Box::new(hdfs(action))),
        "ssh" => Details::Ssh(Box::new(ssh(action))),
        "sub-workflow" => Details::SubWorkflow(Box::new(sub_workflow(action))),
        "http" => Details::Http(Box::new(http(action))),
        "email" => Details::Email(Box::new(email(action))),
        _ => Details::Extension,
    }
}

fn flag(parent: &Element, name: &str) -> Option<Span> {
    child(parent, name).map(|flag| flag.span)
}

/// The texts of the `file` elements in a child.
fn listed(parent: Option<&Element>, list: &str) -> Vec<Text> {
    parent.and_then(|parent| child(parent, list)).map(|list| child_texts(list, "file")).unwrap_or_default()
}

/// Where the cluster is, two properties say.
fn job(action: &Element) -> Job {
    let streaming = child(action, "streaming");
    Job {
        resource_manager: None,
        name_node: None,
        prepare: child(action, "prepare").map(operations).unwrap_or_default(),
        launcher: Vec::new(),
        job_xml: child_texts(action, "job-xml"),
        configuration: configuration(action),
        // What `cacheFiles` names lies in storage.
        files: listed(streaming, "files"),
        archives: listed(streaming, "cacheArchives"),
        capture_output: None,
    }
}

fn hadoop(action: &Element) -> MapReduce {
    let entry = |entry: &Element| (entry.name.local.to_string(), entry.text());
    let streaming = child(action, "streaming");
    let programs = |list: &Element| {
        let is_program = |e: &&Element| matches!(e.name.local.as_str(), "mapper" | "reducer");
        list.elements().filter(is_program).map(entry).collect()
    };
    MapReduce { job: job(action), streaming: streaming.map(programs), pipes: None, config_class: None }
}

fn pig(action: &Element) -> Script {
    Script {
        job: job(action),
        script: child_text(action, "pig-script"),
        query: None,
        params: child(action, "parameters").map(|list| child_texts(list, "param")).unwrap_or_default(),
        arguments: Vec::new(),
    }
}

fn hdfs(action: &Element) -> Fs {
    Fs {
        name_node: child_text(action, "file-system"),
        job_xml: Vec::new(),
        configuration: Default::default(),
        operations: child(action, "commands").map(operations).unwrap_or_default(),
    }
}

/// The commands among the children, in order.
fn operations(parent: &Element) -> Vec<FsOperation> {
    parent.elements().filter_map(operation).collect()
}

fn operation(element: &Element) -> Option<FsOperation> {
    let kind = match element.name.local.as_str() {
        "delete" => FsKind::Delete,
        "mkdir" => FsKind::Mkdir,
        "move" => FsKind::Move,
        _ => return None,
    };
    let path = if kind == FsKind::Move { "source" } else { "path" };
    Some(FsOperation {
        span: element.span,
        tag_span: element.name_span,
        kind,
        path: attribute(element, path),
        target: attribute(element, "target"),
        permissions: None,
        recursive: None,
    })
}

fn ssh(action: &Element) -> Ssh {
    Ssh {
        host: child_text(action, "host"),
        command: child_text(action, "command"),
        args: child_texts(action, "args").into_iter().map(|text| (false, text)).collect(),
        capture_output: flag(action, "capture-output"),
    }
}

fn sub_workflow(action: &Element) -> SubWorkflow {
    SubWorkflow {
        app_path: child_text(action, "hadoop-workflow"),
        propagate_configuration: None,
        configuration: configuration(action),
    }
}

fn http(action: &Element) -> Http {
    let post = child(action, "post");
    Http {
        url: child_text(action, "url"),
        post: post.map(Element::text),
        content_type: post.and_then(|post| attribute(post, "content-type")),
        mode: child_text(action, "mode"),
        capture_output: flag(action, "capture-output"),
    }
}

fn email(action: &Element) -> Email {
    Email {
        to: child_text(action, "to"),
        cc: None,
        bcc: None,
        subject: child_text(action, "subject"),
        body: child_text(action, "message"),
        content_type: None,
        attachment: None,
    }
}
