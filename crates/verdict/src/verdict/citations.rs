//! The results of citation checks, in words.
//!
//! All screens and documents use these words, so that none sounds better than another.

use std::collections::BTreeMap;

use agon_record::evidence::{self, citation_fault};
use agon_record::ground::Citations;
use agon_record::id::{NodeId, Seat};
use agon_record::stamp::StampKind;
use agon_record::state::State;

use super::count;
use super::document::Verdict;
use super::fault::name_with_fault;

/// Returns the number of citations by result, such as `17 citations: 16 found, 1 wrong (pro_001c)`.
///
/// Points with wrong or missing citations are named. `None` without citations.
pub fn citation_summary(state: &State) -> Option<String> {
    summary_of(state, &count::citation_counts(state))
}

/// As [`citation_summary`], for citations that were already counted.
pub(super) fn summary_of(state: &State, counts: &BTreeMap<Seat, Citations>) -> Option<String> {
    let is_checked = counts.values().any(|side| side.unchecked < side.total());
    let sum = |kind| counts.values().map(|side| side.count(kind)).sum::<u32>();
    let total = match counts.values().map(Citations::total).sum::<u32>() {
        0 => return None,
        1 => "1 citation".to_owned(),
        total => format!("{total} citations"),
    };
    if state.spec.source.is_none() && !is_checked {
        return Some(format!(
            "{total}, not checked: no repository was given (--context repo)"
        ));
    }
    let counts = StampKind::ALL.map(|kind| (kind, sum(kind)));
    let said = counts.into_iter().filter(|(_, count)| *count > 0);
    let said = said.map(|(kind, count)| match kind {
        StampKind::Wrong | StampKind::Missing => {
            let points = points_with_stamp(state, kind).into_iter();
            let points: Vec<_> = points.map(|id| id.to_string()).collect();
            format!("{count} {kind} ({})", points.join(", "))
        }
        _ => format!("{count} {}", kind.count_label()),
    });
    let said: Vec<_> = said.collect();
    Some(format!("{total}: {}", said.join(", ")))
}

/// Returns the points with a citation whose result is `kind`.
pub fn points_with_stamp(state: &State, kind: StampKind) -> Vec<NodeId> {
    let nodes = state.nodes().into_iter();
    let of_kind = nodes.filter(|node| {
        let stamps = evidence::stamps_of_point(state, node.id);
        stamps
            .iter()
            .any(|stamp| stamp.stamped.stamp.kind() == kind)
    });
    of_kind.map(|node| node.id).collect()
}

/// Returns the decisive points with a wrong or missing citation, each with the fault.
pub fn decisive_faults(state: &State, verdict: &Verdict) -> Vec<String> {
    let ids = verdict.decisive.iter().copied();
    let faulty = ids.filter(|&id| citation_fault(state, id).is_some());
    faulty.map(|id| name_with_fault(state, id)).collect()
}

/// Returns the citation results and the source they were checked against, without a full stop.
pub(super) fn checked_citations_sentence(
    state: &State,
    counts: &BTreeMap<Seat, Citations>,
) -> String {
    match (summary_of(state, counts), &state.spec.source) {
        (None, _) => "no citations".to_owned(),
        (Some(found), Some(source)) => format!("checked against {}: {found}", source.about),
        (Some(found), None) => found,
    }
}
