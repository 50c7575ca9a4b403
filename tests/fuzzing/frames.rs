//! The frame reader against `serde_json`.

use serde_json::Value;
use toolwire::frame::{Frame, Frames, MAX_DEPTH};

/// The capacity at which a line is held against `serde_json`.
const LARGE: usize = 8192;

/// What a reader makes of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// Nothing.
    Blank,
    /// The message, printed, and the length of its proven text.
    Message(String, usize),
    /// The offset of the fault.
    Malformed(usize),
    /// The id, printed.
    TooLong(Option<String>),
    /// Nested too deep.
    TooDeep,
}

impl Verdict {
    fn new(frame: Frame<'_>) -> Self {
        match frame {
            Frame::Message(message) => Self::Message(format!("{:?}", message.value), message.value.as_bytes().len()),
            Frame::Malformed { offset } => Self::Malformed(offset),
            Frame::TooLong { id, .. } => Self::TooLong(id.map(|id| format!("{id:?}"))),
            Frame::TooDeep { .. } => Self::TooDeep,
        }
    }
}

/// Lines of any bytes.
pub fn frames(data: &[u8]) {
    let pieces = crate::pieces(data);
    for line in data.split(|byte| *byte == b'\n').filter(|line| (1..=LARGE).contains(&line.len())) {
        let verdict = check(line);
        assert_eq!(read::<LARGE>(line, &pieces), verdict, "in pieces");
        check_small::<8>(line, &pieces, &verdict);
        check_small::<13>(line, &pieces, &verdict);
        check_small::<16>(line, &pieces, &verdict);
        check_small::<24>(line, &pieces, &verdict);
        check_small::<32>(line, &pieces, &verdict);
        check_small::<48>(line, &pieces, &verdict);
        check_small::<64>(line, &pieces, &verdict);
        check_small::<128>(line, &pieces, &verdict);
    }
    check_stream(data, &pieces);
}

/// What a reader makes of a line that comes in pieces of the given lengths, the last one repeated.
#[must_use]
pub fn read<const N: usize>(line: &[u8], pieces: &[usize]) -> Verdict {
    let mut frames = Box::new(Frames::<N>::new());
    let mut text = line.to_vec();
    text.push(b'\n');
    let mut rest = &text[..];
    let mut lengths = pieces.iter().copied().chain(std::iter::repeat(*pieces.last().unwrap_or(&usize::MAX)));
    while !rest.is_empty() {
        let (piece, behind) = rest.split_at(lengths.next().unwrap().clamp(1, rest.len()));
        let (frame, unread) = frames.feed(piece);
        assert!(unread.is_empty(), "a line ends with its newline");
        if let Some(frame) = frame {
            assert!(behind.is_empty(), "a line ends with its newline");
            check_capacity::<N>(frame);
            let verdict = Verdict::new(frame);
            let (next, _) = frames.feed(b"{\"id\":1}\n");
            assert!(N < 8 || matches!(next, Some(Frame::Message(_))), "the next line is lost: {next:?}");
            return verdict;
        }
        rest = behind;
    }
    Verdict::Blank
}

fn check_capacity<const N: usize>(frame: Frame<'_>) {
    match frame {
        Frame::Message(message) => assert!(message.value.as_bytes().len() <= N, "beyond the capacity"),
        Frame::TooLong { capacity, .. } => assert_eq!(capacity, N),
        _ => {}
    }
}

/// Checks a line against `serde_json`. The differences that are meant: a byte order mark is skipped, blank lines are
/// nothing, nesting is limited.
pub fn check(line: &[u8]) -> Verdict {
    let verdict = read::<LARGE>(line, &[]);
    let text = line.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(line);
    if is_blank(text) {
        assert_eq!(verdict, Verdict::Blank);
        return verdict;
    }
    match (serde_json::from_slice::<Value>(text), &verdict) {
        (Ok(expected), Verdict::Message(printed, length)) => {
            let value: Value = serde_json::from_str(printed).unwrap();
            assert_eq!(value, expected);
            assert!(*length <= text.len(), "longer than what came");
            assert_eq!(depth(text).min(MAX_DEPTH as usize), depth(text), "nested too deep");
            check_proven(text);
        }
        (_, Verdict::TooDeep) => assert!(depth(text) > MAX_DEPTH as usize),
        (Err(_), Verdict::Malformed(offset)) => check_offset(line, text, *offset),
        (expected, _) => panic!("serde_json: {expected:?}, here: {verdict:?}"),
    }
    verdict
}

/// Holds the proven text of a message against one that is made by other means.
fn check_proven(text: &[u8]) {
    let mut frames = Box::new(Frames::<LARGE>::new());
    let line = [text, b"\n"].concat();
    let (Some(Frame::Message(message)), _) = frames.feed(&line) else { panic!("no message") };
    let (found, expected) = (message.value.as_bytes(), proven(text));
    assert!(found == expected, "{}\n{}", found.escape_ascii(), expected.escape_ascii());
}

