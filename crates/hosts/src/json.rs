//! JSON as each host reads it.

use jsonc_parser::ParseOptions;
use serde_json::Value;

/// What a host reads besides plain JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Nothing.
    Plain,
    /// Comments.
    Comments,
    /// Comments, and a comma after the last entry.
    CommentsAndCommas,
}

impl Dialect {
    /// How the parser is set.
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

    /// The value in `text`; none where there is nothing but white space and comments.
    ///
    /// # Errors
    ///
    /// In words, with the place, if the host could not read it.
    pub(crate) fn parse(self, text: &str) -> Result<Option<Value>, String> {
        let parsed = jsonc_parser::parse_to_serde_value::<Option<Value>>(text, &self.options());
        parsed.map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
