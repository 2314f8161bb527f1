//! Draws boxes and edges as marks.

use super::font::Font;
use super::layout::{LOOP, WirePath};
use super::links::Link;
use super::net::ArrowHead;
use super::palette::{self, EdgeLook, INK, PAPER};
use super::picture_text::{sanitise_to_width, truncate_to_pixel_width, wrap_to_pixel_width};
use super::scene::{About, Area, PathStep, SceneMark};
use super::{DrawnNode, Polarity};

// The longest of 26 titles in two real debates (79 characters) takes three of the four lines of a
// box.
pub(super) const BOX_WIDTH: f32 = 208.0;
// Chosen by eye in pictures of debates with 12 and 14 arguments. Larger than the radius of a corner
// (at most 11), so that text stays inside.
const PAD: f32 = 12.0;
// Chosen by eye in pictures of debates with 12 and 14 arguments: smaller than the title, which is
// read first.
const ID: f32 = 11.0;
// Chosen by eye in pictures of debates with 12 and 14 arguments. Most pages use 13 to 16 for text.
const TITLE: f32 = 13.0;
// 1.3 times the size of the title, as for other text in the picture (`heading` in `frame.rs`).
const LEADING: f32 = 17.0;
// Chosen by eye in pictures of debates with 12 and 14 arguments. The smallest text, since edges
// matter less than boxes.
pub(super) const LABEL: f32 = 10.5;
// Six times the width of a line (`LINE` in `scene.rs`), so that it stays visible in a scaled-down
// picture.
const HEAD: (f32, f32) = (4.2, 9.0);

// Chosen so that `blocker, 1 not there` fits beside an id such as `cha_001b`.
/// The largest share of a box's width that its note takes.
const NOTE_SHARE: f32 = 0.62;

/// The words of a box, broken into lines.
pub(super) struct Card {
    id: String,
    note: String,
    title: Vec<String>,
    tip: String,
}

impl Card {
    pub(super) fn new(font: &Font, node: &DrawnNode) -> Self {
        let room = BOX_WIDTH - 2.0 * PAD;
        let note = sanitise_to_width(node.note.as_deref().unwrap_or_default(), 40);
        let note = truncate_to_pixel_width(font, &note, ID, room * NOTE_SHARE);
        let left = room - font.width(&note, ID) - 8.0;
        let id = sanitise_to_width(&node.id, 80);
        let title = sanitise_to_width(&node.title, 400);
        // Use a little less than the room, since the viewer's font may be wider.
        let lines = wrap_to_pixel_width(font, &title, TITLE, room - 6.0, 4);
        Self {
            tip: format!("{id}: {title}"),
            id: truncate_to_pixel_width(font, &id, ID, left),
            note,
            title: lines,
        }
    }

    pub(super) fn size(&self) -> (f32, f32) {
        let lines = self.title.len() as f32;
        (BOX_WIDTH, 2.0 * PAD + ID + 3.0 + lines * LEADING)
    }

    pub(super) fn into_mark(
        self,
        font: &Font,
        at: usize,
        node: &DrawnNode,
        area: Area,
    ) -> SceneMark {
        let look = palette::side_look(node.side);
        let words = |x, y, size, colour, text| SceneMark::Words {
            at: (area.x + x, area.y + y),
            size,
            colour,
            text,
        };
        let first = PAD + ID - 2.0;
        let note_x = BOX_WIDTH - PAD - font.width(&self.note, ID);
        let mut marks = vec![
            SceneMark::Panel {
                area,
                radius: look.radius,
                fill: look.fill,
                line: Some(look.line),
            },
            words(PAD, first, ID, look.line, self.id),
            words(note_x, first, ID, look.line, self.note),
        ];
        for (nth, line) in self.title.into_iter().enumerate() {
            let y = first + 3.0 + LEADING * (nth as f32 + 1.0);
            marks.push(words(PAD, y, TITLE, INK, line));
        }
        SceneMark::Group {
            about: About::Node(at),
            tip: self.tip,
            marks,
        }
    }
}

