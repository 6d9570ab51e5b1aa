//! Service levels of actions.
//!
//! Follows `CoordSubmitXCommand.resolveSLA`, `CoordCommandUtils.materializeSLA`, `SLADbOperations` (whose faults end the
//! creation of actions) and `SLAOperations` (whose faults leave the action without a service level).

use std::collections::BTreeMap;

use super::action::SlaOutcome;
use super::resolver::Resolver;
use super::scope::{Scope, Side};
use super::template::{Compiled, Fault, Place};
use crate::analysis::parameters::xml_trim;
use crate::diag::{Diagnostic, Stage};
use crate::model::functions::Phase;
use crate::model::sla::Sla;
use crate::plan::sla::{SLA_INVALID, is_whole, register};
use crate::source::Span;

/// Tries a service level out at submission. What is known then is put in.
pub(super) fn submit(
    resolver: &mut Resolver<'_>,
    sla: &Sla,
    names: &BTreeMap<String, Side>,
) -> Vec<(String, Compiled)> {
    let nofuncs = resolver.scope(Phase::CoordJobSubmitNofuncs);
    let engine = resolver.settings.engine;
    let mut entries = Vec::new();
    for (name, text) in &sla.entries {
        let compiled = Compiled::new(text, engine);
        // What fails here is left for later.
        let compiled = match compiled.evaluate(&nofuncs) {
            Ok(found) if compiled.literal().is_none() => {
                Compiled::computed(xml_trim(&found.text), text.span, engine)
            }
            _ => compiled,
        };
        // The whole element is evaluated as text, so markup characters are still escaped.
        let value = &compiled.text().value;
        if value.contains(['&', '<', '>']) {
            let escaped = value.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            check(resolver, &Compiled::computed(&escaped, text.span, engine), names);
        } else {
            check(resolver, &compiled, names);
        }
        entries.push((name.clone(), compiled));
    }
    entries
}

fn check(resolver: &mut Resolver<'_>, compiled: &Compiled, names: &BTreeMap<String, Side>) {
    let scope = resolver.scope(Phase::CoordSlaSubmit).names(names);
    if let Err(error) = compiled.evaluate(&scope) {
        let codes = &["E0803", "E1004"];
        let place = Place { stage: Stage::Submit, codes, variables: resolver.variables };
        resolver.report(compiled.finding(&error, &place));
    }
}

/// Evaluates and registers the service level of one action. `Err` ends the creation of actions.
pub(super) fn create(entries: &[(String, Compiled)], scope: &Scope<'_>) -> Result<SlaOutcome, Fault> {
    let mut values: Vec<(&str, String, Span)> = Vec::with_capacity(entries.len());
    for (name, compiled) in entries {
        let value = compiled.evaluate(scope).map_err(|error| {
            let place = Place { stage: Stage::Materialize, codes: &["E1004"], variables: scope.variables };
            compiled.finding(&error, &place)
        })?;
        values.push((name, xml_trim(&value.text).to_owned(), compiled.span()));
    }
    let place = entries.first().map(|(_, compiled)| compiled.span());
    let get = |name: &str| {
        values.iter().find(|(known, ..)| *known == name).map(|(_, value, span)| (value.as_str(), *span))
    };
    let fatal = |span: Option<Span>, message: String| {
        let span = span.or(place).unwrap_or_else(|| unreachable_span(entries));
        Fault::new(Diagnostic::new(&SLA_INVALID, span, message).oozie(&[]))
    };
    // `SLADbOperations.createSlaRegistrationEvent`
    let nominal = match get("nominal-time") {
        Some((text, span)) if !text.is_empty() => {
            let parsed = scope.processing.parse_datetime(text);
            parsed
                .map_err(|e| fatal(Some(span), format!("`nominal-time` is no datetime: `{text}`: {e}")))?
                .instant
        }
        found => return Err(fatal(found.map(|(_, span)| span), "`nominal-time` is empty".to_owned())),
    };
    let whole = |text: &str, name: &str, span: Span| match is_whole(text) {
        true => Ok(()),
        false => Err(fatal(Some(span), format!("`{name}` is no whole number of minutes: `{text}`"))),
    };
    if let Some((text, span)) = get("should-start").filter(|(text, _)| !text.is_empty()) {
        whole(text, "should-start", span)?;
    }
    match get("should-end") {
        Some((text, span)) if !text.is_empty() => whole(text, "should-end", span)?,
        found => return Err(fatal(found.map(|(_, span)| span), "`should-end` is empty".to_owned())),
    }
    let registered = register(nominal, &get);
    Ok(match registered {
        Ok(registration) => SlaOutcome::Registered(registration),
        Err(fault) => {
            let span = fault.span.or(place).unwrap_or_else(|| unreachable_span(entries));
            let finding = Diagnostic::new(&SLA_INVALID, span, fault.message).stage(Some(Stage::Materialize));
            SlaOutcome::Failed(finding.oozie(fault.codes))
        }
    })
}

/// Some place, for a service level without entries.
fn unreachable_span(entries: &[(String, Compiled)]) -> Span {
    entries.iter().map(|(_, compiled)| compiled.span()).next().unwrap_or_else(|| {
        let mut sources = crate::source::Sources::new();
        Span::new(sources.add("", ""), 0..0)
    })
}
