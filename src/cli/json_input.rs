//! JSON that users write: read strictly, and refused in their words and with the place.

use std::io::{BufRead, Read};

use serde::de::DeserializeOwned;

use crate::diag::closest;
use crate::host::error::ShellError;

/// What is wrong with a JSON text, and where.
#[derive(Debug, PartialEq, Eq)]
pub struct Fault {
    /// What, in plain words.
    pub message: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in bytes.
    pub column: usize,
}

/// How long a line of `--batch` may be. Nothing that a definition holds is longer.
const MAX_LINE_BYTES: u64 = 16 << 20;

/// How much of a longer line is skipped. A stream that goes on without a line feed may never have one.
const MAX_SKIPPED_BYTES: u64 = 256 << 20;

/// What a look for the next line of a stream came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// It stands in the buffer.
    Whole,
    /// It is longer than any line may be, and was skipped.
    TooLong,
    /// It is longer than what is skipped, so nothing after it is read.
    Endless,
    /// There are no more.
    End,
}

/// Reads the next line of a stream into a buffer, of which it takes no more memory than a line may be long.
pub fn next_line(input: &mut dyn BufRead, line: &mut Vec<u8>) -> std::io::Result<Line> {
    line.clear();
    let read = input.take(MAX_LINE_BYTES + 1).read_until(b'\n', line)?;
    if read == 0 {
        return Ok(Line::End);
    }
    if read as u64 <= MAX_LINE_BYTES || line.ends_with(b"\n") {
        return Ok(Line::Whole);
    }
    let skipped = input.take(MAX_SKIPPED_BYTES).skip_until(b'\n')?;
    Ok(if (skipped as u64) < MAX_SKIPPED_BYTES { Line::TooLong } else { Line::Endless })
}

/// The message about a line that is too long.
pub fn too_long() -> String {
    format!("the request is longer than {} MiB; send a shorter line", MAX_LINE_BYTES >> 20)
}

/// The error that ends the work at a line without an end.
pub fn endless() -> ShellError {
    let most = (MAX_LINE_BYTES + MAX_SKIPPED_BYTES) >> 20;
    ShellError::usage(format!("standard input has no line feed within {most} MiB; the rest is not read"))
}

/// Reads an object.
pub fn object<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Fault> {
    // A list would be taken for an object whose keys are left out.
    if bytes.trim_ascii_start().first() != Some(&b'{') {
        let read = serde_json::from_slice::<serde_json::Value>(bytes);
        let wrong = Fault { message: "an object is expected: `{…}`".to_owned(), line: 1, column: 1 };
        return Err(read.err().map_or(wrong, |error| fault(&error)));
    }
    serde_json::from_slice(bytes).map_err(|error| fault(&error))
}

fn fault(error: &serde_json::Error) -> Fault {
    let text = error.to_string();
    let text = text.rsplit_once(" at line ").map_or(text.as_str(), |(text, _)| text);
    Fault { message: plain(text), line: error.line().max(1), column: error.column().max(1) }
}

/// The words of the reader without those of its language.
fn plain(text: &str) -> String {
    let wrong = text.strip_prefix("invalid type: ").or_else(|| text.strip_prefix("invalid value: "));
    if let Some((given, wanted)) = wrong.and_then(|rest| rest.split_once(", expected ")) {
        return format!("{} stands where {} is expected", self::given(given), self::wanted(wanted));
    }
    if let Some(rest) = text.strip_prefix("unknown field ") {
        let mut words = rest.split('`').skip(1).step_by(2);
        let name = words.next().unwrap_or_default();
        let known: Vec<&str> = words.collect();
        return match closest(name, known.iter().copied()) {
            Some(near) => format!("unknown key `{name}`; did you mean `{near}`?"),
            None => format!("unknown key `{name}`; known are {}", known.join(", ")),
        };
    }
    if text.starts_with("EOF while parsing") {
        return "it ends too soon".to_owned();
    }
    if text.starts_with("data did not match any variant") {
        return "a text, a number or a boolean is expected".to_owned();
    }
    text.replace("missing field", "missing key").replace("duplicate field", "duplicate key")
}

fn given(words: &str) -> String {
    match words.split_once(' ') {
        _ if words == "map" => "an object".to_owned(),
        _ if words == "sequence" => "a list".to_owned(),
        Some(("integer", value) | ("floating", value)) => {
            format!("the number {}", value.trim_start_matches("point ").trim_matches('`'))
        }
        Some(("boolean", value)) => value.trim_matches('`').to_owned(),
        Some(("string", value)) => format!("the text {value}"),
        _ => words.to_owned(),
    }
}

fn wanted(words: &str) -> &str {
    match words {
        "usize" | "u8" | "u16" | "u32" | "u64" | "i8" | "i16" | "i32" | "i64" => "a whole number",
        "a string" => "a text",
        "a sequence" => "a list",
        "a map" => "an object",
        _ if words.starts_with("struct ") => "an object",
        _ => words,
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only reading is tested")]
    struct Example {
        text: String,
        #[serde(default)]
        count: usize,
    }

    #[test]
    fn faults_are_told_in_plain_words() {
        let check = |text: &str, expected: &str, place: (usize, usize)| {
            let fault = object::<Example>(text.as_bytes()).expect_err("it is refused");
            assert_eq!((fault.message.as_str(), (fault.line, fault.column)), (expected, place), "{text}");
        };
        check("", "it ends too soon", (1, 1));
        check("[\"a\"]", "an object is expected: `{…}`", (1, 1));
        check("{\n\"texts\":\"a\"}", "unknown key `texts`; did you mean `text`?", (2, 7));
        check("{\"zzzzzz\":1}", "unknown key `zzzzzz`; known are text, count", (1, 9));
        check("{\"count\":1}", "missing key `text`", (1, 11));
        check("{\"text\":5}", "the number 5 stands where a text is expected", (1, 9));
        check("{\"text\":{}}", "an object stands where a text is expected", (1, 8));
        check(
            "{\"text\":\"\",\"count\":\"x\"}",
            "the text \"x\" stands where a whole number is expected",
            (1, 22),
        );
        check(
            "{\"text\":\"\",\"count\":-1}",
            "the number -1 stands where a whole number is expected",
            (1, 21),
        );
        check("{\"text\"", "it ends too soon", (1, 7));
    }
}
