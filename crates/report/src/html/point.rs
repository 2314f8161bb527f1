//! One point of the debate, whole: what it says, rests on, and speaks of.

use agon_record::evidence::of_point;
use agon_record::grammar::Filled;
use agon_record::ground::GroundStamp;
use agon_record::id::NodeId;
use agon_record::moves::{Choose, Citation, Ground};
use agon_record::point::{Node, Point};
use maud::{Markup, html};

use super::found;
use super::page::{POSITIONS, Page, heading, short, signed, whole};
use super::relation::ARGUES;
use crate::graph::Polarity;
use crate::text::{place, plain};

/// Points named in one list; the rest are counted.
const MOST: usize = 60;

/// The point at a place of the page's list.
pub(super) fn article(page: &Page<'_>, at: usize) -> Markup {
    let node = &page.nodes[at];
    let class = page.class(node.seat());
    html! {
        article.point.(class) id=(node.id) data-turn=(node.turn) {
            header {
                span.id { (node.id) }
                " " span.kind { (kind(node)) }
                @if let Some(score) = page.score(node.id) { span.score { (score) } }
            }
            @if let Some(title) = node.point.title() { h4 dir="auto" { (heading(title)) } }
            p.claim dir="auto" { (whole(node.point.text())) }
            (spoken(page, at + POSITIONS))
            (body(node, &of_point(page.state, node.id)))
            (history(page, node.id))
            (incoming_relations(page, at + POSITIONS))
            (strength(page, at + POSITIONS))
        }
    }
}

/// What a side defends as a whole, by its place in the graph.
pub(super) fn position(page: &Page<'_>, at: usize) -> Markup {
    let Some(node) = page.graph.nodes().get(at) else {
        return html! {};
    };
    html! {
        article.point.(page.class(node.seat)) id=(node.seat) {
            header { span.id { (node.seat) } " " span.kind { "what it defends at the end" } }
            h4 dir="auto" { (heading(&node.title)) }
            @if plain(&node.title) != plain(&node.text) {
                p.claim dir="auto" { (whole(&node.text)) }
            }
            details { summary { "What is said of it" } (incoming_relations(page, at)) }
            (strength(page, at))
        }
    }
}

fn strength(page: &Page<'_>, at: usize) -> Markup {
    let base = page.graph.nodes().get(at).map(|node| node.base);
    html! {
        @if let (Some(strength), Some(base)) = (page.strength(at), base) {
            p.strength {
                "Strength in the graph " span.number { (strength) } ", starting from "
                span.number { (format!("{base:.2}")) } "."
            }
        }
    }
}

/// What kind of point it is, in a few words.
fn kind(node: &Node<'_>) -> String {
    match node.point {
        Point::Argument(_) | Point::Contention(_) => "argument".to_owned(),
        Point::Alternative(_) => "alternative".to_owned(),
        Point::Agreement(_) => "accepts a point".to_owned(),
        Point::Response(_) => "answer".to_owned(),
        Point::Assessment(_) => "ruling".to_owned(),
        Point::Objection(objection) => format!(
            "{} objection, {}",
            objection.severity.label(),
            objection.category.label()
        ),
    }
}

fn body(node: &Node<'_>, stamps: &[&GroundStamp]) -> Markup {
    let parts = Filled::from(node.point).texts(|captions| captions.page);
    let grounds = node.point.grounds();
    html! {
        @if !grounds.is_empty() {
            ol.grounds aria-label="Grounds" {
                @for (nth, ground) in grounds.iter().enumerate() {
                    (ground_item(ground, &found::at(stamps, nth)))
                }
            }
        }
        @if !parts.is_empty() {
            dl.parts {
                @for (label, text) in parts {
                    dt { (label) }
                    dd dir="auto" { (whole(text)) }
                }
            }
        }
    }
}

