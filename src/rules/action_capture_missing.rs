//! The output of an action is read, and the action gives none.
//!
//! `wf:actionData('n')` holds what `n` has captured: `java`, `shell` and `ssh` capture when they contain `<capture-output/>`, no
//! other type does, and then every key is empty. Add the element:
//!
//! ```xml
//! <shell xmlns="uri:oozie:shell-action:0.3">
//!   <exec>count.sh</exec>
//!   <capture-output/>
//! </shell>
//! ```
//!
//! The ids of the jobs that an action has started are there in any case, as `hadoopJobs`; the counters of a map-reduce are read
//! with `hadoop:counters('n')`.

use super::{Check, Rule, Sink};
use crate::analysis::expressions::NodeUse;
use crate::analysis::flow::{Kind, NodeId};
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Edit, Group, Info, Severity};
use crate::el::NodeKind as El;
use crate::model::Dialect;
use crate::model::workflow::{ActionBody, NodeKind};
use crate::source::Span;
use crate::xml::{Element, Node};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "action-capture-missing",
        group: Group::Meaning,
        severity: Severity::Error,
        stage: None,
        mirrors: &[],
        explanation: include_str!("action_capture_missing.rs"),
    },
    check: Check::Workflow(check),
};

/// The key under which the server puts the ids of started jobs (`DagELFunctions.HADOOP_JOBS_PREFIX`).
const JOBS: &str = "hadoopJobs";
/// Types that capture when they say so (`JavaActionExecutor.getCaptureOutput`, `SshActionExecutor.check`).
const CAPTURING: &[&str] = &["java", "shell", "ssh", "http"];
/// Types that start jobs but never capture: their schemas have no such element, or the executor ignores it.
const LAUNCHING: &[&str] = &["map-reduce", "pig", "hive", "hive2", "sqoop", "spark", "distcp", "git"];
/// Types that the server carries out by itself.
const OWN: &[&str] = &["fs", "email", "sub-workflow"];

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    let flow = &app.flow.flow;
    for asked in app
        .node_uses()
        .filter(|asked| matches!(asked.function, "wf:actionData" | "hadoop:counters" | "action:output"))
    {
        let Some(target) = asked.target else { continue };
        let is_plain = app.model.dialect == Dialect::Oozie;
        if !is_plain && (asked.function != "action:output" || !captures_when_asked(app, target)) {
            continue; // What other types lack, another rule says.
        }
        let finding = |what: String| {
            let message = format!("`{}` of `{}` is always empty: {what}", asked.function, asked.name);
            let finding = Diagnostic::new(&RULE.info, asked.span, message);
            let in_message = asked.holder.is_some_and(|id| flow.kind(id) == Kind::Kill);
            let is_lesser = in_message || !asked.expression.is_reached;
            if is_lesser { finding.severity(Severity::Warning) } else { finding }
        };
        let NodeKind::Action(action) = &app.model.nodes[target.index()].kind else {
            let what = format!("it is a {}, which gives no output", flow.kind(target));
            sink.push(finding(what).label(flow.place(target), "defined here"));
            continue;
        };
        let Some(body) = &action.body else { continue };
        let kind = body.kind.as_str();
        if asked.function == "hadoop:counters" {
            if OWN.contains(&kind) || kind == "ssh" {
                let what = format!("`{kind}` actions have no counters");
                sink.push(
                    finding(what).label(body.element.name_span, format!("`{}` does `{kind}`", asked.name)),
                );
            }
            continue;
        }
        let reads_jobs = is_plain && key(&asked).is_none_or(|key| key == JOBS);
        if CAPTURING.contains(&kind) {
            let captures = body.element.elements().any(|child| child.name.local == "capture-output");
            if captures || reads_jobs && key(&asked).is_some() && kind != "ssh" {
                continue;
            }
            let found = finding("it does not capture".to_owned())
                .label(body.element.name_span, format!("this `{kind}` has no `capture-output`"))
                .help("add `<capture-output/>` at the end of the action");
            let last = body.element.elements().last();
            let found = match last {
                Some(last) => found.label(last.name_span, "it would stand behind this"),
                None => found,
            };
            sink.push(match insertion(body) {
                Some(edit) => found.fix(false, vec![edit]),
                None => found,
            });
        } else if OWN.contains(&kind) || LAUNCHING.contains(&kind) && !reads_jobs {
            let found = finding(format!("`{kind}` actions capture no output"))
                .label(body.element.name_span, format!("`{}` does `{kind}`", asked.name));
            sink.push(match kind {
                "map-reduce" => {
                    found.help(format!("read its counters with `hadoop:counters('{}')`", asked.name))
                }
                _ => found,
            });
        }
    }
}

/// Whether a node is of a type that captures output when it is told to, in a `hadoop-workflow`.
fn captures_when_asked(app: &Workflow<'_>, node: NodeId) -> bool {
    let NodeKind::Action(action) = &app.model.nodes[node.index()].kind else { return false };
    action.body.as_ref().is_some_and(|body| matches!(body.kind.as_str(), "ssh" | "http"))
}

/// The key that is read, when it is written out.
fn key<'e>(asked: &NodeUse<'e>) -> Option<&'e str> {
    let parsed = &asked.expression.parsed;
    parsed.nodes[asked.call.0 as usize + 1..].iter().find_map(|node| match &node.kind {
        El::Property { base, key, .. } if *base == asked.call => match &parsed.node(*key).kind {
            El::String(key) => Some(&**key),
            _ => None,
        },
        _ => None,
    })
}

/// The element behind the last child, on a line of its own where that one has. A prefix is not known here.
fn insertion(body: &ActionBody) -> Option<Edit> {
    let element: &Element = &body.element;
    let name = element.name_span.range();
    let index = element.children.iter().rposition(|child| matches!(child, Node::Element(_)))?;
    let Node::Element(last) = &element.children[index] else { return None };
    if name.len() != element.name.local.as_str().len() {
        return None;
    }
    let before = match index.checked_sub(1).map(|index| &element.children[index]) {
        Some(Node::Text(text)) if text.value.trim().is_empty() => match text.value.rfind('\n') {
            Some(line) => &text.value[line..],
            None => text.value.as_str(),
        },
        _ => "",
    };
    let at = Span { start: last.span.end, ..last.span };
    Some(Edit { span: at, text: format!("{before}<capture-output/>") })
}
