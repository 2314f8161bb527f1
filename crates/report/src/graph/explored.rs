//! The graph as SVG inside a page, whose style sheet colours it and whose boxes are links.

use super::Drawing;
use super::font::Font;
use super::frame::bare_scene;
use super::marks::{Num, Style, push_formatted, write_mark};
use super::scene::Scene;

/// The bare graph as an `svg` element of a page.
///
/// Colours are classes: `f-NAME` fills and `s-NAME` lines, with the names of
/// [`palette::colour_name`](super::palette::colour_name). A box is `a.node` with `data-n`, its
/// place in the drawing, and leads to the place of the page that has its id. A
/// wire is `g.wire`, with the places of the boxes that it joins in `data-n`.
pub(crate) fn explorable_svg(drawing: &Drawing) -> String {
    let Scene {
        width,
        height,
        marks,
        ..
    } = bare_scene(&Font::new(), drawing);
    let (width, height) = (Num(width.ceil()), Num(height.ceil()));
    let mut out = String::new();
    push_formatted(
        &mut out,
        format_args!(
            "<svg id=\"graph\" role=\"group\" aria-label=\"Argument graph\" width=\"{width}\" \
             height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n"
        ),
    );
    for mark in &marks {
        write_mark(&mut out, mark, Style::Page(drawing));
    }
    out.push_str("</svg>");
    out
}
