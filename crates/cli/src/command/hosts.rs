//! `agon hosts`: Agon in other AI tools.

mod lint;

use crate::args::{Global, HostsCommand};
use crate::edge::Surroundings;
use crate::error::{Exit, Failure};
use crate::output::Out;

/// Runs `agon hosts`.
pub(crate) fn run(
    edge: &Surroundings,
    global: &Global,
    command: &HostsCommand,
    out: &mut Out,
) -> Result<Exit, Failure> {
    match command {
        HostsCommand::Lint(args) => lint::run(edge, global, args, out),
    }
}
