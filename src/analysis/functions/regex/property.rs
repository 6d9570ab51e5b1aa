//! Kinds of characters by name, `\p{…}`: general categories, properties and scripts of Unicode, and methods of
//! `java.lang.Character`. Which characters are of which kind is known by `regex-syntax`.
//!
//! Not known: blocks (`\p{InGreek}`), `javaMirrored`, `javaUnicodeIdentifierStart` and the like.

use regex_syntax::hir::{Class as Known, HirKind};

use super::class::{self, Class};

/// How the flags of a pattern change what a name stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Reading {
    /// `(?i)`: upper and lower case and titles are one kind.
    pub(super) any_case: bool,
    /// `(?U)`: names of POSIX are those of Unicode.
    pub(super) unicode: bool,
}

/// The set of `\p{name}` (`Pattern.family`).
pub(super) fn named(name: &str, reading: Reading) -> Option<Class> {
    if let Some((key, value)) = name.split_once('=') {
        return match key.to_ascii_lowercase().as_str() {
            "gc" | "general_category" => plain(value, reading),
            "sc" | "script" => script(value),
            _ => None,
        };
    }
    match name.strip_prefix("Is") {
        Some(name) => {
            property(name, reading.any_case).or_else(|| plain(name, reading)).or_else(|| script(name))
        }
        None if reading.unicode => {
            posix_of_unicode(&name.to_ascii_uppercase(), reading.any_case).or_else(|| plain(name, reading))
        }
        None => plain(name, reading),
    }
}

/// What `\w`, `\d` and `\s` stand for with `(?U)`; the small letter.
pub(super) fn escape(letter: char) -> Option<Class> {
    match letter {
        'w' => property("Word", false),
        'd' => property("Digit", false),
        's' => property("White_Space", false),
        letter => class::escape(letter),
    }
}

/// What `regex-syntax` knows by a text such as `\p{L}`.
fn known(pattern: &str) -> Option<Class> {
    match regex_syntax::Parser::new().parse(pattern).ok()?.into_kind() {
        HirKind::Class(Known::Unicode(class)) => {
            Some(Class::Table(class.iter().map(|range| (range.start() as u32, range.end() as u32)).collect()))
        }
        // One character alone is no class there; here it is one, which begins no range.
        HirKind::Literal(literal) => {
            let mut chars = std::str::from_utf8(&literal.0).ok()?.chars();
            chars.next().filter(|_| chars.next().is_none()).map(|c| Class::Table(vec![(c as u32, c as u32)]))
        }
        _ => None,
    }
}

/// Upper and lower case and titles, one of which was asked for.
fn cased(one: &str, any_case: bool) -> Option<Class> {
    known(if any_case { r"[\p{Lowercase}\p{Uppercase}\p{Lt}]" } else { one })
}

/// Names that stand behind `Is` (`CharPredicates.forUnicodeProperty`).
fn property(name: &str, any_case: bool) -> Option<Class> {
    let name = name.to_ascii_uppercase();
    match name.as_str() {
        "ALPHABETIC" => known(r"\p{Alphabetic}"),
        "ASSIGNED" => known(r"\P{Cn}"),
        "CONTROL" => known(r"\p{Cc}"),
        "HEXDIGIT" | "HEX_DIGIT" => known(r"[\p{Nd}\p{Hex_Digit}]"),
        "IDEOGRAPHIC" => known(r"\p{Ideographic}"),
        "JOINCONTROL" | "JOIN_CONTROL" => known(r"\p{Join_Control}"),
        "LETTER" => known(r"\p{L}"),
        "LOWERCASE" => cased(r"\p{Lowercase}", any_case),
        "NONCHARACTERCODEPOINT" | "NONCHARACTER_CODE_POINT" => known(r"\p{Noncharacter_Code_Point}"),
        "PUNCTUATION" => known(r"\p{P}"),
        "TITLECASE" => cased(r"\p{Lt}", any_case),
        "UPPERCASE" => cased(r"\p{Uppercase}", any_case),
        "WHITESPACE" | "WHITE_SPACE" => known(r"\p{White_Space}"),
        "WORD" => known(r"[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]"),
        name => posix_of_unicode(name, any_case),
    }
}

