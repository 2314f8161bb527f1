//! Renders a drawing as PNG.

use std::io::Write as _;

use ::png::{BitDepth, ColorType, Compression, Encoder, EncodingError, Filter};
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

// Large enough that few paths are drawn twice, and a small part of a large picture's memory.
/// Pixels that are drawn at a time.
const BAND_PIXELS: u32 = 1_000_000;

/// Returns the picture of [`svg`](super::svg()) as PNG with at most `max_pixels` pixels.
///
/// It has twice the resolution of the SVG if there is room, else as much as fits. It is drawn and
/// compressed in bands, so the memory it needs hardly depends on the number of pixels.
///
/// # Errors
///
/// If `max_pixels` is 0.
pub fn png(drawing: &Drawing, max_pixels: u32) -> Result<Vec<u8>, PngError> {
    png_in_bands(drawing, max_pixels, BAND_PIXELS)
}

/// As [`png()`], with bands of `band_pixels`.
fn png_in_bands(drawing: &Drawing, max_pixels: u32, band_pixels: u32) -> Result<Vec<u8>, PngError> {
    let font = Font::new();
    let scene = framed_scene(&font, drawing);
    let none = PngError::Size { max_pixels };
    let Some((width, height, scale)) = size_and_scale_within(&scene, max_pixels) else {
        return Err(none);
    };
    let mut outlines = Outlines {
        font: &font,
        scale,
        all: Vec::new(),
    };
    for mark in &scene.marks {
        outlines.add(mark);
    }
    let rows = (band_pixels / width).clamp(1, height);
    let band = Pixmap::new(width, rows).ok_or(none)?;
    write_bands(&outlines.all, band, height, scale).map_err(|error| PngError::Encode {
        cause: Box::new(error),
    })
}

/// Draws the outlines band by band into a picture of `height` rows.
fn write_bands(
    outlines: &[Outline],
    mut band: Pixmap,
    height: u32,
    scale: f32,
) -> Result<Vec<u8>, EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, band.width(), height);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Balanced);
    // A drawing is mostly one colour: without a filter it is smallest, and quickest to write.
    encoder.set_filter(Filter::NoFilter);
    let mut writer = encoder.write_header()?;
    let mut stream = writer.stream_writer()?;
    let mut row = Vec::new();
    for top in (0..height).step_by(band.height() as usize) {
        let rows = band.height().min(height - top);
        let (from, to) = (top as f32, (top + rows) as f32);
        band.fill(tiny_skia::Color::WHITE);
        let place = Transform::from_scale(scale, scale).post_translate(0.0, -from);
        for outline in outlines {
            if outline.top < to && outline.bottom > from {
                outline.draw(&mut band, place);
            }
        }
        let width = band.width() as usize;
        for pixels in band.pixels().chunks_exact(width).take(rows as usize) {
            row.clear();
            // All is drawn on white, so no pixel is transparent.
            row.extend(
                pixels
                    .iter()
                    .flat_map(|it| [it.red(), it.green(), it.blue()]),
            );
            stream.write_all(&row)?;
        }
    }
    stream.finish()?;
    writer.finish()?;
    Ok(bytes)
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

/// A filled or stroked path.
struct Outline {
    path: Path,
    colour: Colour,
    /// How the path is stroked; it is filled without it.
    stroke: Option<Stroke>,
    /// The rows of the picture that it touches.
    top: f32,
    bottom: f32,
}

impl Outline {
    fn draw(&self, pixels: &mut Pixmap, place: Transform) {
        let paint = solid_paint(self.colour);
        match &self.stroke {
            Some(stroke) => pixels.stroke_path(&self.path, &paint, stroke, place, None),
            None => pixels.fill_path(&self.path, &paint, FillRule::Winding, place, None),
        }
    }
}

/// The outlines of a scene, in the order in which they are drawn.
struct Outlines<'a> {
    font: &'a Font,
    scale: f32,
    all: Vec<Outline>,
}

impl Outlines<'_> {
    fn add(&mut self, mark: &SceneMark) {
        match mark {
            SceneMark::Panel {
                area,
                radius,
                fill,
                line,
            } => {
                let path = build_path(&rounded_rect_steps(*area, *radius));
                self.fill(path.clone(), *fill);
                if let Some(line) = line {
                    self.stroke(path, *line, false);
                }
            }
            SceneMark::Stroke {
                steps,
                colour,
                dotted,
            } => self.stroke(build_path(steps), *colour, *dotted),
            SceneMark::Shape { steps, fill, line } => {
                let path = build_path(steps);
                self.fill(path.clone(), *fill);
                self.stroke(path, *line, false);
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
                self.fill(outline.finish(), *colour);
            }
            SceneMark::Group { marks, .. } => {
                for mark in marks {
                    self.add(mark);
                }
            }
        }
    }

    fn fill(&mut self, path: Option<Path>, colour: Colour) {
        self.push(path, colour, None);
    }

    fn stroke(&mut self, path: Option<Path>, colour: Colour, dotted: bool) {
        let stroke = Stroke {
            width: LINE,
            dash: StrokeDash::new(DOTS.to_vec(), 0.0).filter(|_| dotted),
            ..Stroke::default()
        };
        self.push(path, colour, Some(stroke));
    }

    fn push(&mut self, path: Option<Path>, colour: Colour, stroke: Option<Stroke>) {
        let Some(path) = path else { return };
        // A mitre is at most `miter_limit` times as long as the line is wide. One more pixel is for
        // smooth edges.
        let reach = stroke.as_ref().map_or(0.0, |it| it.width * it.miter_limit);
        let bounds = path.bounds();
        self.all.push(Outline {
            top: (bounds.top() - reach) * self.scale - 1.0,
            bottom: (bounds.bottom() + reach) * self.scale + 1.0,
            path,
            colour,
            stroke,
        });
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

#[cfg(test)]
mod tests {
    use super::super::tests::debate;
    use super::*;

    #[test]
    fn a_picture_is_the_same_in_one_band_and_in_many() {
        let draw = |band_pixels| {
            let bytes = png_in_bands(&debate(), 300_000, band_pixels).unwrap();
            Pixmap::decode_png(&bytes).unwrap()
        };
        let (whole, bands) = (draw(300_000), draw(5_000));
        assert_eq!(
            (whole.width(), whole.height()),
            (bands.width(), bands.height())
        );
        let channels = |picture: &Pixmap| picture.data().to_vec();
        let pairs = channels(&whole).into_iter().zip(channels(&bands));
        // A curve is split where it leaves a band, so a few pixels at its edge differ.
        let different = pairs
            .filter(|(one, other)| one.abs_diff(*other) > 10)
            .count();
        let share = different as f32 / whole.data().len() as f32;
        assert!(share < 0.003, "{share}");
    }
}
