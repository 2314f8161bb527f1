//! Chooses the judge or the panel of judges.

use agon_caller::Failure;
use agon_record::id::Seat;

use super::{Candidate, SeatWish, named_candidate};

/// Returns the judges for `wishes`, in order.
///
/// Named tools take their seats. Each other seat goes to the first of `preferred` that is not on
/// the panel, preferably of a new vendor. If all are on it, the seat goes to the one with the
/// fewest seats.
///
/// # Errors
///
/// If a named tool is not ready.
pub(super) fn choose_judges<'a>(
    wishes: &[SeatWish],
    preferred: &[&'a Candidate],
    candidates: &'a [Candidate],
) -> Result<Vec<&'a Candidate>, Failure> {
    let places = (1..).map(Seat::Judge).zip(wishes);
    let seats: Result<Vec<_>, _> = places
        .map(|(place, wish)| named_candidate(wish, &place.to_string(), candidates))
        .collect();
    let mut seats = seats?;
    for at in 0..seats.len() {
        if seats[at].is_none() {
            let sitting: Vec<_> = seats.iter().copied().flatten().collect();
            seats[at] = next_judge(preferred, &sitting);
        }
    }
    Ok(seats.into_iter().flatten().collect())
}

fn next_judge<'a>(preferred: &[&'a Candidate], sitting: &[&Candidate]) -> Option<&'a Candidate> {
    let times = |judge: &Candidate| sitting.iter().filter(|one| one.tool == judge.tool).count();
    let related = |judge: &Candidate| {
        !judge.vendor.is_empty() && sitting.iter().any(|one| one.vendor == judge.vendor)
    };
    let judges = preferred.iter().copied();
    judges.min_by_key(|judge| (times(judge), related(judge)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seating::candidate;

    fn seated(wishes: &[&str], preferred: &[(&str, &str)]) -> Vec<String> {
        let candidates: Vec<_> = preferred
            .iter()
            .map(|(tool, vendor)| candidate(tool, vendor))
            .collect();
        let preferred: Vec<_> = candidates.iter().collect();
        let wish = |tool: &&str| SeatWish {
            tool: (!tool.is_empty()).then(|| (*tool).to_owned()),
            ..SeatWish::default()
        };
        let wishes: Vec<_> = wishes.iter().map(wish).collect();
        let panel = choose_judges(&wishes, &preferred, &candidates).unwrap();
        panel.iter().map(|judge| judge.tool.to_string()).collect()
    }

    const TOOLS: &[(&str, &str)] = &[
        ("gemini", "google"),
        ("antigravity", "google"),
        ("opencode", ""),
        ("codex", "openai"),
    ];

    #[test]
    fn a_panel_is_of_different_vendors_where_there_are() {
        assert_eq!(seated(&[""], TOOLS), ["gemini"]);
        assert_eq!(
            seated(&["", "", "", ""], TOOLS),
            ["gemini", "opencode", "codex", "antigravity"]
        );
    }

    #[test]
    fn named_judges_sit_where_they_are_named_and_count_for_the_others() {
        assert_eq!(
            seated(&["", "gemini", ""], TOOLS),
            ["opencode", "gemini", "codex"]
        );
        assert_eq!(seated(&["codex", "codex"], TOOLS), ["codex", "codex"]);
    }

    #[test]
    fn with_too_few_tools_they_judge_in_turn() {
        assert_eq!(
            seated(&["", "", ""], &TOOLS[..2]),
            ["gemini", "antigravity", "gemini"]
        );
    }
}
