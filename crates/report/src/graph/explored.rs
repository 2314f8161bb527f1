//! The graph as SVG inside a page, whose style sheet colours it and whose boxes are links.

use super::Drawing;
use super::font::Font;
use super::frame::bare;
use super::palette::name;
use super::scene::{About, Mark, Scene};
use super::svg::{Escaped, Num, push, write_area, write_steps};

/// Links of one wire that are told apart; more are not marked with a box.
const MOST_ENDS: usize = 24;

/// The bare graph as an `svg` element of a page.
///
/// Colours are classes: `f-NAME` fills and `s-NAME` lines, with the names of
/// [`palette::name`](super::palette::name). A box is `a.node` with `data-n`, its
/// place in the drawing, and leads to the place of the page that has its id. A
/// wire is `g.wire`, with the places of the boxes that it joins in `data-n`.
pub(crate) fn explored(drawing: &Drawing) -> String {
    let Scene {
        width,
        height,
        marks,
        ..
    } = bare(&Font::new(), drawing);
    let (width, height) = (Num(width.ceil()), Num(height.ceil()));
    let mut out = String::new();
    push(
        &mut out,
        format_args!(
            "<svg id=\"graph\" role=\"group\" aria-label=\"Argument graph\" width=\"{width}\" \
             height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n"
        ),
    );
    for mark in &marks {
        write_mark(&mut out, drawing, mark);
    }
    out.push_str("</svg>");
    out
}

fn write_mark(out: &mut String, drawing: &Drawing, mark: &Mark) {
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
            push(out, format_args!(" class=\"f-{}", name(*fill)));
            if let Some(line) = line {
                push(out, format_args!(" s-{}", name(*line)));
            }
            out.push_str("\"/>");
        }
        Mark::Stroke {
            steps,
            colour,
            dotted,
        } => {
            write_steps(out, steps);
            let dots = if *dotted { " dots" } else { "" };
            push(
                out,
                format_args!(" class=\"line s-{}{dots}\"/>", name(*colour)),
            );
        }
        Mark::Shape { steps, fill, line } => {
            write_steps(out, steps);
            let (fill, line) = (name(*fill), name(*line));
            push(out, format_args!(" class=\"f-{fill} s-{line}\"/>"));
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
                        "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" class=\"f-{}\">{text}</text>",
                        name(*colour)
                    ),
                );
            }
        }
        Mark::Group { about, tip, marks } => write_group(out, drawing, about, tip, marks),
    }
}

fn write_group(out: &mut String, drawing: &Drawing, about: &About, tip: &str, marks: &[Mark]) {
    let end = match about {
        About::Node(at) => {
            let id = drawing.nodes.get(*at).map_or("", |node| node.id.as_str());
            let (id, tip) = (Escaped(id), Escaped(tip));
            push(
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
            ends.truncate(MOST_ENDS);
            out.push_str("<g class=\"wire\" data-n=\"");
            for end in ends {
                push(out, format_args!(" {end}"));
            }
            push(out, format_args!(" \"><title>{}</title>", Escaped(tip)));
            "</g>\n"
        }
    };
    for mark in marks {
        write_mark(out, drawing, mark);
    }
    out.push_str(end);
}
