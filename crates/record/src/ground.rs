//! The grounds of a turn, and what was found at the places they cite.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::moves::{Ground, Moves};
use crate::point;
use crate::stamp::{Stamp, StampKind, Stamped, Unchecked};

/// What the debate's citations are checked against, pinned when it opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Pinned {
    /// What was pinned, in a few words, such as `repo at 3f1c9ae + 2 changed files`.
    pub about: String,
    /// The commit, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// BLAKE3 of the manifest of the pinned tree, in hexadecimal; it is kept under that name.
    pub manifest: String,
    /// What tells the folder that was pinned, so that a path below it is known in which it is
    /// written out, and the record names no folder of a machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root: Option<String>,
    /// Whether pages that are cited are asked for.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pages: bool,
}

/// A ground of a turn's moves, by its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CitedGround<'a> {
    /// Which point of the turn rests on it, from 0.
    pub point: usize,
    /// Which ground of that point it is, from 0.
    pub ground: usize,
    /// The ground.
    pub said: &'a Ground,
}

/// What was found at a place that a ground cites.
///
/// A ground whose own words name several places has several of these.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroundStamp {
    /// Which point of the turn rests on the ground, from 0.
    pub point: usize,
    /// Which ground of that point it is, from 0.
    pub ground: usize,
    /// The citation, and what was found.
    #[serde(flatten)]
    pub stamped: Stamped,
}

impl GroundStamp {
    /// Whether words that were quoted stand in the source, at the place or near it.
    pub fn is_found_or_moved(&self) -> bool {
        matches!(
            self.stamped.stamp.kind(),
            StampKind::Found | StampKind::Moved
        )
    }
}

/// How many places are cited, by what the check found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Citations {
    /// The words are there.
    pub found: u32,
    /// The words are elsewhere in that file.
    pub moved: u32,
    /// The place exists, nothing was quoted that could stand there; left out when there is none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub place: u32,
    /// The place exists, the words are not there.
    pub wrong: u32,
    /// There is no such place.
    pub missing: u32,
    /// The place could not be reached.
    pub unreachable: u32,
    /// Nobody looked.
    pub unchecked: u32,
}

/// A count that a document leaves out.
fn is_zero(count: &u32) -> bool {
    *count == 0
}

impl Citations {
    /// Counts one more place; a ground that names none does not count.
    pub fn tally_stamp(&mut self, stamp: &Stamp) {
        let count = match stamp.kind() {
            StampKind::Found => &mut self.found,
            StampKind::Moved => &mut self.moved,
            StampKind::Place => &mut self.place,
            StampKind::Wrong => &mut self.wrong,
            StampKind::Missing => &mut self.missing,
            StampKind::Unreachable => &mut self.unreachable,
            StampKind::Unchecked => &mut self.unchecked,
        };
        *count += u32::from(stamp.names_a_place());
    }

    /// Those of a point's grounds, as far as they were looked up.
    pub fn from_ground_stamps<'a>(stamps: impl IntoIterator<Item = &'a GroundStamp>) -> Self {
        Self::from_stamps(stamps.into_iter().map(|one| &one.stamped.stamp))
    }

    /// As many as there are of each.
    pub fn from_stamps<'a>(stamps: impl IntoIterator<Item = &'a Stamp>) -> Self {
        let mut counts = Self::default();
        for stamp in stamps {
            counts.tally_stamp(stamp);
        }
        counts
    }

    /// What is wrong with a point that cites these places, in a few words; none where each place
    /// is as cited or was not looked up.
    pub fn fault(&self) -> Option<&'static str> {
        match (self.wrong, self.missing) {
            (0, 0) => None,
            (_, 0) => Some("wrong citation"),
            (0, _) => Some("cites a missing place"),
            _ => Some("wrong citation, cites a missing place"),
        }
    }

    /// All of them.
    pub fn total(&self) -> u32 {
        let looked_up = self.found + self.moved + self.place + self.wrong + self.missing;
        looked_up + self.unreachable + self.unchecked
    }

    /// How many there are of one kind.
    pub fn count(&self, kind: StampKind) -> u32 {
        match kind {
            StampKind::Found => self.found,
            StampKind::Moved => self.moved,
            StampKind::Place => self.place,
            StampKind::Wrong => self.wrong,
            StampKind::Missing => self.missing,
            StampKind::Unreachable => self.unreachable,
            StampKind::Unchecked => self.unchecked,
        }
    }
}

/// The grounds of `moves`, in the order of its points.
pub fn grounds_of_moves(moves: &Moves) -> Vec<CitedGround<'_>> {
    let points = point::points(moves).into_iter().enumerate();
    let grounds = points.flat_map(|(point, said)| {
        let grounds = said.grounds().iter().enumerate();
        grounds.map(move |(ground, said)| CitedGround {
            point,
            ground,
            said,
        })
    });
    grounds.collect()
}

/// A ground that was not looked up.
pub fn unchecked_stamp(said: &Ground) -> Stamped {
    let reason = match &said.citation {
        Some(citation) if citation.reasoning.is_some() => Unchecked::Reasoning,
        Some(_) => Unchecked::NoSource,
        None => Unchecked::NoPlace,
    };
    Stamped {
        citation: said.citation.clone().unwrap_or_default(),
        extracted: false,
        stamp: Stamp::unchecked(reason),
    }
}
