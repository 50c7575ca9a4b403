//! Search of several bytes at once, which is where the desktop's speed comes from.
//!
//! A [`Block`] is a machine word: eight bytes on the desktop, four on a 32-bit core. (Blocks of 16 bytes in a form that
//! compilers turn into vectors took twice the instructions on x86-64, since they find the place of a mark in a vector
//! only through intrinsics, which safe code cannot call.)

/// The bytes of a block.
pub(crate) const BLOCK: usize = size_of::<usize>();

/// Whether searches go by blocks. Those of four bytes are not worth their 180 bytes of flash on a Cortex-M3.
const BLOCKS: bool = BLOCK == 8;

pub(crate) type Block = [u8; BLOCK];

/// Bytes of a block that are marked.
#[derive(Clone, Copy)]
pub(crate) struct Marks(usize);

const ONES: usize = usize::from_ne_bytes([0x01; BLOCK]);
const HIGH: usize = usize::from_ne_bytes([0x80; BLOCK]);

/// The high bit of each byte that equals `byte`. The lowest bit set is exact; those above it may be spurious.
const fn equal(word: usize, byte: u8) -> usize {
    let difference = word ^ usize::from_ne_bytes([byte; BLOCK]);
    difference.wrapping_sub(ONES) & !difference & HIGH
}

/// As [`equal`], for what must be escaped.
const fn special(word: usize) -> usize {
    let control = word.wrapping_sub(usize::from_ne_bytes([0x20; BLOCK])) & !word & HIGH;
    control | equal(word, b'"') | equal(word, b'\\')
}

impl Marks {
    /// Marks what is no ASCII or must be escaped in a JSON string.
    pub(crate) const fn no_plain_ascii(block: Block) -> Self {
        let word = usize::from_le_bytes(block);
        Self(special(word) | word & HIGH)
    }

    /// How many bytes stand before the first one that is marked, if one is.
    pub(crate) const fn before_first(self) -> Option<usize> {
        match self.0 {
            0 => None,
            marks => Some((marks.trailing_zeros() / 8) as usize),
        }
    }
}

/// The position of the first byte that `marks` finds in a block and `is` finds alone, or the length.
fn position(bytes: &[u8], marks: impl Fn(usize) -> usize, is: impl Fn(u8) -> bool) -> usize {
    let mut at = 0_usize;
    let (blocks, rest) = if BLOCKS { bytes.as_chunks() } else { (&[] as &[Block], bytes) };
    for block in blocks {
        if let Some(before) = Marks(marks(usize::from_le_bytes(*block))).before_first() {
            return at.wrapping_add(before);
        }
        at = at.wrapping_add(BLOCK);
    }
    at.wrapping_add(rest.iter().position(|&byte| is(byte)).unwrap_or(rest.len()))
}

/// The position of the first `byte`, or the length.
pub(crate) fn find(bytes: &[u8], byte: u8) -> usize {
    position(bytes, |word| equal(word, byte), |b| b == byte)
}

/// The position of the first byte that must be escaped in a JSON string, or the length.
pub(crate) fn find_escape(bytes: &[u8]) -> usize {
    position(bytes, special, |byte| matches!(byte, b'"' | b'\\' | ..=0x1F))
}

#[cfg(test)]
mod tests {
    extern crate alloc;
    use super::*;
    use alloc::vec::Vec;

    /// Every byte value at every place of a text longer than two blocks, against a search byte by byte.
    #[test]
    fn agrees_with_a_search_byte_by_byte() {
        for byte in 0..=u8::MAX {
            for place in 0..3 * BLOCK - 1 {
                let mut text: Vec<u8> = (0..3 * BLOCK - 1).map(|i| b'a' + (i % 7) as u8).collect();
                text[place] = byte;
                let naive = text.iter().position(|b| matches!(b, b'"' | b'\\' | 0..0x20));
                assert_eq!(find_escape(&text), naive.unwrap_or(text.len()), "{byte} at {place}");
                let first = text.iter().position(|&b| b == byte).unwrap();
                assert_eq!(find(&text, byte), first, "{byte} at {place}");
                let chunk: Block = text[..BLOCK].try_into().unwrap();
                let special = chunk.iter().position(|b| !matches!(b, 0x20..0x80) || matches!(b, b'"' | b'\\'));
                assert_eq!(Marks::no_plain_ascii(chunk).before_first(), special, "{byte} at {place}");
            }
        }
    }
}
