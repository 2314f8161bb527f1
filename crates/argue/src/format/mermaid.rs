//! Writes a Mermaid flowchart, with the reasons at the bottom and their targets above.

use std::fmt::Write as _;

use super::{GraphWithNames, LeftOut, draw_bounded};
use crate::{Edge, Polarity, Qbaf};

/// Draws a graph. Attacks end in a cross, supports in an arrow.
///
/// Names are escaped: characters with a meaning in Mermaid or HTML are written as character codes.
/// If a graph is too large for a diagram, only the nodes with the most edges are drawn, and a box
/// says how many are missing.
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
    let edges = named.graph.edges();
    let edges: Vec<_> = edges
        .map(|edge| (edge.from.index(), edge.to.index()))
        .collect();
    draw_bounded(named.names.len(), &edges, |shown, left_out| {
        write_shown(named, shown, left_out)
    })
}

fn write_shown(named: &GraphWithNames<Qbaf>, shown: &[bool], left_out: LeftOut) -> String {
    let mut text = String::from("flowchart BT\n");
    if let Some(sentence) = left_out.sentence() {
        _ = writeln!(text, "    rest[\"{}\"]", escape_name(&sentence));
    }
    let names = named.names.iter().enumerate();
    for (at, name) in names.filter(|&(at, _)| shown[at]) {
        // Writing to a string cannot fail.
        _ = writeln!(text, "    n{at}[\"{}\"]", escape_name(name));
    }
    let is_shown = |edge: &Edge| shown[edge.from.index()] && shown[edge.to.index()];
    for edge in named.graph.edges().filter(is_shown) {
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
    // Mermaid rejects an empty box, so add a space.
    if safe.trim().is_empty() {
        safe.push_str("#nbsp;");
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::super::{MAX_EDGES, MAX_TEXT};
    use super::*;
    use crate::ArgId;

    fn wheel(len: u32, spokes: u32, name: &str) -> GraphWithNames<Qbaf> {
        let edges = (0..len).flat_map(|at| {
            let to = (1..=spokes).map(move |step| (at + step) % len);
            to.map(move |to| Edge::attack(ArgId(at), ArgId(to)))
        });
        let edges: Vec<_> = edges.collect();
        GraphWithNames {
            graph: Qbaf::new(vec![0.5; len as usize], &edges).unwrap(),
            names: (0..len).map(|at| format!("{name}{at}")).collect(),
        }
    }

    fn edges_and_chars(text: &str) -> (usize, usize) {
        let edges = text.lines().filter(|line| line.contains(" --x "));
        (edges.count(), text.encode_utf16().count())
    }

    #[test]
    fn a_graph_within_the_limits_is_drawn_whole() {
        let text = write(&wheel(100, 4, "a"));
        assert_eq!(edges_and_chars(&text).0, 400);
        assert!(!text.contains("left out"));
    }

    #[test]
    fn more_edges_characters_or_nodes_than_mermaid_draws_are_left_out_and_counted() {
        for named in [
            wheel(100, 5, "a"),
            wheel(400, 1, &"long name ".repeat(20)),
            wheel(20_000, 2, "a"),
            wheel(60, 59, "all on all"),
            wheel(2, 1, &"x".repeat(60_000)),
        ] {
            let text = write(&named);
            let (edges, chars) = edges_and_chars(&text);
            assert!(edges <= MAX_EDGES && chars <= MAX_TEXT, "{edges} {chars}");
            let left_out = named.graph.edge_count() - edges;
            assert!(text.contains(&format!("and {left_out} edges left out")));
        }
    }
}
