//! Renders a drawing as SVG.

use super::Drawing;
use super::font::Font;
use super::frame::framed_scene;
use super::marks::{Escaped, Num, Style, push_formatted, write_mark};

/// Returns the drawing as one SVG file, laid out in rows.
///
/// It has no script, style sheet or external reference, and a light background. Boxes and edges
/// show their complete text as a tooltip. Cycles of attacks are allowed.
///
/// ```
/// use agon_report::graph::{Drawing, svg};
/// assert!(svg(&Drawing::default()).starts_with("<svg "));
/// ```
pub fn svg(drawing: &Drawing) -> String {
    let scene = framed_scene(&Font::new(), drawing);
    let (width, height) = (Num(scene.width.ceil()), Num(scene.height.ceil()));
    let mut out = String::new();
    push_formatted(
        &mut out,
        format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{width}\" \
             height=\"{height}\" viewBox=\"0 0 {width} {height}\" font-family=\"Inter, \
             'Helvetica Neue', Arial, sans-serif\">\n"
        ),
    );
    if !scene.title.is_empty() {
        push_formatted(
            &mut out,
            format_args!("<title>{}</title>\n", Escaped(&scene.title)),
        );
    }
    for mark in &scene.marks {
        write_mark(&mut out, mark, Style::File);
    }
    out.push_str("</svg>\n");
    out
}
