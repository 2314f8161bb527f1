//! One-sided claims: without a usable reply from the other side, a claim is never called an answer.

use agon_record::event::Outcome;
use agon_record::finding::Finding;
use agon_record::id::{Seat, Stage, TurnId};
use agon_record::spec::ToolName;
use agon_record::state::{State, TurnEnd};
use agon_record::text::sanitise_line;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

// Chosen, not measured: a reply is sent back only once, so most debates have one or two reasons.
/// Maximum number of reasons listed.
const MAX_REASONS: usize = 3;
// Most messages are shorter, but a message that quotes the reply must be cut.
/// Maximum length of a reason, in characters.
const MAX_REASON: usize = 120;

/// A claim to which the other side gave no usable reply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OneSided {
    /// The seat that made the claim.
    #[schemars(with = "String")]
    pub claimed_by: Seat,
    /// The tool in that seat.
    #[schemars(with = "Option<String>")]
    pub tool: Option<ToolName>,
    /// The claim, which is untested and unjudged.
    pub claim: String,
    /// The seat without a usable reply.
    #[schemars(with = "String")]
    pub unheard: Seat,
    /// The number of unusable replies from that seat.
    pub unusable_replies: u32,
    /// Why the replies were rejected, or why there were none.
    pub reasons: Vec<String>,
}

impl OneSided {
    /// Returns the one-sided claim of a debate; `None` if both sides spoke or a judge ruled.
    pub(super) fn from_state(state: &State) -> Option<Self> {
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

    /// Returns the text to show in place of an answer: the claim, marked as one-sided.
    pub(super) fn answer(&self) -> String {
        format!("One-sided claim ({}): {}", self.claimed_by, self.claim)
    }

    /// Returns the part of the headline about the missing reply.
    pub(super) fn headline(&self, state: &State) -> String {
        let (seat, replies) = (self.unheard, self.unusable_replies);
        let after = match state.has_spoken(seat) {
            true => " after its first answer",
            false => "",
        };
        let sentence = match (replies, state.has_spoken(seat)) {
            (0, true) => format!("no reply from the {seat}{after}"),
            (0, false) => format!("no reply from the {seat}"),
            (1, _) => format!("the {seat}'s only reply{after} was not usable"),
            _ => format!("the {seat}'s {replies} replies{after} were not usable"),
        };
        format!("one-sided (uncontested): {sentence}")
    }

    /// Returns why there is no answer, in sentences.
    pub(super) fn why(&self, state: &State) -> String {
        let (seat, replies) = (self.unheard, self.unusable_replies);
        let reasons = self.reasons.join("; ");
        let after = match state.has_spoken(seat) {
            true => " after its first answer",
            false => "",
        };
        let sentence = match replies {
            0 => format!("No usable reply from the {seat}{after}"),
            1 => format!("No usable reply from the {seat}{after}, in 1 attempt"),
            _ => format!("No usable reply from the {seat}{after}, in {replies} attempts"),
        };
        let sentence = with_reasons(sentence, &reasons);
        format!(
            "{sentence}. This is the {}'s claim, untested. No judge ruled on it.",
            self.claimed_by
        )
    }
}

fn with_reasons(sentence: String, reasons: &str) -> String {
    match reasons {
        "" => sentence,
        reasons => format!("{sentence}: {reasons}"),
    }
}

/// Returns the distinct reasons why the replies of `seat` were rejected or missing.
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
        add(&format!("the limit on {} was reached", cap.name()));
    }
    reasons
}
