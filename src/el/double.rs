//! Doubles printed as `java.lang.Double.toString` prints them up to Java 18, which is what servers run on.
//!
//! Those releases do not always find the shortest text (`2.0E23` prints as `1.9999999999999998E23`), so the digits are
//! worked out by the same steps as theirs (`jdk.internal.math.FloatingDecimal`): digit after digit until the rest is
//! within half a unit of the last place.

use std::cmp::Ordering;

/// Bits of a double's fraction without the hidden one.
const FRACTION_BITS: i32 = 52;

/// The text of a double.
pub fn double_text(number: f64) -> String {
    if number.is_nan() {
        return "NaN".to_owned();
    }
    let sign = if number.is_sign_negative() { "-" } else { "" };
    let size = number.abs();
    if size.is_infinite() {
        return format!("{sign}Infinity");
    }
    if size == 0.0 {
        return format!("{sign}0.0");
    }
    let Decimal { digits, exponent } = decimal(size);
    let text: String = digits.iter().map(|digit| char::from(b'0' + digit)).collect();
    // The point stands behind so many digits.
    let point = exponent + 1;
    if (1..8).contains(&point) {
        let point = point as usize;
        return if text.len() <= point {
            format!("{sign}{text}{}.0", "0".repeat(point - text.len()))
        } else {
            format!("{sign}{}.{}", &text[..point], &text[point..])
        };
    }
    if (-2..=0).contains(&point) {
        return format!("{sign}0.{}{text}", "0".repeat(-point as usize));
    }
    let rest = if text.len() > 1 { &text[1..] } else { "0" };
    format!("{sign}{}.{rest}E{exponent}", &text[..1])
}

/// Decimal digits and the exponent of the first.
struct Decimal {
    digits: Vec<u8>,
    exponent: i32,
}

/// `FloatingDecimal.BinaryToASCIIBuffer.dtoa` of a positive, finite number.
fn decimal(size: f64) -> Decimal {
    let bits = size.to_bits();
    let (mut fraction, field) = (bits & ((1 << FRACTION_BITS) - 1), (bits >> FRACTION_BITS) as i32);
    let (binary, significant) = if field == 0 {
        let shift = fraction.leading_zeros() as i32 - (63 - FRACTION_BITS);
        let significant = 64 - fraction.leading_zeros() as i32;
        fraction <<= shift;
        (1 - shift - 1023, significant)
    } else {
        fraction |= 1 << FRACTION_BITS;
        (field - 1023, FRACTION_BITS + 1)
    };
    let zeros = fraction.trailing_zeros() as i32;
    let fraction_bits = FRACTION_BITS + 1 - zeros;
    let tiny_bits = (fraction_bits - binary - 1).max(0);
    if (-21..=62).contains(&binary) && tiny_bits == 0 && fraction_bits < 64 {
        let whole = if binary >= FRACTION_BITS {
            fraction << (binary - FRACTION_BITS)
        } else {
            fraction >> (FRACTION_BITS - binary)
        };
        let spare = if binary > significant { insignificant_digits(binary - significant - 1) } else { 0 };
        return whole_digits(whole, spare);
    }
    digit_by_digit(Scaled { fraction, binary, significant, zeros, fraction_bits, tiny_bits })
}

/// How many decimal digits a power of two has, less one (`insignificantDigitsForPow2`).
fn insignificant_digits(power: i32) -> u32 {
    if power > 1 && power < 63 { (1u64 << power).ilog10() } else { 0 }
}

/// The digits of a whole number, the last `spare` of them rounded away (`developLongDigits`).
fn whole_digits(mut whole: u64, spare: u32) -> Decimal {
    let mut zeros = spare as i32;
    if spare != 0 {
        let unit = 10u64.pow(spare);
        let rest = whole % unit;
        whole = whole / unit + u64::from(rest >= unit / 2);
    }
    while whole.is_multiple_of(10) {
        whole /= 10;
        zeros += 1;
    }
    let digits: Vec<u8> = whole.to_string().bytes().map(|digit| digit - b'0').collect();
    let exponent = digits.len() as i32 - 1 + zeros;
    Decimal { digits, exponent }
}

/// A double taken apart: `fraction` has 53 bits, the last `zeros` of them zero.
struct Scaled {
    fraction: u64,
    /// The exponent of the first bit.
    binary: i32,
    /// How many bits carry meaning.
    significant: i32,
    zeros: i32,
    fraction_bits: i32,
    /// How many bits stand behind the binary point.
    tiny_bits: i32,
}

