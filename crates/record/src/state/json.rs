//! The snapshot form of a state: flat, with the fields of each format beside the common ones.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ulid::Ulid;

use super::{DuelState, FormalState, FormerRuling, Spending, State, Turn};
use crate::decision::Decided;
use crate::event::{Cap, Cause, Halt, Outcome, Reply, ScoreEntry};
use crate::id::{NodeId, Seat, TurnId};
use crate::spec::Replaced;
use crate::spec::{Caps, Kind, Seating, Spec};
use crate::user::{Order, UserInput};

// Do not reorder: every existing snapshot has the fields in this order.
#[derive(Serialize, Deserialize)]
pub(super) struct StateJson {
    spec: Spec,
    seats: BTreeMap<Seat, Seating>,
    caps: Caps,
    turns: BTreeMap<TurnId, Turn>,
    spent: Spending,
    sent_back: u32,
    lost_judges: Vec<(Seating, Option<Cause>)>,
    agreement: Option<bool>,
    capped: Option<Cap>,
    halted: Option<Halt>,
    closed: Option<Outcome>,
    through: Option<u16>,
    judged: Option<u16>,
    scores: BTreeMap<NodeId, Vec<ScoreEntry>>,
    imported: BTreeMap<String, Reply>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    words: Vec<UserInput>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    orders: Vec<(Ulid, Order)>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    judge_now: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    former: Vec<FormerRuling>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    substitutes: BTreeMap<Seat, Vec<Seating>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    replaced: Vec<Replaced>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    decisions: Vec<Decided>,
    #[serde(default, skip_serializing_if = "is_zero")]
    former_decisions: usize,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl From<StateJson> for State {
    fn from(json: StateJson) -> Self {
        let duel = DuelState {
            lost_judges: json.lost_judges,
            agreement: json.agreement,
            judge_now: json.judge_now,
            former: json.former,
        };
        let formal = FormalState {
            judged: json.judged,
            scores: json.scores,
            imported: json.imported,
        };
        let kind = Kind::select(json.spec.format(), duel, formal);
        Self {
            spec: json.spec,
            kind,
            seats: json.seats,
            substitutes: json.substitutes,
            replaced: json.replaced,
            caps: json.caps,
            turns: json.turns,
            spent: json.spent,
            sent_back: json.sent_back,
            capped: json.capped,
            halted: json.halted,
            closed: json.closed,
            through: json.through,
            words: json.words,
            orders: json.orders,
            decisions: json.decisions,
            former_decisions: json.former_decisions,
            typed: None,
        }
    }
}

impl From<State> for StateJson {
    fn from(state: State) -> Self {
        let (duel, formal) = state.kind.into_parts();
        let (duel, formal) = (duel.unwrap_or_default(), formal.unwrap_or_default());
        Self {
            spec: state.spec,
            seats: state.seats,
            caps: state.caps,
            turns: state.turns,
            spent: state.spent,
            sent_back: state.sent_back,
            lost_judges: duel.lost_judges,
            agreement: duel.agreement,
            capped: state.capped,
            halted: state.halted,
            closed: state.closed,
            through: state.through,
            judged: formal.judged,
            scores: formal.scores,
            imported: formal.imported,
            words: state.words,
            orders: state.orders,
            judge_now: duel.judge_now,
            former: duel.former,
            substitutes: state.substitutes,
            replaced: state.replaced,
            decisions: state.decisions,
            former_decisions: state.former_decisions,
        }
    }
}
