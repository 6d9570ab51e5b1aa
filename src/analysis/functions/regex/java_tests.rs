//! Patterns of every kind with what `String.replaceAll` and `String.split` of Java 17 make of them
//! (`fixtures/reference/java_regex.jsonl`).

use serde::Deserialize;

use super::Regex;

/// One call of Java.
#[derive(Deserialize)]
struct Call {
    text: String,
    pattern: String,
    /// Of `replaceAll`; `split` has none.
    replacement: Option<String>,
    result: Option<String>,
    parts: Option<Vec<String>>,
    /// The class of what was thrown.
    exception: Option<String>,
}

/// What is answered differently on purpose, with the reason.
const DIFFERENT: [(&str, &str); 6] = [
    ("a{2147483647}", "it makes a program beyond the limit of ours"),
    ("(?<=o+)b", "up to Java 12 it is refused too, and servers run on such"),
    ("(?<=o*)b", "the same"),
    ("(?<=a{0,2147483647})b", "the same"),
    ("\\X", "what a reader sees as one character is not known"),
    ("\\p{IsOldItalic}", "names of scripts are taken without their underscores too"),
];

#[test]
fn texts_are_replaced_and_split_as_java_does_it() {
    let calls = include_str!("../../../../fixtures/reference/java_regex.jsonl");
    let (mut wrong, mut different) = (Vec::new(), 0);
    for line in calls.lines() {
        let call: Call = serde_json::from_str(line).expect("a call");
        let regex = Regex::new(&call.pattern);
        let answer = match &call.replacement {
            Some(replacement) => {
                regex.and_then(|regex| Ok(vec![regex.replace_all(&call.text, replacement)?]))
            }
            None => regex.and_then(|regex| regex.split(&call.text)),
        };
        let answer = answer.map_err(|failure| failure.java.into_owned());
        let expected = match (call.exception, call.result) {
            (Some(exception), _) => Err(exception),
            (None, Some(result)) => Ok(vec![result]),
            (None, None) => Ok(call.parts.expect("parts")),
        };
        if answer == expected {
            continue;
        }
        match DIFFERENT.iter().any(|(pattern, _)| *pattern == call.pattern) {
            true => different += 1,
            false => wrong.push(format!("{line}\n    {answer:?}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(different, DIFFERENT.len());
}
