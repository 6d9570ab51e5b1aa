//! Patterns read as `java.util.regex.Pattern` reads them.

use super::class::{self, Class};

/// Groups and classes within each other.
const MAX_NESTING: u32 = 50;

/// A piece of a pattern.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node {
    /// Several, one after the other.
    Sequence(Vec<Node>),
    /// Any of several, the first that fits.
    Choice(Vec<Node>),
    /// One character of a set.
    One(Class),
    /// A place.
    Place(Place),
    /// What a group matched; the flag says how case counts.
    Reference(usize, Case),
    /// A group with a number.
    Group(usize, Box<Node>),
    /// Without a way back once it has matched.
    Atomic(Box<Node>),
    /// What stands ahead or behind.
    Look { behind: bool, negative: bool, node: Box<Node> },
    /// So many times.
    Repeat { node: Box<Node>, min: u32, max: Option<u32>, mode: Mode },
}

/// How a repeat goes about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Greedy,
    Lazy,
    Possessive,
}

/// Whether case counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Case {
    Counts,
    Ascii,
    Unicode,
}

/// A place between characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// `^`, `\A`
    Start,
    /// `^` with `(?m)`; the flag: `\n` alone ends a line.
    LineStart(bool),
    /// `$`, `\Z`
    End(bool),
    /// `$` with `(?m)`
    LineEnd(bool),
    /// `\z`
    VeryEnd,
    /// `\b`
    Word,
    /// `\B`
    NoWord,
    /// `\G`
    LastEnd,
}

/// A pattern with its groups.
#[derive(Debug)]
pub(super) struct Parsed {
    pub(super) node: Node,
    pub(super) groups: usize,
    pub(super) names: Vec<(String, usize)>,
}

#[derive(Clone, Copy, Default)]
struct Flags {
    any_case: bool,
    unix_lines: bool,
    many_lines: bool,
    dot_all: bool,
    unicode_case: bool,
    comments: bool,
}

