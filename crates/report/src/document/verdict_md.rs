//! `verdict.md`: the verdict for people to read.

use agon_record::id::NodeId;
use agon_record::moves::Choose;
use agon_record::state::State;
use agon_verdict::verdict::{
    GraphLead, Verdict, citations_in_words, faulty_points, graph_sentence, name_with_fault,
    support_in_words,
};

use super::Document;
use super::transcript::seating_md;
use crate::labels;
use crate::markdown::{escape_and_quote, escape_inline, link_points};
use crate::text::{capitalize, count_with_noun, format_duration};

pub(super) const DOCUMENT: Document = Document {
    path: "verdict.md",
    about: "the verdict, for people to read",
    render: |state, verdict| Some(link_points(state, &verdict_md(state, verdict?)).into_bytes()),
    extend: None,
};

/// Returns the verdict as Markdown: the answer, its basis, the open questions, and facts about the
/// debate.
///
/// Text from tools is escaped.
pub fn verdict_md(state: &State, verdict: &Verdict) -> String {
    let mut out = format!("# Verdict: {}\n", escape_inline(&verdict.topic));
    let headline = escape_inline(&verdict.headline);
    match &verdict.answer {
        Some(answer) => {
            let (heading, answer) = match &verdict.one_sided {
                Some(one_sided) => ("One-sided claim, not an answer", &one_sided.claim),
                None => ("Answer", answer),
            };
            let answer = format!("{}\n\n{headline}", escape_inline(answer));
            push_section(&mut out, heading, &answer);
        }
        None => put!(out, "\n{}.\n", capitalize(&headline)),
    }
    for (name, text) in [
        ("Why", &verdict.why),
        ("Do next", &verdict.do_next),
        ("Unless", &verdict.unless),
    ] {
        if let Some(text) = text {
            push_section(&mut out, name, &escape_inline(text));
        }
    }
    let decided = verdict.decided_before.iter().chain(&verdict.decided);
    let decided = decided.map(|decided| escape_inline(&decided.in_words()));
    push_list_section(&mut out, "Decided", decided);
    let hangs_on = verdict.hangs_on.iter();
    let hangs_on = hangs_on.map(|&id| point_id_and_text(state, id));
    push_list_section(&mut out, "Hangs on", hangs_on);
    let conceded = verdict.conceded.iter().map(|granted| {
        let text = escape_and_quote(&granted.text);
        format!("{}: {text} ({})", granted.seat, granted.id)
    });
    push_list_section(&mut out, "Conceded", conceded);
    let open = verdict.open.iter().map(|open| {
        let (question, settle) = (
            escape_inline(&open.question),
            escape_inline(&open.to_settle),
        );
        format!("{question}\n  - to settle: {settle}")
    });
    push_list_section(&mut out, "Still open", open);
    let assumed = verdict.assumed_by_both.iter();
    push_list_section(
        &mut out,
        "Assumed by both, unchecked",
        assumed.map(|text| escape_inline(text)),
    );
    let agreements = verdict.agreements.iter().map(|agreed| {
        let ids = ids_in_parentheses(&agreed.evidence);
        format!("{}{ids}", escape_inline(&agreed.point))
    });
    push_list_section(&mut out, "Agreements", agreements);
    let disagreements = verdict.disagreements.iter().map(|differ| {
        let (proposer, challenger) = (
            escape_inline(&differ.proposer),
            escape_inline(&differ.challenger),
        );
        let point = escape_inline(&differ.point);
        format!("{point}\n  - proposer: {proposer}\n  - challenger: {challenger}")
    });
    push_list_section(&mut out, "Disagreements", disagreements);
    push_list_section(
        &mut out,
        "First answers",
        first_answers_lines(verdict).into_iter(),
    );
    push_list_section(
        &mut out,
        "The argument graph",
        graph_reading_lines(state, verdict).into_iter(),
    );
    push_list_section(
        &mut out,
        "From the user",
        labels::user_input_lines(state)
            .iter()
            .map(|line| escape_inline(line)),
    );
    let former = verdict.former.iter().map(|former| {
        let (rounds, winner) = (former.rounds, former.winner);
        let answer = escape_inline(&former.answer);
        format!("after round {rounds}, for the {winner}: {answer}")
    });
    push_list_section(&mut out, "Earlier verdicts", former);
    let quality = verdict.quality.iter().flat_map(|quality| {
        [
            ("genuine disagreement", quality.genuine_disagreement),
            ("evidence", quality.evidence),
            ("depth of the challenge", quality.challenge_depth),
        ]
    });
    let quality = quality.map(|(what, grade)| format!("{what}: {}", grade.label()));
    push_list_section(&mut out, "Quality of the debate", quality);
    push_section(
        &mut out,
        "About this debate",
        debate_facts_md(state, verdict).trim_end(),
    );
    out
}

/// Returns what each side answered before it heard the other, and whether they agree.
fn first_answers_lines(verdict: &Verdict) -> Vec<String> {
    let Some(blind) = &verdict.blind else {
        return Vec::new();
    };
    let said = |answer: &Option<String>| {
        answer
            .as_deref()
            .map_or("lost".to_owned(), escape_and_quote)
    };
    let mut lines = vec![
        format!("proposer: {}", said(&blind.proposer)),
        format!("challenger: {}", said(&blind.challenger)),
    ];
    lines.extend(labels::describe_first_answers(blind).map(str::to_owned));
    lines
}

