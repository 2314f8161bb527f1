//! `argument-graph.mmd`: the attacks and defenses of a formal debate.

use super::Document;
use crate::drawing::debate_drawing;
use crate::graph::mermaid;
use agon_record::format::Judging;

pub(super) const DOCUMENT: Document = Document {
    path: "argument-graph.mmd",
    about: "the arguments, attacks and defenses of a formal debate, as a Mermaid flowchart",
    render: |state, _| match state.format_rules().judging {
        Judging::EachRound => Some(mermaid(&debate_drawing(state)).into_bytes()),
        Judging::AtTheEnd => None,
    },
};
