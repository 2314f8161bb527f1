//! The interactive graph: a picture whose boxes are links, and a list of all points.

use std::cmp::Reverse;

use agon_argue::Polarity;
use agon_record::point::Point;
use agon_record::tally;
use agon_verdict::graph::Base;
use maud::{Markup, PreEscaped, html};

use super::page::{POSITIONS, Page, point_name, replace_hyphen_minus};
use crate::drawing::graph_drawing;
use crate::graph::{Drawing, DrawnEdge, DrawnNode, explorable_svg, word_explanations};

// With this limit a page of 5,000 points answered a click 1.1 s after it was opened
// (`five_thousand_points_open_and_answer_a_click`).
/// Maximum number of boxes in a readable picture.
const MAX_DRAWN: usize = 240;

/// Returns the graph section; `None` before the first point.
pub(super) fn graph_section(page: &Page<'_>) -> Option<Markup> {
    if page.nodes.is_empty() {
        return None;
    }
    let (drawn, left_out) = choose_drawn_points(page);
    let picture = explorable_svg(&points_drawing(page, &drawn));
    Some(html! {
        @if left_out > 0 {
            p.note {
                "The picture shows the " (drawn.len()) " points that are discussed most or that the verdict rests on. The other "
                (left_out) " are in the list below it and in the transcript."
            }
        }
        @let weights = Weights::new(page);
        div.map #weights data-ids=(weights.ids) data-base=(weights.base) data-edges=(weights.edges) {
            div.tools role="toolbar" aria-label="The picture" hidden {
                button type="button" data-zoom="out" aria-label="Smaller" { "−" }
                button type="button" data-zoom="in" aria-label="Larger" { "+" }
                button type="button" data-zoom="fit" aria-label="Fit the picture to its frame" { "Fit" }
                span.hint { "Choose a point to read it. Arrow keys move, Enter opens, Escape closes." }
            }
            div #frame.frame tabindex="0" { (PreEscaped(picture)) }
            (legend(page))
        }
        (point_list(page))
    })
}

/// The numbers of the graph, from which the script computes what would change without a point.
struct Weights {
    /// The ids of the nodes: the sides of the two positions, then the points.
    ids: String,
    /// The base strength of each node.
    base: String,
    /// From, to and weight of each edge; the weight is negative for an attack.
    edges: String,
}

impl Weights {
    fn new(page: &Page<'_>) -> Self {
        let graph = page.graph.to_qbaf(Base::Scored);
        let base = graph.base_weights().iter().map(f64::to_string);
        let edges = graph.edges().map(|edge| {
            let weight = match edge.polarity {
                Polarity::Attack => -edge.weight,
                Polarity::Support => edge.weight,
            };
            format!("{} {} {weight}", edge.from.index(), edge.to.index())
        });
        let positions = page.graph.nodes().iter().take(POSITIONS);
        let positions = positions.map(|node| node.seat.to_string());
        let points = page.nodes.iter().map(|node| node.id.to_string());
        Self {
            ids: positions.chain(points).collect::<Vec<_>>().join(" "),
            base: base.collect::<Vec<_>>().join(" "),
            edges: edges.collect::<Vec<_>>().join(" "),
        }
    }
}

/// Chooses at most `MAX_DRAWN` points: first those that the verdict rests on, then the most
/// discussed. Returns their indexes and the number left out.
fn choose_drawn_points(page: &Page<'_>) -> (Vec<usize>, usize) {
    let all = page.nodes.len();
    if all <= MAX_DRAWN {
        return ((0..all).collect(), 0);
    }
    let weight = |at: usize| {
        let score = tally::current_score(page.state, page.nodes[at].id);
        let score = score.map_or(0, |score| score.thousandths().abs() / 250);
        let at = at + POSITIONS;
        let said = page.incoming[at].len() * 2 + page.outgoing[at].len();
        said + usize::try_from(score).unwrap_or(0)
    };
    let mut order: Vec<usize> = (0..all).collect();
    order.sort_by_key(|&at| Reverse((page.hangs_on(at), weight(at), at)));
    // Each side gets half of the boxes, if it has enough points.
    let [first, _] = page.state.spec.format().sides();
    let (mut one, mut other): (Vec<_>, Vec<_>) = order
        .into_iter()
        .partition(|&at| page.nodes[at].seat() == first);
    let half = MAX_DRAWN / 2;
    let room = MAX_DRAWN - half.min(other.len());
    one.truncate(room);
    other.truncate(MAX_DRAWN - one.len());
    let mut drawn = [one, other].concat();
    drawn.sort_unstable();
    (drawn, all - MAX_DRAWN)
}

