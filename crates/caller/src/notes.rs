//! Notes and warnings during a request.

/// Receives notes and warnings during a request.
pub trait Notes {
    /// Receives a note on something that was done or found.
    fn note(&mut self, note: &str);

    /// Receives a warning that a person should read.
    fn warn(&mut self, warning: &str);
}

/// Drops every note.
#[derive(Clone, Copy, Debug, Default)]
pub struct IgnoreNotes;

impl Notes for IgnoreNotes {
    fn note(&mut self, _note: &str) {}

    fn warn(&mut self, _warning: &str) {}
}
