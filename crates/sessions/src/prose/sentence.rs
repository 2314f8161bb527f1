//! Splits text into sentences.

/// A sentence, word for word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sentence<'t> {
    /// Its text, without a list marker and surrounding white space.
    pub(crate) text: &'t str,
    /// Its byte offset in the text.
    pub(crate) start: usize,
}

impl Sentence<'_> {
    /// Returns whether it is a question.
    pub(crate) fn is_question(&self) -> bool {
        self.text
            .trim_end_matches(['"', '\'', ')', '*', '_'])
            .ends_with(['?', '？'])
    }
}

/// Returns the sentences of `text`, without fenced code and quoted lines, which are the words of
/// others.
pub(crate) fn sentences(text: &str) -> Vec<Sentence<'_>> {
    let mut found = Vec::new();
    for (start, end) in paragraphs(text) {
        split(text, start, end, &mut found);
    }
    found
}

/// Returns the byte ranges of paragraphs, where a sentence can continue on the next line.
fn paragraphs(text: &str) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    let mut is_fenced = false;
    let mut is_open = false;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let (start, end) = (at, at + line.len());
        at = end;
        let words = line.trim();
        if words.starts_with("```") || words.starts_with("~~~") {
            is_fenced = !is_fenced;
            is_open = false;
            continue;
        }
        if is_fenced || words.is_empty() || words.starts_with('>') {
            is_open = false;
            continue;
        }
        let goes_on = is_open && words.starts_with(|c: char| c.is_lowercase() || c == '`');
        match found.last_mut() {
            Some(last) if goes_on => last.1 = end,
            _ => found.push((start, end)),
        }
        is_open = !words.ends_with(['.', '!', '?', ':', ';']);
    }
    found
}

fn split<'t>(text: &'t str, start: usize, end: usize, found: &mut Vec<Sentence<'t>>) {
    let mut from = start;
    let mut in_code = false;
    for (at, c) in text[start..end].char_indices() {
        match c {
            '`' => in_code = !in_code,
            '\n' => in_code = false,
            // Scripts without spaces between words have no space after a full stop either.
            '。' | '！' | '？' if !in_code => {
                let end = start + at + c.len_utf8();
                push(text, from, end, found);
                from = end;
            }
            '.' | '!' | '?' if !in_code => {
                let mut rest = text[start + at + 1..end].chars();
                let space = rest.next().is_none_or(char::is_whitespace);
                // "e.g. this" and "v1. of" continue the sentence. Other marks end a sentence even
                // before a lowercase letter, because some texts have no capitals.
                let small = c == '.'
                    && is_abbreviation(&text[from..start + at])
                    && rest
                        .find(|it| !it.is_whitespace())
                        .is_some_and(char::is_lowercase);
                if space && !small {
                    push(text, from, start + at + 1, found);
                    from = start + at + 1;
                }
            }
            _ => {}
        }
    }
    push(text, from, end, found);
}

/// Returns whether the last word before a full stop is an abbreviation.
fn is_abbreviation(before: &str) -> bool {
    const KNOWN: [&str; 14] = [
        "etc", "approx", "incl", "excl", "resp", "dept", "fig", "sec", "min", "max", "est", "misc",
        "viz", "ver",
    ];
    let word = before
        .rsplit(|c: char| !c.is_alphanumeric())
        .next()
        .unwrap_or_default();
    (1..=2).contains(&word.chars().count()) || KNOWN.contains(&word.to_lowercase().as_str())
}

fn push<'t>(text: &'t str, start: usize, end: usize, found: &mut Vec<Sentence<'t>>) {
    let whole = &text[start..end];
    let mut words = whole.trim_start();
    loop {
        let bare = words
            .trim_start_matches(['-', '*', '>', '#', '+', '•'])
            .trim_start();
        // "-v" and "*important*" are words; "- v" is a list item.
        let is_marker = bare.len() < words.len()
            && words
                .trim_start_matches(['-', '*', '>', '#', '+', '•'])
                .starts_with(char::is_whitespace);
        let numbered = words
            .trim_start_matches(|c: char| c.is_ascii_digit())
            .strip_prefix(['.', ')'])
            .filter(|rest| {
                words.starts_with(|c: char| c.is_ascii_digit())
                    && rest.starts_with(char::is_whitespace)
            });
        match (is_marker, numbered) {
            (true, _) => words = bare,
            (false, Some(rest)) => words = rest.trim_start(),
            (false, None) => break,
        }
    }
    let skipped = whole.len() - words.len();
    let words = words.trim_end();
    if words.chars().any(char::is_alphanumeric) {
        found.push(Sentence {
            text: words,
            start: start + skipped,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        sentences(text).iter().map(|it| it.text).collect()
    }

    #[test]
    fn a_sentence_ends_at_its_stop_and_not_within_a_name() {
        assert_eq!(
            texts("Read `a.b. C` in src/config.rs first. Then go on, e.g. with it! Why? Done"),
            [
                "Read `a.b. C` in src/config.rs first.",
                "Then go on, e.g. with it!",
                "Why?",
                "Done"
            ]
        );
        assert_eq!(
            texts("keep it small. ok. no packages either, see approx. line 3"),
            [
                "keep it small.",
                "ok. no packages either, see approx. line 3"
            ]
        );
    }

    #[test]
    fn an_item_of_a_list_is_a_sentence_without_its_marker_and_a_quoted_line_is_none() {
        assert_eq!(
            texts("Rules:\n- never push\n2. use -v\n> quoted\n\n```\ncode here.\n```\nend"),
            ["Rules:", "never push", "use -v", "end"]
        );
    }

    #[test]
    fn a_sentence_that_goes_on_in_the_next_line_is_whole() {
        assert_eq!(
            texts("Never change the files\nunder vendor. Thanks\nBye"),
            ["Never change the files\nunder vendor.", "Thanks", "Bye"]
        );
    }
}
