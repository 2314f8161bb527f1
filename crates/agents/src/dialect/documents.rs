//! Finds JSON documents in a tool's output, whatever surrounds them.
//!
//! Tools print update notices, warnings, colour codes and byte-order marks around their document. A
//! reply that was paid for must not be lost because of them.

use agon_files::json_text::replace_lone_surrogates;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Deserializer;

/// Returns the documents of type `D` in an output, in order. Skips all other text and documents of
/// other types.
///
/// A document may be the whole output, one line, or several lines. Bytes that are not UTF-8 and
/// unpaired surrogates are read as U+FFFD. A truncated document ends the search. Takes O(length)
/// time.
pub(super) fn parse_documents<D: DeserializeOwned>(stdout: &[u8]) -> Vec<D> {
    let text = String::from_utf8_lossy(stdout);
    let mut documents = Vec::new();
    let mut at = 0;
    while let Some(open) = text[at..].find(['{', '[']).map(|found| at + found) {
        let rest = &text[open..];
        let mut stream = Deserializer::from_str(rest).into_iter::<IgnoredAny>();
        match stream.next() {
            Some(Ok(_)) => {
                let document = &rest[..stream.byte_offset()];
                at = open + document.len();
                documents.extend(serde_json::from_str(&replace_lone_surrogates(document)).ok());
            }
            Some(Err(error)) if error.is_eof() => break,
            // Everything before the error belongs to an invalid document; the character at the
            // error may start the next document, so continue there.
            Some(Err(error)) => at = open + error_offset(rest, &error).max(1),
            None => break,
        }
    }
    documents
}

/// Returns the byte offset in `text` at which `error` occurred.
fn error_offset(text: &str, error: &serde_json::Error) -> usize {
    let lines = text.split_inclusive('\n');
    let before: usize = lines
        .take(error.line().saturating_sub(1))
        .map(str::len)
        .sum();
    let mut at = (before + error.column().saturating_sub(1)).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize, PartialEq)]
    struct Answer {
        result: String,
    }

    fn read(text: &[u8]) -> Vec<String> {
        let found: Vec<Answer> = parse_documents(text);
        found.into_iter().map(|answer| answer.result).collect()
    }

    #[test]
    fn a_document_is_found_whatever_stands_around_it() {
        let document = r#"{"result":"a {b} [c]"}"#;
        for (before, after) in [
            ("", "\n"),
            ("Loaded cached credentials.\n", ""),
            ("Loaded cached credentials.", ""),
            (
                "(node:123) [DEP0040] DeprecationWarning: {\n",
                "\nUpdate 1.0.2 -> 1.0.3 [y/N]",
            ),
            ("\u{1b}[1m\u{1b}[32m", "\u{1b}[0m\n"),
            ("\u{1b}]0;claude\u{7}\u{1b}[?25l", "\u{1b}[?25h"),
            ("\u{feff}", "\r\n"),
            ("[]\n{}\n[1, 2]\n{\"result\": 1}\n", "\n{\"other\": true}"),
            ("{{", "}}"),
            ("{ \"result\": oops }\n", ""),
            ("[warn {", "]"),
        ] {
            let text = format!("{before}{document}{after}");
            assert_eq!(read(text.as_bytes()), ["a {b} [c]"], "{text}");
        }
        let pretty = b"noise\n{\n  \"result\": \"a\"\n}\n{\"result\":\"b\"}{\"result\":\"c\"}";
        assert_eq!(read(pretty), ["a", "b", "c"]);
    }

    #[test]
    fn half_a_character_costs_no_document() {
        assert_eq!(read(br#"{"result":"a \ud83d"}"#), ["a \u{fffd}"]);
        assert_eq!(read(b"{\"result\":\"a\xf6\"}"), ["a\u{fffd}"]);
    }

    #[test]
    fn a_document_that_is_cut_off_is_none() {
        for text in [
            "",
            "{",
            "{\"result\":\"a",
            "{\"result\":\"a\"",
            "[{\"result\":\"a\"}",
        ] {
            assert!(read(text.as_bytes()).is_empty(), "{text}");
        }
    }

    #[test]
    fn a_broken_document_of_a_megabyte_is_read_once() {
        let deep = format!("{}x", "{\"a\":".repeat(200_000));
        assert!(read(deep.as_bytes()).is_empty());
        let open = format!("{}{{\"result\":\"a\"}}", "{ ".repeat(200_000));
        assert_eq!(read(open.as_bytes()), ["a"]);
    }
}
