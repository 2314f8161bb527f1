//! The verdict: the judge's ruling and the facts that Agon computes.

mod authority;
mod citations;
mod count;
mod document;
mod doubt;
mod fault;
mod hangs_on;
mod headline;
mod one_sided;
mod reading;
mod rigor;
mod stability;
mod support;
mod swapped;
mod vendor;

use std::collections::BTreeMap;

pub use agon_record::ground::Citations;
pub use authority::Missing;
pub use citations::{citation_summary, decisive_faults, points_with_stamp};
pub use count::{
    FindingCounts, TokenTotals, UsageTotals, citation_counts, finding_counts, usage_totals,
};
pub use document::{
    BlindAnswers, Conceded, FormerDoc, NoteDoc, Readings, SCHEMA, SeatDoc, Tally, Verdict,
};
pub use fault::{faulty_points, name_with_fault};
pub use hangs_on::graph_sentence;
pub use headline::{describe_winner, headline, headline_parts, name_side};
pub use one_sided::OneSided;
pub use reading::{
    FlipSearch, GraphLead, GraphReading, MARGIN, MAX_POINTS, SEMANTICS, graph_reading,
    leading_position,
};
pub use rigor::{cautions, cautions_in_words, is_built_in_model_only};
pub use stability::{JudgeReading, Panel, Stability, Trial};
pub use support::{Support, Unsupported, support_counts, support_sentences, unsupported_points};
pub use swapped::swap_ruling_in_own_names;

use agon_record::authority::Authority;
use agon_record::decision::DecisionDoc;
use agon_record::event::Outcome;
use agon_record::format::Judging;
use agon_record::id::{NodeId, Seat};
use agon_record::moves::{AgreedPoint, Contention, DefenseKind, ReplyKind, RulingKind};
use agon_record::point::Point;
use agon_record::spec::ReplacedDoc;
use agon_record::spec::{Effort, Seating};
use agon_record::state::State;
use agon_record::tally;
use agon_record::user::UserInput;

/// Returns the verdict on a debate; `None` while it has no answer.
///
/// A formal debate has a verdict after its first judgment, and every further judgment updates it.
pub fn verdict(state: &State) -> Option<Verdict> {
    let mut verdict = verdict_without_graph(state)?;
    hangs_on::add_graph_reading(state, &mut verdict);
    Some(verdict)
}

/// Returns the verdict without the argument graph, which is slow to compute.
pub fn verdict_without_graph(state: &State) -> Option<Verdict> {
    let verdict = match (state.format_rules().judging, state.closed) {
        (Judging::EachRound, _) => tallied_verdict(state),
        (Judging::AtTheEnd, None) => None,
        (Judging::AtTheEnd, Some(Outcome::Judged)) => judged_verdict(state),
        (Judging::AtTheEnd, Some(Outcome::Agreed)) => agreed_verdict(state),
        (Judging::AtTheEnd, Some(Outcome::Uncontested)) => one_sided_verdict(state),
    }?;
    Some(Verdict {
        headline: headline(state, &verdict),
        ..verdict
    })
}

/// Returns the judge's `text`; `None` if it is empty. A person may leave it empty, and the built-in
/// model is not asked for it.
fn non_empty_judge_text(text: &str) -> Option<String> {
    (!text.trim().is_empty()).then(|| text.to_owned())
}

/// Returns what both sides conceded, word for word: the proposer's concessions and the objections
/// that the challenger withdrew after an answer.
///
/// A ruling on a concession concedes nothing: it only confirms what the other side gave up.
pub fn conceded_points(state: &State) -> Vec<Conceded> {
    let is_concession = |id| {
        let response = state.node(id).and_then(|node| node.point.response());
        response.is_some_and(|response| response.reply == ReplyKind::Concede)
    };
    let granted = |point: &Point<'_>| {
        let conceded = point.response().map(|one| one.reply == ReplyKind::Concede);
        let withdrawn = point
            .assessment()
            .map(|one| one.ruling == RulingKind::Resolved && !is_concession(one.response));
        conceded.or(withdrawn).unwrap_or_default()
    };
    let nodes = state.nodes().into_iter();
    nodes
        .filter(|node| granted(&node.point))
        .map(|node| Conceded {
            seat: node.seat(),
            text: node.point.main_text().to_owned(),
            id: node.id,
        })
        .collect()
}

