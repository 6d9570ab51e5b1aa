//! A streaming action has no mapper, so each of its tasks fails.
//!
//! Hadoop's `PipeMapper` runs a program for every task and has none here: it fails with a `NullPointerException` once the
//! job runs. An absent reducer is another matter, since the output of the mapper is then taken as it is. Nothing is
//! reported where the configuration or a `job-xml` may name the program.
//!
//! ```xml
//! <streaming>
//!   <mapper>python map.py</mapper>
//! </streaming>
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::actions;
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Group, Info, Severity, Stage};
use crate::model::Dialect;
use crate::model::action::Details;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "streaming-mapper-missing",
        group: Group::Meaning,
        severity: Severity::Error,
        stage: Some(Stage::Action),
        mirrors: &["JA018"],
        explanation: include_str!("streaming_mapper_missing.rs"),
    },
    check: Check::Workflow(check),
};

/// Properties that name the program as well (`StreamingMain`, `PipeMapper.getPipeCommand`).
const MAPPER: &[&str] = &["stream.map.streamprocessor", "oozie.streaming.mapper"];

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    if app.model.dialect == Dialect::Hws {
        return;
    }
    let global = app.model.global.as_ref();
    for action in app.actions() {
        let Details::MapReduce(body) = &action.details else { continue };
        let Some(streaming) = &body.streaming else { continue };
        let is_given =
            |(name, text): &(String, crate::source::Text)| name == "mapper" && !text.value.trim().is_empty();
        let own = &body.job.configuration.properties;
        let inherited = global.iter().flat_map(|global| &global.configuration.properties);
        let in_files = !body.job.job_xml.is_empty() || global.is_some_and(|it| !it.job_xml.is_empty());
        let is_named =
            own.iter().chain(inherited).any(|property| MAPPER.contains(&property.name.value.trim()));
        if streaming.iter().any(is_given) || in_files || is_named || body.config_class.is_some() {
            continue;
        }
        let element = &action.body.element;
        let place = element.child("streaming").map_or(element.name_span, |part| part.name_span);
        let message = format!("streaming {} has no `mapper`", action.words());
        let finding = Diagnostic::new(&RULE.info, place, message).help("add `<mapper>`");
        sink.push(actions::at_start(&app.flow, action, finding));
    }
}
