//! Finds the point of a turn that a finding is about.

use agon_record::finding::Finding;
use agon_record::moves::Moves;
use agon_record::state::State;

/// Returns the index of the point in its turn that a finding is about.
pub fn finding_point_index(state: &State, finding: &Finding) -> Option<usize> {
    let moves = &state.admitted(finding.turn)?.moves;
    if let Moves::Formal(_) = moves {
        return formal_point_index(&finding.at);
    }
    let (list, rest) = finding.at.split_once('[')?;
    let at: usize = rest.split(']').next()?.parse().ok()?;
    Some(point_list_offset(moves, list)? + at)
}

/// Returns the index for a formal turn, whose arguments are a list or a single argument.
fn formal_point_index(at: &str) -> Option<usize> {
    match at.strip_prefix('[') {
        Some(rest) => rest.split(']').next()?.parse().ok(),
        None => Some(0),
    }
}

/// Returns how many points of the turn come before the points of `list`.
fn point_list_offset(moves: &Moves, list: &str) -> Option<usize> {
    let lists: Vec<(&str, usize)> = match moves {
        Moves::Opening(opening) => vec![("arguments", opening.arguments.len())],
        Moves::Challenge(challenge) => vec![
            ("objections", challenge.objections.len()),
            ("agreements", challenge.agreements.len()),
            ("alternatives", challenge.alternatives.len()),
        ],
        Moves::Defense(defense) => vec![
            ("responses", defense.responses.len()),
            ("arguments", defense.arguments.len()),
        ],
        Moves::FollowUp(follow_up) => vec![
            ("assessments", follow_up.assessments.len()),
            ("objections", follow_up.objections.len()),
            ("agreements", follow_up.agreements.len()),
            ("alternatives", follow_up.alternatives.len()),
        ],
        Moves::Blind(_) | Moves::Verdict(_) | Moves::Formal(_) => Vec::new(),
    };
    let place = lists.iter().position(|(name, _)| *name == list)?;
    Some(lists[..place].iter().map(|(_, points)| points).sum())
}
