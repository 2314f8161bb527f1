//! Writes marks as SVG, for a file or a page.

use std::fmt::Write as _;

use super::Drawing;
use super::palette::{Colour, colour_name};
use super::scene::{About, Area, DOTS, LINE, PathStep, SceneMark};

/// Maximum number of boxes that a wire names as its ends; a wire with more is not highlighted.
const MAX_ENDS: usize = 24;

pub(super) fn push_formatted(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    out.write_fmt(text).unwrap_or_default();
}

/// How colours and groups are written.
#[derive(Clone, Copy)]
pub(super) enum Style<'a> {
    /// In an SVG file: colours are attributes, and a group has a tooltip.
    File,
    /// In a page: colours are classes of its style sheet, and a group is a link or a wire.
    Page(&'a Drawing),
}

impl Style<'_> {
    /// Writes the attributes of a shape's fill, which may be absent, and of its line.
    fn write_colours(self, out: &mut String, fill: Option<Colour>, line: Option<Colour>) {
        match self {
            Self::File => {
                match fill {
                    Some(fill) => push_formatted(out, format_args!(" fill=\"{fill}\"")),
                    None => out.push_str(" fill=\"none\""),
                }
                if let Some(line) = line {
                    let line = format_args!(" stroke=\"{line}\" stroke-width=\"{LINE}\"");
                    push_formatted(out, line);
                }
            }
            Self::Page(_) => {
                out.push_str(" class=\"");
                match fill {
                    Some(fill) => push_formatted(out, format_args!("f-{}", colour_name(fill))),
                    None => out.push_str("line"),
                }
                if let Some(line) = line {
                    push_formatted(out, format_args!(" s-{}", colour_name(line)));
                }
            }
        }
    }

    /// Writes the remaining attributes of a shape and closes its tag.
    fn write_shape_end(self, out: &mut String, in_file: std::fmt::Arguments<'_>, in_page: &str) {
        match self {
            Self::File => push_formatted(out, format_args!("{in_file}/>\n")),
            Self::Page(_) => push_formatted(out, format_args!("{in_page}\"/>")),
        }
    }
}

/// Writes the opening tag and title of a node's link or a wire's group, and returns its closing
/// tag.
fn write_group_start(
    out: &mut String,
    drawing: &Drawing,
    about: &About,
    tip: &str,
) -> &'static str {
    match about {
        About::Node(at) => {
            let id = drawing.nodes.get(*at).map_or("", |node| node.id.as_str());
            let (id, tip) = (Escaped(id), Escaped(tip));
            push_formatted(
                out,
                format_args!(
                    "<a class=\"node\" data-n=\"{at}\" href=\"#{id}\"><title>{tip}</title>"
                ),
            );
            "</a>\n"
        }
        About::Links(links) => {
            let mut ends: Vec<usize> = links.iter().flat_map(|&(from, to)| [from, to]).collect();
            ends.sort_unstable();
            ends.dedup();
            ends.truncate(MAX_ENDS);
            out.push_str("<g class=\"wire\" data-n=\"");
            for end in ends {
                push_formatted(out, format_args!(" {end}"));
            }
            push_formatted(out, format_args!(" \"><title>{}</title>", Escaped(tip)));
            "</g>\n"
        }
    }
}

/// Writes a mark and the marks inside it.
pub(super) fn write_mark(out: &mut String, mark: &SceneMark, style: Style<'_>) {
    match mark {
        SceneMark::Panel {
            area,
            radius,
            fill,
            line,
        } => {
            write_rect_start(out, area);
            if *radius > 0.0 {
                push_formatted(out, format_args!(" rx=\"{}\"", Num(*radius)));
            }
            style.write_colours(out, Some(*fill), *line);
            style.write_shape_end(out, format_args!(""), "");
        }
        SceneMark::Stroke {
            steps,
            colour,
            dotted,
        } => {
            write_path_start(out, steps);
            style.write_colours(out, None, Some(*colour));
            match dotted {
                true => {
                    let [dash, gap] = DOTS;
                    let dashes = format_args!(" stroke-dasharray=\"{dash} {gap}\"");
                    style.write_shape_end(out, dashes, " dots");
                }
                false => style.write_shape_end(out, format_args!(""), ""),
            }
        }
        SceneMark::Shape { steps, fill, line } => {
            write_path_start(out, steps);
            style.write_colours(out, Some(*fill), Some(*line));
            style.write_shape_end(out, format_args!(" stroke-linejoin=\"round\""), "");
        }
        SceneMark::Words {
            at,
            size,
            colour,
            text,
        } if !text.is_empty() => {
            let (x, y, text) = (Num(at.0), Num(at.1), Escaped(text));
            push_formatted(
                out,
                format_args!("<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\""),
            );
            match style {
                Style::File => {
                    push_formatted(out, format_args!(" fill=\"{colour}\">{text}</text>\n"))
                }
                Style::Page(_) => {
                    let class = colour_name(*colour);
                    push_formatted(out, format_args!(" class=\"f-{class}\">{text}</text>"));
                }
            }
        }
        SceneMark::Words { .. } => {}
        SceneMark::Group { about, tip, marks } => {
            let end = match style {
                Style::File => {
                    push_formatted(out, format_args!("<g><title>{}</title>\n", Escaped(tip)));
                    "</g>\n"
                }
                Style::Page(drawing) => write_group_start(out, drawing, about, tip),
            };
            for mark in marks {
                write_mark(out, mark, style);
            }
            out.push_str(end);
        }
    }
}

fn write_rect_start(out: &mut String, area: &Area) {
    let (x, y) = (Num(area.x), Num(area.y));
    let (width, height) = (Num(area.width), Num(area.height));
    push_formatted(
        out,
        format_args!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\""),
    );
}

fn write_path_start(out: &mut String, steps: &[PathStep]) {
    out.push_str("<path d=\"");
    for step in steps {
        match *step {
            PathStep::Move(x, y) => push_formatted(out, format_args!("M{} {}", Num(x), Num(y))),
            PathStep::Line(x, y) => push_formatted(out, format_args!("L{} {}", Num(x), Num(y))),
            PathStep::Curve(points) => {
                for (nth, point) in points.into_iter().enumerate() {
                    out.push(if nth == 0 { 'C' } else { ' ' });
                    push_formatted(out, format_args!("{}", Num(point)));
                }
            }
            PathStep::Close => out.push('Z'),
        }
    }
    out.push('"');
}

/// A length with one decimal.
#[derive(Clone, Copy)]
pub(super) struct Num(pub(super) f32);

impl std::fmt::Display for Num {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Adding zero turns `-0` into `0`.
        let tenths = (self.0 * 10.0).round() + 0.0;
        write!(f, "{}", tenths / 10.0)
    }
}

/// Text with markup characters written as entities.
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
