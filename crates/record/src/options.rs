//! The options that the two sides of a duel argue for, if the topic names them.

use serde::{Deserialize, Serialize};

use crate::id::Seat;
use crate::moves::Side;

/// The options that the two sides of a duel argue for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// How the two options relate.
    pub contrast: Contrast,
    /// The proposer's option.
    pub proposer: SideOption,
    /// The challenger's option.
    pub challenger: SideOption,
    /// The purpose of the choice, such as `for the job store`; empty if the topic does not say.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub setting: String,
}

/// The option of one side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideOption {
    /// As displayed, such as `Cities should ban private cars`.
    pub name: String,
    /// As used inside a question, such as `banning private cars`.
    pub phrase: String,
}

/// How two options relate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Contrast {
    /// One thing or another: each side has a phrase of its own.
    Between,
    /// Doing something or not: both sides have the same phrase, and one side opposes it.
    Against,
    /// Yes or no.
    Answers,
}

impl Options {
    /// Returns the option of this seat; `None` for a judge.
    pub fn seat(&self, seat: Seat) -> Option<&SideOption> {
        let sides = [Side::Proposer, Side::Challenger];
        let side = sides.into_iter().find(|side| side.seat() == seat)?;
        Some(self.side(side))
    }

    /// Returns the option of this side.
    pub fn side(&self, side: Side) -> &SideOption {
        match side {
            Side::Proposer => &self.proposer,
            Side::Challenger => &self.challenger,
        }
    }
}
