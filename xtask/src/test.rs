//! `cargo xtask test`: installs the real AI tools, then runs the tests; `--full` runs every case.

use std::{process::Command, time::Instant};

use anyhow::{Context, Result, bail};
use cargo_metadata::Metadata;

use crate::{clis::Programs, model, workspace};

/// The package with the features that tests need.
const PROGRAM: &str = "agon";

/// A feature for killing the program at every step, and all features of a released build.
const FEATURES: [&str; 2] = ["failpoints", "full"];

/// The module of tests that a build without features must pass too.
const PLAIN_TESTS: &str = "features::";

/// The modules of tests that only a full run includes; `.config/nextest.toml` names them too.
const FULL_TESTS: &str = "full::";

/// The crates with a side for systems other than Linux; their tests run on that side, too.
const PORTABLE: [&str; 2] = ["agon-proc", "agon-files"];

/// Builds that side on Linux, with the C library, which other systems have.
const PORTABLE_FLAGS: &str = "--cfg agon_portable --cfg rustix_use_libc";

/// Makes every test run all its cases instead of a sample (`agon_testkit::is_full`).
pub(crate) const FULL_VARIABLE: &str = "AGON_TEST_FULL";

/// Names the variable that limits a full run to one part of each test's cases.
pub(crate) const PART_VARIABLE: &str = "AGON_TEST_PART";

/// Tells tests the folder of the small model.
const MODELS_VARIABLE: &str = "AGON_TEST_MODELS";

/// Seeds the generated cases of proptest and the samples of long tests, so that results are
/// reproducible. Use another number for other cases: `PROPTEST_RNG_SEED=$RANDOM cargo xtask test`.
const SEED_VARIABLE: &str = "PROPTEST_RNG_SEED";

/// An arbitrary number.
const SEED: &str = "20261123";

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Run every case of every test, not only a sample of long ones, and the tests of a build
    /// without features: takes hours on a small machine
    #[arg(long)]
    full: bool,
    /// Leave out the tests that drive the real AI tools
    #[arg(long)]
    no_clis: bool,
    /// Arguments for the test runner: names of tests, or its options
    #[arg(last = true)]
    filter: Vec<String>,
}

/// Runs the tests, those in documentation first, so that the summary of all others is last.
pub(crate) fn run(args: &Args) -> Result<bool> {
    let metadata = workspace::members()?;
    let programs = if args.no_clis {
        Programs::skip_all("because of --no-clis")
    } else {
        run_stage("programs from npm", || Programs::prepare(&metadata))?
    };
    let has_nextest = has_nextest(&metadata);
    let head = runner(has_nextest, args.full);
    // Build tests and program together. Separate builds would compile half of the code twice.
    let mut build = command(&metadata, &head, &programs);
    build.arg("--no-run");
    if !run_stage("build", || succeeds(&mut build))? {
        bail!("building the tests failed");
    }
    let models = run_stage("small model", || model::prepare(&metadata))?;
    let mut failed = Vec::new();
    // With a filter, skip documentation tests: their runner does not understand nextest's syntax.
    if args.filter.is_empty() {
        let mut documentation = command(&metadata, &["test", "--doc", "--quiet"], &programs);
        if !run_stage("documentation tests", || succeeds(&mut documentation))? {
            failed.push("documentation tests");
        }
    }
    let mut tests = command(&metadata, &head, &programs);
    match &models {
        Some(folder) => tests.env(MODELS_VARIABLE, folder),
        None => tests.env_remove(MODELS_VARIABLE),
    };
    if args.full {
        tests.env(FULL_VARIABLE, "1");
    }
    tests.args(&args.filter);
    if !has_nextest && !args.full {
        if !args.filter.iter().any(|word| word == "--") {
            tests.arg("--");
        }
        skip_full_tests(&mut tests);
    }
    if !run_stage("tests", || succeeds(&mut tests))? {
        failed.push("tests");
    }
    if args.filter.is_empty() {
        let mut portable = portable_command(&metadata, has_nextest);
        if !run_stage("tests of the side for other systems", || {
            succeeds(&mut portable)
        })? {
            failed.push("tests of the side for other systems");
        }
    }
    // Last, because it replaces the program that all other tests start.
    if args.full && args.filter.is_empty() {
        let mut plain = plain_build_command(&metadata, has_nextest, &programs);
        if !run_stage("tests of a plain build", || succeeds(&mut plain))? {
            failed.push("tests of a plain build");
        }
    }
    for line in programs.skipped() {
        println!("{line}");
    }
    if models.is_none() {
        println!("skipped: the tests on the small model, which could not be fetched");
    }
    if !args.full {
        println!(
            "long tests ran a sample of their cases; `cargo xtask test --full` runs all of them"
        );
    }
    // List the failed stages at the end, because their output has scrolled away.
    if !failed.is_empty() {
        println!("failed: {}", failed.join(", "));
    }
    Ok(failed.is_empty())
}

