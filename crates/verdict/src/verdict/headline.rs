//! The headline of a verdict: the basis of its answer in one line.
//!
//! Every screen and document shows it, so that none hides a lost judge, a substitute or a missing
//! turn.

use agon_record::authority::Authority;
use agon_record::event::Outcome;
use agon_record::format::Judging;
use agon_record::id::{Seat, TurnId};
use agon_record::spec::Replaced;
use agon_record::spec::ToolName;
use agon_record::state::State;
use agon_record::tally;

use super::citations::decisive_faults;
use super::document::Verdict;
use super::doubt;
use super::rigor::is_built_in_model_only;
use super::stability::Trial;

/// The warning about a verdict of the built-in model.
const BUILT_IN: &str = "the built-in model's verdict: do not rely on it";

/// Returns the headline, such as `the proposer (claude) wins · same ruling with the sides swapped ·
/// judged by the challenger's tool`.
///
/// It names everything that makes the verdict less certain: missing turns, a substitute, a judge of
/// a side's vendor, an answer that changes with the sides swapped, and decisive points with a wrong
/// citation.
pub fn headline(state: &State, verdict: &Verdict) -> String {
    let parts = headline_parts(state, verdict).into_iter();
    let parts = parts.chain(faults_part(state, verdict));
    parts.collect::<Vec<_>>().join(" · ")
}

/// Returns the parts of [`headline`] without the decisive points with wrong citations, for a screen
/// that lists them elsewhere.
pub fn headline_parts(state: &State, verdict: &Verdict) -> Vec<String> {
    let replaced = state.replaced.iter().map(Replaced::describe);
    let is_small = is_built_in_model_only(state);
    let small = is_small.then(|| BUILT_IN.to_owned());
    if state.format_rules().judging == Judging::EachRound {
        let doubts = doubt::short_doubts(state).into_iter();
        let parts = tally_parts(state, verdict).into_iter().chain(small);
        return parts.chain(doubts).chain(replaced).collect();
    }
    if let Some(one_sided) = &verdict.one_sided {
        let parts = [one_sided.headline(state), "not judged".to_owned()];
        return parts.into_iter().chain(small).chain(replaced).collect();
    }
    let winner = verdict.winner.map(|seat| describe_winner(state, seat));
    if verdict.authority == Authority::Uncontested {
        let parts = winner.into_iter().chain([uncontested_part(state)]);
        return parts.chain(small).chain(replaced).collect();
    }
    let mut remarks: Vec<String> = Vec::new();
    // If the judge changed sides, the part about the swap says so.
    let is_judge_the_reason =
        verdict.authority == Authority::Unstable && verdict.stability.swap != Trial::Flipped;
    let (reason, judge) = match (is_judge_the_reason, judge_part(state)) {
        (true, judge) => (judge, None),
        (false, judge) => (None, judge),
    };
    let authority = authority_part(verdict).map(|part| match &reason {
        Some(reason) => format!("{part}: {reason}"),
        None => part,
    });
    remarks.extend(authority);
    remarks.extend(early_judging_part(state));
    if verdict.authority != Authority::BuiltInModel {
        remarks.extend(small);
        if !is_small {
            remarks.extend(judge);
            remarks.extend(doubt::short_doubts(state));
        }
    }
    remarks.extend(silent_judges_part(state));
    remarks.extend(unseen_notes_part(verdict));
    remarks.extend(replaced);
    let parts = winner.into_iter().chain(panel_part(verdict));
    let parts = parts.chain(swap_part(verdict).map(str::to_owned));
    parts.chain(remarks).collect()
}

/// Returns the decisive points with wrong or missing citations; `None` if there are none.
fn faults_part(state: &State, verdict: &Verdict) -> Option<String> {
    let faulty = decisive_faults(state, verdict);
    (!faulty.is_empty()).then(|| format!("hangs on {}", faulty.join(", ")))
}

/// Returns the winner, such as `the proposer (claude) wins`, without the tool if both sides have
/// the same.
pub fn describe_winner(state: &State, seat: Seat) -> String {
    format!("{} wins", name_side(state, seat))
}

/// Returns a side with its tool, such as `the proposer (claude)`.
pub fn name_side(state: &State, seat: Seat) -> String {
    let tool = |seat| state.seats.get(&seat).map(|seating| &seating.tool);
    let twin = seat.opponent().and_then(tool);
    match tool(seat) {
        Some(tool) if Some(tool) != twin => format!("the {seat} ({tool})"),
        Some(_) | None => format!("the {seat}"),
    }
}

