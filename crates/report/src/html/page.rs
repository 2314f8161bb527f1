//! What the parts of the page know of the debate.

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

// One for each side: both formats have two.
/// The nodes of a graph that are positions, which come first.
pub(super) const POSITIONS: usize = 2;
// The longest of 26 titles of two real debates has 79 characters.
/// Columns of a name in a list.
pub(super) const NAME: usize = 90;
// The longest position and answer in the debate of `agon demo` have 157 and 166 characters.
/// Columns of a heading.
const HEADING: usize = 240;

/// A debate with indexes that several parts of the page need.
pub(super) struct Page<'a> {
    pub(super) state: &'a State,
    pub(super) verdict: Option<&'a Verdict>,
    pub(super) graph: DebateGraph,
    /// Every point, in the order in which it was made: the nodes of the graph after the
    /// [`POSITIONS`] positions.
    pub(super) nodes: Vec<Node<'a>>,
    pub(super) places: BTreeMap<NodeId, usize>,
    /// What nodes of the graph say of each other.
    pub(super) relations: Vec<Relation>,
    /// Per node of the graph, the relations in which it speaks.
    pub(super) spoken: Vec<Vec<usize>>,
    /// Per node of the graph, the relations in which it is spoken of.
    pub(super) heard: Vec<Vec<usize>>,
    /// Per node of the graph, how strong it is at the end.
    pub(super) strengths: Strengths,
}

impl<'a> Page<'a> {
    pub(super) fn new(state: &'a State, verdict: Option<&'a Verdict>) -> Self {
        let nodes = state.nodes();
        let places: BTreeMap<NodeId, usize> = nodes.iter().map(|node| node.id).zip(0..).collect();
        let graph = graph::build_graph(state);
        let relations = relations(&graph);
        let mut spoken = vec![Vec::new(); graph.nodes().len()];
        let mut heard = spoken.clone();
        for (at, relation) in relations.iter().enumerate() {
            spoken[relation.from].push(at);
            heard[relation.to].push(at);
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
            spoken,
            heard,
        }
    }

    /// Whether judges score each round, so that every point has a score.
    pub(super) fn has_scores(&self) -> bool {
        self.state.format_rules().judging == Judging::EachRound
    }

    /// The side of a seat.
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

    /// The class of a seat's side in the style sheet.
    pub(super) fn side_class(&self, seat: Seat) -> &'static str {
        match self.side(seat) {
            DrawnSide::For => "for",
            DrawnSide::Against => "against",
            DrawnSide::Neither => "neither",
        }
    }

    /// The score of a point, where it has one.
    pub(super) fn score(&self, id: NodeId) -> Option<String> {
        tally::current_score(self.state, id).map(|score| replace_hyphen_minus(&score.to_string()))
    }

    /// A point by its id, as a link to it where it is known.
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

    /// The whole text on one line, without hidden characters, each point that it names a link to it.
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

    /// A node of the graph, by its place, as a link to it.
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

    /// How strong a node of the graph is at the end; none where that never settles.
    pub(super) fn strength(&self, at: usize) -> Option<String> {
        let is_settled = self.strengths.status.is_settled();
        let strength = self.strengths.values.get(at).filter(|_| is_settled)?;
        Some(format!("{strength:.2}"))
    }

    /// A point by its id and its name.
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

/// What a point is called: its title, or else the beginning of what it says.
pub(super) fn point_name(node: &Node<'_>) -> String {
    shorten_to_columns(
        node.point.title().unwrap_or_else(|| node.point.main_text()),
        NAME,
    )
}

/// The beginning of a text that may be long.
pub(super) fn shorten_to_columns(text: &str, columns: usize) -> String {
    // What is cut off is not looked at.
    let head: String = text.chars().take(columns * 8).collect();
    truncate_to_width(&plain_line(&head), columns)
}

/// A text as a heading.
pub(super) fn shorten_to_heading(text: &str) -> String {
    shorten_to_columns(text, HEADING)
}

/// Replaces the ASCII hyphen by a minus sign, which is as wide as a plus.
pub(super) fn replace_hyphen_minus(number: &str) -> String {
    number.replacen('-', "−", 1)
}
