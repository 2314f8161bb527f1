//! Assembles a picture: title, bands, graph and legend.

use super::Drawing;
use super::explained::word_explanations;
use super::font::Font;
use super::layout::{Band, Layout, Sizes, layout};
use super::links::{Link, merge_parallel_edges};
use super::net::Segment;
use super::paint::{
    Card, Direction, LABEL, arrow_head_mark, label_marks, self_loop_marks, wire_marks,
};
use super::palette::{self, BAND, FAINT, INK, PAPER, POLARITIES, SIDES};
use super::picture_text::{sanitise_to_width, wrap_to_pixel_width};
use super::scene::{About, Area, PathStep, Scene, SceneMark};

// Chosen by eye in pictures of debates with 12 and 14 arguments. Twice the distance by which a
// round's band extends beyond its boxes (14).
const MARGIN: f32 = 28.0;
// `round 100` in `SMALL` has nine characters of about 6 and starts 20 from the edge; 66 and the
// margin leave a gap before the boxes.
/// The space to the left of the graph for the names of rounds.
const GUTTER: f32 = 66.0;
// Fits two boxes side by side with margins (472), so that a picture of one box has room for its
// title and legend.
const NARROWEST: f32 = 480.0;
// Chosen by eye in pictures of debates with 12 and 14 arguments: 1.5 times the title of a box.
const TITLE: f32 = 20.0;
// Chosen by eye in pictures of debates with 12 and 14 arguments: between a box's id and its title.
const SMALL: f32 = 11.5;
// Between the picture's title and a box's title, so that it is read second.
const SUBTITLE: f32 = 15.0;
// Chosen by eye in pictures of debates with 12 and 14 arguments. A graph of 100 arguments
// usually stays below it; 400 points have 1,200 links.
/// Maximum number of links in a graph with labels; more labels would hide it.
const MAX_LABELLED: usize = 160;

/// Returns the picture of `drawing` with its title, background and legend.
pub(super) fn framed_scene(font: &Font, drawing: &Drawing) -> Scene {
    build_scene(font, drawing, true)
}

/// Returns the bare graph of `drawing` without title, background and legend.
pub(super) fn bare_scene(font: &Font, drawing: &Drawing) -> Scene {
    build_scene(font, drawing, false)
}

fn build_scene(font: &Font, drawing: &Drawing, is_framed: bool) -> Scene {
    let links = merge_parallel_edges(drawing);
    let cards: Vec<Card> = drawing.nodes.iter().map(|it| Card::new(font, it)).collect();
    let labelled = links.len() <= MAX_LABELLED;
    let sizes = Sizes {
        rounds: drawing.nodes.iter().map(|node| node.round).collect(),
        boxes: cards.iter().map(Card::size).collect(),
        labels: links
            .iter()
            .map(|link| font.width(&link.label, LABEL) + 6.0)
            .zip(&links)
            .map(|(width, link)| (labelled && !link.label.is_empty()).then_some(width))
            .collect(),
    };
    let layout = layout(&sizes, &links);

    let names = layout.bands.iter().map(|band| band_name(drawing, band));
    let names = names.map(|name| font.width(&name, SMALL) + MARGIN - 8.0);
    let gutter = if layout.bands.is_empty() {
        0.0
    } else {
        names.fold(GUTTER, f32::max)
    };
    let narrowest = if is_framed { NARROWEST } else { 0.0 };
    let width = (layout.width + gutter).max(narrowest) + 2.0 * MARGIN;
    let mut title = sanitise_to_width(&drawing.title, 300);
    if !is_framed {
        title.clear();
    }
    let subtitle = match is_framed {
        true => sanitise_to_width(&drawing.subtitle, 300),
        false => String::new(),
    };
    let (heading, top) = title_marks(font, &title, &subtitle, width);
    let left = gutter + (width - gutter - layout.width) / 2.0;
    let bottom = top + layout.height + MARGIN;
    let (legend, height) = if is_framed {
        legend_marks(font, drawing, &links, width, bottom)
    } else {
        (Vec::new(), bottom)
    };

    let paper = is_framed.then_some(SceneMark::Panel {
        area: Area {
            x: 0.0,
            y: 0.0,
            width,
            height,
        },
        radius: 0.0,
        fill: PAPER,
        line: None,
    });
    let mut marks: Vec<SceneMark> = paper.into_iter().collect();
    marks.extend(band_marks(drawing, &layout.bands, width, top));
    marks.extend(heading);
    marks.extend(graph_marks(font, drawing, links, cards, layout).shift_by(left, top));
    marks.extend(legend);
    Scene {
        title,
        width,
        height,
        marks,
    }
}

