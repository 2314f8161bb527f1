//! The documents in a debate's folder, rendered from the record.

mod argument;
mod argument_graph;
mod decision;
mod formal_turn;
mod readme;
mod record_form;
mod transcript;
mod turn;
mod verdict_md;

use agon_record::event::Event;
use agon_record::state::State;
use agon_verdict::verdict::Verdict;

pub use decision::{decision_record_md, pull_request_md};
pub use readme::readme_md;
pub use record_form::{RecordForm, decision_record_in_form, record_mark, record_title};
pub use transcript::{transcript_md, turn_markdown};
pub(crate) use turn::turn_md;
pub use verdict_md::verdict_md;

/// A document in a debate's folder, rendered from the record.
#[derive(Clone, Copy, Debug)]
pub struct Document {
    /// The path inside the folder, with `/` between names.
    pub path: &'static str,
    /// A description in a few words.
    pub about: &'static str,
    /// Renders the document for a debate and its verdict; `None` if there is nothing to write yet.
    pub render: fn(&State, Option<&Verdict>) -> Option<Vec<u8>>,
    /// Renders the document from its text before the given events; `None` if it must be rendered
    /// from the debate.
    pub extend: Option<Extend>,
}

/// Renders a document from its text before the events, which led to the state.
pub(crate) type Extend = fn(&State, &[Event], &str) -> Option<String>;

/// All documents, in the order in which they are written.
pub const DOCUMENTS: &[Document] = &[
    transcript::DOCUMENT,
    argument_graph::DOCUMENT,
    verdict_md::DOCUMENT,
];

/// Returns the documents of a debate with this verdict, by their path inside its folder.
///
/// The transcript is always included, the verdict once there is one. The same debate renders to
/// the same bytes.
pub fn render_documents(state: &State, verdict: Option<&Verdict>) -> Vec<(String, Vec<u8>)> {
    render_documents_since(state, verdict, &[], |_| None)
}

/// As [`render_documents`], with the same bytes, but reuses the text of long documents.
///
/// `earlier` returns the text that a document had before `events`, which led to `state`; `None` if
/// that is unknown.
pub fn render_documents_since<'a>(
    state: &State,
    verdict: Option<&Verdict>,
    events: &[Event],
    earlier: impl Fn(&str) -> Option<&'a str>,
) -> Vec<(String, Vec<u8>)> {
    let rendered = |document: &Document| {
        let extended = document
            .extend
            .and_then(|extend| extend(state, events, earlier(document.path)?));
        let bytes = match extended {
            Some(text) => text.into_bytes(),
            None => (document.render)(state, verdict)?,
        };
        Some((document.path.to_owned(), bytes))
    };
    DOCUMENTS.iter().filter_map(rendered).collect()
}
