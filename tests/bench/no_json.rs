//! The floor: a loop that finds the id and the text of an echo at fixed words, and copies them without any JSON work.
//! It is wrong for almost every input. The measure for `toolwire serve calc`; see `tests/bench/run.sh`.

use std::io::{Read, Write};

fn main() -> std::io::Result<()> {
    let mut input = std::io::stdin().lock();
    let mut output = std::io::stdout().lock();
    let mut buffer = vec![0; 1 << 20];
    let mut filled = 0;
    let mut answers = Vec::with_capacity(1 << 17);
    loop {
        let read = input.read(&mut buffer[filled..(filled + (1 << 16)).min(1 << 20)])?;
        if read == 0 {
            return Ok(());
        }
        filled += read;
        let mut rest = &buffer[..filled];
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            let (line, behind) = rest.split_at(end + 1);
            answers.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"id\":");
            answers.extend_from_slice(between(line, b"\"id\":", b','));
            answers.extend_from_slice(b",\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"");
            answers.extend_from_slice(between(line, b"\"text\":\"", b'"'));
            answers.extend_from_slice(b"\"}],\"isError\":false}}\n");
            rest = behind;
        }
        let kept = rest.len();
        buffer.copy_within(filled - kept..filled, 0);
        filled = kept;
        output.write_all(&answers)?;
        answers.clear();
    }
}

fn between<'a>(line: &'a [u8], before: &[u8], behind: u8) -> &'a [u8] {
    let start = line.windows(before.len()).position(|word| word == before).map_or(0, |at| at + before.len());
    let rest = &line[start..];
    &rest[..rest.iter().position(|byte| *byte == behind).unwrap_or(rest.len())]
}
