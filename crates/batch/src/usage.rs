//! What debates used, by their records.

use agon_caller::find;
use agon_debates::steer::observer::State;

use crate::folder::BatchFolder;

/// What one debate or several used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Used {
    pub(crate) calls: u32,
    /// In and out.
    pub(crate) tokens: u64,
    /// In millionths of a US dollar.
    pub(crate) cost_micros: u64,
    /// The running time.
    pub(crate) ms: u64,
}

impl Used {
    /// Returns what the debate `state` used.
    pub(crate) fn of(state: &State) -> Self {
        let spent = &state.spent;
        Self {
            calls: spent.calls,
            tokens: spent.total_tokens(),
            cost_micros: spent.total_cost_micros(),
            ms: spent.clock_ms,
        }
    }

    /// Returns what the first `attempts` debates of a request used, as far as their records can be
    /// read. Takes about a millisecond for each.
    pub(crate) fn of_attempts(folder: &BatchFolder, slug: &str, attempts: u32) -> Self {
        let paths = (1..=attempts).map(|attempt| folder.attempt(slug, attempt));
        let views = paths.filter_map(|path| find::read(&path).ok());
        views.fold(Self::default(), |sum, view| sum.plus(Self::of(&view.state)))
    }

    /// Returns the sum.
    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            calls: self.calls.saturating_add(other.calls),
            tokens: self.tokens.saturating_add(other.tokens),
            cost_micros: self.cost_micros.saturating_add(other.cost_micros),
            ms: self.ms.saturating_add(other.ms),
        }
    }
}
