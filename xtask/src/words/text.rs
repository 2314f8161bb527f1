//! The texts of a file that a person or a model reads.

/// The kind of a text, which determines its limits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub(super) enum Kind {
    /// A string of the program: an error, a screen, a prompt, a flag's help.
    String,
    /// A comment or doc comment that only readers of the source see.
    Comment,
    /// A paragraph, a heading or a list item of a Markdown or text file.
    Prose,
    /// A cell of a Markdown table.
    Cell,
}

/// A text with the line on which it starts.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Text {
    pub(super) line: usize,
    pub(super) kind: Kind,
    /// As written, wrapped lines joined by `\n`.
    pub(super) words: String,
}

impl Text {
    pub(super) fn new(line: usize, kind: Kind, words: impl Into<String>) -> Self {
        Self {
            line,
            kind,
            words: words.into(),
        }
    }

    /// The text in lower case with single blanks, quotations and code left out.
    pub(super) fn normalized(&self) -> String {
        let quotes: &[char] = match self.kind {
            // Quoted words in a comment are examples. In a string they are part of the message.
            Kind::String => &['`'],
            _ => &['`', '"'],
        };
        let unquoted: Vec<&str> = self.words.split(quotes).step_by(2).collect();
        let words = unquoted.join(" \u{2026} ").to_lowercase();
        words.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}
