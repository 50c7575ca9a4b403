//! The state machine behind [`Frames`](super::Frames): a byte, or a run of them, at a time.
//!
//! A step takes what stands at the start of the bytes that are left: a whole string and the byte behind it where it can,
//! else one byte. It moves a [`Cursor`], which lives in registers, and the rest of the [`Scanner`], which does not. A line
//! that does not fit is read to its end all the same, with the buffer as a place for its `id`.

use super::{Frame, MAX_DEPTH};
use crate::json::{QUOTE, Value, scan};
use crate::rpc::Envelope;

/// Where in a line the next byte stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// At its start.
    Start,
    /// Within a byte order mark, of which [`Scanner::missing`] is missing.
    Mark,
    /// Behind white space, or a byte order mark, only.
    Blank,
    /// Before a value.
    Value,
    /// Behind `[`: a value or `]`.
    FirstElement,
    /// Behind `{`: a name or `}`.
    FirstName,
    /// Behind `,` in an object.
    Name,
    /// Behind a name.
    Colon,
    /// Behind a value.
    Behind,
    /// In a string.
    Text,
    /// Behind `\`.
    Escape,
    /// In the hexadecimal digits of an escape.
    Hex,
    /// Behind the escape of the first half of a surrogate pair; [`Scanner::missing`] of `\u` is missing.
    Pair,
    /// In the hexadecimal digits of the second half.
    Low,
    /// In a character of several bytes.
    Continuation,
    /// In `true`, `false` or `null`, of which [`Scanner::missing`] is missing.
    Literal,
    /// Behind the minus sign of a number.
    Minus,
    /// Behind the only zero before the point of a number.
    Zero,
    /// In the digits before the point.
    Digits,
    /// Behind the point.
    Point,
    /// In the digits behind the point.
    Fraction,
    /// Behind the `e`.
    Exponent,
    /// Behind the sign of the exponent.
    Sign,
    /// In the digits of the exponent.
    Power,
    /// Behind a fault: to the end of the line.
    Discard,
    /// Behind the end of the line: what was found has not been asked for, or the buffer not been emptied.
    End,
}

impl State {
    /// Whether a string can start here.
    const fn takes_string(self) -> bool {
        matches!(self, Self::Value | Self::FirstElement | Self::FirstName | Self::Name)
    }
}

/// What is wrong with a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    Malformed { offset: usize },
    TooLong,
    TooDeep,
}

/// The names of the top-level members that make a message, in proven text. A member is its index here.
const MEMBERS: [&[u8]; 6] =
    [b"\xFFjsonrpc\xFF", b"\xFFid\xFF", b"\xFFmethod\xFF", b"\xFFparams\xFF", b"\xFFresult\xFF", b"\xFFerror\xFF"];

/// The member `id`.
const ID: usize = 1;

/// Where a value stands in the buffer: its first byte and the one behind it. An empty span is no value.
type Span = (usize, usize);

/// Where a step ended, and what it has not taken in.
type Place<'b> = (Cursor, &'b [u8]);

/// What changes with almost every byte. It is handed from step to step by value, so that it stays in registers: that makes
/// the desktop a third faster.
#[derive(Clone, Copy, Debug)]
struct Cursor {
    state: State,
    /// The bytes used of the buffer. [`usize::MAX`] when what comes does not fit and is not needed.
    length: usize,
}

impl Cursor {
    const fn to(self, state: State) -> Self {
        Self { state, ..self }
    }
}

/// The state of [`Frames`](super::Frames), apart from the buffer so that this code exists once for all sizes.
#[derive(Clone, Debug)]
pub(super) struct Scanner {
    /// Between two calls.
    cursor: Cursor,
    /// One bit per level of nesting, the innermost lowest: 1 for an object.
    objects: u64,
    depth: u32,
    /// Whether the string is a name.
    name: bool,
    /// Whose value the one at depth 1 is.
    member: Option<usize>,
    /// Where the name or value at depth 1 starts in the buffer.
    token: usize,
    /// The values of the last top-level members of these names.
    spans: [Span; MEMBERS.len()],
    fault: Option<Fault>,
    /// The bytes of the line that earlier calls took in.
    taken: usize,
    /// What is missing of a fixed sequence of bytes.
    missing: &'static [u8],
    /// How many digits or bytes of a character are missing.
    digits: u8,
    /// The value of the hexadecimal digits so far.
    value: u16,
    /// The first half of a surrogate pair.
    high: u16,
    /// The range of the next byte of a character.
    range: (u8, u8),
}

