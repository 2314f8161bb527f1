//! A row of a batch: a request and what is run for it.

use agon_debates::request::StartRequest;

/// One request of a batch.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its line in the file, from 1.
    pub line: u64,
    /// The user's name for it; may be empty.
    pub id: String,
    /// The user's tags.
    pub tags: Vec<String>,
    /// What is run for it.
    pub kind: RowKind,
    /// Sets it apart from rows with an equal request; if empty, equal requests are one.
    pub apart: String,
    /// The request.
    pub request: StartRequest,
}

/// What is run for a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowKind {
    /// A debate.
    #[default]
    Debate,
    /// One answer of the first side's tool to the topic, without a debate and without the context.
    Answer {
        /// Distinguishes several answers to the same question, from 1.
        sample: u32,
    },
}
