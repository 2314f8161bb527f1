//! Words of a text that may be quoted from a place.

/// A piece of code or a quotation.
#[derive(Debug)]
pub(super) struct Span {
    /// The words without the marks around them.
    pub(super) words: String,
    /// The byte range, including the marks.
    pub(super) at: [usize; 2],
    pub(super) quoted: bool,
    /// Whether it occupies lines of its own.
    pub(super) is_block: bool,
    /// Whether it is a block that names a place in its head, as in `3:6:PATH`.
    pub(super) has_head: bool,
    /// Whether the text says that a place contains the words, and which place.
    pub(super) claim: Claim,
}

impl Span {
    /// Whether the words are a question, which files rarely contain.
    pub(super) fn is_question(&self) -> bool {
        self.words.ends_with(['?', '？'])
    }
}

/// Whether the text says that a place contains the words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    /// The text does not say.
    None,
    /// They are not from a file.
    Never,
    /// At the place named here in the text.
    At([usize; 2]),
    /// At a place that is named in another text.
    Elsewhere,
}
