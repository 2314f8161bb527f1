//! The grounds of a turn, and what code found at the places they cite.
//!
//! The domain does not look anything up. It says which grounds are to be looked
//! up before a reply is weighed ([`cited`]); whoever runs the debate records what
//! was found, and rules, prompts and reports read it from the record.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::format;
use crate::id::{AskKey, NodeId, TurnId};
use crate::moves::{Ground, Moves};
use crate::parse::parse;
use crate::record;
use crate::stamp::{Stamp, StampKind, Stamped, Unchecked};
use crate::state::{Ask, State};

/// What the debate's citations are checked against, pinned when it opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
pub struct Cited<'a> {
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
    pub fn stands(&self) -> bool {
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
    /// Counts one more place; a ground that names none is no place.
    pub(crate) fn add(&mut self, stamp: &Stamp) {
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
    pub fn of<'a>(stamps: impl IntoIterator<Item = &'a GroundStamp>) -> Self {
        Self::of_stamps(stamps.into_iter().map(|one| &one.stamped.stamp))
    }

    /// As many as there are of each.
    pub fn of_stamps<'a>(stamps: impl IntoIterator<Item = &'a Stamp>) -> Self {
        let mut counts = Self::default();
        for stamp in stamps {
            counts.add(stamp);
        }
        counts
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
pub fn grounds(moves: &Moves) -> Vec<Cited<'_>> {
    let points = record::points(moves).into_iter().enumerate();
    let grounds = points.flat_map(|(point, said)| {
        let grounds = said.grounds().iter().enumerate();
        grounds.map(move |(ground, said)| Cited {
            point,
            ground,
            said,
        })
    });
    grounds.collect()
}

/// The moves of a stored reply whose places nobody has looked up yet; none when there is nothing
/// to look up.
pub fn cited(state: &State, key: AskKey) -> Option<Moves> {
    if state.spec.source.is_none() && state.runs().next().is_none() {
        return None;
    }
    let ask = ask(state, key)?;
    if ask.stamps.is_some() {
        return None;
    }
    let kind = format::of(state.spec.format).moves_kind(key.turn);
    let moves = parse(ask.text()?, kind, key.turn).ok()?.moves;
    (!grounds(&moves).is_empty()).then_some(moves)
}

/// What was found for the reply to `key`, in the order of its grounds.
pub fn of_ask(state: &State, key: AskKey) -> &[GroundStamp] {
    let stamps = ask(state, key).and_then(|ask| ask.stamps.as_deref());
    stamps.unwrap_or_default()
}

/// What was found for the admitted reply of `turn`, in the order of its grounds.
pub fn of_turn(state: &State, turn: TurnId) -> &[GroundStamp] {
    let admitted = state.admitted(turn);
    admitted.map_or(&[], |admitted| of_ask(state, admitted.key))
}

/// What was found for the point `id`, in the order of its grounds.
pub fn of_point(state: &State, id: NodeId) -> Vec<&GroundStamp> {
    let turn = TurnId::round(id.round, id.seat);
    let place = state
        .admitted(turn)
        .and_then(|admitted| admitted.ids.iter().position(|known| *known == id));
    let stamps = of_turn(state, turn).iter();
    stamps.filter(|one| Some(one.point) == place).collect()
}

/// A place that an admitted turn cites, and what was found there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked<'a> {
    /// The point that rests on it.
    pub id: NodeId,
    /// The turn that made the point.
    pub turn: TurnId,
    /// Which ground of the point it is, from 1.
    pub ground: usize,
    /// The ground.
    pub said: &'a Ground,
    /// The citation, and what was found.
    pub stamped: Cow<'a, Stamped>,
}

/// Every ground of the debate with what was found for it, in the order of the debate: as many
/// entries for one ground as its words name places.
///
/// Where nobody looked, a ground with a citation is unchecked.
pub fn all(state: &State) -> Vec<Checked<'_>> {
    let mut all = Vec::new();
    for (turn, admitted) in state.spoken() {
        let stamps = of_turn(state, turn);
        for cited in grounds(&admitted.moves) {
            let Some(&id) = admitted.ids.get(cited.point) else {
                continue;
            };
            let of_it = stamps.iter();
            let of_it = of_it.filter(|one| (one.point, one.ground) == (cited.point, cited.ground));
            let mut found: Vec<_> = of_it.map(|one| Cow::Borrowed(&one.stamped)).collect();
            if found.is_empty() {
                found.push(Cow::Owned(unlooked(cited.said)));
            }
            all.extend(found.into_iter().map(|stamped| Checked {
                id,
                turn,
                ground: cited.ground + 1,
                said: cited.said,
                stamped,
            }));
        }
    }
    all
}

/// A ground that nobody looked up.
pub fn unlooked(said: &Ground) -> Stamped {
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

fn ask(state: &State, key: AskKey) -> Option<&Ask> {
    state.turns.get(&key.turn)?.asks.get(usize::from(key.again))
}
