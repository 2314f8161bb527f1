//! Words of a text that may stand at a place.

/// A piece of code or a quotation.
#[derive(Debug)]
pub(super) struct Span {
    /// The words without the marks around them.
    pub(super) words: String,
    /// With the marks.
    pub(super) at: [usize; 2],
    pub(super) quoted: bool,
    /// Whether it stands in lines of its own.
    pub(super) is_block: bool,
    /// Whether it is a block with a place in its head, as in `3:6:PATH`.
    pub(super) has_head: bool,
    /// Whether the text says that the words stand somewhere, and where.
    pub(super) claim: Claim,
}

impl Span {
    /// Whether the words ask something, which a file seldom does.
    pub(super) fn is_question(&self) -> bool {
        self.words.ends_with(['?', '？'])
    }
}

/// Whether words are said to stand somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    /// It is left open.
    None,
    /// They are none of a file.
    Never,
    /// At the place that is named here in the text.
    At([usize; 2]),
    /// At the place that is meant, which is named in another text.
    Elsewhere,
}
