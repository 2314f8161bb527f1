//! `agon skills`: how to do something well, written for a model.

mod import;

use crate::args::{Global, SkillsCommand};
use crate::edge::Surroundings;
use crate::error::{Exit, Failure};
use crate::output::Out;

/// Runs `agon skills`.
pub(crate) fn run(
    edge: &Surroundings,
    global: &Global,
    command: &SkillsCommand,
    out: &mut Out,
) -> Result<Exit, Failure> {
    match command {
        SkillsCommand::Import(args) => import::run(edge, global, args, out),
    }
}
