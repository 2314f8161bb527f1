//! What is known of models by their names: the table in `content/context/limits.toml`.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::normalize_model;

const TEXT: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../content/context/limits.toml"
));

// A file of ours that does not parse fails `every_row_is_in_order`.
static TABLE: LazyLock<ModelTable> = LazyLock::new(|| toml::from_str(TEXT).unwrap_or_default());

/// How much context models can handle, by the beginnings of their names.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelTable {
    limit: Vec<ModelRow>,
    family: Vec<ModelFamily>,
    unknown: UnknownModel,
}

/// What is known of a model.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelRow {
    /// The beginnings of the names of the models it holds for.
    pub models: Vec<String>,
    /// Tokens of the window.
    pub window: u64,
    /// Tokens from which the model gets worse, where a figure for it circulates.
    pub onset: Option<u64>,
    /// Tokens from which it gets much worse.
    pub severe: Option<u64>,
    /// Where the figures are from.
    pub source: String,
    /// As of which day.
    pub as_of: String,
    /// How far to trust them.
    pub confidence: String,
}

/// Models whose names differ only in their versions.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelFamily {
    /// What their names begin with once the numbers are left out.
    pub name: String,
    /// The model whose figures are taken.
    pub like: String,
    /// Tokens of the window of its newest models.
    pub window: u64,
}

/// What is assumed of a model without a family.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnknownModel {
    /// Tokens of the window.
    pub window: u64,
    /// The most tokens from which it gets worse.
    pub onset: u64,
    /// The share of the window from which it gets worse.
    pub onset_share: f64,
    /// The share of the window from which it gets much worse.
    pub severe_share: f64,
    /// Where the figures are from.
    pub source: String,
    /// As of which day.
    pub as_of: String,
    /// How far to trust them.
    pub confidence: String,
}

impl ModelRow {
    /// From how many tokens on the model gets worse and much worse, where the row says so.
    pub fn figures(&self) -> Option<(u64, u64)> {
        self.onset.zip(self.severe)
    }
}

impl ModelTable {
    /// The table that this program comes with.
    pub fn builtin() -> &'static Self {
        &TABLE
    }

    /// The row for a model, and which of its names fits; the longest name wins.
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

    /// The family of a model, and the row whose figures it takes.
    pub fn family(&self, model: &str) -> Option<(&ModelFamily, &ModelRow)> {
        let name = without_numbers(&plain_name(model));
        let fitting = self.family.iter().filter(|it| {
            let rest = name.strip_prefix(it.name.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        });
        let family = fitting.max_by_key(|it| it.name.len())?;
        Some((family, self.row(&family.like)?.0))
    }

    /// What is assumed of a model without a family.
    pub fn unknown(&self) -> &UnknownModel {
        &self.unknown
    }
}

/// What a host puts behind the name of a model with a window of a million tokens.
const MILLION_MARK: &str = "[1m]";

/// The window that a model's name itself gives, as in `claude-sonnet-4-6[1m]`.
pub fn window_in_name(model: &str) -> Option<u64> {
    normalize_model(model)
        .ends_with(MILLION_MARK)
        .then_some(1_000_000)
}

/// The name without its provider and without a mark for its window.
fn plain_name(model: &str) -> String {
    let name = normalize_model(model);
    // `us.anthropic.claude-opus-4-8-v1:0` of a cloud.
    let start = name.find("claude-").unwrap_or(0);
    name[start..].trim_end_matches(MILLION_MARK).to_owned()
}

/// Whether `name` is the model of the row or a variant of it, and not of another version.
fn is_variant(name: &str, row: &str) -> bool {
    let Some(rest) = name.strip_prefix(row) else {
        return false;
    };
    let Some(next) = rest.strip_prefix('-') else {
        return rest.is_empty();
    };
    let first = next.split('-').next().unwrap_or_default();
    // A date has more digits.
    let is_version = (1..=2).contains(&first.len()) && first.bytes().all(|it| it.is_ascii_digit());
    !is_version
}

/// `gemini-3-1-pro-preview` as `gemini-pro-preview`.
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
