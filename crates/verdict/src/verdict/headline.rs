//! What stands behind an answer, in one line.
//!
//! Every screen and document has this line, so that none hides a lost judge, a substitute or a turn
//! that is missing.

use agon_record::authority::Authority;
use agon_record::event::Outcome;
use agon_record::id::{Seat, TurnId};
use agon_record::spec::Replaced;
use agon_record::spec::ToolName;
use agon_record::state::State;
use agon_record::tally;

use super::citations::decisive_faults;
use super::document::Verdict;
use super::rigor::is_one_small_model;
use super::stability::Trial;

/// The remark that warns of a verdict of the built-in model.
const BUILT_IN: &str = "the built-in model's verdict, not to be relied on";

/// What supports the answer, as `for claude · same answer both ways round · all seats present`.
///
/// A debate that lacks something of what was planned says what: turns, judges, an answer that stays
/// when the sides are swapped.
pub fn headline(state: &State, verdict: &Verdict) -> String {
    let replaced = state.replaced.iter().map(Replaced::describe);
    let is_small = is_one_small_model(state);
    let small = is_small.then(|| BUILT_IN.to_owned());
    if state.is_scored() {
        let parts = std::iter::once(tally_headline(state)).chain(small);
        return parts.chain(replaced).collect::<Vec<_>>().join(" · ");
    }
    if let Some(one_sided) = &verdict.one_sided {
        let parts = [one_sided.headline(state), "not judged".to_owned()];
        let parts = parts.into_iter().chain(small).chain(replaced);
        return parts.collect::<Vec<_>>().join(" · ");
    }
    let winner = verdict.winner.map(|seat| winner_part(state, seat));
    if verdict.authority == Authority::Uncontested {
        let parts = winner.into_iter().chain([uncontested_part(state)]);
        let parts = parts.chain(small).chain(replaced);
        return parts.collect::<Vec<_>>().join(" · ");
    }
    let panel = verdict.stability.panel.as_ref();
    let panel = panel.map(|panel| format!("{} of {} judges", panel.in_favour, panel.judges));
    let mut remarks: Vec<String> = Vec::new();
    remarks.extend(authority_part(verdict));
    remarks.extend(early_part(state));
    if verdict.authority != Authority::BuiltInModel {
        remarks.extend(small);
        if !is_small {
            remarks.extend(judge_part(state));
        }
    }
    remarks.extend(silent_judges_part(state));
    if remarks.is_empty() {
        remarks.push("all seats present".to_owned());
    }
    remarks.extend(replaced);
    let parts = winner.into_iter().chain(panel);
    let parts = parts.chain(swap_part(verdict).map(str::to_owned));
    let parts = parts.chain(remarks).chain(faults_part(state, verdict));
    parts.collect::<Vec<_>>().join(" · ")
}

/// The decisive points whose citations do not hold; none where all do.
fn faults_part(state: &State, verdict: &Verdict) -> Option<String> {
    let faulty = decisive_faults(state, verdict);
    (!faulty.is_empty()).then(|| format!("hangs on {}", faulty.join(", ")))
}

fn winner_part(state: &State, seat: Seat) -> String {
    let tool = |seat| state.seats.get(&seat).map(|seating| &seating.tool);
    let twin = seat.opponent().and_then(tool);
    match tool(seat) {
        Some(tool) if Some(tool) != twin => format!("for {tool}"),
        Some(_) | None => format!("for {seat}"),
    }
}

fn uncontested_part(state: &State) -> String {
    match state.closed == Some(Outcome::Agreed) {
        true => "both sides agree, not judged".to_owned(),
        false => "uncontested, not judged".to_owned(),
    }
}

