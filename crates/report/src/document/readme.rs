//! `README.md`: the verdict of a duel, or the computed results and the narrative of a formal
//! debate.

use agon_record::finding::Severity;
use agon_record::format::Judging;
use agon_record::id::{NodeId, Seat};
use agon_record::score::Score;
use agon_record::state::State;
use agon_record::tally;
use agon_verdict::facts::{self, AimedAttack, Swing};
use agon_verdict::verdict::{Verdict, citation_summary};

use super::formal_turn::contention_title_md;
use super::verdict_md;
use crate::markdown::{escape_and_quote, escape_inline};
use crate::text::{capitalize, count_with_noun};

// Chosen, not measured: a long list of turning points says little, and the graph shows them all.
/// Maximum number of turning points in the README.
const TURNS: usize = 3;
// An opening exchange has six arguments, so three at either end cover all of them.
/// The number of strongest and of weakest arguments in the README.
const ENDS: usize = 3;
// The same number as in a debater's prompt (`MAX_FINDINGS` in `prompt/src/open_points.rs`); `agon
// check` lists all findings.
/// Maximum number of findings in the README.
const FINDINGS: usize = 12;

/// Returns the README of a debate. For a duel it has the verdict; for a formal debate the totals,
/// turning points, strongest and weakest arguments, unanswered attacks, concessions and broken
/// rules.
///
/// `narrative` must have been checked with
/// [`narrative::check_narrative`](agon_rules::narrative::check_narrative); it comes first. Text
/// from tools is escaped. The same debate renders to the same bytes.
pub fn readme_md(state: &State, verdict: Option<&Verdict>, narrative: Option<&str>) -> String {
    if state.format_rules().judging == Judging::AtTheEnd {
        return duel_readme_md(state, verdict, narrative);
    }
    let mut out = format!("# {}\n\n", escape_inline(&state.spec.topic));
    if let Some(verdict) = verdict {
        put!(
            out,
            "{}.\n\n",
            escape_inline(&capitalize(&verdict.headline))
        );
    }
    push_terms_and_theses(&mut out, state);
    if let Some(narrative) = narrative {
        put!(out, "{}\n\n", narrative_md(narrative));
    }
    push_totals_table(&mut out, state);
    push_turning_points(&mut out, state);
    push_strongest_and_weakest(&mut out, state);
    push_unanswered_attacks(&mut out, state);
    push_concessions(&mut out, state);
    push_findings(&mut out, state);
    if let Some(citations) = citation_summary(state) {
        put!(out, "## Citations\n\n{}\n\n", escape_inline(&citations));
    }
    out.push_str("## Files\n\n");
    out.push_str("- `report.html`: the full report for a browser, with an interactive graph\n");
    out.push_str("- `transcript.md`: every argument in prose\n");
    out.push_str("- `arguments/`: one file for each\n");
    out.push_str("- `argument-graph.svg`: who attacks and defends what\n");
    out.push_str("- `scores.json`: every score with its reason\n");
    out
}

fn duel_readme_md(state: &State, verdict: Option<&Verdict>, narrative: Option<&str>) -> String {
    let mut out = match verdict {
        Some(verdict) => verdict_md(state, verdict),
        None => format!(
            "# {}\n\nThere is no verdict yet.\n",
            escape_inline(&state.spec.topic)
        ),
    };
    if let Some(narrative) = narrative {
        put!(out, "\n{}\n", narrative_md(narrative));
    }
    out.push_str("\n## Files\n\n");
    out.push_str("- `report.html`: the full report for a browser, with an interactive graph\n");
    out.push_str("- `transcript.md`: both sides in prose\n");
    out.push_str("- `arguments/`: one file for each point\n");
    out.push_str("- `verdict.json`: the verdict for programs\n");
    out
}

fn push_terms_and_theses(out: &mut String, state: &State) {
    for defined in state.spec.definitions() {
        put!(
            out,
            "- **{}**: {}\n",
            escape_inline(&defined.term),
            escape_inline(&defined.meaning)
        );
    }
    if !state.spec.definitions().is_empty() {
        out.push('\n');
    }
    if let Some(scope) = state.spec.scope() {
        put!(out, "Scope: {}\n\n", escape_inline(scope));
    }
    if let Some(theses) = state.theses() {
        for seat in state.spec.format().sides() {
            let thesis = theses.thesis(seat).unwrap_or_default();
            put!(out, "- The {seat} defends: {}\n", escape_inline(thesis));
        }
        out.push('\n');
    }
}

/// Returns the narrative as Markdown: known headings become headings, other lines are escaped.
fn narrative_md(narrative: &str) -> String {
    let line = |line: &str| match line.trim().trim_start_matches('#').trim() {
        name if agon_rules::narrative::HEADINGS.contains(&name) && line.trim().starts_with('#') => {
            format!("## {name}")
        }
        _ => escape_inline(line.trim()),
    };
    let lines: Vec<_> = narrative.trim().lines().map(line).collect();
    lines.join("\n")
}

