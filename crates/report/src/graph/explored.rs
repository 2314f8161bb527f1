//! The graph as SVG inside a page: the page's style sheet colours it, and its boxes are links.

use super::Drawing;
use super::font::Font;
use super::frame::bare_scene;
use super::marks::{Num, Style, push_formatted, write_mark};
use super::scene::Scene;

/// Returns the bare graph as an `svg` element of a page.
///
/// Colours are classes: `f-NAME` for fills and `s-NAME` for lines, with the names of
/// [`palette::colour_name`](super::palette::colour_name). A box is `a.node`; its `data-n` is its
/// index in the drawing, and it links to the element with its id. A wire is `g.wire`; its `data-n`
/// lists the indexes of the boxes it joins.
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
