//! What the picture in pixels promises.

use proptest::prelude::*;
use tiny_skia::Pixmap;

use super::super::palette::{INK, PAPER, side_look};
use super::super::{Drawing, DrawnSide, PngError, png};
use super::{debate, drawings, node};

#[test]
fn the_same_drawing_gives_the_same_pixels() {
    let (first, second) = (debate(), debate());
    assert_eq!(png(&first, 90_000).unwrap(), png(&second, 90_000).unwrap());
}

#[test]
fn a_drawing_of_nothing_has_pixels() {
    let none = Drawing::default();
    assert!(Pixmap::decode_png(&png(&none, 1_000_000).unwrap()).is_ok());
}

#[test]
fn a_png_has_at_most_the_pixels_allowed() {
    for most in [1, 7, 10_000, 300_000] {
        let pixels = Pixmap::decode_png(&png(&debate(), most).unwrap()).unwrap();
        assert!(pixels.width() * pixels.height() <= most);
    }
    let refused = png(&debate(), 0);
    assert!(matches!(refused, Err(PngError::Size { max_pixels: 0 })));
}

#[test]
fn a_small_png_is_the_whole_picture() {
    let mut drawing = debate();
    drawing.nodes.truncate(1);
    let share = |most: u32| {
        let pixels = Pixmap::decode_png(&png(&drawing, most).unwrap()).unwrap();
        let fill = side_look(DrawnSide::Neither).fill;
        let inside = |it: &&tiny_skia::PremultipliedColorU8| {
            (it.red(), it.green(), it.blue()) == (fill.0, fill.1, fill.2)
        };
        let count = pixels.pixels().iter().filter(inside).count();
        count as f32 / pixels.pixels().len() as f32
    };
    // Smaller ones mix the fill with the letters in it.
    let (small, large) = (share(80_000), share(1_000_000));
    assert!((small / large - 1.0).abs() < 0.15, "{small} {large}");
}

#[test]
fn letters_are_dark_pixels() {
    let dark = |title: &str| {
        let nodes = vec![node("", title, (DrawnSide::Neither, 0))];
        let drawing = Drawing {
            nodes,
            ..Drawing::default()
        };
        let pixels = Pixmap::decode_png(&png(&drawing, 4_000_000).unwrap()).unwrap();
        let ink = |it: &&tiny_skia::PremultipliedColorU8| {
            (it.red(), it.green(), it.blue()) == (INK.0, INK.1, INK.2)
        };
        pixels.pixels().iter().filter(ink).count()
    };
    assert_eq!(dark(""), 0);
    for word in ["Journal", "λόγος", "Довід"] {
        assert!(dark(word) > 150, "{word}");
    }
}

#[test]
fn the_corner_of_a_png_is_paper() {
    let pixels = Pixmap::decode_png(&png(&debate(), 300_000).unwrap()).unwrap();
    let corner = pixels.pixel(0, 0).unwrap();
    let seen = (corner.red(), corner.green(), corner.blue(), corner.alpha());
    assert_eq!(seen, (PAPER.0, PAPER.1, PAPER.2, 255));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn whatever_is_drawn_has_pixels(drawing in drawings()) {
        prop_assert!(png(&drawing, 40_000).is_ok());
    }
}
