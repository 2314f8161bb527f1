//! Context limits of models by name: the table in `content/context/limits.toml`.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::normalize_model;

const TEXT: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../content/context/limits.toml"
));

// The default is never used: the test `every_row_is_in_order` fails if the file does not parse.
static TABLE: LazyLock<ModelTable> = LazyLock::new(|| toml::from_str(TEXT).unwrap_or_default());

/// Table of context limits; each row matches the beginnings of models' names.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelTable {
    limit: Vec<ModelRow>,
    family: Vec<ModelFamily>,
    unknown: UnknownModel,
}

/// Context limits of a model.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelRow {
    /// Beginnings of the names of the models it applies to.
    pub models: Vec<String>,
    /// Context window, in tokens.
    pub window: u64,
    /// Number of tokens from which the model gets worse, if a figure is known.
    pub onset: Option<u64>,
    /// Number of tokens from which it gets much worse.
    pub severe: Option<u64>,
    /// Source of the figures.
    pub source: String,
    /// Date of the figures.
    pub as_of: String,
    /// How reliable they are.
    pub confidence: String,
}

/// Models whose names differ only in their versions.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelFamily {
    /// Beginning of their names without numbers.
    pub name: String,
    /// The model whose figures are used.
    pub like: String,
    /// Context window of its newest models, in tokens.
    pub window: u64,
}

/// Assumed limits of a model without a family.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnknownModel {
    /// Context window, in tokens.
    pub window: u64,
    /// Upper limit for the onset, in tokens.
    pub onset: u64,
    /// Share of the window from which it gets worse.
    pub onset_share: f64,
    /// Share of the window from which it gets much worse.
    pub severe_share: f64,
    /// Source of the figures.
    pub source: String,
    /// Date of the figures.
    pub as_of: String,
    /// How reliable they are.
    pub confidence: String,
}

impl ModelRow {
    /// Returns onset and severe, if the row has both.
    pub fn figures(&self) -> Option<(u64, u64)> {
        self.onset.zip(self.severe)
    }
}

impl ModelTable {
    /// Returns the built-in table.
    pub fn builtin() -> &'static Self {
        &TABLE
    }

    /// Returns the row for a model and the matching name; the longest name wins.
    pub fn row(&self, model: &str) -> Option<(&ModelRow, &str)> {
        let name = plain_name(model);
        let named = self.limit.iter().flat_map(|row| {
            let names = row.models.iter();
            names.map(move |name| (row, name.as_str()))
        });
        named
            .filter(|(_, row)| is_variant(&name, row))
            .max_by_key(|(_, row)| row.len())
    }

    /// Returns the family of a model and the row whose figures it uses.
    pub fn family(&self, model: &str) -> Option<(&ModelFamily, &ModelRow)> {
        let name = without_numbers(&plain_name(model));
        let fitting = self.family.iter().filter(|it| {
            let rest = name.strip_prefix(it.name.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        });
        let family = fitting.max_by_key(|it| it.name.len())?;
        Some((family, self.row(&family.like)?.0))
    }

    /// Returns the assumed limits of a model without a family.
    pub fn unknown(&self) -> &UnknownModel {
        &self.unknown
    }
}

/// Suffix with which a host marks a model with a window of a million tokens.
const MILLION_MARK: &str = "[1m]";

/// Returns the window that a model's name states, as in `claude-sonnet-4-6[1m]`.
pub fn window_in_name(model: &str) -> Option<u64> {
    normalize_model(model)
        .ends_with(MILLION_MARK)
        .then_some(1_000_000)
}

/// Returns the name without its provider and window mark.
fn plain_name(model: &str) -> String {
    let name = normalize_model(model);
    // Clouds add a prefix, as in `us.anthropic.claude-opus-4-8-v1:0`, so start at `claude-`.
    let start = name.find("claude-").unwrap_or(0);
    name[start..].trim_end_matches(MILLION_MARK).to_owned()
}

/// Returns whether `name` is the row's model or a variant of it, not another version.
fn is_variant(name: &str, row: &str) -> bool {
    let Some(rest) = name.strip_prefix(row) else {
        return false;
    };
    let Some(next) = rest.strip_prefix('-') else {
        return rest.is_empty();
    };
    let first = next.split('-').next().unwrap_or_default();
    // Version numbers have one or two digits. More digits are a date, so the model is the same.
    let is_version = (1..=2).contains(&first.len()) && first.bytes().all(|it| it.is_ascii_digit());
    !is_version
}

