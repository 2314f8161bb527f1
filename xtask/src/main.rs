//! Checks and tasks of this workspace: `cargo xtask
//! layers|cycles|tidy|words|changelog|package|plugins|pictures|test|hosts|bench|size|fuzz`.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "this program prints to a terminal"
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
mod package;
mod pictures;
mod size;
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
    /// Check that crates depend only on crates of lower rows
    Layers,
    /// Find modules of one crate that use each other in a cycle
    Cycles,
    /// Check files, crate sizes and dependencies
    Tidy,
    /// Check names, strings, help, comments and documents for plain English
    Words,
    /// Move the entries of `changelog/` into CHANGELOG.md
    Changelog,
    /// Write the packages of a release: archive, Debian package, npm packages, wheel
    Package(package::Args),
    /// Generate `plugins/` from `content/`
    Plugins,
    /// Generate the pictures of the README from the debate of `agon demo`
    Pictures(pictures::Args),
    /// Install the real AI tools that the tests drive, then build and run the tests
    Test(test::Args),
    /// Let real AI tools run a debate through Agon, from an empty home
    Hosts(hosts::Args),
    /// Test a team's store and rules at length: races, kills, random sequences
    Team(team::Args),
    /// Run benchmarks and print each figure with its floor or limit
    Bench(bench::Args),
    /// Measure the size of the packaged program, with its limit
    Size(size::Args),
    /// Fuzz the parsers of tool output and replies
    Fuzz(fuzz::Args),
    /// Measure the start of one program (used by `bench`, which is too large to measure from)
    #[command(hide = true)]
    Probe(bench::ProbeArgs),
}

fn main() -> ExitCode {
    if let Some(code) = fuzz::run_as_compiler_wrapper() {
        return code;
    }
    let outcome = match Args::parse().task {
        Task::Layers => layers::run(),
        Task::Cycles => cycles::run(),
        Task::Tidy => tidy::run(),
        Task::Words => words::run(),
        Task::Changelog => changelog::run(),
        Task::Package(args) => package::run(&args),
        Task::Plugins => hosts::write_plugins(),
        Task::Pictures(args) => pictures::run(&args),
        Task::Test(args) => test::run(&args),
        Task::Hosts(args) => hosts::run(&args),
        Task::Team(args) => team::run(&args),
        Task::Bench(args) => bench::run(&args),
        Task::Size(args) => size::run(&args),
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

/// Prints the violations found by a check, one per line, and returns whether there were none.
fn print_violations(check: &str, violations: &[String]) -> bool {
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
