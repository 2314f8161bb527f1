//! Makes text from models and tools safe to print and measure.

use std::borrow::Cow;

use agon_record::moves::{Citation, Ground};
use agon_record::text::is_plain_line;
pub use agon_record::text::{
    count_with_noun, is_hidden, is_joiner, mask_hidden_characters, sanitise_line,
    strip_invisible_characters,
};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Returns `text` as one line without hidden characters.
///
/// Runs of white space become one space. Escape sequences, control characters, characters that
/// change the direction of writing, invisible characters and variation selectors are removed.
///
/// ```
/// use agon_report::text::plain_line;
/// assert_eq!(plain_line(" two\n lines "), "two lines");
/// assert_eq!(plain_line("\u{1b}[31mred \u{202e}dab"), "red dab");
/// assert_eq!(plain_line("a \u{fe0f} b"), "a b");
/// ```
pub fn plain_line(text: &str) -> String {
    plain_line_cow(text).into_owned()
}

/// As [`plain_line`], and copies nothing if the text is such a line already, as nearly all are.
pub(crate) fn plain_line_cow(text: &str) -> Cow<'_, str> {
    if is_plain_line(text) {
        return Cow::Borrowed(text);
    }
    // First, because the white space around such a character is one run without it.
    let is_kept =
        |c: &char| !matches!(c, '\u{34f}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}');
    let kept: String = text.chars().filter(is_kept).collect();
    Cow::Owned(sanitise_line(&kept, usize::MAX))
}

/// Formats an amount in dollars and cents; below one cent, with as many digits as needed.
///
/// ```
/// use agon_report::text::format_dollars;
/// assert_eq!(format_dollars(0.412), "$0.41");
/// assert_eq!(format_dollars(0.0012), "$0.0012");
/// assert_eq!(format_dollars(0.0), "$0.00");
/// ```
pub fn format_dollars(dollars: f64) -> String {
    match dollars > 0.0 && dollars < 0.01 {
        true => format!("${dollars:.4}"),
        false => format!("${dollars:.2}"),
    }
}

/// Returns the first sentence of a line, with `…` if more follows.
///
/// ```
/// use agon_report::text::first_sentence;
/// assert_eq!(first_sentence("It is atomic. Both win."), "It is atomic. …");
/// assert_eq!(first_sentence("See e.g. SQLite, or v2. It is."), "See e.g. SQLite, or v2. It is.");
/// assert_eq!(first_sentence("Only one."), "Only one.");
/// ```
pub fn first_sentence(line: &str) -> String {
    // A full stop after a shorter word usually ends an abbreviation, not a sentence.
    const SHORTEST: usize = 3;
    let ends_sentence = |at: usize, c: char| {
        let (before, after) = (&line[..at], &line[at + c.len_utf8()..]);
        let next = after.strip_prefix(' ').and_then(|rest| rest.chars().next());
        let word = before.rsplit(' ').next().unwrap_or_default();
        let is_word = word.chars().filter(|c| c.is_alphanumeric()).count() >= SHORTEST;
        match c {
            '。' | '！' | '？' => !after.is_empty(),
            '.' => next.is_some_and(|c| !c.is_lowercase()) && is_word && !word.contains('.'),
            '!' | '?' => next.is_some_and(|c| !c.is_lowercase()),
            _ => false,
        }
    };
    let mut chars = line.char_indices();
    match chars.find(|&(at, c)| ends_sentence(at, c)) {
        Some((at, c)) => format!("{} …", &line[..at + c.len_utf8()]),
        None => line.to_owned(),
    }
}

/// Returns the terminal columns of `text`.
pub fn display_width(text: &str) -> usize {
    text.width()
}

/// Cuts `text` to `width` columns, with `…` at the end if anything was cut.
///
/// Expects the result of [`plain_line`]. Keeps at most four characters per column, which limits
/// stacked accents.
///
/// ```
/// use agon_report::text::truncate_to_width;
/// assert_eq!(truncate_to_width("a longer text", 8), "a longe…");
/// assert_eq!(truncate_to_width("short", 8), "short");
/// ```
pub fn truncate_to_width(text: &str, width: usize) -> String {
    let most = width.saturating_mul(4);
    if display_width(text) <= width && text.chars().count() <= most {
        return text.to_owned();
    }
    let room = width.saturating_sub(1);
    let mut taken = 0;
    let mut kept = String::new();
    for c in text.chars().take(most) {
        taken += c.width().unwrap_or(0);
        if taken > room {
            break;
        }
        kept.push(c);
    }
    kept.truncate(kept.trim_end().len());
    if width > 0 {
        kept.push('…');
    }
    kept
}

fn wrap_options(width: usize) -> textwrap::Options<'static> {
    textwrap::Options::new(width)
        .wrap_algorithm(textwrap::WrapAlgorithm::FirstFit)
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
}

/// Wraps `text` to lines of at most `width` columns.
///
/// Expects the result of [`plain_line`]. Returns at least one line.
///
/// ```
/// use agon_report::text::wrap_whole;
/// assert_eq!(wrap_whole("nothing of it is lost", 10), ["nothing of", "it is lost"]);
/// ```
pub fn wrap_whole(text: &str, width: usize) -> Vec<String> {
    let width = width.max(4);
    let lines = textwrap::wrap(text, wrap_options(width));
    lines
        .iter()
        .flat_map(|line| break_line(line, width))
        .collect()
}

/// Breaks `line` into pieces of at most `width` columns and four characters per column, so that
/// stacked accents cannot make a line endless.
fn break_line(line: &str, width: usize) -> Vec<String> {
    let most = width.saturating_mul(4);
    if display_width(line) <= width && line.chars().count() <= most {
        return vec![line.to_owned()];
    }
    let (mut pieces, mut piece, mut length) = (Vec::new(), String::new(), 0);
    for c in line.chars() {
        piece.push(c);
        length += 1;
        if display_width(&piece) > width || length > most {
            piece.pop();
            pieces.push(std::mem::replace(&mut piece, c.to_string()));
            length = 1;
        }
    }
    pieces.push(piece);
    pieces
}

