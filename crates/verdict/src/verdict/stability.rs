//! Whether a verdict stays when it is tried in another way.

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

/// How a judge reads the debate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JudgeReading {
    /// The side it is for.
    #[schemars(with = "String")]
    pub winner: Seat,
    /// The judge's seat.
    #[schemars(with = "String")]
    pub seat: Seat,
    /// The judge's tool; null when the record does not name it.
    #[schemars(with = "Option<String>")]
    pub tool: Option<ToolName>,
    /// Its answer to the topic, where the verdict's is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// Its next step, where the verdict's is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub do_next: Option<String>,
}

impl JudgeReading {
    /// Whether it answers otherwise than the verdict, or asks for another next step.
    pub fn is_otherwise(&self) -> bool {
        self.answer.is_some() || self.do_next.is_some()
    }
}

/// Whether the verdict was tried again in other ways.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Stability {
    /// What the judge says when the sides are swapped.
    pub swap: Trial,
    /// Why that was not tried: `off`, `unjudged`, `judge_lost`,
    /// `human_judge`, a cause such as `timeout`, or
    /// `cap:calls` for a bound that was reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub swap_reason: Option<String>,
    /// What a panel of judges says; null without one.
    pub panel: Option<Panel>,
}

/// What came of trying a verdict again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Trial {
    /// The same side won, if perhaps with another answer.
    Same,
    /// The other side won.
    Flipped,
    /// It was not tried.
    NotRun,
}

/// What a panel of judges says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Panel {
    /// How many judges ruled.
    pub judges: u8,
    /// How many of them are for the winner.
    #[serde(rename = "for")]
    pub in_favour: u8,
    /// Whether the winner is the same without any one of them.
    ///
    /// In a duel `flipped` also says that without one of them the others are
    /// equal: two of three are a majority that hangs on one judge.
    pub leave_one_out: Trial,
    /// Whether the judges of a duel are equal, and the first one's ruling stands for that.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub tie: bool,
}

/// How stable the verdict on this debate is.
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

/// How the judge in `seat` reads the debate, with what it says otherwise than the ruling that
/// stands.
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

/// What each judge of a panel ruled; empty where one alone sat.
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

/// What the first judge ruled with the sides swapped, where that can be compared.
pub(super) fn swap_reading(state: &State) -> Option<JudgeReading> {
    let first = first_judge_ruling(state)?;
    let swapped = swap_ruling_in_own_names(state)?;
    Some(judge_reading(state, TurnId::SWAP.seat, &swapped, first))
}

fn first_judge_ruling(state: &State) -> Option<&Ruling> {
    let judge = TurnId::verdict(TurnId::SWAP.seat);
    state.admitted(judge)?.moves.ruling()
}

/// Whether the first judge ruled for the other side when the sides were swapped.
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

/// What the judges of a duel say together; none where one alone sat.
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
        // Whichever judge is taken away, one of the majority is the most that can be missed.
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

/// What the judges of a formal debate say one by one, by which side leads.
///
/// Each judge's scores are taken alone, then those of all but it, as the panel
/// would have settled them. Exchanges that it did not score with others stay as
/// they were settled.
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