/// Bits of a power of five, as far as Java keeps a table of them; a guess beyond.
fn five_bits(power: i32) -> i32 {
    match power {
        0 => 0,
        1..27 => 64 - 5u64.pow(power as u32).leading_zeros() as i32,
        _ => power * 3,
    }
}

fn digit_by_digit(number: Scaled) -> Decimal {
    let Scaled { fraction, binary, significant, zeros, fraction_bits, tiny_bits } = number;
    let mut exponent = estimate(fraction, binary);
    // Powers of two and five in the number, in the scale, and in half a unit of the last place.
    let (b5, s5) = ((-exponent).max(0), exponent.max(0));
    let (mut b2, mut s2) = (b5 + tiny_bits + binary, s5 + tiny_bits);
    let mut m2 = b2 - significant;
    b2 -= fraction_bits - 1;
    let common = b2.min(s2);
    (b2, s2, m2) = (b2 - common, s2 - common, m2 - common);
    if fraction_bits == 1 {
        m2 -= 1;
    }
    if m2 < 0 {
        (b2, s2, m2) = (b2 - m2, s2 - m2, 0);
    }
    // Java reckons otherwise when it believes that all fits into 64 bits.
    let fits = fraction_bits + b2 + five_bits(b5) < 64 && s2 + 1 + five_bits(s5 + 1) < 64;
    if fits {
        let power = |fives: i32, twos: i32| 5i64.wrapping_pow(fives as u32).wrapping_shl(twos as u32);
        let b =
            ((fraction >> zeros) as i64).wrapping_mul(5i64.wrapping_pow(b5 as u32)).wrapping_shl(b2 as u32);
        return digit_by_digit_in_long(b, power(s5, s2), power(b5, m2), exponent);
    }
    let mut b = Big::from(fraction >> zeros).times_powers(b5, b2);
    let s = Big::from(1).times_powers(s5, s2);
    let mut m = Big::from(1).times_powers(b5, m2);
    let mut tens = s.clone();
    tens.times(10);

    let mut digits = Vec::with_capacity(20);
    let (mut low, mut high);
    let step = |b: &mut Big, m: &mut Big| {
        let digit = b.take(&s);
        b.times(10);
        m.times(10);
        let mut sum = b.clone();
        sum.add(m);
        let high = sum.compare(&tens).is_ge();
        (digit, b.compare(m) == Ordering::Less, high)
    };
    let first;
    (first, low, high) = step(&mut b, &mut m);
    if first == 0 && !high {
        exponent -= 1;
    } else {
        digits.push(first);
    }
    if !(-3..8).contains(&exponent) {
        (low, high) = (false, false);
    }
    while !low && !high {
        let digit;
        (digit, low, high) = step(&mut b, &mut m);
        digits.push(digit);
    }
    b.times(2);
    let up = match (low, high) {
        (true, true) => {
            let order = b.compare(&tens);
            order.is_gt() || order.is_eq() && digits.last().is_some_and(|digit| digit % 2 == 1)
        }
        (_, high) => high,
    };
    if up {
        exponent += round_up(&mut digits);
    }
    Decimal { digits, exponent }
}

/// The same in Java's `long`, which overflows now and then, and so leaves a last digit as it is.
fn digit_by_digit_in_long(mut b: i64, s: i64, mut m: i64, mut exponent: i32) -> Decimal {
    let tens = s.wrapping_mul(10);
    let mut digits = Vec::with_capacity(20);
    let step = |b: &mut i64, m: &mut i64| {
        let digit = *b / s;
        *b = (*b % s).wrapping_mul(10);
        *m = m.wrapping_mul(10);
        (digit as u8, *b < *m, b.wrapping_add(*m) > tens)
    };
    let (first, mut low, mut high) = step(&mut b, &mut m);
    if first == 0 && !high {
        exponent -= 1;
    } else {
        digits.push(first);
    }
    if !(-3..8).contains(&exponent) {
        (low, high) = (false, false);
    }
    while !low && !high {
        let digit;
        (digit, low, high) = step(&mut b, &mut m);
        if m <= 0 {
            (low, high) = (true, true);
        }
        digits.push(digit);
    }
    let difference = b.wrapping_shl(1).wrapping_sub(tens);
    let is_odd = digits.last().is_some_and(|digit| digit % 2 == 1);
    if high && (!low || difference > 0 || difference == 0 && is_odd) {
        exponent += round_up(&mut digits);
    }
    Decimal { digits, exponent }
}

/// One more in the last place; 1 when that gives one more place before the point.
fn round_up(digits: &mut [u8]) -> i32 {
    for digit in digits.iter_mut().rev() {
        if *digit < 9 {
            *digit += 1;
            return 0;
        }
        *digit = 0;
    }
    if let Some(first) = digits.first_mut() {
        *first = 1;
    }
    1
}

