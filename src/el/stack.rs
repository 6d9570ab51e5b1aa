//! The stack of an evaluation: its lowest part needs no allocation.

use super::value::Value;

/// Values that are kept without an allocation.
const INLINE: usize = 6;

/// A stack of values.
pub(super) struct Stack<'a> {
    inline: [Value<'a>; INLINE],
    length: usize,
    rest: Vec<Value<'a>>,
}

impl<'a> Stack<'a> {
    pub(super) fn new() -> Stack<'a> {
        Stack { inline: [const { Value::Null }; INLINE], length: 0, rest: Vec::new() }
    }

    #[inline(always)]
    pub(super) fn push(&mut self, value: Value<'a>) {
        match self.inline.get_mut(self.length) {
            Some(place) => {
                *place = value;
                self.length += 1;
            }
            None => self.rest.push(value),
        }
    }

    /// The top; null when there is none, which no program does.
    #[inline(always)]
    pub(super) fn pop(&mut self) -> Value<'a> {
        if let Some(value) = self.rest.pop() {
            return value;
        }
        self.length = self.length.saturating_sub(1);
        std::mem::replace(&mut self.inline[self.length], Value::Null)
    }

    pub(super) fn is_null_on_top(&self) -> bool {
        match self.rest.last() {
            Some(top) => matches!(top, Value::Null),
            None => self.length > 0 && matches!(self.inline[self.length - 1], Value::Null),
        }
    }

    /// Takes the topmost values off, in the order in which they were put down.
    pub(super) fn take(&mut self, count: usize) -> Vec<Value<'a>> {
        let mut values: Vec<_> = (0..count).map(|_| self.pop()).collect();
        values.reverse();
        values
    }
}
