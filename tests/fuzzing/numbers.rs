//! Numbers against oracles: exact arithmetic on digits, Rust's parser, and `ryu-js`.

use serde_json::Value;
use toolwire::Argument;
use toolwire::frame::{Frame, Frames};
use toolwire::json::{self, Float, NotInteger};

/// A JSON number as text, or else bits: the first eight bytes of a float, the next sixteen of an integer, then how that is
/// spelled.
pub fn numbers(data: &[u8]) {
    if let Ok(text) = str::from_utf8(data)
        && text.len() <= 4096
        && text.trim_ascii() == text
        && matches!(serde_json::from_str(text), Ok(Value::Number(_)))
    {
        check_text(text);
        return;
    }
    if let Some((bits, rest)) = data.split_first_chunk() {
        check_float(f64::from_bits(u64::from_le_bytes(*bits)));
        if let Some((integer, [places, zeros, upper, ..])) = rest.split_first_chunk() {
            let text = spell(i128::from_le_bytes(*integer), (*places).into(), (*zeros).into(), upper & 1 == 1);
            check_text(&text);
        }
    }
}

/// Printed as ECMAScript prints it, and back to the same bits.
fn check_float(value: f64) {
    let text = Float(value).to_string();
    assert_eq!(text, ryu_js::Buffer::new().format(value));
    if value.is_finite() {
        let back: f64 = text.parse().unwrap();
        assert!(back.to_bits() == value.to_bits() || (back == 0.0 && value == 0.0), "{value:e} {back:e}");
        check_text(&text);
    }
}

/// All that is made of the text of a number.
fn check_text(text: &str) {
    with(text, |number| {
        let kept = number.as_number().unwrap();
        assert_eq!(kept.as_str(), text);
        let expected = to_integer(text);
        let integer = kept.to_integer();
        assert_eq!(integer.map(|integer| integer.to_string()), expected.map(|value| value.to_string()), "{text}");

        assert_eq!(i64::decode(number), expected.ok().and_then(|value| value.try_into().ok()), "{text}");
        assert_eq!(u64::decode(number), expected.ok().and_then(|value| value.try_into().ok()), "{text}");
        assert_eq!(i32::decode(number), expected.ok().and_then(|value| value.try_into().ok()), "{text}");
        assert_eq!(u8::decode(number), expected.ok().and_then(|value| value.try_into().ok()), "{text}");

        assert_eq!(f64::decode(number).map(f64::to_bits), text.parse().ok().map(f64::to_bits), "{text}");
        assert_eq!(f32::decode(number).map(f32::to_bits), text.parse().ok().map(f32::to_bits), "{text}");
    });
    // What an integer prints leads back to it.
    if let Ok(value) = to_integer(text) {
        assert_eq!(integer(&value.to_string()), Ok(value));
    }
}

/// Reads a number from a line.
fn with<T>(text: &str, read: impl FnOnce(json::Value<'_>) -> T) -> T {
    let mut frames = Box::new(Frames::<8192>::new());
    let line = format!("{text}\n");
    let (Some(Frame::Message(message)), _) = frames.feed(line.as_bytes()) else { panic!("no message: {text}") };
    read(message.value)
}

/// The integer that the core makes of a JSON number.
///
/// # Errors
/// Those of the core.
pub fn integer(text: &str) -> Result<i128, NotInteger> {
    with(text, |value| value.as_number().unwrap().to_integer().map(|integer| integer.to_string().parse().unwrap()))
}

/// The integer that a JSON number is, by moving its digits.
pub(crate) fn to_integer(text: &str) -> Result<i128, NotInteger> {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    // What no exponent of a text of this length needs is as good as any other.
    let exponent: i64 =
        exponent.parse().unwrap_or(if exponent.starts_with('-') { -1_000_000_000 } else { 1_000_000_000 });
    let exponent = exponent.clamp(-1_000_000_000, 1_000_000_000);
    let (sign, mantissa) = mantissa.strip_prefix('-').map_or((1, mantissa), |mantissa| (-1, mantissa));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let places = i64::try_from(digits.trim_start_matches('0').len()).unwrap();
    let digits = digits.trim_matches('0');
    if digits.is_empty() {
        return Ok(0);
    }
    // The digits before the point; those behind it are not all zeros, if there are any.
    let before = places - i64::try_from(fraction.len()).unwrap() + exponent;
    if before > 20 {
        return Err(NotInteger::OutOfRange);
    }
    let before = usize::try_from(before).unwrap_or_default();
    let (whole, fraction) = digits.split_at(before.min(digits.len()));
    let magnitude: i128 = format!("0{whole:0<before$}").parse().unwrap();
    if magnitude > u64::MAX.into() {
        Err(NotInteger::OutOfRange)
    } else if fraction.is_empty() {
        Ok(sign * magnitude)
    } else {
        Err(NotInteger::Fraction)
    }
}

/// Spells `integer` with its point moved by `places` and an exponent that moves it back, and zeros around.
#[must_use]
pub fn spell(integer: i128, places: usize, zeros: usize, upper: bool) -> String {
    let sign = if integer < 0 { "-" } else { "" };
    let digits = format!("{:0>1$}", integer.unsigned_abs(), places + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places);
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    let point = if places + zeros > 0 { "." } else { "" };
    let exponent = if places > 0 { format!("{}{places}", if upper { "E+" } else { "e" }) } else { String::new() };
    format!("{sign}{whole}{point}{fraction}{}{exponent}", "0".repeat(zeros))
}
