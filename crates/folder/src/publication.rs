//! The list of all published files.

use agon_record::event::Event;
use agon_record::state::State;
use agon_report::render_documents_since;
use agon_store::{Projection, RelPath};
use agon_verdict::verdict::{Verdict, verdict};

use crate::projection::changed_projections;

/// Returns every file of a debate outside `.agon/`, by its path in the folder.
pub fn published_files(state: &State) -> Vec<Projection> {
    changed_published_files(state, None, verdict(state).as_ref())
}

// Its entry in the manifest tells when all files were last published.
/// The path of the transcript.
pub(crate) const TRANSCRIPT: &str = "transcript.md";

/// The files as they were published before further events.
#[derive(Clone, Copy)]
pub struct Earlier<'a> {
    /// The events since then, which led to the state.
    pub events: &'a [Event],
    /// Returns the bytes of the file at a path, if they are known.
    pub bytes: &'a dyn Fn(&str) -> Option<&'a [u8]>,
}

impl<'a> Earlier<'a> {
    pub(crate) fn text(&self, path: &str) -> Option<&'a str> {
        std::str::from_utf8((self.bytes)(path)?).ok()
    }
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
