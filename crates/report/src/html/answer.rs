//! The top of the page: the question, the answer and its basis.

use agon_record::authority::Authority;
use agon_record::event::Outcome;
use agon_record::evidence::ground_checks;
use agon_record::format::Judging;
use agon_record::id::{NodeId, Seat};
use agon_record::moves::Choose;
use agon_record::score::Score;
use agon_record::stamp::StampKind;
use agon_record::tally;
use agon_verdict::facts;
use agon_verdict::verdict::{
    Trial, Verdict, cautions_in_words, citation_summary, decisive_faults, graph_sentence,
    support_sentences,
};
use maud::{Markup, html};

use super::page::{Page, replace_hyphen_minus, shorten_to_columns, shorten_to_heading};
use crate::labels;
use crate::text::{capitalize, count_with_noun, plain_line};

/// Maximum number of entries in a row; the transcript has the rest.
const MOST: usize = 8;
// The same number as in the README of a debate (`document/readme.rs`).
/// The number of strongest and of weakest arguments shown.
const ENDS: usize = 3;

/// Returns the topic and the terms of the debate.
pub(super) fn masthead(page: &Page<'_>) -> Markup {
    html! {
        h1 dir="auto" { (shorten_to_heading(&page.state.spec.topic)) }
        (terms_and_theses(page))
    }
}

/// Returns the answer and its basis.
pub(super) fn answer_section(page: &Page<'_>, narrative: Option<&str>) -> Markup {
    html! {
        section.answer id="answer" aria-labelledby="h-answer" {
            (answer_and_winner(page))
            dl.rows {
                @for (label, body) in answer_rows(page) {
                    div { dt { (label) } dd { (body) } }
                }
            }
            @if let Some(narrative) = narrative { (narrative_section(page, narrative)) }
        }
    }
}

/// Returns the format, the number of rounds and the day.
pub(super) fn format_and_day(page: &Page<'_>) -> String {
    let state = page.state;
    let rules = state.format_rules();
    let (noun, rounds) = (
        rules.noun,
        count_with_noun(state.rounds_completed(), rules.rounds.one),
    );
    let how = match rules.judging {
        Judging::AtTheEnd => format!("A {noun} of {rounds}"),
        Judging::EachRound => format!("A {noun}, {rounds} judged"),
    };
    match opening_day(page) {
        Some(day) => format!("{how} · {day}"),
        None => how,
    }
}

/// Returns the day on which the debate began. For a debate imported from another tool that is the
/// day of its first score, else the day of its opening, from its unique name.
pub(super) fn opening_day(page: &Page<'_>) -> Option<String> {
    let state = page.state;
    let scored = match state.imported_files().is_empty() {
        true => None,
        false => {
            let entries = state.score_histories().values().flatten();
            entries.filter_map(|entry| entry.at_ms).min()
        }
    };
    let ms = scored.unwrap_or_else(|| state.spec.ulid.timestamp_ms());
    let ms = i64::try_from(ms).ok()?;
    let time = jiff::Timestamp::from_millisecond(ms).ok()?;
    let day = time.to_string();
    (ms > 0).then(|| day.chars().take(10).collect())
}

/// Returns the definitions of the motion and the thesis of each side.
fn terms_and_theses(page: &Page<'_>) -> Markup {
    let spec = &page.state.spec;
    let theses = page.state.theses();
    html! {
        @if !spec.definitions().is_empty() || spec.scope().is_some() {
            dl.terms {
                @for one in spec.definitions() {
                    div { dt dir="auto" { (shorten_to_columns(&one.term, 80)) } dd dir="auto" { (page.prose(&one.meaning)) } }
                }
                @if let Some(scope) = spec.scope() {
                    div { dt { "Scope" } dd dir="auto" { (page.prose(scope)) } }
                }
            }
        }
        @if let Some(theses) = theses {
            ul.theses {
                @for seat in spec.format().sides() {
                    li.(page.side_class(seat)) {
                        span.seat { (capitalize(&seat.to_string())) }
                        p dir="auto" { (page.prose(theses.thesis(seat).unwrap_or_default())) }
                    }
                }
            }
        }
    }
}

/// Returns the answer and the winner.
fn answer_and_winner(page: &Page<'_>) -> Markup {
    let Some(verdict) = page.verdict else {
        return html! {
            h2.verdict id="h-answer" { "No verdict yet" }
            p.behind { (no_verdict_reason(page)) }
        };
    };
    let answer = verdict
        .answer
        .as_deref()
        .filter(|text| !plain_line(text).is_empty());
    html! {
        @if let Some(answer) = answer {
            @if let Some(one_sided) = &verdict.one_sided {
                h2.label id="h-answer" { "One-sided claim, not an answer" }
                p.verdict dir="auto" { (page.prose(&one_sided.claim)) }
            } @else {
                h2.label id="h-answer" { "The answer" }
                p.verdict dir="auto" { (page.prose(answer)) }
            }
            p.behind { (winner(page, verdict)) }
            (basis(page, verdict))
        } @else {
            h2.label id="h-answer" { "Current standing" }
            p.verdict { (winner(page, verdict)) }
        }
    }
}

