//! The transcript: every turn with its points, collapsible by round.

use agon_record::id::{NodeId, Stage, TurnId};
use agon_record::moves::{Blind, Choose, Formal, Moves, NoneFound, Ruling, Scores};
use agon_record::state::{Admitted, Turn, TurnEnd};
use maud::{Markup, html};

use super::page::{Page, replace_hyphen_minus, shorten_to_columns};
use super::point::point_article;
use crate::labels;
use crate::text::{capitalize, format_duration, plain_line};

// Most of the loading time goes into the layout of text. With chapters beyond this limit, a page of
// 5,000 points loads as fast as one of 240 (`five_thousand_points_open_and_answer_a_click`).
/// Maximum number of points of a transcript without chapters.
const MAX_WHOLE: usize = 400;
// About 100 points of a formal debate, below the limit for a page without chapters (`MAX_WHOLE`),
// so that a chapter unfolds as fast.
/// The number of rounds in a chapter.
const CHAPTER: usize = 50;

/// A completed turn.
type TurnEnding<'a> = (&'a TurnId, &'a Turn);

/// Returns the section; `None` before the first turn.
pub(super) fn transcript_section(page: &Page<'_>) -> Option<Markup> {
    let ended = page.state.turns.iter();
    let ended: Vec<TurnEnding<'_>> = ended.filter(|(_, turn)| turn.end.is_some()).collect();
    if ended.is_empty() {
        return None;
    }
    Some(html! {
        div.folds hidden {
            button type="button" data-fold="open" { "Expand all" }
            button type="button" data-fold="close" { "Collapse all" }
        }
        @let stages: Vec<&[TurnEnding<'_>]> = ended.chunk_by(|one, next| one.0.stage == next.0.stage).collect();
        @if page.nodes.len() <= MAX_WHOLE {
            @for stage in stages { (round_details(page, stage)) }
        } @else {
            @for stages in stages.chunks(CHAPTER) { (rounds_chapter(page, stages)) }
        }
        @let remarks = closing_remarks(page);
        @if !remarks.is_empty() {
            ul.remarks { @for remark in remarks { li { (remark) } } }
        }
    })
}

/// Returns rounds that the browser parses and lays out only when they are unfolded or linked to.
///
/// With scripts, the content of `noscript` is a single text node, which costs no time; the page's
/// script inserts it when needed. Without scripts, the content is always shown.
fn rounds_chapter(page: &Page<'_>, stages: &[&[TurnEnding<'_>]]) -> Markup {
    let ids = stages.iter().filter_map(|turns| Some(turns.first()?.0));
    let rounds = ids.filter_map(|id| match id.stage {
        Stage::Round(round) => Some(round),
        Stage::Theses | Stage::Verdict | Stage::Swap => None,
    });
    let (first, last) = (rounds.clone().min(), rounds.max());
    let word = page.state.format_rules().rounds.heading;
    html! {
        details.chapter data-first=[first] data-last=[last] {
            summary {
                @if let (Some(first), Some(last)) = (first, last) { (word) "s " (first) " to " (last) }
                @else { "Other turns" }
            }
            noscript { @for stage in stages { (round_details(page, stage)) } }
        }
    }
}

/// Returns a collapsed round; a link to something inside unfolds it.
fn round_details(page: &Page<'_>, turns: &[TurnEnding<'_>]) -> Markup {
    let Some(&(&first, _)) = turns.first() else {
        return html! {};
    };
    html! {
        details.round {
            summary {
                h3 { (stage_name(page, first.stage)) }
                span.note { (round_summary(turns)) }
            }
            @for &(&id, turn) in turns { (turn_section(page, id, turn)) }
        }
    }
}

