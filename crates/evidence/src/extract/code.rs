//! Finds code and quotations in prose that may be quoted from a place.

use super::Guess;
use super::quote_block::find_quote_blocks;
use super::span::{Claim, Span};

// Chosen, not measured: about two lines of prose. With a larger distance, words of the next
// sentence would count for the place; with a smaller one, words before an aside would be lost.
/// Maximum distance between a path and its words, in bytes.
const NEAR: usize = 160;
// Chosen, not measured: about five lines of code. Longer quotations are rarely exact and would be
// called wrong. With a lower limit, whole statements would be lost.
/// Maximum length of quoted words, in bytes.
const MAX_BYTES: usize = 400;
// Three words match by coincidence. Tested by
// `code_and_quotations_near_a_path_are_guessed_to_stand_there`, with four and with three words.
/// Minimum number of words in a quotation.
const MIN_QUOTATION_WORDS: usize = 4;
// Agon searches the text for each guess. Tested by
// `code_and_quotations_near_a_path_are_guessed_to_stand_there`, which has four for one path.
/// Maximum number of guesses for one place.
const MAX_GUESSES: usize = 4;
/// Maximum number of backticks that close a span.
const MAX_TICKS: usize = 8;

/// Returns the pieces of code and quotations in a text, in order.
pub(super) fn find_code_and_quotes(text: &str) -> Vec<Span> {
    let mut spans = find_marked(text);
    let blocks = find_quote_blocks(text)
        .into_iter()
        .filter_map(|(words, at)| {
            has_usable_length(&words).then_some(Span {
                words,
                at,
                quoted: true,
                is_block: true,
                has_head: false,
                claim: Claim::None,
            })
        });
    let blocks: Vec<Span> = blocks.collect();
    // Drop quotations inside a block, because they are part of it.
    spans.retain(|span| {
        let at = blocks.partition_point(|block| block.at[1] <= span.at[0]);
        blocks.get(at).is_none_or(|block| span.at[1] <= block.at[0])
    });
    spans.extend(blocks);
    spans.sort_by_key(|span| span.at);
    spans
}

/// Returns the pieces between quotation marks or backticks.
fn find_marked(text: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut rest = 0;
    while let Some(at) = text
        .get(rest..)
        .and_then(|it| it.find(['`', '"', '“', '„', '\u{ab}']))
    {
        let start = rest + at;
        let open = text[start..].chars().next().unwrap_or('`');
        let ticks = match open {
            '`' => text[start..].bytes().take_while(|it| *it == b'`').count(),
            _ => open.len_utf8(),
        };
        let inner = start + ticks;
        rest = inner;
        let Some(end) = closing_mark_position(text, inner, open, ticks) else {
            continue;
        };
        let words = strip_fence_language(&text[inner..end], ticks).trim();
        let close = match open {
            '`' => ticks.min(MAX_TICKS),
            '“' | '„' => '”'.len_utf8(),
            '\u{ab}' => '\u{bb}'.len_utf8(),
            _ => 1,
        };
        rest = end + close;
        if has_usable_length(words) {
            let is_block = ticks >= 3 && text[inner..end].contains('\n');
            let head = fence_head(&text[inner..end]).filter(|_| is_block);
            let omits_code = head.is_some() && omits_code(words);
            spans.push(Span {
                words: words.to_owned(),
                // Exclude the place in the head of the fence from the span.
                at: [head.map_or(start, |it| inner + it.len()), rest],
                is_block,
                has_head: head.is_some(),
                claim: match is_block && (omits_code || is_diff_or_terminal(&text[inner..end])) {
                    true => Claim::Never,
                    false => Claim::None,
                },
                quoted: match open {
                    '`' => has_several_words(words),
                    // A few words in quotation marks may be from anywhere, so they do not count as
                    // quoted.
                    _ => words.split_whitespace().count() >= MIN_QUOTATION_WORDS,
                },
            });
        }
    }
    spans
}

/// Finds the mark that closes `open`, within a limited distance.
fn closing_mark_position(text: &str, from: usize, open: char, ticks: usize) -> Option<usize> {
    let to = text.len().min(from + MAX_BYTES * 4);
    let end = (from..=to).rev().find(|at| text.is_char_boundary(*at))?;
    let part = text.get(from..end)?;
    let found = match open {
        '`' => part.find(&"`".repeat(ticks.min(MAX_TICKS)))?,
        '“' => part.find('”')?,
        '„' => part.find(['“', '”'])?,
        '\u{ab}' => part.find('\u{bb}')?,
        _ => part.find('"')?,
    };
    Some(from + found)
}

