//! Groups of all kinds, and flags.

use super::node::{Node, longest};
use super::parse::Parser;

impl Parser {
    pub(super) fn group(&mut self) -> Result<Option<Node>, String> {
        self.enter()?;
        let flags = self.flags;
        self.skip_comments();
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
            self.skip_comments();
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
                // It means `u` too.
                'U' => (self.flags.unicode_class, self.flags.unicode_case) = (on, on),
                'x' => self.flags.comments = on,
                'c' => {}
                _ => return Err(format!("`(?{c}` is no kind of group")),
            }
        }
    }

    pub(super) fn name(&mut self, end: char) -> Result<String, String> {
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
}