/// Returns the line of a segment with its arrow.
pub(super) fn wire_marks(wire: &WirePath, polarity: Polarity, head: ArrowHead) -> Vec<SceneMark> {
    let look = palette::edge_look(polarity);
    let (upper, lower) = (wire.upper_x, wire.lower_x);
    let [mut start, curve, into, mut end] = wire.y;
    let mut marks = Vec::new();
    match head {
        ArrowHead::None => {}
        ArrowHead::Up => {
            marks.push(arrow_head_mark(upper, start + 1.0, Direction::Up, &look));
            start += HEAD.1;
        }
        ArrowHead::Down => {
            marks.push(arrow_head_mark(lower, end - 1.0, Direction::Down, &look));
            end -= HEAD.1;
        }
    }
    let (curve, into) = (curve.max(start), into.min(end));
    let middle = (curve + into) / 2.0;
    let mut steps = vec![PathStep::Move(upper, start)];
    if curve > start {
        steps.push(PathStep::Line(upper, curve));
    }
    steps.push(PathStep::Curve([upper, middle, lower, middle, lower, into]));
    if end > into {
        steps.push(PathStep::Line(lower, end));
    }
    let line = SceneMark::Stroke {
        steps,
        colour: look.line,
        dotted: look.dotted,
    };
    marks.insert(0, line);
    marks
}

/// Returns the line from a box to itself, at its right.
pub(super) fn self_loop_marks(area: Area, polarity: Polarity) -> Vec<SceneMark> {
    let look = palette::edge_look(polarity);
    let right = area.x + area.width;
    let (from, to) = (area.y + area.height * 0.3, area.y + area.height * 0.7);
    let out = right + LOOP;
    vec![
        SceneMark::Stroke {
            steps: vec![
                PathStep::Move(right, from),
                PathStep::Curve([out, from, out, to, right + HEAD.1, to]),
            ],
            colour: look.line,
            dotted: look.dotted,
        },
        arrow_head_mark(right + 1.0, to, Direction::Left, &look),
    ]
}

/// The direction of an arrow head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Up,
    Down,
    Left,
    Right,
}

impl Direction {
    /// Returns the unit vector of the direction; `y` grows downwards.
    fn unit_vector(self) -> (f32, f32) {
        match self {
            Self::Up => (0.0, -1.0),
            Self::Down => (0.0, 1.0),
            Self::Left => (-1.0, 0.0),
            Self::Right => (1.0, 0.0),
        }
    }
}

/// Returns an arrow head with its tip at `x` and `y`.
pub(super) fn arrow_head_mark(x: f32, y: f32, direction: Direction, look: &EdgeLook) -> SceneMark {
    let (half, long) = HEAD;
    let towards = direction.unit_vector();
    let back = (x - towards.0 * long, y - towards.1 * long);
    let aside = (towards.1 * half, towards.0 * half);
    SceneMark::Shape {
        steps: vec![
            PathStep::Move(x, y),
            PathStep::Line(back.0 + aside.0, back.1 + aside.1),
            PathStep::Line(back.0 - aside.0, back.1 - aside.1),
            PathStep::Close,
        ],
        fill: if look.filled { look.line } else { PAPER },
        line: look.line,
    }
}

/// Returns the label of an edge on a background, centred at `x` and `y`.
pub(super) fn label_marks(font: &Font, link: &Link, x: f32, y: f32) -> Vec<SceneMark> {
    let width = font.width(&link.label, LABEL);
    let area = Area {
        x: x - width / 2.0 - 3.0,
        y: y - 7.0,
        width: width + 6.0,
        height: 14.0,
    };
    vec![
        SceneMark::Panel {
            area,
            radius: 4.0,
            fill: PAPER,
            line: None,
        },
        SceneMark::Words {
            at: (area.x + 3.0, y + 3.8),
            size: LABEL,
            colour: palette::edge_look(link.polarity).line,
            text: link.label.clone(),
        },
    ]
}
