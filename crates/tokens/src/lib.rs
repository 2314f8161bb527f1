//! Counts the o200k tokens of a text, in segments.
//!
//! The tokenizer processes a run without spaces (base64, minified code) as one piece, even if only
//! a part is needed. With segments, counting can stop as soon as the answer is known.

mod merge;
mod pieces;
mod slots;
mod vocabulary;

// Longer than 99.9 % of words, and 2 KiB without a space take only about a millisecond to count.
/// Maximum length of a segment, in bytes.
const MAX_SEGMENT: usize = 2 * 1024;

/// Returns the number of o200k tokens in `text`.
///
/// The number is exact, except for runs of more than 2 KiB without a space, for which it can be up
/// to one percent too high. Takes time proportional to the length of the text.
///
/// ```
/// assert_eq!(agon_tokens::count_tokens("Tabs or spaces?"), 4);
/// ```
pub fn count_tokens(text: &str) -> usize {
    Segments(text).map(count_segment).sum()
}

/// Returns whether `text` has more than `most` o200k tokens. Reads no more than necessary.
///
/// ```
/// # use agon_tokens::has_more_tokens;
/// assert!(has_more_tokens("Tabs or spaces?", 3) && !has_more_tokens("Tabs or spaces?", 4));
/// ```
pub fn has_more_tokens(text: &str, most: usize) -> bool {
    // A text has no more tokens than bytes, so a short one does not need the tokenizer (30 MB).
    if text.len() <= most {
        return false;
    }
    let mut count = 0;
    Segments(text).any(|segment| {
        count += count_segment(segment);
        count > most
    })
}

/// Returns the longest prefix of `text` with at most `most` o200k tokens. Reads no more than
/// necessary.
///
/// ```
/// assert_eq!(agon_tokens::prefix_within_tokens("Tabs or spaces?", 3), "Tabs or spaces");
/// ```
pub fn prefix_within_tokens(text: &str, most: usize) -> &str {
    let mut left = most;
    let mut end = 0;
    for segment in Segments(text) {
        let tokens = count_segment(segment);
        if tokens > left {
            return &text[..end + prefix_length_within(segment, left)];
        }
        left -= tokens;
        end += segment.len();
    }
    text
}

/// Returns the longest prefix of `text` that has at most `tokens` o200k tokens and ends at the end
/// of a line or a word.
pub fn truncate_to_tokens(text: &str, tokens: usize) -> String {
    let whole = prefix_within_tokens(text, tokens);
    let end = whole.rfind(['\n', ' ']).filter(|&at| at > 0);
    whole[..end.unwrap_or(whole.len())].trim_end().to_owned()
}

/// The length in bytes of the longest prefix of one segment with at most `most` tokens.
fn prefix_length_within(segment: &str, most: usize) -> usize {
    let (mut low, mut high) = (0, segment.len());
    while low < high {
        let middle = segment.ceil_char_boundary(low + (high - low).div_ceil(2));
        match count_segment(&segment[..middle]) <= most {
            true if middle > low => low = middle,
            true => break,
            false => high = segment.floor_char_boundary(middle - 1),
        }
    }
    low
}

fn count_segment(segment: &str) -> usize {
    pieces::Pieces(segment)
        .map(|piece| merge::count(piece.as_bytes()))
        .sum()
}

/// The segments of a text, in order.
struct Segments<'a>(&'a str);

impl<'a> Iterator for Segments<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        if self.0.is_empty() {
            return None;
        }
        let (segment, rest) = self.0.split_at(segment_end(self.0));
        self.0 = rest;
        Some(segment)
    }
}