/// The decimal exponent, or one more (`estimateDecExp`).
#[allow(clippy::approx_constant, reason = "the estimate must be as rough as Java's")]
fn estimate(fraction: u64, binary: i32) -> i32 {
    let scaled = f64::from_bits(1023 << FRACTION_BITS | fraction & ((1 << FRACTION_BITS) - 1));
    let logarithm =
        (scaled - 1.5) * 0.289_529_654 + 0.176_091_259 + f64::from(binary) * 0.301_029_995_663_981;
    logarithm.floor() as i32
}

/// A whole number of any size, lowest words first.
#[derive(Clone)]
struct Big(Vec<u32>);

impl From<u64> for Big {
    fn from(number: u64) -> Big {
        Big(vec![number as u32, (number >> 32) as u32])
    }
}

impl Big {
    fn times(&mut self, factor: u32) {
        let mut carry = 0u64;
        for word in &mut self.0 {
            carry += u64::from(*word) * u64::from(factor);
            *word = carry as u32;
            carry >>= 32;
        }
        if carry != 0 {
            self.0.push(carry as u32);
        }
    }

    fn times_powers(mut self, fives: i32, twos: i32) -> Big {
        const FIVE_13: u32 = 1_220_703_125;
        (0..fives / 13).for_each(|_| self.times(FIVE_13));
        (0..fives % 13).for_each(|_| self.times(5));
        (0..twos / 31).for_each(|_| self.times(1 << 31));
        self.times(1 << (twos % 31));
        self
    }

    fn word(&self, index: usize) -> u32 {
        self.0.get(index).copied().unwrap_or(0)
    }

    fn compare(&self, other: &Big) -> Ordering {
        let length = self.0.len().max(other.0.len());
        (0..length)
            .rev()
            .map(|i| self.word(i).cmp(&other.word(i)))
            .find(|o| o.is_ne())
            .unwrap_or(Ordering::Equal)
    }

    fn add(&mut self, other: &Big) {
        self.0.resize(self.0.len().max(other.0.len()) + 1, 0);
        let mut carry = 0u64;
        for (index, word) in self.0.iter_mut().enumerate() {
            carry += u64::from(*word) + u64::from(other.word(index));
            *word = carry as u32;
            carry >>= 32;
        }
    }

    /// Takes another number away as often as it goes, at most nine times, and says how often.
    fn take(&mut self, other: &Big) -> u8 {
        let mut count = 0;
        while self.compare(other) != Ordering::Less {
            let mut borrow = 0i64;
            for (index, word) in self.0.iter_mut().enumerate() {
                let rest = i64::from(*word) - i64::from(other.word(index)) + borrow;
                *word = rest as u32;
                borrow = rest >> 32;
            }
            count += 1;
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::double_text;

    /// Bits and text as Java 17 printed them: powers of two and of ten and their neighbours, whole numbers, fractions,
    /// subnormal numbers, any bits.
    #[test]
    fn recorded_doubles_print_the_same() {
        let recorded = include_str!("../../fixtures/reference/el/doubles.txt");
        let mut count = 0;
        for line in recorded.lines() {
            let (bits, expected) = line.split_once(' ').expect("bits and text");
            let bits = u64::from_str_radix(bits, 16).expect("bits in hexadecimal");
            assert_eq!(double_text(f64::from_bits(bits)), expected, "{bits:x}");
            count += 1;
        }
        assert_eq!(count, 1500);
    }

    #[test]
    fn doubles_print_as_java_17_prints_them() {
        let check = |number: f64, expected| assert_eq!(double_text(number), expected);
        check(1.0, "1.0");
        check(0.001, "0.001");
        check(2e-3, "0.002");
        check(1e-4, "1.0E-4");
        check(1e7, "1.0E7");
        check(9_999_999.0, "9999999.0");
        check(1.0 / 3.0, "0.3333333333333333");
        check(0.1 + 0.2, "0.30000000000000004");
        check(4_611_686_018_427_387_904.0, "4.6116860184273879E18");
        check(2e23, "1.9999999999999998E23");
        check(3.583_837_597_333_281_6e25, "3.5838375973332815E25");
        check(2.0f64.powi(-44), "5.6843418860808015E-14");
        check(f64::from_bits(1), "4.9E-324");
        check(f64::MAX, "1.7976931348623157E308");
        check(f64::MIN_POSITIVE, "2.2250738585072014E-308");
        check(-0.0, "-0.0");
    }
}
