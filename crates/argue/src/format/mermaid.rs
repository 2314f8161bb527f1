//! A Mermaid flowchart, from the reasons at the bottom up to what they are about.

use std::fmt::Write as _;

use super::GraphWithNames;
use crate::{Polarity, Qbaf};

/// Draws a graph. Attacks end in a cross, supports in an arrow.
///
/// No name can break out of its box: what has a meaning to Mermaid or HTML is written as a
/// character code.
///
/// ```
/// use agon_argue::{ArgId, Edge, Qbaf};
/// use agon_argue::format::{GraphWithNames, mermaid};
///
/// let graph = Qbaf::new(vec![0.5; 2], &[Edge::attack(ArgId(1), ArgId(0))])?;
/// let named = GraphWithNames { graph, names: vec!["use \"files\"".into(), "slow".into()] };
/// assert_eq!(
///     mermaid::write(&named),
///     "flowchart BT\n    n0[\"use #quot;files#quot;\"]\n    n1[\"slow\"]\n    n1 --x n0\n",
/// );
/// # Ok::<(), agon_argue::GraphError>(())
/// ```
pub fn write(named: &GraphWithNames<Qbaf>) -> String {
    let mut text = String::from("flowchart BT\n");
    for (at, name) in named.names.iter().enumerate() {
        // Writing to a string cannot fail.
        _ = writeln!(text, "    n{at}[\"{}\"]", escape_name(name));
    }
    for edge in named.graph.edges() {
        let arrow = match edge.polarity {
            Polarity::Attack => "--x",
            Polarity::Support => "-->",
        };
        _ = writeln!(text, "    n{} {arrow} n{}", edge.from.0, edge.to.0);
    }
    text
}

fn escape_name(text: &str) -> String {
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
