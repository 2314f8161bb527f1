//! How many tokens a model can handle before it gets worse.

use agon_config::{ContextLimit, ModelRow, ModelTable, normalize_model, window_in_name};

use super::document::LimitsDoc;

/// The rows by model, beginning with the rows of the configuration.
#[derive(Clone, Debug)]
pub(super) struct Limits {
    own: Vec<ContextLimit>,
}

impl Limits {
    pub(super) fn new(own: &[ContextLimit]) -> Self {
        Self { own: own.to_vec() }
    }

    /// Returns the limits of `model`.
    ///
    /// `window` is the window stated in the record. `seen` is the largest fill so far, so a smaller
    /// window cannot be the right one.
    pub(super) fn find(
        &self,
        model: Option<&str>,
        recorded_window: Option<u64>,
        seen: u64,
    ) -> LimitsDoc {
        let model = model.unwrap_or_default();
        let told = recorded_window.or_else(|| window_in_name(model));
        let told = told.filter(|it| *it > 0 && *it >= seen);
        let table = ModelTable::builtin();
        let base = match (table.row(model), table.family(model)) {
            (Some((row, name)), family) => {
                limits_of_row(row, name, family.map(|it| it.1), told, seen)
            }
            (None, Some((family, like))) => {
                let window = told.unwrap_or_else(|| assumed_window(seen, family.window));
                let source = "a version without a row";
                let doc = LimitsDoc {
                    model: family.name.clone(),
                    window,
                    is_window_known: told.is_some(),
                    as_of: like.as_of.clone(),
                    ..guess(window)
                };
                scale_row(doc, like, source)
            }
            (None, None) => {
                let window = told.unwrap_or_else(|| assumed_window(seen, table.unknown().window));
                LimitsDoc {
                    is_window_known: told.is_some(),
                    ..guess(window)
                }
            }
        };
        match self.configured_limit(&normalize_model(model)) {
            Some(own) => apply_configured_limit(base, own),
            None => base,
        }
    }

    fn configured_limit(&self, name: &str) -> Option<&ContextLimit> {
        let fitting = self
            .own
            .iter()
            .filter(|it| name.starts_with(&normalize_model(&it.model)));
        // If several rows match equally well, the last one wins.
        fitting.max_by_key(|it| normalize_model(&it.model).len())
    }
}

/// Window sizes of model variants, in tokens.
const WINDOWS: [u64; 2] = [200_000, 1_000_000];

/// Returns the assumed window: `usual`, or the smallest variant that holds `seen` tokens.
fn assumed_window(seen: u64, usual: u64) -> u64 {
    match seen <= usual {
        true => usual,
        false => WINDOWS.into_iter().find(|it| *it >= seen).unwrap_or(seen),
    }
}

/// Returns the limits of a row, guessed if it has no figures or has them for another window.
fn limits_of_row(
    row: &ModelRow,
    name: &str,
    family: Option<&ModelRow>,
    told: Option<u64>,
    seen: u64,
) -> LimitsDoc {
    let window = told.unwrap_or_else(|| assumed_window(seen, row.window));
    let doc = LimitsDoc {
        model: name.to_owned(),
        window,
        is_window_known: told.is_some() || row.window >= seen,
        source: row.source.clone(),
        as_of: row.as_of.clone(),
        ..guess(window)
    };
    match (row.figures(), family) {
        (Some((onset, severe)), _) if window <= row.window && severe < window => LimitsDoc {
            onset,
            severe,
            is_guess: row.confidence == "guess",
            confidence: row.confidence.clone(),
            ..doc
        },
        (Some(_), _) => scale_row(doc, row, &row.source),
        (None, Some(like)) => scale_row(doc, like, &row.source),
        (None, None) => doc,
    }
}

/// Returns `doc` with the figures of another row, scaled if its window is different.
fn scale_row(doc: LimitsDoc, like: &ModelRow, source: &str) -> LimitsDoc {
    let Some((onset, severe)) = like.figures() else {
        return doc;
    };
    let window = doc.window;
    let scale = |tokens: u64| match window > like.window || severe >= window {
        true => scale_tokens(window, tokens, like.window),
        false => tokens,
    };
    let name = like.models.first().map_or("*", String::as_str);
    let source = format!("{source}; onset and severe not measured, scaled from {name}");
    LimitsDoc {
        onset: scale(onset),
        severe: scale(severe),
        source,
        ..doc
    }
}

