//! Pieces of code and quotations in a text, which may be quoted from a file.

/// A piece of code or a quotation.
#[derive(Debug)]
pub(super) struct Span {
    /// The words without the marks around them.
    pub(super) words: String,
    /// The byte range of the piece, with its marks.
    pub(super) at: [usize; 2],
    pub(super) quoted: bool,
    /// Whether the piece occupies whole lines.
    pub(super) is_block: bool,
    /// Whether the piece is a fence that names a place in its head, as in `3:6:PATH`.
    pub(super) has_head: bool,
    /// Whether the text says that a place contains the words, and which place.
    pub(super) claim: Claim,
}

impl Span {
    /// Returns whether the words are a question, which files rarely contain.
    pub(super) fn is_question(&self) -> bool {
        self.words.ends_with(['?', '？'])
    }
}

/// Where the words are quoted from, according to the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    /// The text does not say.
    None,
    /// The words are not from a file.
    Never,
    /// From the place with this byte range in the text.
    At([usize; 2]),
    /// From a place that another text names.
    Elsewhere,
}
