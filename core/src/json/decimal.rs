//! Decimal numbers to the nearest float, exactly, with 1000 bytes of flash.
//!
//! For 32-bit cores, where the parser of core would take 16.6 KB. There is no table and no estimate: the digits become an
//! integer, the powers of five go into it or under it, and a long division yields the bits. Numbers as they are sent cost
//! some thousand cycles; those at the ends of the range, which nobody sends to a board, up to a million.

/// Words of 32 bits, the least first. The digits of a midpoint between two doubles, 768 of them, and a few more fit, as
/// does each power of five that can meet them.
const WORDS: usize = 88;

/// How many digits can decide; what comes behind them only tells more from nothing.
const DIGITS: i32 = 775;

/// A binary format of IEEE 754.
pub(crate) struct Format {
    /// The bits of the fraction.
    fraction: i32,
    /// The exponent of the least normal number.
    least: i32,
    /// The bits of infinity.
    infinity: u64,
}

/// `f32`.
pub(crate) const SINGLE: Format = Format { fraction: 23, least: -126, infinity: 0x7F80_0000 };

/// `f64`.
pub(crate) const DOUBLE: Format = Format { fraction: 52, least: -1022, infinity: 0x7FF0_0000_0000_0000 };

/// The bits of the float nearest to the number that JSON text spells, the even one of two, without its sign.
pub(crate) fn nearest(text: &str, format: &Format) -> u64 {
    let mut numerator = [0; WORDS];
    let Decimal { digits, exponent } = Decimal::read(text, &mut numerator);
    let magnitude = digits.saturating_add(exponent);
    if digits == 0 || magnitude < -330 {
        return 0;
    }
    if magnitude > 310 {
        return format.infinity;
    }
    let mut denominator = [0; WORDS];
    divide(&mut numerator, &mut denominator, digits, exponent, format)
}

/// How many significant digits were read, and the power of ten that they are to be multiplied by.
struct Decimal {
    digits: i32,
    exponent: i32,
}

impl Decimal {
    /// Reads the digits into `number`.
    fn read(text: &str, number: &mut [u32]) -> Self {
        let mut this = Self { digits: 0, exponent: 0 };
        let mut fraction = false;
        let mut bytes = text.bytes();
        for byte in &mut bytes {
            match byte {
                b'0'..=b'9' => this.take(byte, fraction, number),
                b'.' => fraction = true,
                b'-' => {}
                _ => break,
            }
        }
        let (mut power, mut sign) = (0_i32, 1);
        for byte in bytes {
            match byte {
                b'-' => sign = -1,
                b'0'..=b'9' => power = power.saturating_mul(10).saturating_add(i32::from(byte & 0xF)),
                _ => {}
            }
        }
        this.exponent = this.exponent.saturating_add(power.saturating_mul(sign));
        this
    }

    fn take(&mut self, byte: u8, fraction: bool, number: &mut [u32]) {
        let digit = u32::from(byte & 0xF);
        if self.digits == DIGITS {
            // A midpoint ends in zeros here, so one more bit lies above it and below everything else.
            if let Some(word) = number.first_mut() {
                *word |= u32::from(digit > 0);
            }
            self.exponent = self.exponent.saturating_add(i32::from(!fraction));
            return;
        }
        if self.digits > 0 || digit > 0 {
            self.digits = self.digits.wrapping_add(1);
            multiply(used(number, self.digits, 0), 10, digit);
        }
        self.exponent = self.exponent.saturating_sub(i32::from(fraction));
    }
}

/// The words that a number of so many digits and powers of five needs.
fn used(number: &mut [u32], digits: i32, powers: u32) -> &mut [u32] {
    let bits = digits.unsigned_abs().saturating_mul(4).saturating_add(powers.saturating_mul(3));
    let words = usize::try_from(bits / 32).unwrap_or(WORDS).saturating_add(4).min(number.len());
    number.get_mut(..words).unwrap_or_default()
}

