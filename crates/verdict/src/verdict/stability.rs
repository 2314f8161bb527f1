//! The stability of a verdict: swapped sides and panels.

use std::collections::{BTreeMap, BTreeSet};

use agon_record::answer::same_answer;
use agon_record::event::Outcome;
use agon_record::format::Judging;
use agon_record::id::{NodeId, Seat, Stage, TurnId};
use agon_record::moves::Ruling;
use agon_record::score::Score;
use agon_record::spec::ToolName;
use agon_record::state::{State, TurnEnd};
use agon_record::tally;
use agon_rules::panel::judgment_from_turns;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::swapped::swap_ruling_in_own_names;

/// A judge's ruling.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JudgeReading {
    /// The side it chose.
    #[schemars(with = "String")]
    pub winner: Seat,
    /// The judge's seat.
    #[schemars(with = "String")]
    pub seat: Seat,
    /// The judge's tool; null if the record does not name it.
    #[schemars(with = "Option<String>")]
    pub tool: Option<ToolName>,
    /// Its answer to the topic, if it differs from the verdict's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// Its next step, if it differs from the verdict's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub do_next: Option<String>,
}

impl JudgeReading {
    /// Returns whether its answer or next step differs from the verdict's.
    pub fn differs_from_verdict(&self) -> bool {
        self.answer.is_some() || self.do_next.is_some()
    }
}

/// The results of the stability trials.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Stability {
    /// The result with the sides swapped.
    pub swap: Trial,
    /// Why no ruling was made with the sides swapped: `off`, `unjudged`, `judge_lost`,
    /// `human_judge`, a cause such as `timeout`, or `cap:calls` for a reached limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub swap_reason: Option<String>,
    /// The result of the panel; null without one.
    pub panel: Option<Panel>,
}

/// The result of a stability trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Trial {
    /// The same side won, possibly with a different answer.
    Same,
    /// The other side won.
    Flipped,
    /// The trial was not run.
    NotRun,
}

/// The result of a panel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Panel {
    /// The number of judges that ruled.
    pub judges: u8,
    /// The number of judges that chose the winner.
    #[serde(rename = "for")]
    pub in_favour: u8,
    /// Whether the winner stays the same without any one judge.
    ///
    /// In a duel `flipped` also means that the others would be tied without one of them: a majority
    /// of two in three depends on one judge.
    pub leave_one_out: Trial,
    /// Whether the judges of a duel are tied, so that the first one's ruling counts.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub tie: bool,
}

/// Computes the stability of the verdict.
pub(super) fn stability(state: &State) -> Stability {
    let ((swap, swap_reason), panel) = match state.format_rules().judging {
        Judging::AtTheEnd => (swap_trial(state), duel_panel(state)),
        Judging::EachRound => ((Trial::NotRun, None), formal_panel(state)),
    };
    Stability {
        swap,
        swap_reason,
        panel,
    }
}

/// Returns the ruling of the judge in `seat`, with its differences from the prevailing ruling.
pub(super) fn judge_reading(
    state: &State,
    seat: Seat,
    ruling: &Ruling,
    stands: &Ruling,
) -> JudgeReading {
    let otherwise = |said: &str, stands: &str| {
        let differs = !same_answer(said, stands);
        differs.then(|| said.to_owned())
    };
    JudgeReading {
        winner: ruling.winner.seat(),
        seat,
        tool: state.seats.get(&seat).map(|seating| seating.tool.clone()),
        answer: otherwise(&ruling.answer, &stands.answer),
        do_next: otherwise(&ruling.do_next, &stands.do_next),
    }
}

/// Returns the ruling of each judge of a panel; empty with a single judge.
pub(super) fn panel_readings(state: &State) -> Vec<JudgeReading> {
    let Some((_, stands)) = state.prevailing_ruling() else {
        return Vec::new();
    };
    let all = state
        .rulings()
        .map(|(seat, ruling)| judge_reading(state, seat, ruling, stands));
    match seated_judge_count(state) {
        0 | 1 => Vec::new(),
        _ => all.collect(),
    }
}

/// Returns the first judge's ruling with the sides swapped, if it can be compared.
pub(super) fn swapped_judge_reading(state: &State) -> Option<JudgeReading> {
    let first = first_judge_ruling(state)?;
    let swapped = swap_ruling_in_own_names(state)?;
    Some(judge_reading(state, TurnId::SWAP.seat, &swapped, first))
}

fn first_judge_ruling(state: &State) -> Option<&Ruling> {
    let judge = TurnId::verdict(TurnId::SWAP.seat);
    state.admitted(judge)?.moves.ruling()
}

