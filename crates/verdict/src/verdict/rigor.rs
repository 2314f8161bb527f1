//! The summary of what Agon enforced and checked in a debate.

use std::collections::{BTreeMap, BTreeSet};

use agon_record::event::{Cap, CauseCode, Outcome};
use agon_record::ground::Citations;
use agon_record::id::{Seat, Stage, TurnId};
use agon_record::moves::{Grade, Quality};
use agon_record::seat_finding::SeatFinding;
use agon_record::spec::Replaced;
use agon_record::spec::{Seating, ToolName};
use agon_record::state::{State, TurnEnd};
use agon_record::support::challenger_certified_answer;
use agon_record::text::count_with_noun;

use super::{authority, citations, count, stability, vendor};

/// Returns what Agon enforced and checked, followed by the cautions.
pub(super) fn rigor_summary(
    state: &State,
    citations: &BTreeMap<Seat, Citations>,
    support: Vec<String>,
) -> String {
    let mut said = vec![
        enforced_rules_sentence(state),
        citations::checked_citations_sentence(state, citations),
    ];
    said.extend(support);
    said.extend(cautions(state));
    said.join("; ")
}

/// Returns the judge's grades, except that a challenge without objections is always weak.
pub(super) fn adjusted_quality(state: &State, quality: Quality) -> Quality {
    match has_challenger_without_objections(state) {
        true => Quality {
            challenge_depth: Grade::Low,
            ..quality
        },
        false => quality,
    }
}

/// Returns whether the challenger spoke but never objected.
pub(super) fn has_challenger_without_objections(state: &State) -> bool {
    let mut said = state
        .admitted_turns()
        .filter(|(turn, _)| turn.seat == Seat::Challenger);
    challenger_certified_answer(state) == Some(true)
        && said.all(|(_, said)| said.moves.objections().is_empty())
}

/// Returns the caution about a challenge without objections.
fn weak_challenge_caution(state: &State) -> Option<String> {
    has_challenger_without_objections(state)
        .then(|| "the challenger objected to nothing, which counts as a weak challenge".to_owned())
}

/// Returns warnings for the reader: tools, models or vendors that seats share, judges that did not
/// rule, and similar.
///
/// Each is a fragment without a full stop. A debate of three vendors in which nothing went wrong
/// has none. Causes of lost judges appear as codes, as in the documents of a folder.
pub fn cautions(state: &State) -> Vec<String> {
    cautions_with_naming(state, Naming::ByCode)
}

/// Like [`cautions`], but with causes in words, for a screen.
pub fn cautions_in_words(state: &State) -> Vec<String> {
    cautions_with_naming(state, Naming::InWords)
}

/// How a caution names a cause: by its code or in words.
#[derive(Clone, Copy)]
enum Naming {
    ByCode,
    InWords,
}

impl Naming {
    fn cause(self, code: CauseCode) -> &'static str {
        match self {
            Self::ByCode => code.name(),
            Self::InWords => code.describe(),
        }
    }

    fn cap(self, cap: Cap) -> String {
        match self {
            Self::ByCode => format!("cap:{}", cap.name()),
            Self::InWords => format!("the limit on {} was reached", cap.name()),
        }
    }
}

fn cautions_with_naming(state: &State, naming: Naming) -> Vec<String> {
    if let Some(small) = small_model_caution(state) {
        let rest = early_verdict_caution(state).into_iter();
        return std::iter::once(small).chain(rest).collect();
    }
    let advocate = (state.stop_on_agreement() == Some(false)).then(|| {
        "both first answers agreed, so the challenger argued as devil's advocate".to_owned()
    });
    let lost = state.lost_judges().iter().map(|(judge, cause)| {
        let why = cause
            .as_ref()
            .map_or("lost", |cause| naming.cause(cause.code));
        format!(
            "{} was the planned judge but did not rule ({why})",
            judge.tool
        )
    });
    let near = same_tool_caution(state)
        .into_iter()
        .chain(advocate)
        .chain(weak_challenge_caution(state))
        .chain(early_verdict_caution(state))
        .chain(precedents_caution(state));
    let judges = missing_judge_cautions(state, naming).chain(judge_bias_cautions(state));
    let near = near.chain(lost).chain(judges).chain(tie_caution(state));
    near.chain(instability_caution(state))
        .chain(refused_model_cautions(state))
        .chain(replaced_tool_cautions(state))
        .chain(changed_files_cautions(state))
        .chain(long_prompt_cautions(state))
        .chain(seat_finding_cautions(state))
        .collect()
}

/// Returns whether the built-in model, which is asked question by question, holds every seat.
pub fn is_built_in_model_only(state: &State) -> bool {
    !state.seats.is_empty() && state.seats.values().all(Seating::is_interviewed)
}

/// Returns the caution that the built-in model held every seat, and how to get a real debate. It
/// replaces other cautions about the seats.
fn small_model_caution(state: &State) -> Option<String> {
    is_built_in_model_only(state).then(|| {
        "the built-in model held every seat and was asked one short question at a time: do not \
         rely on this; for a real debate install two AI tools (see `agon tools`) and ask again"
            .to_owned()
    })
}

