//! Finds ids of points in running text, such as `pro_001a` in a judge's reasons.

use std::ops::Range;

use crate::id::NodeId;

/// A point id in a text, whether or not the point exists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// The point.
    pub id: NodeId,
    /// The byte range of its name.
    pub range: Range<usize>,
}

/// Returns the point ids in `text`, in order.
///
/// An id is a word of its own. Inside a path, such as `arguments/pro_001a.md`, it is a file name.
/// Two ids joined by a slash are two ids.
///
/// ```
/// # use agon_record::mention::mentions;
/// let named = mentions("pro_001a fails (cha_002b), see arguments/pro_001a.md");
/// let named: Vec<_> = named.iter().map(|one| one.id.to_string()).collect();
/// assert_eq!(named, ["pro_001a", "cha_002b"]);
/// ```
pub fn mentions(text: &str) -> Vec<Mention> {
    let mut named = Vec::new();
    let mut from = 0;
    // Every id has an underscore, and few other words do, so most words are never parsed.
    while let Some(rest) = text.get(from..)
        && let Some((before, after)) = rest.split_once('_')
    {
        let start = from + before.trim_end_matches(is_of_word).len();
        let end = text.len() - after.trim_start_matches(is_of_word).len();
        let range = start..end;
        from = end;
        if let Some(word) = text.get(range.clone())
            && let Ok(id) = word.parse::<NodeId>()
            && !is_in_path(text, &range)
        {
            named.push(Mention { id, range });
        }
    }
    named
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns whether the text in `range` is part of a file or folder name.
fn is_in_path(text: &str, range: &Range<usize>) -> bool {
    let before = text.get(..range.start).unwrap_or_default();
    let mut after = text.get(range.end..).unwrap_or_default().chars();
    let goes_on = match after.next() {
        Some('/') => !is_point_id(after.as_str().split(|c| !is_of_word(c)).next()),
        // Before a symbol, a backslash is an escape, as in Markdown, and not part of a path.
        Some('\\') => after.next().is_some_and(char::is_alphanumeric),
        Some('.') => after.next().is_some_and(char::is_alphanumeric),
        _ => false,
    };
    let comes_from = match before.char_indices().next_back() {
        Some((at, '/' | '\\')) => {
            let folder = before.get(..at).unwrap_or_default();
            !is_point_id(folder.rsplit(|c| !is_of_word(c)).next())
        }
        Some((_, '.')) => true,
        _ => false,
    };
    goes_on || comes_from
}

fn is_point_id(word: Option<&str>) -> bool {
    word.is_some_and(|word| word.parse::<NodeId>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::mentions;
    use proptest::prelude::*;

    #[test]
    fn a_point_is_named_by_a_word_of_its_own() {
        for (text, named) in [
            ("As pro_001a says", vec!["pro_001a"]),
            ("(cha_002aa).", vec!["cha_002aa"]),
            ("pro_001a/cha_001b", vec!["pro_001a", "cha_001b"]),
            ("pro_001a's ground; prop_003", vec!["pro_001a", "prop_003"]),
            (
                "“opp_000c” at the end pro_002a.",
                vec!["opp_000c", "pro_002a"],
            ),
            ("arguments/pro_001a.md", vec![]),
            ("pro_001a.md and pro_001a/x", vec![]),
            ("a/pro_001a", vec![]),
            ("xpro_001a pro_001a_ pro_1a PRO_001A judge_001a", vec![]),
            ("", vec![]),
        ] {
            let found: Vec<_> = mentions(text)
                .iter()
                .map(|one| one.id.to_string())
                .collect();
            assert_eq!(found, named, "{text}");
        }
    }

    proptest! {
        #[test]
        fn each_word_that_is_an_id_is_found(text in "((pro|opp)_00[12]a?|_|[ /,é_a-z0]){0,20}") {
            let words = text.split(|c| !super::is_of_word(c));
            let ids = words.filter(|word| super::is_point_id(Some(word)));
            let found = mentions(&text);
            // The others are parts of paths.
            prop_assert!(text.contains('/') || found.len() == ids.count(), "{text}");
        }

        #[test]
        fn a_range_holds_the_name(text in "(pro_001a|cha_002b|[/. é_a-z]){0,20}") {
            for one in mentions(&text) {
                prop_assert_eq!(&text[one.range], one.id.to_string());
            }
        }
    }
}