/// Up to the offset of a fault a line could have become JSON, and all of it could not.
fn check_offset(line: &[u8], text: &[u8], offset: usize) {
    assert!(offset <= line.len(), "behind the line");
    // A byte order mark that is cut or wrong is no start of JSON for `serde_json`.
    let mark = line.len() - text.len();
    if line.starts_with(b"\xEF") && offset < 3 {
        return;
    }
    let prefix = &text[..offset - mark];
    if is_blank(prefix) || depth(prefix) > 100 {
        return;
    }
    if let Err(error) = serde_json::from_slice::<Value>(prefix) {
        assert!(error.is_eof(), "the fault at {offset} is found too late: {error}");
    }
}

/// Checks what a reader with little room makes of a line, whose verdict without that limit is known.
fn check_small<const N: usize>(line: &[u8], pieces: &[usize], large: &Verdict) {
    let verdict = read::<N>(line, &[]);
    assert_eq!(read::<N>(line, pieces), verdict, "in pieces, capacity {N}");
    match (large, &verdict) {
        (Verdict::Message(_, length), Verdict::TooLong(found)) if *length > N => check_id::<N>(line, found.as_deref()),
        (Verdict::Message(_, length), _) if *length > N => panic!("{length} bytes in {N}: {verdict:?}"),
        (Verdict::Malformed(_) | Verdict::TooDeep, Verdict::TooLong(found)) => {
            assert_eq!(*found, None, "the id of what is no JSON is worth nothing");
            assert!(line.len() > N, "{} bytes are too long for {N}", line.len());
        }
        _ => assert_eq!(verdict, *large, "capacity {N}"),
    }
}

/// FRAME-11: the last top-level id counts. It is found if it leaves room for a name, and no other takes its place.
fn check_id<const N: usize>(line: &[u8], found: Option<&str>) {
    let ids = ids(line);
    match &ids[..] {
        [] => assert_eq!(found, None),
        [.., (last, length)] if *length <= N.saturating_sub(4) => assert_eq!(found, Some(&**last), "capacity {N}"),
        [.., (last, _)] => assert!(found.is_none_or(|found| found == last), "capacity {N}"),
    }
}

/// The top-level members `id` of a message in their order: printed, and the length of their proven text.
#[must_use]
pub fn ids(line: &[u8]) -> Vec<(String, usize)> {
    let mut frames = Box::new(Frames::<LARGE>::new());
    let line = [line, b"\n"].concat();
    let (Some(Frame::Message(message)), _) = frames.feed(&line) else { return Vec::new() };
    let members = message.value.as_object().into_iter().flat_map(|object| object.members());
    let ids = members.filter(|(name, _)| *name == b"id");
    ids.map(|(_, value)| (format!("{value:?}"), value.as_bytes().len())).collect()
}

/// All lines on one wire are judged as each is alone.
fn check_stream(data: &[u8], pieces: &[usize]) {
    const N: usize = 48;
    let alone = data.split(|byte| *byte == b'\n').map(|line| read::<N>(line, &[]));
    let alone: Vec<_> = alone.filter(|verdict| *verdict != Verdict::Blank).collect();
    let mut together = Vec::new();
    let mut frames = Frames::<N>::new();
    let input = [data, b"\n"].concat();
    let mut rest = &input[..];
    for length in pieces.iter().cycle() {
        if rest.is_empty() {
            break;
        }
        let (mut piece, behind) = rest.split_at(rest.len().min(*length));
        while !piece.is_empty() {
            let (frame, unread) = frames.feed(piece);
            together.extend(frame.map(Verdict::new));
            piece = unread;
        }
        rest = behind;
    }
    assert_eq!(together, alone);
    assert!(!frames.is_within_line(), "within a line behind a newline");
}

/// Whether a line is nothing (FRAME-9).
pub(crate) fn is_blank(text: &[u8]) -> bool {
    text.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
}

/// How deep the brackets of a text nest, those in strings aside.
#[must_use]
pub fn depth(text: &[u8]) -> usize {
    let (mut depth, mut deepest, mut string, mut escaped) = (0_usize, 0, false, false);
    for byte in text {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if string => escaped = true,
            b'"' => string = !string,
            b'[' | b'{' if !string => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' if !string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// The proven text of valid JSON: no white space, strings unescaped between bytes 0xFF.
pub(crate) fn proven(text: &[u8]) -> Vec<u8> {
    let mut proven = Vec::new();
    let mut rest = text;
    while let Some((byte, behind)) = rest.split_first() {
        rest = match byte {
            b' ' | b'\t' | b'\r' => behind,
            b'"' => {
                let mut escaped = false;
                let end = behind.iter().position(|byte| {
                    let closes = *byte == b'"' && !escaped;
                    escaped = *byte == b'\\' && !escaped;
                    closes
                });
                let (string, behind) = rest.split_at(end.unwrap() + 2);
                proven.push(0xFF);
                proven.extend(serde_json::from_slice::<String>(string).unwrap().into_bytes());
                proven.push(0xFF);
                behind
            }
            byte => {
                proven.push(*byte);
                behind
            }
        };
    }
    proven
}
