//! A text of somebody else's on one line of ours.

use std::borrow::Cow;

use super::visible::visible;

/// A text without what would steer a terminal or begin a line of its own: names and messages come from files that nobody
/// has to trust. Line breaks become ` | `, other control characters are written out.
pub fn one_line(text: &str) -> Cow<'_, str> {
    if !text.contains(char::is_control) {
        return text.into();
    }
    let lines: Vec<String> = text
        .trim_end()
        .lines()
        .map(|line| {
            let line = line.replace('\t', " ");
            visible(&line).into_owned()
        })
        .collect();
    lines.join(" | ").into()
}

#[cfg(test)]
mod tests {
    use super::one_line;

    #[test]
    fn nothing_steers_a_terminal_or_makes_a_line() {
        for (text, expected) in [
            ("plain é", "plain é"),
            ("a\nb\r\nc\n", "a | b | c"),
            ("x\u{1b}[31mred", "x\\u001b[31mred"),
            ("a\tb\u{7}\u{9b}", "a b\\u0007\\u009b"),
            ("a\rb", "a\\u000db"),
        ] {
            assert_eq!(one_line(text), expected, "{text:?}");
        }
    }
}
