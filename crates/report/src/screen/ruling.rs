//! The judges' rulings, and whether they are stable.

use agon_record::event::Outcome;
use agon_record::id::{Seat, TurnId};
use agon_record::moves::{AgreedPoint, Choose, Disagreement, OpenQuestion, Quality, Ruling};
use agon_record::state::{State, TurnEnd};
use agon_verdict::verdict::{JudgeReading, Trial, Verdict, describe_winner, name_with_fault};

use super::line::{Line, Style};
use super::rows::{Row, WIDE_LABEL, lay_out_rows};
use crate::labels::{
    describe_leave_one_out, describe_swap_trial, describe_why_missing, tool_or_seat_name,
};
use crate::text::plain_line;

/// Returns whether the first judge has ruled once and its ruling with the sides swapped is pending.
pub(super) fn is_awaiting_swap(state: &State) -> bool {
    let judge = state.admitted(TurnId::verdict(Seat::JUDGE)).is_some();
    let swap = state.turns.get(&TurnId::SWAP);
    let ended = swap.is_some_and(|turn| turn.end.is_some());
    state.is_swap_planned() && judge && !ended && state.closed.is_none()
}

/// Returns both rulings of the first judge in one line.
pub(super) fn first_judge_headline(state: &State) -> Option<(Style, String)> {
    let first = state
        .admitted(TurnId::verdict(Seat::JUDGE))?
        .moves
        .ruling()?;
    let first = first.winner.seat();
    let once = describe_winner(state, first);
    if !state.is_swap_planned() {
        return Some((Style::Strong, once));
    }
    let end = state.turns.get(&TurnId::SWAP);
    Some(match end.and_then(|turn| turn.end.as_ref()) {
        Some(TurnEnd::Admitted(_)) => {
            let again = state.swap_ruling().map(|ruling| ruling.winner.seat());
            match again.filter(|again| *again != first) {
                None => {
                    let said = "same winner with the sides swapped";
                    (Style::Strong, format!("{once} · {said}"))
                }
                Some(again) => {
                    let again = describe_winner(state, again);
                    let said = format!("{once}; with the sides swapped, {again}");
                    (Style::Warn, said)
                }
            }
        }
        Some(TurnEnd::Lost { cause, .. }) => {
            let why = cause.code.describe();
            let said = format!("{once}; no ruling with the sides swapped: {why}");
            (Style::Strong, said)
        }
        None => {
            let said = format!("{once}; not asked with the sides swapped");
            (Style::Strong, said)
        }
    })
}

/// Returns the row that names the judge, or every ruling and trial if the headline omits any.
pub(super) fn judges_row(state: &State, verdict: &Verdict) -> Row {
    if needs_judges_row(state, verdict) {
        let (style, judges) = rulings_and_trials(state, verdict);
        return Row::styled("Judges", style, vec![judges]);
    }
    let judge = verdict.readings.judge.as_ref();
    let tool = judge.and_then(|reading| reading.tool.as_ref());
    Row::new("Judge", tool.map(ToString::to_string).into_iter().collect())
}

/// Returns each judge's ruling and the result of each trial.
fn rulings_and_trials(state: &State, verdict: &Verdict) -> (Style, String) {
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
    said.extend(describe_swap_trial(verdict, describe_why_missing));
    let said: Vec<_> = said.into_iter().filter(|text| !text.is_empty()).collect();
    let style = match verdict.stability.swap {
        Trial::Flipped => Style::Warn,
        Trial::Same | Trial::NotRun => Style::Plain,
    };
    (style, plain_line(&said.join("; ")))
}

/// Returns whether the "Judges" row is needed because the headline omits something about the
/// rulings.
fn needs_judges_row(state: &State, verdict: &Verdict) -> bool {
    if state.closed != Some(Outcome::Judged) {
        return false;
    }
    let off = verdict.stability.swap_reason.as_deref() == Some("off");
    let steady = verdict.stability.swap == Trial::Same || off;
    let swap = verdict.readings.swap.as_ref();
    let otherwise = swap.is_some_and(JudgeReading::differs_from_verdict);
    !steady || otherwise || verdict.stability.panel.is_some()
}

