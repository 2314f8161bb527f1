//! Looking every citation up again, in what is kept of the source with the record.

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

/// The code of a place at which something else is found than the record says.
pub(super) const CHANGED: &str = "evidence-again";

/// What came of it.
#[derive(Debug, Default)]
pub(super) struct EvidenceRecheck {
    /// Places that were looked up.
    pub(super) places: usize,
    /// Those that are not as the record has them.
    pub(super) wrong: Vec<FolderProblem>,
}

/// Looks every citation of the debate in `path` up again, without its project; none where nothing
/// was pinned.
///
/// # Errors
///
/// If what was kept of the source cannot be read.
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
        // What was run later could not be cited then.
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

/// The stamp without other places that it names: a file that is not kept is not among them.
fn without_other_places(stamp: &Stamp) -> Stamp {
    let mut stamp = stamp.clone();
    match &mut stamp {
        Stamp::Wrong { elsewhere, .. } => elsewhere.clear(),
        Stamp::Missing { instead, .. } => instead.clear(),
        _ => {}
    }
    stamp
}

/// The stamps that differ, each by its place among those of the turn.
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
                    "files with what seems a secret are not kept, and a blob may be missing: agon check says which",
                )
            }
            _ => (
                Severity::Error,
                CHANGED,
                "the record or what is kept with it was changed: compare it with a copy of the folder",
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
                "{point}, ground {}: recorded as {}; looked up again: {now}",
                was.ground + 1,
                was.stamped.stamp
            ),
            hint: hint.to_owned(),
        });
    }
    wrong
}
