//! Renders a drawing as PNG.

use tiny_skia::{FillRule, Paint, Path, PathBuilder, Pixmap, Stroke, StrokeDash, Transform};

use super::Drawing;
use super::font::Font;
use super::frame::framed_scene;
use super::palette::Colour;
use super::scene::{Area, DOTS, LINE, PathStep, Scene, SceneMark};

/// The pixels per layout pixel if there is room, as on a high-density screen.
const DENSITY: f32 = 2.0;

/// Why a PNG could not be made.
#[derive(Debug, thiserror::Error)]
pub enum PngError {
    /// No pixels were allowed, or more than fit in memory.
    #[error("cannot draw the picture within {max_pixels} pixels")]
    Size {
        /// The allowed number of pixels.
        max_pixels: u32,
    },
    /// The PNG encoder failed.
    #[error("cannot write the picture as PNG")]
    Encode {
        /// The encoder's error.
        #[source]
        cause: Box<dyn std::error::Error + Send + Sync>,
    },
}

/// Returns the picture of [`svg`](super::svg()) as PNG with at most `max_pixels` pixels.
///
/// It has twice the resolution of the SVG if there is room, else as much as fits. It needs about 8
/// bytes of memory per pixel.
///
/// # Errors
///
/// If `max_pixels` is 0.
pub fn png(drawing: &Drawing, max_pixels: u32) -> Result<Vec<u8>, PngError> {
    let font = Font::new();
    let scene = framed_scene(&font, drawing);
    let none = PngError::Size { max_pixels };
    let Some((width, height, scale)) = size_and_scale_within(&scene, max_pixels) else {
        return Err(none);
    };
    let mut canvas = Canvas {
        pixels: Pixmap::new(width, height).ok_or(none)?,
        scale: Transform::from_scale(scale, scale),
        font: &font,
    };
    canvas.pixels.fill(tiny_skia::Color::WHITE);
    for mark in &scene.marks {
        canvas.draw(mark);
    }
    canvas
        .pixels
        .encode_png()
        .map_err(|error| PngError::Encode {
            cause: Box::new(error),
        })
}

/// Returns the width, height and scale of a picture within `most` pixels.
fn size_and_scale_within(scene: &Scene, most: u32) -> Option<(u32, u32, f32)> {
    if most == 0 {
        return None;
    }
    let scale = (most as f32 / (scene.width * scene.height))
        .sqrt()
        .min(DENSITY);
    let width = (scene.width * scale).floor().max(1.0) as u32;
    let width = width.min(most);
    let height = (scene.height * scale).floor().max(1.0) as u32;
    Some((width, height.min(most / width).max(1), scale))
}

struct Canvas<'a> {
    pixels: Pixmap,
    scale: Transform,
    font: &'a Font,
}

impl Canvas<'_> {
    fn draw(&mut self, mark: &SceneMark) {
        match mark {
            SceneMark::Panel {
                area,
                radius,
                fill,
                line,
            } => {
                let path = build_path(&rounded_rect_steps(*area, *radius));
                self.fill(path.as_ref(), *fill);
                if let Some(line) = line {
                    self.stroke(path.as_ref(), *line, false);
                }
            }
            SceneMark::Stroke {
                steps,
                colour,
                dotted,
            } => self.stroke(build_path(steps).as_ref(), *colour, *dotted),
            SceneMark::Shape { steps, fill, line } => {
                let path = build_path(steps);
                self.fill(path.as_ref(), *fill);
                self.stroke(path.as_ref(), *line, false);
            }
            SceneMark::Words {
                at,
                size,
                colour,
                text,
            } => {
                let mut outline = PathBuilder::new();
                self.font
                    .outline_text(&mut outline, text, *size, at.0, at.1);
                self.fill(outline.finish().as_ref(), *colour);
            }
            SceneMark::Group { marks, .. } => {
                for mark in marks {
                    self.draw(mark);
                }
            }
        }
    }

    fn fill(&mut self, path: Option<&Path>, colour: Colour) {
        if let Some(path) = path {
            let rule = FillRule::Winding;
            self.pixels
                .fill_path(path, &solid_paint(colour), rule, self.scale, None);
        }
    }

    fn stroke(&mut self, path: Option<&Path>, colour: Colour, dotted: bool) {
        if let Some(path) = path {
            let stroke = Stroke {
                width: LINE,
                dash: StrokeDash::new(DOTS.to_vec(), 0.0).filter(|_| dotted),
                ..Stroke::default()
            };
            self.pixels
                .stroke_path(path, &solid_paint(colour), &stroke, self.scale, None);
        }
    }
}

fn solid_paint(Colour(red, green, blue): Colour) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color_rgba8(red, green, blue, 255);
    paint
}

fn build_path(steps: &[PathStep]) -> Option<Path> {
    let mut path = PathBuilder::new();
    for step in steps {
        match *step {
            PathStep::Move(x, y) => path.move_to(x, y),
            PathStep::Line(x, y) => path.line_to(x, y),
            PathStep::Curve([x1, y1, x2, y2, x, y]) => path.cubic_to(x1, y1, x2, y2, x, y),
            PathStep::Close => path.close(),
        }
    }
    path.finish()
}

/// Returns the outline of a rectangle with round corners.
fn rounded_rect_steps(area: Area, radius: f32) -> Vec<PathStep> {
    // Control points at this distance from a corner approximate a quarter circle.
    let c = radius * 0.448;
    let (left, top) = (area.x, area.y);
    let (right, bottom) = (left + area.width, top + area.height);
    vec![
        PathStep::Move(left + radius, top),
        PathStep::Line(right - radius, top),
        PathStep::Curve([right - c, top, right, top + c, right, top + radius]),
        PathStep::Line(right, bottom - radius),
        PathStep::Curve([right, bottom - c, right - c, bottom, right - radius, bottom]),
        PathStep::Line(left + radius, bottom),
        PathStep::Curve([left + c, bottom, left, bottom - c, left, bottom - radius]),
        PathStep::Line(left, top + radius),
        PathStep::Curve([left, top + c, left + c, top, left + radius, top]),
        PathStep::Close,
    ]
}
