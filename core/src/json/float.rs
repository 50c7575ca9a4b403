//! Floats: from JSON's text, and to ECMAScript's.
//!
//! Measured on thumbv7m, opt-level "s", in bytes of flash of a program that already formats integers and calculates with
//! `f64`; wrong are results out of four million:
//!
//! | parsing | flash | wrong | | printing, with the layout below | flash | wrong |
//! | --- | --- | --- | --- | --- | --- | --- |
//! | `decimal` | 990 | 0 | | zmij 1.0 | 4617 | 0 |
//! | core | 16645 | 0 | | ryu-js 1.0, small | 5529 | 0 |
//! | fast-float2 0.2 | 17126 | 0 | | ryu 1.0, small | 6225 | 0 |
//! | minimal-lexical 0.2, compact | 8901 | 5 | | core, `{:e}` | 9695 | 502: the other digit in a tie |
//! | lexical-core 1.0, compact | 9675 | 5 | | `dragonbox_ecma` 0.1 | 12621 | 0 |
//! | lexical-core 1.0 | 19909 | 0 | | lexical-core 1.0, compact | 3541 | 2894: not the shortest |
//!
//! So printing is zmij's, and parsing is core's where flash does not count, on 64-bit machines, where it is fast, and our
//! own on others. A toolset without floats links none of this.

use core::fmt::{self, Write};

use crate::schema;

/// The float code of `f32` arguments.
pub(crate) static F32: schema::Float = schema::Float {
    fits: |text, minimum, maximum| {
        let value = to_f32(text);
        value.is_finite() && within(value.into(), minimum, maximum)
    },
    print: |out, minimum, maximum| print(out, minimum, maximum, double),
    describe: |out, minimum, maximum, number| describe(out, minimum, maximum, number, double),
};

/// The float code of `f64` arguments.
pub(crate) static F64: schema::Float = schema::Float {
    fits: |text, minimum, maximum| {
        let value = to_f64(text);
        value.is_finite() && within(value, minimum, maximum)
    },
    print: |out, minimum, maximum| print(out, minimum, maximum, double),
    describe: |out, minimum, maximum, number| describe(out, minimum, maximum, number, double),
};

/// The float code of `f32` results, without the parser: nothing that comes is held against their schema. Bounds have as
/// few digits as the values, which else could seem to lie beyond them.
#[cfg(feature = "serde")]
pub(crate) static F32_RESULT: schema::Float = schema::Float {
    fits: |_, _, _| false,
    print: |out, minimum, maximum| print(out, minimum, maximum, single),
    describe: |out, minimum, maximum, number| describe(out, minimum, maximum, number, single),
};

/// The float code of `f64` results.
#[cfg(feature = "serde")]
pub(crate) static F64_RESULT: schema::Float = schema::Float { fits: |_, _, _| false, ..F64 };

/// The `f32` nearest to a JSON number, infinite if it is too large.
#[cfg(target_pointer_width = "64")]
pub(crate) fn to_f32(text: &str) -> f32 {
    text.parse().unwrap_or(f32::NAN)
}

/// The `f64` nearest to a JSON number, infinite if it is too large.
#[cfg(target_pointer_width = "64")]
pub(crate) fn to_f64(text: &str) -> f64 {
    text.parse().unwrap_or(f64::NAN)
}

/// The `f32` nearest to a JSON number, infinite if it is too large.
#[cfg(not(target_pointer_width = "64"))]
pub(crate) fn to_f32(text: &str) -> f32 {
    let sign = u32::from(text.starts_with('-')) << 31;
    f32::from_bits(u32::try_from(super::decimal::nearest(text, &super::decimal::SINGLE)).unwrap_or_default() | sign)
}

/// The `f64` nearest to a JSON number, infinite if it is too large.
#[cfg(not(target_pointer_width = "64"))]
pub(crate) fn to_f64(text: &str) -> f64 {
    let sign = u64::from(text.starts_with('-')) << 63;
    f64::from_bits(super::decimal::nearest(text, &super::decimal::DOUBLE) | sign)
}

fn within(value: f64, minimum: Option<f64>, maximum: Option<f64>) -> bool {
    minimum.is_none_or(|minimum| value >= minimum) && maximum.is_none_or(|maximum| value <= maximum)
}

/// Writes a bound. That of an argument is exact, since what comes is held against it; that of an `f32` result is as short as
/// those results are, so that they lie within.
type Bound = fn(&mut dyn Write, f64) -> fmt::Result;

#[cfg(feature = "serde")]
#[expect(clippy::cast_possible_truncation, reason = "it was an `f32` before it became a bound")]
fn single(out: &mut dyn Write, bound: f64) -> fmt::Result {
    write!(out, "{}", Float(bound as f32))
}

fn double(out: &mut dyn Write, bound: f64) -> fmt::Result {
    write!(out, "{}", Float(bound))
}