/// Reads a pattern; an error says what is wrong.
pub(super) fn parse(pattern: &str) -> Result<Parsed, String> {
    let mut parser = Parser {
        chars: pattern.chars().collect(),
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

struct Parser {
    chars: Vec<char>,
    at: usize,
    flags: Flags,
    groups: usize,
    names: Vec<(String, usize)>,
    depth: u32,
}

impl Parser {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn take(&mut self, c: char) -> bool {
        let taken = self.peek() == Some(c);
        self.at += usize::from(taken);
        taken
    }

    fn looking_at(&self, text: &str) -> bool {
        text.chars().enumerate().all(|(index, c)| self.chars.get(self.at + index) == Some(&c))
    }

    fn enter(&mut self) -> Result<(), String> {
        self.depth += 1;
        if self.depth > MAX_NESTING {
            Err(format!("it is nested more than {MAX_NESTING} levels deep"))
        } else {
            Ok(())
        }
    }

    fn skip_comments(&mut self) {
        while self.flags.comments {
            match self.peek() {
                Some(' ' | '\t'..='\r') => self.at += 1,
                Some('#') => {
                    while self.peek().is_some_and(|c| c != '\n') {
                        self.at += 1;
                    }
                }
                _ => return,
            }
        }
    }

    fn choice(&mut self) -> Result<Node, String> {
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
            if let Some(atom) = self.atom(&mut nodes)? {
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
                let max = if self.take(',') { self.count()? } else { Some(min) };
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
        }
        Ok(number)
    }

    fn case(&self) -> Case {
        match (self.flags.any_case, self.flags.unicode_case) {
            (false, _) => Case::Counts,
            (true, false) => Case::Ascii,
            (true, true) => Case::Unicode,
        }
    }

    fn cased(&self, class: Class) -> Node {
        Node::One(match self.case() {
            Case::Counts => class,
            case => Class::AnyCase(Box::new(class), case == Case::Unicode),
        })
    }

    /// One atom; none for what only changes flags. Quoted text puts all but its last character into `before`.
    fn atom(&mut self, before: &mut Vec<Node>) -> Result<Option<Node>, String> {
        let Some(c) = self.peek() else { return Ok(None) };
        self.at += 1;
        let unix = self.flags.unix_lines;
        Ok(Some(match c {
            '.' => Node::One(match (self.flags.dot_all, unix) {
                (true, _) => Class::Ranges(vec![('\0', char::MAX)]),
                (false, true) => Class::one('\n').not(),
                (false, false) => Class::Ranges(vec![
                    ('\n', '\n'),
                    ('\r', '\r'),
                    ('\u{85}', '\u{85}'),
                    ('\u{2028}', '\u{2029}'),
                ])
                .not(),
            }),
            '^' if self.flags.many_lines => Node::Place(Place::LineStart(unix)),
            '^' => Node::Place(Place::Start),
            '$' if self.flags.many_lines => Node::Place(Place::LineEnd(unix)),
            '$' => Node::Place(Place::End(unix)),
            '[' => {
                let class = self.class()?;
                Node::One(class)
            }
            '(' => return self.group(),
            '*' | '+' | '?' => return Err(format!("`{c}` has nothing to repeat")),
            '{' => {
                // Java repeats nothing so many times.
                self.at -= 1;
                Node::Sequence(Vec::new())
            }
            '\\' => return self.escape(before).map(Some),
            c => self.cased(Class::one(c)),
        }))
    }

    fn group(&mut self) -> Result<Option<Node>, String> {
        self.enter()?;
        let flags = self.flags;
        let node = if self.take('?') {
            match self.special_group()? {
                Some(node) => node,
                None => {
                    self.depth -= 1;
                    return Ok(None);
                }
            }
        } else {
            self.groups += 1;
            let number = self.groups;
            Node::Group(number, Box::new(self.choice()?))
        };
        if !self.take(')') {
            return Err("a group is not closed".to_owned());
        }
        self.flags = flags;
        self.depth -= 1;
        Ok(Some(node))
    }

    /// What follows `(?`.
    fn special_group(&mut self) -> Result<Option<Node>, String> {
        for (sign, behind, negative) in
            [("=", false, false), ("!", false, true), ("<=", true, false), ("<!", true, true)]
        {
            if self.looking_at(sign) {
                self.at += sign.len();
                let node = self.choice()?;
                if behind && longest(&node).is_none() {
                    return Err("what stands behind has no greatest length".to_owned());
                }
                return Ok(Some(Node::Look { behind, negative, node: Box::new(node) }));
            }
        }
        if self.take('>') {
            return Ok(Some(Node::Atomic(Box::new(self.choice()?))));
        }
        if self.take('<') {
            let name = self.name('>')?;
            if self.names.iter().any(|(known, _)| *known == name) {
                return Err(format!("the group `{name}` exists already"));
            }
            self.groups += 1;
            let number = self.groups;
            self.names.push((name, number));
            return Ok(Some(Node::Group(number, Box::new(self.choice()?))));
        }
        let mut on = true;
        loop {
            let c = self.peek().ok_or("a group is not closed")?;
            self.at += 1;
            match c {
                ':' => return Ok(Some(self.choice()?)),
                ')' => return Ok(None),
                '-' if on => on = false,
                'i' => self.flags.any_case = on,
                'd' => self.flags.unix_lines = on,
                'm' => self.flags.many_lines = on,
                's' => self.flags.dot_all = on,
                'u' => self.flags.unicode_case = on,
                'x' => self.flags.comments = on,
                'c' => {}
                _ => return Err(format!("`(?{c}` is no kind of group")),
            }
        }
    }

    fn name(&mut self, end: char) -> Result<String, String> {
        let mut name = String::new();
        while let Some(c) = self.peek().filter(char::is_ascii_alphanumeric) {
            name.push(c);
            self.at += 1;
        }
        let begins = name.starts_with(|c: char| c.is_ascii_alphabetic());
        if !begins || !self.take(end) {
            return Err("the name of a group is missing or not closed".to_owned());
        }
        Ok(name)
    }

    /// What follows a backslash outside of a class.
    fn escape(&mut self, before: &mut Vec<Node>) -> Result<Node, String> {
        let c = self.peek().ok_or("it ends in a backslash")?;
        let unix = self.flags.unix_lines;
        let place = match c {
            'A' => Some(Place::Start),
            'Z' => Some(Place::End(unix)),
            'z' => Some(Place::VeryEnd),
            'b' => Some(Place::Word),
            'B' => Some(Place::NoWord),
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
                let one = |c| Node::One(Class::one(c));
                let newline = Node::Sequence(vec![one('\r'), one('\n')]);
                let single = Node::One(class::escape('v').unwrap_or(Class::one('\n')));
                Ok(Node::Choice(vec![newline, single]))
            }
            'Q' => {
                self.at += 1;
                let mut quoted = Vec::new();
                while self.at < self.chars.len() && !self.looking_at("\\E") {
                    quoted.push(self.cased(Class::one(self.chars[self.at])));
                    self.at += 1;
                }
                self.at = (self.at + 2).min(self.chars.len());
                let last = quoted.pop().unwrap_or(Node::Sequence(Vec::new()));
                before.append(&mut quoted);
                Ok(last)
            }
            _ => {
                let class = self.class_escape()?;
                Ok(match class {
                    Class::Ranges(ref ranges) if ranges.len() == 1 && ranges[0].0 == ranges[0].1 => {
                        self.cased(class)
                    }
                    class => Node::One(class),
                })
            }
        }
    }

    /// What follows a backslash and stands for one character or a set, in a class or outside.
    fn class_escape(&mut self) -> Result<Class, String> {
        let c = self.peek().ok_or("it ends in a backslash")?;
        self.at += 1;
        if let Some(class) = class::escape(c.to_ascii_lowercase()) {
            return Ok(if c.is_ascii_uppercase() { class.not() } else { class });
        }
        Ok(Class::one(match c {
            't' => '\t',
            'n' => '\n',
            'r' => '\r',
            'f' => '\u{c}',
            'a' => '\u{7}',
            'e' => '\u{1b}',
            '0' => self.octal()?,
            'x' => {
                let code = if self.take('{') {
                    let mut code = 0u32;
                    while let Some(digit) = self.peek().and_then(|c| c.to_digit(16)) {
                        code = code.saturating_mul(16).saturating_add(digit);
                        self.at += 1;
                    }
                    if !self.take('}') {
                        return Err("`\\x{` is not closed".to_owned());
                    }
                    code
                } else {
                    self.hex(2)?
                };
                char::from_u32(code).ok_or("`\\x` is followed by no character")?
            }
            'u' => self.unicode()?,
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
                let class = class::named(&name)
                    .ok_or_else(|| format!("`{name}` is not known as a kind of character"))?;
                return Ok(if c == 'P' { class.not() } else { class });
            }
            c if c.is_ascii_alphabetic() || c.is_ascii_digit() => {
                return Err(format!("`\\{c}` means nothing"));
            }
            c => c,
        }))
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

    fn unicode(&mut self) -> Result<char, String> {
        let high = self.hex(4)?;
        if (0xd800..0xdc00).contains(&high) && self.looking_at("\\u") {
            self.at += 2;
            let low = self.hex(4)?;
            if (0xdc00..0xe000).contains(&low) {
                let code = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
                return char::from_u32(code).ok_or_else(|| "`\\u` is followed by no character".to_owned());
            }
        }
        char::from_u32(high).ok_or_else(|| "`\\u` is followed by no character".to_owned())
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

    /// A class, its `[` taken.
    fn class(&mut self) -> Result<Class, String> {
        self.enter()?;
        let negative = self.take('^');
        let (mut all, mut any): (Vec<Class>, Vec<Class>) = (Vec::new(), Vec::new());
        let mut is_first = true;
        loop {
            self.skip_comments();
            let c = self.peek().ok_or("a class is not closed")?;
            match c {
                ']' if !is_first || !all.is_empty() => {
                    self.at += 1;
                    break;
                }
                '[' => {
                    self.at += 1;
                    any.push(self.class()?);
                }
                '&' if self.looking_at("&&") => {
                    while self.take('&') {}
                    // Nothing before the first `&&` leaves what stands behind.
                    if !any.is_empty() || !all.is_empty() {
                        all.push(Class::Any(std::mem::take(&mut any)));
                    }
                    if self.peek().is_none() {
                        return Err("a class is not closed".to_owned());
                    }
                }
                _ => any.push(self.range()?),
            }
            is_first = false;
        }
        self.depth -= 1;
        if !any.is_empty() || all.is_empty() {
            all.push(Class::Any(any));
        }
        // `[a&&]` keeps what stands before.
        let class = if all.len() == 1 { all.remove(0) } else { Class::All(all) };
        Ok(if negative { class.not() } else { class })
    }

    /// One character, a range, or an escape within a class.
    fn range(&mut self) -> Result<Class, String> {
        let low = self.member()?;
        let Class::Ranges(ranges) = &low else { return Ok(low) };
        let single = match ranges.as_slice() {
            [(low, high)] if low == high => *low,
            _ => return Ok(low),
        };
        let mut class = low;
        if self.peek() == Some('-') {
            match self.chars.get(self.at + 1) {
                None => return Err("a class is not closed".to_owned()),
                // A minus at the end or before a class stands for itself.
                Some(']' | '[') => {}
                Some(_) => {
                    self.at += 1;
                    match self.member()? {
                        Class::Ranges(ranges) if ranges.len() == 1 && ranges[0].0 == ranges[0].1 => {
                            if ranges[0].0 < single {
                                return Err("a range of a class ends before its start".to_owned());
                            }
                            class = Class::Ranges(vec![(single, ranges[0].0)]);
                        }
                        _ => return Err("a range of a class ends in no character".to_owned()),
                    }
                }
            }
        }
        Ok(match self.case() {
            Case::Counts => class,
            case => Class::AnyCase(Box::new(class), case == Case::Unicode),
        })
    }

    fn member(&mut self) -> Result<Class, String> {
        let c = self.peek().ok_or("a class is not closed")?;
        self.at += 1;
        if c != '\\' {
            return Ok(Class::one(c));
        }
        if self.take('Q') {
            let mut quoted = Vec::new();
            while self.at < self.chars.len() && !self.looking_at("\\E") {
                quoted.push(Class::one(self.chars[self.at]));
                self.at += 1;
            }
            self.at = (self.at + 2).min(self.chars.len());
            return Ok(Class::Any(quoted));
        }
        self.class_escape()
    }
}

/// The greatest length of what a piece can match, where it has one.
pub(super) fn longest(node: &Node) -> Option<usize> {
    match node {
        Node::Sequence(nodes) => nodes.iter().try_fold(0usize, |sum, node| sum.checked_add(longest(node)?)),
        Node::Choice(nodes) => nodes.iter().try_fold(0, |most, node| Some(most.max(longest(node)?))),
        Node::One(_) => Some(1),
        Node::Place(_) | Node::Look { .. } => Some(0),
        Node::Reference(..) => None,
        Node::Group(_, node) | Node::Atomic(node) => longest(node),
        Node::Repeat { node, max, .. } => longest(node)?.checked_mul((*max)? as usize),
    }
}