impl Scanner {
    // Else a server is built in one place and copied to another.
    #[inline(always)]
    pub(super) const fn new() -> Self {
        Self {
            cursor: Cursor { state: State::Start, length: 0 },
            objects: 0,
            depth: 0,
            name: false,
            member: None,
            token: 0,
            spans: [(0, 0); MEMBERS.len()],
            fault: None,
            taken: 0,
            missing: &[],
            digits: 0,
            value: 0,
            high: 0,
            range: (0, 0),
        }
    }

    /// Begins a new line.
    #[inline(never)]
    fn reset(&mut self) {
        *self = Self::new();
    }

    /// Whether the bytes so far end within a line that is not blank.
    pub(super) const fn is_within_line(&self) -> bool {
        !matches!(self.cursor.state, State::Start | State::Blank | State::End)
    }

    /// Whether a line has ended, and no other begun.
    pub(super) fn is_at_end(&self) -> bool {
        self.cursor.state == State::End
    }

    /// The frame at the end of a line.
    pub(super) fn frame<'a>(&self, buffer: &'a [u8]) -> Option<Frame<'a>> {
        let member = |(start, end): Span| buffer.get(start..end).filter(|value| !value.is_empty()).map(Value::proven);
        let [jsonrpc, id, method, params, result, error] = self.spans.map(member);
        Some(match self.fault {
            None => {
                let value = Value::proven(buffer.get(..self.cursor.length)?);
                Frame::Message(Envelope { value, jsonrpc, id, method, params, result, error })
            }
            Some(Fault::Malformed { offset }) => Frame::Malformed { offset },
            Some(Fault::TooLong) => Frame::TooLong { capacity: buffer.len(), id },
            Some(Fault::TooDeep) => Frame::TooDeep { id },
        })
    }

    /// Takes bytes up to the end of a line. Returns whether it was reached, and the bytes behind it.
    pub(super) fn feed<'b>(&mut self, buffer: &mut [u8], input: &'b [u8]) -> (bool, &'b [u8]) {
        if self.cursor.state == State::End {
            self.reset();
        }
        // `line` is what this call has of the line, `rest` what of that has not been taken in.
        let (mut line, mut rest) = (input, input);
        let mut at = self.cursor;
        while !rest.is_empty() {
            match self.step(at, buffer, rest) {
                Ok(next) => (at, rest) = next,
                Err((place, [b'\n', behind @ ..])) if matches!(place.state, State::Start | State::Blank) => {
                    self.reset();
                    at = self.cursor;
                    (line, rest) = (behind, behind);
                }
                Err((place, [b'\n', behind @ ..])) => {
                    let offset = line.len().wrapping_sub(behind.len()).wrapping_sub(1);
                    self.end_line(place, self.taken.wrapping_add(offset));
                    return (true, behind);
                }
                Err((place, unfit)) => {
                    let offset = line.len().wrapping_sub(unfit.len());
                    at = self.refuse(place, self.taken.wrapping_add(offset));
                    rest = unfit.get(scan::find(unfit, b'\n')..).unwrap_or_default();
                }
            }
        }
        self.cursor = at;
        self.taken = self.taken.wrapping_add(line.len());
        (false, rest)
    }

    /// Ends the line whose bytes number `offset`.
    fn end_line(&mut self, at: Cursor, offset: usize) {
        let whole = self.depth == 0 && at.state == State::Behind;
        if !whole && at.state != State::Discard {
            self.refuse(at, offset);
        }
        self.cursor = at.to(State::End);
    }

    /// Gives the line up at `offset`. An id is worth something only if the line was JSON.
    #[cold]
    fn refuse(&mut self, at: Cursor, offset: usize) -> Cursor {
        match self.fault {
            None => self.fault = Some(Fault::Malformed { offset }),
            Some(Fault::TooLong) => self.spans = [(0, 0); MEMBERS.len()],
            Some(_) => {}
        }
        at.to(State::Discard)
    }

    /// Takes bytes at the start of `rest`, at least one or a change of state. The error is the byte that cannot stand
    /// there; a newline can stand nowhere.
    #[inline]
    fn step<'b>(&mut self, at: Cursor, buffer: &mut [u8], rest: &'b [u8]) -> Result<Place<'b>, Place<'b>> {
        // Most of a message are strings, each with one byte behind it: all that is one step.
        let (at, rest) = match rest {
            [b'"', behind @ ..] if at.state.takes_string() => (self.open_string(at, buffer), behind),
            _ => (at, rest),
        };
        let (at, rest) = if at.state == State::Text { plain_text(at, buffer, rest) } else { (at, rest) };
        let (at, rest) = match rest {
            [b'"', behind @ ..] if at.state == State::Text => (self.close_string(at, buffer), behind),
            _ => (at, rest),
        };
        let Some((&byte, behind)) = rest.split_first() else { return Ok((at, rest)) };
        let next = match at.state {
            State::Text => self.text(at, buffer, byte),
            State::Behind => self.behind(at, buffer, byte),
            State::Colon => match byte {
                b':' => Some(self.open_member(at, buffer)),
                b' ' | b'\t' | b'\r' => Some(at),
                _ => None,
            },
            State::Value => self.value(at, buffer, byte),
            State::Name | State::FirstName => match byte {
                b' ' | b'\t' | b'\r' => Some(at),
                b'}' if at.state == State::FirstName => return Ok((at.to(State::Behind), rest)),
                _ => None,
            },
            State::FirstElement if byte == b']' => return Ok((at.to(State::Behind), rest)),
            State::FirstElement => match byte {
                b' ' | b'\t' | b'\r' => Some(at),
                _ => return Ok((at.to(State::Value), rest)),
            },
            State::Minus | State::Zero | State::Digits => match whole(at.state, byte) {
                Number::Within(state) => Some(self.put(at.to(state), buffer, byte)),
                Number::Behind => return Ok((self.end_value(at, buffer), rest)),
                Number::Unfit => None,
            },
            State::Point | State::Fraction | State::Exponent | State::Sign | State::Power => {
                match fraction(at.state, byte) {
                    Number::Within(state) => Some(self.put(at.to(state), buffer, byte)),
                    Number::Behind => return Ok((self.end_value(at, buffer), rest)),
                    Number::Unfit => None,
                }
            }
            State::Literal => self.literal(at, buffer, byte),
            State::Escape => self.escape(at, buffer, byte),
            State::Hex | State::Low => self.hex(at, buffer, byte),
            State::Pair => self.pair(at, byte),
            State::Continuation => self.continuation(at, buffer, byte),
            State::Start | State::Blank => match byte {
                b' ' | b'\t' | b'\r' => Some(at.to(State::Blank)),
                b'\n' => None,
                0xEF if at.state == State::Start => Some(self.start_mark(at)),
                _ => return Ok((at.to(State::Value), rest)),
            },
            State::Mark => self.mark(at, byte),
            State::Discard | State::End => None,
        };
        match next {
            Some(next) => Ok((next, behind)),
            None => Err((at, rest)),
        }
    }

    fn start_mark(&mut self, at: Cursor) -> Cursor {
        self.missing = &[0xBB, 0xBF];
        at.to(State::Mark)
    }

    fn mark(&mut self, at: Cursor, byte: u8) -> Option<Cursor> {
        self.expect(byte)?;
        Some(if self.missing.is_empty() { at.to(State::Blank) } else { at })
    }

    /// Takes the next byte of a fixed sequence.
    fn expect(&mut self, byte: u8) -> Option<()> {
        let (expected, missing) = self.missing.split_first()?;
        self.missing = missing;
        (*expected == byte).then_some(())
    }

    /// Takes the first byte of a value that is no string, or white space before it.
    #[inline]
    fn value(&mut self, at: Cursor, buffer: &mut [u8], byte: u8) -> Option<Cursor> {
        let state = match byte {
            b'{' => self.open(true)?,
            b'[' => self.open(false)?,
            b'1'..=b'9' => State::Digits,
            b'0' => State::Zero,
            b'-' => State::Minus,
            b't' => self.start_literal(b"rue"),
            b'f' => self.start_literal(b"alse"),
            b'n' => self.start_literal(b"ull"),
            b' ' | b'\t' | b'\r' => return Some(at),
            _ => return None,
        };
        Some(self.put(at.to(state), buffer, byte))
    }

    fn start_literal(&mut self, missing: &'static [u8]) -> State {
        self.missing = missing;
        State::Literal
    }

    fn literal(&mut self, at: Cursor, buffer: &mut [u8], byte: u8) -> Option<Cursor> {
        self.expect(byte)?;
        let at = self.put(at, buffer, byte);
        Some(if self.missing.is_empty() { self.end_value(at, buffer) } else { at })
    }

    /// Takes a byte behind a value.
    #[inline]
    fn behind(&mut self, at: Cursor, buffer: &mut [u8], byte: u8) -> Option<Cursor> {
        let object = self.objects & 1 == 1;
        match byte {
            b',' if self.depth > 0 => {
                let state = if object { State::Name } else { State::Value };
                Some(self.put(at.to(state), buffer, byte))
            }
            b'}' if object => Some(self.close(at, buffer, byte)),
            b']' if !object && self.depth > 0 => Some(self.close(at, buffer, byte)),
            b' ' | b'\t' | b'\r' => Some(at),
            _ => None,
        }
    }

    #[inline]
    fn open(&mut self, object: bool) -> Option<State> {
        if self.depth == MAX_DEPTH {
            self.fault = self.fault.or(Some(Fault::TooDeep));
            return None;
        }
        self.depth = self.depth.wrapping_add(1);
        self.objects = self.objects << 1 | u64::from(object);
        Some(if object { State::FirstName } else { State::FirstElement })
    }

    fn close(&mut self, at: Cursor, buffer: &mut [u8], byte: u8) -> Cursor {
        let at = self.put(at, buffer, byte);
        self.depth = self.depth.wrapping_sub(1);
        self.objects >>= 1;
        self.end_value(at, buffer)
    }

    /// Whether the innermost open value is the top-level object.
    #[inline]
    const fn at_top(&self) -> bool {
        self.depth == 1 && self.objects == 1
    }

    /// Takes the quote before a string.
    #[inline]
    fn open_string(&mut self, at: Cursor, buffer: &mut [u8]) -> Cursor {
        self.name = matches!(at.state, State::Name | State::FirstName);
        let at = if self.name && self.at_top() { self.start_token(at) } else { at };
        self.put(at.to(State::Text), buffer, QUOTE)
    }

    /// Takes the quote behind a string.
    #[inline]
    fn close_string(&mut self, at: Cursor, buffer: &mut [u8]) -> Cursor {
        let at = self.put(at, buffer, QUOTE);
        if self.name { at.to(State::Colon) } else { self.end_value(at, buffer) }
    }

    /// Takes the colon behind a name.
    #[inline]
    fn open_member(&mut self, at: Cursor, buffer: &mut [u8]) -> Cursor {
        let top = self.at_top();
        if top {
            let name = buffer.get(self.token..at.length).unwrap_or_default();
            self.member = MEMBERS.iter().position(|member| *member == name);
        }
        let at = self.put(at.to(State::Value), buffer, b':');
        if top { self.start_token(at) } else { at }
    }

    /// Starts a name or value at depth 1. In a line that is too long the buffer behind the id serves for them all. The
    /// last value of a name counts (MSG-7), also when it does not fit, so the one before makes room.
    #[inline]
    fn start_token(&mut self, at: Cursor) -> Cursor {
        if self.member == Some(ID) {
            let [_, id, ..] = &mut self.spans;
            *id = (0, 0);
        }
        self.token = if self.fault.is_some() { self.kept() } else { at.length };
        Cursor { length: self.token, ..at }
    }

    #[inline]
    fn end_value(&mut self, at: Cursor, buffer: &mut [u8]) -> Cursor {
        if self.at_top() {
            self.end_member(at.length, buffer);
        }
        at.to(State::Behind)
    }

    /// Notes where the value of a top-level member stands.
    fn end_member(&mut self, end: usize, buffer: &mut [u8]) {
        if let Some(member) = self.member.take()
            && let Some(span) = self.spans.get_mut(member)
        {
            *span = if end <= buffer.len() { (self.token, end) } else { (0, 0) };
            if self.fault.is_some() && member == ID {
                self.keep_id(buffer);
            }
        }
    }

    /// Moves the id to the start of the buffer, where it survives what else comes in a line that is too long. One that
    /// leaves no room there for the name of another is given up.
    fn keep_id(&mut self, buffer: &mut [u8]) {
        let [_, id, ..] = &mut self.spans;
        let (start, end) = core::mem::take(id);
        let room = buffer.len().saturating_sub(b"\xFFid\xFF".len());
        if end.saturating_sub(start) <= room {
            *id = (0, move_down(buffer, start, end, 0));
        }
    }

    /// How much of the start of the buffer is the id of a line that is too long.
    const fn kept(&self) -> usize {
        let [_, (_, end), ..] = self.spans;
        end
    }

    /// Appends a byte.
    #[inline]
    fn put(&mut self, at: Cursor, buffer: &mut [u8], byte: u8) -> Cursor {
        let length = match buffer.get_mut(at.length) {
            Some(place) => {
                *place = byte;
                at.length.wrapping_add(1)
            }
            None => self.spill(buffer, byte),
        };
        Cursor { length, ..at }
    }

    /// Appends a byte to a full buffer: from now on the line is too long, and only its id is of interest. Returns the
    /// bytes used of the buffer.
    #[cold]
    fn spill(&mut self, buffer: &mut [u8], byte: u8) -> usize {
        if self.fault.is_some() {
            return usize::MAX;
        }
        self.fault = Some(Fault::TooLong);
        self.keep_id(buffer);
        let kept = self.kept();
        if self.token <= kept || self.token > buffer.len() {
            return usize::MAX;
        }
        // Make room for the rest of the name or value at depth 1 that is being read.
        let length = move_down(buffer, self.token, buffer.len(), kept);
        self.token = kept;
        if let Some(place) = buffer.get_mut(length) {
            *place = byte;
        }
        length.wrapping_add(1)
    }

    #[inline]
    fn text(&mut self, at: Cursor, buffer: &mut [u8], byte: u8) -> Option<Cursor> {
        match byte {
            b'\\' => Some(at.to(State::Escape)),
            0x20..=0x7F => Some(self.put(at, buffer, byte)),
            _ => self.start_character(at, buffer, byte),
        }
    }

    /// Takes the first byte of a character of several. Table 3-7 of the Unicode standard.
    fn start_character(&mut self, at: Cursor, buffer: &mut [u8], byte: u8) -> Option<Cursor> {
        (self.digits, self.range) = match byte {
            0xC2..=0xDF => (1, (0x80, 0xBF)),
            0xE0 => (2, (0xA0, 0xBF)),
            0xE1..=0xEC | 0xEE..=0xEF => (2, (0x80, 0xBF)),
            0xED => (2, (0x80, 0x9F)),
            0xF0 => (3, (0x90, 0xBF)),
            0xF1..=0xF3 => (3, (0x80, 0xBF)),
            0xF4 => (3, (0x80, 0x8F)),
            _ => return None,
        };
        Some(self.put(at.to(State::Continuation), buffer, byte))
    }

    fn continuation(&mut self, at: Cursor, buffer: &mut [u8], byte: u8) -> Option<Cursor> {
        let (least, most) = self.range;
        if !(least..=most).contains(&byte) {
            return None;
        }
        self.range = (0x80, 0xBF);
        self.digits = self.digits.wrapping_sub(1);
        let state = if self.digits == 0 { State::Text } else { State::Continuation };
        Some(self.put(at.to(state), buffer, byte))
    }

    fn escape(&mut self, at: Cursor, buffer: &mut [u8], byte: u8) -> Option<Cursor> {
        let character = match byte {
            b'"' | b'\\' | b'/' => byte,
            b'b' => 0x08,
            b'f' => 0x0C,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'u' => return Some(self.start_hex(at, State::Hex)),
            _ => return None,
        };
        Some(self.put(at.to(State::Text), buffer, character))
    }

    fn start_hex(&mut self, at: Cursor, state: State) -> Cursor {
        (self.digits, self.value) = (4, 0);
        at.to(state)
    }

    /// Takes a digit of `\u1234`, and at the last one the character, unless that is the first half of a pair.
    fn hex(&mut self, at: Cursor, buffer: &mut [u8], byte: u8) -> Option<Cursor> {
        let digit = u16::try_from(char::from(byte).to_digit(16)?).ok()?;
        self.value = self.value << 4 | digit;
        self.digits = self.digits.wrapping_sub(1);
        let character = match (self.digits, at.state, self.value) {
            (0, State::Low, low @ 0xDC00..=0xDFFF) => {
                let (high, low) = (u32::from(self.high & 0x3FF), u32::from(low & 0x3FF));
                char::from_u32((high << 10 | low).wrapping_add(0x1_0000))?
            }
            (0, State::Low, _) => return None,
            (0, _, value @ 0xD800..=0xDBFF) => {
                self.high = value;
                self.missing = b"\\u";
                return Some(at.to(State::Pair));
            }
            // The second half of a pair, alone, is no character.
            (0, _, value) => char::from_u32(value.into())?,
            _ => return Some(at),
        };
        let mut at = at.to(State::Text);
        for &byte in character.encode_utf8(&mut [0; 4]).as_bytes() {
            at = self.put(at, buffer, byte);
        }
        Some(at)
    }

    fn pair(&mut self, at: Cursor, byte: u8) -> Option<Cursor> {
        self.expect(byte)?;
        Some(if self.missing.is_empty() { self.start_hex(at, State::Low) } else { at })
    }
}