/// Returns what each side answered before it saw the other's answer.
pub(super) fn first_answer_entries(state: &State, verdict: &Verdict) -> Vec<String> {
    let Some(blind) = verdict
        .blind
        .as_ref()
        .filter(|_| state.closed != Some(Outcome::Agreed))
    else {
        return Vec::new();
    };
    if let Some(vote) = &blind.vote {
        return vec![format!("both sides: {}", plain_line(vote))];
    }
    let said = |seat, answer: &Option<String>| {
        let answer = answer
            .as_deref()
            .map_or_else(|| "lost".to_owned(), plain_line);
        format!("{}: {answer}", tool_or_seat_name(state, seat))
    };
    let sides = [
        said(Seat::Proposer, &blind.proposer),
        said(Seat::Challenger, &blind.challenger),
    ];
    let both = blind.proposer.is_some() && blind.challenger.is_some();
    let split = match blind.agree {
        Some(false) if both => " · split 1–1 before the debate",
        Some(_) | None => "",
    };
    vec![format!("{}{split}", sides.join(" · "))]
}

/// Returns what both sides accept, each with the points that show it.
pub(super) fn agreement_entries(state: &State, agreements: &[AgreedPoint]) -> Vec<String> {
    let entry = |agreed: &AgreedPoint| {
        let ids = agreed.evidence.iter();
        let ids: Vec<_> = ids.map(|&id| name_with_fault(state, id)).collect();
        match ids.as_slice() {
            [] => plain_line(&agreed.point),
            ids => format!("{} ({})", plain_line(&agreed.point), ids.join(", ")),
        }
    };
    agreements.iter().map(entry).collect()
}

/// Returns each remaining disagreement with both sides' views; `name` returns a side's name.
pub(super) fn disagreement_entries(
    disagreements: &[Disagreement],
    name: &dyn Fn(Seat) -> String,
) -> Vec<String> {
    let entry = |differ: &Disagreement| {
        format!(
            "{} — {}: {} — {}: {}",
            plain_line(&differ.point),
            name(Seat::Proposer),
            plain_line(&differ.proposer),
            name(Seat::Challenger),
            plain_line(&differ.challenger)
        )
    };
    disagreements.iter().map(entry).collect()
}

/// Returns each open question and what would settle it.
pub(super) fn open_entries(open: &[OpenQuestion]) -> Vec<String> {
    let entry = |open: &OpenQuestion| {
        let (question, settle) = (plain_line(&open.question), plain_line(&open.to_settle));
        match settle.is_empty() {
            true => question,
            false => format!("{question} To settle: {settle}"),
        }
    };
    open.iter().map(entry).collect()
}

/// Returns what both sides assumed.
pub(super) fn assumption_entries(assumed: &[String]) -> Vec<String> {
    let entry = |text: &String| plain_line(text);
    let mut assumed: Vec<_> = assumed.iter().map(entry).collect();
    if let Some(first) = assumed.first_mut().filter(|first| !first.is_empty()) {
        first.insert_str(0, "By both, unchecked: ");
    }
    assumed
}

/// Returns the judge's grades of the debate.
pub(super) fn quality_text(quality: &Quality) -> String {
    format!(
        "genuine disagreement {} · evidence {} · depth of the challenge {}",
        quality.genuine_disagreement.label(),
        quality.evidence.label(),
        quality.challenge_depth.label()
    )
}

/// Returns a judge's complete ruling, except the winner.
pub(super) fn ruling_lines(state: &State, ruling: &Ruling, width: usize) -> Vec<Line> {
    let text = |text: &str| vec![plain_line(text)];
    let seat = |seat: Seat| seat.to_string();
    let decisive = ruling.decisive.iter();
    let decisive = decisive.map(|&id| name_with_fault(state, id));
    let rows = [
        Row::styled("Answer", Style::Strong, text(&ruling.answer)),
        Row::new("Why", text(&ruling.why)),
        Row::new("Do next", text(&ruling.do_next)),
        Row::new("Unless", text(&ruling.unless)),
        Row::new("Decisive", decisive.collect()),
        Row::new("Agreements", agreement_entries(state, &ruling.agreements)),
        Row::new(
            "Disagreements",
            disagreement_entries(&ruling.disagreements, &seat),
        ),
        Row::new("Still open", open_entries(&ruling.open)),
        Row::new("Assumed", assumption_entries(&ruling.assumed_by_both)),
        Row::new("Quality", ruling.quality.iter().map(quality_text).collect()),
    ];
    let lines = lay_out_rows(&rows, WIDE_LABEL, width.saturating_sub(2)).into_iter();
    let indented = lines.map(|line| {
        let mut whole = Line::default().with(Style::Plain, "  ");
        whole.spans.extend(line.spans);
        whole
    });
    indented.collect()
}
