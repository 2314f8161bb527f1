//! Weighted attacks and supports: `arg(a,0.5).`, `att(a,b).`, `sup(a,b).`
//!
//! This is the dialect of Uncertainpy. An edge may have a weight as its third term, which is an
//! extension by Agon and is written only if it is not 1. Arguments may be declared after the edges
//! that name them.

use std::fmt::Write as _;

use super::names::{Names, checked_name_lookup};
use super::statements::{Statements, is_special};
use super::{GraphWithNames, ReadError, WriteError};
use crate::{Edge, GraphError, Polarity, Qbaf};

/// Reads a graph; its arguments are in declaration order.
///
/// # Errors
///
/// If a statement has another form, a weight is not a number from 0 to 1, an edge names an
/// undeclared argument, or an argument is declared twice.
///
/// ```
/// use agon_argue::format::bag;
///
/// let read = bag::read("arg(claim, 0.5).\narg(reason, 0.8).\nsup(reason, claim).\n")?;
/// assert_eq!(read.graph.base_weights(), [0.5, 0.8]);
/// let error = bag::read("arg(claim, 0.5).\narg(reason, 1.8).").unwrap_err();
/// assert_eq!(error.to_string(), "line 2: a weight is a number from 0 to 1, not 1.8");
/// # Ok::<(), agon_argue::format::ReadError>(())
/// ```
pub fn read(text: &str) -> Result<GraphWithNames<Qbaf>, ReadError> {
    const WHAT: &str = "`arg(a,0.5)`, `att(a,b)` or `sup(a,b)`";
    let mut names = Names::default();
    let mut base = Vec::new();
    let mut named = Vec::new();
    let mut line = 1;
    for statement in Statements::new(text) {
        let statement = statement?;
        line = statement.line;
        let polarity = match statement.word {
            "arg" => None,
            "att" => Some(Polarity::Attack),
            "sup" => Some(Polarity::Support),
            _ => return Err(ReadError::expected(line, WHAT)),
        };
        match (polarity, statement.terms()) {
            (None, &[name, w]) => {
                names.declare(name, line)?;
                base.push(parse_weight(w, line)?);
            }
            (Some(polarity), &[from, to]) => named.push((line, from, to, polarity, 1.0)),
            (Some(polarity), &[from, to, w]) => {
                named.push((line, from, to, polarity, parse_weight(w, line)?));
            }
            _ => return Err(ReadError::expected(line, WHAT)),
        }
    }
    let mut edges = Vec::with_capacity(named.len());
    for (line, from, to, polarity, weight) in named {
        edges.push(Edge {
            from: names.find(from, line)?,
            to: names.find(to, line)?,
            polarity,
            weight,
        });
    }
    Ok(GraphWithNames {
        graph: Qbaf::new(base, &edges).map_err(|error| ReadError::invalid_graph(line, error))?,
        names: names.into_list(),
    })
}

pub(super) fn parse_weight(text: &str, line: usize) -> Result<f64, ReadError> {
    let weight = text.parse::<f64>();
    let found = weight.map_err(|_| ReadError::expected(line, "a number from 0 to 1"))?;
    if !(0.0..=1.0).contains(&found) {
        return Err(ReadError::invalid_graph(line, GraphError::Weight { found }));
    }
    Ok(found)
}

/// Writes a graph, with enough digits that every weight is read back exactly.
///
/// # Errors
///
/// If an argument has no name, or its name contains spaces, brackets, commas, `%` or `#`.
pub fn write(named: &GraphWithNames<Qbaf>) -> Result<String, WriteError> {
    let name = checked_name_lookup(&named.names, is_special);
    let mut text = String::new();
    for (a, base) in named.graph.base_weights().iter().enumerate() {
        // Writing to a string cannot fail.
        _ = writeln!(text, "arg({},{base}).", name(a)?);
    }
    for edge in named.graph.edges() {
        let word = match edge.polarity {
            Polarity::Attack => "att",
            Polarity::Support => "sup",
        };
        let (from, to) = (name(edge.from.index())?, name(edge.to.index())?);
        if edge.weight == 1.0 {
            _ = writeln!(text, "{word}({from},{to}).");
        } else {
            _ = writeln!(text, "{word}({from},{to},{}).", edge.weight);
        }
    }
    Ok(text)
}
