//! Escapes text from models so that Markdown shows it as plain text.

use agon_record::evidence::citation_fault;
use agon_record::mention::mentions;
use agon_record::state::State;

use crate::text::plain_line;

/// Returns `text` as one line of Markdown that renders as exactly that text.
///
/// The result creates no heading, list, quote, fence, emphasis, link, image, reference or HTML,
/// even at the start of a line. Hidden characters are removed, as in [`plain_line`].
///
/// ```
/// use agon_report::markdown::escape_inline;
/// assert_eq!(escape_inline("# <b>x</b> in my_file.rs"), r"\# \<b\>x\</b\> in my_file.rs");
/// assert_eq!(escape_inline("![x](http://a)"), r"!\[x\](http\://a)");
/// assert_eq!(escape_inline("1. one"), r"1\. one");
/// ```
pub fn escape_inline(text: &str) -> String {
    let text: Vec<char> = plain_line(text).chars().collect();
    let digits = text.iter().take_while(|c| c.is_ascii_digit()).count();
    let mut out = String::with_capacity(text.len() + 8);
    for (at, &c) in text.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| text.get(at));
        let after = text.get(at + 1);
        let is_word = |c: Option<&char>| c.is_some_and(|c| c.is_alphanumeric());
        let escape = match c {
            '\\' | '`' | '*' | '[' | ']' | '<' | '>' | '~' | '|' => true,
            '_' => !(is_word(before) && is_word(after)),
            '&' => after.is_some_and(|&c| c == '#' || c.is_ascii_alphanumeric()),
            ':' => after == Some(&'/'),
            '#' | '-' | '+' | '=' if at == 0 => true,
            '#' => after.is_none(),
            '.' | ')' if at > 0 && at == digits => after.is_none_or(|&c| c == ' '),
            '.' => ends_in_www(&text[..at]),
            _ => false,
        };
        if escape {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

fn ends_in_www(text: &[char]) -> bool {
    let last = text.iter().rev().take(3);
    last.clone().count() == 3 && last.into_iter().all(|c| c.eq_ignore_ascii_case(&'w'))
}

/// Returns the escaped `text` with a full stop if it has no end mark.
pub(crate) fn escape_as_sentence(text: &str) -> String {
    let text = escape_inline(text);
    if text.is_empty() || text.ends_with(['.', '!', '?', '…', ':']) {
        text
    } else {
        format!("{text}.")
    }
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

    proptest! {
        #[test]
        fn it_reads_as_what_was_written(text in "(?s).{0,120}") {
            prop_assert_eq!(unescaped(&escape_inline(&text)), crate::text::plain_line(&text));
        }
    }
}
