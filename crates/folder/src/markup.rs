//! Escapes texts in Agon's Markdown so that they can be read back unchanged.
//!
//! Invisible characters, and white space at the edges, become character references. Comments, and
//! lines that would be parsed as structure, get a backslash. Every step also escapes its own
//! escapes, so that it can be undone.

use agon_record::text::strip_control_characters;

/// Beginnings of a line that would open a section, code or a field of Agon and are escaped.
const SIGNS: [&str; 8] = [
    "#",
    "```",
    "~~~",
    "---",
    "===",
    "**Type:**",
    "**Relevance:**",
    "**Citation:**",
];

/// Escapes a text with any number of lines.
pub(crate) fn escape_block(text: &str) -> String {
    let coded = encode_char_references(text, |c| c != '\n' && is_unseen(c));
    let lines: Vec<_> = escape_comment_openers(&coded)
        .split('\n')
        .map(guard_line_start)
        .collect();
    lines.join("\n")
}

/// Escapes a text on one line.
pub(crate) fn escape_line(text: &str) -> String {
    escape_comment_openers(&encode_char_references(text, |c| c == '\n' || is_unseen(c)))
}

/// Escapes a text on one line between asterisks.
pub(crate) fn escape_term(text: &str) -> String {
    escape_comment_openers(&encode_char_references(text, |c| {
        c == '\n' || c == '*' || is_unseen(c)
    }))
}

/// Reverses [`escape_block`].
pub(crate) fn unescape_block(text: &str) -> String {
    let lines: Vec<_> = text.split('\n').map(unguard_line_start).collect();
    unescape_line(&lines.join("\n"))
}

/// Reverses [`escape_line`] or [`escape_term`].
pub(crate) fn unescape_line(text: &str) -> String {
    decode_char_references(&unescape_comment_openers(text))
}

/// Returns whether the character is invisible, or changes how others are displayed.
pub(crate) fn is_unseen(c: char) -> bool {
    let plain = c == ' ' || c == '\t' || c.is_ascii_graphic() || c.is_alphanumeric();
    !plain && strip_control_characters(&c.to_string()) != c.to_string()
}

/// Encodes as character references: characters selected by `hide`, each `&` that begins a
/// reference, and white space at the edges, which would be trimmed.
fn encode_char_references(text: &str, hide: impl Fn(char) -> bool) -> String {
    let inner = text.trim();
    let start = text.len() - text.trim_start().len();
    let end = start + inner.len();
    let mut out = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        let edge = at < start || at >= end;
        let reference = c == '&' && text[at..].starts_with("&#x");
        if edge || reference || hide(c) {
            out.push_str(&format!("&#x{:x};", u32::from(c)));
        } else {
            out.push(c);
        }
    }
    out
}

fn decode_char_references(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("&#x") {
        let (before, tail) = rest.split_at(at);
        out.push_str(before);
        let digits = &tail[3..];
        let many = digits.bytes().take_while(u8::is_ascii_hexdigit).count();
        let code = u32::from_str_radix(&digits[..many], 16);
        let c = code.ok().and_then(char::from_u32);
        match (c, digits[many..].strip_prefix(';')) {
            (Some(c), Some(after)) if many <= 6 => {
                out.push(c);
                rest = after;
            }
            _ => {
                out.push_str("&#x");
                rest = digits;
            }
        }
    }
    out + rest
}

/// Adds a backslash after `<` before `!--`, so that it does not open a comment.
fn escape_comment_openers(text: &str) -> String {
    map_comment_backslashes(text, |many| many + 1)
}

fn unescape_comment_openers(text: &str) -> String {
    map_comment_backslashes(text, |many| many.saturating_sub(1))
}

fn map_comment_backslashes(text: &str, wanted: impl Fn(usize) -> usize) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (before, tail) = rest.split_at(at + 1);
        out.push_str(before);
        let many = count_leading_backslashes(tail);
        rest = &tail[many..];
        let count = if rest.starts_with("!--") {
            wanted(many)
        } else {
            many
        };
        out.push_str(&"\\".repeat(count));
    }
    out + rest
}

fn guard_line_start(line: &str) -> String {
    let (indent, _, sign) = indent_backslashes_sign(line);
    if sign {
        let (white, rest) = line.split_at(indent);
        format!("{white}\\{rest}")
    } else {
        line.to_owned()
    }
}

fn unguard_line_start(line: &str) -> String {
    let (indent, many, sign) = indent_backslashes_sign(line);
    if sign && many > 0 {
        let (white, rest) = line.split_at(indent);
        format!("{white}{}", &rest[1..])
    } else {
        line.to_owned()
    }
}

/// Returns the line's indentation, the number of backslashes after it, and whether a sign follows.
fn indent_backslashes_sign(line: &str) -> (usize, usize, bool) {
    let bare = line.trim_start();
    let many = count_leading_backslashes(bare);
    let sign = SIGNS.iter().any(|sign| bare[many..].starts_with(sign));
    (line.len() - bare.len(), many, sign)
}

fn count_leading_backslashes(text: &str) -> usize {
    text.bytes().take_while(|byte| *byte == b'\\').count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_plain_text_stays_as_it_is() {
        let text = "One — two.\n\n- a < b && c *d*\n> quoted &amp; \\n";
        assert_eq!(escape_block(text), text);
        assert_eq!(escape_line("src/a.rs:10 — [x](y)"), "src/a.rs:10 — [x](y)");
    }

    #[test]
    fn structure_comments_and_hidden_characters_are_inert() {
        assert_eq!(
            escape_block(" ## Claim\r\n\\# two\n<!-- x\u{1b}[31m\u{202e}\n"),
            "&#x20;## Claim&#xd;\n\\\\# two\n<\\!-- x&#x1b;[31m&#x202e;&#xa;"
        );
        assert_eq!(escape_line("a\nb"), "a&#xa;b");
        assert_eq!(escape_term("a** b"), "a&#x2a;&#x2a; b");
    }

    #[test]
    fn what_only_looks_like_a_reference_stays() {
        for text in [
            "&#x;",
            "&#xzz;",
            "&#xd800;",
            "&#x110000;",
            "&#x",
            "&#x0000041;",
        ] {
            assert_eq!(unescape_line(text), text);
        }
    }

    /// Generates texts from relevant pieces.
    fn hostile() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            "[\\\\#`~=<!& \t\r\n*->x]{1,4}",
            Just("<!--".to_owned()),
            Just("&#x1b;".to_owned()),
            Just("**Type:** ".to_owned()),
            Just("\n## Claim\n".to_owned()),
            any::<char>().prop_map(String::from),
        ];
        proptest::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn every_text_reads_back(text in hostile()) {
            prop_assert_eq!(unescape_block(escape_block(&text).trim()), text.as_str());
            prop_assert_eq!(unescape_line(escape_line(&text).trim()), text.as_str());
            prop_assert_eq!(unescape_line(escape_term(&text).trim()), text.as_str());
            let block = escape_block(&text);
            prop_assert!(!block.lines().any(|line| SIGNS.iter().any(|s| line.starts_with(s))));
            let hidden = block.contains(['\u{1b}', '\r']) || block.contains("<!--");
            prop_assert!(!hidden);
            prop_assert!(!escape_line(&text).contains(['\n', '\r']) && !escape_term(&text).contains('*'));
        }
    }
}
