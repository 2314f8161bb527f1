//! The row that lists evidence faults.

use std::collections::BTreeSet;

use agon_record::evidence::stamps_of_point;
use agon_record::finding::Severity;
use agon_record::id::NodeId;
use agon_record::stamp::{Stamp, StampKind, Unchecked};
use agon_record::state::{State, TurnEnd};
use agon_verdict::verdict::{Citations, Verdict, citation_counts, citation_summary, faulty_points};

use crate::screen::line::Style;
use crate::screen::rows::Row;
use crate::text::count_with_noun;

// Chosen to fit a line of 80 columns with its counts; `--full` lists them all.
/// Maximum number of points with a wrong citation named besides the decisive ones.
const NAMED: usize = 3;

/// Returns the row of evidence faults, the decisive points first; an empty row without faults.
pub(in crate::screen) fn evidence_row(
    state: &State,
    verdict: &Verdict,
    decisive: &[NodeId],
) -> Row {
    let wrong = wrong_citations(state, decisive);
    let style = if wrong.is_some() {
        Style::Bad
    } else {
        Style::Warn
    };
    let mut said: Vec<String> = wrong.into_iter().collect();
    match has_citations(verdict) {
        true => said.extend(unsupported_decisive_points(verdict, decisive)),
        false if state.nodes().is_empty() => {}
        false => said.push("no citations: every point rests on reasoning only".to_owned()),
    }
    said.extend(unchecked_citations(state, verdict));
    said.extend(broken_rules(state));
    Row::styled("Evidence", style, vec![said.join("; ")])
}

fn has_citations(verdict: &Verdict) -> bool {
    let mut sides = verdict.citations.values();
    sides.any(|side| side.total() > 0)
}

/// Returns the number of citations of `kind` on both sides.
fn count_citations(verdict_citations: &[Citations], kind: StampKind) -> u32 {
    verdict_citations.iter().map(|side| side.count(kind)).sum()
}

/// Returns how many citations are wrong or missing, such as `3 of 18 citations are wrong`.
pub(in crate::screen) fn citation_doubt(state: &State) -> Option<String> {
    let counts: Vec<_> = citation_counts(state).into_values().collect();
    let total: u32 = counts.iter().map(Citations::total).sum();
    let [wrong, missing] =
        [StampKind::Wrong, StampKind::Missing].map(|kind| count_citations(&counts, kind));
    let what = match (wrong, missing) {
        (0, 0) => return None,
        (_, 0) => "wrong",
        (0, _) => "missing",
        (_, _) => "wrong or missing",
    };
    let verb = if wrong + missing == 1 { "is" } else { "are" };
    let noun = if total == 1 { "citation" } else { "citations" };
    Some(format!(
        "{} of {total} {noun} {verb} {what}",
        wrong + missing
    ))
}

/// Returns the points with wrong or missing citations, and the command that shows each with the
/// real text.
fn wrong_citations(state: &State, decisive: &[NodeId]) -> Option<String> {
    let doubt = citation_doubt(state)?;
    let faulty = faulty_points(state);
    let is_decisive = faulty.iter().any(|id| decisive.contains(id));
    let weight = match is_decisive || decisive.is_empty() {
        true => "",
        false => ", none of them decisive",
    };
    let points = name_points(&faulty, decisive);
    let name = state.command_name();
    Some(format!(
        "{doubt}{weight}{points}: agon evidence {name} --stamp wrong --stamp missing"
    ))
}

/// Returns the names of the faulty points, the decisive ones first.
fn name_points(faulty: &[NodeId], decisive: &[NodeId]) -> String {
    let (first, others): (Vec<NodeId>, Vec<NodeId>) =
        faulty.iter().partition(|id| decisive.contains(id));
    let mut named: Vec<_> = first.iter().map(|id| format!("{id} (decisive)")).collect();
    // A fourth name takes no more room than "1 more", so name it.
    let most = if others.len() == NAMED + 1 {
        NAMED + 1
    } else {
        NAMED
    };
    named.extend(others.iter().take(most).map(NodeId::to_string));
    if others.len() > most {
        named.push(format!("{} more", others.len() - most));
    }
    match named.split_last() {
        None => String::new(),
        Some((last, [])) => format!(", in {last}"),
        Some((last, before)) => format!(", in {} and {last}", before.join(", ")),
    }
}

/// Returns the decisive points that cite nothing.
fn unsupported_decisive_points(verdict: &Verdict, decisive: &[NodeId]) -> Option<String> {
    let by_reasoning = verdict.support.values().flat_map(|support| &support.ids);
    let by_reasoning: BTreeSet<_> = by_reasoning.collect();
    let points = decisive.iter().filter(|id| by_reasoning.contains(id));
    let points: Vec<_> = points.map(|id| format!("{id} (decisive)")).collect();
    let verb = if points.len() == 1 { "cites" } else { "cite" };
    (!points.is_empty()).then(|| format!("{} {verb} nothing", points.join(", ")))
}

/// Returns how many citations were not checked, and why if that is known.
fn unchecked_citations(state: &State, verdict: &Verdict) -> Option<String> {
    let counts: Vec<_> = verdict.citations.values().copied().collect();
    let unchecked = count_citations(&counts, StampKind::Unchecked)
        + count_citations(&counts, StampKind::Unreachable);
    let total: u32 = counts.iter().map(Citations::total).sum();
    match unchecked {
        0 => None,
        all if all == total && state.spec.source.is_none() => citation_summary(state),
        some => {
            let not_checked = format!("{} not checked", count_with_noun(some, "citation"));
            Some(match shared_reason(state) {
                Some(reason) => format!("{not_checked}: {reason}"),
                None => not_checked,
            })
        }
    }
}

/// Returns the reason why citations were not checked, if it is the same for all of them.
fn shared_reason(state: &State) -> Option<Unchecked> {
    let nodes = state.nodes().into_iter();
    let stamps = nodes.flat_map(|node| stamps_of_point(state, node.id));
    let mut reasons = stamps.filter_map(|stamp| match &stamp.stamped.stamp {
        Stamp::Unchecked { reason, .. } => Some(Some(*reason)),
        Stamp::Unreachable { .. } => Some(None),
        _ => None,
    });
    let first = reasons.next()??;
    reasons.all(|reason| reason == Some(first)).then_some(first)
}

/// Returns the number of unresolved broken rules, except those on citations, which are counted
/// already.
fn broken_rules(state: &State) -> Option<String> {
    let admitted = state.turns.values().filter_map(|turn| match &turn.end {
        Some(TurnEnd::Admitted(admitted)) => Some(&admitted.findings),
        Some(TurnEnd::Lost { .. }) | None => None,
    });
    let errors = admitted.flatten().filter(|finding| {
        finding.severity != Severity::Warning && !finding.code.starts_with("evidence-")
    });
    let count = errors.count() as u64;
    (count > 0).then(|| {
        let rules = count_with_noun(count, "broken rule");
        format!("{rules}: agon check {}", state.command_name())
    })
}
