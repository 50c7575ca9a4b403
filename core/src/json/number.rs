//! Numbers: kept as their text, converted exactly when someone asks.

use core::fmt;

/// A number of a message, as its text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Number<'a>(&'a [u8]);

/// Why a number is not the integer that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotInteger {
    /// It has a fraction: `2.5`.
    Fraction,
    /// Its magnitude does not fit into 64 bits: `1e400`.
    OutOfRange,
}

impl fmt::Display for NotInteger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Fraction => "not an integer",
            Self::OutOfRange => "out of the range of 64-bit integers",
        })
    }
}

impl core::error::Error for NotInteger {}

impl<'a> Number<'a> {
    pub(crate) const fn proven(text: &'a [u8]) -> Self {
        Self(text)
    }

    /// The text as it came, such as `-1.50e+3`.
    #[must_use]
    pub fn as_str(self) -> &'a str {
        core::str::from_utf8(self.0).unwrap_or_default()
    }

    /// The exact integer, also where it is written as `3.0`, `3e0` or `0.3E1`, as JSON Schema has it.
    ///
    /// # Errors
    /// [`NotInteger`], for a fraction or a magnitude beyond [`u64::MAX`].
    pub fn to_integer(self) -> Result<Integer, NotInteger> {
        let (negative, text) = match self.0 {
            [b'-', text @ ..] => (true, text),
            text => (false, text),
        };
        let (mantissa, exponent) = split(text, |byte| matches!(byte, b'e' | b'E'));
        let (whole, _) = split(mantissa, |byte| byte == b'.');
        // How many of the digits stand before the decimal point; there may be fewer, or more.
        let mut before = i32::try_from(whole.len()).unwrap_or(i32::MAX).saturating_add(power(exponent));
        let mut magnitude = 0;
        for &digit in mantissa.iter().filter(|byte| **byte != b'.') {
            if before > 0 {
                magnitude = append(magnitude, digit).ok_or(NotInteger::OutOfRange)?;
                before = before.wrapping_sub(1);
            } else if digit != b'0' {
                return Err(NotInteger::Fraction);
            }
        }
        while before > 0 && magnitude > 0 {
            magnitude = append(magnitude, b'0').ok_or(NotInteger::OutOfRange)?;
            before = before.wrapping_sub(1);
        }
        Ok(Integer::of(negative, magnitude))
    }
}

impl fmt::Debug for Number<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The text before the first byte that is a mark, and the rest.
fn split(text: &[u8], mark: impl Fn(u8) -> bool) -> (&[u8], &[u8]) {
    let at = text.iter().position(|byte| mark(*byte)).unwrap_or(text.len());
    text.split_at_checked(at).unwrap_or((text, &[]))
}

/// `magnitude` with one more decimal digit.
fn append(magnitude: u64, digit: u8) -> Option<u64> {
    const MOST: u64 = u64::MAX / 10;
    match magnitude {
        ..=MOST => magnitude.wrapping_mul(10).checked_add(u64::from(digit & 0xF)),
        _ => None,
    }
}

/// The value of `e+12`, limited to what no message can undo with digits.
fn power(exponent: &[u8]) -> i32 {
    const MOST: i32 = 100_000_000;
    let (negative, digits) = match exponent {
        [_, b'-', digits @ ..] => (true, digits),
        [_, b'+', digits @ ..] | [_, digits @ ..] => (false, digits),
        [] => (false, exponent),
    };
    let mut power = 0_i32;
    for digit in digits {
        power = power.wrapping_mul(10).wrapping_add((digit & 0xF).into()).min(MOST);
    }
    if negative { power.wrapping_neg() } else { power }
}

/// An integer of sign and 64-bit magnitude: every `i64` and every `u64`.
///
/// It displays itself with 1300 bytes less flash on a Cortex-M3 than these do, 800 less than `u32` does, and cannot panic
/// there. All that the core prints goes through it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Integer {
    /// Not for zero.
    negative: bool,
    magnitude: u64,
}

impl Integer {
    /// The integer for a number that is known when compiling.
    ///
    /// # Panics
    /// If the magnitude does not fit into 64 bits; in constants that stops the compiler.
    #[must_use]
    #[expect(clippy::panic, reason = "for constants, where it stops the compiler")]
    pub const fn new(value: i128) -> Self {
        let magnitude = value.unsigned_abs();
        if magnitude > u64::MAX as u128 {
            panic!("an integer bound must fit into 64 bits");
        }
        Self::of(value < 0, magnitude as u64)
    }

    const fn of(negative: bool, magnitude: u64) -> Self {
        Self { negative: negative && magnitude != 0, magnitude }
    }

    /// Whether it is a bound of a 64-bit type.
    pub(crate) const fn is_extreme(self) -> bool {
        match self.magnitude {
            u64::MAX => true,
            0x8000_0000_0000_0000 => self.negative,
            0x7FFF_FFFF_FFFF_FFFF => !self.negative,
            _ => false,
        }
    }

    /// Whether it is less than `other`.
    #[must_use]
    pub const fn is_less(self, other: Self) -> bool {
        match (self.negative, other.negative) {
            (true, false) => true,
            (false, true) => false,
            (false, false) => self.magnitude < other.magnitude,
            (true, true) => self.magnitude > other.magnitude,
        }
    }
}

/// The powers of ten that fit into 64 bits, the greatest first.
static POWERS: [u64; 20] = {
    let mut powers = [1; 20];
    let mut rest: &mut [u64] = &mut powers;
    let mut power = 1_u64;
    while let [others @ .., last] = rest {
        *last = power;
        power = power.wrapping_mul(10);
        rest = others;
    }
    powers
};

impl fmt::Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f)
    }
}

