//! Schedules that mean harm: depth, size, names, values that look like something else.

use std::time::{Duration, Instant};

use crate::support::{ankus, findings_of, folder_of};

const COMMANDS: &str =
    "[programs]\n\"A/P\" = { command = [\"./p.sh\"] }\n\"A/Q\" = { command = [\"./q.sh\"] }\n";

/// The rules of the findings; nothing may take long, since reading stops at limits.
fn check(name: &str, file: &str, text: &str) -> Vec<String> {
    let folder = folder_of(&format!("schedules-hostile-{name}"), &[("ankus.toml", COMMANDS), (file, text)]);
    let begin = Instant::now();
    let found = findings_of(&[&folder.display().to_string()]);
    assert!(begin.elapsed() < Duration::from_secs(60), "{name} takes {:?}", begin.elapsed());
    found.into_iter().map(|(_, _, rule, _)| rule).collect()
}

fn body(more: &str, trigger: &str) -> String {
    format!(
        "{{\"name\":\"s\",\"application\":\"A\",\"program\":{{\"programName\":\"P\",\"programType\":\"COMMAND\"}},{more}\
         \"trigger\":{trigger}}}"
    )
}

const TRIGGER: &str = "{\"type\":\"PROGRAM_STATUS\",\"statuses\":[\"COMPLETED\"],\"program\":{\"programType\":\"COMMAND\",\"programName\":\"Q\"}}";

/// PSS-R-NEST: AND and OR lie in each other up to a limit; beyond it they are refused, however long the text is.
#[test]
fn nesting_has_a_limit() {
    let nested = |depth: usize| {
        let open: String = (0..depth)
            .map(|level| {
                format!("{{\"type\":\"{}\",\"triggers\":[", if level % 2 == 0 { "AND" } else { "OR" })
            })
            .collect();
        body("", &format!("{open}{TRIGGER}{}", "]}".repeat(depth)))
    };
    assert_eq!(check("depth-50", "a.schedule.json", &nested(50)), [""; 0]);
    assert_eq!(check("depth-51", "a.schedule.json", &nested(51)), ["schedule-invalid"]);
    let mebibyte = nested((1 << 20) / 20);
    assert!(mebibyte.len() > 1 << 20);
    assert_eq!(check("depth-1MiB", "a.schedule.json", &mebibyte), ["schedule-invalid"]);
    let open = "{ all = [".repeat(100_000);
    let text = format!("[[schedule]]\nname = \"s\"\nrun = \"A/P\"\ntrigger = {open}\n");
    assert_eq!(check("depth-toml", "schedules.toml", &text), ["schedule-invalid"]);
}

#[test]
fn many_keys_parts_and_schedules_have_limits() {
    let keys = |count: usize| {
        let pairs: Vec<_> = (0..count).map(|index| format!("\"k{index}\":\"v\"")).collect();
        body(&format!("\"properties\":{{{}}},", pairs.join(",")), TRIGGER)
    };
    assert_eq!(check("keys-10000", "a.schedule.json", &keys(10_000)), [""; 0]);
    assert_eq!(check("keys-10001", "a.schedule.json", &keys(10_001)), ["schedule-invalid"]);
    let parts = vec![TRIGGER; 2_000].join(",");
    let wide = body("", &format!("{{\"type\":\"OR\",\"triggers\":[{parts}]}}"));
    assert_eq!(check("parts", "a.schedule.json", &wide), ["schedule-invalid"]);
    let many: Vec<_> =
        (0..2_000).map(|index| body("", TRIGGER).replacen("\"s\"", &format!("\"s{index}\""), 1)).collect();
    assert_eq!(check("many", "schedules.json", &format!("[{}]", many.join(","))), [""; 0]);
}

#[test]
fn names_are_names() {
    let named = |name: &str| body("", TRIGGER).replacen("\"s\"", &format!("\"{name}\""), 1);
    for (index, name) in ["a.b", "..", "\u{fc} \u{1f418}", "-x", "${x}", "%2e%2e"].iter().enumerate() {
        assert_eq!(check(&format!("name-{index}"), "a.schedule.json", &named(name)), [""; 0], "{name}");
    }
    let long = "x".repeat(256);
    for (index, name) in ["", "a/b", "../../etc", "a\\u0000b", "a\\u001b[2Jb", &long].iter().enumerate() {
        let found = check(&format!("bad-name-{index}"), "a.schedule.json", &named(name));
        assert_eq!(found, ["schedule-invalid"], "{name}");
    }
    // A path of `[programs]` or of a name leads nowhere outside by itself, and names are never paths.
    let escape = body("", TRIGGER).replace("\"A\"", "\"..\"");
    assert_eq!(
        check("escape", "a.schedule.json", &escape),
        ["schedule-program-unknown", "schedule-program-unknown"]
    );
}

/// PSS-E1: whatever the text is, there is an answer.
#[test]
fn any_text_gives_an_answer() {
    let texts = [
        "",
        "{",
        "[",
        "nul",
        "\"",
        "{\"a\":}",
        "[[[[",
        "{\"name\":1}",
        "[{}]",
        "[[]]",
        "{\"trigger\":[]}",
        "\u{feff}{}",
        "{\"name\":\"s\",\"program\":[],\"trigger\":{}}",
        "[1e999]",
        "{\"name\":\"\\ud800\"}",
    ];
    for (index, text) in texts.iter().enumerate() {
        let found = check(&format!("text-{index}"), "a.schedule.json", text);
        assert!(
            found.iter().all(|rule| rule.starts_with("schedule-")) && !found.is_empty(),
            "{text}: {found:?}"
        );
    }
    let whole =
        body("\"properties\":{\"triggering.properties.mapping\":\"{\\\"arguments\\\":[]}\"},", TRIGGER);
    for end in (0..whole.len()).step_by(7) {
        let found = check("cut", "a.schedule.json", &whole[..end]);
        assert!(!found.is_empty(), "{end}");
    }
    for (index, text) in ["=", "[[schedule]]", "schedule = 1", "[schedule]", "a = 1"].iter().enumerate() {
        let found = check(&format!("toml-{index}"), "schedules.toml", text);
        assert!(
            found.iter().all(|rule| rule == "schedule-invalid") && !found.is_empty(),
            "{text}: {found:?}"
        );
    }
}

#[test]
fn long_and_odd_sentences_are_refused_or_understood() {
    let long = format!("delete schedule A.{}", "x".repeat(2 << 20));
    for text in
        [long.as_str(), "", " ", "\"", "delete schedule \"A.s", "\u{0}", "delete schedule A.s \u{202e}"]
    {
        let outcome = ankus(&["schedule", "--show-request", text]);
        assert_eq!(outcome.code, 2, "{}", text.len());
    }
    let data = ankus(&["schedule", "--show-request", "delete schedule \"A.$(rm -rf ~); `id`\""]);
    assert_eq!(data.code, 0);
    assert!(data.out.contains("%24%28rm%20-rf%20~%29%3B%20%60id%60"), "{}", data.out);
}