/// Returns why the ruling is unstable, if it is.
fn instability_caution(state: &State) -> Option<String> {
    if stability::is_flipped_by_swap(state) {
        return Some("unstable: the judge changed sides when they were swapped".to_owned());
    }
    let side = authority::debater_who_judged(state)?;
    Some(format!(
        "unstable: the {side}'s own tool judged instead of the planned judge"
    ))
}

/// Returns after which round the user sent the debate to the judge, if early.
fn early_verdict_caution(state: &State) -> Option<String> {
    let (spoken, planned) = (state.rounds_completed(), state.planned_rounds());
    (state.is_judge_order_in_effect() && spoken < planned)
        .then(|| format!("judged early, as you asked, after round {spoken} of {planned}"))
}

/// Returns which earlier verdicts were in every prompt.
fn precedents_caution(state: &State) -> Option<String> {
    let debates = state.spec.precedents.iter().map(|one| one.debate.as_str());
    let debates: Vec<_> = debates.collect();
    let which = match debates.as_slice() {
        [] => return None,
        [one] => format!("an earlier verdict, {one}"),
        several => format!("{} earlier verdicts, {}", several.len(), several.join(", ")),
    };
    Some(format!("every prompt included {which}"))
}

fn enforced_rules_sentence(state: &State) -> String {
    let is_unjudged = matches!(state.closed, Some(Outcome::Agreed | Outcome::Uncontested));
    let families = state.format_rules().rule_families.iter().copied();
    let families = families.filter(|family| !is_unjudged || *family != "verdict");
    let families = families.collect::<Vec<_>>().join(", ");
    let evidence = match state.spec.source {
        Some(_) => ", evidence",
        None => "",
    };
    let stayed = count::finding_counts(state);
    let broken = stayed.fatal + stayed.error;
    format!(
        "rules enforced by code: {families}{evidence} and repeat ({}), {} sent back, {} and {} unresolved",
        state.spec.ruleset,
        count_or_no(state.sent_back, "reply"),
        count_or_no(broken, "broken rule"),
        count_or_no(stayed.warning, "warning"),
    )
}

fn same_tool_caution(state: &State) -> Option<String> {
    let proposer = state.seats.get(&Seat::Proposer)?;
    let challenger = state.seats.get(&Seat::Challenger)?;
    (proposer.tool == challenger.tool).then(|| {
        let tool = &proposer.tool;
        if proposer.is_human() {
            "people argued both sides, possibly the same person".to_owned()
        } else if proposer.model == challenger.model {
            format!("both sides are the same tool and model, {tool}")
        } else {
            let model = |seat| state.model(seat).unwrap_or("its default");
            let [one, other] = [Seat::Proposer, Seat::Challenger].map(model);
            format!("both sides are models of one tool, {tool}: {one} proposed, {other} challenged")
        }
    })
}

/// Returns the seats that changed tools during the debate.
fn replaced_tool_cautions(state: &State) -> Vec<String> {
    let mut said: Vec<_> = state.replaced.iter().map(Replaced::describe).collect();
    let mut spoke: BTreeMap<Seat, Vec<&ToolName>> = BTreeMap::new();
    for (id, turn) in &state.turns {
        let is_admitted = matches!(turn.end, Some(TurnEnd::Admitted(_)));
        let asked = turn.asks.iter().rev().find_map(|ask| ask.asked.as_ref());
        if let (true, Some(asked)) = (is_admitted && !id.seat.is_judge(), asked) {
            let tools = spoke.entry(id.seat).or_default();
            if tools.last() != Some(&&asked.tool) {
                tools.push(&asked.tool);
            }
        }
    }
    let replaced = spoke.into_iter().filter(|(_, tools)| tools.len() > 1);
    said.extend(replaced.map(|(seat, tools)| {
        let tools: Vec<_> = tools.into_iter().map(ToolName::as_str).collect();
        format!("the {seat} was {}", tools.join(", then "))
    }));
    said
}

/// Returns the tools that refused the model chosen for the effort.
fn refused_model_cautions(state: &State) -> impl Iterator<Item = String> {
    let refused = state.seats.iter().filter_map(|(seat, seating)| {
        let model = seating.refused_model.as_deref()?;
        Some(format!(
            "{} refused the model {model}, so the {seat} used its default model",
            seating.tool
        ))
    });
    refused.collect::<Vec<_>>().into_iter()
}

/// Returns the seats that changed files they should only read.
fn changed_files_cautions(state: &State) -> impl Iterator<Item = String> {
    let turns = state.turns.iter();
    turns.filter_map(|(turn, spoken)| {
        let files: BTreeSet<_> = spoken.asks.iter().flat_map(|ask| &ask.touched).collect();
        (!files.is_empty()).then(|| {
            let files = count_with_noun(files.len() as u64, "file");
            format!(
                "{} changed {files} in its copy of the project, which was replaced",
                turn.seat
            )
        })
    })
}

