//! What a verdict hangs on, and by whose account.

use agon_record::id::Seat;
use agon_record::state::State;

use super::document::Verdict;
use super::reading::{FlipSearch, HangsOnBy, MAX_POINTS, graph_reading};

/// Adds what the graph says to a verdict with a winner.
///
/// A verdict hangs on what the graph says when the graph is for the same side and some points turn
/// it, else on what the judge named as decisive.
pub(super) fn add_graph_reading(state: &State, verdict: &mut Verdict) {
    let judged = verdict.readings.judge.is_some() || verdict.readings.tally.is_some();
    if !judged {
        return;
    }
    let reading = graph_reading(state);
    let agrees = verdict.winner.is_some() && reading.scored.winner == verdict.winner;
    if agrees && !reading.flip.is_empty() {
        verdict.hangs_on.clone_from(&reading.flip);
        verdict.hangs_on_by = Some(HangsOnBy::Graph);
    } else if !verdict.hangs_on.is_empty() {
        verdict.hangs_on_by = Some(HangsOnBy::Judge);
    }
    verdict.readings.graph = Some(reading);
}

/// What the verdict hangs on by whose account, in a sentence or two; none when there is no reading.
pub fn hangs_on_sentence(verdict: &Verdict) -> Option<String> {
    let reading = verdict.readings.graph.as_ref()?;
    let it = match verdict.hangs_on.as_slice() {
        [_] => "it",
        _ => "them",
    };
    let named = |seat: Seat| {
        let blind = verdict.blind.as_ref();
        let answer = blind
            .filter(|blind| blind.agree != Some(true))
            .and_then(|blind| match seat {
                Seat::Proposer => blind.proposer.as_deref(),
                Seat::Challenger => blind.challenger.as_deref(),
                Seat::Proposition | Seat::Opposition | Seat::Judge(_) => None,
            });
        match answer {
            Some(answer) => format!("the {seat} ({answer})"),
            None => format!("the {seat}"),
        }
    };
    let other = reading.scored.winner.and_then(Seat::opponent);
    if verdict.hangs_on_by == Some(HangsOnBy::Graph) {
        return Some(format!(
            "Without {it} the arguments that are left favour {}.",
            named(other?)
        ));
    }
    let why = match (reading.scored.winner, reading.search) {
        (None, _) if !reading.scored.status.is_settled() => {
            "the strengths of the arguments do not settle".to_owned()
        }
        (None, _) => "the arguments favour neither side".to_owned(),
        (Some(winner), _) if verdict.winner != Some(winner) => {
            format!("the arguments as they stand favour {}", named(winner))
        }
        (Some(_), FlipSearch::Limit) => {
            format!(
                "the points that turn it take longer to find: agon graph {}",
                verdict.debate
            )
        }
        (Some(_), FlipSearch::Complete | FlipSearch::NotRun) => {
            format!("without any {MAX_POINTS} points the arguments favour the same side")
        }
    };
    Some(match verdict.hangs_on_by {
        Some(HangsOnBy::Graph | HangsOnBy::Judge) => format!("By the judge's account; {why}."),
        None if reading.search == FlipSearch::Limit => format!("Not known here: {why}."),
        None => format!("On no few points: {why}."),
    })
}
