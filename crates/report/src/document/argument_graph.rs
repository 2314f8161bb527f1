//! `argument-graph.mmd`: who attacks and defends what in a formal debate.

use agon_record::spec::FormatName;

use super::Document;
use crate::drawing::drawing;
use crate::graph::mermaid;

pub(super) const DOCUMENT: Document = Document {
    path: "argument-graph.mmd",
    about: "the arguments of a formal debate and what they attack and defend, as a Mermaid flowchart",
    render: |state, _| match state.spec.format {
        FormatName::Formal => Some(mermaid(&drawing(state)).into_bytes()),
        FormatName::Duel => None,
    },
};
