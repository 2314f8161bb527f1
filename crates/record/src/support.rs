//! What supports the points of a debate: found quotations, cited places, or reasoning alone.
//!
//! It is computed from the record.

use crate::evidence::stamps_of_turn;
use crate::ground::{GroundStamp, unchecked_stamp};
use crate::id::{NodeId, Seat};
use crate::moves::{ObjectionKind, ReplyKind};
use crate::point::{Point, points};
use crate::stamp::{Stamp, StampKind, Unchecked};
use crate::state::State;

/// The support of a point, by its best ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Support {
    /// Reasoning alone: no place is cited.
    Reasoning,
    /// Places that do not exist, or that do not contain the words.
    NotThere,
    /// A place that exists, without a quotation.
    Unquoted,
    /// A place that could not be looked up.
    Unchecked,
    /// Words that were found at the cited place.
    Found,
}

impl Support {
    /// Returns the support of `point`, by the stamps of its grounds; a ground that was not looked
    /// up counts by its citation.
    pub fn from_point<'a>(
        point: &Point<'_>,
        stamps: impl Iterator<Item = &'a GroundStamp> + Clone,
    ) -> Self {
        let grounds = point.grounds().iter().enumerate();
        let best = grounds.map(|(nth, ground)| {
            let looked_up = stamps.clone().filter(|stamp| stamp.ground == nth);
            let found = looked_up.map(|one| Self::from_stamp(&one.stamped.stamp));
            let unseen = || Self::from_stamp(&unchecked_stamp(ground).stamp);
            found.max().unwrap_or_else(unseen)
        });
        best.max().unwrap_or(Self::Reasoning)
    }

    fn from_stamp(stamp: &Stamp) -> Self {
        if let Stamp::Unchecked { reason, .. } = stamp {
            return match reason {
                Unchecked::Reasoning | Unchecked::NoPlace => Self::Reasoning,
                _ => Self::Unchecked,
            };
        }
        match stamp.kind() {
            StampKind::Found | StampKind::Moved => Self::Found,
            StampKind::Unreachable | StampKind::Unchecked => Self::Unchecked,
            StampKind::Place => Self::Unquoted,
            StampKind::Wrong | StampKind::Missing => Self::NotThere,
        }
    }

    /// Returns whether the point cites something specific, as far as that could be checked.
    pub fn is_evidence(self) -> bool {
        self >= Self::Unchecked
    }
}

/// Returns whether `point` needs evidence: a claim, a rebuttal, a trade-off, an agreement.
///
/// A concession and a ruling refer to earlier points, which suffices. So does an objection to
/// something that the other side left out: its warrant, its backing, or all support.
pub fn needs_evidence(point: &Point<'_>) -> bool {
    match point {
        Point::Argument(_) | Point::Alternative(_) | Point::Contention(_) | Point::Agreement(_) => {
            true
        }
        Point::Objection(objection) => {
            matches!(
                objection.kind,
                ObjectionKind::Claim | ObjectionKind::Grounds
            )
        }
        Point::Response(response) => {
            matches!(response.reply, ReplyKind::Rebut | ReplyKind::Tradeoff)
        }
        Point::Assessment(_) => false,
    }
}

/// A point that needs evidence, and its support.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointSupport {
    /// The point.
    pub id: NodeId,
    /// Its support.
    pub support: Support,
}

/// Returns every point that needs evidence, in debate order.
pub fn point_supports(state: &State) -> Vec<PointSupport> {
    let mut all = Vec::new();
    for (turn, admitted) in state.admitted_turns() {
        let stamps = stamps_of_turn(state, turn);
        let said = points(&admitted.moves).into_iter().enumerate();
        for ((nth, point), &id) in said.zip(&admitted.ids) {
            if needs_evidence(&point) {
                let of_it = stamps.iter().filter(move |stamp| stamp.point == nth);
                let support = Support::from_point(&point, of_it);
                all.push(PointSupport { id, support });
            }
        }
    }
    all
}

/// Returns the points that need evidence but have none, in debate order.
pub fn unsupported_points(state: &State) -> Vec<NodeId> {
    let all = point_supports(state).into_iter();
    all.filter(|one| !one.support.is_evidence())
        .map(|one| one.id)
        .collect()
}

