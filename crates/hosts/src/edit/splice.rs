//! Records what an edit changed, so that it can be undone byte for byte.

use serde::{Deserialize, Serialize};

/// A replaced part of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Splice {
    /// Byte offset at which it begins.
    at: usize,
    /// The removed text.
    removed: String,
    /// The inserted text.
    pub inserted: String,
}

impl Splice {
    /// Returns the shortest splice that turns `before` into `after`.
    pub fn between(before: &str, after: &str) -> Self {
        let same = |(a, b): &(char, char)| a == b;
        let at: usize = before
            .chars()
            .zip(after.chars())
            .take_while(same)
            .map(|(c, _)| c.len_utf8())
            .sum();
        let (old, new) = (
            before.get(at..).unwrap_or_default(),
            after.get(at..).unwrap_or_default(),
        );
        let tail: usize = old
            .chars()
            .rev()
            .zip(new.chars().rev())
            .take_while(same)
            .map(|(c, _)| c.len_utf8())
            .sum();
        let middle = |text: &str| text.get(..text.len() - tail).unwrap_or_default().to_owned();
        Self {
            at,
            removed: middle(old),
            inserted: middle(new),
        }
    }

    /// Returns the text added in `after`, for display. It begins at the start of a line if
    /// possible: if the preceding text equals the end of the added part, the part is shifted there.
    pub(crate) fn describe(before: &str, after: &str) -> String {
        let splice = Self::between(before, after);
        let (mut at, mut end) = (splice.at, splice.at + splice.inserted.len());
        let line = after.get(..at).unwrap_or_default();
        let line = line.rfind('\n').map_or(0, |end| end + 1);
        let begun = after.get(line..at).unwrap_or_default();
        if splice.removed.is_empty() && splice.inserted.ends_with(begun) {
            (at, end) = (line, end - begun.len());
        }
        let shown = after.get(at..end).unwrap_or_default();
        // Skips the comma that was added after the previous last entry.
        let shown = match shown.split_once('\n') {
            Some((first, rest)) if first.trim_end() == "," => rest,
            Some(_) | None => shown,
        };
        shown.to_owned()
    }

    /// Returns `text` with the splice undone: at its original place, else at the only other occurrence.
    pub(super) fn undo(&self, text: &str) -> Option<String> {
        let end = self.at.checked_add(self.inserted.len())?;
        let at = match text.get(self.at..end) {
            Some(found) if found == self.inserted => self.at,
            Some(_) | None => only_occurrence(text, &self.inserted)?,
        };
        let before = text.get(..at)?;
        let after = text.get(at + self.inserted.len()..)?;
        Some(format!("{before}{}{after}", self.removed))
    }
}

/// Returns the offset of `part` in `text` if it occurs exactly once.
fn only_occurrence(text: &str, part: &str) -> Option<usize> {
    let mut places = text.match_indices(part).map(|(at, _)| at);
    let first = places.next().filter(|_| !part.is_empty())?;
    places.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_shown_from_the_beginning_of_a_line() {
        for (before, after, shown) in [
            ("[\n  a,\n  abc\n]", "[\n  a,\n  ab,\n  abc\n]", "  ab,\n"),
            ("{\n  1\n}\n", "{\n  1,\n  \"x\": {}\n}\n", "  \"x\": {}"),
            (
                "{\n  \"Post\": 1\n}",
                "{\n  \"Pre\": 2,\n  \"Post\": 1\n}",
                "  \"Pre\": 2,\n",
            ),
            ("a = 1\n", "a = 1\n\n[b]\nc = 2\n", "\n[b]\nc = 2\n"),
            ("", "{\n}\n", "{\n}\n"),
            ("{\"a\": 1}", "{\"a\": 1, \"b\": 2}", ", \"b\": 2"),
        ] {
            assert_eq!(Splice::describe(before, after), shown);
        }
    }

    #[test]
    fn a_splice_is_taken_back_also_where_the_text_around_it_has_changed() {
        let (before, after) = ("é{}\n", "é{\"a\": 1}\n");
        let splice = Splice::between(before, after);
        assert_eq!(splice.inserted, "\"a\": 1");
        assert_eq!(splice.undo(after).as_deref(), Some(before));
        assert_eq!(splice.undo("x é{\"a\": 1}").as_deref(), Some("x é{}"));
        assert_eq!(splice.undo("\"a\": 1, \"a\": 1"), None);
        assert_eq!(splice.undo("nothing"), None);
    }
}
