//! The file system of an `hdfs` action, or of an `hdfs:` function, has another form than `hdfs://HOST:PORT`.
//!
//! All commands of an `hdfs` action are done on its `file-system`; the functions `hdfs:exists`, `hdfs:isDir`, `hdfs:dirSize`,
//! `hdfs:fileSize` and `hdfs:blockSize` take the file system as their first argument and an absolute path as the second. Only
//! literal values are judged.

use super::{Check, Rule, Sink};
use crate::analysis::actions;
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Group, Info, Severity, Stage};
use crate::el::NodeKind;
use crate::model::Dialect;
use crate::model::action::Details;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "hdfs-file-system-invalid",
        group: Group::Meaning,
        severity: Severity::Error,
        stage: Some(Stage::Submit),
        mirrors: &[],
        explanation: include_str!("hdfs_file_system_invalid.rs"),
    },
    check: Check::Workflow(check),
};

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    if app.model.dialect != Dialect::Hws {
        return;
    }
    for action in app.actions() {
        let Details::Fs(hdfs) = &action.details else { continue };
        let Some(text) = &hdfs.name_node else { continue };
        if let Some(uri) =
            actions::known(app.values, text).filter(|uri| !uri.value.is_empty() && !fits(&uri.value, false))
        {
            let message = format!("`{}` is not a file system of the form `hdfs://HOST:PORT`", uri.value);
            sink.push(
                Diagnostic::new(&RULE.info, uri.span, message)
                    .help("write the URI of the name node, without a path"),
            );
        }
    }
    for expression in &app.expressions {
        let parsed = &expression.parsed;
        for call in parsed.calls().filter(|call| call.prefix == "hdfs" && call.name != "size") {
            let [fs, path] = call.arguments else { continue };
            let literal = |id| match &parsed.node(id).kind {
                NodeKind::String(text) => Some(&**text),
                _ => None,
            };
            if let Some(uri) = literal(*fs).filter(|uri| !fits(uri, true)) {
                let message = format!("`{uri}` is not a file system of the form `hdfs://HOST:PORT`");
                let finding = Diagnostic::new(&RULE.info, parsed.span(*fs), message);
                sink.push(expression.placed(finding).help("write the URI of the name node, without a path"));
            }
            if let Some(path) = literal(*path).filter(|path| !path.starts_with('/')) {
                let message = format!("the path `{path}` is not absolute");
                let finding = Diagnostic::new(&RULE.info, parsed.span(call.arguments[1]), message);
                sink.push(expression.placed(finding).help("begin the path with `/`"));
            }
        }
    }
}

/// `hdfs://HOST`, with a port, which functions demand.
fn fits(uri: &str, needs_port: bool) -> bool {
    let Some(authority) = uri.trim().strip_prefix("hdfs://") else { return false };
    let authority = authority.strip_suffix('/').unwrap_or(authority);
    let (host, port) = authority.split_once(':').map_or((authority, None), |(host, port)| (host, Some(port)));
    let is_port = |port: &str| port.parse::<u16>().is_ok();
    !host.is_empty() && !host.contains(['/', '@', ' ']) && port.map_or(!needs_port, is_port)
}
