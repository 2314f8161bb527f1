//! The two sides beside each other: every objection next to the point it is about.

use agon_record::evidence::stamps_of_point;
use agon_record::point::Point;
use maud::{Markup, html};

use super::citation_results::stamp_signs;
use super::page::{POSITIONS, Page, shorten_to_columns, shorten_to_heading};
use super::point::{grounds_and_texts, point_kind, polarity_class};
use super::relation::ARGUES;
use crate::text::{capitalize, plain_line};

// The texts appear a second time in the transcript, so this bounds the size of the page.
/// Maximum number of points shown beside each other.
const MAX_SHOWN: usize = 400;

/// Returns the section; `None` before the first point.
pub(super) fn exchanges_section(page: &Page<'_>) -> Option<Markup> {
    if page.nodes.is_empty() {
        return None;
    }
    let threads = threads(page);
    let (shown, left_out) = choose_threads(page, &threads);
    Some(html! {
        @if left_out > 0 {
            p.note {
                "Only the exchanges that the verdict rests on or that are discussed most are shown. The transcript has the other "
                (left_out) " points."
            }
        }
        div.sides {
            div.heads { @for at in 0..POSITIONS { (side_head(page, at)) } }
            @for thread in shown {
                div.thread { @for &at in thread { (spoken_point(page, at)) } }
            }
        }
    })
}

/// Returns the head of a side's column: who argues there, and for what.
fn side_head(page: &Page<'_>, at: usize) -> Markup {
    let Some(node) = page.graph.nodes().get(at) else {
        return html! {};
    };
    let seating = page.state.seats.get(&node.seat);
    let model = page.state.model(node.seat);
    html! {
        div.head.(page.side_class(node.seat)) {
            p {
                span.seat { (capitalize(&node.seat.to_string())) }
                @if let Some(seating) = seating {
                    " " span.by { (seating.tool) @if let Some(model) = model { " " (shorten_to_columns(model, 60)) } }
                }
            }
            @if !plain_line(&node.title).is_empty() { p.stand dir="auto" { (shorten_to_heading(&node.title)) } }
        }
    }
}

/// Returns the index of the point that the point `at` is about: an earlier one, so that following
/// the parents ends.
fn parent(page: &Page<'_>, at: usize) -> Option<usize> {
    let outgoing = page.outgoing[at + POSITIONS].iter();
    let mut targets = outgoing.filter_map(|&at| page.relations[at].to.checked_sub(POSITIONS));
    targets.find(|&to| to < at)
}

/// Returns the points in threads: a point that is about no other, then everything said about it,
/// each answer after its objection.
fn threads(page: &Page<'_>) -> Vec<Vec<usize>> {
    let count = page.nodes.len();
    let mut about = vec![Vec::new(); count];
    let mut roots = Vec::new();
    for at in 0..count {
        match parent(page, at) {
            Some(parent) => about[parent].push(at),
            None => roots.push(at),
        }
    }
    let mut threads = Vec::new();
    for root in roots {
        let (mut thread, mut open) = (Vec::new(), vec![root]);
        while let Some(at) = open.pop() {
            thread.push(at);
            open.extend(about[at].iter().rev());
        }
        threads.push(thread);
    }
    threads
}

/// Returns the threads with at most `MAX_SHOWN` points, in their order, and the number of points
/// that are left out. Threads on which the verdict rests come first, then the longest.
fn choose_threads<'t>(page: &Page<'_>, threads: &'t [Vec<usize>]) -> (Vec<&'t [usize]>, usize) {
    if page.nodes.len() <= MAX_SHOWN {
        return (threads.iter().map(Vec::as_slice).collect(), 0);
    }
    let mut order: Vec<usize> = (0..threads.len()).collect();
    order.sort_by_key(|&nth| {
        let thread = &threads[nth];
        std::cmp::Reverse((thread.iter().any(|&at| page.hangs_on(at)), thread.len()))
    });
    let (mut room, mut chosen) = (MAX_SHOWN, Vec::new());
    for nth in order {
        if room == 0 {
            break;
        }
        // A thread longer than all the room is shown from its beginning.
        let length = threads[nth].len().min(room);
        room -= length;
        chosen.push((nth, length));
    }
    chosen.sort_unstable();
    let shown = chosen.iter().map(|&(nth, length)| &threads[nth][..length]);
    (shown.collect(), page.nodes.len() - (MAX_SHOWN - room))
}

/// Returns a point with its complete text; its grounds are folded.
fn spoken_point(page: &Page<'_>, at: usize) -> Markup {
    let node = &page.nodes[at];
    let stamps = stamps_of_point(page.state, node.id);
    let grounds = node.point.grounds().len();
    let is_ruling = matches!(node.point, Point::Assessment(_));
    html! {
        article.spoken.ruling[is_ruling].(page.side_class(node.seat())) data-of=(node.id) {
            header {
                (page.point_link(node.id))
                " " span.kind { (point_kind(node)) }
                @if let Some(score) = page.score(node.id) { span.score { (score) } }
            }
            (relations_of(page, at))
            @if let Some(title) = node.point.title() { h3 dir="auto" { (shorten_to_heading(title)) } }
            p.claim dir="auto" { (page.prose(node.point.main_text())) }
            @let rest = grounds_and_texts(page, node, &stamps);
            @if !rest.0.is_empty() {
                details.grounded {
                    summary {
                        @match grounds {
                            0 => "More",
                            1 => "1 ground",
                            more => { (more) " grounds" }
                        }
                        " " (stamp_signs(&stamps))
                    }
                    (rest)
                }
            }
        }
    }
}

/// Returns what a point does to other points.
fn relations_of(page: &Page<'_>, at: usize) -> Markup {
    let outgoing = page.outgoing[at + POSITIONS].iter();
    let relations: Vec<_> = outgoing
        .map(|&at| &page.relations[at])
        .filter(|relation| relation.verb != ARGUES)
        .collect();
    html! {
        @if !relations.is_empty() {
            ul.does {
                @for relation in relations {
                    li.(polarity_class(relation.polarity)) {
                        span.verb { (relation.verb) } " "
                        @match relation.to.checked_sub(POSITIONS).and_then(|to| page.nodes.get(to)) {
                            Some(node) => (page.point_link(node.id)),
                            None => (page.node_link(relation.to)),
                        }
                        @if let Some(text) = &relation.text { p dir="auto" { (page.prose(text)) } }
                    }
                }
            }
        }
    }
}
