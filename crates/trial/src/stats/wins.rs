//! Who wins: whether the longer text or the first speaker wins more often than half the time.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Interval;
use super::proportion::wilson;

/// What a debate shows about its winner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Win {
    /// The characters that the winner wrote.
    pub winner_length: usize,
    /// The characters that the loser wrote.
    pub loser_length: usize,
    /// Whether the winner spoke first.
    pub spoke_first: bool,
}

/// Who won the debates of an arm. A share far from one half may be a bias of the judge, or that side
/// may argue better.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Wins {
    /// The debates with a winner.
    pub debates: usize,
    /// The share of them in which the side that wrote more won; without those of equal length.
    pub longer: Interval,
    /// The share in which the side that spoke first won.
    pub first: Interval,
}

/// Counts the wins.
pub fn wins(debates: &[Win]) -> Wins {
    let count = |is: fn(&&Win) -> bool| debates.iter().filter(is).count();
    let longer = count(|win| win.winner_length > win.loser_length);
    let shorter = count(|win| win.winner_length < win.loser_length);
    Wins {
        debates: debates.len(),
        longer: wilson(longer, longer + shorter),
        first: wilson(count(|win| win.spoke_first), debates.len()),
    }
}
