//! A filter of partitions is made for a type that no server knows.
//!
//! `coord:dataInPartitionFilter(event, type)` writes `==` for `pig` and `=` for whatever else the type is, without a word
//! of a slip. Name `pig`, `hive` or `java`.
//!
//! ```xml
//! <value>${coord:dataInPartitionFilter('logs', 'pgi')}</value>   <!-- "=", which Pig does not understand -->
//! <value>${coord:dataInPartitionFilter('logs', 'pig')}</value>
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::subject::Expressions;
use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::el::NodeKind;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "partition-filter-type",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("partition_filter_type.rs"),
    },
    check: Check::El(check),
};

/// The types of which the documentation speaks (`HCatURI.toPartitionFilter` compares with the first alone).
const TYPES: &[&str] = &["pig", "hive", "java"];

fn check(app: &Expressions<'_>, sink: &mut Sink) {
    for expression in app.list {
        let parsed = &expression.parsed;
        let calls =
            parsed.calls().filter(|call| call.prefix == "coord" && call.name == "dataInPartitionFilter");
        for call in calls {
            let Some(argument) = call.arguments.get(1) else { continue };
            let NodeKind::String(written) = &parsed.node(*argument).kind else { continue };
            if TYPES.iter().any(|known| known.eq_ignore_ascii_case(written)) {
                continue;
            }
            let message = format!("`{written}` is not a type of filter");
            let finding = Diagnostic::new(&RULE.info, parsed.span(*argument), message);
            let known = TYPES.iter().copied();
            let finding = finding.help("name `pig`, `hive` or `java`");
            sink.push(finding.help_did_you_mean(written, known));
        }
    }
}
