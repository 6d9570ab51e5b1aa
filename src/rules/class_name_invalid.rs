//! The class of an action is written as a file, or is no name of a class.
//!
//! Java looks for a class by its full name with dots: `com.example.Load`, not `com/example/Load`, not `com.example.Load.class`.
//! There is no such class, and the action fails.
//!
//! ```xml
//! <main-class>com.example.Load.java</main-class>   <!-- wrong -->
//! <main-class>com.example.Load</main-class>
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::actions;
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Edit, Group, Info, Severity};
use crate::model::action::Details;
use crate::source::Text;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "class-name-invalid",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("class_name_invalid.rs"),
    },
    check: Check::Workflow(check),
};

/// Settings of a map-reduce job that are classes.
const SETTINGS: &[&str] = &[
    "mapred.combiner.class",
    "mapred.input.format.class",
    "mapred.map.runner.class",
    "mapred.mapper.class",
    "mapred.mapoutput.key.class",
    "mapred.mapoutput.value.class",
    "mapred.output.format.class",
    "mapred.output.key.class",
    "mapred.output.value.class",
    "mapred.partitioner.class",
    "mapred.reducer.class",
    "mapreduce.job.combine.class",
    "mapreduce.job.inputformat.class",
    "mapreduce.job.map.class",
    "mapreduce.job.output.key.class",
    "mapreduce.job.output.value.class",
    "mapreduce.job.outputformat.class",
    "mapreduce.job.partitioner.class",
    "mapreduce.job.reduce.class",
    "mapreduce.map.class",
    "mapreduce.reduce.class",
];
/// Ends of files.
const FILES: &[&str] = &[".class", ".java", ".scala", ".jar"];

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    for action in app.actions() {
        let mut found: Vec<Diagnostic> = match &action.details {
            Details::Java(java) => java.main_class.iter().filter_map(|text| judge(app, text)).collect(),
            Details::Spark(spark) => spark.class.iter().filter_map(|text| judge(app, text)).collect(),
            _ => Vec::new(),
        };
        if let Details::MapReduce(job) = &action.details {
            let properties = job.job.configuration.properties.iter();
            let classes = properties.filter(|property| SETTINGS.contains(&property.name.value.trim()));
            found.extend(classes.filter_map(|property| judge(app, &property.value)));
        }
        sink.extend(found.into_iter().map(|finding| actions::at_start(&app.flow, action, finding)));
    }
}

fn judge(app: &Workflow<'_>, written: &Text) -> Option<Diagnostic> {
    let known = actions::known(app.values, written)?;
    let name = known.value.as_str();
    // An empty one is another finding.
    if name.is_empty() || name.contains("${") {
        return None;
    }
    let end = FILES.iter().find(|end| name.ends_with(**end)).copied().unwrap_or_default();
    let bare = &name[..name.len() - end.len()];
    let dotted = bare.replace('/', ".");
    let is_identifier = |part: &str| {
        part.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '$'))
            && part.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$'))
    };
    if name.split('.').all(is_identifier) && end.is_empty() {
        return None;
    }
    let message = format!("`{name}` is not the name of a class");
    let finding = Diagnostic::new(&RULE.info, known.span, message);
    Some(match dotted.split('.').all(is_identifier) {
        true => {
            let finding = finding.help(format!("write `{dotted}`"));
            match actions::is_written(written) {
                true => finding.fix(false, vec![Edit { span: known.span, text: dotted }]),
                false => finding,
            }
        }
        false => finding.help("write the full name with dots, as in `com.example.Load`"),
    })
}