/// Returns what each side answered before it saw the other's answer; `None` if neither did.
pub fn blind_answers(state: &State) -> Option<BlindAnswers> {
    let answer = |seat| state.blind_answer(seat).map(|blind| blind.answer.clone());
    let (proposer, challenger) = (answer(Seat::Proposer), answer(Seat::Challenger));
    let agree = match (&proposer, &challenger) {
        (None, None) => return None,
        (Some(_), Some(_)) => state.first_answers_agree(),
        (Some(_), None) | (None, Some(_)) => Some(false),
    };
    Some(BlindAnswers {
        vote: proposer.clone().filter(|_| agree == Some(true)),
        proposer,
        challenger,
        agree,
    })
}

fn judged_verdict(state: &State) -> Option<Verdict> {
    let (seat, ruling) = state.prevailing_ruling()?;
    let winner = ruling.winner.seat();
    let known = |ids: &[NodeId]| -> Vec<NodeId> {
        let ids = ids.iter().copied();
        ids.filter(|&id| state.node(id).is_some()).collect()
    };
    let agreements = ruling.agreements.iter().map(|agreed| AgreedPoint {
        point: agreed.point.clone(),
        evidence: known(&agreed.evidence),
    });
    Some(Verdict {
        do_next: non_empty_judge_text(&ruling.do_next),
        unless: non_empty_judge_text(&ruling.unless),
        hangs_on: known(&ruling.decisive),
        open: ruling.open.clone(),
        assumed_by_both: ruling.assumed_by_both.clone(),
        winner: Some(winner),
        winner_tool: state.seats.get(&winner).map(|seat| seat.tool.clone()),
        decisive: known(&ruling.decisive),
        agreements: agreements.collect(),
        disagreements: ruling.disagreements.clone(),
        quality: ruling
            .quality
            .map(|quality| rigor::adjusted_quality(state, quality)),
        readings: Readings {
            judge: Some(stability::judge_reading(state, seat, ruling, ruling)),
            swap: stability::swapped_judge_reading(state),
            panel: stability::panel_readings(state),
            ..Readings::default()
        },
        ..base_verdict(state, &ruling.answer, &ruling.why)
    })
}

fn tallied_verdict(state: &State) -> Option<Verdict> {
    state.last_judged_exchange()?;
    let winner = tally::leading_side(state);
    let thesis = winner.and_then(|seat| state.theses()?.thesis(seat));
    let contentions = state.nodes().into_iter();
    let contentions = contentions.filter_map(|node| Some((node.id, node.point.contention()?)));
    let conceded = contentions.flat_map(|(id, contention)| contention_concessions(id, contention));
    Some(Verdict {
        answer: thesis.map(str::to_owned),
        why: None,
        conceded: conceded.collect(),
        winner,
        winner_tool: winner.and_then(|seat| Some(state.seats.get(&seat)?.tool.clone())),
        authority: Authority::Full,
        readings: Readings {
            tally: Some(Tally {
                winner,
                totals: tally::side_totals(state),
            }),
            ..Readings::default()
        },
        ..base_verdict(state, "", "")
    })
}

/// Returns the concessions of a formal argument: arguments of its own side that it gives up.
fn contention_concessions(id: NodeId, contention: &Contention) -> Vec<Conceded> {
    let defends = contention.defends.iter();
    defends
        .filter(|defend| defend.defense_type == DefenseKind::ConcedeAndPivot)
        .map(|defend| Conceded {
            seat: id.seat,
            text: defend.content.clone(),
            id,
        })
        .collect()
}

fn agreed_verdict(state: &State) -> Option<Verdict> {
    let answer = &state.blind_answer(Seat::Proposer)?.answer;
    let why = "Both sides gave this answer before they saw the other's, so the debate stopped. \
               Nothing was judged.";
    Some(base_verdict(state, answer, why))
}

