//! An action is tried again, but its first try leaves an output behind that makes the next one fail.
//!
//! A map-reduce job and an import of sqoop refuse to start where their output folder exists, so all retries fail the same
//! way. Delete the folder in `prepare`, which runs before every try.
//!
//! ```xml
//! <action name="load" retry-max="3" retry-interval="1">
//!   <map-reduce>
//!     …
//!     <prepare><delete path="${output}"/></prepare>
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::subject::Workflow;
use crate::analysis::templates::Place;
use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::model::action::{Details, FsKind, Job, Sqoop};
use crate::source::Span;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "action-retry-not-idempotent",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("action_retry_not_idempotent.rs"),
    },
    check: Check::Workflow(check),
};

/// The old and the new name of the folder that a map-reduce job writes.
const OUTPUT: &[&str] = &["mapred.output.dir", "mapreduce.output.fileoutputformat.outputdir"];

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    for action in app.actions() {
        let Some(retries) = &action.action.retry_max else { continue };
        let known = app.values.value(retries, Place::WorkflowNode);
        if known.as_deref().is_some_and(|value| value.parse::<i32>().is_ok_and(|value| value <= 0)) {
            continue;
        }
        let place = match &action.details {
            Details::MapReduce(it) => output_of(&it.job),
            Details::Sqoop(it) => imports(it),
            _ => None,
        };
        let deletes = |job: &Job| job.prepare.iter().any(|operation| operation.kind == FsKind::Delete);
        let Some(place) = place.filter(|_| !action.details.job().is_some_and(deletes)) else { continue };
        let message = format!("{} is tried again, but fails once its output exists", action.words());
        let finding = Diagnostic::new(&RULE.info, retries.span, message);
        sink.push(finding.label(place, "this is written by each try").help("delete the output in `prepare`"));
    }
}

fn output_of(job: &Job) -> Option<Span> {
    let properties = &job.configuration.properties;
    let output = properties.iter().find(|property| OUTPUT.contains(&property.name.value.trim()))?;
    Some(output.value.span)
}

/// An import into a folder of its own that neither appends nor deletes by itself.
fn imports(sqoop: &Sqoop) -> Option<Span> {
    let texts: Vec<_> = sqoop.command.iter().chain(&sqoop.args).collect();
    let words: Vec<&str> = texts.iter().flat_map(|text| text.value.split_whitespace()).collect();
    let is_import = words.first().is_some_and(|word| matches!(*word, "import" | "import-all-tables"));
    let spares = ["--append", "--delete-target-dir", "--incremental", "--hive-import", "--hbase-table"];
    let is_harmless = words.iter().any(|word| spares.contains(word));
    let target = texts.iter().find(|text| text.value.contains("--target-dir"))?;
    (is_import && !is_harmless).then_some(target.span)
}
