//! `cargo xtask team`: tests a team's store, rules and commands at length.

use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::{
    clis::{self, Programs},
    test, workspace,
};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Run 100,000 sequences, 20 runs of each race, a kill at every statement, 100 of each healthy
    /// kind
    #[arg(long)]
    full: bool,

    /// Run one part of the cases of each long test, such as 1/3 (all parts take over three hours)
    #[arg(long, value_name = "I/N", requires = "full", value_parser = parse_part)]
    part: Option<String>,
}

fn parse_part(part: &str) -> Result<String> {
    let numbers = part.split_once('/').context("write it as I/N")?;
    let (nth, count): (usize, usize) = (numbers.0.parse()?, numbers.1.parse()?);
    ensure!((1..=count).contains(&nth), "I is from 1 to N");
    Ok(part.to_owned())
}

/// Runs the tests of the team's crate, with the figures of its races, and the tests of its
/// commands.
pub(crate) fn run(args: &Args) -> Result<bool> {
    let metadata = workspace::members()?;
    let store = workspace::cargo(&metadata, &["test", "-p", "agon-team", "--test", "suite"]);
    let programs = Programs::with_tools_only(clis::prepare_tools(&metadata)?);
    let mut commands = test::command(&metadata, &["test", "--test", "suite"], &programs);
    commands.args(["--", "team::"]);
    let mut passed = true;
    // Run the second even if the first fails: both take long and print figures.
    for (mut tests, end) in [(store, &["--"][..]), (commands, &[])] {
        if args.full {
            tests.env(test::FULL_VARIABLE, "1");
            tests.envs(args.part.as_ref().map(|part| (test::PART_VARIABLE, part)));
        }
        // One test at a time: each measures a single run, and all share the system's limits.
        tests.args(end).args(["--nocapture", "--test-threads=1"]);
        if !args.full {
            test::skip_full_tests(&mut tests);
        }
        passed &= succeeds(&mut tests)?;
    }
    Ok(passed)
}

fn succeeds(tests: &mut Command) -> Result<bool> {
    let status = tests
        .status()
        .with_context(|| format!("cannot run {tests:?}"))?;
    Ok(status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_one_of_all() {
        assert_eq!(parse_part("3/3").unwrap(), "3/3");
        for wrong in ["3", "0/3", "4/3", "a/3"] {
            assert!(parse_part(wrong).is_err(), "{wrong}");
        }
    }
}