/// Where the first segment of `text` ends: before a space between two words. No token spans such a
/// place, so the segments together have as many tokens as the whole.
fn segment_end(text: &str) -> usize {
    if text.len() <= MAX_SEGMENT {
        return text.len();
    }
    let most = text.floor_char_boundary(MAX_SEGMENT);
    let is_between_words = |&at: &usize| {
        let before = text[..at].chars().next_back();
        let after = text[at + 1..].chars().next();
        let is_word = |next: Option<char>| next.is_some_and(|c| !c.is_whitespace());
        is_word(before) && is_word(after)
    };
    let mut blanks = text[..most].rmatch_indices(' ').map(|(at, _)| at);
    blanks.find(is_between_words).unwrap_or(most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_with_blanks_counts_as_the_tokenizer_counts_it() {
        let prose = "One, two; (three)\n\n  four\tfive 6789 — ünï 日本語 end.\r\n".repeat(400);
        let code = "    let x = a[i] + 1; // it's 100 %\n".repeat(400);
        for text in [&prose, &code] {
            assert_eq!(count_tokens(text), exact(text));
        }
    }

    fn exact(text: &str) -> usize {
        tiktoken_rs::o200k_base_singleton().count_ordinary(text)
    }

    #[test]
    fn each_alternative_splits_as_the_tokenizer_does() {
        for text in [
            "camelCase HTTPServer McDonald's WE'LL don't DON\u{2019}T it\u{17f}'\u{17f} o'clock I'Ve 'RE",
            // Letters after a contraction are a piece of their own.
            "I'dent you'reward we'venue she'llama it'strong can'tell I'mmense I'DENT WE'LLAMA",
            "1234567 12,345.678 \u{0663}\u{0664}\u{0665}\u{0666} \u{2167}x 3\u{00bd}",
            "  two\t\ttabs \u{a0}\u{3000}wide\n\n\n  next\r\n \n end   ",
            " !?// \r\n/path/to//file\n/// ... ---\n",
            "\u{301}a e\u{301}E\u{301} A\u{301}\u{301}B \u{1c5}\u{1c5}a \u{2b0}\u{2b0}X X\u{2b0}Y",
            "\u{65e5}\u{672c}\u{8a9e}ABC\u{65e5}abc \u{635}\u{644}\u{0651}\u{649} \u{939}\u{93f}\u{928}\u{94d}\u{926}\u{940} \u{1f469}\u{200d}\u{1f4bb}\u{fe0f}",
            "\u{0}\u{7f}\u{85}\u{2028}\u{feff}\u{e000}\u{10ffff}",
        ] {
            for (start, _) in text.char_indices() {
                assert_eq!(
                    count_tokens(&text[start..]),
                    exact(&text[start..]),
                    "{:?}",
                    &text[start..]
                );
            }
        }
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(4_000))]
        #[test]
        fn any_text_has_as_many_tokens_as_the_tokenizer_counts(
            text in "([ -~]|[a-zA-Z' \\r\\n/]|\\PC|\\p{M}|\\p{L}|\\p{N}|\\p{Z}){0,60}",
        ) {
            proptest::prop_assert_eq!(count_tokens(&text), exact(&text));
        }
    }

    #[test]
    fn every_token_of_the_vocabulary_is_found_by_its_bytes() {
        let encoding = tiktoken_rs::o200k_base_singleton();
        for rank in 0..199_998 {
            let bytes = encoding.decode_bytes(&[rank]).unwrap();
            assert_eq!(vocabulary::rank(&bytes), Some(rank));
        }
        assert_eq!(vocabulary::rank(b""), None);
        assert_eq!(vocabulary::rank("\u{10ffff}".as_bytes()), None);
    }

    #[test]
    fn a_text_without_blanks_is_counted_about_right_and_cut_short() {
        let digits = |count: u64| -> String {
            (0..count)
                .map(|at| format!("{:x}", at.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
                .collect()
        };
        let short = digits(300);
        let (whole, parts) = (exact(&short), count_tokens(&short));
        assert!(
            parts >= whole && parts <= whole + whole / 50,
            "{parts} for {whole}"
        );
        for text in [
            digits(70_000),
            "x".repeat(1_000_000),
            "\u{65e5}".repeat(300_000),
        ] {
            assert!(count_tokens(&text) > 1_000);
            assert!(has_more_tokens(&text, 100));
            assert!(prefix_within_tokens(&text, 100).len() < 3_000);
        }
    }

    #[test]
    fn a_beginning_has_as_many_tokens_as_fit() {
        let text = "word ".repeat(3_000);
        for most in [0, 1, 500, 2_999] {
            assert_eq!(count_tokens(prefix_within_tokens(&text, most)), most);
        }
        assert_eq!(prefix_within_tokens(&text, 4_000), text);
        assert!(!has_more_tokens("", 0) && has_more_tokens("a", 0));
    }

    #[test]
    fn a_beginning_ends_at_a_word_and_holds_its_bound() {
        let text = "One two three four five six seven.\nEight nine ten. ".repeat(20);
        for tokens in [1, 5, 20, 100] {
            let beginning = truncate_to_tokens(&text, tokens);
            assert!(count_tokens(&beginning) <= tokens, "{beginning}");
            assert!(text.starts_with(&beginning));
        }
        let beginning = truncate_to_tokens(&text, 20);
        assert!(
            text[beginning.len()..].starts_with([' ', '\n']),
            "{beginning}"
        );
        assert!(count_tokens(&beginning) >= 17, "{beginning}");
        assert_eq!(truncate_to_tokens("äöü日本語", 0), "");
    }
}
