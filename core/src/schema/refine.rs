//! Schemas narrowed by `#[argument(min = ..)]` and its like. All of this runs in constants only, where a panic is a
//! compile error.

#![expect(clippy::panic, reason = "evaluated in constants only, where it is a compile error")]

use super::Type;
use crate::json::Integer;

/// A bound for [`Type::with_minimum`] and [`Type::with_maximum`].
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_enums, reason = "there are two kinds of numbers in JSON Schema")]
pub enum Bound {
    /// For integers.
    Integer(Integer),
    /// For floats.
    Float(f64),
}

/// A number whose type the macros know, on its way to become a [`Bound`].
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "made by the macros in other crates")]
pub struct Typed<T>(pub T);

macro_rules! bounds {
    ($variant:ident, $value:ident => $bound:expr, $($type:ty)*) => {$(
        impl Typed<$type> {
            #[doc(hidden)]
            #[must_use]
            pub const fn bound(self) -> Bound {
                let $value = self.0;
                Bound::$variant($bound)
            }
        }
    )*};
}

bounds!(Integer, value => Integer::new(value as i128), i8 i16 i32 i64 u8 u16 u32 u64);
impl Typed<crate::tool::Unbounded> {
    /// So that a bound on what has none is one error, not two.
    #[doc(hidden)]
    #[must_use]
    pub const fn bound(self) -> Bound {
        match self.0 {}
    }
}

bounds!(Float, value => value as f64, f32 f64);

impl Type {
    /// The same with a least value. For use in constants.
    ///
    /// # Panics
    /// If this is no number of the bound's kind, or no number could meet it.
    #[must_use]
    pub const fn with_minimum(self, bound: Bound) -> Self {
        match (self, bound) {
            (Self::Integer { maximum, .. }, Bound::Integer(minimum)) => {
                if maximum.is_less(minimum) {
                    panic!("the minimum lies above the maximum");
                }
                Self::Integer { minimum, maximum }
            }
            (Self::Number { maximum, float, .. }, Bound::Float(minimum)) => {
                if let Some(maximum) = maximum
                    && maximum < minimum
                {
                    panic!("the minimum lies above the maximum");
                }
                Self::Number { minimum: Some(minimum), maximum, float }
            }
            _ => panic!("`minimum` goes with numbers"),
        }
    }

    /// The same with a greatest value. For use in constants.
    ///
    /// # Panics
    /// If this is no number of the bound's kind, or no number could meet it.
    #[must_use]
    pub const fn with_maximum(self, bound: Bound) -> Self {
        match (self, bound) {
            (Self::Integer { minimum, .. }, Bound::Integer(maximum)) => {
                if maximum.is_less(minimum) {
                    panic!("the maximum lies below the minimum");
                }
                Self::Integer { minimum, maximum }
            }
            (Self::Number { minimum, float, .. }, Bound::Float(maximum)) => {
                if let Some(minimum) = minimum
                    && maximum < minimum
                {
                    panic!("the maximum lies below the minimum");
                }
                Self::Number { minimum, maximum: Some(maximum), float }
            }
            _ => panic!("`maximum` goes with numbers"),
        }
    }

    /// The same with lengths in Unicode characters. For use in constants.
    ///
    /// # Panics
    /// If this is no string, or no string of such a length can exist.
    #[must_use]
    pub const fn with_length(self, min: Option<u32>, max: Option<u32>) -> Self {
        let Self::String { min_length, max_length, max_bytes } = self else {
            panic!("`min_length` and `max_length` go with strings")
        };
        let (min_length, max_length) = narrowed(min_length, max_length, min, max);
        Self::String { min_length, max_length, max_bytes }
    }

    /// The same with numbers of elements. For use in constants.
    ///
    /// # Panics
    /// If this is no array, or no array of such a length can exist.
    #[must_use]
    pub const fn with_items(self, min: Option<u32>, max: Option<u32>) -> Self {
        let Self::Array { items, min_items, max_items } = self else {
            panic!("`min_items` and `max_items` go with arrays")
        };
        let (min_items, max_items) = narrowed(min_items, max_items, min, max);
        Self::Array { items, min_items, max_items }
    }
}

/// A range within another.
const fn narrowed(least: u32, most: u32, min: Option<u32>, max: Option<u32>) -> (u32, u32) {
    let min = match min {
        Some(min) => min,
        None => least,
    };
    let max = match max {
        Some(max) => max,
        None => most,
    };
    if min > max || min < least || max > most {
        panic!("the limits do not fit the type, or contradict each other");
    }
    (min, max)
}

/// Here at run time, where a panic can be caught; `tests/ui/argument_limit_*.rs` show the compile errors.
#[cfg(test)]
mod tests {
    extern crate alloc;
    extern crate std;
    use super::*;
    use crate::json::float::F64;
    use alloc::format;
    use alloc::string::String;
    use core::panic::UnwindSafe;
    use std::panic::catch_unwind;

