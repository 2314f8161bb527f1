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

/// Words that models write instead of a severity's name.
const SYNONYMS: [(&str, DefectSeverity); 6] = [
    ("critical", DefectSeverity::Blocker),
    ("blocking", DefectSeverity::Blocker),
    ("high", DefectSeverity::Major),
    ("medium", DefectSeverity::Minor),
    ("moderate", DefectSeverity::Minor),
    ("low", DefectSeverity::Minor),
];

/// Splits a title into the severity that its mark names and the rest; `None` without a mark.
///
/// Models write the mark in several ways: `[major] …`, `Major: …`, `1. **[Major/security]** …`.
pub(super) fn split_title(title: Option<&str>) -> Option<(DefectSeverity, String)> {
    let title = title?.trim_start_matches(|c: char| is_decoration(c) || c.is_ascii_digit());
    let title = title
        .trim_start_matches(['.', ')'])
        .trim_start_matches(is_decoration);
    let word_end = title.find(|c: char| !c.is_ascii_alphabetic())?;
    let (word, rest) = title.split_at(word_end);
    let names = DefectSeverity::ALL.map(|one| (one.name(), one));
    let mut known = names.iter().chain(&SYNONYMS);
    let (_, severity) = known.find(|(name, _)| name.eq_ignore_ascii_case(word))?;
    let rest = rest.trim_start_matches('*');
    // A category may follow, as in `[major/security]`.
    let rest = match rest.strip_prefix(['/', ',']) {
        Some(more) => more.trim_start_matches(|c: char| c.is_alphabetic() || c == ' ' || c == '*'),
        None => rest,
    };
    // Without a sign after it, the word is part of the sentence, as in "Major rewrite is needed".
    let is_mark =
        rest.starts_with([']', ':', ')']) || rest.trim_start().starts_with(['-', '–', '—']);
    let is_sign = |c: char| is_decoration(c) || matches!(c, ']' | ')' | ':' | '-' | '–' | '—');
    let mut rest = rest.trim_start_matches(is_sign);
    // A second mark, as in `[blocker][security] …`.
    if let Some((mark, more)) = rest.split_once(']')
        && mark.len() <= 24
        && mark.chars().all(|c| c.is_alphabetic() || c == ' ')
    {
        rest = more.trim_start_matches(is_sign);
    }
    let rest = rest.trim();
    (is_mark && !rest.is_empty()).then(|| (*severity, rest.to_owned()))
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
                "1. **[Major/security]** wrong unit",
                DefectSeverity::Major,
                "wrong unit",
            ),
            (
                "[blocker][data loss] drops rows",
                DefectSeverity::Blocker,
                "drops rows",
            ),
            ("Critical – a shell", DefectSeverity::Blocker, "a shell"),
            ("Major - a shell", DefectSeverity::Major, "a shell"),
            ("[high] a shell", DefectSeverity::Major, "a shell"),
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
            "High load is expected",
        ] {
            assert_eq!(split_title(Some(title)), None, "{title}");
        }
        assert_eq!(split_title(None), None);
    }
}
