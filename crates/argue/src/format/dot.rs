//! Writes a Graphviz digraph, with the reasons at the bottom and their targets above.

use std::fmt::Write as _;

use super::GraphWithNames;
use crate::{Polarity, Qbaf};

/// Draws a graph. Attacks are red and dashed and end in a bar; supports are green.
///
/// ```
/// use agon_argue::Qbaf;
/// use agon_argue::format::{GraphWithNames, dot};
///
/// let graph = Qbaf::new(vec![0.5], &[])?;
/// let named = GraphWithNames { graph, names: vec!["say \"no\"".into()] };
/// assert!(dot::write(&named).contains(r#""say \"no\"" [label="say \"no\""];"#));
/// # Ok::<(), agon_argue::GraphError>(())
/// ```
pub fn write(named: &GraphWithNames<Qbaf>) -> String {
    let mut text = String::from("digraph {\n    rankdir=BT;\n    node [shape=box];\n");
    let names: Vec<String> = named.names.iter().map(|name| escape_name(name)).collect();
    for name in &names {
        // Writing to a string cannot fail.
        _ = writeln!(text, "    \"{name}\" [label=\"{name}\"];");
    }
    let name = |at: usize| names.get(at).map_or("", String::as_str);
    for edge in named.graph.edges() {
        let style = match edge.polarity {
            Polarity::Attack => "color=red,style=dashed,arrowhead=tee",
            Polarity::Support => "color=darkgreen",
        };
        let (from, to) = (name(edge.from.index()), name(edge.to.index()));
        _ = writeln!(text, "    \"{from}\" -> \"{to}\" [{style}];");
    }
    text.push_str("}\n");
    text
}

fn escape_name(text: &str) -> String {
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
