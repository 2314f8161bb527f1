//! What the judges said, and whether it stays when it is tried in another way.

use agon_record::event::Outcome;
use agon_record::id::{Seat, TurnId};
use agon_record::state::{State, TurnEnd};
use agon_verdict::verdict::{JudgeReading, Trial, Verdict};

use super::line::Style;
use crate::labels::{describe_leave_one_out, describe_swap_trial, tool_or_seat_name};
use crate::text::plain_line;

/// Whether the first judge has ruled and its ruling with the sides swapped is still to come.
pub(super) fn is_awaiting_swap(state: &State) -> bool {
    let judge = state.admitted(TurnId::verdict(Seat::JUDGE)).is_some();
    let swap = state.turns.get(&TurnId::SWAP);
    let ended = swap.is_some_and(|turn| turn.end.is_some());
    state.is_swap_planned() && judge && !ended && state.closed.is_none()
}

/// What the first judge said, both times.
pub(super) fn first_judge_headline(state: &State) -> Option<(Style, String)> {
    let first = state
        .admitted(TurnId::verdict(Seat::JUDGE))?
        .moves
        .ruling()?;
    let first = first.winner.seat();
    let once = tool_or_seat_name(state, first);
    if !state.is_swap_planned() {
        return Some((Style::Strong, format!("for {once}")));
    }
    let twice = "asked twice at once, sides swapped, names hidden";
    let end = state.turns.get(&TurnId::SWAP);
    Some(match end.and_then(|turn| turn.end.as_ref()) {
        Some(TurnEnd::Admitted(_)) => {
            let again = state.swap_ruling().map(|ruling| ruling.winner.seat());
            match again.filter(|again| *again != first) {
                None => (Style::Strong, format!("{twice}: for {once} both times")),
                Some(again) => {
                    let again = tool_or_seat_name(state, again);
                    (
                        Style::Warn,
                        format!("{twice}: for {once}, then for {again}"),
                    )
                }
            }
        }
        Some(TurnEnd::Lost { cause, .. }) => {
            let why = cause.code.name();
            let said = format!("for {once}; no ruling with the sides swapped: {why}");
            (Style::Strong, said)
        }
        None => {
            let said = format!("for {once}; not asked with the sides swapped");
            (Style::Strong, said)
        }
    })
}

/// Who ruled for whom, and what came of each trial.
pub(super) fn rulings_and_trials(state: &State, verdict: &Verdict) -> (Style, String) {
    let readings = &verdict.readings;
    let one = readings.judge.iter().filter(|_| readings.panel.is_empty());
    let rulings = readings.panel.iter().chain(one).map(|reading| {
        let tool = reading.tool.as_ref().map(ToString::to_string);
        let tool = tool.unwrap_or_default();
        let judge = match reading.seat == Seat::JUDGE {
            true => tool,
            false => format!("{tool} ({})", reading.seat),
        };
        format!("{judge} for {}", tool_or_seat_name(state, reading.winner))
    });
    let mut said = vec![rulings.collect::<Vec<_>>().join(", ")];
    let panel = verdict.stability.panel.as_ref();
    said.extend(panel.and_then(describe_leave_one_out).map(str::to_owned));
    said.extend(describe_swap_trial(verdict));
    let said: Vec<_> = said.into_iter().filter(|text| !text.is_empty()).collect();
    let style = match verdict.stability.swap {
        Trial::Flipped => Style::Warn,
        Trial::Same | Trial::NotRun => Style::Plain,
    };
    (style, plain_line(&said.join("; ")))
}

/// Whether the "Judges" row is needed: the headline does not already say all there is about the
/// rulings.
pub(super) fn needs_judges_row(state: &State, verdict: &Verdict) -> bool {
    if state.is_scored() || state.closed != Some(Outcome::Judged) {
        return false;
    }
    let off = verdict.stability.swap_reason.as_deref() == Some("off");
    let steady = verdict.stability.swap == Trial::Same || off;
    let swap = verdict.readings.swap.as_ref();
    let otherwise = swap.is_some_and(JudgeReading::is_otherwise);
    !steady || otherwise || verdict.stability.panel.is_some()
}

/// What each side answered alone, before any debate.
pub(super) fn blind_answers_sentence(state: &State, verdict: &Verdict) -> String {
    let Some(blind) = verdict
        .blind
        .as_ref()
        .filter(|_| state.closed != Some(Outcome::Agreed))
    else {
        return String::new();
    };
    if let Some(vote) = &blind.vote {
        return format!("both sides, before the debate: {}", plain_line(vote));
    }
    let said = |seat, answer: &Option<String>| {
        let answer = answer
            .as_deref()
            .map_or_else(|| "lost".to_owned(), plain_line);
        format!("{}: {answer}", tool_or_seat_name(state, seat))
    };
    format!(
        "{} · {} · split 1–1 before the debate",
        said(Seat::Proposer, &blind.proposer),
        said(Seat::Challenger, &blind.challenger)
    )
}
