//! Attacks between names: `arg(a).` for each argument, `att(a,b).` for each attack.
//!
//! Arguments may be declared after the attacks that name them.

use std::fmt::Write as _;

use super::names::{Names, checked_name_lookup};
use super::statements::{Statements, is_special};
use super::{GraphWithNames, ReadError, WriteError};
use crate::{Af, GraphError};

/// Reads a framework; its arguments are in declaration order.
///
/// # Errors
///
/// If a statement has another form, an attack names an undeclared argument, or an argument is
/// declared twice.
///
/// ```
/// use agon_argue::{ArgId, format::apx};
///
/// let read = apx::read("arg(rain). arg(sun).\natt(sun, rain).")?;
/// assert_eq!(read.names, ["rain", "sun"]);
/// assert_eq!(read.graph.attackers(ArgId(0)), [ArgId(1)]);
/// # Ok::<(), agon_argue::format::ReadError>(())
/// ```
pub fn read(text: &str) -> Result<GraphWithNames<Af>, ReadError> {
    let mut names = Names::default();
    let mut named = Vec::new();
    let mut line = 1;
    for statement in Statements::new(text) {
        let statement = statement?;
        line = statement.line;
        match (statement.word, statement.terms()) {
            ("arg", [name]) => names.declare(name, line)?,
            ("att", &[from, to]) => named.push((line, from, to)),
            _ => return Err(ReadError::expected(line, "`arg(a)` or `att(a,b)`")),
        }
    }
    let mut attacks = Vec::with_capacity(named.len());
    for (line, from, to) in named {
        attacks.push((names.find(from, line)?.0, names.find(to, line)?.0));
    }
    if attacks.len() >= u32::MAX as usize {
        return Err(ReadError::invalid_graph(line, GraphError::TooLarge));
    }
    Ok(GraphWithNames {
        graph: Af::from_valid_attacks(names.len(), &attacks),
        names: names.into_list(),
    })
}

/// Writes a framework.
///
/// # Errors
///
/// If an argument has no name, or its name contains spaces, brackets, commas, `%` or `#`.
pub fn write(named: &GraphWithNames<Af>) -> Result<String, WriteError> {
    let name = checked_name_lookup(&named.names, is_special);
    let mut text = String::new();
    for a in 0..named.graph.len() {
        // Writing to a string cannot fail.
        _ = writeln!(text, "arg({}).", name(a)?);
    }
    for (from, to) in named.graph.attacks() {
        _ = writeln!(text, "att({},{}).", name(from.index())?, name(to.index())?);
    }
    Ok(text)
}