fn no_verdict_reason(page: &Page<'_>) -> String {
    match &page.state.halted {
        Some(_) => "The debate is halted; the transcript says why.".to_owned(),
        None => "The debate has not ended; this page shows its turns so far.".to_owned(),
    }
}

fn winner(page: &Page<'_>, verdict: &Verdict) -> Markup {
    let totals = verdict.readings.tally.as_ref().map(|tally| {
        let totals = page.state.spec.format().sides().map(|seat| {
            let total = tally.totals.get(&seat).copied().unwrap_or_default();
            replace_hyphen_minus(&total.total.to_string())
        });
        format!("{} to {}", totals[0], totals[1])
    });
    let Some(seat) = verdict.winner else {
        let nobody = match &totals {
            Some(_) => "Neither side leads",
            None if page.state.closed == Some(Outcome::Agreed) => "Both sides gave this answer",
            None if verdict.one_sided.is_some() => "Only the proposer was heard",
            None => "No side won",
        };
        return html! { (nobody) @if let Some(totals) = totals { ", " span.number { (totals) } } };
    };
    let tool = verdict.winner_tool.as_ref().map(ToString::to_string);
    html! {
        span.side.(page.side_class(seat)) {
            @if totals.is_some() { "The " (seat) " leads" }
            @else { "For the " (seat) }
        }
        @if let Some(totals) = totals { " " span.number { (totals) } }
        @if let Some(tool) = tool { span.by { "argued by " (tool) } }
    }
}

/// Returns the basis of the answer without the winner, which is shown above.
fn basis(page: &Page<'_>, verdict: &Verdict) -> Markup {
    let basis = match verdict.headline.split_once(" · ") {
        Some((winner, basis)) if winner.ends_with(" wins") => basis,
        _ => verdict.headline.as_str(),
    };
    let swap = verdict.readings.swap.as_ref();
    let is_steady = swap.is_none_or(|swap| swap.answer.is_none());
    let is_shown = decisive_faults(page.state, verdict).is_empty();
    let class = match verdict.authority {
        Authority::Full if is_steady && is_shown => "good",
        _ => "caution",
    };
    html! { p.basis.(class) { (page.prose(&capitalize(basis))) } }
}

