//! Documents without secrets. The names in them are never changed, so that they can be read as before.

use std::borrow::Cow;

use memchr::{memchr, memchr2};
use serde_json::Value;

use super::Redactor;

/// Properties of our documents that hold ids, states, times and kinds.
const OWN: &[&str] = &[
    "id",
    "status",
    "externalStatus",
    "type",
    "kind",
    "from",
    "to",
    "at",
    "created",
    "started",
    "ended",
    "modified",
    "nominal",
    "kickOff",
    "start",
    "end",
    "expected",
    "subject",
    "action",
    "workflow",
    "parent",
    "job",
    "root",
    "sla",
    "node",
    "bundle",
    "jobType",
    "during",
    "errorType",
    "code",
    "pauseTime",
];

/// Properties of our documents that hold what somebody gives: all names in them are theirs.
const GIVEN: &[&str] = &["conf", "configuration", "parameters", "properties", "own", "base"];

/// Puts stars in the place of the secrets in a document.
pub fn redact(redactor: &Redactor, document: &mut Value) {
    let mut out = String::new();
    write(redactor, &document.to_string(), &mut out);
    // What was written from a document is one.
    if let Ok(shown) = serde_json::from_str(&out) {
        *document = shown;
    }
}

/// Writes a document that is text already, as a serializer writes it: in one pass, its texts without the secrets in them.
pub fn write(redactor: &Redactor, document: &str, out: &mut String) {
    // The name that stands before a value, while it may still be needed.
    let (mut rest, mut name): (_, Option<Cow<'_, str>>) = (document, None);
    let mut level = Level::default();
    while let Some(start) = memchr(b'"', rest.as_bytes()) {
        let body = &rest[start + 1..];
        let Some((length, is_plain)) = end_of_text(body) else { break };
        let (text, behind) = (&body[..length], &body[length + 1..]);
        let between = &rest[..start];
        level.pass(between, name.as_deref());
        out.push_str(between);
        if behind.starts_with(':') {
            out.push_str(&rest[start..start + length + 2]);
            name = Some(read(text, is_plain));
        } else {
            let own = name.take().filter(|_| between == ":");
            if !level.is_given() && own.as_deref().is_some_and(|name| OWN.contains(&name)) {
                out.push_str(&rest[start..start + length + 2]);
            } else {
                value(redactor, own.as_deref(), (text, is_plain), out);
            }
        }
        rest = behind;
    }
    out.push_str(rest);
}

/// How deep a place in a document lies, and below which depth all names are somebody's.
#[derive(Default)]
struct Level {
    depth: usize,
    given: Option<usize>,
}

impl Level {
    /// Goes on over what stands between two texts; `name` is the last name before it.
    fn pass(&mut self, between: &str, name: Option<&str>) {
        for (index, byte) in between.bytes().enumerate() {
            match byte {
                b'{' | b'[' => {
                    self.depth += 1;
                    let begins = index == 1 && between.starts_with(":{");
                    if begins && self.given.is_none() && name.is_some_and(|name| GIVEN.contains(&name)) {
                        self.given = Some(self.depth);
                    }
                }
                b'}' | b']' => {
                    if self.given == Some(self.depth) {
                        self.given = None;
                    }
                    self.depth = self.depth.saturating_sub(1);
                }
                _ => {}
            }
        }
    }

    fn is_given(&self) -> bool {
        self.given.is_some()
    }
}

/// How long a text is that begins here, and whether it stands as it is read.
fn end_of_text(body: &str) -> Option<(usize, bool)> {
    let (mut at, mut is_plain) = (0, true);
    loop {
        let found = at + memchr2(b'"', b'\\', body.as_bytes().get(at..)?)?;
        if body.as_bytes()[found] == b'"' {
            return Some((found, is_plain));
        }
        is_plain = false;
        at = found + 2;
    }
}

/// What a text between quotes stands for.
fn read(written: &str, is_plain: bool) -> Cow<'_, str> {
    match is_plain {
        true => written.into(),
        false => serde_json::from_str::<String>(&format!("\"{written}\"")).unwrap_or_default().into(),
    }
}

fn value(redactor: &Redactor, name: Option<&str>, (written, is_plain): (&str, bool), out: &mut String) {
    let text = read(written, is_plain);
    let stars = redactor.value(name, &text);
    if *stars == *text {
        out.push('"');
        out.push_str(written);
        out.push('"');
    } else {
        out.push_str(&Value::from(stars).to_string());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_values_of_others_are_redacted() {
        let mut redactor = Redactor::default();
        redactor.learn("db.password", "s3cr\"et");
        redactor.learn("a.token", "tok");
        for (text, expected) in [
            (
                r#"{"a":"s3cr\"et and tok","db.password":"what\never","list":["tok",{"token":"x","n":1}],"tok":"tokens"}"#,
                r#"{"a":"*** and ***","db.password":"***","list":["***",{"token":"***","n":1}],"tok":"tokens"}"#,
            ),
            (
                r#"{"token":["shown","tok"],"secret":{"plain":"value"},"x":null,"é\u0001":"jdbc:mysql://u:p@h/d"}"#,
                r#"{"token":["shown","***"],"secret":{"plain":"value"},"x":null,"é\u0001":"jdbc:mysql://u:***@h/d"}"#,
            ),
            (
                r#"{"password":"","b":[],"c":{},"secret":" ","d":["a:b",":"]}"#,
                r#"{"password":"","b":[],"c":{},"secret":" ","d":["a:b",":"]}"#,
            ),
            (
                r#"{"id":"tok","conf":{"id":"tok","a":{"to":"tok"}},"to":"tok","list":[{"id":"tok"}],"x":["tok"]}"#,
                r#"{"id":"tok","conf":{"id":"***","a":{"to":"***"}},"to":"tok","list":[{"id":"tok"}],"x":["***"]}"#,
            ),
            (r#""tok""#, r#""***""#),
            ("[]", "[]"),
        ] {
            let mut out = String::new();
            write(&redactor, text, &mut out);
            assert_eq!(out, expected);
            let mut document: Value = serde_json::from_str(text).expect("JSON");
            redact(&redactor, &mut document);
            assert_eq!(document, serde_json::from_str::<Value>(expected).expect("JSON"));
        }
    }
}
