//! The JSON layer: reading proven values, writing text.
//!
//! # Proven text
//!
//! [`Frames`](crate::frame::Frames) turns each line into *proven text*, and only that is read here. It is the JSON of
//! the message without white space, with one difference: a string stands unescaped between two bytes 0xFF, which occur
//! in no UTF-8. So a name is compared, a string borrowed and its end found without looking at escapes, and the text is
//! never longer than the JSON that came. On proven text nothing here can fail; on anything else the functions return
//! nonsense, but neither panic nor read out of bounds.

#[cfg(any(test, not(target_pointer_width = "64")))]
mod decimal;
pub(crate) mod float;
mod number;
pub(crate) mod scan;
#[cfg(feature = "serde")]
pub(crate) mod serializer;
mod value;
mod writer;

use core::fmt::{self, Write};

pub use float::Float;
pub use number::{Integer, NotInteger, Number, OutOfRange};
pub(crate) use value::QUOTE;
pub use value::{Array, Elements, Kind, Members, Object, Value};
pub(crate) use writer::{Port, Writer};

/// A writer that escapes what passes through it, for the inside of a JSON string.
#[expect(clippy::exhaustive_structs, reason = "an adapter, made where it is used")]
pub struct Escape<'w>(pub &'w mut dyn Write);

impl Write for Escape<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        escape(self.0, text)
    }

    fn write_char(&mut self, character: char) -> fmt::Result {
        write_char(self, character)
    }
}

impl fmt::Debug for Escape<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Escape").finish_non_exhaustive()
    }
}

/// Writes the inside of a JSON string: whole runs of what needs no escape, and the escapes between them.
fn escape(out: &mut dyn Write, text: &str) -> fmt::Result {
    let mut rest = text;
    loop {
        let Some((plain, special)) = rest.split_at_checked(scan::find_escape(rest.as_bytes())) else {
            return Err(fmt::Error);
        };
        if !plain.is_empty() {
            out.write_str(plain)?;
        }
        let Some(byte) = special.as_bytes().first() else { return Ok(()) };
        let (text, code) = match byte {
            b'"' => ("\\\"", false),
            b'\\' => ("\\\\", false),
            b'\n' => ("\\n", false),
            b'\r' => ("\\r", false),
            b'\t' => ("\\t", false),
            0x08 => ("\\b", false),
            0x0C => ("\\f", false),
            ..0x10 => ("\\u000", true),
            _ => ("\\u001", true),
        };
        out.write_str(text)?;
        if code {
            let digit = usize::from(byte & 0xF);
            out.write_str("0123456789abcdef".get(digit..=digit).unwrap_or_default())?;
        }
        rest = special.get(1..).unwrap_or_default();
    }
}

/// Writes a JSON string.
///
/// # Errors
/// Those of `out`.
pub fn write_str(out: &mut dyn Write, text: &str) -> fmt::Result {
    out.write_str("\"")?;
    escape(out, text)?;
    out.write_str("\"")
}

/// Writes a character as text.
#[inline(never)]
pub(crate) fn write_char(out: &mut dyn Write, character: char) -> fmt::Result {
    out.write_str(character.encode_utf8(&mut [0; 4]))
}

/// The start of a text that may be long.
pub(crate) struct Clipped<'a>(pub(crate) &'a str);

/// The bytes of a long text that are shown.
const SHOWN: usize = 64;

impl fmt::Display for Clipped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (shown, rest) = self.0.split_at_checked(self.0.floor_char_boundary(SHOWN)).unwrap_or((self.0, ""));
        f.write_str(shown)?;
        f.write_str(if rest.is_empty() { "" } else { "…" })
    }
}

/// Writes a value as JSON without white space.
///
/// # Errors
/// Those of `out`.
pub fn write_value(out: &mut dyn Write, value: Value<'_>) -> fmt::Result {
    // Every other piece between the quote bytes is the inside of a string.
    let mut inside = false;
    for piece in value.as_bytes().split(|&byte| byte == QUOTE) {
        let piece = core::str::from_utf8(piece).map_err(|_| fmt::Error)?;
        if inside {
            write_str(out, piece)?;
        } else {
            out.write_str(piece)?;
        }
        inside = !inside;
    }
    Ok(())
}
