//! Who sits where in a formal debate: any tool in any seat, and any number of judges.

use std::collections::BTreeMap;

use agon_caller::Failure;
use agon_record::id::Seat;
use agon_record::spec::Seating;

use super::{
    Candidate, SeatWish, choose_unlike_opponent, named_candidate, nobody_judges, panel,
    preferred_judges, ready_tools, seating,
};

/// What was asked for every seat of a formal debate.
#[derive(Clone, Debug, Default)]
pub struct FormalWishes {
    /// The proposition and the opposition.
    pub sides: [SeatWish; 2],
    /// The judges, the first one first; at least one.
    pub judges: Vec<SeatWish>,
}

/// Assigns a tool to every seat of a formal debate.
///
/// Named tools take their seats or are refused. Empty seats go to tools that
/// can speak, of different vendors where there are; where there is but one, it
/// takes them all.
///
/// # Errors
///
/// If a named tool cannot speak, or no tool can.
pub fn seat_formal(
    wishes: &FormalWishes,
    candidates: &[Candidate],
) -> Result<BTreeMap<Seat, Seating>, Failure> {
    let [one, other] = &wishes.sides;
    let mut sides = [
        named_candidate(one, "proposition", candidates)?,
        named_candidate(other, "opposition", candidates)?,
    ];
    for at in 0..2 {
        if sides[at].is_none() {
            let beside = sides[1 - at];
            let found = choose_unlike_opponent(beside, candidates);
            let alone = || {
                let beside = beside.filter(|beside| !beside.is_human());
                beside.or_else(|| ready_tools(candidates).next())
            };
            sides[at] = Some(found.or_else(|none| alone().ok_or(none))?);
        }
    }
    let mut seats = BTreeMap::new();
    let places = [Seat::Proposition, Seat::Opposition];
    for ((place, wish), tool) in places.into_iter().zip(&wishes.sides).zip(sides) {
        seats.extend(tool.map(|tool| (place, seating(tool, wish))));
    }
    let preferred = match sides {
        [Some(one), Some(other)] => preferred_judges(one, other, candidates),
        [Some(_) | None, _] => Vec::new(),
    };
    let panel = panel::panel(&wishes.judges, &preferred, candidates)?;
    if panel.is_empty() {
        return Err(nobody_judges(candidates));
    }
    let panel = (1..).zip(panel.iter().zip(&wishes.judges));
    seats.extend(panel.map(|(number, (judge, wish))| (Seat::Judge(number), seating(judge, wish))));
    Ok(seats)
}

#[cfg(test)]
mod tests {
    use agon_caller::Code;

    use super::*;
    use crate::seating::candidate;

    fn candidates(tools: &[(&str, &str)]) -> Vec<Candidate> {
        tools
            .iter()
            .map(|(tool, vendor)| candidate(tool, vendor))
            .collect()
    }

    fn wish(tool: &str) -> SeatWish {
        SeatWish {
            tool: (!tool.is_empty()).then(|| tool.to_owned()),
            ..SeatWish::default()
        }
    }

    fn seated(wishes: [&str; 2], judges: &[&str], tools: &[(&str, &str)]) -> Vec<String> {
        let wishes = FormalWishes {
            sides: wishes.map(wish),
            judges: judges.iter().map(|judge| wish(judge)).collect(),
        };
        let seats = seat_formal(&wishes, &candidates(tools)).unwrap();
        let line = |(seat, seating): (&Seat, &Seating)| format!("{seat} {}", seating.tool);
        seats.iter().map(line).collect()
    }

    const THREE: &[(&str, &str)] = &[
        ("claude", "anthropic"),
        ("codex", "openai"),
        ("gemini", "google"),
    ];

    #[test]
    fn empty_seats_go_to_three_vendors_where_there_are() {
        let expected = ["proposition claude", "opposition codex", "judge gemini"];
        assert_eq!(seated(["", ""], &[""], THREE), expected);
        let expected = ["proposition codex", "opposition gemini", "judge claude"];
        assert_eq!(seated(["codex", "gemini"], &[""], THREE), expected);
    }

    #[test]
    fn one_tool_may_sit_in_every_seat() {
        let expected = ["proposition claude", "opposition claude", "judge claude"];
        assert_eq!(seated(["", ""], &[""], &THREE[..1]), expected);
        let panel = ["claude", "claude", "codex"];
        assert_eq!(
            seated(["claude", "claude"], &panel, THREE),
            [
                "proposition claude",
                "opposition claude",
                "judge claude",
                "judge-2 claude",
                "judge-3 codex"
            ]
        );
    }

    #[test]
    fn nobody_to_seat_is_said() {
        let wishes = FormalWishes {
            judges: vec![SeatWish::default()],
            ..FormalWishes::default()
        };
        let refused = seat_formal(&wishes, &[]).unwrap_err();
        assert_eq!(refused.code, Code::TooFewTools);
    }
}
