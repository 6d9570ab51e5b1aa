//! Types of values: what a text must be.

use crate::xml::{is_name_char, is_name_start};

/// What a value must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// Anything.
    Any,
    /// `true`, `false`, `1` or `0`.
    Boolean,
    /// A whole number of 16 bits.
    Short,
    /// A whole number of 32 bits without sign.
    UnsignedInt,
    /// A letter, then letters, digits, `-` and `_`.
    Name,
    /// The same, or an underscore first.
    NodeName,
    /// A type that no schema uses, but an element may name: of XSD itself.
    BuiltIn(BuiltIn),
}

/// Types of XSD that are derived from those that the schemas use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BuiltIn {
    NormalizedString,
    Token,
    Language,
    NmToken,
    XmlName,
    NcName,
    Byte,
    UnsignedShort,
    UnsignedByte,
}

/// The types of XSD by name. Those that are left out are of no use to an element of the schemas, or say something about the
/// whole document (`ID`, `IDREF`, `ENTITY`).
pub(super) const BUILT_IN: [(&str, Value); 13] = [
    ("string", Value::Any),
    ("boolean", Value::Boolean),
    ("short", Value::Short),
    ("unsignedInt", Value::UnsignedInt),
    ("normalizedString", Value::BuiltIn(BuiltIn::NormalizedString)),
    ("token", Value::BuiltIn(BuiltIn::Token)),
    ("language", Value::BuiltIn(BuiltIn::Language)),
    ("NMTOKEN", Value::BuiltIn(BuiltIn::NmToken)),
    ("Name", Value::BuiltIn(BuiltIn::XmlName)),
    ("NCName", Value::BuiltIn(BuiltIn::NcName)),
    ("byte", Value::BuiltIn(BuiltIn::Byte)),
    ("unsignedShort", Value::BuiltIn(BuiltIn::UnsignedShort)),
    ("unsignedByte", Value::BuiltIn(BuiltIn::UnsignedByte)),
];

impl Value {
    /// The type that this one is derived from.
    fn base(self) -> Option<Value> {
        Some(match self {
            Value::Any | Value::Boolean | Value::Short | Value::UnsignedInt => return None,
            Value::Name | Value::NodeName => Value::Any,
            Value::BuiltIn(built_in) => match built_in {
                BuiltIn::NormalizedString => Value::Any,
                BuiltIn::Token => Value::BuiltIn(BuiltIn::NormalizedString),
                BuiltIn::Language | BuiltIn::NmToken | BuiltIn::XmlName => Value::BuiltIn(BuiltIn::Token),
                BuiltIn::NcName => Value::BuiltIn(BuiltIn::XmlName),
                BuiltIn::Byte => Value::Short,
                BuiltIn::UnsignedShort => Value::UnsignedInt,
                BuiltIn::UnsignedByte => Value::BuiltIn(BuiltIn::UnsignedShort),
            },
        })
    }

    /// Is it this type, or one that is derived from it.
    pub(super) fn derives_from(self, base: Value) -> bool {
        let mut at = Some(self);
        while let Some(one) = at {
            if one == base {
                return true;
            }
            at = one.base();
        }
        false
    }

    /// Is this text such a value.
    pub(super) fn takes(self, text: &str) -> bool {
        let blank = |c: char| matches!(c, ' ' | '\t' | '\n' | '\r');
        let trimmed = text.trim_matches(blank);
        let name = |first: fn(&u8) -> bool| {
            let rest = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
            text.as_bytes().first().is_some_and(first) && text.as_bytes().iter().all(rest)
        };
        match self {
            Value::Any => true,
            Value::Boolean => matches!(trimmed, "true" | "false" | "1" | "0"),
            Value::Short => whole(trimmed).is_some_and(|n| i16::try_from(n).is_ok()),
            Value::UnsignedInt => whole(trimmed).is_some_and(|n| u32::try_from(n).is_ok()),
            Value::Name => name(u8::is_ascii_alphabetic),
            Value::NodeName => name(|byte| byte.is_ascii_alphabetic() || *byte == b'_'),
            Value::BuiltIn(built_in) => built_in.takes(trimmed),
        }
    }
}

impl BuiltIn {
    /// Is this text, without the blanks around it, such a value.
    fn takes(self, text: &str) -> bool {
        let token = |text: &str| !text.is_empty() && text.chars().all(is_name_char);
        let between = |least, most| whole(text).is_some_and(|number| (least..=most).contains(&number));
        match self {
            BuiltIn::NormalizedString | BuiltIn::Token => true,
            BuiltIn::Language => text.split('-').enumerate().all(|(index, part)| {
                let fits = |byte: u8| byte.is_ascii_alphabetic() || index > 0 && byte.is_ascii_digit();
                (1..=8).contains(&part.len()) && part.bytes().all(fits)
            }),
            BuiltIn::NmToken => token(text),
            BuiltIn::XmlName => text.starts_with(is_name_start) && token(text),
            BuiltIn::NcName => text.starts_with(is_name_start) && token(text) && !text.contains(':'),
            BuiltIn::Byte => between(i8::MIN.into(), i8::MAX.into()),
            BuiltIn::UnsignedShort => between(0, u16::MAX.into()),
            BuiltIn::UnsignedByte => between(0, u8::MAX.into()),
        }
    }
}

/// A whole number with an optional sign; numbers far too large become the largest.
fn whole(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let size = digits.parse::<i64>().unwrap_or(i64::MAX);
    Some(if text.starts_with('-') { -size } else { size })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_told_apart() {
        let check = |value: Value, good: &[&str], bad: &[&str]| {
            for text in good {
                assert!(value.takes(text), "{value:?} {text:?}");
            }
            for text in bad {
                assert!(!value.takes(text), "{value:?} {text:?}");
            }
        };
        check(Value::Name, &["a", "a-b_c9"], &["", "_a", "9", "a b", "a ", "ä", "${x}", "a.b"]);
        check(Value::NodeName, &["a", "_a"], &["", "9", "-a"]);
        check(Value::Boolean, &["true", " 0\n"], &["TRUE", "", "yes"]);
        check(Value::Short, &["-32768", "+7", " 0032767 "], &["32768", "", "+", "1.0", "1e3", "1 2"]);
        check(Value::UnsignedInt, &["0", "-0", "4294967295"], &["-1", "4294967296", "${n}"]);
        let check = |name: &str, good: &[&str], bad: &[&str]| {
            let (_, value) = BUILT_IN.iter().find(|(known, _)| *known == name).expect("it is known");
            check(*value, good, bad);
        };
        check("token", &["", " a  b "], &[]);
        check("language", &["en", "de-1996", "\nx-y "], &["", "1", "de-", "abcdefghi", "en_US"]);
        check("NMTOKEN", &["1", " -a "], &["", "a b", "+"]);
        check("Name", &["a:b", "_"], &["1", "-a", ""]);
        check("NCName", &["a.b"], &["a:b", "1"]);
        check("byte", &["-128", "127"], &["128", "a"]);
        check("unsignedByte", &["255", "-0"], &["256", "-1"]);
        check("unsignedShort", &["65535"], &["65536"]);
    }
}
