//! Pages of lists. A cursor is the decimal index of the first item of a page, so that the server remembers none (PAGE-5).

use core::ops::Range;

use super::cache::CONSTANT;
use super::params::{Refusal, text};
use super::revision::Rules;
use crate::json::{Integer, Object, Writer};

/// A page of a list.
pub(super) struct Page {
    /// The indices of its items.
    pub(super) range: Range<usize>,
    /// The items of the whole list.
    count: usize,
}

impl Page {
    /// The page that a request for a list asks for.
    pub(super) fn asked(params: Object<'_>, count: usize, size: usize) -> Result<Self, Refusal> {
        let first = match text(params.get("cursor"), Refusal::CursorType)? {
            None => 0,
            Some(cursor) => index(cursor)
                .filter(|index| *index < count && index.checked_rem(size) == Some(0))
                .ok_or(Refusal::Cursor)?,
        };
        Ok(Self { range: first..first.saturating_add(size).min(count), count })
    }

    /// Writes what follows the items in a result.
    pub(super) fn close(&self, out: &mut Writer<'_>, rules: &Rules) {
        out.raw("]");
        if self.range.end < self.count {
            out.raw(",\"nextCursor\":\"");
            out.integer(Integer::count(self.range.end));
            out.raw("\"");
        }
        out.raw(if rules.modern { CONSTANT } else { "" });
    }
}

/// The index that a cursor spells, if it spells one as it is given out.
fn index(cursor: &[u8]) -> Option<usize> {
    if let [] | [b'0', ..] = cursor {
        return None;
    }
    cursor.iter().try_fold(0_usize, |index, digit| match digit {
        b'0'..=b'9' => index.checked_mul(10)?.checked_add(usize::from(digit & 0xF)),
        _ => None,
    })
}
