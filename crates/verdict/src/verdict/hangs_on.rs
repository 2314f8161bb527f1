//! The points that a verdict hangs on according to the argument graph.

use agon_record::id::{NodeId, Seat};
use agon_record::state::State;

use super::document::Verdict;
use super::reading::{FlipSearch, MAX_POINTS, graph_reading};

/// Adds the graph's result to a verdict with a winner.
///
/// The graph names points only if it favors the winner and some points reverse that.
pub(super) fn add_graph_reading(state: &State, verdict: &mut Verdict) {
    let judged = verdict.readings.judge.is_some() || verdict.readings.tally.is_some();
    if !judged {
        return;
    }
    let reading = graph_reading(state);
    if verdict.winner.is_some() && reading.scored.winner == verdict.winner {
        verdict.graph_hangs_on.clone_from(&reading.flip);
    }
    verdict.readings.graph = Some(reading);
}

/// Returns the graph's result in a sentence: the points without which it favors the other side, or
/// why it names none. `None` if the graph was not computed.
pub fn graph_sentence(verdict: &Verdict) -> Option<String> {
    let reading = verdict.readings.graph.as_ref()?;
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
    if let (false, Some(other)) = (verdict.graph_hangs_on.is_empty(), other) {
        let ids = verdict.graph_hangs_on.iter().map(NodeId::to_string);
        let ids: Vec<_> = ids.collect();
        return Some(format!(
            "Take away {} and {} is ahead.",
            ids.join(", "),
            named(other)
        ));
    }
    Some(match (reading.scored.winner, reading.search) {
        (None, _) if !reading.scored.status.is_settled() => {
            "The strengths in the argument graph do not settle.".to_owned()
        }
        (None, _) => "Counting all arguments, neither side is ahead.".to_owned(),
        (Some(winner), _) if verdict.winner != Some(winner) => {
            format!("Counting all arguments, {} is ahead.", named(winner))
        }
        (Some(_), FlipSearch::Limit) => format!(
            "The search for points that would change this hit its limit; run: agon graph {}",
            verdict.debate
        ),
        (Some(_), FlipSearch::Complete | FlipSearch::NotRun) => {
            format!("Taking away any {MAX_POINTS} points leaves the same side ahead.")
        }
    })
}
