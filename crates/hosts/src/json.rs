//! JSON dialects of the hosts.

use std::borrow::Cow;

use agon_files::json_text::{lone_surrogate_offsets, replace_lone_surrogates};
use jsonc_parser::ParseOptions;
use serde_json::Value;

/// A host's JSON dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Plain JSON.
    Plain,
    /// JSON with comments.
    Comments,
    /// JSON with comments and trailing commas.
    CommentsAndCommas,
}

impl Dialect {
    /// Returns the parser options.
    pub(crate) fn options(self) -> ParseOptions {
        ParseOptions {
            allow_comments: self != Self::Plain,
            allow_trailing_commas: self == Self::CommentsAndCommas,
            allow_loose_object_property_names: false,
            allow_missing_commas: false,
            allow_single_quoted_strings: false,
            allow_hexadecimal_numbers: false,
            allow_unary_plus_numbers: false,
            allow_bare_decimal_point_numbers: false,
            allow_non_finite_numbers: false,
            allow_extended_string_escapes: false,
        }
    }

    /// Parses `text`; returns `None` if it has only white space and comments. Unpaired surrogates, which
    /// every host accepts, become U+FFFD.
    ///
    /// # Errors
    ///
    /// The message with the position, if the host could not read it.
    pub(crate) fn parse(self, text: &str) -> Result<Option<Value>, String> {
        let text = replace_lone_surrogates(text);
        let parsed = jsonc_parser::parse_to_serde_value::<Option<Value>>(&text, &self.options());
        parsed.map_err(|error| error.to_string())
    }
}

/// A text whose unpaired surrogates were replaced by a placeholder and can be restored.
///
/// The syntax tree of an edit cannot contain them, and an edit must not change any other byte.
#[derive(Debug)]
pub(crate) struct WholeText<'a> {
    pub(crate) text: Cow<'a, str>,
    /// Placeholder for the `\u` of an unpaired surrogate.
    mark: Option<char>,
}

impl<'a> WholeText<'a> {
    pub(crate) fn of(text: &'a str) -> Self {
        let mut halves = lone_surrogate_offsets(text).peekable();
        // The placeholder is a private-use code point that does not occur in the text.
        let mark = halves.peek().and_then(|_| {
            let mut free = ('\u{e000}'..='\u{f8ff}').chain('\u{f0000}'..='\u{ffffd}');
            free.find(|mark| !text.contains(*mark))
        });
        let Some(mark) = mark else {
            return Self {
                text: Cow::Borrowed(text),
                mark: None,
            };
        };
        let mut whole = String::with_capacity(text.len() + 1);
        let mut copied = 0;
        for at in halves {
            whole.push_str(text.get(copied..at).unwrap_or_default());
            whole.push(mark);
            copied = at + "\\u".len();
        }
        whole.push_str(text.get(copied..).unwrap_or_default());
        Self {
            text: Cow::Owned(whole),
            mark: Some(mark),
        }
    }

    /// Restores the unpaired surrogates in `edited`, an edited version of this text.
    pub(crate) fn restore(&self, edited: String) -> String {
        match self.mark {
            Some(mark) => edited.replace(mark, "\\u"),
            None => edited,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_characters_are_put_back_to_the_byte() {
        for text in [
            r#"{"a": "x \ud83d", "\uDE00": 1, "b": "\ud83d\ude00 \\ud83d"}"#,
            "{\"\u{e000}\": \"\\ud83d\\uD83D\"}",
            "{}",
        ] {
            let whole = WholeText::of(text);
            let parsed = jsonc_parser::parse_to_serde_value::<Option<Value>>(
                &whole.text,
                &Dialect::Plain.options(),
            );
            assert!(parsed.is_ok(), "{text}");
            assert_eq!(whole.restore(whole.text.clone().into_owned()), text);
            assert!(Dialect::Plain.parse(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn each_dialect_reads_what_its_hosts_do() {
        let reads = |text: &str| {
            [
                Dialect::Plain,
                Dialect::Comments,
                Dialect::CommentsAndCommas,
            ]
            .map(|dialect| dialect.parse(text).is_ok())
        };
        assert_eq!(reads("{\"a\": [1]}"), [true; 3]);
        assert_eq!(reads("// a\n{\"a\": 1 /* b */}"), [false, true, true]);
        assert_eq!(reads("{\"a\": 1,}"), [false, false, true]);
        for text in [
            "{a: 1}",
            "{'a': 1}",
            "{\"a\": 1",
            "{\"a\" 1}",
            "{\"a\": 1 \"b\": 2}",
            "{} {}",
        ] {
            assert_eq!(reads(text), [false; 3], "{text}");
        }
        assert_eq!(Dialect::Comments.parse(" // a\n"), Ok(None));
    }
}