fn graph_marks(
    font: &Font,
    drawing: &Drawing,
    links: Vec<Link>,
    cards: Vec<Card>,
    layout: Layout,
) -> Vec<SceneMark> {
    let mut marks = Vec::new();
    for (segment, way) in layout.net.segments.iter().zip(&layout.wires) {
        let passing = segment.links.iter().map(|&at| &links[at]);
        marks.push(SceneMark::Group {
            about: About::Links(passing.map(|link| (link.from, link.to)).collect()),
            tip: segment_tip(drawing, &links, segment),
            marks: wire_marks(way, segment.polarity, segment.head),
        });
    }
    for link in links.iter().filter(|link| link.from == link.to) {
        marks.push(SceneMark::Group {
            about: About::Links(vec![(link.from, link.to)]),
            tip: link_sentence(drawing, link),
            marks: self_loop_marks(layout.boxes[link.from], link.polarity),
        });
    }
    let nodes = drawing.nodes.iter().zip(&layout.boxes);
    for (at, (card, (node, area))) in cards.into_iter().zip(nodes).enumerate() {
        marks.push(card.into_mark(font, at, node, *area));
    }
    for (segment, way) in layout.net.segments.iter().zip(&layout.wires) {
        if let (Some((x, y)), Some(&link)) = (way.label, segment.links.first()) {
            marks.extend(label_marks(font, &links[link], x, y));
        }
    }
    marks
}

/// Returns the tooltip of a segment: the first links that pass through it.
fn segment_tip(drawing: &Drawing, links: &[Link], segment: &Segment) -> String {
    // A browser shows each line below the last, so limit them; one more line counts the rest.
    const MOST: usize = 6;
    let passing = segment.links.iter().take(MOST);
    let mut lines: Vec<String> = passing
        .map(|&it| link_sentence(drawing, &links[it]))
        .collect();
    if segment.links.len() > MOST {
        lines.push(format!("and {} more", segment.links.len() - MOST));
    }
    lines.join("\n")
}

fn link_sentence(drawing: &Drawing, link: &Link) -> String {
    let id = |node: usize| sanitise_to_width(&drawing.nodes[node].id, 40);
    let verb = palette::edge_look(link.polarity).verb;
    let said = format!("{} {verb} {}", id(link.from), id(link.to));
    if link.label.is_empty() {
        said
    } else {
        format!("{said}: {}", link.label)
    }
}

/// Returns the marks of the title and the line below it, and the y where the graph may start.
fn title_marks(font: &Font, title: &str, subtitle: &str, width: f32) -> (Vec<SceneMark>, f32) {
    let (mut marks, mut y) = (Vec::new(), MARGIN);
    for (text, size, colour, most) in [(title, TITLE, INK, 2), (subtitle, SUBTITLE, FAINT, 3)] {
        if text.is_empty() {
            continue;
        }
        for text in wrap_to_pixel_width(font, text, size, width - 2.0 * MARGIN, most) {
            marks.push(SceneMark::Words {
                at: (MARGIN, y + size * 0.8),
                size,
                colour,
                text,
            });
            y += size * 1.3;
        }
        y += 6.0;
    }
    match marks.is_empty() {
        true => (marks, MARGIN),
        false => (marks, y + 12.0),
    }
}

/// Returns the name of a round's rows.
fn band_name(drawing: &Drawing, band: &Band) -> String {
    match drawing.has_exchanges {
        true => format!("exchange {}", band.round),
        false => format!("round {}", band.round),
    }
}