/// Scales `tokens` from `whole` to `window`.
fn scale_tokens(window: u64, tokens: u64, whole: u64) -> u64 {
    let share = u128::from(window) * u128::from(tokens) / u128::from(whole.max(1));
    u64::try_from(share).unwrap_or(u64::MAX)
}

/// Returns guessed limits for a window.
fn guess(window: u64) -> LimitsDoc {
    let unknown = ModelTable::builtin().unknown();
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
        is_window_known: false,
        onset: unknown.onset.min(share(unknown.onset_share)),
        severe: share(unknown.severe_share),
        is_guess: true,
        source: unknown.source.clone(),
        as_of: unknown.as_of.clone(),
        confidence: unknown.confidence.clone(),
    }
}

fn apply_configured_limit(base: LimitsDoc, own: &ContextLimit) -> LimitsDoc {
    let window = own.window.unwrap_or(base.window);
    let onset = own.onset.unwrap_or(base.onset);
    // If only the onset is configured and it exceeds the assumed severe limit, the window is the
    // limit.
    let severe = Some(base.severe)
        .filter(|it| *it > onset)
        .unwrap_or(window.max(onset));
    LimitsDoc {
        model: own.model.clone(),
        window,
        is_window_known: own.window.is_some() || base.is_window_known,
        onset,
        severe: own.severe.unwrap_or(severe),
        is_guess: own.severe.is_none() && base.is_guess,
        source: own.source.clone().unwrap_or("the configuration".to_owned()),
        as_of: own.as_of.clone().unwrap_or_default(),
        confidence: own.confidence.clone().unwrap_or("set".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::ContextState;

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
        // That of a row, of which there is a variant with a larger one: its figures by share.
        let opus = "claude-opus-4-5";
        assert_eq!(bounds(opus, None, 250_000), (1_000_000, 900_000, false));
        assert_eq!(bounds(opus, None, 150_000), (200_000, 180_000, true));
    }

    #[test]
    fn a_window_of_a_million_is_known_by_the_row_the_record_or_the_name() {
        let limits = Limits::new(&[]);
        let bounds = |model, window| {
            let found = limits.find(Some(model), window, 0);
            (found.model, found.window, found.onset, found.is_guess)
        };
        for (model, recorded, row, onset) in [
            ("claude-opus-4-8", None, "claude-opus-4-8", 500_000),
            ("claude-sonnet-5", None, "claude-sonnet-5", 400_000),
            ("claude-fable-5-1", None, "claude-fable-5-1", 500_000),
            ("claude-sonnet-4-6[1m]", None, "claude-sonnet-4-6", 400_000),
            (
                "claude-sonnet-4-5",
                Some(1_000_000),
                "claude-sonnet-4-5",
                400_000,
            ),
            ("claude-opus-9", None, "claude-opus", 500_000),
        ] {
            let expected = (row.to_owned(), 1_000_000, onset, true);
            assert_eq!(bounds(model, recorded), expected, "{model}");
        }
        // The record's own window comes before the row's, and then the figures are not stretched.
        let (_, window, onset, _) = bounds("gpt-6-sol", Some(258_400));
        assert_eq!((window, onset), (258_400, 64_000));
        assert_eq!(bounds("gpt-6-sol", None).2, 168_000);
        // A window too small for the figures of a row: they are taken by share.
        let small = limits.find(Some("claude-opus-4-5"), Some(168_000), 0);
        assert_eq!((small.severe, small.is_guess), (151_200, true));
    }

    #[test]
    fn a_guess_is_amber_at_most() {
        let limits = Limits::new(&[]);
        let state = |model, fill| limits.find(Some(model), None, fill).judge(fill);
        for model in ["new", "claude-opus-4-8", "claude-opus-9", "gemini-3.1-pro"] {
            assert_eq!(state(model, 999_000), ContextState::Amber, "{model}");
        }
        assert_eq!(state("claude-opus-4-5", 185_000), ContextState::Red);
        let own = |severe| ContextLimit {
            model: "new".to_owned(),
            onset: Some(10),
            severe,
            ..ContextLimit::default()
        };
        let judge = |severe| {
            let limits = Limits::new(&[own(severe)]);
            limits.find(Some("new"), None, 0).judge(190_000)
        };
        // What the user set is no guess; what they left out still is.
        assert_eq!(judge(Some(20)), ContextState::Red);
        assert_eq!(judge(None), ContextState::Amber);
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
