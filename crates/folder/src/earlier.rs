//! The published files before further events.

use agon_record::event::Event;

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
