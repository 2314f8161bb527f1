//! Escapes text from models so that Markdown shows it as plain text.

use agon_record::evidence::citation_fault;
use agon_record::mention::mentions;
use agon_record::state::State;

use crate::text::plain_line_cow;

/// Returns `text` as one line of Markdown that renders as exactly that text.
///
/// The result creates no heading, list, quote, fence, emphasis, link, image, reference or HTML,
/// even at the start of a line. Hidden characters are removed, as in
/// [`plain_line`](crate::text::plain_line).
///
/// ```
/// use agon_report::markdown::escape_inline;
/// assert_eq!(escape_inline("# <b>x</b> in my_file.rs"), r"\# \<b\>x\</b\> in my_file.rs");
/// assert_eq!(escape_inline("![x](http://a)"), r"!\[x\](http\://a)");
/// assert_eq!(escape_inline("1. one"), r"1\. one");
/// ```
pub fn escape_inline(text: &str) -> String {
    let text = plain_line_cow(text);
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let mut out = String::with_capacity(text.len() + 8);
    let mut copied = 0;
    // Every character that may need an escape is ASCII, so bytes suffice to find one.
    for (at, byte) in text
        .bytes()
        .enumerate()
        .filter(|&(_, byte)| is_markup(byte))
    {
        let (before, after) = (&text[..at], &text[at + 1..]);
        let next = after.bytes().next();
        let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let escape = match byte {
            b'_' => !(is_word(before.chars().next_back()) && is_word(after.chars().next())),
            b'&' => next.is_some_and(|next| next == b'#' || next.is_ascii_alphanumeric()),
            b':' => next == Some(b'/'),
            b'#' | b'-' | b'+' | b'=' if at == 0 => true,
            b'#' => next.is_none(),
            b'-' | b'+' | b'=' => false,
            b'.' | b')' if at > 0 && at == digits => next.is_none_or(|next| next == b' '),
            b'.' => ends_in_www(before),
            b')' => false,
            _ => true,
        };
        if escape {
            out.push_str(&text[copied..at]);
            out.push('\\');
            copied = at;
        }
    }
    out.push_str(&text[copied..]);
    out
}

/// Returns whether a character may have a meaning in Markdown, depending on its place.
fn is_markup(byte: u8) -> bool {
    matches!(
        byte,
        b'\\'
            | b'`'
            | b'*'
            | b'['
            | b']'
            | b'<'
            | b'>'
            | b'~'
            | b'|'
            | b'_'
            | b'&'
            | b':'
            | b'#'
            | b'-'
            | b'+'
            | b'='
            | b'.'
            | b')'
    )
}

fn ends_in_www(text: &str) -> bool {
    let last = text.as_bytes().last_chunk::<3>();
    last.is_some_and(|last| last.eq_ignore_ascii_case(b"www"))
}

/// Returns the escaped `text` with a full stop if it has no end mark.
pub(crate) fn escape_as_sentence(text: &str) -> String {
    let mut text = escape_inline(text);
    if !text.is_empty() && !text.ends_with(['.', '!', '?', '…', ':']) {
        text.push('.');
    }
    text
}

/// Returns the escaped `text` in quotation marks.
pub fn escape_and_quote(text: &str) -> String {
    format!("“{}”", escape_inline(text))
}

/// Links each point named in a document to that point's file.
///
/// `text` is Markdown in which text from models is escaped. Names in code or paths and names of
/// unknown points stay unchanged. After the end of the debate, points with a wrong or missing
/// citation are marked, and the link's title names the fault.
pub fn link_points(state: &State, text: &str) -> String {
    // Mark faults only after the debate has ended, since until then a check result may change.
    let fault_of = |id| state.closed.and_then(|_| citation_fault(state, id));
    let mut out = String::with_capacity(text.len() + text.len() / 4);
    for line in text.split_inclusive('\n') {
        // Every id has an underscore, and most lines name no point.
        if !line.contains('_') {
            out.push_str(line);
            continue;
        }
        let mut is_code = false;
        let mut from = 0;
        for one in mentions(line) {
            let between = line.get(from..one.range.start).unwrap_or_default();
            is_code ^= count_unescaped_backticks(between) % 2 == 1;
            out.push_str(between);
            let id = one.id;
            match !is_code && state.node(id).is_some() {
                true => out.push_str(&match fault_of(id) {
                    Some(fault) => format!("[{id} ✗](arguments/{id}.md \"{fault}\")"),
                    None => format!("[{id}](arguments/{id}.md)"),
                }),
                false => out.push_str(&id.to_string()),
            }
            from = one.range.end;
        }
        out.push_str(line.get(from..).unwrap_or_default());
    }
    out
}

