//! Renders a drawing for Graphviz.

use std::fmt::Write as _;

use super::palette::{self, INK};
use super::picture_text::sanitise_to_width;
use super::{Drawing, DrawnSide};

/// Returns the drawing as a Graphviz digraph, with reasons below the points they target.
///
/// It has the colours and shapes of the other pictures. Node names in the file are numbers. Edges
/// without a node at both ends are left out.
///
/// ```
/// use agon_report::graph::{Drawing, DrawnNode, DrawnSide, dot};
/// let drawing = Drawing {
///     nodes: vec![DrawnNode {
///         id: "pro_001".to_owned(),
///         title: "Use \"SQLite\"".to_owned(),
///         note: None,
///         side: DrawnSide::For,
///         round: None,
///     }],
///     ..Drawing::default()
/// };
/// assert!(dot(&drawing).contains(r#"n0 [label="pro_001\nUse \"SQLite\""#));
/// ```
pub fn dot(drawing: &Drawing) -> String {
    let mut out = String::from("digraph {\n    rankdir=BT;\n");
    let title = sanitise_to_width(&drawing.title, 200);
    if !title.is_empty() {
        push_formatted(
            &mut out,
            format_args!("    label=\"{}\"; labelloc=t;\n", escape_dot_text(&title)),
        );
    }
    push_formatted(
        &mut out,
        format_args!("    node [shape=box, style=filled, fontcolor=\"{INK}\"];\n"),
    );
    for (nth, node) in drawing.nodes.iter().enumerate() {
        let id = sanitise_to_width(&node.id, 60);
        let title = sanitise_to_width(&node.title, 140);
        let note = sanitise_to_width(node.note.as_deref().unwrap_or_default(), 40);
        let lines: Vec<String> = [id, title, note]
            .iter()
            .filter(|line| !line.is_empty())
            .map(|line| escape_dot_text(line))
            .collect();
        let look = palette::side_look(node.side);
        let style = match node.side {
            DrawnSide::For => ", style=\"filled,rounded\"",
            DrawnSide::Against | DrawnSide::Neither => "",
        };
        push_formatted(
            &mut out,
            format_args!(
                "    n{nth} [label=\"{}\", fillcolor=\"{}\", color=\"{}\"{style}];\n",
                lines.join("\\n"),
                look.fill,
                look.line
            ),
        );
    }
    let n = drawing.nodes.len();
    for edge in drawing.edges.iter().filter(|it| it.from < n && it.to < n) {
        let look = palette::edge_look(edge.polarity);
        let line = look.line;
        let head = if look.filled { "normal" } else { "empty" };
        let style = if look.dotted { ", style=dotted" } else { "" };
        let label = match escape_dot_text(&sanitise_to_width(&edge.label, 60)) {
            label if label.is_empty() => String::new(),
            label => format!(", label=\"{label}\", fontcolor=\"{line}\""),
        };
        let (from, to) = (edge.from, edge.to);
        push_formatted(
            &mut out,
            format_args!(
                "    n{from} -> n{to} [color=\"{line}\", arrowhead={head}{style}{label}];\n"
            ),
        );
    }
    out.push_str("}\n");
    out
}

fn push_formatted(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    out.write_fmt(text).unwrap_or_default();
}

/// Escapes a one-line `text` for a quoted string, where backslashes would be commands.
fn escape_dot_text(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