/// Returns a list of facts: seats, planned and completed rounds, checks and cost.
fn debate_facts_md(state: &State, verdict: &Verdict) -> String {
    let mut out = String::new();
    for (seat, seating) in &state.seats {
        put!(
            out,
            "- {seat}: {}\n",
            seating_md(seating, state.model(*seat))
        );
    }
    for replaced in &state.replaced {
        put!(out, "- replaced: {}\n", escape_inline(&replaced.describe()));
    }
    let (completed, planned) = (verdict.rounds_completed, verdict.max_rounds);
    match &verdict.readings.tally {
        None => put!(out, "- rounds: {completed} of {planned}\n"),
        Some(tally) => {
            put!(out, "- exchanges judged: {completed}\n");
            for (seat, total) in &tally.totals {
                let arguments = count_with_noun(total.count, "argument");
                put!(out, "- {seat}: {} ({arguments})\n", total.total);
            }
        }
    }
    let winner = match verdict.winner {
        None if verdict.readings.tally.is_some() => "none: the totals are equal".to_owned(),
        None => match &verdict.one_sided {
            Some(one_sided) => format!("none: only the {} was heard", one_sided.claimed_by),
            None => "none: the sides agreed".to_owned(),
        },
        Some(seat) => seat.to_string(),
    };
    put!(out, "- winner: {winner}\n");
    out.push_str(&swap_and_panel_md(verdict));
    put!(out, "- authority: {}\n", verdict.authority.name());
    for missing in &verdict.missing {
        let (seat, round) = (missing.seat, missing.round);
        put!(
            out,
            "- missing: {seat} in round {round} ({})\n",
            escape_inline(&missing.cause)
        );
    }
    if let Some(citations) = citations_in_words(state, verdict) {
        put!(out, "- citations: {}\n", escape_inline(&citations));
    }
    for support in support_in_words(state, verdict) {
        put!(out, "- support: {}\n", escape_inline(&support));
    }
    put!(out, "- rigor: {}\n", escape_inline(&verdict.rigor));
    let usage = &verdict.usage;
    let about = if usage.tokens.estimated { "about " } else { "" };
    let calls = count_with_noun(usage.calls, "call");
    let tokens = usage.tokens.total();
    put!(
        out,
        "- cost: {calls}, {}, {about}{tokens} tokens\n",
        format_duration(usage.wall_ms)
    );
    out
}

/// Returns the result of the ruling with the sides swapped and of the panel, as list items.
fn swap_and_panel_md(verdict: &Verdict) -> String {
    let mut out = String::new();
    if let Some(said) = labels::describe_swap_trial(verdict, str::to_owned) {
        put!(out, "- swap: {}\n", escape_inline(&said));
    }
    let Some(panel) = &verdict.stability.panel else {
        return out;
    };
    let (judges, in_favour) = (panel.judges, panel.in_favour);
    put!(
        out,
        "- panel: {in_favour} of {judges} judges chose the winner"
    );
    if let Some(left_out) = labels::describe_leave_one_out(panel) {
        put!(out, ", {left_out}");
    }
    let rulings = verdict.readings.panel.iter();
    let rulings: Vec<_> = rulings
        .map(|reading| {
            let tool = reading.tool.as_ref().map(ToString::to_string);
            let tool = escape_inline(&tool.unwrap_or_default());
            format!("{} {tool} for the {}", reading.seat, reading.winner)
        })
        .collect();
    if !rulings.is_empty() {
        put!(out, " ({})", rulings.join(", "));
    }
    out.push('\n');
    out
}

fn push_section(out: &mut String, name: &str, text: &str) {
    put!(out, "\n## {name}\n\n{text}\n");
}

fn push_list_section(out: &mut String, name: &str, items: impl Iterator<Item = String>) {
    let items: Vec<_> = items.collect();
    if !items.is_empty() {
        push_section(out, name, &format!("- {}", items.join("\n- ")));
    }
}

/// Returns what the graph's result hangs on and who leads: once from the judge's scores with less
/// weight for wrong citations, and once with equal weights if that differs.
fn graph_reading_lines(state: &State, verdict: &Verdict) -> Vec<String> {
    let Some(reading) = &verdict.readings.graph else {
        return Vec::new();
    };
    let line = |what: &str, lead: &GraphLead| {
        let strengths = lead.strengths.iter();
        let strengths: Vec<_> = strengths
            .map(|(seat, strength)| format!("{seat} {strength:.3}"))
            .collect();
        let winner = match lead.winner {
            Some(seat) => format!("{seat} leads"),
            None if lead.status.is_settled() => "neither leads".to_owned(),
            None => format!("not settled ({})", lead.status.name()),
        };
        format!("{what}: {winner} ({})", strengths.join(", "))
    };
    let says = graph_sentence(verdict).map(|says| escape_inline(&says));
    let how = format!("by {}", reading.semantics);
    let mut lines: Vec<_> = says.into_iter().collect();
    lines.push(line(&how, &reading.scored));
    if reading.equal.strengths != reading.scored.strengths {
        let equal = line("with all arguments weighted equally", &reading.equal);
        lines.push(equal);
    }
    if let Some(kept) = reading.citation_weight {
        let points = faulty_points(state).into_iter();
        let points: Vec<_> = points.map(|id| id.to_string()).collect();
        lines.push(format!(
            "points with a wrong or missing citation start at {kept} of their strength: {}",
            points.join(", ")
        ));
    }
    lines
}

fn point_id_and_text(state: &State, id: NodeId) -> String {
    let text = state
        .node(id)
        .map(|node| format!(": {}", escape_inline(node.point.main_text())));
    format!("{}{}", name_with_fault(state, id), text.unwrap_or_default())
}

fn ids_in_parentheses(ids: &[NodeId]) -> String {
    if ids.is_empty() {
        return String::new();
    }
    let ids: Vec<_> = ids.iter().map(NodeId::to_string).collect();
    format!(" ({})", ids.join(", "))
}
