//! Patterns read as `java.util.regex.Pattern` reads them.

use super::class::{self, Class};
use super::node::{Case, Mode, Node, Place};
use super::quoted;

/// Groups and classes within each other.
pub(super) const MAX_NESTING: u32 = 50;

/// Why a pattern is refused that nests deeper.
pub(super) fn too_deep() -> String {
    format!("it is nested more than {MAX_NESTING} levels deep")
}

/// A pattern with its groups.
#[derive(Debug)]
pub(super) struct Parsed {
    pub(super) node: Node,
    pub(super) groups: usize,
    pub(super) names: Vec<(String, usize)>,
}

/// What `(?…)` has switched on.
#[derive(Clone, Copy, Default)]
pub(super) struct Flags {
    pub(super) any_case: bool,
    pub(super) unix_lines: bool,
    pub(super) many_lines: bool,
    pub(super) dot_all: bool,
    pub(super) unicode_case: bool,
    pub(super) comments: bool,
    pub(super) unicode_class: bool,
}

/// Reads a pattern; an error says what is wrong.
pub(super) fn parse(pattern: &str) -> Result<Parsed, String> {
    let mut parser = Parser {
        chars: quoted::escaped(pattern),
        at: 0,
        flags: Flags::default(),
        groups: 0,
        names: Vec::new(),
        depth: 0,
    };
    let node = parser.choice()?;
    if parser.at < parser.chars.len() {
        return Err("a closing `)` too many".to_owned());
    }
    Ok(Parsed { node, groups: parser.groups, names: parser.names })
}

/// How far a pattern is read.
pub(super) struct Parser {
    pub(super) chars: Vec<char>,
    pub(super) at: usize,
    pub(super) flags: Flags,
    pub(super) groups: usize,
    pub(super) names: Vec<(String, usize)>,
    pub(super) depth: u32,
}

impl Parser {
    pub(super) fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    pub(super) fn take(&mut self, c: char) -> bool {
        let taken = self.peek() == Some(c);
        self.at += usize::from(taken);
        taken
    }

    pub(super) fn looking_at(&self, text: &str) -> bool {
        text.chars().enumerate().all(|(index, c)| self.chars.get(self.at + index) == Some(&c))
    }

    pub(super) fn enter(&mut self) -> Result<(), String> {
        self.depth += 1;
        if self.depth > MAX_NESTING { Err(too_deep()) } else { Ok(()) }
    }

    pub(super) fn skip_comments(&mut self) {
        while self.flags.comments {
            match self.peek() {
                Some(' ' | '\t'..='\r') => self.at += 1,
                Some('#') => {
                    let unix = self.flags.unix_lines;
                    let ends =
                        |c| c == '\n' || !unix && matches!(c, '\r' | '\u{85}' | '\u{2028}' | '\u{2029}');
                    while self.peek().is_some_and(|c| !ends(c)) {
                        self.at += 1;
                    }
                }
                _ => return,
            }
        }
    }

    pub(super) fn choice(&mut self) -> Result<Node, String> {
        let mut branches = vec![self.sequence()?];
        while self.take('|') {
            branches.push(self.sequence()?);
        }
        Ok(if branches.len() == 1 { branches.remove(0) } else { Node::Choice(branches) })
    }

    fn sequence(&mut self) -> Result<Node, String> {
        let mut nodes = Vec::new();
        loop {
            self.skip_comments();
            match self.peek() {
                None | Some('|' | ')') => break,
                Some(_) => {}
            }
            if let Some(atom) = self.atom()? {
                let node = self.repeats(atom)?;
                nodes.push(node);
            }
        }
        Ok(if nodes.len() == 1 { nodes.remove(0) } else { Node::Sequence(nodes) })
    }

    /// The quantifier behind an atom.
    fn repeats(&mut self, node: Node) -> Result<Node, String> {
        self.skip_comments();
        let (min, max) = match self.peek() {
            Some('?') => (0, Some(1)),
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('{') => {
                self.at += 1;
                let min = self.count()?.ok_or("a number is missing after `{`")?;
                let max = if self.take(',') {
                    self.skip_comments();
                    self.count()?
                } else {
                    Some(min)
                };
                if !self.looking_at("}") {
                    return Err("a `{` of a repeat is not closed".to_owned());
                }
                if max.is_some_and(|max| max < min) {
                    return Err("a repeat ends below its start".to_owned());
                }
                (min, max)
            }
            _ => return Ok(node),
        };
        self.at += 1;
        self.skip_comments();
        let mode = if self.take('?') {
            Mode::Lazy
        } else if self.take('+') {
            Mode::Possessive
        } else {
            Mode::Greedy
        };
        Ok(Node::Repeat { node: Box::new(node), min, max, mode })
    }

    fn count(&mut self) -> Result<Option<u32>, String> {
        let mut number: Option<u32> = None;
        while let Some(digit) = self.peek().and_then(|c| c.to_digit(10)) {
            let next = number.unwrap_or(0).checked_mul(10).and_then(|n| n.checked_add(digit));
            number = Some(next.filter(|n| *n <= i32::MAX as u32).ok_or("a number of a repeat is too large")?);
            self.at += 1;
            self.skip_comments();
        }
        Ok(number)
    }

    pub(super) fn case(&self) -> Case {
        match (self.flags.any_case, self.flags.unicode_case) {
            (false, _) => Case::Counts,
            (true, false) => Case::Ascii,
            (true, true) => Case::Unicode,
        }
    }

    /// A set of one or a range of characters, in the other case too where the flags have it so.
    pub(super) fn cased(&self, class: Class) -> Class {
        match (self.case(), class.single().and_then(char::from_u32)) {
            (Case::Counts, _) => class,
            (Case::Ascii, _) => Class::AnyCase(Box::new(class)),
            (Case::Unicode, Some(single)) => Class::Folded(class::folded(single)),
            (Case::Unicode, None) => Class::AnyCaseUnicode(Box::new(class)),
        }
    }

    /// One atom; none for what only changes flags.
    fn atom(&mut self) -> Result<Option<Node>, String> {
        let Some(c) = self.peek() else { return Ok(None) };
        self.at += 1;
        let unix = self.flags.unix_lines;
        Ok(Some(match c {
            '.' => Node::one(match (self.flags.dot_all, unix) {
                (true, _) => Class::Ranges(vec![(0, char::MAX as u32)]),
                (false, true) => Class::one('\n').not(),
                (false, false) => {
                    let (feed, carriage) = (u32::from('\n'), u32::from('\r'));
                    Class::Ranges(vec![(feed, feed), (carriage, carriage), (0x85, 0x85), (0x2028, 0x2029)])
                        .not()
                }
            }),
            '^' if self.flags.many_lines => Node::Place(Place::LineStart(unix)),
            '^' => Node::Place(Place::Start),
            '$' if self.flags.many_lines => Node::Place(Place::LineEnd(unix)),
            '$' => Node::Place(Place::End(unix)),
            '[' => {
                let class = self.class()?;
                Node::one(class)
            }
            '(' => return self.group(),
            '*' | '+' | '?' => return Err(format!("`{c}` has nothing to repeat")),
            '{' => {
                // Java repeats nothing so many times.
                self.at -= 1;
                Node::Sequence(Vec::new())
            }
            '\\' => return self.escape().map(Some),
            c => Node::one(self.cased(Class::one(c))),
        }))
    }
}
