//! The mark in a point's title that makes it a reported defect.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How serious a defect is, according to the seat that reported it.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum DefectSeverity {
    /// It can be fixed later.
    Minor,
    /// It should be fixed before the change is merged.
    Major,
    /// It makes the change unusable or unsafe.
    Blocker,
}

impl DefectSeverity {
    /// Every severity, the least severe first.
    pub const ALL: [Self; 3] = [Self::Minor, Self::Major, Self::Blocker];

    /// Returns the name in titles, files and messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Minor => "minor",
            Self::Major => "major",
            Self::Blocker => "blocker",
        }
    }
}

/// Splits a title into the severity that its mark names and the rest; `None` without a mark.
///
/// Models write the mark in several ways: `[major] …`, `Major: …`, `**[Major]** …`.
pub(super) fn split_title(title: Option<&str>) -> Option<(DefectSeverity, String)> {
    let title = title?.trim_start_matches(is_decoration);
    let word_end = title.find(|c: char| !c.is_ascii_alphabetic())?;
    let (word, rest) = title.split_at(word_end);
    let severity = DefectSeverity::ALL
        .into_iter()
        .find(|one| one.name().eq_ignore_ascii_case(word))?;
    // Without a sign after it, the word is part of the sentence, as in "Major rewrite is needed".
    let is_mark = rest.trim_start_matches('*').starts_with([']', ':', ')']);
    let rest = rest.trim_start_matches(|c| is_decoration(c) || matches!(c, ']' | ')' | ':' | '-'));
    let rest = rest.trim();
    (is_mark && !rest.is_empty()).then(|| (severity, rest.to_owned()))
}

fn is_decoration(c: char) -> bool {
    c.is_whitespace() || matches!(c, '[' | '(' | '*' | '`')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_read_in_the_ways_that_models_write_it() {
        for (title, severity, rest) in [
            (
                "[major] The last page is lost",
                DefectSeverity::Major,
                "The last page is lost",
            ),
            (
                "[Blocker]: drops rows",
                DefectSeverity::Blocker,
                "drops rows",
            ),
            ("Minor: a typo", DefectSeverity::Minor, "a typo"),
            ("**[MINOR]** a typo", DefectSeverity::Minor, "a typo"),
            (
                "`(major)` - wrong unit",
                DefectSeverity::Major,
                "wrong unit",
            ),
        ] {
            let found = split_title(Some(title));
            assert_eq!(found, Some((severity, rest.to_owned())), "{title}");
        }
    }

    #[test]
    fn a_title_that_only_contains_the_word_has_no_mark() {
        for title in [
            "Major rewrite is needed",
            "[major]",
            "A [major] risk",
            "",
            "[high] x",
        ] {
            assert_eq!(split_title(Some(title)), None, "{title}");
        }
        assert_eq!(split_title(None), None);
    }
}