fn has_nextest(metadata: &Metadata) -> bool {
    let version = workspace::stdout_of(&mut workspace::cargo(metadata, &["nextest", "--version"]));
    if version.is_err() {
        println!("cargo-nextest is not installed: `cargo test` runs the tests, more slowly");
    }
    version.is_ok()
}

/// The command that builds and runs the tests. Examples are not included: `cargo xtask bench`
/// builds those it runs, and clippy checks all of them.
fn runner(has_nextest: bool, is_full: bool) -> Vec<&'static str> {
    match (has_nextest, is_full) {
        (true, false) => vec!["nextest", "run", "--tests"],
        // The profile `full` allows tests that take hours.
        (true, true) => vec!["nextest", "run", "--tests", "--profile", "full"],
        (false, _) => vec!["test", "--tests", "--no-fail-fast"],
    }
}

/// Makes the standard test runner skip tests of full runs only; nextest does so by itself.
pub(crate) fn skip_full_tests(tests: &mut Command) {
    tests.args(["--skip", FULL_TESTS]);
}

/// Uses the same packages and features for every command, so that everything is built once.
pub(crate) fn command(metadata: &Metadata, head: &[&str], programs: &Programs) -> Command {
    let mut command = command_without_features(metadata, head, programs);
    for feature in FEATURES {
        command.args(["--features", &format!("{PROGRAM}/{feature}")]);
    }
    command
}

/// The tests of a build without features, with the same packages, so that only the workspace's own
/// crates are built again. The fake tools come from the previous build.
fn plain_build_command(metadata: &Metadata, has_nextest: bool, programs: &Programs) -> Command {
    let head: &[&str] = if has_nextest {
        &["nextest", "run"]
    } else {
        &["test"]
    };
    let mut command = command_without_features(metadata, head, programs);
    command.args(["--test", "suite", "--", PLAIN_TESTS]);
    command
}

/// The tests of the crates with a side for other systems, built for that side. It has a folder of
/// its own, because other flags would build everything again.
fn portable_command(metadata: &Metadata, has_nextest: bool) -> Command {
    let head: &[&str] = if has_nextest {
        &["nextest", "run"]
    } else {
        &["test", "--tests"]
    };
    let mut command = workspace::cargo(metadata, head);
    for package in PORTABLE {
        command.args(["--package", package]);
    }
    command.args(["--locked", "--target-dir"]);
    command.arg(metadata.target_directory.join("other-systems"));
    command.env("RUSTFLAGS", PORTABLE_FLAGS);
    command
}

fn command_without_features(metadata: &Metadata, head: &[&str], programs: &Programs) -> Command {
    let mut command = workspace::cargo(metadata, head);
    command.args(["--workspace", "--locked"]);
    if std::env::var_os(SEED_VARIABLE).is_none() {
        command.env(SEED_VARIABLE, SEED);
    }
    programs.set_variables(&mut command);
    command
}

fn succeeds(command: &mut Command) -> Result<bool> {
    let status = command
        .status()
        .with_context(|| format!("cannot run {command:?}"))?;
    Ok(status.success())
}

