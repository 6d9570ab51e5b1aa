//! Sets of characters in brackets.

use super::class::Class;
use super::parse::{MAX_NESTING, Parser, too_deep};

impl Parser {
    /// A class, its `[` taken.
    pub(super) fn class(&mut self) -> Result<Class, String> {
        self.enter()?;
        let negative = self.take('^');
        let class = self.members(true, false)?;
        self.depth -= 1;
        Ok(if negative { class.not() } else { class })
    }

    /// What stands in a class up to its `]`, which is taken where it closes this, else left: behind `&&`.
    /// `yields`: so is a further `&&` with something behind it.
    fn members(&mut self, closes: bool, yields: bool) -> Result<Class, String> {
        let not_closed = "a class is not closed";
        let mut any: Vec<Class> = Vec::new();
        // The last member that is a set, for a `&&` with nothing behind it.
        let mut last: Option<Class> = None;
        let mut unions = 0;
        loop {
            self.skip_comments();
            let begin = self.at;
            match self.peek().ok_or(not_closed)? {
                ']' if !any.is_empty() => {
                    self.at += usize::from(closes);
                    return Ok(Class::Any(any));
                }
                '[' => {
                    self.at += 1;
                    let class = self.class()?;
                    last = Some(class.clone());
                    any.push(class);
                }
                '&' if self.take_both() => {
                    self.skip_comments();
                    let goes_on = !matches!(self.peek(), None | Some(']' | '&'));
                    if yields && goes_on && !any.is_empty() {
                        self.at = begin;
                        return Ok(Class::Any(any));
                    }
                    let right = self.right_side()?;
                    if any.is_empty() {
                        // Nothing before it leaves what stands behind.
                        any.push(right.ok_or("`&&` stands between nothing")?);
                        continue;
                    }
                    // Nothing behind it stands for the last that was a set, or for all.
                    let Some(right) = right.or(last.take()) else { continue };
                    match any.as_mut_slice() {
                        [Class::All(all)] => all.push(right),
                        _ => {
                            unions += 1;
                            if unions > MAX_NESTING {
                                return Err(too_deep());
                            }
                            any = vec![Class::All(vec![Class::Any(any), right])];
                        }
                    }
                }
                _ => {
                    let class = self.range()?;
                    last = Some(class.clone()).filter(|class| class.single().is_none());
                    any.push(class);
                }
            }
        }
    }

    /// Takes `&&`, and not a single one.
    fn take_both(&mut self) -> bool {
        let begin = self.at;
        self.at += 1;
        self.skip_comments();
        let taken = self.take('&');
        if !taken {
            self.at = begin;
        }
        taken
    }

    /// What stands behind `&&`, up to the end or to the next `&`.
    fn right_side(&mut self) -> Result<Option<Class>, String> {
        let mut right = Vec::new();
        loop {
            self.skip_comments();
            match self.peek().ok_or("a class is not closed")? {
                ']' | '&' => break,
                '[' => {
                    self.at += 1;
                    right.push(self.class()?);
                }
                // Sets that are cut one after the other nest in nothing.
                _ if right.is_empty() => right.push(self.members(false, true)?),
                _ => right.push(self.nested_members()?),
            }
        }
        Ok((!right.is_empty()).then_some(Class::Any(right)))
    }

    /// The rest behind `&&`, with all that it has of `&&` itself.
    fn nested_members(&mut self) -> Result<Class, String> {
        self.enter()?;
        let members = self.members(false, false)?;
        self.depth -= 1;
        Ok(members)
    }

    /// One character, a range, or an escape within a class.
    fn range(&mut self) -> Result<Class, String> {
        let low = self.member()?;
        let Some(single) = low.single() else { return Ok(low) };
        let mut class = low;
        if self.peek() == Some('-') {
            match self.chars.get(self.at + 1) {
                None => return Err("a class is not closed".to_owned()),
                // A minus at the end or before a class stands for itself.
                Some(']' | '[') => {}
                Some(_) => {
                    self.at += 1;
                    let high = self.member()?.single().ok_or("a range of a class ends in no character")?;
                    if high < single {
                        return Err("a range of a class ends before its start".to_owned());
                    }
                    class = Class::Ranges(vec![(single, high)]);
                }
            }
        }
        Ok(self.cased(class))
    }

    fn member(&mut self) -> Result<Class, String> {
        let c = self.peek().ok_or("a class is not closed")?;
        self.at += 1;
        if c != '\\' {
            return Ok(Class::one(c));
        }
        self.class_escape()
    }
}