/// `CharPredicates.forPOSIXName`
fn posix_of_unicode(name: &str, any_case: bool) -> Option<Class> {
    match name {
        "ALPHA" => known(r"\p{Alphabetic}"),
        "LOWER" => cased(r"\p{Lowercase}", any_case),
        "UPPER" => cased(r"\p{Uppercase}", any_case),
        "SPACE" => known(r"\p{White_Space}"),
        "PUNCT" => known(r"\p{P}"),
        "XDIGIT" => known(r"[\p{Nd}\p{Hex_Digit}]"),
        "ALNUM" => known(r"[\p{Alphabetic}\p{Nd}]"),
        "CNTRL" => known(r"\p{Cc}"),
        "DIGIT" => known(r"\p{Nd}"),
        "BLANK" => known(r"[\p{Zs}\t]"),
        "GRAPH" => known(r"[^\p{Z}\p{Cc}\p{Cn}]"),
        "PRINT" => known(r"[^\p{Zl}\p{Zp}\p{Cc}\p{Cn}]"),
        _ => None,
    }
}

/// General categories, names of POSIX and of Java (`CharPredicates.forProperty`).
fn plain(name: &str, reading: Reading) -> Option<Class> {
    if let Some(class) = class::posix(name, reading.any_case) {
        return Some(class);
    }
    match name {
        "ASCII" => Some(Class::Ranges(vec![(0, 0x7f)])),
        "L1" => Some(Class::Ranges(vec![(0, 0xff)])),
        "all" => Some(Class::Ranges(vec![(0, char::MAX as u32)])),
        // Halves of pairs, which no text has.
        "Cs" => Some(Class::Ranges(Vec::new())),
        "LD" => known(r"[\p{L}\p{Nd}]"),
        "LC" => known(r"[\p{Lu}\p{Ll}\p{Lt}]"),
        "Lu" | "Ll" | "Lt" if reading.any_case => known(r"[\p{Lu}\p{Ll}\p{Lt}]"),
        "Cn" | "Lu" | "Ll" | "Lt" | "Lm" | "Lo" | "Mn" | "Me" | "Mc" | "Nd" | "Nl" | "No" | "Zs" | "Zl"
        | "Zp" | "Cc" | "Cf" | "Co" | "Pd" | "Ps" | "Pe" | "Pc" | "Po" | "Sm" | "Sc" | "Sk" | "So" | "Pi"
        | "Pf" | "L" | "M" | "N" | "Z" | "C" | "P" | "S" => known(&format!(r"\p{{{name}}}")),
        name => of_java(name.strip_prefix("java")?, reading.any_case),
    }
}

/// The methods `is…` of `java.lang.Character`.
fn of_java(name: &str, any_case: bool) -> Option<Class> {
    match name {
        "LowerCase" => cased(r"\p{Lowercase}", any_case),
        "UpperCase" => cased(r"\p{Uppercase}", any_case),
        "TitleCase" => cased(r"\p{Lt}", any_case),
        "Alphabetic" => known(r"\p{Alphabetic}"),
        "Ideographic" => known(r"\p{Ideographic}"),
        "Digit" => known(r"\p{Nd}"),
        "Defined" => known(r"\P{Cn}"),
        "Letter" => known(r"\p{L}"),
        "LetterOrDigit" => known(r"[\p{L}\p{Nd}]"),
        "JavaIdentifierStart" => known(r"[\p{L}\p{Nl}\p{Sc}\p{Pc}]"),
        "JavaIdentifierPart" => {
            known(r"[\p{L}\p{Nl}\p{Sc}\p{Pc}\p{Nd}\p{Mc}\p{Mn}\x00-\x08\x0e-\x1b\x7f-\x9f\p{Cf}]")
        }
        "IdentifierIgnorable" => known(r"[\x00-\x08\x0e-\x1b\x7f-\x9f\p{Cf}]"),
        "SpaceChar" => known(r"\p{Z}"),
        "Whitespace" => known(r"[[\p{Z}--[\u00a0\u2007\u202f]]\t-\r\x1c-\x1f]"),
        "ISOControl" => known(r"\p{Cc}"),
        _ => None,
    }
}

fn script(name: &str) -> Option<Class> {
    let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    known(&format!(r"\p{{sc={name}}}")).filter(|_| is_name)
}