    const INTEGER: Type = Type::Integer { minimum: Integer::new(-5), maximum: Integer::new(5) };
    const NUMBER: Type = Type::Number { minimum: Some(-5.0), maximum: Some(5.0), float: &F64 };
    const UNLIMITED: Type = Type::Number { minimum: None, maximum: None, float: &F64 };
    const ARRAY: Type = Type::Array { items: &INTEGER, min_items: 2, max_items: 5 };
    const LABEL: Type = Type::String { min_length: 2, max_length: 5, max_bytes: 9 };

    const fn integer(value: i64) -> Bound {
        Typed(value).bound()
    }

    const fn float(value: f64) -> Bound {
        Typed(value).bound()
    }

    /// Its limits, as `least..=most`; nothing where it does not compile.
    fn limits(refined: impl FnOnce() -> Type + UnwindSafe) -> Option<String> {
        Some(match catch_unwind(refined).ok()? {
            Type::Integer { minimum, maximum } => format!("{minimum}..={maximum}"),
            Type::Number { minimum, maximum, .. } => format!("{minimum:?}..={maximum:?}"),
            Type::Array { min_items, max_items, .. } => format!("{min_items}..={max_items}"),
            Type::String { min_length, max_length, max_bytes: 9 } => format!("{min_length}..={max_length}"),
            _ => return None,
        })
    }

    #[test]
    fn numbers_get_the_bound_and_keep_the_other() {
        for (value, minimum, maximum) in [
            (-6, Some("-6..=5"), None),
            (-5, Some("-5..=5"), Some("-5..=-5")),
            (0, Some("0..=5"), Some("-5..=0")),
            (5, Some("5..=5"), Some("-5..=5")),
            (6, None, Some("-5..=6")),
        ] {
            let bound = integer(value);
            assert_eq!(limits(move || INTEGER.with_minimum(bound)).as_deref(), minimum, "{value}");
            assert_eq!(limits(move || INTEGER.with_maximum(bound)).as_deref(), maximum, "{value}");
        }
        for (value, minimum, maximum) in [
            (-5.5, Some("Some(-5.5)..=Some(5.0)"), None),
            (-5.0, Some("Some(-5.0)..=Some(5.0)"), Some("Some(-5.0)..=Some(-5.0)")),
            (0.5, Some("Some(0.5)..=Some(5.0)"), Some("Some(-5.0)..=Some(0.5)")),
            (5.0, Some("Some(5.0)..=Some(5.0)"), Some("Some(-5.0)..=Some(5.0)")),
            (5.5, None, Some("Some(-5.0)..=Some(5.5)")),
        ] {
            let bound = float(value);
            assert_eq!(limits(move || NUMBER.with_minimum(bound)).as_deref(), minimum, "{value}");
            assert_eq!(limits(move || NUMBER.with_maximum(bound)).as_deref(), maximum, "{value}");
        }
        assert_eq!(limits(|| UNLIMITED.with_minimum(float(1.0))).as_deref(), Some("Some(1.0)..=None"));
        assert_eq!(limits(|| UNLIMITED.with_maximum(float(1.0))).as_deref(), Some("None..=Some(1.0)"));
    }

    #[test]
    fn a_range_lies_within_the_one_before() {
        for (min, max, expected) in [
            (None, None, Some("2..=5")),
            (Some(2), None, Some("2..=5")),
            (Some(3), None, Some("3..=5")),
            (None, Some(4), Some("2..=4")),
            (None, Some(5), Some("2..=5")),
            (Some(3), Some(4), Some("3..=4")),
            (Some(3), Some(3), Some("3..=3")),
            (Some(4), Some(3), None),
            (Some(1), None, None),
            (Some(1), Some(3), None),
            (None, Some(6), None),
            (Some(3), Some(6), None),
            (Some(6), None, None),
            (None, Some(1), None),
        ] {
            assert_eq!(limits(move || ARRAY.with_items(min, max)).as_deref(), expected, "{min:?} {max:?}");
            assert_eq!(limits(move || LABEL.with_length(min, max)).as_deref(), expected, "{min:?} {max:?}");
        }
    }

    #[test]
    fn what_goes_with_another_kind_does_not_compile() {
        for schema in [Type::Boolean, LABEL, ARRAY] {
            assert_eq!(limits(move || schema.with_minimum(integer(0))), None, "{schema:?}");
            assert_eq!(limits(move || schema.with_maximum(integer(0))), None, "{schema:?}");
        }
        assert_eq!(limits(|| INTEGER.with_minimum(float(0.0))), None);
        assert_eq!(limits(|| INTEGER.with_maximum(float(0.0))), None);
        assert_eq!(limits(|| NUMBER.with_minimum(integer(0))), None);
        assert_eq!(limits(|| NUMBER.with_maximum(integer(0))), None);
        assert_eq!(limits(|| ARRAY.with_length(None, None)), None);
        assert_eq!(limits(|| LABEL.with_items(None, None)), None);
    }
}