/// Copies what stands from `start` to `end` to a place before it. Returns where that ends. Byte by byte, since it is rare
/// and `copy_within` takes 700 bytes of flash on a Cortex-M3.
fn move_down(buffer: &mut [u8], start: usize, end: usize, to: usize) -> usize {
    let mut at = to;
    for from in start..end {
        let Some(&byte) = buffer.get(from) else { break };
        let Some(place) = buffer.get_mut(at) else { break };
        *place = byte;
        at = at.wrapping_add(1);
    }
    at
}

/// Copies the bytes at the start of `rest` that stand for themselves in a string, a block at a time.
#[inline]
fn plain_text<'b>(mut at: Cursor, buffer: &mut [u8], mut rest: &'b [u8]) -> Place<'b> {
    while let Some((&chunk, behind)) = rest.split_first_chunk::<{ scan::BLOCK }>()
        && let Some(room) = buffer.get_mut(at.length..).and_then(|room| room.first_chunk_mut())
    {
        *room = chunk;
        if let Some(plain) = scan::Marks::no_plain_ascii(chunk).before_first() {
            at.length = at.length.wrapping_add(plain);
            return (at, rest.get(plain..).unwrap_or_default());
        }
        at.length = at.length.wrapping_add(scan::BLOCK);
        rest = behind;
    }
    (at, rest)
}

