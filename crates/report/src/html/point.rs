//! One complete point: its text, grounds and relations.

use agon_record::evidence::{citation_fault, stamps_of_point};
use agon_record::grammar::Filled;
use agon_record::ground::GroundStamp;
use agon_record::id::NodeId;
use agon_record::moves::{Choose, Citation, Ground, ObjectionSeverity};
use agon_record::point::{Node, Point};
use maud::{Markup, html};

use super::citation_results;
use super::page::{POSITIONS, Page, replace_hyphen_minus, shorten_to_columns, shorten_to_heading};
use super::relation::ARGUES;
use crate::graph::Polarity;
use crate::text::{citation_place, plain_line};

/// Maximum number of points named in one list; the rest are only counted.
const MOST: usize = 60;

/// Returns the article of the point with this index.
pub(super) fn point_article(page: &Page<'_>, at: usize) -> Markup {
    let node = &page.nodes[at];
    let class = page.side_class(node.seat());
    html! {
        article.point.(class) id=(node.id) data-turn=(node.turn) {
            header {
                span.id { (node.id) }
                " " span.kind { (point_kind(node)) }
                @if let Some(fault) = citation_fault(page.state, node.id) { " " span.warn { (fault) } }
                @if let Some(score) = page.score(node.id) { span.score { (score) } }
            }
            @if let Some(title) = node.point.title() { h4 dir="auto" { (shorten_to_heading(title)) } }
            p.claim dir="auto" { (page.prose(node.point.main_text())) }
            (outgoing_relations(page, at + POSITIONS))
            (grounds_and_texts(page, node, &stamps_of_point(page.state, node.id)))
            (score_history(page, node.id))
            (incoming_relations(page, at + POSITIONS))
            (strength_paragraph(page, at + POSITIONS))
        }
    }
}

/// Returns the article of a side's position, by its index in the graph.
pub(super) fn position_article(page: &Page<'_>, at: usize) -> Markup {
    let Some(node) = page.graph.nodes().get(at) else {
        return html! {};
    };
    html! {
        article.point.(page.side_class(node.seat)) id=(node.seat) {
            header { span.id { (node.seat) } " " span.kind { "final position" } }
            h3 dir="auto" { (shorten_to_heading(&node.title)) }
            @if plain_line(&node.title) != plain_line(&node.text) {
                p.claim dir="auto" { (page.prose(&node.text)) }
            }
            details { summary { "Points about it" } (incoming_relations(page, at)) }
            (strength_paragraph(page, at))
        }
    }
}

fn strength_paragraph(page: &Page<'_>, at: usize) -> Markup {
    let node = page.graph.nodes().get(at);
    let kept = node.and_then(|node| node.citation_weight);
    let base = node.map(|node| format!("{:.2}", node.base));
    // Show the strength only if something changed it.
    let strength = page.strength(at);
    let moved = strength.filter(|now| kept.is_some() || Some(now) != base.as_ref());
    html! {
        @if let (Some(strength), Some(base)) = (moved, base) {
            p.strength {
                "Strength in the graph " span.number { (strength) } ", starting from "
                span.number { (base) }
                @if let Some(kept) = kept { ", which is " span.number { (kept) } " of what it would be with correct citations" }
                "."
            }
        }
    }
}

/// Returns the kind of a point, in a few words.
pub(super) fn point_kind(node: &Node<'_>) -> Markup {
    let objection = match node.point {
        Point::Objection(objection) => objection,
        Point::Argument(_) | Point::Contention(_) => return html! { "argument" },
        Point::Alternative(_) => return html! { "alternative" },
        Point::Agreement(_) => return html! { "agreement" },
        Point::Response(_) => return html! { "answer" },
        Point::Assessment(_) => return html! { "ruling" },
    };
    let class = match objection.severity {
        ObjectionSeverity::Blocker => "bad",
        ObjectionSeverity::Major => "mild",
        ObjectionSeverity::Minor => "faint",
    };
    html! {
        span.severity.(class) { (objection.severity.label()) } " objection, "
        (objection.category.label())
    }
}

pub(super) fn grounds_and_texts(
    page: &Page<'_>,
    node: &Node<'_>,
    stamps: &[&GroundStamp],
) -> Markup {
    let parts = Filled::from(node.point).captioned_texts(|captions| captions.page);
    let grounds = node.point.grounds();
    html! {
        @if !grounds.is_empty() {
            ol.grounds aria-label="Grounds" {
                @for (nth, ground) in grounds.iter().enumerate() {
                    (ground_item(page, ground, &citation_results::ground_lookup_results(stamps, nth)))
                }
            }
        }
        @if !parts.is_empty() {
            dl.parts {
                @for (label, text) in parts {
                    dt { (label) }
                    dd dir="auto" { (page.prose(text)) }
                }
            }
        }
    }
}

