//! The pending calls of a debate, in words.

use agon_record::event::Event;
use agon_record::format::Judging;
use agon_record::id::{AskKey, Stage};
use agon_record::state::State;

/// Returns the start of a call's line: the stage and the tool.
pub fn call_label(state: &State, key: AskKey) -> String {
    let rules = state.format_rules();
    let label = match key.turn.stage {
        Stage::Round(round) => match rules.judging {
            Judging::EachRound => format!("{}  {}", rules.round_label(round), key.turn.seat),
            Judging::AtTheEnd => rules.round_label(round),
        },
        Stage::Theses => "theses".to_owned(),
        Stage::Verdict => key.turn.seat.to_string(),
        Stage::Swap => "swap".to_owned(),
    };
    let tool = state
        .seats
        .get(&key.turn.seat)
        .map(|seating| seating.tool.to_string());
    format!("{label:<9} {:<7} ", tool.unwrap_or_default())
}

/// Returns why a call is repeated, or `…` for a first call.
pub fn call_purpose(state: &State, key: AskKey) -> String {
    let turn = state.turns.get(&key.turn);
    let ask = |again: u8| turn.and_then(|turn| turn.asks.get(usize::from(again)));
    let sent_back = key
        .again
        .checked_sub(1)
        .and_then(ask)
        .and_then(|ask| ask.sent_back.as_ref());
    let losses = ask(key.again).map_or(0, |ask| ask.losses.len());
    match (sent_back, losses) {
        (None, 0) => "…".to_owned(),
        (None, losses) => format!("… attempt {}", losses + 1),
        (Some(findings), _) => {
            let mut codes: Vec<_> = findings
                .iter()
                .map(|finding| finding.code.as_str())
                .collect();
            codes.dedup();
            format!("… asked again: {}", codes.join(", "))
        }
    }
}

/// Returns the call that `event` ends, if any.
pub fn ended_call_key(event: &Event) -> Option<AskKey> {
    match event {
        Event::Given(given) => Some(given.key),
        Event::Lost(lost) => Some(lost.key),
        _ => None,
    }
}
