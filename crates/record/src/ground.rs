//! The grounds of a turn, and the results of looking up their citations.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::moves::{Ground, Moves};
use crate::point;
use crate::stamp::{Stamp, StampKind, Stamped, Unchecked};

/// The source that citations are checked against, pinned when the debate opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Pinned {
    /// A short description, such as `repo at 3f1c9ae + 2 changed files`.
    pub about: String,
    /// The commit, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// BLAKE3 of the pinned tree's manifest, in hexadecimal; the manifest is stored under that
    /// name.
    pub manifest: String,
    /// A salted hash of the pinned folder, so that absolute paths into it are recognized although
    /// the record does not name folders of a machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root: Option<String>,
    /// Whether cited web pages are fetched.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pages: bool,
}

/// A ground of a turn's moves, with its position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CitedGround<'a> {
    /// The index of the point with this ground, from 0.
    pub point: usize,
    /// The index of the ground in that point, from 0.
    pub ground: usize,
    /// The ground.
    pub said: &'a Ground,
}

/// The result for a place cited by a ground.
///
/// A ground whose text names several places has several of these.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroundStamp {
    /// The index of the point with this ground, from 0.
    pub point: usize,
    /// The index of the ground in that point, from 0.
    pub ground: usize,
    /// The citation and the result.
    #[serde(flatten)]
    pub stamped: Stamped,
}

impl GroundStamp {
    /// Returns whether the source contains the quoted words, at the place or near it.
    pub fn is_found_or_moved(&self) -> bool {
        matches!(
            self.stamped.stamp.kind(),
            StampKind::Found | StampKind::Moved
        )
    }
}

/// Numbers of citations, by result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Citations {
    /// The words are there.
    pub found: u32,
    /// The words are elsewhere in that file.
    pub moved: u32,
    /// The place exists and no words were quoted that it could contain; omitted if zero.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub place: u32,
    /// The place exists but does not contain the words.
    pub wrong: u32,
    /// There is no such place.
    pub missing: u32,
    /// The place could not be reached.
    pub unreachable: u32,
    /// The place was not looked up.
    pub unchecked: u32,
}

/// Returns whether a document omits this count.
fn is_zero(count: &u32) -> bool {
    *count == 0
}

impl Citations {
    /// Counts one more place; a ground that names none is not counted.
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

    /// Counts the stamps of a point's grounds.
    pub fn from_ground_stamps<'a>(stamps: impl IntoIterator<Item = &'a GroundStamp>) -> Self {
        Self::from_stamps(stamps.into_iter().map(|one| &one.stamped.stamp))
    }

    /// Counts stamps by kind.
    pub fn from_stamps<'a>(stamps: impl IntoIterator<Item = &'a Stamp>) -> Self {
        let mut counts = Self::default();
        for stamp in stamps {
            counts.tally_stamp(stamp);
        }
        counts
    }

    /// What is wrong with a point that cites these places, in a few words; `None` if every place is
    /// as cited or was not looked up.
    pub fn fault(&self) -> Option<&'static str> {
        match (self.wrong, self.missing) {
            (0, 0) => None,
            (_, 0) => Some("wrong citation"),
            (0, _) => Some("cites a missing place"),
            _ => Some("wrong citation, cites a missing place"),
        }
    }

    /// Returns the total number of stamps.
    pub fn total(&self) -> u32 {
        let looked_up = self.found + self.moved + self.place + self.wrong + self.missing;
        looked_up + self.unreachable + self.unchecked
    }

    /// Returns the number of stamps of one kind.
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

/// Returns the grounds of `moves`, in the order of its points.
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

/// Returns the stamp of a ground that was not looked up.
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
