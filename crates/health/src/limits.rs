//! What a model bears: from how many tokens on it gets worse.

use std::sync::LazyLock;

use agon_config::{ContextLimit, normalize_model};
use serde::Deserialize;

use super::document::LimitsDoc;

/// Rows by model, those of the configuration first.
#[derive(Clone, Debug)]
pub(super) struct Limits {
    own: Vec<ContextLimit>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Priors {
    limit: Vec<Prior>,
    unknown: Unknown,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Prior {
    model: String,
    window: u64,
    onset: u64,
    severe: u64,
    source: String,
    as_of: String,
    confidence: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Unknown {
    window: u64,
    onset: u64,
    onset_share: f64,
    severe_share: f64,
    source: String,
    as_of: String,
    confidence: String,
}

const TEXT: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../content/context/limits.toml"
));

// A file of ours that does not parse fails `every_row_is_in_order`; what is built has it.
static PRIORS: LazyLock<Option<Priors>> = LazyLock::new(|| toml::from_str(TEXT).ok());

impl Limits {
    pub(super) fn new(own: &[ContextLimit]) -> Self {
        Self { own: own.to_vec() }
    }

    /// What holds for `model`, whose window the record says or not, in a session whose context once
    /// held `seen` tokens: a window that is less than that is another one's.
    pub(super) fn find(
        &self,
        model: Option<&str>,
        recorded_window: Option<u64>,
        seen: u64,
    ) -> LimitsDoc {
        let recorded_window = recorded_window.filter(|it| *it > 0 && *it >= seen);
        let name = normalize_model(model.unwrap_or_default());
        let prior = PRIORS.as_ref().and_then(|priors| {
            let fitting = priors.limit.iter().filter(|it| name.starts_with(&it.model));
            fitting.max_by_key(|it| it.model.len())
        });
        let base = match prior {
            Some(prior) => LimitsDoc {
                model: prior.model.clone(),
                window: recorded_window.unwrap_or_else(|| window_for(seen, prior.window)),
                is_window_known: recorded_window.is_some() || prior.window >= seen,
                onset: prior.onset,
                severe: prior.severe,
                source: prior.source.clone(),
                as_of: prior.as_of.clone(),
                confidence: prior.confidence.clone(),
            },
            None => guess(recorded_window, seen),
        };
        match self.own_for(&name) {
            Some(own) => with_own(base, own),
            None => base,
        }
    }

    fn own_for(&self, name: &str) -> Option<&ContextLimit> {
        let fitting = self
            .own
            .iter()
            .filter(|it| name.starts_with(&normalize_model(&it.model)));
        // Of two for one model, the later.
        fitting.max_by_key(|it| normalize_model(&it.model).len())
    }
}

/// Windows that variants of one model have, in tokens.
const WINDOWS: [u64; 2] = [200_000, 1_000_000];

/// The window that is assumed: `usual`, or the least of those that variants have that holds what was
/// seen.
fn window_for(seen: u64, usual: u64) -> u64 {
    match seen <= usual {
        true => usual,
        false => WINDOWS.into_iter().find(|it| *it >= seen).unwrap_or(seen),
    }
}

fn guess(recorded_window: Option<u64>, seen: u64) -> LimitsDoc {
    let unknown = PRIORS.as_ref().map(|it| it.unknown.clone());
    let usual = unknown.as_ref().map_or(0, |it| it.window);
    let window = recorded_window.unwrap_or_else(|| window_for(seen, usual));
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "tokens of a window, far below where a float has gaps"
    )]
    let share = |share: f64| (window as f64 * share) as u64;
    LimitsDoc {
        model: "*".to_owned(),
        window,
        is_window_known: recorded_window.is_some(),
        onset: unknown
            .as_ref()
            .map_or(0, |it| it.onset.min(share(it.onset_share))),
        severe: unknown.as_ref().map_or(0, |it| share(it.severe_share)),
        source: unknown
            .as_ref()
            .map(|it| it.source.clone())
            .unwrap_or_default(),
        as_of: unknown
            .as_ref()
            .map(|it| it.as_of.clone())
            .unwrap_or_default(),
        confidence: unknown.map(|it| it.confidence).unwrap_or_default(),
    }
}