fn print(out: &mut dyn Write, minimum: Option<f64>, maximum: Option<f64>, write: Bound) -> fmt::Result {
    for (name, bound) in [(",\"minimum\":", minimum), (",\"maximum\":", maximum)] {
        if let Some(bound) = bound {
            out.write_str(name)?;
            write(out, bound)?;
        }
    }
    Ok(())
}

fn describe(
    out: &mut dyn Write,
    minimum: Option<f64>,
    maximum: Option<f64>,
    number: bool,
    write: Bound,
) -> fmt::Result {
    out.write_str(if number { "finite number" } else { "number" })?;
    if let Some(minimum) = minimum {
        out.write_str(" of at least ")?;
        write(out, minimum)?;
    }
    if let Some(maximum) = maximum {
        out.write_str(if minimum.is_some() { " and at most " } else { " of at most " })?;
        write(out, maximum)?;
    }
    Ok(())
}

/// A float that displays itself as ECMAScript's `Number::toString` does: `6.5`, `0.30000000000000004`, `1e+21`,
/// `Infinity`.
///
/// The digits are the fewest that lead back to the same value: `0.1` for an `f32` also.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
#[expect(clippy::exhaustive_structs, reason = "a display adapter, meant to be made by hand")]
pub struct Float<T = f64>(pub T);

macro_rules! display {
    ($($float:ident)*) => {$(
        impl fmt::Display for Float<$float> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let Self(value) = *self;
                if value.is_nan() {
                    return f.write_str("NaN");
                }
                if value == 0.0 {
                    return f.write_str("0");
                }
                if value < 0.0 {
                    f.write_str("-")?;
                }
                if value.is_infinite() {
                    return f.write_str("Infinity");
                }
                Digits::new(zmij::Buffer::new().format_finite(value.abs())).lay_out(f)
            }
        }
    )*};
}

display! { f32 f64 }

/// The significant digits of a decimal number, and where its point stands.
struct Digits {
    digits: heapless::Vec<u8, 20>,
    /// The place of the point, counted from the first digit; it may lie outside of the digits.
    point: i32,
}

impl Digits {
    /// Takes `0.0012`, `12.5`, `100.0` or `1.25e-7`.
    fn new(text: &str) -> Self {
        let mut this = Self { digits: heapless::Vec::new(), point: 0 };
        let mut fraction = false;
        let mut bytes = text.bytes();
        for byte in &mut bytes {
            match byte {
                b'.' => fraction = true,
                b'0'..=b'9' => this.append(byte, fraction),
                _ => break,
            }
        }
        this.point = this.point.wrapping_add(exponent(bytes));
        while this.digits.last() == Some(&b'0') {
            this.digits.pop();
        }
        this
    }

    fn append(&mut self, digit: u8, fraction: bool) {
        let leading = digit == b'0' && self.digits.is_empty();
        if !leading {
            // Twenty are more than a float's seventeen with the zeros of its layout.
            let _ = self.digits.push(digit);
        }
        self.point = match (leading, fraction) {
            (false, false) => self.point.wrapping_add(1),
            (true, true) => self.point.wrapping_sub(1),
            _ => self.point,
        };
    }

    /// Writes the digits as ECMA-262 has it in `Number::toString`, steps 6 to 10.
    fn lay_out(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = core::str::from_utf8(&self.digits).unwrap_or_default();
        let count = i32::try_from(digits.len()).unwrap_or_default();
        match self.point {
            1..=21 => {
                let whole = usize::try_from(self.point).unwrap_or_default();
                let (whole, fraction) = digits.split_at_checked(whole).unwrap_or((digits, ""));
                f.write_str(whole)?;
                zeros(f, self.point.wrapping_sub(count))?;
                write_fraction(f, fraction)
            }
            -5..=0 => {
                f.write_str("0.")?;
                zeros(f, self.point.wrapping_neg())?;
                f.write_str(digits)
            }
            _ => {
                let (first, others) = digits.split_at_checked(1).unwrap_or((digits, ""));
                f.write_str(first)?;
                write_fraction(f, others)?;
                let exponent = self.point.wrapping_sub(1);
                write!(f, "e{}{exponent}", if exponent < 0 { "" } else { "+" })
            }
        }
    }
}

/// The value of `-7` or `+21`.
fn exponent(text: core::str::Bytes<'_>) -> i32 {
    let (mut value, mut sign) = (0_i32, 1);
    for byte in text {
        match byte {
            b'-' => sign = -1,
            b'0'..=b'9' => value = value.wrapping_mul(10).wrapping_add(i32::from(byte & 0xF)),
            _ => {}
        }
    }
    value.wrapping_mul(sign)
}

fn write_fraction(f: &mut fmt::Formatter<'_>, digits: &str) -> fmt::Result {
    f.write_str(if digits.is_empty() { "" } else { "." })?;
    f.write_str(digits)
}

fn zeros(f: &mut fmt::Formatter<'_>, count: i32) -> fmt::Result {
    for _ in 0..count {
        f.write_str("0")?;
    }
    Ok(())
}
