//! The list of all published files.

use agon_record::state::State;
use agon_report::render_documents_since;
use agon_store::{Projection, RelPath};
use agon_verdict::verdict::{Verdict, verdict};

use crate::earlier::Earlier;
use crate::projection::changed_projections;

/// Returns every file of a debate outside `.agon/`, by its path in the folder.
pub fn published_files(state: &State) -> Vec<Projection> {
    changed_published_files(state, None, verdict(state).as_ref())
}

/// Returns the files among [`published_files`] that may differ from the earlier ones; all files if
/// these are unknown.
///
/// Long files are extended if their earlier bytes are known, with the same result. `verdict` is the
/// verdict on `state`; the caller computes it once because that takes time.
pub fn changed_published_files(
    state: &State,
    earlier: Option<Earlier<'_>>,
    verdict: Option<&Verdict>,
) -> Vec<Projection> {
    let mut files = changed_projections(state, earlier, verdict);
    let events = earlier.map_or(&[][..], |earlier| earlier.events);
    let text = |path: &str| earlier?.text(path);
    for (path, bytes) in render_documents_since(state, verdict, events, text) {
        files.extend(RelPath::new(path).map(|path| (path, bytes)));
    }
    files
}