/// The float nearest to `numerator × 10^exponent`.
fn divide(numerator: &mut [u32], denominator: &mut [u32], digits: i32, exponent: i32, format: &Format) -> u64 {
    let powers = exponent.unsigned_abs();
    let numerator = used(numerator, digits, powers);
    let denominator = used(denominator, digits, powers);
    if let Some(word) = denominator.first_mut() {
        *word = 1;
    }
    for _ in 0..powers {
        multiply(if exponent < 0 { &mut *denominator } else { &mut *numerator }, 5, 0);
    }
    // Make the quotient 1 or more, but less than 2.
    let (above, below) = (bits(numerator), bits(denominator));
    double(denominator, above.saturating_sub(below));
    double(numerator, below.saturating_sub(above));
    let signed = |bits: u32| i32::try_from(bits).unwrap_or_default();
    let mut exponent = exponent.wrapping_add(signed(above)).wrapping_sub(signed(below));
    if !is_less_or_equal(denominator, numerator) {
        double(numerator, 1);
        exponent = exponent.wrapping_sub(1);
    }
    // One bit more than the float has, to round by; fewer for one below the normal range.
    let missing = format.least.saturating_sub(exponent).max(0);
    let mut quotient = 0_u64;
    for _ in missing..format.fraction.wrapping_add(2) {
        quotient = quotient << 1 | u64::from(subtract(numerator, denominator));
        double(numerator, 1);
    }
    let exact = numerator.iter().all(|word| *word == 0);
    let (rounding, even) = (quotient & 1 == 1, quotient & 2 == 0);
    quotient = (quotient >> 1).wrapping_add(u64::from(rounding && !(exact && even)));
    // The leading one of the quotient adds itself to the exponent, and so does a carry.
    let above = u64::try_from(exponent.saturating_sub(format.least)).unwrap_or_default();
    quotient.wrapping_add(above << format.fraction).min(format.infinity)
}

/// `number × factor + more`.
fn multiply(number: &mut [u32], factor: u32, more: u32) {
    let mut carry = u64::from(more);
    for word in number {
        let [low, high] = halves(u64::from(*word).wrapping_mul(factor.into()).wrapping_add(carry));
        *word = low;
        carry = high.into();
    }
}

fn halves(value: u64) -> [u32; 2] {
    #[expect(clippy::cast_possible_truncation, reason = "split into its halves")]
    [value as u32, (value >> 32) as u32]
}

/// `number × 2^times`.
fn double(number: &mut [u32], times: u32) {
    let mut rest = times;
    while rest > 0 {
        let some = rest.min(31);
        multiply(number, 1 << some, 0);
        rest = rest.wrapping_sub(some);
    }
}

/// How many bits a number has, without leading zeros.
fn bits(number: &[u32]) -> u32 {
    let mut bits = 0;
    for (place, word) in (0_u32..).zip(number) {
        if *word > 0 {
            bits = place.wrapping_mul(32).wrapping_add(32).wrapping_sub(word.leading_zeros());
        }
    }
    bits
}

fn is_less_or_equal(a: &[u32], b: &[u32]) -> bool {
    a.iter().rev().le(b.iter().rev())
}

/// `a - b` if that is not negative. Returns whether it was done.
fn subtract(a: &mut [u32], b: &[u32]) -> bool {
    let fits = is_less_or_equal(b, a);
    if fits {
        let mut borrow = false;
        for (a, b) in a.iter_mut().zip(b) {
            let (less, first) = a.overflowing_sub(*b);
            let (less, second) = less.overflowing_sub(borrow.into());
            *a = less;
            borrow = first || second;
        }
    }
    fits
}

#[cfg(test)]
mod tests {
    extern crate alloc;
    use super::*;
    use alloc::format;
    use alloc::string::String;
    use alloc::vec::Vec;

