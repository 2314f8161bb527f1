//! The embedded font: how wide letters are, and their outlines.

use tiny_skia::PathBuilder;
use ttf_parser::{Face, GlyphId, OutlineBuilder};
use unicode_width::UnicodeWidthChar;

/// A part of Inter under the SIL Open Font License; its text is beside the file.
const BYTES: &[u8] = include_bytes!("font/agon-sans.otf");

/// The font, ready to be measured and drawn with.
pub(super) struct Font {
    face: Option<Face<'static>>,
}

impl Font {
    pub(super) fn new() -> Self {
        Self {
            face: Face::parse(BYTES, 0).ok(),
        }
    }

    /// How far `c` moves the pen.
    ///
    /// A letter that the font has not is taken to be as wide as other fonts
    /// would draw it.
    pub(super) fn advance(&self, c: char, size: f32) -> f32 {
        let columns = c.width().unwrap_or(0);
        if columns == 0 {
            return 0.0;
        }
        let known = self.face.as_ref().and_then(|face| {
            let units = face.glyph_hor_advance(face.glyph_index(c)?)?;
            Some(f32::from(units) / f32::from(face.units_per_em()))
        });
        size * known.unwrap_or(if columns > 1 { 1.0 } else { 0.64 })
    }

    pub(super) fn width(&self, text: &str, size: f32) -> f32 {
        text.chars().map(|c| self.advance(c, size)).sum()
    }

    /// Adds the outlines of `text` to `path`, the pen starting at `start`.
    pub(super) fn outline(&self, path: &mut PathBuilder, text: &str, size: f32, start: (f32, f32)) {
        let Some(face) = &self.face else {
            return;
        };
        let scale = size / f32::from(face.units_per_em());
        let mut x = start.0;
        for c in text.chars() {
            let advance = self.advance(c, size);
            // A mark sits on the letter before it, whose place is behind the pen.
            let glyph = face.glyph_index(c);
            if advance > 0.0 || glyph.is_some() {
                face.outline_glyph(
                    glyph.unwrap_or(GlyphId(0)),
                    &mut Pen {
                        path,
                        scale,
                        at: (x, start.1),
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
    fn x(&self, x: f32) -> f32 {
        self.at.0 + x * self.scale
    }

    fn y(&self, y: f32) -> f32 {
        self.at.1 - y * self.scale
    }
}

impl OutlineBuilder for Pen<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = (self.x(x), self.y(y));
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = (self.x(x), self.y(y));
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let (x1, y1, x, y) = (self.x(x1), self.y(y1), self.x(x), self.y(y));
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let (x1, y1) = (self.x(x1), self.y(y1));
        let (x2, y2, x, y) = (self.x(x2), self.y(y2), self.x(x), self.y(y));
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}

#[cfg(test)]
mod tests {
    use super::Font;

    #[test]
    fn the_font_has_the_letters_that_are_promised() {
        let font = Font::new();
        let face = font.face.as_ref().unwrap();
        for text in [
            "Résumé Łódź ğ ệ",
            "λόγος ἀρχή",
            "Довід ґ",
            "→ ≤ ≠ ≈ ✓ ✗ × − – — … “”‘’ €",
        ] {
            for c in text.chars() {
                assert!(face.glyph_index(c).is_some(), "{c}");
            }
        }
    }
}