/// Returns whether the challenger's first reply certified the answer instead of objecting; `None`
/// before it spoke. Such a challenge is weak, even if it is honest.
pub fn challenger_certified_answer(state: &State) -> Option<bool> {
    let first = crate::id::TurnId::round(1, Seat::Challenger);
    let challenge = state.admitted(first)?.moves.challenge()?;
    Some(challenge.objections.is_empty())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::moves::{Argument, Objection, Response};

    fn ground(citation: Option<Value>) -> Value {
        let mut ground = json!({ "source": "notes", "content": "It is so.", "relevance": "Here." });
        if let Some(citation) = citation {
            ground["citation"] = citation;
        }
        ground
    }

    fn argument(grounds: Vec<Value>) -> Argument {
        serde_json::from_value(json!({
            "title": "A", "claim": "B", "grounds": grounds, "warrant": "C",
        }))
        .unwrap()
    }

    fn stamp(ground: usize, stamp: Value) -> GroundStamp {
        let mut value = json!({ "point": 0, "ground": ground, "citation": { "file": "a" } });
        let fields = stamp.as_object().unwrap().clone();
        value.as_object_mut().unwrap().extend(fields);
        serde_json::from_value(value).unwrap()
    }

    fn there() -> Value {
        json!({ "place": { "file": "a", "lines": [3, 4] }, "from": 3, "text": ["let b;"],
                "blob": "00".repeat(32) })
    }

    #[test]
    fn where_nothing_is_looked_up_a_place_that_is_named_is_evidence_and_reasoning_is_not() {
        let support = |grounds| {
            let argument = argument(grounds);
            Support::from_point(&Point::Argument(&argument), [].iter())
        };
        assert_eq!(support(vec![ground(None)]), Support::Reasoning);
        let reasoned = ground(Some(json!({ "reasoning": "It follows." })));
        assert_eq!(support(vec![reasoned.clone()]), Support::Reasoning);
        let cited = ground(Some(json!({ "document": "RFC 9110", "anchor": "a" })));
        assert_eq!(support(vec![reasoned, cited]), Support::Unchecked);
        assert!(Support::Unchecked.is_evidence() && !Support::Unquoted.is_evidence());
    }

    #[test]
    fn the_best_ground_counts_by_what_was_found_for_it() {
        let cited = || {
            ground(Some(
                json!({ "file": "a", "lines": [3, 4], "anchor": "let" }),
            ))
        };
        let argument = argument(vec![cited(), cited()]);
        let support = |stamps: &[GroundStamp]| {
            Support::from_point(&Point::Argument(&argument), stamps.iter())
        };
        let missing = stamp(0, json!({ "stamp": "missing", "what": "file" }));
        let bare = stamp(1, json!({ "stamp": "place", "there": there() }));
        let found = stamp(1, json!({ "stamp": "found", "there": there() }));
        assert_eq!(support(&[missing.clone(), bare]), Support::Unquoted);
        let nowhere = stamp(1, json!({ "stamp": "missing", "what": "lines" }));
        assert_eq!(support(&[missing.clone(), nowhere]), Support::NotThere);
        assert_eq!(support(&[missing, found]), Support::Found);
    }

    #[test]
    fn a_concession_and_an_objection_to_what_is_left_out_need_no_evidence() {
        let objection = |kind: &str| -> Objection {
            serde_json::from_value(json!({
                "target": "pro_001a", "kind": kind, "category": "other", "severity": "major",
                "content": "No.", "grounds": [],
            }))
            .unwrap()
        };
        let response = |reply: &str| -> Response {
            serde_json::from_value(json!({
                "objection": "cha_001a", "reply": reply, "content": "No.", "grounds": [],
            }))
            .unwrap()
        };
        let objections = ["claim", "grounds", "warrant", "backing", "unsupported"]
            .map(|kind| needs_evidence(&Point::Objection(&objection(kind))));
        assert_eq!(objections, [true, true, false, false, false]);
        let responses = ["rebut", "tradeoff", "concede", "unsupported"]
            .map(|reply| needs_evidence(&Point::Response(&response(reply))));
        assert_eq!(responses, [true, true, false, false]);
    }
}
