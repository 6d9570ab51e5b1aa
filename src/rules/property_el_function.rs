//! A properties file holds an expression with a function.
//!
//! In properties only other properties are put in for `${name}`; functions are not called, and the text is handed on as it
//! stands: a path with `${wf:user()}` in it is no path (E0902), and a comparison with it fails. Call the function in the
//! definition:
//!
//! ```xml
//! <mkdir path="${base}/${wf:user()}"/>   <!-- not base=/data/${wf:user()} in job.properties -->
//! ```
//!
//! Functions of coordinators are left alone: a coordinator evaluates some values again, with what the first round has put in.

use super::{Check, Rule, Sink};
use crate::analysis::properties::Origin;
use crate::analysis::subject::Properties;
use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::el;
use crate::model::functions;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "property-el-function",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &["E0902"],
        explanation: include_str!("property_el_function.rs"),
    },
    check: Check::Properties(check),
};

fn check(app: &Properties<'_>, sink: &mut Sink) {
    if !matches!(app.origin, Origin::File | Origin::Hadoop) {
        return;
    }
    for property in app.list.iter().filter(|property| property.value.value.contains("${")) {
        let (parsed, _) = el::parse(&property.value);
        let known =
            |call: &el::Call<'_>| call.prefix != "coord" && functions::find(call.prefix, call.name).is_some();
        let Some(call) = parsed.calls().find(known) else { continue };
        let written = match call.prefix {
            "" => call.name.to_owned(),
            prefix => format!("{prefix}:{}", call.name),
        };
        let message = format!("`{written}` is not called in properties: the text stays as it is");
        sink.push(
            Diagnostic::new(&RULE.info, parsed.span(call.node), message)
                .oozie(&[])
                .help("call it in the definition instead"),
        );
    }
}