/// Counts the backticks in `text` that are not escaped.
fn count_unescaped_backticks(text: &str) -> usize {
    let ticks = text.match_indices('`');
    let open = ticks.filter(|&(at, _)| !text.get(..at).unwrap_or_default().ends_with('\\'));
    open.count()
}

#[cfg(test)]
mod tests {
    use super::escape_inline;
    use proptest::prelude::*;

    #[test]
    fn markup_becomes_text() {
        for (text, inert) in [
            ("```json\n{}\n```", r"\`\`\`json {} \`\`\`"),
            (
                "<script>alert(1)</script>",
                r"\<script\>alert(1)\</script\>",
            ),
            ("<!-- hidden -->", r"\<!-- hidden --\>"),
            ("[a](javascript:b)", r"\[a\](javascript:b)"),
            ("[a]: https://x.org", r"\[a\]: https\://x.org"),
            ("see www.x.org", r"see www\.x.org"),
            ("- item", r"\- item"),
            ("> quote", r"\> quote"),
            ("12) twelve", r"12\) twelve"),
            ("1.2.3", "1.2.3"),
            ("1.", r"1\."),
            ("in C# or F#", r"in C# or F\#"),
            ("---", r"\---"),
            ("=== heading", r"\=== heading"),
            ("**bold** and _thin_", r"\*\*bold\*\* and \_thin\_"),
            ("~~~ fence", r"\~\~\~ fence"),
            ("&lt; &#60; a & b", r"\&lt; \&#60; a & b"),
            ("a \\* b", r"a \\\* b"),
            ("snake_case in a.rs:3", "snake_case in a.rs:3"),
        ] {
            assert_eq!(escape_inline(text), inert);
        }
    }

    /// Takes backslash escapes away as CommonMark does.
    fn unescaped(markdown: &str) -> String {
        let mut out = String::new();
        let mut rest = markdown.chars().peekable();
        while let Some(c) = rest.next() {
            match (c, rest.peek()) {
                ('\\', Some(&next)) if next.is_ascii_punctuation() => {
                    out.push(next);
                    rest.next();
                }
                _ => out.push(c),
            }
        }
        out
    }

    /// Escapes character by character, as the rules are easiest to read.
    fn escaped_by_the_rules(text: &str) -> String {
        let text: Vec<char> = crate::text::plain_line(text).chars().collect();
        let digits = text.iter().take_while(|c| c.is_ascii_digit()).count();
        let is_word = |c: Option<&char>| c.is_some_and(|c| c.is_alphanumeric());
        let mut out = String::new();
        for (at, &c) in text.iter().enumerate() {
            let before = at.checked_sub(1).and_then(|at| text.get(at));
            let after = text.get(at + 1);
            let www = at >= 3 && text[at - 3..at].iter().all(|c| matches!(c, 'w' | 'W'));
            let escape = match c {
                '\\' | '`' | '*' | '[' | ']' | '<' | '>' | '~' | '|' => true,
                '_' => !(is_word(before) && is_word(after)),
                '&' => after.is_some_and(|&c| c == '#' || c.is_ascii_alphanumeric()),
                ':' => after == Some(&'/'),
                '#' | '-' | '+' | '=' if at == 0 => true,
                '#' => after.is_none(),
                '.' | ')' if at > 0 && at == digits => after.is_none_or(|&c| c == ' '),
                '.' => www,
                _ => false,
            };
            out.extend(escape.then_some('\\'));
            out.push(c);
        }
        out
    }

    proptest! {
        #[test]
        fn only_what_needs_an_escape_gets_one(
            text in r"([0-9]{0,2}[-.)+=#_&:/*a wWé\u{202e}\u{fe0f}]{0,3}){0,8}|(?s).{0,60}",
        ) {
            prop_assert_eq!(escape_inline(&text), escaped_by_the_rules(&text));
        }

        #[test]
        fn it_reads_as_what_was_written(text in "(?s).{0,120}") {
            prop_assert_eq!(unescaped(&escape_inline(&text)), crate::text::plain_line(&text));
        }
    }
}
