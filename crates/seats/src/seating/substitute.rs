//! Substitutes of debaters whose tools cannot be used.

use std::collections::BTreeMap;

use agon_agents::profile::ModelClasses;
use agon_record::event::{Cause, CauseCode};
use agon_record::id::Seat;
use agon_record::spec::Replaced;
use agon_record::spec::Seating;

use super::{Candidate, Ready, SeatWish, Wishes, ready_tools, seating_for};

/// Returns the substitutes of the debater in `seat`, in order: first tools without a seat,
/// preferably not of the opponent's vendor, then other models of seated tools. A person has none.
pub fn side_substitutes(
    seats: &BTreeMap<Seat, Seating>,
    seat: Seat,
    candidates: &[Candidate],
) -> Vec<Seating> {
    let Some(before) = seats.get(&seat).filter(|before| !before.is_human()) else {
        return Vec::new();
    };
    let wish = SeatWish {
        effort: before.effort,
        ..SeatWish::default()
    };
    let opponent = seat.opponent().and_then(|other| seats.get(&other));
    let is_near = |one: &Candidate| {
        opponent.is_some_and(|other| !one.vendor.is_empty() && other.vendor == one.vendor)
    };
    let is_seated = |one: &Candidate| seats.values().any(|seated| seated.tool == one.tool);
    let mut free: Vec<_> = ready_tools(candidates)
        .filter(|one| !is_seated(one))
        .collect();
    free.sort_by_key(|one| is_near(one));
    let mut seated: Vec<_> = ready_tools(candidates)
        .filter(|one| is_seated(one))
        .collect();
    // Models of the tool that failed come last, because they may fail for the same reason.
    seated.sort_by_key(|one| (one.tool == before.tool, is_near(one)));
    let models = seated.into_iter().flat_map(|one| {
        let models = other_models(one, seats).into_iter();
        models.map(|model| {
            let wish = SeatWish {
                model: Some(model),
                ..wish.clone()
            };
            seating_for(one, &wish)
        })
    });
    let free = free.into_iter().map(|one| seating_for(one, &wish));
    free.chain(models).collect()
}

/// Returns the models of `candidate` without a seat, the fast one last.
fn other_models(candidate: &Candidate, seats: &BTreeMap<Seat, Seating>) -> Vec<String> {
    let Some(ModelClasses {
        fast,
        standard,
        strong,
        ..
    }) = &candidate.classes
    else {
        return Vec::new();
    };
    let mut models: Vec<String> = Vec::new();
    for model in [strong, standard, fast] {
        let sits = seats
            .values()
            .any(|seated| seated.tool == candidate.tool && seated.model.as_ref() == Some(model));
        if !sits && !models.contains(model) {
            models.push(model.clone());
        }
    }
    models
}

/// Tools that were named for seats but cannot be used.
#[derive(Clone, Debug)]
pub struct UnreadyTools(Vec<(Seat, Seating, Cause)>);

impl UnreadyTools {
    /// Returns whether every named tool can be used.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the seats they were named for.
    pub fn seats(&self) -> impl Iterator<Item = Seat> {
        self.0.iter().map(|(seat, ..)| *seat)
    }

    /// Returns the replacements, given the new `seats`.
    pub fn into_replacements(self, seats: &BTreeMap<Seat, Seating>) -> Vec<Replaced> {
        let replaced = self.0.into_iter().filter_map(|(seat, before, cause)| {
            let by = seats.get(&seat)?;
            Some(Replaced {
                seat,
                tool: before.tool,
                model: before.model,
                by: by.tool.clone(),
                by_model: by.model.clone(),
                cause: Some(cause),
                replies: 0,
            })
        });
        replaced.collect()
    }
}

/// Splits `wishes`: removes missing or logged-out tools from seats in which they `may` be replaced,
/// and returns them separately.
pub fn separate_unready_tools(
    wishes: &Wishes,
    candidates: &[Candidate],
    may: impl Fn(Seat) -> bool,
) -> (Wishes, UnreadyTools) {
    let find = |name: &Option<String>| {
        let name = name.as_deref()?;
        candidates.iter().find(|one| one.tool.as_str() == name)
    };
    let mut wishes = wishes.clone();
    let mut unready = Vec::new();
    let mut named: BTreeMap<Seat, &Candidate> = BTreeMap::new();
    for (seat, wish) in wishes.seats_mut() {
        let Some(found) = find(&wish.tool) else {
            continue;
        };
        match unready_cause(found).filter(|_| may(seat)) {
            None => drop(named.insert(seat, found)),
            Some(cause) => {
                unready.push((seat, seating_for(found, wish), cause));
                *wish = SeatWish {
                    effort: wish.effort,
                    ..SeatWish::default()
                };
            }
        }
    }
    // Adds each replacement to `named`, so that no tool replaces two others.
    for (seat, wish) in wishes.seats_mut() {
        let is_open = unready.iter().any(|(open, ..)| *open == seat) && !seat.is_judge();
        let is_free = |one: &&Candidate| named.values().all(|other| other.tool != one.tool);
        let opponent = seat.opponent().and_then(|other| named.get(&other).copied());
        let is_near = |one: &&Candidate| {
            opponent.is_some_and(|other| !one.vendor.is_empty() && other.vendor == one.vendor)
        };
        let free = ready_tools(candidates).filter(is_free).filter(|_| is_open);
        if let Some(free) = free.min_by_key(is_near) {
            wish.tool = Some(free.tool.to_string());
            named.insert(seat, free);
        }
    }
    (wishes, UnreadyTools(unready))
}

