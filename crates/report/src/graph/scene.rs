//! A picture as a list of marks, before it becomes SVG or pixels.

use super::palette::Colour;

/// A picture; x grows to the right and y down, in CSS pixels.
pub(super) struct Scene {
    pub(super) title: String,
    pub(super) width: f32,
    pub(super) height: f32,
    /// The marks, from back to front.
    pub(super) marks: Vec<SceneMark>,
}

/// One painted element.
pub(super) enum SceneMark {
    Panel {
        area: Area,
        radius: f32,
        fill: Colour,
        line: Option<Colour>,
    },
    Stroke {
        steps: Vec<PathStep>,
        colour: Colour,
        dotted: bool,
    },
    /// A closed shape with an outline in its colour.
    Shape {
        steps: Vec<PathStep>,
        fill: Colour,
        line: Colour,
    },
    Words {
        at: (f32, f32),
        size: f32,
        colour: Colour,
        text: String,
    },
    /// Marks with `tip` as their tooltip.
    Group {
        about: About,
        tip: String,
        marks: Vec<SceneMark>,
    },
}

/// The content of a group of marks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum About {
    /// The node with this index in the drawing.
    Node(usize),
    /// The path of links, by the indexes of the nodes they join.
    Links(Vec<(usize, usize)>),
}

impl SceneMark {
    /// Moves the mark to the right and down.
    pub(super) fn shift(&mut self, x: f32, y: f32) {
        match self {
            Self::Panel { area, .. } => {
                area.x += x;
                area.y += y;
            }
            Self::Stroke { steps, .. } | Self::Shape { steps, .. } => {
                for step in steps {
                    step.shift(x, y);
                }
            }
            Self::Words { at, .. } => {
                at.0 += x;
                at.1 += y;
            }
            Self::Group { marks, .. } => {
                for mark in marks {
                    mark.shift(x, y);
                }
            }
        }
    }
}

// Chosen by eye in pictures of debates with 12 and 14 arguments. A line of one pixel disappears in
// a scaled-down picture.
/// The width of lines.
pub(super) const LINE: f32 = 1.5;
// Dots slightly longer than the line is wide, with gaps twice as long: recognizable without
// colours.
/// The lengths of the dots and gaps of a dotted line.
pub(super) const DOTS: [f32; 2] = [2.0, 4.0];

/// A rectangle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Area {
    pub(super) x: f32,
    pub(super) y: f32,
    pub(super) width: f32,
    pub(super) height: f32,
}

/// One step of a pen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum PathStep {
    Move(f32, f32),
    Line(f32, f32),
    /// A curve: two control points, then its end.
    Curve([f32; 6]),
    Close,
}

impl PathStep {
    fn shift(&mut self, by_x: f32, by_y: f32) {
        match self {
            Self::Move(x, y) | Self::Line(x, y) => {
                *x += by_x;
                *y += by_y;
            }
            Self::Curve(points) => {
                for (nth, point) in points.iter_mut().enumerate() {
                    *point += if nth % 2 == 0 { by_x } else { by_y };
                }
            }
            Self::Close => {}
        }
    }
}
