//! Text of a server where a person reads it: it shows itself, and does nothing else to the terminal.

/// The text with everything escaped that a terminal obeys or that hides or reorders other text. Ends of lines and tabs stay.
pub(crate) fn harmless(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        let invisible = matches!(
            character,
            '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
        );
        match character {
            '\n' | '\t' => out.push(character),
            other if other.is_control() || invisible => out.extend(other.escape_unicode()),
            other => out.push(other),
        }
    }
    out
}

/// The same on one line.
pub(crate) fn one_line(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    harmless(&words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_terminal_obeys_passes() {
        let table = [
            ("é 漢 🦀 e\u{301}\n\t\"'\\", "é 漢 🦀 e\u{301}\n\t\"'\\"),
            ("\u{1b}[2J\u{1b}]0;title\u{7}", "\\u{1b}[2J\\u{1b}]0;title\\u{7}"),
            ("\u{9b}31m\u{7f}\0\r", "\\u{9b}31m\\u{7f}\\u{0}\\u{d}"),
            ("a\u{202e}b\u{200b}c\u{2066}d\u{feff}", "a\\u{202e}b\\u{200b}c\\u{2066}d\\u{feff}"),
        ];
        for (text, expected) in table {
            assert_eq!(harmless(text), expected);
        }
    }
}
