//! `verdict.md`: the verdict for people.

use agon_record::authority::Authority;
use agon_record::id::NodeId;
use agon_record::moves::Choose;
use agon_record::state::State;
use agon_verdict::verdict::{GraphLead, Verdict, hangs_on_says};

use super::Document;
use super::transcript::seating_md;
use crate::labels;
use crate::markdown::{inline, quoted};
use crate::text::{clock, counted};

pub(super) const DOCUMENT: Document = Document {
    path: "verdict.md",
    about: "the verdict, for people",
    render: |state, verdict| Some(verdict_md(state, verdict?).into_bytes()),
};

/// The verdict as Markdown: header, answer, why, do next, unless, then the rest.
///
/// What a tool wrote stays text.
pub fn verdict_md(state: &State, verdict: &Verdict) -> String {
    let mut out = header(state, verdict);
    if let Some(answer) = &verdict.answer {
        section(&mut out, "Answer", &inline(answer));
    }
    if let Some(why) = &verdict.why {
        section(&mut out, "Why", &inline(why));
    }
    if let Some(next) = &verdict.do_next {
        section(&mut out, "Do next", &inline(next));
    }
    if let Some(unless) = &verdict.unless {
        section(&mut out, "Unless", &inline(unless));
    }
    let points = verdict.hangs_on.iter().map(|&id| point(state, id));
    match (hangs_on_says(verdict), verdict.hangs_on.is_empty()) {
        (Some(says), true) => section(&mut out, "Hangs on", &inline(&says)),
        (Some(says), false) => {
            list(&mut out, "Hangs on", points);
            put!(out, "\n{}\n", inline(&says));
        }
        (None, _) => list(&mut out, "Hangs on", points),
    }
    list(&mut out, "The argument graph", graph(verdict).into_iter());
    list(
        &mut out,
        "Conceded",
        verdict.conceded.iter().map(|granted| {
            format!(
                "{}: {} ({})",
                granted.seat,
                quoted(&granted.text),
                granted.id
            )
        }),
    );
    list(
        &mut out,
        "From the user",
        labels::user_words(state).iter().map(|line| inline(line)),
    );
    let former = verdict.former.iter().map(|former| {
        let (rounds, winner) = (former.rounds, former.winner);
        format!(
            "after round {rounds}, for the {winner}: {}",
            inline(&former.answer)
        )
    });
    list(&mut out, "Earlier verdicts", former);
    let quality = verdict.quality.iter().flat_map(|quality| {
        [
            format!(
                "genuine disagreement: {}",
                quality.genuine_disagreement.label()
            ),
            format!("evidence: {}", quality.evidence.label()),
            format!(
                "depth of the challenge: {}",
                quality.challenge_depth.label()
            ),
        ]
    });
    list(&mut out, "Quality of the debate", quality);
    list(
        &mut out,
        "Agreements",
        verdict
            .agreements
            .iter()
            .map(|agreed| format!("{}{}", inline(&agreed.point), ids(&agreed.evidence))),
    );
    list(
        &mut out,
        "Disagreements",
        verdict.disagreements.iter().map(|differ| {
            let (proposer, challenger) = (inline(&differ.proposer), inline(&differ.challenger));
            let point = inline(&differ.point);
            format!("{point}\n  - proposer: {proposer}\n  - challenger: {challenger}")
        }),
    );
    list(
        &mut out,
        "Unresolved",
        verdict.open.iter().map(|open| {
            let settle = inline(&open.to_settle);
            format!("{}\n  - to settle it: {settle}", inline(&open.question))
        }),
    );
    let assumed = verdict.assumed_by_both.iter();
    list(
        &mut out,
        "Assumed by both, unchecked",
        assumed.map(|text| inline(text)),
    );
    let next = verdict.do_next.as_deref().map(inline);
    if let Some(answer) = &verdict.answer {
        let next = next.map_or_else(String::new, |next| format!("\n\n{next}"));
        section(
            &mut out,
            "Recommendation",
            &format!("{}{next}", inline(answer)),
        );
    }
    out
}