/// Returns a tinted strip behind every other round, and the names of all rounds.
fn band_marks(drawing: &Drawing, bands: &[Band], width: f32, top: f32) -> Vec<SceneMark> {
    let mut marks = Vec::new();
    for (nth, band) in bands.iter().enumerate() {
        // Extend the first and last bands beyond their boxes as far as the others.
        let above = if nth == 0 { 14.0 } else { 0.0 };
        let below = if nth + 1 == bands.len() { 14.0 } else { 0.0 };
        let area = Area {
            x: 0.0,
            y: top + band.top - above,
            width,
            height: band.bottom - band.top + above + below,
        };
        if nth % 2 == 0 {
            marks.push(SceneMark::Panel {
                area,
                radius: 0.0,
                fill: BAND,
                line: None,
            });
        }
        marks.push(SceneMark::Words {
            at: (MARGIN - 8.0, area.y + area.height / 2.0 + 4.0),
            size: SMALL,
            colour: FAINT,
            text: band_name(drawing, band),
        });
    }
    marks
}

// Twice the six lines that all words of a duel take in the narrowest picture.
/// Maximum number of lines of explanations.
const MAX_EXPLAINED: usize = 12;

/// Returns the legend of the colours and words in use, and the y where the picture ends.
fn legend_marks(
    font: &Font,
    drawing: &Drawing,
    links: &[Link],
    width: f32,
    top: f32,
) -> (Vec<SceneMark>, f32) {
    let mut entries: Vec<(&str, Vec<SceneMark>)> = Vec::new();
    for side in SIDES {
        if drawing.nodes.iter().any(|node| node.side == side) {
            let look = palette::side_look(side);
            let swatch = SceneMark::Panel {
                area: Area {
                    x: 0.0,
                    y: -10.0,
                    width: 22.0,
                    height: 13.0,
                },
                radius: look.radius.min(5.0),
                fill: look.fill,
                line: Some(look.line),
            };
            entries.push((look.name, vec![swatch]));
        }
    }
    for polarity in POLARITIES {
        if links.iter().any(|link| link.polarity == polarity) {
            let look = palette::edge_look(polarity);
            let line = SceneMark::Stroke {
                steps: vec![PathStep::Move(0.0, -3.5), PathStep::Line(20.0, -3.5)],
                colour: look.line,
                dotted: look.dotted,
            };
            let marks = vec![line, arrow_head_mark(28.0, -3.5, Direction::Right, &look)];
            entries.push((look.name, marks));
        }
    }
    if entries.is_empty() {
        return (Vec::new(), top);
    }
    let mut marks = Vec::new();
    let (mut x, mut y) = (MARGIN, top + 16.0);
    for (name, swatch) in entries {
        let long = 34.0 + font.width(name, SMALL);
        if x + long > width - MARGIN {
            (x, y) = (MARGIN, y + 22.0);
        }
        marks.extend(swatch.shift_by(x, y));
        marks.push(SceneMark::Words {
            at: (x + 34.0, y),
            size: SMALL,
            colour: FAINT,
            text: name.to_owned(),
        });
        x += long + 24.0;
    }
    let words = word_explanations(drawing).into_iter();
    let words = words.map(|(word, meaning)| format!("{word}: {meaning}"));
    let words = words.collect::<Vec<_>>().join("   ·   ");
    if !words.is_empty() {
        y += 6.0;
        for text in wrap_to_pixel_width(font, &words, SMALL, width - 2.0 * MARGIN, MAX_EXPLAINED) {
            y += 17.0;
            marks.push(SceneMark::Words {
                at: (MARGIN, y),
                size: SMALL,
                colour: FAINT,
                text,
            });
        }
    }
    (marks, y + MARGIN)
}

/// A mark that can be moved.
trait Shifted {
    fn shift_by(self, x: f32, y: f32) -> Self;
}

impl Shifted for Vec<SceneMark> {
    fn shift_by(mut self, x: f32, y: f32) -> Self {
        for mark in &mut self {
            mark.shift(x, y);
        }
        self
    }
}
