//! A path of an `fs` action has no scheme, and no `name-node` stands for it; or it does not begin with `/`.
//!
//! The action fails when it starts: without `name-node` in the action or in `global` each path needs a scheme (FS001),
//! and with it a path must begin with `/` (FS011). `setrep` takes no notice of `name-node`.
//!
//! ```xml
//! <delete path="/data/old"/>                 <!-- wrong without name-node -->
//! <delete path="${nameNode}/data/old"/>      <!-- right -->
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::actions::{self, Start};
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Edit, Fix, Group, Info, Severity, Stage};
use crate::model::Dialect;
use crate::model::action::{Details, FsKind};
use crate::source::Text;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "fs-path-relative",
        group: Group::Meaning,
        severity: Severity::Error,
        stage: Some(Stage::Action),
        mirrors: &["FS001"],
        explanation: include_str!("fs_path_relative.rs"),
    },
    check: Check::Workflow(check),
};

/// How many other paths of one action are shown.
const MOST_LABELS: usize = 3;

/// `FsActionExecutor.resolveToFullPath`. The target of a move is not resolved so: it may be relative to its source.
fn check(app: &Workflow<'_>, sink: &mut Sink) {
    // There a relative path begins at the home folder of the action's user.
    if app.model.dialect == Dialect::Hws {
        return;
    }
    let global = app.model.global.as_ref().and_then(|global| global.name_node.as_ref());
    let likely = likely_name_node(app);
    // One missing name node is one cause, however many paths and actions lack it.
    let mut without: Vec<Diagnostic> = Vec::new();
    for action in app.actions() {
        let Details::Fs(fs) = &action.details else { continue };
        let name_node = fs.name_node.as_ref().or(global);
        for operation in &fs.operations {
            let Some(written) = &operation.path else { continue };
            let known = actions::known(app.values, written);
            let path = known.as_ref().unwrap_or(written);
            let has_name_node = name_node.is_some() && operation.kind != FsKind::Setrep;
            let mut finding = match actions::start(path) {
                Start::Scheme | Start::Unknown => continue,
                Start::Root if has_name_node => continue,
                Start::Name if has_name_node => {
                    let message = format!("the path `{}` does not begin with `/`", path.value.trim());
                    Diagnostic::new(&RULE.info, path.span, message)
                        .oozie(&["FS011"])
                        .help("write the path from the root: an fs action has no working directory")
                }
                Start::Root | Start::Name => without_scheme(path, operation.kind, likely),
            };
            finding.fix = finding.fix.filter(|_| path.span == written.span && written.value.starts_with('/'));
            let finding = actions::at_start(&app.flow, action, finding);
            match name_node.is_none() && operation.kind != FsKind::Setrep {
                true => without.push(finding),
                false => sink.push(finding),
            }
        }
    }
    sink.extend(as_one(without));
}

/// The gravest of some findings, the others as labels; its fix is that of all.
fn as_one(findings: Vec<Diagnostic>) -> Option<Diagnostic> {
    let gravest = findings.iter().map(|finding| finding.severity).min()?;
    let first = findings.iter().position(|finding| finding.severity == gravest)?;
    let mut all = findings;
    let mut one = all.remove(first);
    for other in all.iter().take(MOST_LABELS) {
        one = one.label(other.span, "this path too");
    }
    if all.len() > MOST_LABELS {
        let help = one.help.take().unwrap_or_default();
        one.help = Some(format!("{help}; the same holds for {} more paths", all.len() - MOST_LABELS));
    }
    let edits: Option<Vec<Vec<Edit>>> = all.into_iter().map(|other| Some(other.fix?.edits)).collect();
    one.fix = match (one.fix.take(), edits) {
        (Some(fix), Some(more)) => {
            Some(Fix { edits: fix.edits.into_iter().chain(more.into_iter().flatten()).collect(), ..fix })
        }
        _ => None,
    };
    Some(one)
}

/// No scheme where one is needed. The name node that the other actions name is the likely one.
fn without_scheme(path: &Text, kind: FsKind, name: Option<&str>) -> Diagnostic {
    let message =
        format!("the path `{}` has no scheme, and the action has no `name-node`", path.value.trim());
    let finding = match kind {
        FsKind::Setrep => {
            let message = format!("the path `{}` has no scheme, which `setrep` needs", path.value.trim());
            Diagnostic::new(&RULE.info, path.span, message)
        }
        _ => Diagnostic::new(&RULE.info, path.span, message),
    };
    match name {
        Some(name) if path.value.starts_with('/') => finding
            .help(format!("begin with `{name}`"))
            .fix(false, vec![Edit { span: path.span.at_start(), text: name.to_owned() }]),
        _ => finding.help("begin with the name node, as in `${nameNode}/…`"),
    }
}

/// The one name node that all other actions name, when it is more than a host.
fn likely_name_node<'w>(app: &'w Workflow<'_>) -> Option<&'w str> {
    let own = app.actions().iter().filter_map(|action| action.details.job()?.name_node.as_ref());
    let global = app.model.global.iter().filter_map(|global| global.name_node.as_ref());
    let mut names = own.chain(global).map(|text| text.value.trim());
    let first = names.next().filter(|name| names_a_place(name))?;
    names.all(|name| name == first).then_some(first)
}

/// Whether a name node is more than a host: what begins with its text has a scheme.
fn names_a_place(name: &str) -> bool {
    name.starts_with("${") || name.contains("://")
}
