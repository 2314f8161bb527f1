//! The picture as SVG.

use std::fmt::Write as _;

use super::Drawing;
use super::font::Font;
use super::frame::framed;
use super::scene::{Area, DOTS, LINE, Mark, Step};

/// The drawing as one SVG file, laid out in rows.
///
/// It holds no script, style sheet or reference to anything outside, and has its
/// own light background. Boxes and edges tell their whole text when they are
/// pointed at. Arguments that attack each other in a circle are no problem.
///
/// ```
/// use agon_report::graph::{Drawing, svg};
/// assert!(svg(&Drawing::default()).starts_with("<svg "));
/// ```
pub fn svg(drawing: &Drawing) -> String {
    let scene = framed(&Font::new(), drawing);
    let (width, height) = (Num(scene.width.ceil()), Num(scene.height.ceil()));
    let mut out = String::new();
    push(
        &mut out,
        format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{width}\" \
             height=\"{height}\" viewBox=\"0 0 {width} {height}\" font-family=\"Inter, \
             'Helvetica Neue', Arial, sans-serif\">\n"
        ),
    );
    if !scene.title.is_empty() {
        push(
            &mut out,
            format_args!("<title>{}</title>\n", Escaped(&scene.title)),
        );
    }
    for mark in &scene.marks {
        write_mark(&mut out, mark);
    }
    out.push_str("</svg>\n");
    out
}

pub(super) fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string does not fail.
    out.write_fmt(text).unwrap_or_default();
}

fn write_mark(out: &mut String, mark: &Mark) {
    match mark {
        Mark::Panel {
            area,
            radius,
            fill,
            line,
        } => {
            write_area(out, area);
            if *radius > 0.0 {
                push(out, format_args!(" rx=\"{}\"", Num(*radius)));
            }
            push(out, format_args!(" fill=\"{fill}\""));
            if let Some(line) = line {
                push(
                    out,
                    format_args!(" stroke=\"{line}\" stroke-width=\"{LINE}\""),
                );
            }
            out.push_str("/>\n");
        }
        Mark::Stroke {
            steps,
            colour,
            dotted,
        } => {
            write_steps(out, steps);
            push(
                out,
                format_args!(" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{LINE}\""),
            );
            if *dotted {
                push(
                    out,
                    format_args!(" stroke-dasharray=\"{} {}\"", DOTS[0], DOTS[1]),
                );
            }
            out.push_str("/>\n");
        }
        Mark::Shape { steps, fill, line } => {
            write_steps(out, steps);
            push(
                out,
                format_args!(
                    " fill=\"{fill}\" stroke=\"{line}\" stroke-width=\"{LINE}\" \
                     stroke-linejoin=\"round\"/>\n"
                ),
            );
        }
        Mark::Words {
            at,
            size,
            colour,
            text,
        } => {
            if !text.is_empty() {
                let (x, y, text) = (Num(at.0), Num(at.1), Escaped(text));
                push(
                    out,
                    format_args!(
                        "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{colour}\">{text}</text>\n"
                    ),
                );
            }
        }
        Mark::Group { tip, marks, .. } => {
            push(out, format_args!("<g><title>{}</title>\n", Escaped(tip)));
            for mark in marks {
                write_mark(out, mark);
            }
            out.push_str("</g>\n");
        }
    }
}

pub(super) fn write_area(out: &mut String, area: &Area) {
    let (x, y) = (Num(area.x), Num(area.y));
    let (width, height) = (Num(area.width), Num(area.height));
    push(
        out,
        format_args!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\""),
    );
}

pub(super) fn write_steps(out: &mut String, steps: &[Step]) {
    out.push_str("<path d=\"");
    for step in steps {
        match *step {
            Step::Move(x, y) => push(out, format_args!("M{} {}", Num(x), Num(y))),
            Step::Line(x, y) => push(out, format_args!("L{} {}", Num(x), Num(y))),
            Step::Curve(points) => {
                for (nth, point) in points.into_iter().enumerate() {
                    out.push(if nth == 0 { 'C' } else { ' ' });
                    push(out, format_args!("{}", Num(point)));
                }
            }
            Step::Close => out.push('Z'),
        }
    }
    out.push('"');
}

/// A length, to a tenth.
#[derive(Clone, Copy)]
pub(super) struct Num(pub(super) f32);

impl std::fmt::Display for Num {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Adding zero takes the sign off a negative zero.
        let tenths = (self.0 * 10.0).round() + 0.0;
        write!(f, "{}", tenths / 10.0)
    }
}

/// Text that is no markup.
pub(super) struct Escaped<'a>(pub(super) &'a str);

impl std::fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}
