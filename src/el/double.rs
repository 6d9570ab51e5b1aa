//! Doubles printed as `java.lang.Double.toString` prints them.

/// The text of a double.
pub fn double_text(number: f64) -> String {
    let sign = if number.is_sign_negative() && !number.is_nan() { "-" } else { "" };
    let size = number.abs();
    if size.is_nan() {
        return "NaN".to_owned();
    }
    if size.is_infinite() {
        return format!("{sign}Infinity");
    }
    if size == 0.0 {
        return format!("{sign}0.0");
    }
    let (digits, exponent) = shortest(size);
    let (first, rest) = digits.split_at(1);
    if (-3..7).contains(&exponent) {
        let point = exponent + 1;
        if point <= 0 {
            return format!("{sign}0.{}{digits}", "0".repeat(-point as usize));
        }
        let point = point as usize;
        if digits.len() <= point {
            return format!("{sign}{digits}{}.0", "0".repeat(point - digits.len()));
        }
        return format!("{sign}{}.{}", &digits[..point], &digits[point..]);
    }
    format!("{sign}{first}.{}E{exponent}", if rest.is_empty() { "0" } else { rest })
}

/// Decimal digits and the exponent of the first.
fn shortest(size: f64) -> (String, i32) {
    let text = format!("{size:e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    (mantissa.replace('.', ""), exponent.parse().unwrap_or(0))
}
