//! Hadoop's patterns for files (`org.apache.hadoop.fs.GlobPattern`, `GlobExpander`): no `*` crosses a slash.

use crate::el::Failure;

/// How many patterns the braces of one glob may stand for.
const MAX_ALTERNATIVES: usize = 10_000;

/// A text with braces as all the texts that it stands for.
pub fn alternatives(pattern: &str) -> Result<Vec<String>, Failure> {
    let illegal = || Failure::new("IOException", format!("`{pattern}` is no pattern for files"));
    let (mut open, mut done) = (vec![pattern.to_owned()], Vec::new());
    while let Some(text) = open.pop() {
        let Some(start) = open_brace(&text) else {
            done.push(text);
            continue;
        };
        let (mut depth, mut pieces, mut from, mut end) = (0, Vec::new(), start + 1, None);
        let mut at = start;
        while at < text.len() {
            match text.as_bytes()[at] {
                b'\\' => at += 1,
                b'{' => depth += 1,
                b'}' => {
                    depth -= 1;
                    if depth == 0 {
                        end = Some(at);
                        break;
                    }
                }
                b',' if depth == 1 => {
                    pieces.push(&text[from..at]);
                    from = at + 1;
                }
                _ => {}
            }
            at += 1;
        }
        let end = end.ok_or_else(illegal)?;
        pieces.push(&text[from..end]);
        if open.len() + done.len() + pieces.len() > MAX_ALTERNATIVES {
            return Err(Failure::new("IOException", "the pattern for files stands for too many"));
        }
        for piece in pieces {
            open.push(format!("{}{piece}{}", &text[..start], &text[end + 1..]));
        }
    }
    Ok(done)
}

/// The first brace that is not escaped.
fn open_brace(text: &str) -> Option<usize> {
    let mut escaped = false;
    text.char_indices().find_map(|(at, c)| {
        let is_free = !escaped;
        escaped = is_free && c == '\\';
        (is_free && c == '{').then_some(at)
    })
}

/// One name of a pattern.
#[derive(Debug)]
pub struct Glob(Vec<Piece>);

#[derive(Debug)]
enum Piece {
    One(char),
    AnyOne,
    Any,
    Class { negative: bool, ranges: Vec<(char, char)> },
}

impl Glob {
    /// `org.apache.hadoop.fs.GlobPattern`
    pub fn parse(name: &str) -> Result<Glob, Failure> {
        let illegal = || Failure::new("IOException", format!("`{name}` is no pattern for files"));
        let mut pieces = Vec::new();
        let mut chars = name.chars().peekable();
        while let Some(c) = chars.next() {
            pieces.push(match c {
                '*' => Piece::Any,
                '?' => Piece::AnyOne,
                '\\' => Piece::One(chars.next().ok_or_else(illegal)?),
                '[' => {
                    let negative = chars.next_if(|c| matches!(c, '^' | '!')).is_some();
                    let mut ranges = Vec::new();
                    loop {
                        let mut low = chars.next().ok_or_else(illegal)?;
                        match low {
                            ']' if !ranges.is_empty() => break,
                            '\\' => low = chars.next().ok_or_else(illegal)?,
                            _ => {}
                        }
                        let mut high = low;
                        if chars.peek() == Some(&'-') {
                            chars.next();
                            if chars.peek() == Some(&']') {
                                ranges.push(('-', '-'));
                            } else {
                                high = chars.next().ok_or_else(illegal)?;
                            }
                        }
                        if high < low {
                            return Err(illegal());
                        }
                        ranges.push((low, high));
                    }
                    Piece::Class { negative, ranges }
                }
                c => Piece::One(c),
            });
        }
        Ok(Glob(pieces))
    }

    /// Whether a name fits. Goes back to the last `*` only, which is enough.
    pub fn matches(&self, name: &str) -> bool {
        let name: Vec<char> = name.chars().collect();
        let (mut piece, mut at, mut star) = (0, 0, None);
        loop {
            match self.0.get(piece) {
                Some(Piece::Any) => {
                    piece += 1;
                    star = Some((piece, at));
                    continue;
                }
                Some(one) if name.get(at).is_some_and(|c| one.fits(*c)) => {
                    piece += 1;
                    at += 1;
                    continue;
                }
                None if at == name.len() => return true,
                _ => {}
            }
            match star {
                Some((after, from)) if from < name.len() => {
                    star = Some((after, from + 1));
                    (piece, at) = (after, from + 1);
                }
                _ => return false,
            }
        }
    }
}

impl Piece {
    fn fits(&self, c: char) -> bool {
        match self {
            Piece::One(one) => *one == c,
            Piece::AnyOne | Piece::Any => true,
            Piece::Class { negative, ranges } => {
                ranges.iter().any(|(low, high)| (*low..=*high).contains(&c)) != *negative
            }
        }
    }
}

#[cfg(test)]
#[path = "globs_tests.rs"]
mod tests;
