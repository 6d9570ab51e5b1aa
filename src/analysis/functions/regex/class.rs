//! Sets of characters.

/// A set of characters.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Class {
    /// One of these ranges, ends included.
    Ranges(Vec<(char, char)>),
    /// A named property.
    Property(Property),
    /// In none of it.
    Not(Box<Class>),
    /// In any of them.
    Any(Vec<Class>),
    /// In all of them.
    All(Vec<Class>),
    /// As it is, or in the other case; `true`: of any script, else ASCII alone.
    AnyCase(Box<Class>, bool),
}

/// Properties that are no small list of ranges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Property {
    Letter,
    Upper,
    Lower,
    Number,
    WhiteSpace,
    Alphabetic,
    LetterOrDigit,
    Control,
    Punctuation,
}

impl Class {
    pub(super) fn one(c: char) -> Class {
        Class::Ranges(vec![(c, c)])
    }

    pub(super) fn not(self) -> Class {
        Class::Not(Box::new(self))
    }

    /// Is the character in the set? Sets nest no deeper than patterns may.
    pub(super) fn contains(&self, c: char) -> bool {
        match self {
            Class::Ranges(ranges) => ranges.iter().any(|(low, high)| (*low..=*high).contains(&c)),
            Class::Property(property) => property.holds(c),
            Class::Not(class) => !class.contains(c),
            Class::Any(classes) => classes.iter().any(|class| class.contains(c)),
            Class::All(classes) => classes.iter().all(|class| class.contains(c)),
            Class::AnyCase(class, unicode) => {
                class.contains(c) || other_cases(c, *unicode).any(|other| class.contains(other))
            }
        }
    }
}

/// The same letter in the other case.
pub(super) fn other_cases(c: char, unicode: bool) -> impl Iterator<Item = char> {
    let single = |mut chars: std::iter::Take<std::vec::IntoIter<char>>| chars.next();
    let upper: Vec<char> = c.to_uppercase().collect();
    let lower: Vec<char> = c.to_lowercase().collect();
    let fits = move |chars: &Vec<char>| chars.len() == 1 && (unicode || c.is_ascii() && chars[0].is_ascii());
    [upper, lower]
        .into_iter()
        .filter(move |chars| fits(chars))
        .filter_map(move |chars| single(chars.into_iter().take(1)))
}

impl Property {
    fn holds(self, c: char) -> bool {
        match self {
            Property::Letter => c.is_alphabetic(),
            Property::Upper => c.is_uppercase(),
            Property::Lower => c.is_lowercase(),
            Property::Number => c.is_numeric(),
            Property::WhiteSpace => c.is_whitespace(),
            Property::Alphabetic => c.is_alphabetic(),
            Property::LetterOrDigit => c.is_alphanumeric(),
            Property::Control => c.is_control(),
            Property::Punctuation => {
                c.is_ascii_punctuation() && !"$+<=>^`|~".contains(c)
                    || matches!(c, '\u{a1}' | '\u{a7}' | '\u{ab}' | '\u{b6}' | '\u{b7}' | '\u{bb}' | '\u{bf}')
                    || matches!(c, '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{205e}' | '\u{3001}'..='\u{3003}')
            }
        }
    }
}

fn ranges(list: &[(char, char)]) -> Class {
    Class::Ranges(list.to_vec())
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

/// The set of `\p{name}`.
pub(super) fn named(name: &str) -> Option<Class> {
    let of = |property| Some(Class::Property(property));
    let plain = name.strip_prefix("Is").or_else(|| name.strip_prefix("general_category=")).unwrap_or(name);
    match name {
        "Lower" => return Some(ranges(&[('a', 'z')])),
        "Upper" => return Some(ranges(&[('A', 'Z')])),
        "ASCII" => return Some(ranges(&[('\0', '\u{7f}')])),
        "Alpha" => return Some(ranges(&[('a', 'z'), ('A', 'Z')])),
        "Digit" => return Some(ranges(&[('0', '9')])),
        "Alnum" => return Some(ranges(&[('a', 'z'), ('A', 'Z'), ('0', '9')])),
        "Punct" => return Some(ranges(&[('!', '/'), (':', '@'), ('[', '`'), ('{', '~')])),
        "Graph" => return Some(ranges(&[('!', '~')])),
        "Print" => return Some(ranges(&[(' ', '~')])),
        "Blank" => return Some(ranges(&[(' ', ' '), ('\t', '\t')])),
        "Cntrl" => return Some(ranges(&[('\0', '\u{1f}'), ('\u{7f}', '\u{7f}')])),
        "XDigit" => return Some(ranges(&[('0', '9'), ('a', 'f'), ('A', 'F')])),
        "Space" => return escape('s'),
        _ => {}
    }
    match plain {
        "L" | "Letter" | "javaLetter" => of(Property::Letter),
        "Lu" | "Uppercase" | "javaUpperCase" => of(Property::Upper),
        "Ll" | "Lowercase" | "javaLowerCase" => of(Property::Lower),
        "N" | "Nd" | "Digit" | "javaDigit" => of(Property::Number),
        "Alphabetic" | "javaAlphabetic" => of(Property::Alphabetic),
        "LD" | "javaLetterOrDigit" => of(Property::LetterOrDigit),
        "White_Space" | "WhiteSpace" | "Z" | "Zs" | "javaWhitespace" => of(Property::WhiteSpace),
        "Cc" | "Control" => of(Property::Control),
        "P" | "Punctuation" => of(Property::Punctuation),
        _ => None,
    }
}