type AnswerRow = (&'static str, Markup);

fn answer_rows(page: &Page<'_>) -> Vec<AnswerRow> {
    let mut rows: Vec<AnswerRow> = Vec::new();
    if let Some(verdict) = page.verdict {
        let texts = [
            ("Why", &verdict.why),
            ("Do next", &verdict.do_next),
            ("Unless", &verdict.unless),
        ];
        for (label, text) in texts {
            if let Some(text) = text.as_deref().filter(|text| !plain_line(text).is_empty()) {
                rows.push((label, html! { p dir="auto" { (page.prose(text)) } }));
            }
        }
        for decided in verdict.decided_before.iter().chain(&verdict.decided) {
            rows.push((
                "Decided",
                html! { p dir="auto" { (page.prose(&decided.in_words())) } },
            ));
        }
        let points = verdict
            .hangs_on
            .iter()
            .take(MOST)
            .map(|&id| page.point_link_with_name(id));
        if !verdict.hangs_on.is_empty() {
            rows.push((
                "Hangs on",
                html! { ul { @for point in points { li { (point) } } } },
            ));
        }
        if let Some(says) = graph_sentence(verdict) {
            let points = verdict.graph_hangs_on.iter();
            let points: Vec<_> = points.filter(|id| !verdict.hangs_on.contains(id)).collect();
            rows.push((
                "By the argument graph",
                html! {
                    p { (page.prose(&says)) }
                    @if !points.is_empty() { ul { @for &&id in &points { li { (page.point_link_with_name(id)) } } } }
                },
            ));
        }
    }
    if page.has_scores() {
        push_formal_rows(page, &mut rows);
    }
    if let Some(verdict) = page.verdict {
        push_outcome_rows(page, verdict, &mut rows);
        rows.push(("Authority", authority_explanation(verdict, page)));
        if !page.has_scores() {
            rows.push((
                "Stability",
                html! { p { (page.prose(&stability_sentence(verdict))) } },
            ));
        }
        push_evidence_rows(page, verdict, &mut rows);
        let put_in = labels::user_input_lines(page.state);
        if !put_in.is_empty() {
            let list = html! { ul { @for word in &put_in { li dir="auto" { (word) } } } };
            rows.push(("From the user", list));
        }
        let notes = cautions_in_words(page.state).into_iter();
        let notes = notes.map(|note| html! { (capitalize(&plain_line(&note))) "." });
        push_entries_row(&mut rows, "Note", notes.collect());
    }
    rows
}

/// Adds the rows with the verdict's details: concessions, open questions, shared assumptions,
/// agreements, disagreements and first answers.
fn push_outcome_rows(page: &Page<'_>, verdict: &Verdict, rows: &mut Vec<AnswerRow>) {
    let conceded = verdict.conceded.iter().map(|granted| {
        html! {
            span.who { (labels::tool_or_seat_name(page.state, granted.seat)) } " "
            q dir="auto" { (page.prose(&granted.text)) } " " (page.point_link(granted.id))
        }
    });
    push_entries_row(rows, "Conceded", conceded.collect());
    let open = verdict.open.iter().map(|open| {
        html! {
            span dir="auto" { (page.prose(&open.question)) }
            span.settle dir="auto" { "To settle: " (page.prose(&open.to_settle)) }
        }
    });
    push_entries_row(rows, "Still open", open.collect());
    let assumed = verdict.assumed_by_both.iter();
    let assumed = assumed.map(|text| html! { span dir="auto" { (page.prose(text)) } });
    push_entries_row(rows, "Assumed by both, unchecked", assumed.collect());
    let agreed = verdict.agreements.iter().map(|agreed| {
        html! {
            span dir="auto" { (page.prose(&agreed.point)) }
            @for &id in &agreed.evidence { " " (page.point_link(id)) }
        }
    });
    push_entries_row(rows, "Agreements", agreed.collect());
    let differ = verdict.disagreements.iter().map(|differ| {
        html! {
            span dir="auto" { (page.prose(&differ.point)) }
            span.settle dir="auto" { "Proposer: " (page.prose(&differ.proposer)) }
            span.settle dir="auto" { "Challenger: " (page.prose(&differ.challenger)) }
        }
    });
    push_entries_row(rows, "Disagreements", differ.collect());
    if let Some(blind) = &verdict.blind {
        let answer = |text: &Option<String>| text.as_deref().map_or("lost".to_owned(), plain_line);
        rows.push((
            "First answers",
            html! {
                ul {
                    @for (seat, said) in [(Seat::Proposer, &blind.proposer), (Seat::Challenger, &blind.challenger)] {
                        li { span.who { (labels::tool_or_seat_name(page.state, seat)) } " " q dir="auto" { (answer(said)) } }
                    }
                }
                @if let Some(said) = labels::describe_first_answers(blind) { p.settle { (capitalize(said)) "." } }
            },
        ));
    }
}

/// Adds the rows on the citations, the support and the judge's grades.
fn push_evidence_rows(page: &Page<'_>, verdict: &Verdict, rows: &mut Vec<AnswerRow>) {
    let checks = ground_checks(page.state);
    let has = |kinds: &[StampKind]| {
        let mut stamps = checks.iter().map(|one| one.stamped.stamp.kind());
        stamps.any(|kind| kinds.contains(&kind))
    };
    let class = match () {
        () if has(&[StampKind::Wrong, StampKind::Missing]) => "warn",
        () if has(&[StampKind::Moved]) => "caution",
        () => "plain",
    };
    rows.push((
        "Citations",
        match citation_summary(page.state) {
            Some(found) => html! { p.(class) { (page.prose(&found)) "." } },
            None => html! { p { "There are no citations that Agon could check." } },
        },
    ));
    let support = support_sentences(page.state).into_iter();
    let support = support.map(|said| html! { (page.prose(&capitalize(&said))) "." });
    push_entries_row(rows, "Support", support.collect());
    if let Some(quality) = &verdict.quality {
        let grades = [
            ("genuine disagreement", quality.genuine_disagreement),
            ("evidence", quality.evidence),
            ("depth of the challenge", quality.challenge_depth),
        ];
        let grades = grades.map(|(what, grade)| format!("{what}: {}", grade.label()));
        rows.push(("Quality", html! { p { (capitalize(&grades.join(" · "))) } }));
    }
}

/// Adds a row of entries, if there are any.
fn push_entries_row(rows: &mut Vec<AnswerRow>, label: &'static str, entries: Vec<Markup>) {
    let more = entries.len().saturating_sub(MOST);
    if entries.is_empty() {
        return;
    }
    rows.push((
        label,
        html! {
            ul {
                @for entry in entries.iter().take(MOST) { li { (entry) } }
                @if more > 0 { li.more { "and " (more) " more, in the transcript" } }
            }
        },
    ));
}

/// Adds the computed rows of a formal debate: turning points, strongest and weakest arguments, and
/// unanswered attacks.
fn push_formal_rows(page: &Page<'_>, rows: &mut Vec<AnswerRow>) {
    let state = page.state;
    let turning = facts::turning_points(state, ENDS);
    let [first, second] = state.spec.format().sides();
    let turning = turning.into_iter().map(|swing| {
        let gained = if swing.by > Score::ZERO { first } else { second };
        let by = swing.by.abs().to_string();
        html! {
            "Exchange " (swing.exchange) ": the " (gained) " gained "
            span.number { (by.trim_start_matches('+')) } ", with "
            @for (nth, (id, _)) in swing.scored.iter().filter(|(id, _)| id.seat == gained).take(3).enumerate() {
                @if nth > 0 { ", " } (page.point_link_with_name(*id))
            }
        }
    });
    push_entries_row(rows, "Turning points", turning.collect());
    let ranking = facts::arguments_by_score(state);
    let most = ENDS.min(ranking.len() / 2);
    let scored = |(id, score): &(NodeId, Score)| {
        html! { span.number { (replace_hyphen_minus(&score.to_string())) } " " (page.point_link_with_name(*id)) }
    };
    push_entries_row(
        rows,
        "Strongest",
        ranking.iter().take(most).map(scored).collect(),
    );
    push_entries_row(
        rows,
        "Weakest",
        ranking.iter().rev().take(most).map(scored).collect(),
    );
    let unanswered = facts::unanswered_attacks(state).into_iter().map(|attack| {
        html! { (page.point_link(attack.from)) " on the " (attack.kind.part_label()) " of " (page.point_link_with_name(attack.target)) }
    });
    push_entries_row(rows, "Unanswered attacks", unanswered.collect());
}

fn authority_explanation(verdict: &Verdict, page: &Page<'_>) -> Markup {
    let sentence = match verdict.authority {
        Authority::Full if page.has_scores() => {
            "Full: both sides argued every exchange so far, and each was judged."
        }
        Authority::Full => "Full: both sides completed every planned turn, and a judge ruled.",
        Authority::Unstable if verdict.stability.swap == Trial::Flipped => {
            "Unstable: the judge changed sides when they were swapped."
        }
        Authority::BuiltInModel => {
            "A demonstration: the built-in model held every seat. It shows how a debate runs. Do not \
             rely on its verdict."
        }
        Authority::Unstable => {
            "Unstable: a debater's own tool judged, because the planned judges were lost."
        }
        Authority::Partial => "Partial: a planned turn is missing.",
        Authority::Uncontested if page.state.closed == Some(Outcome::Agreed) => {
            "Not judged: both sides gave the same answer before seeing each other's."
        }
        Authority::Uncontested => "Not judged: only one side was heard, and its claim is untested.",
    };
    html! {
        p.(if verdict.authority == Authority::Full { "good" } else { "caution" }) { (sentence) }
        @for missing in verdict.missing.iter().take(MOST) {
            p.missing { (capitalize(&missing.seat.to_string())) ", round " (missing.round) ": " (plain_line(&missing.cause)) }
        }
    }
}

fn stability_sentence(verdict: &Verdict) -> String {
    let swap = match verdict.stability.swap {
        Trial::Same => "The judge ruled for the same side with the sides swapped and names hidden.",
        Trial::Flipped => {
            "The judge changed sides when they were swapped: treat the verdict with caution."
        }
        Trial::NotRun => "Not tested: no judge was asked again with the sides swapped.",
    };
    let otherwise = labels::describe_second_answer(verdict);
    let otherwise = otherwise.map(|said| format!(" Its second ruling differs: {said}."));
    let panel = verdict.stability.panel.as_ref().map(|panel| {
        let without = match panel.leave_one_out {
            Trial::Same => ", with the same result without any one of them",
            Trial::Flipped => ", but the result changes without one of them",
            Trial::NotRun => "",
        };
        format!(
            " {} of {} judges chose it{without}.",
            panel.in_favour, panel.judges
        )
    });
    let (otherwise, panel) = (otherwise.unwrap_or_default(), panel.unwrap_or_default());
    format!("{swap}{otherwise}{panel}")
}

/// Returns the narrative: its headings become headings, all else is plain text.
fn narrative_section(page: &Page<'_>, narrative: &str) -> Markup {
    let lines = narrative.trim().lines().map(str::trim);
    html! {
        section.account aria-label="Narrative" {
            @for line in lines.filter(|line| !line.is_empty()) {
                @let name = line.trim_start_matches('#').trim();
                @if line.starts_with('#') && agon_rules::narrative::HEADINGS.contains(&name) {
                    h3 { (name) }
                } @else {
                    p dir="auto" { (page.prose(line)) }
                }
            }
        }
    }
}

/// Returns a side's total in a formal debate.
pub(super) fn total_score(page: &Page<'_>, seat: Seat) -> String {
    let totals = tally::side_totals(page.state);
    let total = totals.get(&seat).copied().unwrap_or_default();
    replace_hyphen_minus(&total.total.to_string())
}
