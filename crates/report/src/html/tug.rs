//! The tug of war: how each exchange moved the lead, and the current lead.

use crate::text::capitalize;
use agon_record::id::Seat;
use agon_record::score::Score;
use agon_record::tally::leading_side;
use agon_verdict::facts::{Swing, lead_swings};
use agon_verdict::verdict::{GraphLead, leading_position};
use maud::{Markup, html};

use super::answer::total_score;
use super::page::{Page, replace_hyphen_minus};
use super::point::position_article;

/// Maximum number of exchanges shown as rows; more are drawn as one chart above a table.
const MAX_ROWS: usize = 40;
// The largest change by one rescore. With a smaller value, a lead of 0.010 early in a debate would
// fill the whole width.
/// The smallest lead, in thousandths, that the whole width represents.
const MIN_SHARE: i32 = 500;

/// Returns the tug-of-war section; `None` before the first score.
pub(super) fn tug_of_war_section(page: &Page<'_>) -> Option<Markup> {
    if !page.has_scores() {
        return duel_strengths(page);
    }
    let swings = lead_swings(page.state);
    let widest = swings.iter().map(|swing| swing.lead.thousandths().abs());
    let widest = widest.max()?.max(MIN_SHARE);
    let [first, second] = page.state.spec.format().sides();
    Some(html! {
        div.ends {
            (seat_with_number(page, first, &total_score(page, first)))
            (seat_with_number(page, second, &total_score(page, second)))
        }
        @if swings.len() <= MAX_ROWS {
            (swing_table(page, &swings, widest))
        } @else {
            (swings_chart(page, &swings, widest))
            details { summary { "Every exchange" } (swing_table(page, &swings, widest)) }
        }
        p.note {
            "Bars show the lead after each exchange: the sum of the scores of the " (first)
            " minus that of the " (second) "."
        }
        @if let Some(note) = graph_reading_note(page) { p.note { (note) } }
    })
}

/// Returns the strengths of both positions in the graph; `None` before the first point.
fn duel_strengths(page: &Page<'_>) -> Option<Markup> {
    if page.nodes.is_empty() {
        return None;
    }
    let [first, second] = page.state.spec.format().sides();
    let lead = leading_position(&page.graph, &page.strengths);
    let of = |seat| lead.strengths.get(&seat).copied().unwrap_or_default();
    let ahead = of(first) - of(second);
    let label = describe_lead(&lead, ahead);
    Some(html! {
        div.ends {
            (seat_with_number(page, first, &format!("{:.2}", of(first))))
            (seat_with_number(page, second, &format!("{:.2}", of(second))))
        }
        (lead_rope_svg(&label, ahead))
        p.note {
            "The strength of each position, from 0 to 1, when the points are weighed as a graph of attacks and supports: "
            (label) ". The graph may disagree with the judge but never overrules the verdict."
        }
        div.positions { (position_article(page, 0)) (position_article(page, 1)) }
    })
}

fn describe_lead(lead: &GraphLead, ahead: f64) -> String {
    match lead.winner {
        Some(seat) => format!("the {seat} is ahead by {:.2}", ahead.abs()),
        None => "neither side is ahead".to_owned(),
    }
}

/// Says which side is ahead, by the scores or else by the graph; `None` before the first point.
pub(super) fn lead_in_words(page: &Page<'_>) -> Option<String> {
    if page.nodes.is_empty() {
        return None;
    }
    if page.has_scores() {
        return Some(match leading_side(page.state) {
            Some(seat) => format!("the {seat} is ahead by the scores"),
            None => "neither side is ahead by the scores".to_owned(),
        });
    }
    let [first, second] = page.state.spec.format().sides();
    let lead = leading_position(&page.graph, &page.strengths);
    let of = |seat| lead.strengths.get(&seat).copied().unwrap_or_default();
    let ahead = describe_lead(&lead, of(first) - of(second));
    Some(format!("{ahead} in the graph of arguments"))
}

/// Returns the result of the graph for a formal debate, beside the sums of its scores.
fn graph_reading_note(page: &Page<'_>) -> Option<String> {
    let reading = page.verdict?.readings.graph.as_ref()?;
    let [first, second] = page.state.spec.format().sides();
    let told = |lead: &GraphLead| {
        let of = |seat| lead.strengths.get(&seat).copied().unwrap_or_default();
        let winner = lead.winner.map_or("neither leads".to_owned(), |seat| {
            format!("the {seat} leads")
        });
        format!("{winner}, {:.3} to {:.3}", of(first), of(second))
    };
    Some(format!(
        "Weighed as a graph of attacks and supports that starts from these scores: {}. Without the scores: {}.",
        told(&reading.scored),
        told(&reading.equal)
    ))
}