fn one_sided_verdict(state: &State) -> Option<Verdict> {
    let one_sided = OneSided::from_state(state)?;
    Some(base_verdict(
        state,
        &one_sided.answer(),
        &one_sided.why(state),
    ))
}

/// Returns the number of citations by result, in words; `None` without citations.
pub fn citations_in_words(state: &State, verdict: &Verdict) -> Option<String> {
    citations::summary_of(state, &verdict.citations)
}

/// Returns the points that lack evidence or stayed unsupported, as fragments without a full stop.
pub fn support_in_words(state: &State, verdict: &Verdict) -> Vec<String> {
    support::sentences_of(state, &verdict.support, &verdict.unsupported)
}

/// Returns a verdict with only the computed fields filled in.
fn base_verdict(state: &State, answer: &str, why: &str) -> Verdict {
    let effort = state.seats.values().next().map(|seat| seat.effort);
    let effort = effort.unwrap_or_default();
    let seats = state.seats.iter();
    let seats: BTreeMap<_, _> = seats
        .map(|(&at, seat)| (at, seat_doc(seat, state.model(at), effort)))
        .collect();
    let citations = count::citation_counts(state);
    let (support, unsupported) = (support_counts(state), unsupported_points(state));
    let sentences = support::sentences_of(state, &support, &unsupported);
    Verdict {
        schema: SCHEMA.to_owned(),
        debate: state.spec.slug.clone(),
        ulid: state.spec.ulid.to_string(),
        topic: state.spec.topic.clone(),
        format: state.spec.format(),
        seats,
        effort,
        rounds_completed: state.rounds_completed(),
        max_rounds: state.planned_rounds(),
        precedents: state.spec.precedents.clone(),
        headline: String::new(),
        answer: Some(answer.to_owned()),
        why: non_empty_judge_text(why),
        do_next: None,
        unless: None,
        hangs_on: Vec::new(),
        graph_hangs_on: Vec::new(),
        conceded: conceded_points(state),
        open: Vec::new(),
        assumed_by_both: Vec::new(),
        winner: None,
        winner_tool: None,
        one_sided: OneSided::from_state(state),
        replaced: state.replaced.iter().map(ReplacedDoc::from).collect(),
        decisive: Vec::new(),
        agreements: Vec::new(),
        disagreements: Vec::new(),
        quality: None,
        rigor: rigor::rigor_summary(state, &citations, sentences),
        blind: blind_answers(state),
        authority: authority::authority(state),
        missing: authority::missing_turns(state),
        stability: stability::stability(state),
        readings: Readings::default(),
        citations,
        support,
        unsupported,
        findings: count::finding_counts(state),
        usage: count::usage_totals(state),
        notes: note_docs(state),
        former: state
            .former_rulings()
            .iter()
            .map(FormerDoc::from_record)
            .collect(),
        decided: state.decision().map(DecisionDoc::from),
        decided_before: state.earlier_decisions().map(DecisionDoc::from).collect(),
    }
}

/// Returns the user's inputs; each says whether the judge had seen it before ruling.
fn note_docs(state: &State) -> Vec<NoteDoc> {
    let doc = |word: &UserInput| {
        let id = word.id();
        let (text, command, ending) = match word {
            UserInput::Note(note) => (Some(note.text.clone()), None, None),
            UserInput::Ran(ran) => (None, Some(ran.run.command.clone()), Some(ran.run.ending())),
        };
        NoteDoc {
            id: id.to_string(),
            text,
            command,
            ending,
            heard_by_judge: state.has_reached_judges(id),
        }
    };
    state.words.iter().map(doc).collect()
}

fn seat_doc(seating: &Seating, model: Option<&str>, usual: Effort) -> SeatDoc {
    SeatDoc {
        tool: seating.tool.clone(),
        model: model.map(str::to_owned),
        transport: seating.transport.clone(),
        version: seating.version.clone(),
        effort: Some(seating.effort).filter(|&effort| effort != usual),
    }
}
