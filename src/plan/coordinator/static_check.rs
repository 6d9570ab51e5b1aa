//! Whether a text holds more than one instance, found without evaluating it (`StringUtils.checkStaticExistence`).

/// Why a text cannot be looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// `${` and `}` do not match.
    Braces,
    /// `(` and `)` do not match.
    Brackets,
}

/// True when `wanted` stands outside of all brackets of an expression, or outside of expressions.
pub(super) fn has_outside(text: &str, wanted: u8) -> Result<bool, Fault> {
    let bytes = text.as_bytes();
    let (mut braces, mut brackets) = (0i64, 0i64);
    let mut found = false;
    for (index, byte) in bytes.iter().enumerate() {
        match byte {
            b'$' if bytes.get(index + 1) == Some(&b'{') => braces += 1,
            b'}' => braces -= 1,
            _ => {}
        }
        if braces < 0 {
            return Err(Fault::Braces);
        }
        if braces > 0 {
            match byte {
                b'(' => brackets += 1,
                b')' => brackets -= 1,
                _ => {}
            }
            if brackets < 0 {
                return Err(Fault::Brackets);
            }
        }
        found |= *byte == wanted && (braces == 0 || brackets == 0);
    }
    match (braces, brackets) {
        (0, 0) => Ok(found),
        (0, _) => Err(Fault::Brackets),
        _ => Err(Fault::Braces),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_within_brackets_do_not_count() {
        assert_eq!(has_outside("${coord:offset(-1, 'DAY')}", b','), Ok(false));
        assert_eq!(has_outside("${coord:current(0)},${coord:current(-1)}", b','), Ok(true));
        assert_eq!(has_outside("${a, b}", b','), Ok(true));
        assert_eq!(has_outside("${coord:current(0)", b','), Err(Fault::Braces));
        assert_eq!(has_outside("a}", b','), Err(Fault::Braces));
        assert_eq!(has_outside("${f(}", b','), Err(Fault::Brackets));
    }
}
