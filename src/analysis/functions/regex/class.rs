//! Sets of characters.

use std::rc::Rc;

/// A set of characters, which are code points: patterns may speak of halves of pairs, texts have none.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Class {
    /// One of these ranges, ends included.
    Ranges(Vec<(u32, u32)>),
    /// The same, sorted, for many of them.
    Table(Vec<(u32, u32)>),
    /// In none of it.
    Not(Box<Class>),
    /// In any of them.
    Any(Vec<Class>),
    /// In all of them.
    All(Vec<Class>),
    /// As it is, or in the other case of ASCII.
    AnyCase(Box<Class>),
    /// As it is, or in the other case of any script.
    AnyCaseUnicode(Box<Class>),
    /// What has the same letter when case does not count, which is given.
    Folded(char),
}

/// A set that patterns and programs share, however often it stands in them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Set {
    pub(super) class: Class,
    /// What a look at it costs beyond a small one, in instructions.
    pub(super) cost: u64,
}

impl Class {
    /// To be shared.
    pub(super) fn shared(self) -> Rc<Set> {
        /// So many ranges are looked at in the time of an instruction.
        const AT_ONCE: u64 = 16;
        let cost = self.size() / AT_ONCE;
        Rc::new(Set { class: self, cost })
    }

    /// How many ranges are looked at for one character, at most. Sets nest no deeper than patterns may.
    fn size(&self) -> u64 {
        match self {
            Class::Ranges(ranges) => ranges.len() as u64,
            // Halved until it is found.
            Class::Table(ranges) => u64::from(ranges.len().checked_ilog2().unwrap_or(0)) + 1,
            Class::Not(class) => class.size(),
            Class::Any(classes) | Class::All(classes) => classes.iter().map(Class::size).sum(),
            Class::AnyCase(class) | Class::AnyCaseUnicode(class) => class.size() * 3,
            Class::Folded(_) => 1,
        }
    }

    pub(super) fn one(c: char) -> Class {
        Class::code(c as u32)
    }

    pub(super) fn code(code: u32) -> Class {
        Class::Ranges(vec![(code, code)])
    }

    pub(super) fn not(self) -> Class {
        Class::Not(Box::new(self))
    }

    /// The only code point of a set that has just one.
    pub(super) fn single(&self) -> Option<u32> {
        match self {
            Class::Ranges(ranges) => match ranges.as_slice() {
                [(low, high)] if low == high => Some(*low),
                _ => None,
            },
            _ => None,
        }
    }

    /// Is the character in the set? Sets nest no deeper than patterns may.
    pub(super) fn contains(&self, c: char) -> bool {
        let code = c as u32;
        match self {
            Class::Ranges(ranges) => ranges.iter().any(|(low, high)| (*low..=*high).contains(&code)),
            Class::Table(ranges) => {
                let at = ranges.partition_point(|(_, high)| *high < code);
                ranges.get(at).is_some_and(|(low, _)| *low <= code)
            }
            Class::Not(class) => !class.contains(c),
            Class::Any(classes) => classes.iter().any(|class| class.contains(c)),
            Class::All(classes) => classes.iter().all(|class| class.contains(c)),
            Class::AnyCase(class) => {
                class.contains(c)
                    || class.contains(c.to_ascii_uppercase())
                    || class.contains(c.to_ascii_lowercase())
            }
            Class::AnyCaseUnicode(class) => {
                class.contains(c) || class.contains(upper(c)) || class.contains(folded(c))
            }
            Class::Folded(wanted) => folded(c) == *wanted,
        }
    }
}

/// `Character.toUpperCase`: itself where the upper case is several letters.
fn upper(c: char) -> char {
    let mut upper = c.to_uppercase();
    match (upper.next(), upper.next()) {
        (Some(one), None) => one,
        _ => c,
    }
}

/// What two characters have in common that differ in case alone, as Java compares them.
pub(super) fn folded(c: char) -> char {
    let upper = upper(c);
    // Of several letters the first is the letter, and the others are its marks.
    upper.to_lowercase().next().unwrap_or(upper)
}

fn ranges(list: &[(char, char)]) -> Class {
    Class::Ranges(list.iter().map(|(low, high)| (*low as u32, *high as u32)).collect())
}

/// `\d \h \s \v \w`, the small letter of each.
pub(super) fn escape(letter: char) -> Option<Class> {
    Some(match letter {
        'd' => ranges(&[('0', '9')]),
        'w' => ranges(&[('a', 'z'), ('A', 'Z'), ('0', '9'), ('_', '_')]),
        's' => ranges(&[('\t', '\r'), (' ', ' ')]),
        'v' => ranges(&[('\n', '\r'), ('\u{85}', '\u{85}'), ('\u{2028}', '\u{2029}')]),
        'h' => ranges(&[
            (' ', ' '),
            ('\t', '\t'),
            ('\u{a0}', '\u{a0}'),
            ('\u{1680}', '\u{1680}'),
            ('\u{180e}', '\u{180e}'),
            ('\u{2000}', '\u{200a}'),
            ('\u{202f}', '\u{202f}'),
            ('\u{205f}', '\u{205f}'),
            ('\u{3000}', '\u{3000}'),
        ]),
        _ => return None,
    })
}

/// The names that POSIX has, for ASCII.
pub(super) fn posix(name: &str, any_case: bool) -> Option<Class> {
    Some(match name {
        "Lower" | "Upper" if any_case => ranges(&[('a', 'z'), ('A', 'Z')]),
        "Lower" => ranges(&[('a', 'z')]),
        "Upper" => ranges(&[('A', 'Z')]),
        "Alpha" => ranges(&[('a', 'z'), ('A', 'Z')]),
        "Digit" => ranges(&[('0', '9')]),
        "Alnum" => ranges(&[('a', 'z'), ('A', 'Z'), ('0', '9')]),
        "Punct" => ranges(&[('!', '/'), (':', '@'), ('[', '`'), ('{', '~')]),
        "Graph" => ranges(&[('!', '~')]),
        "Print" => ranges(&[(' ', '~')]),
        "Blank" => ranges(&[(' ', ' '), ('\t', '\t')]),
        "Cntrl" => ranges(&[('\0', '\u{1f}'), ('\u{7f}', '\u{7f}')]),
        "XDigit" => ranges(&[('0', '9'), ('a', 'f'), ('A', 'F')]),
        "Space" => escape('s')?,
        _ => return None,
    })
}
