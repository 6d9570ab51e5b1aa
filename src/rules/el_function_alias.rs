//! A function is called by a name that the specification of 2009 uses without defining it.
//!
//! Its examples call `wf:nodeStatus`, `wf:callbackUrl`, `hadoop:counters` and `hdfs:size(path)`; section 4.2 defines
//! `wf:exitState`, `wf:callback`, `hadoop:jobCounters`, and functions of two arguments for files. The names of the examples are
//! accepted, and mean these.

use super::{Check, Rule, Sink};
use crate::analysis::subject::Expressions;
use crate::diag::{Diagnostic, Edit, Group, Info, Severity};
use crate::model::functions::{HWS_ALIASES, Phase};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "el-function-alias",
        group: Group::Expression,
        severity: Severity::Info,
        stage: None,
        mirrors: &[],
        explanation: include_str!("el_function_alias.rs"),
    },
    check: Check::El(check),
};

fn check(app: &Expressions<'_>, sink: &mut Sink) {
    for expression in app.list.iter().filter(|it| it.template.place.phase() == Phase::Hws) {
        let parsed = &expression.parsed;
        for call in parsed.calls() {
            let alias =
                HWS_ALIASES.iter().find(|(prefix, name, _)| *prefix == call.prefix && *name == call.name);
            let Some((prefix, name, defined)) = alias else { continue };
            let written = format!("{prefix}:{name}");
            let message =
                format!("`{written}` is a name of the specification's examples, which it does not define");
            let span = parsed.span(call.node);
            let finding = Diagnostic::new(&RULE.info, span, message);
            let start = parsed.node(call.node).range.start as usize;
            let place = parsed.text.span_of(start..start + written.len());
            let is_written = parsed.text.value.get(start..).is_some_and(|rest| rest.starts_with(&written))
                && place.range().len() == written.len();
            sink.push(match defined {
                Some(defined) if is_written => finding
                    .help(format!("write `{defined}`"))
                    .fix(true, vec![Edit { span: place, text: (*defined).to_owned() }]),
                Some(defined) => finding.help(format!("write `{defined}`")),
                None => finding.help("use `hdfs:fileSize(fs, path)` or `hdfs:dirSize(fs, path)`"),
            });
        }
    }
}