/// Runs one stage, prints its name before and its minutes after.
fn run_stage<T>(name: &str, run: impl FnOnce() -> Result<T>) -> Result<T> {
    println!("── {name}");
    let start = Instant::now();
    let outcome = run()?;
    println!("── {name}: {:.1} min", start.elapsed().as_secs_f64() / 60.0);
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::clis::Clis;

    fn arguments(command: &Command) -> Vec<&str> {
        command.get_args().map(|it| it.to_str().unwrap()).collect()
    }

    /// The folders that the command tells the tests for the tools and the protocol clients.
    fn variables(command: &Command) -> [Option<Option<String>>; 2] {
        ["AGON_TEST_CLIS", "AGON_TEST_PROTOCOL"].map(|wanted| {
            let mut all = command.get_envs();
            let (_, value) = all.find(|(name, _)| *name == wanted)?;
            Some(value.map(|it| it.to_string_lossy().into_owned()))
        })
    }

    #[test]
    fn tests_learn_where_programs_are_only_when_they_are_there() {
        let metadata = workspace::members().unwrap();
        let ready = Programs {
            tools: Clis::Ready(PathBuf::from("target/clis")),
            protocol: Clis::Ready(PathBuf::from("target/protocol")),
        };
        let told = ["target/clis", "target/protocol"].map(|folder| Some(Some(folder.to_owned())));
        assert_eq!(variables(&command(&metadata, &["test"], &ready)), told);
        assert_eq!(ready.skipped(), Vec::<String>::new());
        let skipped = Programs::skip_all("why");
        assert_eq!(
            variables(&command(&metadata, &["test"], &skipped)),
            [Some(None), Some(None)]
        );
        assert_eq!(
            skipped.skipped(),
            [
                "skipped: the tests on real tools, why",
                "skipped: the tests on clients of the protocol, why"
            ]
        );
    }

    #[test]
    fn every_command_builds_the_whole_locked_workspace() {
        let metadata = workspace::members().unwrap();
        let skipped = Programs::skip_all("why");
        for head in [vec!["test", "--doc"], runner(true, false)] {
            let command = command(&metadata, &head, &skipped);
            let expected = [
                &head[..],
                &["--workspace", "--locked"],
                &["--features", "agon/failpoints", "--features", "agon/full"],
            ];
            assert_eq!(arguments(&command), expected.concat());
        }
    }

    #[test]
    fn the_plain_build_is_the_same_workspace_without_a_feature() {
        let metadata = workspace::members().unwrap();
        let skipped = Programs::skip_all("why");
        let plain = [
            "--workspace",
            "--locked",
            "--test",
            "suite",
            "--",
            "features::",
        ];
        for (has_nextest, head) in [(true, &["nextest", "run"][..]), (false, &["test"])] {
            let command = super::plain_build_command(&metadata, has_nextest, &skipped);
            assert_eq!(arguments(&command), [head, &plain].concat());
        }
    }

    #[test]
    fn the_side_for_other_systems_is_built_apart() {
        let metadata = workspace::members().unwrap();
        let command = portable_command(&metadata, true);
        let folder = metadata.target_directory.join("other-systems");
        let expected = [
            "nextest",
            "run",
            "--package",
            "agon-proc",
            "--package",
            "agon-files",
            "--locked",
            "--target-dir",
            folder.as_str(),
        ];
        assert_eq!(arguments(&command), expected);
        let flags = command.get_envs().find(|(name, _)| *name == "RUSTFLAGS");
        assert_eq!(
            flags.and_then(|(_, value)| value),
            Some(PORTABLE_FLAGS.as_ref())
        );
    }

    #[test]
    fn nextest_leaves_out_the_same_tests() {
        let settings = include_str!("../../.config/nextest.toml");
        let filter = format!("not test(/(^|::){FULL_TESTS}/)");
        assert!(settings.contains(&filter), "{settings}");
    }

    #[test]
    fn a_full_run_has_limits_for_long_tests() {
        assert_eq!(runner(true, false), ["nextest", "run", "--tests"]);
        let full = ["nextest", "run", "--tests", "--profile", "full"];
        assert_eq!(runner(true, true), full);
        assert_eq!(runner(false, true), ["test", "--tests", "--no-fail-fast"]);
    }
}
