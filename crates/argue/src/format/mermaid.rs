//! A Mermaid flowchart, from the reasons at the bottom up to what they are about.

use std::fmt::Write as _;

use super::Drawing;
use crate::Polarity;

/// Draws a graph. Attacks end in a cross, supports in an arrow.
///
/// No text can break out of its box: what has a meaning to Mermaid or HTML is written as a
/// character code.
///
/// ```
/// use agon_argue::{ArgId, Polarity};
/// use agon_argue::format::{DrawnEdge, DrawnNode, Drawing, mermaid};
///
/// let node = |name: &str, text: &str| DrawnNode { name: name.into(), text: text.into() };
/// let edge = DrawnEdge {
///     from: ArgId(1),
///     to: ArgId(0),
///     polarity: Polarity::Attack,
///     label: "warrant".into(),
/// };
/// let drawing = Drawing {
///     nodes: vec![node("claim", "use \"files\""), node("c1", "slow")],
///     edges: vec![edge],
/// };
/// assert_eq!(
///     mermaid::write(&drawing),
///     "flowchart BT\n    n0[\"use #quot;files#quot;\"]\n    n1[\"slow\"]\n    n1 --x|\"warrant\"| n0\n",
/// );
/// ```
pub fn write(drawing: &Drawing) -> String {
    let mut text = String::from("flowchart BT\n");
    for (at, node) in drawing.nodes.iter().enumerate() {
        // Writing to a string cannot fail.
        _ = writeln!(text, "    n{at}[\"{}\"]", escaped(&node.text));
    }
    for edge in &drawing.edges {
        let arrow = match edge.polarity {
            Polarity::Attack => "--x",
            Polarity::Support => "-->",
        };
        _ = write!(text, "    n{} {arrow}", edge.from.0);
        if !edge.label.is_empty() {
            _ = write!(text, "|\"{}\"|", escaped(&edge.label));
        }
        _ = writeln!(text, " n{}", edge.to.0);
    }
    text
}

fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' => safe.push_str("#quot;"),
            '<' => safe.push_str("#lt;"),
            '>' => safe.push_str("#gt;"),
            '&' => safe.push_str("#amp;"),
            '#' | ';' | '`' | '|' | '[' | ']' | '{' | '}' | '(' | ')' | '\\' | '%' => {
                _ = write!(safe, "#{};", c as u32);
            }
            c if c.is_control() || c == '\u{2028}' || c == '\u{2029}' => safe.push(' '),
            c => safe.push(c),
        }
    }
    // Empty boxes are no flowchart.
    if safe.trim().is_empty() {
        safe.push_str("#nbsp;");
    }
    safe
}