fn header(state: &State, verdict: &Verdict) -> String {
    let mut out = format!("# Verdict: {}\n\n", inline(&verdict.topic));
    for (seat, seating) in &state.seats {
        put!(
            out,
            "- {seat}: {}\n",
            seating_md(seating, state.model(*seat))
        );
    }
    let (completed, planned) = (verdict.rounds_completed, verdict.max_rounds);
    match &verdict.readings.tally {
        None => put!(out, "- rounds: {completed} of {planned}\n"),
        Some(tally) => {
            put!(out, "- exchanges judged: {completed}\n");
            for (seat, total) in &tally.totals {
                let arguments = counted(total.count, "argument");
                put!(out, "- {seat}: {} ({arguments})\n", total.total);
            }
        }
    }
    let winner = match verdict.winner {
        None if verdict.readings.tally.is_some() => "nobody: the totals are equal".to_owned(),
        None => "nobody: the sides agreed".to_owned(),
        Some(seat) if verdict.authority == Authority::Uncontested => format!("{seat}, unopposed"),
        Some(seat) => seat.to_string(),
    };
    put!(out, "- winner: {winner}\n");
    out.push_str(&tried(verdict));
    if let Some(blind) = &verdict.blind {
        let said = |answer: &Option<String>| answer.as_deref().map_or("lost".to_owned(), quoted);
        let (one, other) = (said(&blind.proposer), said(&blind.challenger));
        let vote = match &blind.vote {
            Some(vote) => format!("without a debate the vote is {}", quoted(vote)),
            None => "without a debate there is no majority".to_owned(),
        };
        put!(
            out,
            "- first answers: proposer {one}, challenger {other}; {vote}\n"
        );
    }
    put!(out, "- authority: {}\n", verdict.authority.name());
    for missing in &verdict.missing {
        let (seat, round) = (missing.seat, missing.round);
        put!(
            out,
            "- missing: {seat} in round {round} ({})\n",
            inline(&missing.cause)
        );
    }
    put!(out, "- rigor: {}\n", inline(&verdict.rigor));
    let usage = &verdict.usage;
    let about = if usage.tokens.estimated { "about " } else { "" };
    let calls = counted(usage.calls, "call");
    let tokens = usage.tokens.total();
    put!(
        out,
        "- cost: {calls}, {}, {about}{tokens} tokens\n",
        clock(usage.wall_ms)
    );
    out
}

/// What came of trying the verdict in other ways.
fn tried(verdict: &Verdict) -> String {
    let mut out = String::new();
    if let Some(said) = labels::swap_in_words(verdict) {
        put!(out, "- swap: {}\n", inline(&said));
    }
    let Some(panel) = &verdict.stability.panel else {
        return out;
    };
    let (judges, in_favour) = (panel.judges, panel.in_favour);
    put!(
        out,
        "- panel: {in_favour} of {judges} judges are for the winner"
    );
    if let Some(left_out) = labels::left_out(panel) {
        put!(out, ", {left_out}");
    }
    let rulings = verdict.readings.panel.iter();
    let rulings: Vec<_> = rulings
        .map(|reading| {
            let tool = reading.tool.as_ref().map(ToString::to_string);
            let tool = inline(&tool.unwrap_or_default());
            format!("{} {tool} for the {}", reading.seat, reading.winner)
        })
        .collect();
    if !rulings.is_empty() {
        put!(out, " ({})", rulings.join(", "));
    }
    out.push('\n');
    out
}

fn section(out: &mut String, name: &str, text: &str) {
    put!(out, "\n## {name}\n\n{text}\n");
}

fn list(out: &mut String, name: &str, items: impl Iterator<Item = String>) {
    let items: Vec<_> = items.collect();
    if !items.is_empty() {
        section(out, name, &format!("- {}", items.join("\n- ")));
    }
}

/// What the argument graph says: one line for each way to read it.
fn graph(verdict: &Verdict) -> Vec<String> {
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
    let how = format!("by {}", reading.semantics);
    if reading.equal.strengths == reading.scored.strengths {
        return vec![line(&how, &reading.scored)];
    }
    vec![
        line(&how, &reading.scored),
        line("the same, all arguments weighed alike", &reading.equal),
    ]
}

fn point(state: &State, id: NodeId) -> String {
    let text = state
        .node(id)
        .map(|node| format!(": {}", inline(node.point.text())));
    format!("{id}{}", text.unwrap_or_default())
}

fn ids(ids: &[NodeId]) -> String {
    if ids.is_empty() {
        return String::new();
    }
    let ids: Vec<_> = ids.iter().map(NodeId::to_string).collect();
    format!(" ({})", ids.join(", "))
}