    /// Checks a text against the parser of core.
    fn check(text: &str) {
        let double: f64 = text.parse().unwrap();
        assert_eq!(nearest(text, &DOUBLE), double.abs().to_bits(), "{text}");
        let single: f32 = text.parse().unwrap();
        assert_eq!(nearest(text, &SINGLE), single.abs().to_bits().into(), "{text}");
    }

    /// Bits that repeat from run to run.
    fn random(state: &mut u64) -> u64 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        *state ^ *state >> 29
    }

    #[test]
    fn what_people_send() {
        for text in [
            "0",
            "-0",
            "0.0e5",
            "1",
            "-1",
            "10",
            "0.1",
            "0.30000000000000004",
            "123456.789",
            "1e21",
            "1e23",
            "9007199254740993",
            "18446744073709551616",
            "1.8919223400351521",
            "5e-324",
            "2.4703282292062327e-324",
            "2.4703282292062328e-324",
            "2.2250738585072011e-308",
            "1.7976931348623157e308",
            "1.7976931348623159e308",
            "1e309",
            "1e400",
            "1e-400",
            "3.5E-2147483648",
            "1e99999999999999999999",
            "0e99999999999999999999",
            "1e-99999999999999999999",
            "16777217",
            "3.4028235677973366e38",
            "1.401298464324817e-45",
            "7.006492321624085e-46",
            "7.006492321624086e-46",
        ] {
            check(text);
        }
    }

    #[test]
    fn random_floats_in_short_and_in_full() {
        let mut state = 1;
        for _ in 0..3000 {
            let value = f64::from_bits(random(&mut state) & !(1 << 63));
            if value.is_finite() {
                check(&format!("{value:e}"));
                check(&format!("{value:.30e}"));
            }
            let (mantissa, more, power) = (random(&mut state), random(&mut state), random(&mut state) % 700);
            check(&format!("{}.{mantissa}{more}e{}", more % 10, i64::try_from(power).unwrap() - 350));
        }
    }

    /// All the digits of a double.
    fn in_full(value: f64) -> Vec<u8> {
        format!("{value:.1075}").bytes().filter(u8::is_ascii_digit).map(|digit| digit & 0xF).collect()
    }

    /// The point halfway between two neighbours, and what lies a hair below and above it.
    #[test]
    fn halfway_between_two_doubles() {
        let mut state = 2;
        for round in 0..400_u64 {
            let shift = if round % 2 == 0 { 0 } else { 1 + round % 12 };
            let value = f64::from_bits((random(&mut state) & !(1 << 63)) >> shift);
            if !value.is_finite() || value > 1e15 {
                continue;
            }
            let (low, high) = (in_full(value), in_full(value.next_up()));
            let low = [&*Vec::from_iter(core::iter::repeat_n(0, high.len() - low.len())), &*low].concat();
            let sum: Vec<u32> = low.iter().zip(&high).map(|(a, b)| u32::from(a + b)).collect();
            // Half the sum, digit by digit from the left; a digit may still be ten or more.
            let (mut half, mut carry) = (Vec::new(), 0);
            for digit in &sum {
                let twice = carry * 10 + digit;
                half.push(twice / 2);
                carry = twice % 2;
            }
            half.push(carry * 5);
            for at in (1..half.len()).rev() {
                half[at - 1] += half[at] / 10;
                half[at] %= 10;
            }
            let digits: String = half.iter().map(|digit| char::from_digit(*digit, 10).unwrap()).collect();
            let (whole, fraction) = digits.split_at(digits.len() - 1076);
            let whole = if whole.trim_start_matches('0').is_empty() { "0" } else { whole.trim_start_matches('0') };
            check(&format!("{whole}.{fraction}"));
            check(&format!("{whole}.{fraction}{}1", "0".repeat(50)));
            let below = fraction.trim_end_matches('0');
            if let Some(kept) = below.strip_suffix('5') {
                check(&format!("{whole}.{kept}4{}", "9".repeat(60)));
            }
        }
    }
}
