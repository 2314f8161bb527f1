//! Finds problems in the contexts of the debaters.

use std::collections::BTreeSet;

use agon_record::format::Judging;
use agon_record::id::{AskKey, Seat, Stage};
use agon_record::seat_finding::{SeatFinding, SeatPattern};
use agon_record::spec::Seating;
use agon_record::state::State;
use agon_sessions::{
    EvidenceRole, Findings, FindingsOptions, LoadedKind, Location, Pattern, PatternFinding,
};

use super::session_texts::{can_begin_finding, reply_words};
use super::stream::{CallTokens, SeatStream, ToldText};

/// Returns the findings so far, to be recorded with the call `key` of the first judge; empty for
/// any other call. In a formal debate, includes only findings of the exchange that is judged.
///
/// Judges have no findings, since each of their calls stands alone and contains everything.
pub fn seat_findings(state: &State, key: AskKey) -> Vec<SeatFinding> {
    let stage = key.turn.stage;
    let is_judged_by_round = state.format_rules().judging == Judging::EachRound;
    let judges = match stage {
        Stage::Verdict => true,
        Stage::Round(_) => is_judged_by_round,
        Stage::Theses | Stage::Swap => false,
    };
    if key.turn.seat != Seat::JUDGE || !judges {
        return Vec::new();
    }
    let argues = |(seat, seating): &(&Seat, &Seating)| {
        !seat.is_judge() && !seating.is_human() && !seating.is_interviewed()
    };
    let seats = state.seats.iter().filter(argues).map(|(seat, _)| *seat);
    let found = seats.flat_map(|seat| findings_of_seat(state, seat));
    let found = found.filter(|it| !is_judged_by_round || it.ask.turn.stage == stage);
    let found: BTreeSet<SeatFinding> = found.collect();
    found.into_iter().collect()
}

fn findings_of_seat(state: &State, seat: Seat) -> Vec<SeatFinding> {
    let asks = state.turns.iter().filter(|(turn, _)| turn.seat == seat);
    let mut stamps =
        asks.flat_map(|(_, turn)| turn.asks.iter().filter_map(|it| it.stamps.as_ref()));
    let is_looked_up = stamps.any(|all| all.iter().any(|it| can_begin_finding(&it.stamped.stamp)));
    if state.words.is_empty() && !is_looked_up {
        // Findings begin with a user input or a citation check, and there are none.
        return Vec::new();
    }
    let stream = session_from_state(state, seat);
    let options = FindingsOptions {
        is_debate: true,
        ..FindingsOptions::default()
    };
    let found = Findings::of(&stream.entries, &options);
    found.findings.iter().filter_map(to_seat_finding).collect()
}

/// Returns the parts of the session that rules examine. Leaves out Agon's own texts, which never
/// cause findings.
fn session_from_state(state: &State, seat: Seat) -> SeatStream {
    let mut stream = SeatStream::default();
    let mut told = BTreeSet::new();
    for (id, turn) in state.turns.iter().filter(|(turn, _)| turn.seat == seat) {
        for ask in &turn.asks {
            let Some(asked) = &ask.asked else {
                continue;
            };
            let key = asked.key;
            stream.add_call(asked, &state.words, Vec::new());
            // Add the turns of the others, because the seat may repeat their claims. Turns of the
            // same stage run at the same time, so either may be the source.
            for (other, _) in state.admitted_turns() {
                let is_known = other.seat != seat && other.stage <= id.stage;
                if is_known && told.insert(other) {
                    let asks = state.turns.get(&other).into_iter().flat_map(|it| &it.asks);
                    for text in asks.filter_map(|it| it.reply_text()) {
                        let kind = LoadedKind::Surroundings;
                        let text = reply_words(text);
                        stream.add_loaded_text(key, ToldText { kind, text });
                    }
                }
            }
            if let (Some(given), Some(text)) = (&ask.given, ask.reply_text()) {
                let took = CallTokens {
                    usage: &given.usage,
                    model: None,
                    is_one_call: false,
                };
                stream.add_reply(key, text, &took);
            }
            stream.add_citation_checks(key, ask.stamps.as_deref().unwrap_or_default());
        }
    }
    stream
}

fn to_seat_finding(finding: &PatternFinding) -> Option<SeatFinding> {
    let shows = finding.first(EvidenceRole::Effect)?;
    let Location::Row { id, .. } = &shows.location else {
        return None;
    };
    let pattern = match finding.pattern {
        Pattern::Poisoning => SeatPattern::Poisoning,
        Pattern::LostInTheMiddle => SeatPattern::LostInTheMiddle,
        Pattern::Clash => SeatPattern::Clash,
        Pattern::Confusion => SeatPattern::Confusion,
        Pattern::Distraction => SeatPattern::Distraction,
        // Already recorded with the call whose prompt is too long for its model.
        Pattern::Tokens => return None,
    };
    let reason = finding.reason.trim_end_matches('.');
    let mut letters = reason.chars();
    let first = letters.next()?.to_lowercase();
    Some(SeatFinding {
        ask: id.parse().ok()?,
        pattern,
        reason: first.chain(letters).collect(),
    })
}
