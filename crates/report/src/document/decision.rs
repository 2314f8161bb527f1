//! The verdict as a pull request comment and as a decision record.

use agon_record::decision::DecisionKind;
use agon_record::format::Judging;
use agon_record::id::Seat;
use agon_record::state::State;
use agon_verdict::graph;
use agon_verdict::verdict::{Verdict, citation_summary, graph_sentence, name_with_fault};

use crate::labels::tool_or_seat_name;
use crate::markdown::{escape_and_quote, escape_inline};

/// Returns the verdict as a pull request comment: the answer first, its basis collapsed.
pub fn pull_request_md(state: &State, verdict: &Verdict) -> String {
    let mut out = String::new();
    let answer = verdict.answer.as_deref().unwrap_or("no answer");
    put!(out, "### {}\n\n", escape_inline(answer));
    put!(out, "{}\n\n", escape_inline(&verdict.headline));
    put!(out, "- **Asked:** {}\n", escape_inline(&verdict.topic));
    for (label, text) in [
        ("Why", &verdict.why),
        ("Do next", &verdict.do_next),
        ("Unless", &verdict.unless),
    ] {
        if let Some(text) = text {
            put!(out, "- **{label}:** {}\n", escape_inline(text));
        }
    }
    put!(
        out,
        "- **Citations:** {}\n",
        escape_inline(&citations_or_none(state))
    );
    if let Some(decided) = &verdict.decided {
        put!(
            out,
            "- **Decided:** {}\n",
            escape_inline(&decided.in_words())
        );
    }
    let details = details_md(state, verdict);
    if !details.is_empty() {
        put!(
            out,
            "\n<details><summary>What it depends on, what was conceded, what is still open</summary>\n\n\
             {details}\n</details>\n"
        );
    }
    put!(
        out,
        "\n<sub>{}</sub>\n",
        escape_inline(&debaters_and_judge(state))
    );
    out
}

/// Returns the verdict as a decision record: context, options, decision, consequences. `day` is the
/// day of the verdict.
pub fn decision_record_md(state: &State, verdict: &Verdict, day: &str) -> String {
    let mut out = String::new();
    let answer = verdict.answer.as_deref().unwrap_or("no answer");
    put!(out, "# {}\n\n", escape_inline(answer));
    put!(out, "- Status: {}\n", record_status(verdict));
    put!(out, "- Date: {day}\n");
    let by = match &verdict.one_sided {
        Some(_) => "Asked",
        None => "Decided by",
    };
    put!(
        out,
        "- {by}: {}\n",
        escape_inline(&debaters_and_judge(state))
    );
    put!(out, "- Authority: {}\n", escape_inline(&verdict.headline));
    put!(out, "\n## Context\n\n{}\n", escape_inline(&verdict.topic));
    put!(out, "\n## Options\n\n{}", options_of(state, "-"));
    let heading = match has_decision(verdict) {
        true => "Decision",
        false => "No decision",
    };
    put!(out, "\n## {heading}\n\n{}\n", escape_inline(answer));
    if let Some(why) = &verdict.why {
        put!(out, "\n{}\n", escape_inline(why));
    }
    if verdict.do_next.is_some() || verdict.unless.is_some() {
        put!(out, "\n## Consequences\n\n");
    }
    if let Some(next) = &verdict.do_next {
        put!(out, "- To do: {}\n", escape_inline(next));
    }
    if let Some(unless) = &verdict.unless {
        put!(out, "- Revisit if: {}\n", escape_inline(unless));
    }
    if let Some(decided) = &verdict.decided {
        put!(out, "\n## What became of it\n\n");
        for decided in verdict.decided_before.iter().chain([decided]) {
            put!(out, "- {}\n", escape_inline(&decided.in_words()));
        }
    }
    let details = details_md(state, verdict);
    if !details.is_empty() {
        put!(out, "\n## Basis\n\n{details}");
    }
    put!(
        out,
        "\nCitations: {}\n",
        escape_inline(&citations_or_none(state))
    );
    out
}