fn with_own(base: LimitsDoc, own: &ContextLimit) -> LimitsDoc {
    let window = own.window.unwrap_or(base.window);
    let onset = own.onset.unwrap_or(base.onset);
    // Where only the onset was measured, and it is past the severe that was thought of before, all
    // that is known is the window.
    let severe = Some(base.severe)
        .filter(|it| *it > onset)
        .unwrap_or(window.max(onset));
    LimitsDoc {
        model: own.model.clone(),
        window,
        is_window_known: own.window.is_some() || base.is_window_known,
        onset,
        severe: own.severe.unwrap_or(severe),
        source: own.source.clone().unwrap_or("the configuration".to_owned()),
        as_of: own.as_of.clone().unwrap_or_default(),
        confidence: own.confidence.clone().unwrap_or("set".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_in_order() {
        let priors: Priors = toml::from_str(TEXT).unwrap();
        for row in &priors.limit {
            assert!(row.onset < row.severe && row.severe < row.window, "{row:?}");
            assert_eq!(row.model, normalize_model(&row.model));
            assert!(!row.source.is_empty());
            assert!(row.as_of.parse::<jiff::civil::Date>().is_ok(), "{row:?}");
        }
    }

    #[test]
    fn a_row_fits_a_model_by_the_beginning_of_its_name() {
        let limits = Limits::new(&[]);
        let found = |model: &str| limits.find(Some(model), None, 0).model;
        assert_eq!(found("claude-opus-4-5-20251101"), "claude-opus-4-5");
        assert_eq!(found("anthropic/claude-opus-4.5"), "claude-opus-4-5");
        assert_eq!(found("claude-opus-4-8"), "*");
        assert_eq!(found("gpt-5.2-codex"), "gpt-5-2");
    }

    #[test]
    fn an_unknown_model_is_measured_by_its_window() {
        let limits = Limits::new(&[]);
        let bounds = |window| {
            let found = limits.find(Some("new"), window, 0);
            (found.onset, found.severe, found.is_window_known)
        };
        assert_eq!(bounds(Some(100_000)), (30_000, 60_000, true));
        assert_eq!(bounds(Some(1_000_000)), (64_000, 600_000, true));
        assert_eq!(bounds(None), (60_000, 120_000, false));
    }

    #[test]
    fn a_window_that_cannot_be_is_not_measured_by() {
        let limits = Limits::new(&[]);
        let bounds = |model, window, seen| {
            let found = limits.find(Some(model), window, seen);
            (found.window, found.severe, found.is_window_known)
        };
        // None at all, as one that does not know it writes.
        assert_eq!(bounds("new", Some(0), 10), (200_000, 120_000, false));
        // Less than what the context held.
        assert_eq!(
            bounds("new", Some(100_000), 150_000),
            (200_000, 120_000, false)
        );
        assert_eq!(bounds("new", None, 250_000), (1_000_000, 600_000, false));
        assert_eq!(bounds("new", None, u64::MAX).0, u64::MAX);
        // That of a row, of which there is a variant with a larger one.
        let opus = "claude-opus-4-5";
        assert_eq!(bounds(opus, None, 250_000), (1_000_000, 180_000, false));
        assert_eq!(bounds(opus, None, 150_000), (200_000, 180_000, true));
    }

    #[test]
    fn the_configuration_comes_first() {
        let own = ContextLimit {
            model: "claude-opus".to_owned(),
            onset: Some(7),
            ..ContextLimit::default()
        };
        let found = Limits::new(&[own]).find(Some("claude-opus-4.5"), None, 0);
        assert_eq!(
            (found.onset, found.severe, found.source.as_str()),
            (7, 180_000, "the configuration")
        );
    }

    #[test]
    fn what_was_measured_says_so_and_an_onset_is_never_past_severe() {
        let own = ContextLimit {
            model: "claude-opus-4-5".to_owned(),
            onset: Some(190_000),
            source: Some("measured".to_owned()),
            as_of: Some("2026-11-26".to_owned()),
            confidence: Some("measured".to_owned()),
            ..ContextLimit::default()
        };
        let found = Limits::new(&[own]).find(Some("claude-opus-4.5"), None, 0);
        assert_eq!((found.onset, found.severe), (190_000, 200_000));
        let words = (found.source, found.as_of, found.confidence);
        let wanted = ["measured", "2026-11-26", "measured"].map(str::to_owned);
        assert_eq!(words, wanted.into());
    }
}
