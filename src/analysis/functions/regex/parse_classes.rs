//! Sets of characters in brackets.

use super::class::Class;
use super::parse::Parser;

impl Parser {
    /// A class, its `[` taken.
    pub(super) fn class(&mut self) -> Result<Class, String> {
        self.enter()?;
        let negative = self.take('^');
        let class = self.members(true)?;
        self.depth -= 1;
        Ok(if negative { class.not() } else { class })
    }

    /// What stands in a class up to its `]`, which is taken where it closes this, else left: behind `&&`.
    fn members(&mut self, closes: bool) -> Result<Class, String> {
        let not_closed = "a class is not closed";
        let mut any: Vec<Class> = Vec::new();
        loop {
            self.skip_comments();
            match self.peek().ok_or(not_closed)? {
                ']' if !any.is_empty() => {
                    self.at += usize::from(closes);
                    return Ok(Class::Any(any));
                }
                '[' => {
                    self.at += 1;
                    any.push(self.class()?);
                }
                '&' if self.take_both() => {
                    let last = any.last().filter(|class| class.single().is_none()).cloned();
                    match (any.is_empty(), self.right_side()?) {
                        (true, None) => return Err("`&&` stands between nothing".to_owned()),
                        // Nothing before it leaves what stands behind.
                        (true, Some(right)) => any.push(right),
                        (false, right) => {
                            // Nothing behind it stands for the last that was a set, or for all.
                            let both = [Some(Class::Any(any)), right.or(last)];
                            any = vec![Class::All(both.into_iter().flatten().collect())];
                        }
                    }
                }
                _ => any.push(self.range()?),
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
                _ => right.push(self.nested_members()?),
            }
        }
        Ok((!right.is_empty()).then_some(Class::Any(right)))
    }

    /// The rest behind `&&`, with all that it has of `&&` itself.
    fn nested_members(&mut self) -> Result<Class, String> {
        self.enter()?;
        let members = self.members(false)?;
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
