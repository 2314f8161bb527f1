//! A claim that the other side gave no usable reply to: it is told as a claim, never as an answer.

use agon_record::event::Outcome;
use agon_record::finding::Finding;
use agon_record::id::{Seat, Stage, TurnId};
use agon_record::spec::ToolName;
use agon_record::state::{State, TurnEnd};
use agon_record::text::sanitise_line;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

// Chosen, not measured: a reply is sent back once, so most debates have one or two.
/// Reasons that are named at most.
const MAX_REASONS: usize = 3;
// A finding's message has less, but one may quote the reply.
/// Characters of the longest reason.
const MAX_REASON: usize = 120;

/// The claim of a side that the other one never usably replied to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OneSided {
    /// The seat whose claim it is.
    #[schemars(with = "String")]
    pub claimed_by: Seat,
    /// The tool in that seat.
    #[schemars(with = "Option<String>")]
    pub tool: Option<ToolName>,
    /// The claim; nothing tested it, and no judge ruled on it.
    pub claim: String,
    /// The seat without a usable reply.
    #[schemars(with = "String")]
    pub unheard: Seat,
    /// How many replies that seat gave, none of them usable.
    pub unusable_replies: u32,
    /// Why they were refused, or why no reply came.
    pub reasons: Vec<String>,
}

impl OneSided {
    /// The one-sided claim that the debate closed with; none where both sides spoke or a judge ruled.
    pub(super) fn of(state: &State) -> Option<Self> {
        if state.closed != Some(Outcome::Uncontested) {
            return None;
        }
        let opening = state.admitted(TurnId::round(1, Seat::Proposer));
        let stance = opening.and_then(|admitted| admitted.moves.stance());
        let claim = stance
            .or_else(|| Some(state.blind_answer(Seat::Proposer)?.answer.as_str()))
            .unwrap_or_default();
        let unheard = Seat::Challenger;
        Some(Self {
            claimed_by: Seat::Proposer,
            tool: state
                .seats
                .get(&Seat::Proposer)
                .map(|seating| seating.tool.clone()),
            claim: claim.to_owned(),
            unheard,
            unusable_replies: state.unusable_replies(unheard),
            reasons: reasons(state, unheard),
        })
    }

    /// What stands where an answer would: the claim, marked as one.
    pub(super) fn answer(&self) -> String {
        format!("One-sided claim ({}): {}", self.claimed_by, self.claim)
    }

    /// The part of the headline that says so.
    pub(super) fn headline(&self, state: &State) -> String {
        let (seat, replies) = (self.unheard, self.unusable_replies);
        let after = match state.has_spoken(seat) {
            true => " after its first answer",
            false => "",
        };
        let told = match (replies, state.has_spoken(seat)) {
            (0, true) => format!("no reply from the {seat}{after}"),
            (0, false) => format!("the {seat} never spoke"),
            (1, _) => format!("the {seat}'s only reply{after} was not usable"),
            _ => format!("none of the {seat}'s {replies} replies{after} was usable"),
        };
        format!("one-sided (uncontested): {told}")
    }

    /// Why there is no answer, in sentences.
    pub(super) fn why(&self, state: &State) -> String {
        let (seat, replies) = (self.unheard, self.unusable_replies);
        let reasons = self.reasons.join("; ");
        let after = match state.has_spoken(seat) {
            true => " after its first answer",
            false => "",
        };
        let told = match replies {
            0 => format!("No usable reply from the {seat}{after}"),
            1 => format!("No usable reply from the {seat}{after}, in 1 attempt"),
            _ => format!("No usable reply from the {seat}{after}, in {replies} attempts"),
        };
        let told = with_reasons(told, &reasons);
        format!(
            "{told}. This is the {}'s claim, untested. No judge ruled on it.",
            self.claimed_by
        )
    }
}

fn with_reasons(told: String, reasons: &str) -> String {
    match reasons {
        "" => told,
        reasons => format!("{told}: {reasons}"),
    }
}

/// Why the replies of `seat` were refused, or why none came; the same reason once.
fn reasons(state: &State, seat: Seat) -> Vec<String> {
    let mut reasons: Vec<String> = Vec::new();
    let mut add = |reason: &str| {
        let reason = sanitise_line(reason, MAX_REASON);
        let reason = reason.trim_end_matches('.').to_owned();
        if reasons.len() < MAX_REASONS && !reason.is_empty() && !reasons.contains(&reason) {
            reasons.push(reason);
        }
    };
    for replaced in state.replaced.iter().filter(|it| it.seat == seat) {
        if let Some(cause) = &replaced.cause {
            add(&format!("{}: {}", replaced.tool, cause.code.describe()));
        }
    }
    let debated = |turn: &TurnId| turn.seat == seat && matches!(turn.stage, Stage::Round(_));
    for (_, turn) in state.turns.iter().filter(|(turn, _)| debated(turn)) {
        let Some(TurnEnd::Lost { cause, findings }) = &turn.end else {
            continue;
        };
        let sent_back = turn.asks.iter().filter_map(|ask| ask.sent_back.as_ref());
        let found = sent_back.flatten().chain(findings);
        let mut named: Vec<&Finding> = Vec::new();
        for finding in found {
            if named.iter().all(|known| known.code != finding.code) {
                named.push(finding);
            }
        }
        match named.as_slice() {
            [] => add(cause.code.describe()),
            named => named.iter().for_each(|finding| add(&finding.message)),
        }
    }
    if let Some(cap) = state.capped {
        add(&format!("the bound on {} was reached", cap.name()));
    }
    reasons
}