fn swap_part(verdict: &Verdict) -> Option<&'static str> {
    let swap = verdict.readings.swap.as_ref();
    let has_other_answer = swap.is_some_and(|swap| swap.answer.is_some());
    let has_other_step = swap.is_some_and(|swap| swap.do_next.is_some());
    match verdict.stability.swap {
        Trial::Same if has_other_answer => Some("same side both ways round, another answer"),
        Trial::Same if has_other_step => Some("same answer both ways round, another next step"),
        Trial::Same => Some("same answer both ways round"),
        Trial::Flipped => Some("the judge changed sides when they were swapped"),
        Trial::NotRun => None,
    }
}

/// What the authority lacks; none where it is full.
fn authority_part(verdict: &Verdict) -> Option<String> {
    match verdict.authority {
        Authority::Full | Authority::Uncontested => None,
        Authority::Unstable => Some("unstable".to_owned()),
        Authority::BuiltInModel => Some(BUILT_IN.to_owned()),
        Authority::Partial => Some(match verdict.missing.as_slice() {
            [] => "partial".to_owned(),
            [one] if one.round == 0 => format!("partial, without the {}'s first answer", one.seat),
            [one] => format!("partial, without the {}'s round {}", one.seat, one.round),
            several => format!("partial, {} turns missing", several.len()),
        }),
    }
}

/// How far the debate had come when the user sent it to the judge.
fn early_part(state: &State) -> Option<String> {
    let (spoken, planned) = (state.rounds_completed(), state.planned_rounds());
    (state.is_judge_order_in_effect() && spoken < planned)
        .then(|| format!("judged early, after round {spoken} of {planned}"))
}

/// Who judged, where that is not what was planned or is a debater's tool.
fn judge_part(state: &State) -> Option<String> {
    let (seat, _) = state.prevailing_ruling()?;
    let tool = &state.seats.get(&seat)?.tool;
    let mut sides = [Seat::Proposer, Seat::Challenger].into_iter();
    let debater = sides.find(|side| {
        let side = state.seats.get(side);
        side.is_some_and(|side| side.tool == *tool)
    });
    let lost: Vec<_> = state
        .lost_judges()
        .iter()
        .map(|(judge, _)| &judge.tool)
        .collect();
    let lost = join_tools(&lost);
    match (debater, lost) {
        (None, None) => None,
        (Some(side), None) => Some(format!("judged by the {side}'s tool")),
        (None, Some(lost)) => Some(format!("judged by {tool} in place of {lost}")),
        (Some(side), Some(lost)) => Some(format!("judged by the {side}'s tool in place of {lost}")),
    }
}

/// The judges of a panel that did not rule, while another did.
fn silent_judges_part(state: &State) -> Option<String> {
    state.prevailing_ruling()?;
    let judges = state.seats.iter().filter(|(seat, _)| seat.is_judge());
    let silent = judges.filter(|&(&seat, _)| state.admitted(TurnId::verdict(seat)).is_none());
    let silent: Vec<_> = silent.map(|(_, judge)| &judge.tool).collect();
    Some(format!("{} did not judge", join_tools(&silent)?))
}

fn join_tools(tools: &[&ToolName]) -> Option<String> {
    let (last, others) = tools.split_last()?;
    let others: Vec<_> = others.iter().map(|tool| tool.as_str()).collect();
    Some(match others.is_empty() {
        true => last.to_string(),
        false => format!("{} and {last}", others.join(", ")),
    })
}

/// Who leads a formal debate, by how much, after how many exchanges.
fn tally_headline(state: &State) -> String {
    let totals = tally::side_totals(state);
    let totals = state.spec.format().sides().map(|seat| {
        let total = totals.get(&seat).copied().unwrap_or_default();
        total.total.to_string()
    });
    let leads = match tally::leading_side(state) {
        Some(seat) => format!("the {seat} leads"),
        None => "neither side leads".to_owned(),
    };
    let exchanges = match state.rounds_completed() {
        1 => "1 exchange judged".to_owned(),
        judged => format!("{judged} exchanges judged"),
    };
    format!("{leads}, {} to {} · {exchanges}", totals[0], totals[1])
}
