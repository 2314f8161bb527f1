//! A picture as a list of marks, before it is SVG or pixels.

use super::palette::Colour;

/// A picture; x grows to the right and y down, in pixels of a plain screen.
pub(super) struct Scene {
    pub(super) title: String,
    pub(super) width: f32,
    pub(super) height: f32,
    /// From the back to the front.
    pub(super) marks: Vec<SceneMark>,
}

/// One thing that is painted.
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
    /// A closed shape, with a line of its colour around it.
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
    /// Marks that tell `tip` when they are pointed at.
    Group {
        about: About,
        tip: String,
        marks: Vec<SceneMark>,
    },
}

/// What a group of marks shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum About {
    /// The node at this place of the drawing.
    Node(usize),
    /// The way of these links, by the places of the nodes that they join.
    Links(Vec<(usize, usize)>),
}

impl SceneMark {
    /// Moves it to the right and down.
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

// Chosen, not measured: looked at in pictures of debates of 12 and 14 arguments. A line of one
// pixel is lost where a picture is made smaller.
/// The width of lines.
pub(super) const LINE: f32 = 1.5;
// A dot little longer than the line is wide, and twice as much between: it is told from a whole
// line without colours.
/// The dots and gaps of a dotted line.
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
    /// Two control points, then where it ends.
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
