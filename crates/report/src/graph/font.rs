//! The embedded font and the widths of its characters.

use ttf_parser::Face;
use unicode_width::UnicodeWidthChar;

/// A subset of Inter under the SIL Open Font License; the license is beside the file.
const BYTES: &[u8] = include_bytes!("font/agon-sans.otf");

/// The font, ready to measure and draw text.
pub(super) struct Font {
    pub(super) face: Option<Face<'static>>,
}

impl Font {
    pub(super) fn new() -> Self {
        Self {
            face: Face::parse(BYTES, 0).ok(),
        }
    }

    /// Returns how far `c` moves the pen.
    ///
    /// A character that is missing from the font counts as wide as in other fonts.
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