/// Returns how many judges of a panel chose the winner.
fn panel_part(verdict: &Verdict) -> Option<String> {
    let panel = verdict.stability.panel.as_ref()?;
    let tie = if panel.tie {
        ", a tie broken by the first judge"
    } else {
        ""
    };
    Some(format!(
        "{} of {} judges{tie}",
        panel.in_favour, panel.judges
    ))
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
    let is_panel = verdict.stability.panel.is_some();
    match (verdict.stability.swap, &verdict.stability.swap_reason) {
        (Trial::Same, _) if has_other_answer => {
            Some("same winner with the sides swapped, but a different answer")
        }
        (Trial::Same, _) if has_other_step => {
            Some("same ruling with the sides swapped, but a different next step")
        }
        (Trial::Same, _) => Some("same ruling with the sides swapped"),
        (Trial::Flipped, _) => {
            Some("the judge changed sides when they were swapped; its first ruling counts")
        }
        (Trial::NotRun, _) if verdict.authority == Authority::BuiltInModel => None,
        (Trial::NotRun, Some(reason)) if !is_single_ruling_planned(reason) => {
            Some("the second ruling, with the sides swapped, is missing")
        }
        (Trial::NotRun, _) => (!is_panel).then_some("the judge was asked only once"),
    }
}

/// Returns whether only one ruling was planned, from the reason why the sides were not swapped.
fn is_single_ruling_planned(reason: &str) -> bool {
    ["off", "human_judge", "unjudged"].contains(&reason)
}

/// Returns why the verdict lacks full authority; `None` if it has it.
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

/// Returns after which round the user sent the debate to the judge, if early.
fn early_judging_part(state: &State) -> Option<String> {
    let (spoken, planned) = (state.rounds_completed(), state.planned_rounds());
    (state.is_judge_order_in_effect() && spoken < planned)
        .then(|| format!("judged early, as you asked, after round {spoken} of {planned}"))
}

/// Returns who judged, if it was a substitute or a debater's tool.
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

/// Returns the judges of a panel that did not rule, if any judge did.
fn silent_judges_part(state: &State) -> Option<String> {
    state.prevailing_ruling()?;
    let judges = state.seats.iter().filter(|(seat, _)| seat.is_judge());
    let silent = judges.filter(|&(&seat, _)| state.admitted(TurnId::verdict(seat)).is_none());
    let silent: Vec<_> = silent.map(|(_, judge)| &judge.tool).collect();
    Some(format!("{} did not judge", join_tools(&silent)?))
}

/// Returns the user's inputs that came after the judge was asked.
fn unseen_notes_part(verdict: &Verdict) -> Option<String> {
    let unseen = verdict.notes.iter().filter(|note| !note.heard_by_judge);
    let unseen: Vec<_> = unseen.map(|note| note.id.as_str()).collect();
    (!unseen.is_empty()).then(|| format!("the judge did not see {}", unseen.join(", ")))
}

fn join_tools(tools: &[&ToolName]) -> Option<String> {
    let (last, others) = tools.split_last()?;
    let others: Vec<_> = others.iter().map(|tool| tool.as_str()).collect();
    Some(match others.is_empty() {
        true => last.to_string(),
        false => format!("{} and {last}", others.join(", ")),
    })
}

/// Returns the leading side of a formal debate, its lead and the number of judged exchanges.
fn tally_parts(state: &State, verdict: &Verdict) -> Vec<String> {
    let totals = tally::side_totals(state);
    let totals = state.spec.format().sides().map(|seat| {
        let total = totals.get(&seat).copied().unwrap_or_default();
        total.total.to_string()
    });
    let leads = match tally::leading_side(state) {
        Some(seat) => format!("{} leads", name_side(state, seat)),
        None => "neither side leads".to_owned(),
    };
    let one = state.format_rules().rounds.one;
    let rounds = match state.rounds_completed() {
        1 => format!("1 {one} judged"),
        judged => format!("{judged} {one}s judged"),
    };
    let mut parts = vec![
        format!("{leads} on score, {} to {}", totals[0], totals[1]),
        rounds,
    ];
    parts.extend(panel_part(verdict));
    parts
}
