//! Texts of a picture: cleaned, shortened and measured without a font.

use unicode_width::UnicodeWidthChar;

/// Names longer than this are shortened, in columns.
pub const MAX_NAME_COLUMNS: usize = 32;
/// The second lines of boxes, such as URIs.
pub const MAX_LINE_COLUMNS: usize = 52;
/// Labels of edges.
pub const MAX_LABEL_COLUMNS: usize = 34;
/// Tooltips.
pub const MAX_ABOUT_COLUMNS: usize = 1_000;

/// One line that can stand in any format: blanks for line breaks and controls, no marks that turn the direction of
/// the text around it, nothing that XML forbids.
pub fn clean(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            c if c.is_control() || c.is_whitespace() => {
                if !out.ends_with(' ') {
                    out.push(' ');
                }
            }
            '\u{200e}' | '\u{200f}' | '\u{61c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {}
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out.trim().to_owned()
}

/// How many columns a character takes.
fn columns(c: char) -> usize {
    c.width().unwrap_or(0)
}

/// The text, cleaned, with its end cut off when it is longer than so many columns.
pub fn short(text: &str, most: usize) -> String {
    cut(&clean(text), most, 0)
}

/// The same with its middle cut out; beginning and end are what tells URIs apart.
pub fn short_middle(text: &str, most: usize) -> String {
    cut(&clean(text), most, most * 3 / 5)
}

/// Keeps so many columns, `tail` of them from the end.
fn cut(text: &str, most: usize, tail: usize) -> String {
    if is_within(text, most) {
        return text.to_owned();
    }
    // A base may carry any number of marks that take no column; a few of them are enough.
    let most_chars = most * 2;
    let keep = |chars: &mut dyn Iterator<Item = char>, columns_left: usize| {
        let (mut left, mut kept) = (columns_left, String::new());
        for c in chars.take(most_chars) {
            let Some(rest) = left.checked_sub(columns(c)) else { break };
            left = rest;
            kept.push(c);
        }
        kept
    };
    let head = keep(&mut text.chars(), most - 1 - tail);
    let end: String = keep(&mut text.chars().rev(), tail).chars().rev().collect();
    let end = end.trim_start_matches(|c| columns(c) == 0);
    format!("{}…{end}", head.trim_end())
}

fn is_within(text: &str, most: usize) -> bool {
    let mut total = 0;
    for (index, c) in text.chars().enumerate() {
        total += columns(c);
        if total > most || index >= most * 2 {
            return false;
        }
    }
    true
}

/// A condition without the signs around it: `${a eq b}` is `a eq b`.
pub fn condition(text: &str) -> String {
    let text = clean(text);
    let inner = text.strip_prefix("${").and_then(|rest| rest.strip_suffix('}'));
    let whole = inner.filter(|inner| !inner.contains("${")).map_or(text.as_str(), str::trim);
    cut(whole, MAX_LABEL_COLUMNS, 0)
}

/// The last two steps of a path, which is where apps have their names.
pub fn path_end(path: &str) -> String {
    let text = clean(path);
    let mut steps = text.trim_end_matches('/').rsplit('/');
    let (last, above) = (steps.next().unwrap_or_default(), steps.next());
    let is_file = last.ends_with(".xml");
    let end = match above {
        Some(above) if !above.is_empty() && (is_file || !above.contains("${")) => format!("{above}/{last}"),
        _ => last.to_owned(),
    };
    cut(&end, MAX_NAME_COLUMNS, MAX_NAME_COLUMNS * 3 / 5)
}

/// A number with its noun: `1 node`, `2 nodes`.
pub fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// The width of a text in ems. Common sans-serif fonts differ by a tenth; this lies at their wider end, and pictures
/// say it, so that a viewer fits the text into it.
pub fn ems(text: &str) -> f64 {
    text.chars()
        .map(|c| match c {
            ' '..='~' => f64::from(ASCII[c as usize - 32]) * 0.00109,
            '…' => 1.0,
            c => [0.0, 0.68, 1.08][columns(c).min(2)],
        })
        .sum()
}

/// Widths of ASCII in thousandths of an em, as in Helvetica.
#[rustfmt::skip]
const ASCII: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_become_one_clean_line() {
        assert_eq!(clean(" a\n\t b\u{202e}c\u{0} "), "a bc");
        assert_eq!(clean("\u{ffff}"), "\u{fffd}");
    }

    #[test]
    fn long_texts_are_cut() {
        assert_eq!(short("abcdef", 6), "abcdef");
        assert_eq!(short("abcdefg", 6), "abcde…");
        assert_eq!(short_middle("abcdefghijkl", 10), "abc…ghijkl");
        assert_eq!(short("日本語日本語", 6), "日本…");
        let marks = format!("a{}", "\u{301}".repeat(10_000));
        assert!(short(&marks, 6).chars().count() < 20);
        assert!(short_middle(&marks, 6).chars().count() < 20);
    }

    #[test]
    fn conditions_lose_their_signs() {
        assert_eq!(condition("${ a eq 'b' }"), "a eq 'b'");
        assert_eq!(condition("${a}${b}"), "${a}${b}");
        assert_eq!(condition("${a} and ${b}"), "${a} and ${b}");
    }

    #[test]
    fn paths_end_in_names() {
        assert_eq!(path_end("${nn}/apps/load/"), "apps/load");
        assert_eq!(path_end("${root}/load"), "load");
        assert_eq!(path_end("hdfs://nn/load/workflow.xml"), "load/workflow.xml");
        assert_eq!(path_end("load"), "load");
        assert_eq!(path_end(""), "");
    }
}