fn ground_item(ground: &Ground, found: &Markup) -> Markup {
    let cited = ground.citation.as_ref();
    let source = short(&ground.source, 400);
    let at = cited.and_then(place).filter(|at| *at != source);
    html! {
        li {
            p dir="auto" { (whole(&ground.content)) }
            p.why dir="auto" { (whole(&ground.relevance)) }
            p.source dir="auto" {
                span { (source) }
                @if let Some(at) = at { " · " (cited_place(cited, &at)) }
                @else if let Some(url) = link(&source) { " · " (url) }
            }
            @if let Some(anchor) = cited.and_then(|cited| cited.anchor.as_deref()) {
                p.anchor dir="auto" { "“" (plain(anchor)) "”" }
            }
            @if let Some(output) = cited.and_then(|cited| cited.output.as_deref()) {
                p.anchor dir="auto" { (plain(output)) }
            }
            (found)
        }
    }
}

/// A place as text; a page of the web as a link to it.
fn cited_place(cited: Option<&Citation>, at: &str) -> Markup {
    let url = cited.and_then(|cited| link(cited.url.as_deref()?));
    html! {
        @if let Some(url) = url { (url) } @else { code { (short(at, 400)) } }
    }
}

/// A link, where `text` is the address of a web page and nothing else.
fn link(text: &str) -> Option<Markup> {
    let address = text.trim();
    let is_web = ["https://", "http://"].iter().any(|scheme| {
        let start = address.get(..scheme.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    });
    let odd = |c: char| c.is_whitespace() || c.is_control() || "<>\"'`\\^{|}".contains(c);
    if !is_web || address.len() > 2_000 || address.contains(odd) || plain(address) != address {
        return None;
    }
    Some(html! {
        a.web href=(address) rel="noopener noreferrer nofollow" { (short(address, 120)) }
    })
}

/// What a node of the graph says of others; that it speaks for its own side goes without saying.
fn spoken(page: &Page<'_>, at: usize) -> Markup {
    let relations = page.spoken[at].iter().map(|&at| &page.relations[at]);
    let relations: Vec<_> = relations
        .filter(|relation| relation.verb != ARGUES)
        .collect();
    html! {
        @if !relations.is_empty() {
            ul.said {
                @for relation in relations.iter().take(MOST) {
                    li.(class(relation.polarity)) {
                        span.verb { (relation.verb) } " " (page.node(relation.to))
                        @if let Some(text) = &relation.text { p dir="auto" { (whole(text)) } }
                    }
                }
            }
        }
    }
}

/// What others say of a node of the graph.
fn incoming_relations(page: &Page<'_>, at: usize) -> Markup {
    let relations = &page.heard[at];
    let rest = relations.len().saturating_sub(MOST);
    html! {
        @if !relations.is_empty() {
            h5 { "What is said of it" }
            ul.heard {
                @for relation in relations.iter().take(MOST).map(|&at| &page.relations[at]) {
                    li.(class(relation.polarity)) {
                        span.verb { (relation.alone) } " " (page.node(relation.from))
                    }
                }
                @if rest > 0 { li { "and " (rest) " more" } }
            }
        }
    }
}

fn class(polarity: Polarity) -> &'static str {
    match polarity {
        Polarity::Attack => "attack",
        Polarity::Support => "support",
        Polarity::Concession => "concession",
    }
}

/// The scores of the point, each with its reason.
fn history(page: &Page<'_>, id: NodeId) -> Markup {
    let history = page.state.scores().get(&id).map_or(&[][..], Vec::as_slice);
    html! {
        @if !history.is_empty() {
            h5 { "How it was scored" }
            ol.scores {
                @for entry in history {
                    li {
                        span.score { (signed(&entry.score.to_string())) } " "
                        @if let Some(trigger) = entry.triggered_by {
                            span.verb { "after " (page.id(trigger)) } " "
                        }
                        span dir="auto" { (whole(&entry.reasoning)) }
                    }
                }
            }
        }
    }
}
