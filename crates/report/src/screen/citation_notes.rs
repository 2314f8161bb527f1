//! Notes on a finding about evidence: the citation, and the text at the cited place.

use agon_record::evidence::stamps_of_turn;
use agon_record::finding::Finding;
use agon_record::ground::GroundStamp;
use agon_record::id::NodeId;
use agon_record::stamp::{SourceText, Stamp, StampKind};
use agon_record::state::State;

use crate::finding::finding_point_index;
use crate::text::{citation_place, plain_line};

/// Returns labelled notes on a wrong or missing citation: the citation, the text at the place and
/// the answers to the point. Empty for any other finding.
pub(super) fn citation_notes(state: &State, finding: &Finding) -> Vec<(&'static str, String)> {
    ground_citation_notes(state, finding).unwrap_or_default()
}

fn ground_citation_notes(state: &State, finding: &Finding) -> Option<Vec<(&'static str, String)>> {
    let (_, ground) = finding.at.rsplit_once("grounds[")?;
    let ground: usize = ground.strip_suffix(']')?.parse().ok()?;
    let point = finding_point_index(state, finding)?;
    let is_amiss = |one: &GroundStamp| {
        matches!(
            one.stamped.stamp.kind(),
            StampKind::Wrong | StampKind::Missing
        )
    };
    let of_it = |one: &&GroundStamp| (one.point, one.ground) == (point, ground) && is_amiss(one);
    let stamped = &stamps_of_turn(state, finding.turn)
        .iter()
        .find(of_it)?
        .stamped;
    let words = stamped.citation.anchor.as_deref().map(plain_line);
    let words = words.map_or_else(String::new, |words| format!(" \"{words}\""));
    let mut lines = vec![(
        "cited",
        format!("{}{words}", citation_place(&stamped.citation)?),
    )];
    let citation = &stamped.citation;
    let pinned = citation.file.is_some() && citation.commit.is_none();
    let source = state.spec.source.as_ref().filter(|_| pinned);
    let source = source.map_or_else(String::new, |source| format!(" ({})", source.about));
    let there = stamped.stamp.source_text();
    lines.extend(there.map(|there| ("there", format!("{}{source}", first_source_line(there)))));
    let id = *state.admitted(finding.turn)?.ids.get(point)?;
    let nowhere = matches!(&stamped.stamp, Stamp::Wrong { elsewhere, .. } if elsewhere.is_empty());
    let nowhere = nowhere.then(|| "not found anywhere in the source".to_owned());
    let notes: Vec<_> = nowhere
        .into_iter()
        .chain(answered_by_note(state, id))
        .collect();
    if !notes.is_empty() {
        lines.push(("note", notes.join("; ")));
    }
    Some(lines)
}

/// Returns the first line of the stamp's place, with the place.
fn first_source_line(there: &SourceText) -> String {
    let first = there.place.lines[0].saturating_sub(there.from) as usize;
    let text = there.text.get(first).or(there.text.first());
    let text = text.map(|text| plain_line(text.trim())).unwrap_or_default();
    format!("{} {text}", plain_line(&there.place.to_string()))
}

/// Returns "answered by" and the ids of the points that target `id`; `None` if there are none.
fn answered_by_note(state: &State, id: NodeId) -> Option<String> {
    let nodes = state.nodes();
    let answers = nodes.iter().filter(|node| node.point.target() == Some(id));
    let answers: Vec<_> = answers.map(|node| node.id.to_string()).collect();
    (!answers.is_empty()).then(|| format!("answered by {}", answers.join(", ")))
}
