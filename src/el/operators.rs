//! The operators, as `org.apache.el.lang.ELArithmetic`, `ELSupport` and the `Ast…` classes of the engine compute them.

use std::cmp::Ordering;

use super::ast::{Binary, Engine, Unary};
use super::error::{ErrorKind, Failure};
use super::number::{parse_double, parse_long};
use super::value::{Value, compare_double, compare_text};

/// Applies an operator before its operand.
pub(super) fn unary<'a>(operator: Unary, operand: &Value<'_>, engine: Engine) -> Result<Value<'a>, Failure> {
    Ok(match operator {
        Unary::Not => Value::Bool(!operand.to_bool()?),
        Unary::Empty => Value::Bool(match operand {
            Value::Null => true,
            Value::String(text) => text.is_empty(),
            Value::Map(map) => map.entries.is_empty(),
            _ => false,
        }),
        Unary::Negative => match operand {
            Value::Double(number) => Value::Double(-number),
            Value::String(text) if is_float(text) => {
                Value::Double(-parse_double(text).ok_or_else(|| not_a_number(text))?)
            }
            // `org.apache.commons.el.UnaryMinusOperator`
            Value::String(text) if text.is_empty() && engine == Engine::Legacy => Value::Long(0),
            // Even the empty text: `AstNegative` hands it to `Long.parseLong`.
            Value::String(text) => {
                Value::Long(parse_long(text).ok_or_else(|| not_a_number(text))?.wrapping_neg())
            }
            other => Value::Long(other.to_long()?.wrapping_neg()),
        },
    })
}

/// The most common case, the same as [`binary`] but sooner: whole numbers, or text that is nothing but a few digits.
#[inline]
pub(super) fn of_whole_numbers<'a>(
    operator: Binary,
    left: &Value<'_>,
    right: &Value<'_>,
) -> Option<Value<'a>> {
    // Text is compared as a number only with a number.
    let has_number = matches!(left, Value::Long(_)) || matches!(right, Value::Long(_));
    let is_arithmetic = matches!(operator, Binary::Plus | Binary::Minus | Binary::Times);
    if !has_number && !is_arithmetic {
        return None;
    }
    let (left, right) = (plain_long(left)?, plain_long(right)?);
    Some(match operator {
        Binary::Plus => Value::Long(left.wrapping_add(right)),
        Binary::Minus => Value::Long(left.wrapping_sub(right)),
        Binary::Times => Value::Long(left.wrapping_mul(right)),
        Binary::Equal => Value::Bool(left == right),
        Binary::NotEqual => Value::Bool(left != right),
        Binary::Less => Value::Bool(left < right),
        Binary::Greater => Value::Bool(left > right),
        Binary::LessEqual => Value::Bool(left <= right),
        Binary::GreaterEqual => Value::Bool(left >= right),
        Binary::Divide | Binary::Modulo | Binary::And | Binary::Or => return None,
    })
}

/// A number, or text of up to 18 ASCII digits.
#[inline]
fn plain_long(value: &Value<'_>) -> Option<i64> {
    match value {
        Value::Long(number) => Some(*number),
        Value::String(text) if (1..=18).contains(&text.len()) => {
            text.bytes().try_fold(0i64, |number, byte| {
                byte.is_ascii_digit().then(|| number * 10 + i64::from(byte - b'0'))
            })
        }
        _ => None,
    }
}

/// Applies an operator between two operands; not `and` and `or`.
pub(super) fn binary<'a>(
    operator: Binary,
    left: &Value<'_>,
    right: &Value<'_>,
) -> Result<Value<'a>, Failure> {
    // Nothing is less or greater than null; null equals itself.
    let either_null = matches!(left, Value::Null) || matches!(right, Value::Null);
    let both_null = matches!((left, right), (Value::Null, Value::Null));
    let ordered = |matches: fn(Ordering) -> bool, or_equal: bool| {
        if either_null {
            return Ok(Value::Bool(or_equal && both_null));
        }
        compare(left, right).map(|ordering| Value::Bool(matches(ordering)))
    };
    match operator {
        Binary::Equal => equals(left, right).map(Value::Bool),
        Binary::NotEqual => equals(left, right).map(|equal| Value::Bool(!equal)),
        Binary::Less => ordered(Ordering::is_lt, false),
        Binary::Greater => ordered(Ordering::is_gt, false),
        Binary::LessEqual => ordered(Ordering::is_le, true),
        Binary::GreaterEqual => ordered(Ordering::is_ge, true),
        _ if both_null => Ok(Value::Long(0)),
        Binary::Plus => arithmetic(left, right, i64::wrapping_add, |a, b| a + b),
        Binary::Minus => arithmetic(left, right, i64::wrapping_sub, |a, b| a - b),
        Binary::Times => arithmetic(left, right, i64::wrapping_mul, |a, b| a * b),
        Binary::Divide => Ok(Value::Double(double_operand(left)? / double_operand(right)?)),
        Binary::Modulo => {
            if is_double(left) || is_double(right) {
                return Ok(Value::Double(double_operand(left)? % double_operand(right)?));
            }
            match (long_operand(left)?, long_operand(right)?) {
                (_, 0) => Err(Failure::new(
                    "ArithmeticException",
                    "the remainder of a division by zero has no value",
                )),
                (a, b) => Ok(Value::Long(a.wrapping_rem(b))),
            }
        }
        Binary::And | Binary::Or => {
            let (left, right) = (left.to_bool()?, right.to_bool()?);
            Ok(Value::Bool(if operator == Binary::And { left && right } else { left || right }))
        }
    }
}