/// Returns what a collapsed round contains.
fn round_summary(turns: &[TurnEnding<'_>]) -> String {
    let points = turns.iter().map(|(_, turn)| match &turn.end {
        Some(TurnEnd::Admitted(admitted)) => admitted.ids.len(),
        Some(TurnEnd::Lost { .. }) | None => 0,
    });
    let lost = turns
        .iter()
        .any(|(_, turn)| matches!(turn.end, Some(TurnEnd::Lost { .. })));
    let points = match points.sum::<usize>() {
        0 => String::new(),
        1 => "1 point".to_owned(),
        points => format!("{points} points"),
    };
    match (points.as_str(), lost) {
        (_, false) => points,
        ("", true) => "a turn was lost".to_owned(),
        (_, true) => format!("{points}, a turn was lost"),
    }
}

pub(super) fn stage_name(page: &Page<'_>, stage: Stage) -> String {
    match stage {
        Stage::Theses => "What each side defends".to_owned(),
        Stage::Round(round) => page.state.format_rules().round_heading(round),
        Stage::Verdict => "Verdict".to_owned(),
        Stage::Swap => "Verdict, the sides swapped".to_owned(),
    }
}

fn turn_section(page: &Page<'_>, id: TurnId, turn: &Turn) -> Markup {
    let given = turn.asks.iter().rev().find_map(|ask| ask.given.as_ref());
    let seating = page.state.seats.get(&id.seat);
    let answered = given.and_then(|given| given.model.as_deref());
    let model = answered.or_else(|| page.state.model(id.seat));
    html! {
        section.turn.(page.side_class(id.seat)) id={ "turn-" (id) } {
            header {
                h4.seat { (capitalize(&id.seat.to_string())) }
                @if let Some(seating) = seating {
                    span.by { (seating.tool) @if let Some(model) = model { " " (shorten_to_columns(model, 60)) } }
                }
                @if let Some(given) = given.filter(|given| given.took_ms > 0) { span.took { (format_duration(given.took_ms)) } }
            }
            @match &turn.end {
                Some(TurnEnd::Admitted(admitted)) => {
                    (turn_moves(page, id, &labels::with_own_names(page.state, id, admitted)))
                }
                Some(TurnEnd::Lost { cause, .. }) => {
                    p.warn { "This turn was lost: " (cause.code.describe()) "." }
                    @if !plain_line(&cause.detail).is_empty() { p.note { (plain_line(&cause.detail)) } }
                }
                None => {}
            }
        }
    }
}

fn turn_moves(page: &Page<'_>, id: TurnId, admitted: &Admitted) -> Markup {
    html! {
        @match &admitted.moves {
            Moves::Blind(blind) => (blind_answer(page, blind)),
            Moves::Opening(opening) => (labelled_paragraph(page, "Stance", &opening.stance)),
            Moves::Defense(defense) => (labelled_paragraph(page, "Position now", &defense.position_now)),
            Moves::Verdict(ruling) => (ruling_paragraphs(page, ruling)),
            Moves::Formal(Formal::Theses(theses)) => {
                (labelled_paragraph(page, "The proposition defends", &theses.proposition))
                (labelled_paragraph(page, "The opposition defends", &theses.opposition))
            }
            Moves::Formal(Formal::Scores(scores)) => (score_list(page, scores)),
            Moves::Formal(Formal::Case(_) | Formal::Rebuttal(_)) | Moves::Challenge(_) | Moves::FollowUp(_) => {}
        }
        @for &id in &admitted.ids { @if let Some(&at) = page.places.get(&id) { (point_article(page, at)) } }
        @for none in admitted.moves.cleared_categories() { (cleared_category(none)) }
        (sent_back_and_findings(page, id, admitted))
    }
}

fn labelled_paragraph(page: &Page<'_>, label: &str, text: &str) -> Markup {
    html! { p.position dir="auto" { span.label { (label) } " " (page.prose(text)) } }
}

fn blind_answer(page: &Page<'_>, blind: &Blind) -> Markup {
    html! {
        (labelled_paragraph(page, "Answer", &blind.answer))
        @if blind.position != blind.answer { p dir="auto" { (page.prose(&blind.position)) } }
        @if !blind.because.is_empty() {
            ul.because { @for reason in &blind.because { li dir="auto" { (page.prose(reason)) } } }
        }
    }
}

fn ruling_paragraphs(page: &Page<'_>, ruling: &Ruling) -> Markup {
    let parts = [
        ("Answer", &ruling.answer),
        ("Why", &ruling.why),
        ("Do next", &ruling.do_next),
        ("Unless", &ruling.unless),
    ];
    let known = |id: &&NodeId| page.places.contains_key(id);
    html! {
        p.position { span.label { "For" } " the " (ruling.winner.seat()) }
        @for (label, text) in parts.iter().filter(|(_, text)| !text.trim().is_empty()) {
            (labelled_paragraph(page, label, text))
        }
        @if ruling.decisive.iter().any(|id| known(&id)) {
            p.position {
                span.label { "Decisive" }
                @for id in ruling.decisive.iter().filter(known) { " " (page.point_link(*id)) }
            }
        }
    }
}

fn score_list(page: &Page<'_>, scores: &Scores) -> Markup {
    html! {
        ul.scored {
            @for one in &scores.scores {
                li { (page.point_link(one.argument_id)) " " span.number { (replace_hyphen_minus(&one.score.to_string())) } " " span dir="auto" { (page.prose(&one.reasoning)) } }
            }
            @for again in &scores.rescores {
                li {
                    (page.point_link(again.argument_id)) " "
                    span.number {
                        @if let Some(old) = again.old_score { (replace_hyphen_minus(&old.to_string())) " → " }
                        (replace_hyphen_minus(&again.new_score.to_string()))
                    }
                    " " span dir="auto" { (page.prose(&again.reasoning)) }
                }
            }
        }
    }
}

fn cleared_category(none: &NoneFound) -> Markup {
    let looked: Vec<_> = none
        .looked_at
        .iter()
        .map(|place| plain_line(place))
        .collect();
    html! {
        p.nothing {
            span.label { "Nothing found" } " under " (none.category.label())
            @if !looked.is_empty() { "; checked " (looked.join(", ")) }
            @if let Some(why) = &none.why { "; reason: " (plain_line(why)) }
        }
    }
}

/// Returns the replies that were sent back and the unresolved findings of a turn.
fn sent_back_and_findings(page: &Page<'_>, id: TurnId, admitted: &Admitted) -> Markup {
    let back = labels::sent_back_replies(page.state, id);
    html! {
        @if let Some(back) = back {
            p.note {
                (back.replies) @if back.replies == 1 { " reply" } @else { " replies" }
                " sent back before this one: " (plain_line(&back.codes.join(", "))) "."
            }
        }
        @if !admitted.findings.is_empty() {
            p.note {
                (admitted.findings.len()) @if admitted.findings.len() == 1 { " broken rule" } @else { " broken rules" }
                " unresolved: " a href="#findings" { "see below" } "."
            }
        }
    }
}

/// Returns how the debate ended or why it is halted, if the turns do not show it.
fn closing_remarks(page: &Page<'_>) -> Vec<String> {
    let state = page.state;
    let mut said = Vec::new();
    for former in state.former_rulings() {
        let (rounds, winner) = (former.rounds, former.winner);
        let answer = plain_line(&former.answer);
        said.push(format!(
            "The verdict after round {rounds}, before rounds were added, was for the {winner}: {answer}"
        ));
    }
    if state.is_judge_order_in_effect() {
        said.push("The user sent the debate to the judge before the last round ended.".to_owned());
    }
    if let Some(cap) = state.capped {
        let name = cap.name();
        said.push(format!(
            "The limit on {name} was reached, so the remaining turns were skipped."
        ));
    }
    match state.stop_on_agreement() {
        Some(true) => {
            said.push("The first answers agree, and the debate stopped there.".to_owned())
        }
        Some(false) => said
            .push("The first answers agree; the challenger argued as devil's advocate.".to_owned()),
        None => {}
    }
    if let (None, Some(halt)) = (state.closed, &state.halted) {
        said.push(format!(
            "The debate is halted: {}.",
            labels::describe_halt(halt)
        ));
    }
    said
}
