//! Runs programs on texts, with an explicit list of ways back.

use std::sync::LazyLock;

use super::class::{self, Class};
use super::compile::{Program, Step};
use super::node::{Case, Place};
use super::property::{self, Reading};
use crate::el::Failure;

/// Instructions that all searches of one call may take together.
const MAX_STEPS: u64 = 20_000_000;
/// Characters that are compared in the time of an instruction.
const AT_ONCE: u64 = 8;
/// Ways back that may be open at once.
const MAX_OPEN: usize = 4_000_000;

static LETTER_OR_DIGIT: LazyLock<Class> = LazyLock::new(|| kind("LD"));
static MARK: LazyLock<Class> = LazyLock::new(|| kind("Mn"));
static WORD_OF_UNICODE: LazyLock<Class> = LazyLock::new(|| kind("IsWord"));

/// A kind of character, which is known.
fn kind(name: &str) -> Class {
    property::named(name, Reading::default()).unwrap_or(Class::Ranges(Vec::new()))
}

/// Where groups begin and end.
#[derive(Clone, Debug)]
pub(super) struct Slots(Vec<Option<usize>>);

impl Slots {
    /// The place of a group that took part.
    pub(super) fn group(&self, number: usize) -> Option<(usize, usize)> {
        Some(((*self.0.get(number * 2)?)?, (*self.0.get(number * 2 + 1)?)?))
    }
}

/// A search through one text.
pub(super) struct Machine<'p> {
    program: &'p Program,
    text: &'p [char],
    slots: Slots,
    registers: Vec<usize>,
    /// Where the last match began and ended.
    last: Option<(usize, usize)>,
    steps: u64,
}

/// A way back.
enum Back {
    Go(usize, usize),
    Slot(usize, Option<usize>),
    Register(usize, usize),
}