/// Returns the position of each side, as a list.
pub(super) fn options_of(state: &State, bullet: &str) -> String {
    let mut out = String::new();
    let graph = graph::build_graph(state);
    for (seat, position) in graph.sides().into_iter().zip(graph.nodes()) {
        put!(
            out,
            "{bullet} {} ({seat}): {}\n",
            tool_name(state, seat),
            escape_inline(&position.title)
        );
    }
    out
}

/// Returns whether the verdict decides: both sides were heard, and one of them leads.
pub(super) fn has_decision(verdict: &Verdict) -> bool {
    verdict.one_sided.is_none() && verdict.answer.is_some()
}

/// Returns the status of the decision record: what was recorded about the verdict, or `proposed`.
pub(super) fn record_status(verdict: &Verdict) -> &'static str {
    let taken = verdict.decided.as_ref().map(|decided| decided.taken);
    match (taken, &verdict.one_sided) {
        (Some(DecisionKind::Taken), _) => "accepted",
        (Some(DecisionKind::Partly), _) => "accepted in part",
        (Some(DecisionKind::NotTaken), _) => "rejected",
        (None, Some(_)) => "not decided: only one side was heard",
        (None, None) => "proposed",
    }
}

/// Returns a list: what the verdict hangs on, the concessions, the open questions and the
/// assumptions.
pub(super) fn details_md(state: &State, verdict: &Verdict) -> String {
    let mut out = String::new();
    if !verdict.hangs_on.is_empty() {
        let ids = verdict.hangs_on.iter();
        let ids: Vec<_> = ids.map(|&id| name_with_fault(state, id)).collect();
        put!(out, "- Hangs on: {}\n", ids.join(", "));
    }
    if let Some(says) = graph_sentence(verdict) {
        put!(out, "- By the argument graph: {}\n", escape_inline(&says));
    }
    for granted in &verdict.conceded {
        let who = tool_or_seat_name(state, granted.seat);
        let said = escape_and_quote(&granted.text);
        put!(out, "- Conceded by {who}: {said} ({})\n", granted.id);
    }
    for open in &verdict.open {
        let (question, settle) = (
            escape_inline(&open.question),
            escape_inline(&open.to_settle),
        );
        put!(out, "- Still open: {question} To settle: {settle}\n");
    }
    for assumed in &verdict.assumed_by_both {
        put!(
            out,
            "- Assumed by both, unchecked: {}\n",
            escape_inline(assumed)
        );
    }
    put!(out, "- Rigor: {}\n", escape_inline(&verdict.rigor));
    out
}

pub(super) fn citations_or_none(state: &State) -> String {
    citation_summary(state).unwrap_or_else(|| "none: reasoning only".to_owned())
}

/// Returns the debaters and the judges, in words.
pub(super) fn debaters_and_judge(state: &State) -> String {
    let sides = state.spec.format().sides();
    let sides = sides.map(|seat| format!("{} ({seat})", tool_name(state, seat)));
    let judges: Vec<_> = match state.prevailing_ruling() {
        Some((seat, _)) => vec![tool_name(state, seat)],
        // Every judge scores a formal debate, so name all of them.
        None if state.format_rules().judging == Judging::EachRound => {
            let judges = state.seats.keys().filter(|seat| seat.is_judge());
            judges.map(|&seat| tool_name(state, seat)).collect()
        }
        None => Vec::new(),
    };
    let judged = match judges.is_empty() {
        true => String::new(),
        false => format!(", judged by {}", judges.join(", ")),
    };
    let slug = &state.spec.slug;
    format!(
        "debated by {}{judged}; debate {slug}, recorded by agon",
        sides.join(" and ")
    )
}

fn tool_name(state: &State, seat: Seat) -> String {
    let seating = state.seats.get(&seat);
    seating.map_or_else(|| seat.to_string(), |seating| seating.tool.to_string())
}
