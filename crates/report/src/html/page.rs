//! The data about the debate that the sections of the page share.

use std::collections::BTreeMap;

use agon_argue::{Model, Strengths};
use agon_record::evidence::citation_fault;
use agon_record::format::Judging;
use agon_record::id::{NodeId, Seat};
use agon_record::mention::mentions;
use agon_record::point::Node;
use agon_record::state::State;
use agon_record::tally;
use agon_verdict::graph::{self, Base, DebateGraph};
use agon_verdict::verdict::{SEMANTICS, Verdict};
use maud::{Markup, html};

use super::relation::{Relation, relations};
use crate::graph::DrawnSide;
use crate::text::{plain_line, truncate_to_width};

// Both formats have two sides, and each side has one position.
/// The number of positions, which are the first nodes of a graph.
pub(super) const POSITIONS: usize = 2;
// Fits the longest of 26 titles in two real debates (79 characters).
/// Maximum width of a name in a list, in columns.
pub(super) const NAME: usize = 90;
// Fits the longest position (157) and answer (166 characters) in the debate of `agon demo`.
/// Maximum width of a heading, in columns.
const HEADING: usize = 240;

/// A debate with the indexes that several sections need.
pub(super) struct Page<'a> {
    pub(super) state: &'a State,
    pub(super) verdict: Option<&'a Verdict>,
    pub(super) graph: DebateGraph,
    /// Every point in the order of the debate: the nodes of the graph after the [`POSITIONS`]
    /// positions.
    pub(super) nodes: Vec<Node<'a>>,
    pub(super) places: BTreeMap<NodeId, usize>,
    /// The relations between nodes of the graph.
    pub(super) relations: Vec<Relation>,
    /// The relations that start at each node.
    pub(super) outgoing: Vec<Vec<usize>>,
    /// The relations that end at each node.
    pub(super) incoming: Vec<Vec<usize>>,
    /// The final strength of each node.
    pub(super) strengths: Strengths,
}

impl<'a> Page<'a> {
    pub(super) fn new(state: &'a State, verdict: Option<&'a Verdict>) -> Self {
        let nodes = state.nodes();
        let places: BTreeMap<NodeId, usize> = nodes.iter().map(|node| node.id).zip(0..).collect();
        let graph = graph::build_graph(state);
        let relations = relations(&graph);
        let mut outgoing = vec![Vec::new(); graph.nodes().len()];
        let mut incoming = outgoing.clone();
        for (at, relation) in relations.iter().enumerate() {
            outgoing[relation.from].push(at);
            incoming[relation.to].push(at);
        }
        let strengths = Model::new(SEMANTICS).evaluate(&graph.to_qbaf(Base::Scored));
        Self {
            verdict,
            state,
            graph,
            strengths,
            nodes,
            places,
            relations,
            outgoing,
            incoming,
        }
    }

    /// Returns whether judges score each round, so that every point has a score.
    pub(super) fn has_scores(&self) -> bool {
        self.state.format_rules().judging == Judging::EachRound
    }

    /// Returns whether the verdict depends on the point `at`, by the judge's words or the graph.
    pub(super) fn hangs_on(&self, at: usize) -> bool {
        let id = self.nodes[at].id;
        self.verdict
            .is_some_and(|it| it.hangs_on.contains(&id) || it.graph_hangs_on.contains(&id))
    }

    /// Returns the side of a seat.
    pub(super) fn side(&self, seat: Seat) -> DrawnSide {
        let [first, second] = self.state.spec.format().sides();
        if seat == first {
            DrawnSide::For
        } else if seat == second {
            DrawnSide::Against
        } else {
            DrawnSide::Neither
        }
    }

    /// Returns the style sheet class of a seat's side.
    pub(super) fn side_class(&self, seat: Seat) -> &'static str {
        match self.side(seat) {
            DrawnSide::For => "for",
            DrawnSide::Against => "against",
            DrawnSide::Neither => "neither",
        }
    }

    /// Returns the score of a point, if it has one.
    pub(super) fn score(&self, id: NodeId) -> Option<String> {
        tally::current_score(self.state, id).map(|score| replace_hyphen_minus(&score.to_string()))
    }

    /// Returns the id of a point, as a link if the point exists.
    pub(super) fn point_link(&self, id: NodeId) -> Markup {
        let class = self.side_class(id.seat);
        if self.places.contains_key(&id) {
            match citation_fault(self.state, id) {
                None => html! { a.id.(class) href={ "#" (id) } { (id) } },
                Some(fault) => html! {
                    a.id.(class) href={ "#" (id) } title=(fault) { (id) span.amiss aria-label={ " (" (fault) ")" } { "✗" } }
                },
            }
        } else {
            html! { span.id.(class) { (id) } }
        }
    }

    /// Returns the text on one line without hidden characters, with each named point as a link.
    pub(super) fn prose(&self, text: &str) -> Markup {
        let line = plain_line(text);
        let (mut pieces, mut from) = (Vec::new(), 0);
        for one in mentions(&line) {
            if self.places.contains_key(&one.id) {
                let before = line.get(from..one.range.start).unwrap_or_default();
                pieces.push(html! { (before) (self.point_link(one.id)) });
                from = one.range.end;
            }
        }
        html! {
            @for piece in pieces { (piece) }
            (line.get(from..).unwrap_or_default())
        }
    }

    /// Returns a link to the node with this index.
    pub(super) fn node_link(&self, at: usize) -> Markup {
        match at.checked_sub(POSITIONS).and_then(|at| self.nodes.get(at)) {
            Some(node) => {
                html! { (self.point_link(node.id)) " " span.name dir="auto" { (point_name(node)) } }
            }
            None => {
                let Some(node) = self.graph.nodes().get(at) else {
                    return html! {};
                };
                let class = self.side_class(node.seat);
                html! { a.id.(class) href={ "#" (node.seat) } { "the " (node.seat) } "’s position" }
            }
        }
    }

    /// Returns the final strength of a node; `None` if the strengths did not settle.
    pub(super) fn strength(&self, at: usize) -> Option<String> {
        let is_settled = self.strengths.status.is_settled();
        let strength = self.strengths.values.get(at).filter(|_| is_settled)?;
        Some(format!("{strength:.2}"))
    }

    /// Returns a point's id, as a link, with its name.
    pub(super) fn point_link_with_name(&self, id: NodeId) -> Markup {
        let name = self.places.get(&id).map(|&at| point_name(&self.nodes[at]));
        let fault = citation_fault(self.state, id);
        html! {
            (self.point_link(id))
            @if let Some(name) = name { " " (name) }
            @if let Some(fault) = fault { " " span.warn { "(" (fault) ")" } }
        }
    }
}

/// Returns a point's title, or the beginning of its text.
pub(super) fn point_name(node: &Node<'_>) -> String {
    shorten_to_columns(
        node.point.title().unwrap_or_else(|| node.point.main_text()),
        NAME,
    )
}

/// Shortens a text to `columns`.
pub(super) fn shorten_to_columns(text: &str, columns: usize) -> String {
    // Do not process the rest of a long text, which would be cut.
    let head: String = text.chars().take(columns * 8).collect();
    truncate_to_width(&plain_line(&head), columns)
}

/// Shortens a text to the length of a heading.
pub(super) fn shorten_to_heading(text: &str) -> String {
    shorten_to_columns(text, HEADING)
}

/// Replaces the ASCII hyphen with a minus sign, which is as wide as a plus.
pub(super) fn replace_hyphen_minus(number: &str) -> String {
    number.replacen('-', "−", 1)
}
