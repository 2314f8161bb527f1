//! The outlines of the embedded font's characters.

use tiny_skia::PathBuilder;
use ttf_parser::{GlyphId, OutlineBuilder};

use super::font::Font;

impl Font {
    /// Adds the outlines of `text` to `path`, starting at `start_x` and `start_y`.
    pub(super) fn outline_text(
        &self,
        path: &mut PathBuilder,
        text: &str,
        size: f32,
        start_x: f32,
        start_y: f32,
    ) {
        let Some(face) = &self.face else {
            return;
        };
        let scale = size / f32::from(face.units_per_em());
        let mut x = start_x;
        for c in text.chars() {
            let advance = self.advance(c, size);
            // Also draw combining marks, which have no advance: their glyph covers the previous
            // character.
            let glyph = face.glyph_index(c);
            if advance > 0.0 || glyph.is_some() {
                face.outline_glyph(
                    glyph.unwrap_or(GlyphId(0)),
                    &mut Pen {
                        path,
                        scale,
                        at: (x, start_y),
                    },
                );
            }
            x += advance;
        }
    }
}

/// Writes the outline of one glyph, whose y axis points up, into a path.
struct Pen<'a> {
    path: &'a mut PathBuilder,
    scale: f32,
    at: (f32, f32),
}

impl Pen<'_> {
    fn path_x(&self, x: f32) -> f32 {
        self.at.0 + x * self.scale
    }

    fn path_y(&self, y: f32) -> f32 {
        self.at.1 - y * self.scale
    }
}

impl OutlineBuilder for Pen<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = (self.path_x(x), self.path_y(y));
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = (self.path_x(x), self.path_y(y));
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let (x1, y1, x, y) = (
            self.path_x(x1),
            self.path_y(y1),
            self.path_x(x),
            self.path_y(y),
        );
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let (x1, y1) = (self.path_x(x1), self.path_y(y1));
        let (x2, y2, x, y) = (
            self.path_x(x2),
            self.path_y(y2),
            self.path_x(x),
            self.path_y(y),
        );
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}
