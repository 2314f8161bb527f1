//! Checks and tasks of this workspace: `cargo xtask layers|cycles|tidy|words|changelog|plugins|pictures|test|hosts|bench|fuzz`.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for a terminal"
)]

mod bench;
mod changelog;
mod clis;
mod cycles;
mod files;
mod fuzz;
mod hosts;
mod layers;
mod model;
mod pictures;
mod source;
mod team;
mod test;
mod tidy;
mod words;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Checks and tasks of this workspace.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Check that the crates depend on each other only downwards, along the arrows of the design
    Layers,
    /// Find modules of one crate that use each other in a cycle
    Cycles,
    /// Check files, the sizes of crates, and dependencies
    Tidy,
    /// Check names, strings, help, comments and documents for plain English
    Words,
    /// Gather the entries of `changelog/` in CHANGELOG.md
    Changelog,
    /// Write `plugins/` again, from `content/`
    Plugins,
    /// Draw the pictures of the README again, from the debate of `agon demo`
    Pictures(pictures::Args),
    /// Install the real AI tools that the tests drive, then build and run the tests
    Test(test::Args),
    /// Hold a debate between real AI tools, from an empty home
    Hosts(hosts::Args),
    /// Test a team's store and rules with races, kills and random sequences
    Team(team::Args),
    /// Measure speed and size, each figure beside its limit
    Bench(bench::Args),
    /// Feed random input to the parsers of replies and of tools' output
    Fuzz(fuzz::Args),
    /// Measure the start of one program (used by `bench`, which is too large to measure itself)
    #[command(hide = true)]
    Probe(bench::ProbeArgs),
}

fn main() -> ExitCode {
    if let Some(code) = fuzz::wrapped() {
        return code;
    }
    let outcome = match Args::parse().task {
        Task::Layers => layers::run(),
        Task::Cycles => cycles::run(),
        Task::Tidy => tidy::run(),
        Task::Words => words::run(),
        Task::Changelog => changelog::run(),
        Task::Plugins => hosts::write_plugins(),
        Task::Pictures(args) => pictures::run(&args),
        Task::Test(args) => test::run(&args),
        Task::Hosts(args) => hosts::run(&args),
        Task::Team(args) => team::run(&args),
        Task::Bench(args) => bench::run(&args),
        Task::Fuzz(args) => fuzz::run(&args),
        Task::Probe(args) => bench::probe(&args),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Prints what a check found, one sentence a line, and returns whether it found nothing.
fn verdict(check: &str, violations: &[String]) -> bool {
    for violation in violations {
        eprintln!("{check}: {violation}");
    }
    if violations.is_empty() {
        println!("{check}: good");
    } else {
        eprintln!("{check}: {} to fix", violations.len());
    }
    violations.is_empty()
}