/// Returns a name without numbers: `gemini-3-1-pro-preview` becomes `gemini-pro-preview`.
fn without_numbers(name: &str) -> String {
    let parts = name.split('-');
    let words = parts.filter(|part| !part.bytes().all(|it| it.is_ascii_digit()));
    words.collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_row_is_in_order() {
        let table: ModelTable = toml::from_str(TEXT).unwrap();
        let mut names = BTreeSet::new();
        for row in &table.limit {
            if let Some((onset, severe)) = row.figures() {
                assert!(onset < severe && severe < row.window, "{row:?}");
            } else {
                // Nobody has measured it, and the row does not say that somebody did.
                assert_eq!(row.confidence, "guess", "{row:?}");
            }
            assert!(row.source.len() > 10, "{row:?}");
            assert!(row.as_of.parse::<jiff::civil::Date>().is_ok(), "{row:?}");
            for name in &row.models {
                assert_eq!(*name, plain_name(name));
                assert!(names.insert(name), "{name} has two rows");
            }
        }
        for family in &table.family {
            let like = table.row(&family.like).map(|it| it.0);
            assert!(like.is_some_and(|it| it.figures().is_some()), "{family:?}");
        }
    }

    #[test]
    fn a_row_fits_variants_and_dates_and_no_other_version() {
        let row = |model| ModelTable::builtin().row(model).map(|it| it.1);
        for (model, expected) in [
            ("claude-opus-4-5-20251101", Some("claude-opus-4-5")),
            ("anthropic/claude-opus-4.5", Some("claude-opus-4-5")),
            ("us.anthropic.claude-opus-4-8-v1:0", Some("claude-opus-4-8")),
            ("claude-opus-4-20250514", Some("claude-opus-4")),
            ("claude-opus-4-9", None),
            ("claude-sonnet-4-6[1m]", Some("claude-sonnet-4-6")),
            ("gpt-5.2-codex", Some("gpt-5-2")),
            ("gpt-5.4-mini-fast", Some("gpt-5-4-mini")),
            ("gpt-5.9", None),
            ("gemini-3.1-pro-preview-customtools", Some("gemini-3-1-pro")),
            ("claude", None),
            ("", None),
        ] {
            assert_eq!(row(model), expected, "{model}");
        }
    }

    #[test]
    fn a_version_without_a_row_belongs_to_the_nearest_family() {
        let family = |model| {
            let found = ModelTable::builtin().family(model);
            found.map(|it| it.0.name.as_str())
        };
        for (model, expected) in [
            ("claude-opus-9-1", Some("claude-opus")),
            ("claude-3-5-haiku-20241022", Some("claude-haiku")),
            ("claude-9", Some("claude")),
            ("gemini-4.2-pro-preview", Some("gemini-pro")),
            ("gemini-9-nano", Some("gemini")),
            ("gpt-7-nova", Some("gpt")),
            ("geminix", None),
            ("somebody-elses", None),
        ] {
            assert_eq!(family(model), expected, "{model}");
        }
    }

    #[test]
    fn the_models_that_hosts_offer_have_rows() {
        // From `codex debug models`, the model lists of Claude Code, Gemini CLI and OpenCode.
        for model in [
            "claude-opus-4-8",
            "claude-sonnet-5",
            "claude-fable-5-1",
            "claude-sonnet-4-6",
            "claude-haiku-4-5-20251001",
            "gpt-6-astra",
            "gpt-6.1-sol",
            "gpt-6.1-terra",
            "gpt-6-sol",
            "gpt-6-luna",
            "gpt-5.6-terra",
            "gpt-5.5",
            "gemini-3.1-pro-preview",
            "gemini-3.8-flash",
            "gemini-3.5-flash-lite",
            "gemini-2.5-pro",
            "grok-4.7",
            "kimi-k3",
            "big-pickle",
        ] {
            assert!(ModelTable::builtin().row(model).is_some(), "{model}");
        }
    }
}
