//! A map-reduce action has a property that looks like the folder its job writes to, and is not the one that Hadoop reads.
//!
//! Hadoop refuses such a job (`Output directory not set`). The property is `mapreduce.output.fileoutputformat.outputdir`, or
//! `mapred.output.dir` of the old interface. Nothing is reported of an action with an output format of its own.
//!
//! ```xml
//! <name>mapreduce.output.dir</name>                           <!-- wrong -->
//! <name>mapreduce.output.fileoutputformat.outputdir</name>    <!-- right -->
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::subject::Workflow;
use crate::analysis::{actions, known_properties};
use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::model::action::Details;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "map-reduce-output-missing",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("map_reduce_output_missing.rs"),
    },
    check: Check::Workflow(check),
};

const OUTPUT: &[&str] = &["mapreduce.output.fileoutputformat.outputdir", "mapred.output.dir"];

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    let global = app.model.global.as_ref();
    for action in app.actions() {
        let Details::MapReduce(job) = &action.details else { continue };
        let own = &job.job.configuration.properties;
        let inherited = global.iter().flat_map(|global| &global.configuration.properties);
        let decides = |name: &str| OUTPUT.contains(&name) || name.to_lowercase().contains("outputformat");
        if own.iter().chain(inherited).any(|property| decides(property.name.value.trim())) {
            continue;
        }
        let near = own.iter().find(|property| {
            let name = property.name.value.trim().to_lowercase();
            name.starts_with("map")
                && name.contains("output")
                && (name.contains("dir") || name.contains("path"))
                // That is another finding.
                && known_properties::near(&name).is_none()
        });
        let Some(near) = near else { continue };
        let name = near.name.trimmed();
        let message = format!("`{}` is not where a job writes, and no other property says it", name.value);
        let finding = Diagnostic::new(&RULE.info, name.span, message);
        let finding = finding.help(format!("write `{}`", OUTPUT[0]));
        sink.push(actions::at_start(&app.flow, action, finding));
    }
}
