//! Numbers against oracles: `ryu-js` prints floats as ECMAScript does, `i128` and Rust's own parser calculate.

use proptest::prelude::*;
use toolwire::json::{Float, NotInteger};
use toolwire_tests::numbers::{integer as to_integer, spell};

fn ecmascript(value: f64) -> String {
    ryu_js::Buffer::new().format(value).to_owned()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn floats_print_as_ecmascript_prints_them(bits in any::<u64>()) {
        let value = f64::from_bits(bits);
        prop_assert_eq!(Float(value).to_string(), ecmascript(value));
    }

    #[test]
    fn decimals_print_as_ecmascript_prints_them(mantissa in any::<i32>(), exponent in -330..310_i32) {
        let value: f64 = format!("{mantissa}e{exponent}").parse().unwrap();
        prop_assert_eq!(Float(value).to_string(), ecmascript(value));
    }

    #[test]
    fn every_float_survives_the_way_there_and_back(bits in any::<u64>()) {
        let value = f64::from_bits(bits);
        prop_assume!(value.is_finite() && value != 0.0);
        prop_assert_eq!(Float(value).to_string().parse::<f64>().unwrap().to_bits(), bits);
    }

    #[test]
    fn integers_are_exact_in_every_spelling(
        integer in prop_oneof![any::<i64>().prop_map(i128::from), any::<u64>().prop_map(i128::from)],
        places in 0..40_usize,
        zeros in 0..40_usize,
        upper in any::<bool>(),
    ) {
        prop_assert_eq!(to_integer(&spell(integer, places, zeros, upper)), Ok(integer));
    }

    #[test]
    fn fractions_are_no_integers(integer in any::<i64>(), digit in 1..10_u8, zeros in 0..30_usize) {
        let text = format!("{integer}.{}{digit}", "0".repeat(zeros));
        prop_assert_eq!(to_integer(&text), Err(NotInteger::Fraction));
    }

    #[test]
    fn what_does_not_fit_64_bits_is_out_of_range(more in 1..i64::MAX as i128, places in 0..10_usize) {
        let giant = i128::from(u64::MAX) + more;
        prop_assert_eq!(to_integer(&spell(giant, places, 0, true)), Err(NotInteger::OutOfRange));
    }
}

/// Shortest digits in a tie are the even ones, which not every printer finds.
#[test]
fn ties_print_as_ecmascript_prints_them() {
    for value in [562_949_953_421_312.2, 5e-324, 9.5e21, f64::MAX, f64::MIN_POSITIVE, 1e21, 1e-7, 123_456_789.0] {
        for value in [value, -value] {
            assert_eq!(Float(value).to_string(), ecmascript(value));
        }
    }
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0] {
        assert_eq!(Float(value).to_string(), ecmascript(value));
    }
}