/// Removes the language name from the content of a fence.
fn strip_fence_language(inner: &str, ticks: usize) -> &str {
    match inner.split_once('\n') {
        Some((first, code))
            if ticks >= 3 && (!first.trim().contains(' ') || fence_head(inner).is_some()) =>
        {
            code
        }
        Some(_) | None => inner,
    }
}

/// Returns the head of a fence that names a place, as in `3:6:PATH`.
fn fence_head(inner: &str) -> Option<&str> {
    let (head, _) = inner.split_once('\n')?;
    let (first, rest) = head.trim().split_once(':')?;
    let (last, path) = rest.split_once(':')?;
    let is_number = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
    (is_number(first) && is_number(last) && !path.is_empty()).then_some(head)
}

/// Returns whether a comment replaces omitted code, as in `// ... existing code ...`.
fn omits_code(words: &str) -> bool {
    let marks = ["//", "#", "--", "/*", "<!--", "{/*", ";", "%", "..", "…"];
    words.lines().any(|line| {
        let line = line.trim();
        marks.iter().any(|it| line.starts_with(it)) && (line.contains("...") || line.contains('…'))
    })
}

/// Returns whether a fence contains a diff or a terminal session instead of part of a file.
fn is_diff_or_terminal(inner: &str) -> bool {
    let language = inner.split('\n').next().unwrap_or("").trim();
    let others = [
        "diff",
        "patch",
        "console",
        "shell-session",
        "text-session",
        "output",
        "log",
    ];
    others.contains(&language) || inner.lines().any(|it| it.starts_with("$ "))
}

fn has_usable_length(words: &str) -> bool {
    let letters = words.chars().filter(|c| c.is_alphanumeric()).count();
    letters >= 4 && words.len() <= MAX_BYTES
}

/// Returns whether words are more than a single name such as `a.b` or `a::b`.
fn has_several_words(words: &str) -> bool {
    let named = |c: char| c.is_alphanumeric() || "_.:/\\-<>()@#".contains(c);
    !words.chars().all(named)
}

/// Returns the words that may be quoted from the file at `path`: the words that the text attributes
/// to it, and the nearest words in the same paragraph.
pub(super) fn guesses_near_path(text: &str, spans: &[Span], path: [usize; 2]) -> Vec<Guess> {
    let covers = |span: &Span| span.at[0] <= path[0] && span.at[1] >= path[1];
    let gap = |span: &Span| {
        let (from, to) = if span.at[1] <= path[0] {
            (span.at[1], path[0])
        } else {
            (path[1], span.at[0].max(path[1]))
        };
        let between = text.get(from..to)?;
        let is_meant = match span.claim {
            Claim::At(place) => place == path,
            _ => between.len() <= NEAR && !between.contains("\n\n"),
        };
        is_meant.then_some(between.len())
    };
    // The spans are in order, so check only a few neighbours of the path.
    let after = spans.partition_point(|it| it.at[1] <= path[0]);
    let from = after.saturating_sub(MAX_GUESSES);
    let neighbours = spans.iter().skip(from).take(2 * MAX_GUESSES + 1);
    let mut found: Vec<(usize, &Span)> = neighbours
        .filter(|span| !covers(span))
        .filter_map(|span| Some((gap(span)?, span)))
        .collect();
    found.sort_by_key(|(gap, _)| *gap);
    let guesses = found.into_iter().take(MAX_GUESSES).map(|(_, span)| Guess {
        words: span.words.clone(),
        quoted: span.quoted && matches!(span.claim, Claim::At(_)),
    });
    guesses.collect()
}

/// Drops the spans that only name a place; `names` are the byte ranges of names, in any order.
pub(super) fn drop_names(text: &str, spans: &mut Vec<Span>, names: &[[usize; 2]]) {
    let mut names = names.to_vec();
    names.sort_unstable();
    let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
    spans.retain(|span| {
        let from = names.partition_point(|name| name[1] <= span.at[0]);
        let inside = names
            .iter()
            .skip(from)
            .take_while(|name| name[0] < span.at[1]);
        let named = inside.filter_map(|name| {
            let [from, to] = [name[0].max(span.at[0]), name[1].min(span.at[1])];
            text.get(from..to).map(letters)
        });
        let named: usize = named.sum();
        named == 0 || letters(&span.words) > named + 4
    });
}

/// Returns the words of a text that may be quoted from a place that another text names.
pub(super) fn collect_guesses(spans: Vec<Span>) -> Vec<Guess> {
    let guesses = spans.into_iter().map(|span| Guess {
        words: span.words,
        quoted: span.quoted && span.claim == Claim::Elsewhere,
    });
    let (said, others): (Vec<Guess>, Vec<Guess>) = guesses.partition(|it| it.quoted);
    said.into_iter().chain(others).take(MAX_GUESSES).collect()
}