/// Returns the place that a ground cites, as a reader would write it; `None` for reasoning.
///
/// ```
/// use agon_record::moves::Citation;
/// use agon_report::text::citation_place;
/// let citation = Citation {
///     file: Some("src/store.rs".to_owned()),
///     lines: Some([88, 104]),
///     ..Citation::default()
/// };
/// assert_eq!(citation_place(&citation).as_deref(), Some("src/store.rs:88-104"));
/// ```
pub fn citation_place(citation: &Citation) -> Option<String> {
    let lines = match citation.lines {
        Some([first, last]) if first == last => format!(":{first}"),
        Some([first, last]) => format!(":{first}-{last}"),
        None => String::new(),
    };
    let commit = citation.commit.as_deref().map(plain_line);
    let named = if let Some(file) = &citation.file {
        let commit = commit
            .map(|commit| format!("{commit}:"))
            .unwrap_or_default();
        format!("{commit}{}{lines}", plain_line(file))
    } else if let Some(url) = &citation.url {
        plain_line(url)
    } else if let Some(document) = &citation.document {
        format!("{}{lines}", plain_line(document))
    } else if let Some(command) = &citation.command {
        format!("$ {}", plain_line(command))
    } else {
        format!("commit {}", commit?)
    };
    Some(named)
}

/// Returns the first cited place among `grounds`.
pub fn first_cited_place(grounds: &[Ground]) -> Option<String> {
    grounds
        .iter()
        .find_map(|ground| citation_place(ground.citation.as_ref()?))
}

/// Formats milliseconds as minutes and seconds, such as `1:32`, with hours if needed.
///
/// ```
/// use agon_report::text::format_duration;
/// assert_eq!(format_duration(92_400), "1:32");
/// assert_eq!(format_duration(3_600_000), "1:00:00");
/// ```
pub fn format_duration(ms: u64) -> String {
    let seconds = ms / 1_000;
    let (hours, minutes, seconds) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        hours => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

/// Abbreviates a count to four or five characters, such as `52k` or `1.2M`.
///
/// ```
/// use agon_report::text::abbreviate_count;
/// assert_eq!([abbreviate_count(950), abbreviate_count(51_800), abbreviate_count(1_230_000)], ["950", "52k", "1.2M"]);
/// ```
pub fn abbreviate_count(count: u64) -> String {
    match count {
        0..1_000 => count.to_string(),
        1_000..999_500 => format!("{}k", (count + 500) / 1_000),
        _ => format!("{:.1}M", count as f64 / 1e6),
    }
}

/// Returns a word with a capital first letter.
pub fn capitalize(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn is_unseen(c: char) -> bool {
        c.is_control()
            || super::is_hidden(c)
            || matches!(c, '\u{2028}' | '\u{2029}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
    }

    proptest! {
        #[test]
        fn nothing_hidden_is_left_in_plain_text(text in "(?s).{0,200}") {
            let shown = plain_line(&text);
            prop_assert!(!shown.chars().any(is_unseen), "{shown:?}");
            prop_assert!(!shown.contains("  "));
        }

        #[test]
        fn cut_text_fits(text in "(?s).{0,200}", width in 0_usize..60) {
            let shown = truncate_to_width(&plain_line(&text), width);
            prop_assert!(display_width(&shown) <= width, "{shown:?} in {width}");
        }

        #[test]
        fn nothing_is_lost_where_all_is_wrapped(text in "(?s).{0,400}|(a\u{301}{30}){9}", width in 4_usize..60) {
            let text = plain_line(&text);
            let lines = wrap_whole(&text, width);
            for line in &lines {
                prop_assert!(display_width(line) <= width, "{line:?} in {width}");
                prop_assert!(line.chars().count() <= 4 * width, "{line:?} in {width}");
            }
            let letters = |text: &str| text.chars().filter(|c| *c != ' ').collect::<String>();
            prop_assert_eq!(letters(&lines.concat()), letters(&text));
        }
    }

    #[test]
    fn stacked_accents_are_cut() {
        let text = format!("a{}", "\u{301}".repeat(10_000));
        assert!(truncate_to_width(&text, 10).chars().count() <= 41);
    }

    #[test]
    fn a_place_is_written_as_a_reader_would() {
        let text = |text: &str| Some(text.to_owned());
        let cases = [
            (
                Citation {
                    file: text("a b.rs"),
                    lines: Some([3, 3]),
                    ..Citation::default()
                },
                "a b.rs:3",
            ),
            (
                Citation {
                    commit: text("3f1c9ae"),
                    file: text("a.rs"),
                    ..Citation::default()
                },
                "3f1c9ae:a.rs",
            ),
            (
                Citation {
                    url: text("https://x.org/\u{1b}"),
                    ..Citation::default()
                },
                "https://x.org/",
            ),
            (
                Citation {
                    document: text("plan"),
                    ..Citation::default()
                },
                "plan",
            ),
            (
                Citation {
                    command: text("cargo tree"),
                    ..Citation::default()
                },
                "$ cargo tree",
            ),
            (
                Citation {
                    commit: text("3f1c9ae"),
                    ..Citation::default()
                },
                "commit 3f1c9ae",
            ),
        ];
        for (citation, written) in cases {
            assert_eq!(citation_place(&citation).as_deref(), Some(written));
        }
        let reasoning = Citation {
            reasoning: text("it follows"),
            ..Citation::default()
        };
        assert_eq!(citation_place(&reasoning), None);
    }
}
