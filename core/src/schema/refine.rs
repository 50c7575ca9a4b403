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