/// Returns whether the first judge ruled for the other side when the sides were swapped.
pub(super) fn is_flipped_by_swap(state: &State) -> bool {
    swap_trial(state).0 == Trial::Flipped
}

fn swap_trial(state: &State) -> (Trial, Option<String>) {
    let not_run = |reason: &str| (Trial::NotRun, Some(reason.to_owned()));
    if state.closed != Some(Outcome::Judged) {
        return not_run("unjudged");
    }
    if !state.spec.has_swap() {
        return not_run("off");
    }
    if !state.is_swap_planned() {
        return not_run("human_judge");
    }
    let Some(ruling) = first_judge_ruling(state) else {
        return not_run("judge_lost");
    };
    if let Some(swapped) = state.swap_ruling() {
        return match swapped.winner == ruling.winner {
            true => (Trial::Same, None),
            false => (Trial::Flipped, None),
        };
    }
    let turn = state.turns.get(&TurnId::SWAP);
    match (turn.and_then(|turn| turn.end.as_ref()), state.capped) {
        (Some(TurnEnd::Lost { cause, .. }), _) => not_run(cause.code.name()),
        (_, Some(cap)) => not_run(&format!("cap:{}", cap.name())),
        (_, None) => not_run("not_asked"),
    }
}

fn seated_judge_count(state: &State) -> usize {
    state.seats.keys().filter(|seat| seat.is_judge()).count()
}

/// Returns the combined result of a duel's judges; `None` with a single judge.
pub(super) fn duel_panel(state: &State) -> Option<Panel> {
    if seated_judge_count(state) < 2 {
        return None;
    }
    let (_, stands) = state.prevailing_ruling()?;
    let all: Vec<_> = state.rulings().collect();
    let in_favour = all.iter().filter(|(_, one)| one.winner == stands.winner);
    let (judges, in_favour) = (all.len(), in_favour.count());
    Some(Panel {
        judges: saturating_u8(judges),
        in_favour: saturating_u8(in_favour),
        // Removing one judge costs at most one vote, so a lead of at least two votes is stable.
        leave_one_out: match judges {
            0 | 1 => Trial::NotRun,
            _ if 2 * in_favour > judges + 1 => Trial::Same,
            _ => Trial::Flipped,
        },
        tie: 2 * in_favour == judges,
    })
}

fn saturating_u8(count: usize) -> u8 {
    u8::try_from(count).unwrap_or(u8::MAX)
}

/// Returns the result of a formal debate's panel: which side leads according to each judge.
///
/// It takes each judge's scores alone, then those of all other judges, combined as the panel would
/// combine them. Exchanges that the judge did not score with others keep their scores.
fn formal_panel(state: &State) -> Option<Panel> {
    let mut sat: BTreeMap<u16, Vec<TurnId>> = BTreeMap::new();
    for (turn, admitted) in state.admitted_turns() {
        if let (Stage::Round(exchange), Some(_)) = (turn.stage, admitted.moves.scores())
            && Some(exchange) <= state.last_judged_exchange()
        {
            sat.entry(exchange).or_default().push(turn);
        }
    }
    let panels = sat.values().filter(|turns| turns.len() > 1);
    let judges: BTreeSet<Seat> = panels.flatten().map(|turn| turn.seat).collect();
    if judges.len() < 2 {
        return None;
    }
    let leader = tally::leading_side(state);
    let lead = |keep: &dyn Fn(Seat) -> bool| {
        let mut scores: BTreeMap<NodeId, Score> = tally::current_scores(state).collect();
        for (&exchange, turns) in &sat {
            let kept: Vec<_> = turns.iter().copied().filter(|t| keep(t.seat)).collect();
            let turns = if kept.is_empty() { turns } else { &kept };
            let judgment = judgment_from_turns(state, exchange, turns);
            scores.extend(judgment.scores.iter().map(|one| (one.id, one.score)));
            scores.extend(judgment.rescores.iter().map(|one| (one.id, one.new)));
        }
        tally::leading_side_with_scores(state.spec.format().sides(), scores)
    };
    let alone = judges
        .iter()
        .filter(|&&judge| lead(&|seat| seat == judge) == leader);
    let steady = judges
        .iter()
        .all(|&judge| lead(&|seat| seat != judge) == leader);
    Some(Panel {
        judges: saturating_u8(judges.len()),
        in_favour: saturating_u8(alone.count()),
        leave_one_out: if steady { Trial::Same } else { Trial::Flipped },
        tie: false,
    })
}
