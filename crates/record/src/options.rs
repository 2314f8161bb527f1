//! What the two sides of a duel stand for, where it was read out of the topic.

use serde::{Deserialize, Serialize};

use crate::id::Seat;
use crate::moves::Side;

/// What the two sides of a duel stand for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// How the two are set against each other.
    pub contrast: Contrast,
    /// What the proposer stands for.
    pub proposer: SideOption,
    /// What the challenger stands for.
    pub challenger: SideOption,
    /// What they are chosen for, such as `for the job store`; empty where the topic does not say.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub setting: String,
}

/// What one side stands for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideOption {
    /// As it is shown, such as `Cities should ban private cars`.
    pub name: String,
    /// As it stands in a question, such as `banning private cars`.
    pub phrase: String,
}

/// How two options are set against each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Contrast {
    /// One thing or another: each side has a phrase of its own.
    Between,
    /// To do something or not: both sides have the same phrase, and one is against it.
    Against,
    /// Yes or no.
    Answers,
}

impl Options {
    /// What the side of this seat stands for; none of a judge.
    pub fn seat(&self, seat: Seat) -> Option<&SideOption> {
        let sides = [Side::Proposer, Side::Challenger];
        let side = sides.into_iter().find(|side| side.seat() == seat)?;
        Some(self.side(side))
    }

    /// What this side stands for.
    pub fn side(&self, side: Side) -> &SideOption {
        match side {
            Side::Proposer => &self.proposer,
            Side::Challenger => &self.challenger,
        }
    }
}