impl Integer {
    /// Writes it digit by digit, without 64-bit division.
    pub(crate) fn write(self, out: &mut dyn fmt::Write) -> fmt::Result {
        if self.negative {
            out.write_str("-")?;
        }
        let mut rest = self.magnitude;
        let mut leading = true;
        for &power in &POWERS {
            let mut digit = b'0';
            while rest >= power {
                rest = rest.wrapping_sub(power);
                digit = digit.wrapping_add(1);
            }
            leading = leading && digit == b'0' && power > 1;
            if !leading {
                out.write_char(char::from(digit))?;
            }
        }
        Ok(())
    }
}

/// The integer does not fit into the type asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "as core::num::TryFromIntError, which cannot be made here")]
pub struct OutOfRange;

macro_rules! from_integer {
    (signed: $($signed:ident)*; unsigned: $($unsigned:ident)*;) => {
        $(impl From<$signed> for Integer {
            fn from(value: $signed) -> Self {
                Self::of(value < 0, value.unsigned_abs().into())
            }
        })*
        $(impl From<$unsigned> for Integer {
            fn from(value: $unsigned) -> Self {
                Self::of(false, value.into())
            }
        })*
    };
}

from_integer! {
    signed: i8 i16 i32 i64;
    unsigned: u8 u16 u32 u64;
}

macro_rules! try_from_integer {
    ($($wide:ident: $($type:ident)*;)*) => {$($(
        impl TryFrom<Integer> for $type {
            type Error = OutOfRange;

            fn try_from(integer: Integer) -> Result<Self, OutOfRange> {
                integer.$wide().and_then(|wide| Self::try_from(wide).ok()).ok_or(OutOfRange)
            }
        }
    )*)*};
}

try_from_integer! {
    signed: i8 i16 i32 i64;
    unsigned: u8 u16 u32 u64;
}

impl Integer {
    /// The integer that decimal digits spell, with a minus sign before them or not.
    pub(crate) fn from_text(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('-').unwrap_or(text).as_bytes();
        let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
        if is_number { Number::proven(text.as_bytes()).to_integer().ok() } else { None }
    }

    /// A number of things, at most [`u64::MAX`].
    pub(crate) fn count(count: usize) -> Self {
        Self::of(false, u64::try_from(count).unwrap_or(u64::MAX))
    }

    fn signed(self) -> Option<i64> {
        if self.negative { 0_i64.checked_sub_unsigned(self.magnitude) } else { i64::try_from(self.magnitude).ok() }
    }

    fn unsigned(self) -> Option<u64> {
        (!self.negative).then_some(self.magnitude)
    }
}

#[cfg(test)]
mod tests {
    extern crate alloc;
    use super::*;
    use alloc::string::ToString;

    fn integer(text: &str) -> Result<i128, NotInteger> {
        Number::proven(text.as_bytes()).to_integer().map(|i| i.to_string().parse().unwrap())
    }

    #[test]
    fn integers_are_exact_in_any_spelling() {
        for (text, value) in [
            ("0", 0),
            ("-0", 0),
            ("-0.0e5", 0),
            ("0e99999999999999999999", 0),
            ("3.0", 3),
            ("3e0", 3),
            ("0.2E1", 2),
            ("30e-1", 3),
            ("-1.50e+3", -1500),
            ("0.0000000000000000000000000000012e30", 1),
            ("9007199254740993", 9_007_199_254_740_993),
            ("-9223372036854775808", i128::from(i64::MIN)),
            ("18446744073709551615", i128::from(u64::MAX)),
            ("18446744073709551615.000", i128::from(u64::MAX)),
        ] {
            let expected = if text.starts_with("0.0000") { Err(NotInteger::Fraction) } else { Ok(value) };
            assert_eq!(integer(text), expected, "{text}");
        }
    }

    #[test]
    fn fractions_and_giants_are_told_apart() {
        for text in ["2.5", "1e-1", "1e-99999999999999999999", "-0.1", "12345e-2", "3.5E-2147483648"] {
            assert_eq!(integer(text), Err(NotInteger::Fraction), "{text}");
        }
        for text in ["1e400", "18446744073709551616", "1e99999999999999999999", "-1e20", "184467440737095516150e-0"] {
            assert_eq!(integer(text), Err(NotInteger::OutOfRange), "{text}");
        }
        assert_eq!(NotInteger::Fraction.to_string(), "not an integer");
        assert_eq!(NotInteger::OutOfRange.to_string(), "out of the range of 64-bit integers");
    }

    #[test]
    fn conversions_keep_the_bounds() {
        let of = |value: i128| Integer::new(value);
        assert_eq!(u8::try_from(of(255)), Ok(255));
        assert_eq!(u8::try_from(of(256)), Err(OutOfRange));
        assert_eq!(u8::try_from(of(-1)), Err(OutOfRange));
        assert_eq!(i8::try_from(of(-128)), Ok(-128));
        assert_eq!(i8::try_from(of(-129)), Err(OutOfRange));
        assert_eq!(i64::try_from(of(i128::from(i64::MIN))), Ok(i64::MIN));
        assert_eq!(i64::try_from(of(i128::from(i64::MAX) + 1)), Err(OutOfRange));
        assert_eq!(u64::try_from(of(i128::from(u64::MAX))), Ok(u64::MAX));
    }

    #[test]
    fn order_is_that_of_the_numbers() {
        let values = [i128::from(i64::MIN), -2, -1, 0, 1, 2, i128::from(u64::MAX)];
        for a in values {
            for b in values {
                assert_eq!(Integer::new(a).is_less(Integer::new(b)), a < b, "{a} {b}");
            }
        }
        assert!(!Number::proven(b"-0").to_integer().unwrap().is_less(Integer::new(0)));
    }
}
