//! The list of all published files.

use agon_record::event::Event;
use agon_record::state::State;
use agon_report::render_documents;
use agon_store::{Projection, RelPath};
use agon_verdict::verdict::{Verdict, verdict};

use crate::projection::changed_projections;

/// Returns every file of a debate outside `.agon/`, by its path in the folder.
pub fn published_files(state: &State) -> Vec<Projection> {
    changed_published_files(state, None, verdict(state).as_ref())
}

/// Returns the files among [`published_files`] that `events`, which led to `state`, may have
/// changed; all files if the events are unknown.
///
/// `verdict` is the verdict on `state`; the caller computes it once because that takes time.
pub fn changed_published_files(
    state: &State,
    events: Option<&[Event]>,
    verdict: Option<&Verdict>,
) -> Vec<Projection> {
    let mut files = changed_projections(state, events, verdict);
    for (path, bytes) in render_documents(state, verdict) {
        files.extend(RelPath::new(path).map(|path| (path, bytes)));
    }
    files
}