impl<'p> Machine<'p> {
    pub(super) fn new(program: &'p Program, text: &'p [char]) -> Machine<'p> {
        let slots = Slots(vec![None; (program.groups + 1) * 2]);
        Machine { program, text, slots, registers: vec![usize::MAX; program.registers], last: None, steps: 0 }
    }

    /// The next match (`Matcher.find`).
    pub(super) fn find(&mut self) -> Result<Option<Slots>, Failure> {
        let from = match self.last {
            None => 0,
            Some((start, end)) if start == end => end + 1,
            Some((_, end)) => end,
        };
        self.slots.0.fill(None);
        for start in from..=self.text.len() {
            if let Some(end) = self.run(0, start, None)? {
                self.slots.0[0] = Some(start);
                self.slots.0[1] = Some(end);
                self.last = Some((start, end));
                return Ok(Some(self.slots.clone()));
            }
        }
        Ok(None)
    }

    /// Runs from an instruction to a match; `must_end` is where that has to be. Calls itself for lookaround and atomic
    /// groups, which nest no deeper than patterns may.
    fn run(&mut self, start: usize, from: usize, must_end: Option<usize>) -> Result<Option<usize>, Failure> {
        let program = self.program;
        let mut open: Vec<Back> = Vec::new();
        let (mut step, mut at) = (start, from);
        loop {
            self.steps += 1;
            if self.steps > MAX_STEPS || open.len() > MAX_OPEN {
                return Err(Failure::new(
                    "StackOverflowError",
                    "the regular expression takes too long on this text",
                ));
            }
            let goes_on = match &program.steps[step] {
                Step::Match if must_end.is_none_or(|end| end == at) => return Ok(Some(at)),
                Step::Match => false,
                Step::One(set) => {
                    self.steps += set.cost;
                    let fits = self.text.get(at).is_some_and(|c| set.class.contains(*c));
                    at += usize::from(fits);
                    fits
                }
                Step::Place(place) => self.is_at(*place, at),
                Step::Reference(group, case) => match self.reference(*group, *case, at) {
                    Some(end) => {
                        at = end;
                        true
                    }
                    None => false,
                },
                Step::Close { group, register } => {
                    // Not before: within itself a group is still what it was.
                    for (slot, place) in [(group * 2, self.registers[*register]), (group * 2 + 1, at)] {
                        open.push(Back::Slot(slot, self.slots.0[slot]));
                        self.slots.0[slot] = Some(place);
                    }
                    true
                }
                Step::Begin(register) => {
                    open.push(Back::Register(*register, self.registers[*register]));
                    self.registers[*register] = at;
                    true
                }
                Step::Again { register, target } => {
                    if self.registers[*register] != at {
                        step = *target;
                        continue;
                    }
                    true
                }
                Step::Split(first, second) => {
                    open.push(Back::Go(*second, at));
                    step = *first;
                    continue;
                }
                Step::Jump(target) => {
                    step = *target;
                    continue;
                }
                Step::Atomic { end } => {
                    // What groups took in there stays, whatever happens behind.
                    match self.run(step + 1, at, None)? {
                        Some(there) => {
                            at = there;
                            step = *end;
                            continue;
                        }
                        None => false,
                    }
                }
                Step::Look { behind, negative, end } => {
                    let found = match behind {
                        None => self.run(step + 1, at, None)?.is_some(),
                        Some(longest) => self.is_behind(step + 1, at, *longest)?,
                    };
                    if found != *negative {
                        step = *end;
                        continue;
                    }
                    false
                }
            };
            if goes_on {
                step += 1;
                continue;
            }
            loop {
                match open.pop() {
                    None => return Ok(None),
                    Some(Back::Slot(slot, value)) => self.slots.0[slot] = value,
                    Some(Back::Register(register, value)) => self.registers[register] = value,
                    Some(Back::Go(back_step, back_at)) => {
                        (step, at) = (back_step, back_at);
                        break;
                    }
                }
            }
        }
    }

    fn is_behind(&mut self, step: usize, at: usize, longest: usize) -> Result<bool, Failure> {
        for start in (at.saturating_sub(longest)..=at).rev() {
            if self.run(step, start, Some(at))?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn reference(&mut self, group: usize, case: Case, at: usize) -> Option<usize> {
        let (start, end) = self.slots.group(group)?;
        let there = at.checked_add(end - start).filter(|there| *there <= self.text.len())?;
        self.steps += (end - start) as u64 / AT_ONCE;
        let same = |a: char, b: char| {
            a == b
                || match case {
                    Case::Counts => false,
                    Case::Ascii => a.eq_ignore_ascii_case(&b),
                    Case::Unicode => class::folded(a) == class::folded(b),
                }
        };
        let fits = (start..end).zip(at..there).all(|(a, b)| same(self.text[a], self.text[b]));
        fits.then_some(there)
    }

    fn is_at(&mut self, place: Place, at: usize) -> bool {
        let (text, length) = (self.text, self.text.len());
        let ends_line = |c: char, unix: bool| {
            c == '\n' || !unix && matches!(c, '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
        };
        match place {
            Place::Start => at == 0,
            Place::VeryEnd => at == length,
            Place::LastEnd => at == self.last.map_or(0, |(_, end)| end),
            // Never at the end of the text, not even of an empty one.
            Place::LineStart(unix) => {
                let after_newline = |at: usize| {
                    ends_line(text[at - 1], unix) && (unix || text[at - 1] != '\r' || text[at] != '\n')
                };
                at < length && (at == 0 || after_newline(at))
            }
            Place::End(unix) => {
                let ends = |at: usize| ends_line(text[at], unix) && (unix || !between_newline(text, at));
                at == length
                    || at + 1 == length && ends(at)
                    || at + 2 == length && !unix && text[at] == '\r' && text[at + 1] == '\n'
            }
            Place::LineEnd(unix) => {
                at == length || ends_line(text[at], unix) && (unix || !between_newline(text, at))
            }
            Place::Word(unicode) => self.is_word_edge(at, unicode),
            Place::NoWord(unicode) => !self.is_word_edge(at, unicode),
        }
    }

    /// `Pattern.Bound`: letters and digits of every script count here, unlike for `\w`.
    fn is_word_edge(&mut self, at: usize, unicode: bool) -> bool {
        let before = at.checked_sub(1).is_some_and(|at| self.is_word(at, unicode));
        before != self.is_word(at, unicode)
    }

    fn is_word(&mut self, at: usize, unicode: bool) -> bool {
        let Some(c) = self.text.get(at) else { return false };
        if unicode {
            return WORD_OF_UNICODE.contains(*c);
        }
        if !MARK.contains(*c) {
            return *c == '_' || LETTER_OR_DIGIT.contains(*c);
        }
        // A mark belongs to the letter before it.
        let marks = self.text[..at].iter().rev().take_while(|c| MARK.contains(**c)).count();
        self.steps += marks as u64;
        (at - marks).checked_sub(1).is_some_and(|at| LETTER_OR_DIGIT.contains(self.text[at]))
    }
}

/// Between `\r` and `\n`?
fn between_newline(text: &[char], at: usize) -> bool {
    at > 0 && text[at] == '\n' && text[at - 1] == '\r'
}
