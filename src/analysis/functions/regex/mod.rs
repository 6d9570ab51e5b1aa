//! Java's regular expressions (`java.util.regex`), for `replaceAll` and `appendAll`.
//!
//! A backtracking machine as Java's, since its results show in values: leftmost match, first alternative first,
//! possessive and lazy repeats, lookaround, references. Unlike Java's it has no recursion and a limit on its steps.
//! Not known: `\X`, `\N{…}`, `\b{g}`, blocks and a few more of `\p{…}` (see `property`). Refused: what nests more than 50 levels deep, repeats that would make a
//! program too large, and a `+` or `*` behind which to look, as up to Java 12.

mod class;
mod compile;
mod machine;
mod node;
mod parse;
mod parse_classes;
mod parse_escapes;
mod parse_groups;
mod property;
mod quoted;

use crate::el::{Failure, MAX_TEXT_BYTES, too_long};

use compile::Program;
use machine::{Machine, Slots};

/// Characters that a pattern may have.
const MAX_PATTERN: usize = 10_000;

/// A pattern that can be searched for.
#[derive(Debug)]
pub(super) struct Regex {
    program: Program,
}

impl Regex {
    /// Reads a pattern.
    pub(super) fn new(pattern: &str) -> Result<Regex, Failure> {
        let wrong = |message: String| {
            Failure::new("PatternSyntaxException", format!("`{pattern}` is no regular expression: {message}"))
        };
        if pattern.chars().count() > MAX_PATTERN {
            return Err(Failure::new("PatternSyntaxException", "the regular expression is too long"));
        }
        let parsed = parse::parse(pattern).map_err(wrong)?;
        let program = compile::compile(&parsed).map_err(wrong)?;
        Ok(Regex { program })
    }

    /// `String.replaceAll`
    pub(super) fn replace_all(&self, text: &str, replacement: &str) -> Result<String, Failure> {
        let chars: Vec<char> = text.chars().collect();
        let mut machine = Machine::new(&self.program, &chars);
        let (mut result, mut copied) = (String::with_capacity(text.len()), 0);
        while let Some(slots) = machine.find()? {
            let (start, end) = slots.group(0).unwrap_or((copied, copied));
            result.extend(&chars[copied..start]);
            self.expand(replacement, &chars, &slots, &mut result)?;
            copied = end;
        }
        result.extend(&chars[copied..]);
        Ok(result)
    }

    /// `String.split`
    pub(super) fn split(&self, text: &str) -> Result<Vec<String>, Failure> {
        let chars: Vec<char> = text.chars().collect();
        let mut machine = Machine::new(&self.program, &chars);
        let (mut parts, mut begin): (Vec<String>, usize) = (Vec::new(), 0);
        let mut found = false;
        while let Some(slots) = machine.find()? {
            let (start, end) = slots.group(0).unwrap_or((begin, begin));
            if begin == 0 && start == 0 && end == 0 {
                continue;
            }
            found = true;
            parts.push(chars[begin..start].iter().collect());
            begin = end;
        }
        if !found {
            return Ok(vec![text.to_owned()]);
        }
        parts.push(chars[begin..].iter().collect());
        while parts.last().is_some_and(String::is_empty) {
            parts.pop();
        }
        Ok(parts)
    }

    /// `Matcher.appendExpandedReplacement`
    fn expand(
        &self,
        replacement: &str,
        chars: &[char],
        slots: &Slots,
        out: &mut String,
    ) -> Result<(), Failure> {
        let illegal = |message: String| Failure::new("IllegalArgumentException", message);
        let text = |group: usize| slots.group(group).map_or(&[][..], |(start, end)| &chars[start..end]);
        let mut rest = replacement.chars().peekable();
        while let Some(c) = rest.next() {
            if out.len() > MAX_TEXT_BYTES {
                return Err(too_long());
            }
            match c {
                '\\' => match rest.next() {
                    Some(c) => out.push(c),
                    None => return Err(illegal("the replacement ends in a backslash".to_owned())),
                },
                '$' => match rest.next() {
                    Some('{') => {
                        let mut name = String::new();
                        let closed = loop {
                            match rest.next() {
                                Some('}') => break true,
                                Some(c) => name.push(c),
                                None => break false,
                            }
                        };
                        let group = self.program.names.iter().find(|(known, _)| *known == name);
                        match group {
                            Some((_, group)) if closed => out.extend(text(*group)),
                            _ => {
                                return Err(illegal(format!(
                                    "the replacement names a group `{name}`, which does not exist"
                                )));
                            }
                        }
                    }
                    Some(c) if c.is_ascii_digit() => {
                        let mut group = c as usize - '0' as usize;
                        if group > self.program.groups {
                            let message =
                                format!("the replacement names group {group}, which does not exist");
                            return Err(Failure::new("IndexOutOfBoundsException", message));
                        }
                        while let Some(digit) = rest.peek().and_then(|c| c.to_digit(10)) {
                            let longer = group * 10 + digit as usize;
                            if longer > self.program.groups {
                                break;
                            }
                            group = longer;
                            rest.next();
                        }
                        out.extend(text(group));
                    }
                    _ => {
                        return Err(illegal(
                            "a `$` in the replacement is not followed by a group".to_owned(),
                        ));
                    }
                },
                c => out.push(c),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod java_tests;
#[cfg(test)]
mod tests;
