//! A map-reduce action says where its job writes, and not what it reads.
//!
//! Hadoop refuses a job without input (`No input paths specified in job`). The property is
//! `mapreduce.input.fileinputformat.inputdir`, or `mapred.input.dir` of the old interface. Nothing is reported of an action with an
//! input format of its own, or with settings in a file or a class that is not looked at.
//!
//! ```xml
//! <name>mapred.input.dir</name><value>${inputDir}</value>
//! <name>mapred.output.dir</name><value>${outputDir}</value>
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::actions;
use crate::analysis::known_properties;
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::model::action::Details;
use crate::source::Text;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "map-reduce-input-missing",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("map_reduce_input_missing.rs"),
    },
    check: Check::Workflow(check),
};

/// Settings of the format of the input.
const FORMATS: &[&str] =
    &["mapred.input.format.class", "mapreduce.job.inputformat.class", "mapreduce.inputformat.class"];
/// Formats of Hadoop's own that read files.
const READS_FILES: &[&str] = &[
    ".TextInputFormat",
    ".KeyValueTextInputFormat",
    ".NLineInputFormat",
    ".SequenceFileInputFormat",
    ".SequenceFileAsTextInputFormat",
    ".CombineTextInputFormat",
];
const OUTPUT: &[&str] = &["mapreduce.output.fileoutputformat.outputdir", "mapred.output.dir"];

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    let global = app.model.global.as_ref();
    for action in app.actions() {
        let Details::MapReduce(job) = &action.details else { continue };
        let files = job.job.job_xml.iter().chain(global.iter().flat_map(|global| &global.job_xml));
        let formats =
            job.pipes.iter().flatten().filter(|(name, _)| name == "inputformat").map(|(_, text)| text);
        let is_own = |text: &Text| !READS_FILES.iter().any(|known| text.value.trim().ends_with(known));
        if files.count() > 0 || job.config_class.is_some() || formats.into_iter().any(is_own) {
            continue;
        }
        let own = &job.job.configuration.properties;
        let inherited = global.iter().flat_map(|global| &global.configuration.properties);
        let says = |name: &str| {
            let name = name.to_lowercase();
            name.contains("input") && !name.contains("output") && !name.contains("split")
                || ["${", "inputformat", "uber.jar", "mapred.jar", "mapreduce.job.jar"].iter().any(|word| name.contains(word))
                // A slip there is another finding.
                || known_properties::near(&name).is_some_and(|near| near.contains("input"))
        };
        let of_files = |name: &str, text: &Text| FORMATS.contains(&name) && !is_own(text);
        let mut all =
            own.iter().chain(inherited).map(|property| (property.name.value.trim(), &property.value));
        if all.any(|(name, value)| says(name) && !of_files(name, value)) {
            continue;
        }
        let Some(output) = own.iter().find(|property| OUTPUT.contains(&property.name.value.trim())) else {
            continue;
        };
        let message = format!("nothing says what the job of {} reads", action.words());
        let finding = Diagnostic::new(&RULE.info, output.name.trimmed().span, message);
        let name = if output.name.value.trim() == OUTPUT[0] {
            "mapreduce.input.fileinputformat.inputdir"
        } else {
            "mapred.input.dir"
        };
        sink.push(actions::at_start(&app.flow, action, finding.help(format!("add the property `{name}`"))));
    }
}