fn push_totals_table(out: &mut String, state: &State) {
    out.push_str("## Current standing\n\n");
    let totals = tally::side_totals(state);
    let counts = facts::attack_and_defense_counts(state);
    out.push_str("| side | total | arguments | attacks | defenses |\n|---|---|---|---|---|\n");
    for seat in state.spec.format().sides() {
        let total = totals.get(&seat).copied().unwrap_or_default();
        let (attacks, defenses) = counts.get(&seat).copied().unwrap_or_default();
        put!(
            out,
            "| {seat} | {} | {} | {attacks} | {defenses} |\n",
            total.total,
            total.count
        );
    }
    let exchanges = count_with_noun(state.rounds_completed(), state.format_rules().rounds.one);
    let leads = match tally::leading_side(state) {
        Some(seat) => format!("the {seat} leads"),
        None => "neither side leads".to_owned(),
    };
    put!(
        out,
        "\nAfter {exchanges} {leads}. The side with the positive total leads.\n\n"
    );
}

fn push_turning_points(out: &mut String, state: &State) {
    let turns = facts::turning_points(state, TURNS);
    if turns.is_empty() {
        return;
    }
    out.push_str("## Turning points (computed)\n\n");
    for swing in turns {
        put!(out, "- {}\n", swing_md(state, &swing));
    }
    out.push('\n');
}

fn swing_md(state: &State, swing: &Swing) -> String {
    let [first, second] = state.spec.format().sides();
    let gained = if swing.by > Score::ZERO {
        first
    } else {
        second
    };
    let mut parts: Vec<_> = swing
        .scored
        .iter()
        .map(|(id, score)| format!("{id} {score}"))
        .collect();
    let again = swing.rescored.iter();
    parts.extend(again.map(|(id, old, new)| format!("{id} from {old} to {new}")));
    let size = swing.by.abs().to_string();
    let size = size.trim_start_matches('+');
    format!(
        "Exchange {}: the {gained} gained {size} ({}), which puts the {first}'s lead at {}",
        swing.exchange,
        parts.join(", "),
        swing.lead
    )
}

fn push_strongest_and_weakest(out: &mut String, state: &State) {
    let ranking = facts::arguments_by_score(state);
    let most = ENDS.min(ranking.len() / 2);
    let strongest = ranking.iter().take(most);
    let weakest = ranking.iter().rev().take(most);
    for (name, list) in [
        ("Strongest arguments", strongest.collect::<Vec<_>>()),
        ("Weakest arguments", weakest.collect()),
    ] {
        if list.is_empty() {
            continue;
        }
        put!(out, "## {name}\n\n");
        for (id, score) in list {
            put!(out, "- {} {}\n", score, argument_id_and_title(state, *id));
        }
        out.push('\n');
    }
}

/// Returns the id and title of an argument.
fn argument_id_and_title(state: &State, id: NodeId) -> String {
    let all = facts::contentions(state);
    match all.iter().find(|(known, ..)| *known == id) {
        Some((_, _, contention)) => format!("{id} {}", contention_title_md(contention)),
        None => id.to_string(),
    }
}

fn push_unanswered_attacks(out: &mut String, state: &State) {
    let open = facts::unanswered_attacks(state);
    if open.is_empty() {
        return;
    }
    out.push_str("## Unanswered attacks\n\n");
    for side in state.spec.format().sides() {
        for attack in open.iter().filter(|attack| attack.target.seat == side) {
            put!(out, "- {}\n", attack_md(side, attack));
        }
    }
    out.push('\n');
}

fn attack_md(side: Seat, attack: &AimedAttack) -> String {
    format!(
        "{} on the {} of {}, for the {side} to answer: {}",
        attack.from,
        attack.kind.part_label(),
        attack.target,
        escape_inline(&attack.content)
    )
}

fn push_concessions(out: &mut String, state: &State) {
    let given = facts::concessions(state);
    if given.is_empty() {
        return;
    }
    out.push_str("## Conceded\n\n");
    for concession in given {
        put!(
            out,
            "- {} concedes {}: {}\n",
            concession.from,
            concession.target,
            escape_and_quote(&concession.content)
        );
    }
    out.push('\n');
}

fn push_findings(out: &mut String, state: &State) {
    let all = state.admitted_turns().flat_map(|(turn, admitted)| {
        let findings = admitted.findings.iter();
        findings.map(move |finding| (turn, finding))
    });
    let all: Vec<_> = all.collect();
    let errors = all
        .iter()
        .filter(|(_, finding)| finding.severity > Severity::Warning)
        .count();
    let warnings = all.len() - errors;
    out.push_str("## Broken rules\n\n");
    if all.is_empty() {
        out.push_str("None.\n\n");
        return;
    }
    let slug = escape_inline(&state.spec.slug);
    put!(
        out,
        "{} and {}; `agon check {slug}` lists them.\n\n",
        count_with_noun(errors as u64, "error"),
        count_with_noun(warnings as u64, "warning")
    );
    let shown = all
        .iter()
        .filter(|(_, finding)| finding.severity > Severity::Warning)
        .take(FINDINGS);
    let mut any = false;
    for (turn, finding) in shown {
        let (code, message) = (
            escape_inline(&finding.code),
            escape_inline(&finding.message),
        );
        put!(out, "- {turn}: {message} ({code})\n");
        any = true;
    }
    if any {
        out.push('\n');
    }
}
