//! `README.md`: of a formal debate what its record shows, computed, and an account of it; of a
//! duel its verdict.

use agon_record::finding::Severity;
use agon_record::format::Judging;
use agon_record::id::{NodeId, Seat};
use agon_record::score::Score;
use agon_record::state::State;
use agon_record::tally;
use agon_verdict::facts::{self, AimedAttack, Swing};
use agon_verdict::verdict::{Verdict, citation_summary};

use super::formal::contention_title_md;
use super::verdict_md;
use crate::markdown::{escape_and_quote, escape_inline};
use crate::text::{capitalize, count_with_noun};

// Chosen, not measured: with more of them nothing is a turning point, and the graph shows them all.
/// The most turning points the README lists.
const TURNS: usize = 3;
// An opening exchange has six arguments: three at either end are all of them, in a longer debate
// the ends alone.
/// How many of the strongest and of the weakest arguments the README lists.
const ENDS: usize = 3;
// As many as a debater is told of (`MAX_FINDINGS` in `prompt/src/open.rs`); `agon check` shows
// each.
/// The most findings the README lists.
const FINDINGS: usize = 12;

/// The README of a debate: of a duel its verdict; of a formal debate totals, turning points,
/// strongest and weakest arguments, attacks without an answer, concessions and broken rules.
///
/// `verdict` is the verdict on the debate; `narrative` is an account that was checked with
/// [`narrative::check_narrative`](agon_rules::narrative::check_narrative); it stands first.
/// What a tool wrote stays text. The same debate gives the same bytes.
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
    out.push_str("## Where to look\n\n");
    out.push_str("- `report.html`: all of it for a browser, with the graph to explore\n");
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
    out.push_str("\n## Where to look\n\n");
    out.push_str("- `report.html`: all of it for a browser, with the graph to explore\n");
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

/// The narrative as Markdown: known headings become headings, every other line is escaped.
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
    out.push_str("## Where it stands\n\n");
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
    out.push_str("## Turning points, computed\n\n");
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
        "Exchange {}: the {gained} gained {size} ({}); the lead of the {first} is then {}",
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

/// An argument by its id and title.
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
    out.push_str("## Attacks nobody took up\n\n");
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
        "{} and {}; `agon check {slug}` shows each.\n\n",
        count_with_noun(errors as u64, "error"),
        count_with_noun(warnings as u64, "warning")
    );
    let told = all
        .iter()
        .filter(|(_, finding)| finding.severity > Severity::Warning)
        .take(FINDINGS);
    let mut any = false;
    for (turn, finding) in told {
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
