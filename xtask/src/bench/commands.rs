//! Measures commands that have nothing to wait for.

use anyhow::Result;
use cargo_metadata::Metadata;

use super::Figure;
use super::program::Program;

/// The commands, with their limits.
const COMMANDS: [(&[&str], &str); 5] = [
    (&["list"], "none"),
    (&["rules"], "none"),
    (&["skills", "match", "review this pull request"], "30 ms"),
    (&["skills", "list"], "30 ms"),
    (&["roster", "check"], "30 ms"),
];

pub(super) fn figures(metadata: &Metadata) -> Result<Vec<Figure>> {
    let program = Program::build(metadata, "commands")?;
    let figure = |(args, limit): (&[&str], &str)| {
        let took = program.median(args)?;
        Ok(took.figure(&format!("agon {}", args.join(" ")), limit))
    };
    COMMANDS.into_iter().map(figure).collect()
}
