//! The Trivial Graph Format: a line for each argument, `#`, a line for each edge.
//!
//! The text after an argument's name is ignored. The two names of an edge may be followed by `att`
//! or `sup` (default: an attack), and then by a weight, which is an extension by Agon. The format
//! has no base weights: all are read as 0.5.

use std::fmt::Write as _;

use super::names::{Names, checked_name_lookup};
use super::{GraphWithNames, ReadError, WriteError, bag};
use crate::{Edge, Polarity, Qbaf};

/// Reads a graph; its arguments are in line order.
///
/// # Errors
///
/// If a line has another form, an edge names an undeclared argument, or an argument is declared
/// twice.
///
/// ```
/// use agon_argue::{ArgId, Edge, format::tgf};
///
/// let read = tgf::read("1\n2 it rains\n#\n1 2\n2 1 sup\n")?;
/// let edges: Vec<Edge> = read.graph.edges().collect();
/// assert_eq!(edges, [
///     Edge::support(ArgId(1), ArgId(0)),
///     Edge::attack(ArgId(0), ArgId(1)),
/// ]);
/// # Ok::<(), agon_argue::format::ReadError>(())
/// ```
pub fn read(text: &str) -> Result<GraphWithNames<Qbaf>, ReadError> {
    let mut names = Names::default();
    let mut edges = Vec::new();
    let mut after_names = false;
    let mut last = 1;
    for (at, line) in text.lines().enumerate() {
        last = at + 1;
        let mut words = line.split_whitespace();
        let Some(first) = words.next() else {
            continue;
        };
        if !after_names {
            if first == "#" {
                after_names = true;
            } else {
                names.declare(first, last)?;
            }
            continue;
        }
        let expected = |what| ReadError::expected(last, what);
        let to = words.next().ok_or_else(|| expected("two names"))?;
        let polarity = match words.next() {
            None | Some("att") => Polarity::Attack,
            Some("sup") => Polarity::Support,
            Some(_) => return Err(expected("`att` or `sup`")),
        };
        let weight = words
            .next()
            .map_or(Ok(1.0), |it| bag::parse_weight(it, last))?;
        if words.next().is_some() {
            return Err(expected("the end of the line"));
        }
        edges.push(Edge {
            from: names.find(first, last)?,
            to: names.find(to, last)?,
            polarity,
            weight,
        });
    }
    let graph = Qbaf::new(vec![0.5; names.len()], &edges);
    Ok(GraphWithNames {
        graph: graph.map_err(|error| ReadError::invalid_graph(last, error))?,
        names: names.into_list(),
    })
}

/// Writes a graph without its base weights.
///
/// # Errors
///
/// If an argument has no name, or its name starts with `#` or contains spaces.
pub fn write(named: &GraphWithNames<Qbaf>) -> Result<String, WriteError> {
    let name = checked_name_lookup(&named.names, char::is_whitespace);
    let mut text = String::new();
    for a in 0..named.graph.len() {
        // Writing to a string cannot fail.
        _ = writeln!(text, "{}", name(a)?);
    }
    text.push_str("#\n");
    for edge in named.graph.edges() {
        let word = match edge.polarity {
            Polarity::Attack => "att",
            Polarity::Support => "sup",
        };
        let (from, to) = (name(edge.from.index())?, name(edge.to.index())?);
        _ = write!(text, "{from} {to} {word}");
        if edge.weight != 1.0 {
            _ = write!(text, " {}", edge.weight);
        }
        text.push('\n');
    }
    Ok(text)
}
