//! `argument-graph.mmd`: the attacks and defenses of a formal debate.

use super::Document;
use agon_record::format::Judging;
use agon_verdict::graph::build_graph;

use crate::drawing::graph_drawing;
use crate::graph::mermaid;

pub(super) const DOCUMENT: Document = Document {
    path: "argument-graph.mmd",
    about: "the arguments, attacks and defenses of a formal debate, as a Mermaid flowchart",
    render: |state, _| match state.format_rules().judging {
        // Mermaid draws no subtitle, so the verdict is not needed.
        Judging::EachRound => {
            let drawing = graph_drawing(&build_graph(state), &state.spec.topic);
            Some(mermaid(&drawing).into_bytes())
        }
        Judging::AtTheEnd => None,
    },
    extend: None,
};
