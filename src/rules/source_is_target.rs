//! An action moves or copies a path to itself, or a map-reduce job writes to where it reads.
//!
//! An `fs` action that moves a path to where it is, or into itself, fails when it starts; a `distcp` of a path to itself copies
//! nothing, and with `-overwrite` or `-delete` may lose it. Hadoop refuses a job whose output is there already.
//!
//! ```xml
//! <move source="${out}/tmp" target="${out}/tmp"/>
//! <move source="${out}/tmp" target="${out}/data"/>
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::actions;
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::model::action::{Details, FsKind};
use crate::source::Text;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "source-is-target",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("source_is_target.rs"),
    },
    check: Check::Workflow(check),
};

/// What a map-reduce job reads and where it writes.
const INPUT: [&str; 2] = ["mapreduce.input.fileinputformat.inputdir", "mapred.input.dir"];
const OUTPUT: [&str; 2] = ["mapreduce.output.fileoutputformat.outputdir", "mapred.output.dir"];

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    for action in app.actions() {
        let pairs: Vec<(&Text, &Text, &str)> = match &action.details {
            Details::Fs(fs) => fs
                .operations
                .iter()
                .filter(|operation| operation.kind == FsKind::Move)
                .filter_map(|operation| Some((operation.path.as_ref()?, operation.target.as_ref()?, "moved")))
                .collect(),
            Details::Distcp(distcp) => {
                // The last two words are paths; what stands before them may be more sources.
                match distcp.args.as_slice() {
                    [.., source, target] => vec![(source, target, "copied")],
                    _ => continue,
                }
            }
            Details::MapReduce(job) => {
                let properties = &job.job.configuration.properties;
                let value = |names: [&str; 2]| {
                    let found = properties.iter().rev().find(|it| names.contains(&it.name.value.trim()));
                    found.map(|property| &property.value)
                };
                let (Some(input), Some(output)) = (value(INPUT), value(OUTPUT)) else { continue };
                vec![(input, output, "written")]
            }
            _ => continue,
        };
        for (source, target, verb) in pairs {
            let (from, to) = (path(app, source), path(app, target));
            if from.is_empty() || from.starts_with('-') {
                continue;
            }
            let within = to.strip_prefix(&from).is_some_and(|rest| rest.starts_with('/'));
            let message = match (from == to, within && verb == "moved") {
                (true, _) if verb == "written" => {
                    format!("the job writes to `{}`, which it reads", target.value.trim())
                }
                (true, _) => format!("`{}` is {verb} to itself", target.value.trim()),
                (false, true) => format!("`{}` lies in what is moved", target.value.trim()),
                (false, false) => continue,
            };
            let finding = Diagnostic::new(&RULE.info, target.trimmed().span, message)
                .label(source.trimmed().span, "the source")
                .help("name another target");
            sink.push(actions::at_start(&app.flow, action, finding));
        }
    }
}

/// A path as it is compared: its value where that is known, else as it is written.
fn path(app: &Workflow<'_>, text: &Text) -> String {
    let known = actions::known(app.values, text);
    let value = known.as_ref().map_or(text.value.as_str(), |known| known.value.as_str());
    value.trim().trim_end_matches('/').to_owned()
}