/// What a byte is to a number.
enum Number {
    /// Part of it, which leads to that state.
    Within(State),
    /// What comes behind it.
    Behind,
    /// Wrong.
    Unfit,
}

/// A byte behind the minus sign or in the digits before the point.
#[inline]
const fn whole(state: State, byte: u8) -> Number {
    match (state, byte) {
        (State::Digits, b'0'..=b'9') | (State::Minus, b'1'..=b'9') => Number::Within(State::Digits),
        (State::Minus, b'0') => Number::Within(State::Zero),
        (State::Minus, _) => Number::Unfit,
        (_, b'.') => Number::Within(State::Point),
        (_, b'e' | b'E') => Number::Within(State::Exponent),
        _ => Number::Behind,
    }
}

/// A byte behind the point or the `e`.
const fn fraction(state: State, byte: u8) -> Number {
    match (state, byte) {
        (State::Point | State::Fraction, b'0'..=b'9') => Number::Within(State::Fraction),
        (State::Fraction, b'e' | b'E') => Number::Within(State::Exponent),
        (State::Exponent, b'+' | b'-') => Number::Within(State::Sign),
        (State::Exponent | State::Sign | State::Power, b'0'..=b'9') => Number::Within(State::Power),
        (State::Fraction | State::Power, _) => Number::Behind,
        _ => Number::Unfit,
    }
}
