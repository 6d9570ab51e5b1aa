//! Numbers read as Java reads them: `Long.parseLong` and `Double.parseDouble`.

/// `java.lang.Long.valueOf(String)`: a sign and decimal digits of any script, nothing else.
pub fn parse_long(text: &str) -> Option<i64> {
    // Most numbers are short; the library's reader takes the same form as far as ASCII goes.
    match text.parse() {
        Ok(number) => Some(number),
        Err(_) if text.is_ascii() => None,
        Err(_) => text.chars().map(ascii_digit).collect::<Option<String>>()?.parse().ok(),
    }
}

/// The first digits of the decimal digits that `Character.digit` knows within the basic plane, beyond ASCII.
const ZEROS: [u32; 36] = [
    0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0,
    0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50,
    0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10,
];

fn ascii_digit(c: char) -> Option<char> {
    if c.is_ascii() {
        return Some(c);
    }
    let code = c as u32;
    let zero = ZEROS.iter().rev().find(|zero| **zero <= code)?;
    char::from_digit(code - zero, 10)
}

/// `java.lang.Double.valueOf(String)`: control signs and blanks around it are dropped, `NaN`, `Infinity`, hexadecimal
/// fractions and a type letter at the end are taken.
pub fn parse_double(text: &str) -> Option<f64> {
    let text = text.trim_matches(|c: char| c <= ' ');
    let (negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let signed = |number: f64| if negative { -number } else { number };
    match digits {
        "NaN" => return Some(f64::NAN),
        "Infinity" => return Some(signed(f64::INFINITY)),
        _ => {}
    }
    let plain = digits.strip_suffix(['d', 'D', 'f', 'F']);
    if let Some(hex) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        // The exponent is required, so that a type letter is no digit.
        return parse_hex(hex.strip_suffix(['d', 'D', 'f', 'F']).unwrap_or(hex)).map(signed);
    }
    let digits = plain.unwrap_or(digits);
    let is_decimal =
        digits.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'+' | b'-'));
    let begins = digits.bytes().next().is_some_and(|b| b.is_ascii_digit() || b == b'.');
    if !is_decimal || !begins { None } else { digits.parse().ok().map(signed) }
}

/// `1.8p3`: hexadecimal digits, a fraction, and a binary exponent. Rounds to even, as Java does.
fn parse_hex(text: &str) -> Option<f64> {
    let (digits, exponent) = text.split_once(['p', 'P'])?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.len() + fraction.len() == 0 || exponent.trim_start_matches(['+', '-']).is_empty() {
        return None;
    }
    let number = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    if !number.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let limit = 1_000_000_000i64;
    let size = number.parse::<i64>().unwrap_or(limit).min(limit);
    let mut scale = if exponent.starts_with('-') { -size } else { size };
    let (mut mantissa, mut sticky) = (0u128, false);
    for (index, c) in whole.chars().chain(fraction.chars()).enumerate() {
        let digit = c.to_digit(16)?;
        let in_fraction = index >= whole.chars().count();
        if mantissa >> 100 == 0 {
            mantissa = mantissa * 16 + u128::from(digit);
            scale -= if in_fraction { 4 } else { 0 };
        } else {
            sticky |= digit != 0;
            scale += if in_fraction { 0 } else { 4 };
        }
    }
    Some(scaled(mantissa, sticky, scale))
}

/// `mantissa * 2^scale`, rounded to the nearest double, ties to even.
fn scaled(mantissa: u128, sticky: bool, scale: i64) -> f64 {
    if mantissa == 0 {
        return 0.0;
    }
    let length = 128 - i64::from(mantissa.leading_zeros());
    // The exponent of the lowest bit that the double can keep.
    let lowest = (scale + length - 53).max(-1074);
    let drop = lowest - scale;
    let kept = if drop <= 0 {
        mantissa << (-drop).min(64)
    } else if drop > 127 {
        0
    } else {
        let (high, rest, half) = (mantissa >> drop, mantissa & ((1 << drop) - 1), 1u128 << (drop - 1));
        let up = rest > half || rest == half && (sticky || high & 1 == 1);
        high + u128::from(up)
    };
    let number = kept as f64;
    if lowest > 1023 { f64::INFINITY } else { number * power_of_two(lowest) }
}

fn power_of_two(exponent: i64) -> f64 {
    if exponent >= -1022 {
        f64::from_bits(((exponent + 1023) as u64) << 52)
    } else {
        f64::from_bits(1 << (exponent + 1074).max(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longs_take_digits_of_any_script_and_nothing_else() {
        let check = |text, expected| assert_eq!(parse_long(text), expected, "{text}");
        check("+5", Some(5));
        check("-9223372036854775808", Some(i64::MIN));
        check("9223372036854775808", None);
        check("٣٤", Some(34));
        check(" 5", None);
        check("", None);
        check("-", None);
        check("5٣", Some(53));
    }

    #[test]
    fn doubles_take_what_java_takes() {
        let check = |text, expected: Option<f64>| {
            assert_eq!(parse_double(text).map(f64::to_bits), expected.map(f64::to_bits), "{text}");
        };
        check(" 5\n", Some(5.0));
        check("5d", Some(5.0));
        check(".5e1F", Some(5.0));
        check("1.", Some(1.0));
        check("-Infinity", Some(f64::NEG_INFINITY));
        check("inf", None);
        check("nan", None);
        check("1e", None);
        check(".", None);
        check("", None);
        check("5dd", None);
        check("+-5", None);
        check("0x1.8p3", Some(12.0));
        check("-0x.8p1d", Some(-1.0));
        check("0x1p-1074", Some(f64::from_bits(1)));
        check("0x1p1024", Some(f64::INFINITY));
        check("0x1", None);
        // More bits than a double has: to the nearest, ties to even, and what follows decides.
        let next = f64::from_bits(1.0f64.to_bits() + 1);
        check("0x1.00000000000008p0", Some(1.0));
        check("0x1.000000000000081p0", Some(next));
        check("0x1.00000000000007ffp0", Some(1.0));
        check("0x1.00000000000018p0", Some(f64::from_bits(1.0f64.to_bits() + 2)));
        check("0x1.00000000000017p0", Some(next));
        check("0x1.0000000000000800000000000000000000000001p0", Some(next));
        check("0x1.0000000000000800000000000000000000000000p0", Some(1.0));
        check("0x1000000000000080000000000000000000000000p-4", Some(2f64.powi(152)));
        check("0x1.8p-1074", Some(f64::from_bits(2)));
        check("0x1p-1075", Some(0.0));
        check("0x1.1p-1075", Some(f64::from_bits(1)));
        check("0x1p-1200", Some(0.0));
        check("0x.fffffffffffff8p1024", Some(f64::MAX));
        check("0x.fffffffffffffbp1024", Some(f64::MAX));
        check("0x.fffffffffffffcp1024", Some(f64::INFINITY));
        check("0x0.0p5000", Some(0.0));
        check("0x1p5000", Some(f64::INFINITY));
        check("-0x1p99999999999999999999", Some(f64::NEG_INFINITY));
        check("0x1p-99999999999999999999", Some(0.0));
        check("0xp3", None);
        check("1e400", Some(f64::INFINITY));
        check("1_0", None);
    }
}