/// Returns why a tool cannot be used until its user installs it or logs in; `None` if it is ready.
pub fn unready_cause(candidate: &Candidate) -> Option<Cause> {
    let (code, detail) = match &candidate.ready {
        Ready::Missing(_) => (CauseCode::NotInstalled, "not installed"),
        Ready::LoggedOut(_) => (CauseCode::LoggedOut, "not logged in"),
        Ready::Yes | Ready::OtherWay(_) | Ready::Unlisted(..) | Ready::NotAllowed(_) => {
            return None;
        }
    };
    let detail = detail.to_owned();
    Some(Cause { code, detail })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seating::{assign_seats, candidate};
    use agon_record::spec::FormatName;

    fn classes(tool: &str) -> Option<ModelClasses> {
        Some(ModelClasses {
            fast: format!("{tool}-small"),
            standard: format!("{tool}-mid"),
            strong: format!("{tool}-big"),
            as_of: "2026-11-25".to_owned(),
            by_effort: true,
        })
    }

    fn candidates(tools: &[(&str, &str)]) -> Vec<Candidate> {
        let tools = tools.iter().map(|(tool, vendor)| Candidate {
            classes: classes(tool),
            ..candidate(tool, vendor)
        });
        tools.collect()
    }

    fn wishes(proposer: &str, challenger: &str) -> Wishes {
        let wish = |tool: &str| SeatWish {
            tool: (!tool.is_empty()).then(|| tool.to_owned()),
            ..SeatWish::default()
        };
        Wishes {
            format: FormatName::Duel,
            sides: [proposer, challenger].map(wish),
            judges: vec![SeatWish::default()],
            same_tool: false,
        }
    }

    fn substitutes(tools: &[(&str, &str)], seat: Seat) -> Vec<String> {
        let candidates = candidates(tools);
        let seats = assign_seats(&wishes("", ""), &candidates).unwrap().seats;
        let found = side_substitutes(&seats, seat, &candidates);
        let name = |one: &Seating| match &one.model {
            Some(model) if seats.values().any(|seated| seated.tool == one.tool) => model.clone(),
            Some(_) | None => one.tool.to_string(),
        };
        found.iter().map(name).collect()
    }

    const FIVE: &[(&str, &str)] = &[
        ("claude", "anthropic"),
        ("codex", "openai"),
        ("gemini", "google"),
        ("clone", "anthropic"),
        ("copilot", "github"),
    ];

    #[test]
    fn a_tool_without_a_seat_comes_first_and_the_judge_stays() {
        let found = substitutes(FIVE, Seat::Challenger);
        // A tool of the proposer's vendor comes after other ones.
        assert_eq!(found[..2], ["copilot", "clone"]);
        assert!(!found.contains(&"gemini".to_owned()), "{found:?}");
        assert_eq!(substitutes(FIVE, Seat::Proposer)[..2], ["clone", "copilot"]);
    }

    #[test]
    fn without_a_free_tool_another_model_of_a_seated_one_takes_the_seat() {
        let found = substitutes(&FIVE[..3], Seat::Challenger);
        assert_eq!(found[0], "gemini-big");
        assert!(found.contains(&"claude-big".to_owned()), "{found:?}");
        assert!(!found.contains(&"claude-mid".to_owned()), "{found:?}");
        // Two tools: first the opponent's other models, then the side's own.
        let found = substitutes(&FIVE[..2], Seat::Challenger);
        assert_eq!(found[..2], ["claude-big", "claude-small"]);
    }

    #[test]
    fn a_named_judge_keeps_its_seat_when_a_named_debater_is_replaced() {
        let mut tools = candidates(FIVE);
        tools[1].ready = Ready::LoggedOut("codex login".to_owned());
        let mut named = wishes("codex", "claude");
        named.judges[0].tool = Some("gemini".to_owned());
        let (open, _) = separate_unready_tools(&named, &tools, |_| true);
        let seats = assign_seats(&open, &tools).unwrap().seats;
        let tools: Vec<_> = seats.values().map(|one| one.tool.as_str()).collect();
        assert_eq!(tools, ["copilot", "claude", "gemini"]);
    }

    #[test]
    fn a_named_tool_that_is_logged_out_leaves_its_seat_and_is_told() {
        let mut tools = candidates(&FIVE[..3]);
        tools[1].ready = Ready::LoggedOut("codex login".to_owned());
        let named = wishes("claude", "codex");
        assert!(assign_seats(&named, &tools).is_err());
        let (open, unready) = separate_unready_tools(&named, &tools, |_| true);
        let seats = assign_seats(&open, &tools).unwrap().seats;
        let told: Vec<_> = unready
            .into_replacements(&seats)
            .iter()
            .map(Replaced::describe)
            .collect();
        assert_eq!(
            told,
            ["gemini challenges in place of codex (its tool is not logged in)"]
        );
        let (_, unready) = separate_unready_tools(&named, &tools, |_| false);
        assert!(unready.is_empty());
    }
}
