//! The settings of a session before its debate starts.

use agent_client_protocol::v1::schema::{
    SessionConfigOption, SessionConfigSelectOption, SessionMode, SessionModeState,
};
use agon_caller::bounds::Bounds;
use agon_caller::settings::{MAX_CALLS, Settings};

/// The mode of a debate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum DebateMode {
    Quick,
    #[default]
    Default,
    Deep,
    Formal,
}

impl DebateMode {
    const ALL: [Self; 4] = [Self::Quick, Self::Default, Self::Deep, Self::Formal];

    /// Returns the mode with this id.
    pub(crate) fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.id() == id)
    }

    /// Returns the id of the mode.
    fn id(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Default => "default",
            Self::Deep => "deep",
            Self::Formal => "formal",
        }
    }

    /// Returns the name and the description of the mode.
    fn describe(self) -> (&'static str, &'static str) {
        match self {
            Self::Quick => ("Quick", "One round and one ruling (3 calls)"),
            Self::Default => (
                "Default",
                "First answers, two rounds, and a ruling repeated with the sides swapped (8 calls)",
            ),
            Self::Deep => ("Deep", "Three rounds and three judges (12 calls)"),
            Self::Formal => (
                "Formal",
                "A motion with scores after every exchange: the opening and one rebuttal",
            ),
        }
    }
}

/// Returns all modes, with `current` selected.
pub(crate) fn mode_state(current: DebateMode) -> SessionModeState {
    let modes = DebateMode::ALL.map(|mode| {
        let (name, about) = mode.describe();
        SessionMode::new(mode.id(), name).description(about.to_owned())
    });
    SessionModeState::new(current.id(), modes.to_vec())
}

/// The limits of a session, as a multiple of the configured ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum BoundsChoice {
    #[default]
    Configured,
    Double,
    Quadruple,
}

/// The id of the option that chooses the limits.
pub(crate) const BOUNDS_OPTION: &str = "bounds";

impl BoundsChoice {
    const ALL: [Self; 3] = [Self::Configured, Self::Double, Self::Quadruple];

    /// Returns the choice with this id.
    pub(crate) fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|choice| choice.id() == id)
    }

    fn id(self) -> &'static str {
        match self {
            Self::Configured => "configured",
            Self::Double => "double",
            Self::Quadruple => "quadruple",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Configured => "As configured",
            Self::Double => "Twice as much",
            Self::Quadruple => "Four times as much",
        }
    }

    fn factor(self) -> u32 {
        match self {
            Self::Configured => 1,
            Self::Double => 2,
            Self::Quadruple => 4,
        }
    }

    /// Returns the limits for a request; empty for the configured ones.
    pub(crate) fn bounds(self, settings: &Settings) -> Bounds {
        if self == Self::Configured {
            return Bounds::default();
        }
        let factor = self.factor();
        let calls = settings.max_calls.unwrap_or(MAX_CALLS);
        Bounds {
            timeout: None,
            max_calls: Some(calls.saturating_mul(factor)),
            max_tokens: Some(settings.max_tokens.saturating_mul(factor.into())),
            max_time: Some(settings.max_time.saturating_mul(factor.into())),
            max_cost: settings.max_cost.map(|cost| cost * f64::from(factor)),
        }
    }
}

/// Returns the options of a session, with `current` selected.
pub(crate) fn config_options(current: BoundsChoice) -> Vec<SessionConfigOption> {
    let values =
        BoundsChoice::ALL.map(|choice| SessionConfigSelectOption::new(choice.id(), choice.name()));
    let about =
        "Limits on calls, tokens, time and cost; Agon asks before it raises your configured limits";
    let bounds =
        SessionConfigOption::select(BOUNDS_OPTION, "Limits", current.id(), values.to_vec());
    vec![bounds.description(about.to_owned())]
}
