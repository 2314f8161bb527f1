//! The formats of a debate, by name, and what a value has of its own for each of them.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::id::Seat;

/// The format of a debate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FormatName {
    /// Proposer against challenger, then a verdict.
    Duel,
    /// Proposition against opposition, exchange by exchange, each judged.
    Formal,
    /// What a third format takes, for tests.
    #[cfg(feature = "toy-format")]
    Toy,
}

impl FormatName {
    /// The two seats that argue, in the order in which they are named.
    pub fn sides(self) -> [Seat; 2] {
        match self {
            Self::Formal => [Seat::Proposition, Seat::Opposition],
            _ => [Seat::Proposer, Seat::Challenger],
        }
    }

    /// Whether its exchanges are scored, one after the other and without an end; otherwise judges
    /// rule once, when the rounds are over.
    pub fn is_scored(self) -> bool {
        matches!(self, Self::Formal)
    }
}

impl fmt::Display for FormatName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Duel => f.write_str("duel"),
            Self::Formal => f.write_str("formal"),
            #[cfg(feature = "toy-format")]
            Self::Toy => f.write_str("toy"),
        }
    }
}

/// What differs from format to format, such as the part of a state that only duels have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind<D, F> {
    /// Of a duel.
    Duel(D),
    /// Of a formal debate.
    Formal(F),
    /// Of the format that only tests have.
    #[cfg(feature = "toy-format")]
    Toy,
}

impl<D, F> Kind<D, F> {
    /// What the format of this name has of the two.
    pub(crate) fn select(name: FormatName, duel: D, formal: F) -> Self {
        match name {
            FormatName::Duel => Self::Duel(duel),
            FormatName::Formal => Self::Formal(formal),
            #[cfg(feature = "toy-format")]
            FormatName::Toy => Self::Toy,
        }
    }

    /// What a duel has and what a formal debate has, of which there is at most one.
    pub(crate) fn into_parts(self) -> (Option<D>, Option<F>) {
        match self {
            Self::Duel(duel) => (Some(duel), None),
            Self::Formal(formal) => (None, Some(formal)),
            #[cfg(feature = "toy-format")]
            Self::Toy => (None, None),
        }
    }

    /// The format's name.
    pub fn name(&self) -> FormatName {
        match self {
            Self::Duel(_) => FormatName::Duel,
            Self::Formal(_) => FormatName::Formal,
            #[cfg(feature = "toy-format")]
            Self::Toy => FormatName::Toy,
        }
    }

    /// What a duel has.
    pub fn as_duel(&self) -> Option<&D> {
        match self {
            Self::Duel(duel) => Some(duel),
            _ => None,
        }
    }

    /// What a duel has, to be changed.
    pub fn as_duel_mut(&mut self) -> Option<&mut D> {
        match self {
            Self::Duel(duel) => Some(duel),
            _ => None,
        }
    }

    /// What a formal debate has.
    pub fn as_formal(&self) -> Option<&F> {
        match self {
            Self::Formal(formal) => Some(formal),
            _ => None,
        }
    }

    /// What a formal debate has, to be changed.
    pub fn as_formal_mut(&mut self) -> Option<&mut F> {
        match self {
            Self::Formal(formal) => Some(formal),
            _ => None,
        }
    }
}
