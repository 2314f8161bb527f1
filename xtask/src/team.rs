//! `cargo xtask team`: what a team's store and rules are held to, at length.

use anyhow::{Context, Result};

use crate::workspace;

/// What the tests take from the environment, each with what a full run gives it.
const FULL: [(&str, &str); 4] = [
    // Random sequences of requests by four members.
    ("AGON_TEAM_SEQUENCES", "100000"),
    // Runs of each race of eight processes for 400 tasks.
    ("AGON_TEAM_RACES", "20"),
    // A process is killed at every statement of every request.
    ("AGON_TEAM_CRASHES", "1"),
    // Every kind of healthy member is watched a hundred times.
    ("AGON_TEAM_FULL", "1"),
];

#[derive(clap::Args)]
pub(crate) struct Args {
    /// 100,000 sequences, 20 runs of each race, a kill at every statement (about half an hour)
    #[arg(long)]
    full: bool,
}

/// Runs the tests of the team's crate, with the figures of its races.
pub(crate) fn run(args: &Args) -> Result<bool> {
    let metadata = workspace::members()?;
    let mut tests = workspace::cargo(&metadata, &["test", "-p", "agon-team", "--test", "suite"]);
    if args.full {
        tests.envs(FULL);
    }
    tests.args(["--", "--nocapture", "--test-threads=1"]);
    let status = tests
        .status()
        .with_context(|| format!("cannot run {tests:?}"))?;
    Ok(status.success())
}
