//! `agon completions`: what a shell needs to complete our flags.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::{Cli, Global};
use crate::edge::Surroundings;
use crate::error::{Exit, Failure};
use crate::output::Out;

/// Prints the completions for `shell`.
pub(crate) fn run(
    _edge: &Surroundings,
    global: &Global,
    shell: Shell,
    out: &mut Out,
) -> Result<Exit, Failure> {
    global.refuse_json("a script for a shell", "leave --json out")?;
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "agon", &mut script);
    out.write_stdout(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}