/// Returns the drawing of some points, which may leave out the positions.
fn points_drawing(page: &Page<'_>, drawn: &[usize]) -> Drawing {
    let whole = graph_drawing(&page.graph, "");
    let positions = whole.nodes.len() - page.nodes.len();
    let places: Vec<usize> = (0..positions)
        .chain(drawn.iter().map(|&at| at + positions))
        .collect();
    let nodes = places.iter().map(|&at| {
        let node = &whole.nodes[at];
        let point = at.checked_sub(positions).map(|at| &page.nodes[at].point);
        let note = node.note.as_deref().map(replace_hyphen_minus);
        DrawnNode {
            note: note.or_else(|| point_kind_note(point)),
            ..node.clone()
        }
    });
    let place = |at: usize| places.binary_search(&at).ok();
    let edges = whole.edges.iter().filter_map(|edge| {
        let (from, to) = (place(edge.from)?, place(edge.to)?);
        Some(DrawnEdge {
            from,
            to,
            ..edge.clone()
        })
    });
    Drawing {
        nodes: nodes.collect(),
        edges: edges.collect(),
        has_exchanges: whole.has_exchanges,
        ..Drawing::default()
    }
}

fn point_kind_note(point: Option<&Point<'_>>) -> Option<String> {
    let Some(point) = point else {
        return Some("position".to_owned());
    };
    let word = match point {
        Point::Alternative(_) => "alternative",
        Point::Objection(_) => "objection",
        Point::Response(_) => "answer",
        Point::Assessment(_) => "ruling",
        Point::Agreement(_) => "agreement",
        Point::Argument(_) | Point::Contention(_) => return None,
    };
    Some(word.to_owned())
}

fn legend(page: &Page<'_>) -> Markup {
    let [first, second] = page.state.spec.format().sides();
    html! {
        ul.legend aria-label="What the colours mean" {
            li { span.swatch.for {} (first) }
            li { span.swatch.against {} (second) }
            li { span.stroke.attack {} "attacks" }
            li { span.stroke.support {} "supports" }
            li { span.stroke.concession {} "concedes" }
        }
        (explained_words(page))
    }
}

/// Returns the explanations of the words and numbers in the picture.
fn explained_words(page: &Page<'_>) -> Markup {
    let drawing = graph_drawing(&page.graph, "");
    let words = word_explanations(&drawing);
    html! {
        @if !words.is_empty() {
            details.words {
                summary { "What the words mean" }
                dl { @for (word, meaning) in words { div { dt { (word) } dd { (meaning) } } } }
            }
        }
    }
}

/// Returns the list of all points by round.
fn point_list(page: &Page<'_>) -> Markup {
    let rounds = page
        .nodes
        .chunk_by(|one, next| one.id.round == next.id.round);
    let word = page.state.format_rules().rounds.heading;
    html! {
        details.index {
            summary { "All points, as a list" }
            @for round in rounds {
                @if let Some(first) = round.first() { h3 { (word) " " (first.id.round) } }
                ul {
                    @for node in round {
                        li { (page.point_link(node.id)) " " (point_name(node)) @if let Some(score) = page.score(node.id) { " " span.number { (score) } } }
                    }
                }
            }
        }
    }
}
