//! Repairs JSON that strict parsers reject although its meaning is clear.

use agon_files::json_text::replace_lone_surrogates;

/// Replaces lone surrogates with U+FFFD, and Unicode spaces between the parts of an object with
/// plain ones; `None` if nothing changes.
///
/// Strings keep their spaces. Takes O(length) time.
pub(super) fn repair_spaces_and_surrogates(text: &str) -> Option<String> {
    let halves = replace_lone_surrogates(text);
    let mut in_string = false;
    let mut escaped = false;
    let plain: String = halves
        .chars()
        .map(|c| {
            let is_blank =
                !c.is_ascii() && (c.is_whitespace() || matches!(c, '\u{feff}' | '\u{200b}'));
            match c {
                _ if escaped => escaped = false,
                '\\' if in_string => escaped = true,
                '"' => in_string = !in_string,
                // A JSON string has no raw line end, so a lone quotation mark in prose opens none
                // beyond here.
                '\n' => in_string = false,
                _ if is_blank && !in_string => return ' ',
                _ => {}
            }
            c
        })
        .collect();
    (plain != text).then_some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_between_the_parts_become_plain_and_those_of_strings_stay() {
        for (text, expected) in [
            (
                "{\u{a0}\"a\u{a0}b\":\u{3000}1\u{feff}}",
                Some("{ \"a\u{a0}b\": 1 }"),
            ),
            ("a \" mark\n{\u{2003}}", Some("a \" mark\n{ }")),
            (r#"{"a": "\ud83d"}"#, Some("{\"a\": \"\u{fffd}\"}")),
            (r#"{"a": "\"\\"}"#, None),
            ("{\"a\": \"\u{a0}\"}", None),
        ] {
            assert_eq!(
                repair_spaces_and_surrogates(text).as_deref(),
                expected,
                "{text}"
            );
        }
    }
}