/// Returns the seats whose prompt was longer than their model reads reliably.
fn long_prompt_cautions(state: &State) -> impl Iterator<Item = String> {
    let mut longest: BTreeMap<Seat, u64> = BTreeMap::new();
    for (turn, spoken) in &state.turns {
        let asked = spoken.asks.iter().filter_map(|ask| ask.asked.as_ref());
        if let Some(onset) = asked.filter_map(|asked| asked.past_onset).min() {
            let known = longest.entry(turn.seat).or_insert(onset);
            *known = onset.min(*known);
        }
    }
    longest.into_iter().map(|(seat, onset)| {
        format!(
            "the {seat}'s prompt was longer than {onset} tokens, so its model may have missed parts"
        )
    })
}

/// Returns the recorded problems in the contexts of the debaters.
///
/// Only replies that became part of the debate count: a corrected reply misled no reader.
pub(super) fn counted_seat_findings(state: &State) -> BTreeSet<&SeatFinding> {
    let asks = state.turns.values().flat_map(|turn| &turn.asks);
    let asked = asks.filter_map(|ask| ask.asked.as_ref());
    let found = asked.flat_map(|asked| &asked.seat_findings);
    let counted = found.filter(|it| {
        let admitted = state.admitted(it.ask.turn);
        admitted.is_some_and(|admitted| admitted.key == it.ask)
    });
    counted.collect()
}

/// Returns a caution for each of [`counted_seat_findings`].
fn seat_finding_cautions(state: &State) -> impl Iterator<Item = String> {
    let said = counted_seat_findings(state).into_iter().map(|it| {
        let turn = it.ask.turn;
        let part = match turn.stage {
            Stage::Round(round) => state.format_rules().round_with_article("its", round),
            Stage::Theses => "its theses".to_owned(),
            Stage::Verdict | Stage::Swap => "its ruling".to_owned(),
        };
        let (seat, pattern) = (turn.seat, it.pattern.name());
        format!("the {seat}'s context, {pattern} in {part}: {}", it.reason)
    });
    said.collect::<Vec<_>>().into_iter()
}

/// Returns the judges of a panel that did not rule, while others did.
fn missing_judge_cautions(state: &State, naming: Naming) -> impl Iterator<Item = String> {
    let ruled = state.closed == Some(Outcome::Judged);
    let judges = state.seats.iter().filter(move |_| ruled);
    judges.filter_map(move |(&seat, judge)| {
        let turn = TurnId::verdict(seat);
        if !seat.is_judge() || state.admitted(turn).is_some() {
            return None;
        }
        let lost = state.lost_turns().find(|(lost, _)| *lost == turn);
        let why = match (lost, state.capped) {
            (Some((_, cause)), _) => naming.cause(cause.code).to_owned(),
            (None, Some(cap)) => naming.cap(cap),
            (None, None) => "not asked".to_owned(),
        };
        Some(format!(
            "{seat}, {}, was a planned judge but did not rule ({why})",
            judge.tool
        ))
    })
}

/// Returns a warning for each judge that ruled and shares its tool or vendor with a debater.
fn judge_bias_cautions(state: &State) -> impl Iterator<Item = String> {
    let judges = state.rulings().map(|(seat, _)| seat);
    judges.filter_map(|seat| judge_bias_caution(state, seat))
}

/// Returns the warning that a judge shares its tool with a debater, or otherwise its vendor.
fn judge_bias_caution(state: &State, seat: Seat) -> Option<String> {
    let judge = state.seats.get(&seat)?;
    let name = match seat == Seat::JUDGE {
        true => "the judge".to_owned(),
        false => seat.to_string(),
    };
    let side = |near: fn(&Seating, &Seating) -> bool| {
        [Seat::Proposer, Seat::Challenger]
            .into_iter()
            .find(|side| state.seats.get(side).is_some_and(|side| near(side, judge)))
    };
    let same_tool = side(|side, judge| side.tool == judge.tool);
    if let Some(side) = same_tool {
        let tool = &judge.tool;
        if judge.is_human() {
            return Some(format!(
                "{name} and the {side} are people, possibly the same person"
            ));
        }
        return Some(format!(
            "{name} is the {side}'s tool, {tool}, in a fresh session"
        ));
    }
    vendor::describe_shared_vendor(state, seat)
}

/// Returns how a tie of judges was broken.
fn tie_caution(state: &State) -> Option<String> {
    let panel = stability::duel_panel(state)?;
    let (seat, _) = state.prevailing_ruling()?;
    panel.tie.then(|| {
        format!(
            "the judges are tied, {0} to {0}: the ruling of the first, {seat}, counts",
            panel.in_favour
        )
    })
}

/// Like [`count_with_noun`], with `no` for zero.
fn count_or_no(count: u32, one: &str) -> String {
    let text = count_with_noun(count, one);
    match text.strip_prefix("0 ") {
        Some(many) => format!("no {many}"),
        None => text,
    }
}
