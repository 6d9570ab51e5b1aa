//! Datetime functions against the recorded answers of Oozie. Expressions with one plain call are evaluated here.

use crate::support;
use ankus::time::format::{FormatError, date_offset, date_tz_offset, epoch_time, format_time};
use ankus::time::{Instant, ProcessingZone, Zone};
use serde_json::Value;

const UTC: ProcessingZone = ProcessingZone::UTC;

/// The name and arguments of `${coord:name('a', 1)}`; none for what is more than one plain call.
fn plain_call(expr: &str) -> Option<(&str, Vec<String>)> {
    let inner = expr.strip_prefix("${coord:")?.strip_suffix(")}")?;
    let (name, mut rest) = inner.split_once('(')?;
    let mut arguments = Vec::new();
    loop {
        rest = rest.trim_start();
        let quote = rest.chars().next()?;
        if quote == '\'' || quote == '"' {
            let mut text = String::new();
            let mut chars = rest[1..].char_indices();
            let end = loop {
                match chars.next()? {
                    (at, c) if c == quote => break at + 2,
                    (_, '\\') => text.push(chars.next()?.1),
                    (_, c) => text.push(c),
                }
            };
            arguments.push(text);
            rest = &rest[end..];
        } else {
            let end = rest.find(',').unwrap_or(rest.len());
            let number = rest[..end].trim();
            if !matches!(number, "true" | "false") && number.parse::<i64>().is_err() {
                return None;
            }
            arguments.push(number.to_owned());
            rest = &rest[end..];
        }
        rest = rest.trim_start();
        match rest.strip_prefix(',') {
            Some(more) => rest = more,
            None => return rest.is_empty().then_some((name, arguments)),
        }
    }
}

fn call(name: &str, arguments: &[String]) -> Option<Result<String, FormatError>> {
    Some(match (name, arguments) {
        ("formatTime", [text, pattern]) => format_time(text, pattern, UTC),
        ("epochTime", [text, millis]) => epoch_time(text, millis, UTC),
        ("dateTzOffset", [text, zone]) => date_tz_offset(text, zone, UTC),
        ("dateOffset", [text, count, unit]) => date_offset(text, count.parse().ok()?, unit, UTC),
        _ => return None,
    })
}

/// Compares all plain calls; returns how many there were and which differ.
fn compare(cases: &[Value]) -> (usize, Vec<String>) {
    let mut wrong = Vec::new();
    let mut tried = 0;
    for case in cases {
        let expr = case["expr"].as_str().expect("an expression");
        let Some((name, arguments)) = plain_call(expr) else { continue };
        let Some(result) = call(name, &arguments) else { continue };
        tried += 1;
        let found = match &result {
            Ok(value) => ("value", value.as_str()),
            Err(error) => ("error", error.java_class()),
        };
        if case[found.0].as_str() != Some(found.1) {
            wrong.push(format!("{expr}: expected {} {}, found {found:?}", case["value"], case["error"]));
        }
    }
    (tried, wrong)
}

#[test]
fn recorded_datetime_functions_give_what_they_gave() {
    let file = support::root().join("fixtures/reference/time/format-time.json");
    let cases: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let (tried, wrong) = compare(&cases);
    println!("{} of {tried} plain calls among {} expressions", tried - wrong.len(), cases.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(tried > 300, "only {tried} expressions were tried");
}

#[test]
#[cfg_attr(not(has_reference), ignore = "needs the reference material")]
fn random_datetime_functions_give_what_they_gave() {
    let file = support::reference("oracle/random/format.jsonl");
    let text = std::fs::read_to_string(file).unwrap();
    let cases: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (tried, wrong) = compare(&cases);
    println!("{} of {tried} plain calls among {} expressions", tried - wrong.len(), cases.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn zones_answer_as_javas_do_but_for_the_listed_ones() {
    let file = support::root().join("fixtures/reference/time/zones.json");
    let recorded: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let number = |name: &str| recorded[name].as_i64().expect("a number");
    let (from, to, step) = (number("from_seconds"), number("to_seconds"), number("step_seconds"));
    let digest = |zone: Zone| {
        let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
        for second in (from..to).step_by(step as usize) {
            let offset = zone.offset(Instant::from_seconds(second));
            for millis in [offset.total_millis, offset.dst_millis] {
                hash = (hash ^ u64::from((millis / 1000) as u32)).wrapping_mul(0x100_0000_01b3);
            }
        }
        format!("{hash:016x}")
    };
    let zones = recorded["zones"].as_object().expect("zones");
    let mut differing: Vec<&str> = Zone::ids()
        .filter(|id| {
            let ours = digest(Zone::parse(id).expect("a zone"));
            zones.get(*id).and_then(Value::as_str) != Some(&ours)
        })
        .collect();
    differing.extend(zones.keys().map(String::as_str).filter(|id| Zone::parse(id).is_err()));
    let listed: Vec<&str> = ankus::time::zone::differences().iter().map(|entry| entry.id).collect();
    assert_eq!(differing, listed);
}
