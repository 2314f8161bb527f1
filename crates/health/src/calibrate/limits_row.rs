//! What is proposed for a model, as rows of the files that have such.

use agon_calibration::{Analysis, Fall};
use agon_config::{ContextLimit, normalize_model};

use super::plan::Calibration;
use super::results::counted_tokens;

/// What is proposed for a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MeasuredLimit {
    /// The model; none where neither the request nor the tool names it.
    pub(super) model: Option<String>,
    pub(super) window: Option<u64>,
    pub(super) onset: u64,
    pub(super) severe: Option<u64>,
    pub(super) source: String,
    pub(super) as_of: String,
    pub(super) confidence: &'static str,
}

impl MeasuredLimit {
    /// What `analysis` proposes; none where no fall was seen.
    pub(super) fn propose(
        calibration: &Calibration,
        analysis: &Analysis,
        today: &str,
    ) -> Option<Self> {
        let counted = counted_tokens(analysis);
        let at = |at: usize| counted.get(at).copied();
        let onset = at(analysis.falls.onset?.before)?;
        let severe = |fall: Fall| {
            // Both in one step: it is severe where that was seen, and not before.
            let before = at(fall.before).filter(|it| *it > onset);
            before.or_else(|| at(fall.at))
        };
        let limits = &calibration.limits;
        Some(Self {
            model: model(calibration).map(|it| normalize_model(&it)),
            window: limits.is_window_known.then_some(limits.window),
            onset,
            severe: analysis.falls.severe.and_then(severe),
            source: format!("measured with agon context calibrate on {today}"),
            as_of: today.to_owned(),
            confidence: match calibration.cells_left().is_empty() {
                true => "measured",
                false => "measured in part",
            },
        })
    }

    /// As the configuration has it.
    pub(super) fn to_setting(&self) -> ContextLimit {
        ContextLimit {
            model: self.model.clone().unwrap_or("MODEL".to_owned()),
            window: self.window,
            onset: Some(self.onset),
            severe: self.severe,
            source: Some(self.source.clone()),
            as_of: Some(self.as_of.clone()),
            confidence: Some(self.confidence.to_owned()),
        }
    }

    /// The line of a configuration file.
    pub(super) fn setting_line(&self) -> String {
        let row = toml::Value::try_from(self.to_setting());
        let row = row.map(|row| row.to_string()).unwrap_or_default();
        format!("limits = [{row}]")
    }

    /// The row of `content/context/limits.toml`.
    pub(super) fn file_row(&self) -> String {
        let fields = toml::to_string(&self.to_setting()).unwrap_or_default();
        format!("[[limit]]\n{fields}")
    }
}

/// The model that was measured: as the tool called it in every answer, since sessions have that name,
/// else as it was named.
fn model(calibration: &Calibration) -> Option<String> {
    let mut names = calibration
        .records
        .values()
        .filter_map(|it| it.model.as_ref());
    let first = names.next();
    let agreed = first.filter(|first| names.all(|it| it == *first));
    let named = || calibration.request.model_name().map(str::to_owned);
    agreed.cloned().or_else(named)
}
