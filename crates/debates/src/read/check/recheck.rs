//! Looks up every citation again in the sources stored with the record.

use std::path::Path;
use std::sync::Arc;

use agon_caller::Failure;
use agon_engine::evidence::{Evidence, PinnedSource};
use agon_record::evidence::stamps_of_turn;
use agon_record::finding::Severity;
use agon_record::ground::GroundStamp;
use agon_record::stamp::{Stamp, Unchecked};
use agon_record::state::{Admitted, State};

use super::folder::FolderProblem;
use crate::sources;

/// The code of a citation whose new result differs from the record.
pub(super) const CHANGED: &str = "evidence-again";

/// The result of looking up all citations again.
#[derive(Debug, Default)]
pub(super) struct EvidenceRecheck {
    /// The number of places that were looked up.
    pub(super) places: usize,
    /// The citations whose results differ.
    pub(super) wrong: Vec<FolderProblem>,
}

/// Looks up every citation of the debate in `path` without its project. Returns `None` if no source
/// was stored.
///
/// # Errors
///
/// If the stored source cannot be read.
pub(super) fn recheck_citations(
    path: &Path,
    state: &State,
) -> Result<Option<EvidenceRecheck>, Failure> {
    let Some(source) = sources::open_source(path, state)? else {
        return Ok(None);
    };
    let source = Arc::new(source);
    let runs: Vec<_> = state.command_runs().cloned().collect();
    let mut again = EvidenceRecheck::default();
    for (turn, admitted) in state.admitted_turns() {
        let recorded = stamps_of_turn(state, turn);
        if recorded.is_empty() {
            continue;
        }
        // Use only runs from before this turn, because it could not cite later ones.
        let known = state.turns.get(&turn);
        let known = known.and_then(|turn| turn.asks.get(usize::from(admitted.key.again)));
        let known = known.map_or(0, |ask| ask.runs as usize);
        let runs = runs.get(..known).unwrap_or(&runs);
        let pinned = PinnedSource::new(Arc::clone(&source));
        let found = pinned.look_up_citations(&admitted.moves, runs).stamps;
        let places = recorded
            .iter()
            .filter(|it| it.stamped.stamp.names_a_place());
        again.places += places.count();
        again
            .wrong
            .extend(compare_stamps(admitted, recorded, &found));
    }
    Ok(Some(again))
}

fn is_source_not_kept(stamp: &Stamp) -> bool {
    matches!(
        stamp,
        Stamp::Unchecked {
            reason: Unchecked::NotKept,
            ..
        }
    )
}

/// Returns the stamp without the other places that it names, since files that are not stored are
/// not among them.
fn without_other_places(stamp: &Stamp) -> Stamp {
    let mut stamp = stamp.clone();
    match &mut stamp {
        Stamp::Wrong { elsewhere, .. } => elsewhere.clear(),
        Stamp::Missing { instead, .. } => instead.clear(),
        _ => {}
    }
    stamp
}

/// Returns the differing stamps, each by its position in the turn.
fn compare_stamps(
    admitted: &Admitted,
    recorded: &[GroundStamp],
    found: &[GroundStamp],
) -> Vec<FolderProblem> {
    let mut wrong = Vec::new();
    for (at, was) in recorded.iter().enumerate() {
        let is = found.get(at);
        if is == Some(was) {
            continue;
        }
        let is = is.map(|is| &is.stamped.stamp);
        let (severity, code, hint) = match is {
            Some(is)
                if is_source_not_kept(is)
                    || without_other_places(is) == without_other_places(&was.stamped.stamp) =>
            {
                (
                    Severity::Warning,
                    "evidence-kept",
                    "files that seem to contain a secret are not stored, or a blob is missing (see `agon check`)",
                )
            }
            _ => (
                Severity::Error,
                CHANGED,
                "the record or its stored sources were changed; compare them with a copy of the folder",
            ),
        };
        let point = admitted.ids.get(was.point);
        let point = point.map_or_else(|| admitted.key.to_string(), ToString::to_string);
        let now = is.map_or_else(|| "nothing".to_owned(), ToString::to_string);
        wrong.push(FolderProblem {
            severity,
            code,
            path: format!("arguments/{point}.md"),
            message: format!(
                "{point}, ground {}: recorded as {}, but now {now}",
                was.ground + 1,
                was.stamped.stamp
            ),
            hint: hint.to_owned(),
        });
    }
    wrong
}
