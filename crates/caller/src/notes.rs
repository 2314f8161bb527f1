//! What is worth a word on the way to an answer.

/// Hears what is worth a word on the way to an answer.
pub trait Notes {
    /// Something that was done or found.
    fn note(&mut self, note: &str);

    /// Something that a person should look at.
    fn warn(&mut self, warning: &str);
}

/// Drops every note.
#[derive(Clone, Copy, Debug, Default)]
pub struct IgnoreNotes;

impl Notes for IgnoreNotes {
    fn note(&mut self, _note: &str) {}

    fn warn(&mut self, _warning: &str) {}
}