fn arithmetic<'a>(
    left: &Value<'_>,
    right: &Value<'_>,
    long: fn(i64, i64) -> i64,
    double: fn(f64, f64) -> f64,
) -> Result<Value<'a>, Failure> {
    if let (Value::Long(left), Value::Long(right)) = (left, right) {
        return Ok(Value::Long(long(*left, *right)));
    }
    if is_double(left) || is_double(right) {
        Ok(Value::Double(double(double_operand(left)?, double_operand(right)?)))
    } else {
        Ok(Value::Long(long(long_operand(left)?, long_operand(right)?)))
    }
}

/// `ELArithmetic.DoubleDelegate.matches`
fn is_double(value: &Value<'_>) -> bool {
    match value {
        Value::Double(_) => true,
        Value::String(text) => is_float(text),
        _ => false,
    }
}

/// `ELSupport.isStringFloat`: text of two signs or more with a point or an `e` in it.
fn is_float(text: &str) -> bool {
    text.len() > 1 && text.bytes().any(|b| matches!(b, b'.' | b'e' | b'E')) && text.chars().nth(1).is_some()
}

fn long_operand(value: &Value<'_>) -> Result<i64, Failure> {
    match value {
        Value::String(text) if !text.is_empty() => parse_long(text).ok_or_else(|| not_a_number(text)),
        Value::Bool(_) | Value::Map(_) => Err(not_computable(value)),
        other => other.to_long(),
    }
}

fn double_operand(value: &Value<'_>) -> Result<f64, Failure> {
    match value {
        Value::String(text) if !text.is_empty() => parse_double(text).ok_or_else(|| not_a_number(text)),
        Value::Bool(_) | Value::Map(_) => Err(not_computable(value)),
        other => other.to_double(),
    }
}

/// Operators read text with `Long.valueOf` and `Double.valueOf`, whose exception comes through.
fn not_a_number(text: &str) -> Failure {
    const DATETIMES: [&str; 4] =
        ["coord:nominalTime(", "coord:actualTime(", "coord:dateOffset(", "coord:dateTzOffset("];
    let bytes = text.as_bytes();
    let is_datetime = DATETIMES.iter().any(|function| text.starts_with(function) && text.ends_with(')'))
        || bytes.len() > 11 && bytes[4] == b'-' && bytes[10] == b'T' && text.contains(':');
    let message = match is_datetime {
        true => format!("`{text}` is a datetime, not a number; `coord:dateOffset` counts from it"),
        false => format!("the text `{text}` is not a number"),
    };
    Failure::of(ErrorKind::Coercion, "NumberFormatException", message)
}

/// `ELArithmetic.coerce`
fn not_computable(value: &Value<'_>) -> Failure {
    value.not_a("a number").class("IllegalArgumentException")
}

/// `ELSupport.equals`: numbers first, then booleans, then text.
fn equals(left: &Value<'_>, right: &Value<'_>) -> Result<bool, Failure> {
    Ok(match (left, right) {
        (Value::Null, Value::Null) => true,
        (Value::Null, _) | (_, Value::Null) => false,
        (Value::Long(left), Value::Long(right)) => left == right,
        (Value::Double(_), _) | (_, Value::Double(_)) => {
            compare_double(left.to_double()?, right.to_double()?).is_eq()
        }
        (Value::Long(_), _) | (_, Value::Long(_)) => left.to_long()? == right.to_long()?,
        (Value::Bool(_), _) | (_, Value::Bool(_)) => left.to_bool()? == right.to_bool()?,
        (Value::String(_), _) | (_, Value::String(_)) => left.to_text() == right.to_text(),
        (Value::Map(left), Value::Map(right)) => left == right,
    })
}

/// `ELSupport.compare`, which asks `equals` first.
fn compare(left: &Value<'_>, right: &Value<'_>) -> Result<Ordering, Failure> {
    match (left, right) {
        (Value::Long(left), Value::Long(right)) => return Ok(left.cmp(right)),
        _ if equals(left, right)? => return Ok(Ordering::Equal),
        _ => {}
    }
    match (left, right) {
        (Value::Double(_), _) | (_, Value::Double(_)) => {
            Ok(compare_double(left.to_double()?, right.to_double()?))
        }
        (Value::Long(_), _) | (_, Value::Long(_)) => Ok(left.to_long()?.cmp(&right.to_long()?)),
        (Value::String(_), _) | (_, Value::String(_)) => Ok(compare_text(&left.to_text(), &right.to_text())),
        (Value::Bool(left), Value::Bool(right)) => Ok(left.cmp(right)),
        // A boolean is comparable, with booleans only.
        (Value::Bool(_), _) | (_, Value::Bool(_)) => {
            Err(Failure::new("ClassCastException", "a boolean and a map cannot be compared"))
        }
        _ => Err(Failure::coercion("two maps cannot be compared".to_owned())),
    }
}
