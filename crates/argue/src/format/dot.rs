//! A Graphviz digraph, from the reasons at the bottom up to what they are about.

use std::fmt::Write as _;

use super::Drawing;
use crate::Polarity;

/// Draws a graph. Attacks are red, dashed and end in a bar; supports are green.
///
/// ```
/// use agon_argue::format::{DrawnNode, Drawing, dot};
///
/// let node = DrawnNode { name: "a".into(), text: "say \"no\"".into() };
/// let drawing = Drawing { nodes: vec![node], edges: Vec::new() };
/// assert!(dot::write(&drawing).contains(r#""a" [label="say \"no\""];"#));
/// ```
pub fn write(drawing: &Drawing) -> String {
    let mut text = String::from("digraph {\n    rankdir=BT;\n    node [shape=box];\n");
    for node in &drawing.nodes {
        let (name, label) = (escaped(&node.name), escaped(&node.text));
        // Writing to a string cannot fail.
        _ = writeln!(text, "    \"{name}\" [label=\"{label}\"];");
    }
    let name = |at: usize| drawing.nodes.get(at).map_or("", |node| node.name.as_str());
    for edge in &drawing.edges {
        let style = match edge.polarity {
            Polarity::Attack => "color=red,style=dashed,arrowhead=tee",
            Polarity::Support => "color=darkgreen",
        };
        let (from, to) = (name(edge.from.index()), name(edge.to.index()));
        _ = write!(
            text,
            "    \"{}\" -> \"{}\" [{style}",
            escaped(from),
            escaped(to)
        );
        if !edge.label.is_empty() {
            _ = write!(text, ",label=\"{}\"", escaped(&edge.label));
        }
        text.push_str("];\n");
    }
    text.push_str("}\n");
    text
}

fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' => safe.push_str("\\\""),
            '\\' => safe.push_str("\\\\"),
            '\n' => safe.push_str("\\n"),
            c if c.is_control() => safe.push(' '),
            c => safe.push(c),
        }
    }
    safe
}