fn seat_with_number(page: &Page<'_>, seat: Seat, number: &str) -> Markup {
    html! {
        p.end.(page.side_class(seat)) {
            span.seat { (capitalize(&seat.to_string())) }
            span.number { (number) }
        }
    }
}

fn swing_table(page: &Page<'_>, swings: &[Swing], widest: i32) -> Markup {
    let [first, second] = page.state.spec.format().sides();
    html! {
        table.tug {
            thead {
                tr {
                    th scope="col" { "Exchange" }
                    th scope="col" { span.left { "← " (first) } span.right { (second) " →" } }
                    th scope="col" { "Lead" }
                }
            }
            tbody {
                @for swing in swings {
                    tr {
                        th scope="row" { (swing.exchange) }
                        td { (swing_bar(page, swing, widest)) (swing_scores(page, swing)) }
                        td.number { (replace_hyphen_minus(&swing.lead.to_string())) }
                    }
                }
            }
        }
    }
}

fn swing_bar(page: &Page<'_>, swing: &Swing, widest: i32) -> Markup {
    let lead = swing.lead;
    let who = match page.state.spec.format().sides() {
        [first, _] if lead > Score::ZERO => format!("the {first} leads by"),
        [_, second] if lead < Score::ZERO => format!("the {second} leads by"),
        _ => "level at".to_owned(),
    };
    let size = lead.abs().to_string();
    let label = format!("{who} {}", size.trim_start_matches('+'));
    lead_rope_svg(&label, f64::from(lead.thousandths()) / f64::from(widest))
}

/// Returns a rope with its knot at `lead`, from -1 to 1; the first side pulls to the left.
fn lead_rope_svg(label: &str, lead: f64) -> Markup {
    // Use 47 instead of 50 to keep a knot at the very end visible.
    let knot = 50.0 - lead * 47.0;
    let (from, wide) = if knot < 50.0 {
        (knot, 50.0 - knot)
    } else {
        (50.0, knot - 50.0)
    };
    let class = match lead {
        lead if lead > 0.0 => "f-for",
        lead if lead < 0.0 => "f-against",
        _ => "f-neither",
    };
    html! {
        svg.rope role="img" aria-label=(label) width="100%" height="18" {
            line.s-rule x1="0" x2="100%" y1="9" y2="9" {}
            rect.(class) x=(format_percent(from)) width=(format_percent(wide)) y="5" height="8" {}
            line.s-ink x1="50%" x2="50%" y1="1" y2="17" {}
            circle.(class) cx=(format_percent(knot)) cy="9" r="6.5" {}
        }
    }
}

fn format_percent(part: f64) -> String {
    format!("{part:.2}%")
}

/// Returns the scores of an exchange.
fn swing_scores(page: &Page<'_>, swing: &Swing) -> Markup {
    html! {
        p.told {
            @for (id, score) in &swing.scored {
                span { (page.point_link(*id)) " " (replace_hyphen_minus(&score.to_string())) } " "
            }
            @for (id, old, new) in &swing.rescored {
                span.again { (page.point_link(*id)) " " (replace_hyphen_minus(&old.to_string())) " → " (replace_hyphen_minus(&new.to_string())) } " "
            }
        }
    }
}

/// Returns a chart of all exchanges: up for the first side, down for the second.
fn swings_chart(page: &Page<'_>, swings: &[Swing], widest: i32) -> Markup {
    let [first, second] = page.state.spec.format().sides();
    let last = swings.last().map_or(Score::ZERO, |swing| swing.lead);
    let label = format!(
        "The lead of the {first} over the {second}, exchange by exchange; {} after the last",
        replace_hyphen_minus(&last.to_string())
    );
    html! {
        svg.leads role="img" aria-label=(label) width="100%" height="200"
            viewBox={ "0 -100 " (swings.len()) " 200" } preserveAspectRatio="none" {
            @for (nth, swing) in swings.iter().enumerate() {
                @let part = f64::from(swing.lead.thousandths()) / f64::from(widest) * 96.0;
                @let (class, top) = if part > 0.0 { ("f-for", -part) } else { ("f-against", 0.0) };
                rect.(class) x=(nth) width="0.86" y=(format!("{top:.1}")) height=(format!("{:.1}", part.abs())) {}
            }
        }
    }
}
