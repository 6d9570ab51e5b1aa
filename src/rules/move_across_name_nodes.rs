//! An `fs` action moves a path to another file system.
//!
//! Source and target of a `move` must have the same scheme and host, or the action fails (FS007). Copy with a distcp action and
//! delete the source. A target without a scheme lies where its source does.
//!
//! ```xml
//! <move source="hdfs://nn1:8020/out" target="hdfs://nn2:8020/archive"/>   <!-- wrong -->
//! <move source="hdfs://nn1:8020/out" target="/archive"/>
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::actions;
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Group, Info, Severity, Stage};
use crate::model::action::{Details, FsKind};
use crate::source::Text;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "move-across-name-nodes",
        group: Group::Meaning,
        severity: Severity::Error,
        stage: Some(Stage::Action),
        mirrors: &["FS007"],
        explanation: include_str!("move_across_name_nodes.rs"),
    },
    check: Check::Workflow(check),
};

/// `FsActionExecutor.validateSameNN`
fn check(app: &Workflow<'_>, sink: &mut Sink) {
    let global = app.model.global.as_ref().and_then(|global| global.name_node.as_ref());
    for action in app.actions() {
        let Details::Fs(fs) = &action.details else { continue };
        let name_node = fs.name_node.as_ref().or(global);
        for operation in fs.operations.iter().filter(|operation| operation.kind == FsKind::Move) {
            let (Some(source), Some(target)) = (&operation.path, &operation.target) else { continue };
            let known = |text: &Text| actions::known(app.values, text);
            let (Some(from), Some(to)) = (known(source), known(target)) else { continue };
            let from = match place(&from.value) {
                Some(place) => place,
                // The name node stands before it.
                None => match name_node.and_then(known).as_ref().and_then(|text| place(&text.value)) {
                    Some(place) => place,
                    None => continue,
                },
            };
            let Some(to) = place(&to.value).filter(|to| *to != from) else { continue };
            let message = format!("a `move` does not lead from `{from}` to `{to}`");
            let finding = Diagnostic::new(&RULE.info, target.trimmed().span, message)
                .label(source.trimmed().span, "the source")
                .help("copy with a distcp action, or name a target in the same file system");
            sink.push(actions::at_start(&app.flow, action, finding));
        }
    }
}

/// Scheme and host of a URI that has both.
fn place(uri: &str) -> Option<String> {
    let (scheme, rest) = uri.trim().split_once("://")?;
    let host = rest.split('/').next().unwrap_or_default();
    let is_plain = !host.is_empty() && !scheme.contains(['$', '/']) && !host.contains(['$', '{']);
    is_plain.then(|| format!("{scheme}://{host}"))
}
