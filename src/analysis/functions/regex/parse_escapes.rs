//! What a backslash begins.

use super::class::{self, Class};
use super::node::{Node, Place};
use super::parse::Parser;
use super::property::{self, Reading};

impl Parser {
    /// What follows a backslash outside of a class.
    pub(super) fn escape(&mut self) -> Result<Node, String> {
        let c = self.peek().ok_or("it ends in a backslash")?;
        let unix = self.flags.unix_lines;
        let place = match c {
            'A' => Some(Place::Start),
            'Z' => Some(Place::End(unix)),
            'z' => Some(Place::VeryEnd),
            'b' => Some(Place::Word(self.flags.unicode_class)),
            'B' => Some(Place::NoWord(self.flags.unicode_class)),
            'G' => Some(Place::LastEnd),
            _ => None,
        };
        if let Some(place) = place {
            self.at += 1;
            return Ok(Node::Place(place));
        }
        match c {
            '1'..='9' => {
                self.at += 1;
                let mut number = c as usize - '0' as usize;
                while let Some(digit) = self.peek().and_then(|c| c.to_digit(10)) {
                    let longer = number * 10 + digit as usize;
                    if longer > self.groups {
                        break;
                    }
                    number = longer;
                    self.at += 1;
                }
                Ok(Node::Reference(number, self.case()))
            }
            'k' => {
                self.at += 1;
                if !self.take('<') {
                    return Err("`\\k` needs the name of a group".to_owned());
                }
                let name = self.name('>')?;
                let group = self.names.iter().find(|(known, _)| *known == name);
                let group = group.ok_or_else(|| format!("there is no group `{name}`"))?.1;
                Ok(Node::Reference(group, self.case()))
            }
            'R' => {
                self.at += 1;
                let one = |c| Node::one(Class::one(c));
                let newline = Node::Sequence(vec![one('\r'), one('\n')]);
                let single = Node::one(class::escape('v').unwrap_or(Class::one('\n')));
                Ok(Node::Choice(vec![newline, single]))
            }
            _ => {
                let class = self.class_escape()?;
                Ok(Node::one(if class.single().is_some() { self.cased(class) } else { class }))
            }
        }
    }

    /// What follows a backslash and stands for one character or a set, in a class or outside.
    pub(super) fn class_escape(&mut self) -> Result<Class, String> {
        let c = self.peek().ok_or("it ends in a backslash")?;
        self.at += 1;
        let small = c.to_ascii_lowercase();
        let known = if self.flags.unicode_class { property::escape(small) } else { class::escape(small) };
        if let Some(class) = known {
            return Ok(if c.is_ascii_uppercase() { class.not() } else { class });
        }
        Ok(Class::code(match c {
            'x' => self.hexadecimal()?,
            'u' => self.unicode()?,
            c => u32::from(match c {
                't' => '\t',
                'n' => '\n',
                'r' => '\r',
                'f' => '\u{c}',
                'a' => '\u{7}',
                'e' => '\u{1b}',
                '0' => self.octal()?,
                'c' => {
                    let c = self.peek().ok_or("`\\c` is followed by nothing")?;
                    self.at += 1;
                    char::from_u32(c as u32 ^ 64).ok_or("`\\c` is followed by no control")?
                }
                'p' | 'P' => {
                    let name = if self.take('{') {
                        let length = self.chars[self.at..].iter().position(|c| *c == '}');
                        let length = length.ok_or("`\\p{` is not closed")?;
                        let name: String = self.chars[self.at..self.at + length].iter().collect();
                        self.at += length + 1;
                        name
                    } else {
                        let name = self.peek().ok_or("`\\p` is followed by nothing")?;
                        self.at += 1;
                        name.to_string()
                    };
                    let reading =
                        Reading { any_case: self.flags.any_case, unicode: self.flags.unicode_class };
                    let class = property::named(&name, reading)
                        .ok_or_else(|| format!("`{name}` is not known as a kind of character"))?;
                    return Ok(if c == 'P' { class.not() } else { class });
                }
                c if c.is_ascii_alphabetic() || c.is_ascii_digit() => {
                    return Err(format!("`\\{c}` means nothing"));
                }
                c => c,
            }),
        }))
    }

    /// What follows `\x`.
    fn hexadecimal(&mut self) -> Result<u32, String> {
        if !self.take('{') {
            return self.hex(2);
        }
        let (mut code, begin) = (0u32, self.at);
        while let Some(digit) = self.peek().and_then(|c| c.to_digit(16)) {
            code = code.saturating_mul(16).saturating_add(digit);
            self.at += 1;
        }
        if self.at == begin || !self.take('}') || code > char::MAX as u32 {
            return Err("`\\x{` is followed by no character, or not closed".to_owned());
        }
        Ok(code)
    }

    fn hex(&mut self, digits: usize) -> Result<u32, String> {
        let mut code = 0;
        for _ in 0..digits {
            let digit = self.peek().and_then(|c| c.to_digit(16));
            code = code * 16 + digit.ok_or("a hexadecimal digit is missing")?;
            self.at += 1;
        }
        Ok(code)
    }

    /// What follows `\u`; two halves of a pair are one character, as everywhere in Java.
    fn unicode(&mut self) -> Result<u32, String> {
        let high = self.hex(4)?;
        let begin = self.at;
        if (0xd800..0xdc00).contains(&high) && self.looking_at("\\u") {
            self.at += 2;
            let low = self.hex(4)?;
            if (0xdc00..0xe000).contains(&low) {
                return Ok(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00));
            }
            self.at = begin;
        }
        Ok(high)
    }

    fn octal(&mut self) -> Result<char, String> {
        let mut code: Option<u32> = None;
        for _ in 0..3 {
            let Some(digit) = self.peek().and_then(|c| c.to_digit(8)) else { break };
            let next = code.unwrap_or(0) * 8 + digit;
            if next > 0o377 {
                break;
            }
            code = Some(next);
            self.at += 1;
        }
        code.and_then(char::from_u32).ok_or_else(|| "`\\0` is followed by no octal digit".to_owned())
    }
}