fn ground_item(page: &Page<'_>, ground: &Ground, found: &Markup) -> Markup {
    let cited = ground.citation.as_ref();
    let source = shorten_to_columns(&ground.source, 400);
    let at = cited.and_then(citation_place).filter(|at| *at != source);
    html! {
        li {
            p dir="auto" { (page.prose(&ground.content)) }
            p.why dir="auto" { (page.prose(&ground.relevance)) }
            p.source dir="auto" {
                span { (source) }
                @if let Some(at) = at { " · " (place_or_web_link(cited, &at)) }
                @else if let Some(url) = web_link(&source) { " · " (url) }
            }
            @if let Some(anchor) = cited.and_then(|cited| cited.anchor.as_deref()) {
                p.anchor dir="auto" { "“" (plain_line(anchor)) "”" }
            }
            @if let Some(output) = cited.and_then(|cited| cited.output.as_deref()) {
                p.anchor dir="auto" { (plain_line(output)) }
            }
            (found)
        }
    }
}

/// Returns a place as text, or as a link if it is a web page.
fn place_or_web_link(cited: Option<&Citation>, at: &str) -> Markup {
    let url = cited.and_then(|cited| web_link(cited.url.as_deref()?));
    html! {
        @if let Some(url) = url { (url) } @else { code { (shorten_to_columns(at, 400)) } }
    }
}

/// Returns a link if `text` is exactly the URL of a web page.
fn web_link(text: &str) -> Option<Markup> {
    let address = text.trim();
    let is_web = ["https://", "http://"].iter().any(|scheme| {
        let start = address.get(..scheme.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    });
    let odd = |c: char| c.is_whitespace() || c.is_control() || "<>\"'`\\^{|}".contains(c);
    if !is_web || address.len() > 2_000 || address.contains(odd) || plain_line(address) != address {
        return None;
    }
    Some(html! {
        a.web href=(address) rel="noopener noreferrer nofollow" { (shorten_to_columns(address, 120)) }
    })
}

/// Returns the relations that start at a node, except the one to its own side's position.
fn outgoing_relations(page: &Page<'_>, at: usize) -> Markup {
    let relations = page.outgoing[at].iter().map(|&at| &page.relations[at]);
    let relations: Vec<_> = relations
        .filter(|relation| relation.verb != ARGUES)
        .collect();
    html! {
        @if !relations.is_empty() {
            ul.said {
                @for relation in relations.iter().take(MOST) {
                    li.(polarity_class(relation.polarity)) {
                        span.verb { (relation.verb) } " " (page.node_link(relation.to))
                        @if let Some(text) = &relation.text { p dir="auto" { (page.prose(text)) } }
                    }
                }
            }
        }
    }
}

/// Returns the relations that end at a node.
fn incoming_relations(page: &Page<'_>, at: usize) -> Markup {
    let relations = &page.incoming[at];
    let rest = relations.len().saturating_sub(MOST);
    html! {
        @if !relations.is_empty() {
            h5 { "Points about it" }
            ul.heard {
                @for relation in relations.iter().take(MOST).map(|&at| &page.relations[at]) {
                    li.(polarity_class(relation.polarity)) {
                        span.verb { (relation.alone) } " " (page.node_link(relation.from))
                    }
                }
                @if rest > 0 { li { "and " (rest) " more" } }
            }
        }
    }
}

pub(super) fn polarity_class(polarity: Polarity) -> &'static str {
    match polarity {
        Polarity::Attack => "attack",
        Polarity::Support => "support",
        Polarity::Concession => "concession",
    }
}

/// Returns the scores of the point, each with its reason.
fn score_history(page: &Page<'_>, id: NodeId) -> Markup {
    let history = page
        .state
        .score_histories()
        .get(&id)
        .map_or(&[][..], Vec::as_slice);
    html! {
        @if !history.is_empty() {
            h5 { "Scores" }
            ol.scores {
                @for entry in history {
                    li {
                        span.score { (replace_hyphen_minus(&entry.score.to_string())) } " "
                        @if let Some(trigger) = entry.triggered_by {
                            span.verb { "after " (page.point_link(trigger)) } " "
                        }
                        span dir="auto" { (page.prose(&entry.reasoning)) }
                    }
                }
            }
        }
    }
}
