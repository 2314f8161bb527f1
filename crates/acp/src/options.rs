//! What a session can be set to before its debate begins.

use agent_client_protocol::v1::schema::{
    SessionConfigOption, SessionConfigSelectOption, SessionMode, SessionModeState,
};
use agon_caller::bounds::Bounds;
use agon_caller::settings::{MAX_CALLS, Settings};

/// How a session debates.
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

    /// The mode of this id.
    pub(crate) fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.id() == id)
    }

    /// Its id.
    fn id(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Default => "default",
            Self::Deep => "deep",
            Self::Formal => "formal",
        }
    }

    /// Its name, and what it is.
    fn describe(self) -> (&'static str, &'static str) {
        match self {
            Self::Quick => ("Quick", "One round and a ruling: 3 calls"),
            Self::Default => (
                "Default",
                "First answers, two rounds, a ruling that is tried again with the sides swapped: \
                 8 calls",
            ),
            Self::Deep => ("Deep", "Three rounds and three judges: 12 calls"),
            Self::Formal => (
                "Formal",
                "A motion, scored exchange by exchange: the opening and one rebuttal",
            ),
        }
    }
}

/// The modes, of which `current` holds.
pub(crate) fn mode_state(current: DebateMode) -> SessionModeState {
    let modes = DebateMode::ALL.map(|mode| {
        let (name, about) = mode.describe();
        SessionMode::new(mode.id(), name).description(about.to_owned())
    });
    SessionModeState::new(current.id(), modes.to_vec())
}

/// How far the bounds of a session are beyond those of the configuration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum BoundsChoice {
    #[default]
    Configured,
    Double,
    Quadruple,
}

/// The id of the option that chooses the bounds.
pub(crate) const BOUNDS_OPTION: &str = "bounds";

impl BoundsChoice {
    const ALL: [Self; 3] = [Self::Configured, Self::Double, Self::Quadruple];

    /// The choice of this id.
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

    /// The bounds that a request names; none where those of the configuration hold.
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

/// The options of a session, of which `current` holds.
pub(crate) fn config_options(current: BoundsChoice) -> Vec<SessionConfigOption> {
    let values =
        BoundsChoice::ALL.map(|choice| SessionConfigSelectOption::new(choice.id(), choice.name()));
    let about =
        "The most calls, tokens, time and money; above the configured ones you are asked first";
    let bounds =
        SessionConfigOption::select(BOUNDS_OPTION, "Bounds", current.id(), values.to_vec());
    vec![bounds.description(about.to_owned())]
}
