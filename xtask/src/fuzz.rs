//! `cargo xtask fuzz`: runs the targets of `fuzz/`, built for coverage with the stable toolchain.
//!
//! Only the workspace's own crates are instrumented. The dependencies are those already built for
//! the tests, so only the own crates are built again for fuzzing.

use std::env;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail, ensure};

use crate::workspace;

/// Compiler options for counting edges; libFuzzer uses these counters.
const COVERAGE: [&str; 6] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Ccodegen-units=1",
    // Without optimization, each input takes too long.
    "-Copt-level=1",
];

/// The variable that is set if cargo runs this program as a wrapper of the compiler.
const WRAPPER_VARIABLE: &str = "AGON_FUZZ_WRAPPER";

/// The features of the dependencies in the tests, used for the fuzz targets too.
const FEATURES: &str = "agon/png,agon/telemetry";

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The targets, such as `reply` or `claude` [default: all]
    targets: Vec<String>,

    /// Seconds for each target
    #[arg(long, default_value_t = 60)]
    seconds: u32,
}

/// Builds and runs the selected targets, until one of them crashes.
pub(crate) fn run(args: &Args) -> Result<bool> {
    let metadata = workspace::members()?;
    let root = metadata.workspace_root.into_std_path_buf();
    let fuzz = root.join("fuzz");
    let known = targets(&fuzz)?;
    let strange = |name: &&String| !known.contains(name);
    if let Some(name) = args.targets.iter().find(strange) {
        bail!("no such target: `{name}`; choose from {}", known.join(", "));
    }
    let wanted = match args.targets.is_empty() {
        true => known,
        false => args.targets.clone(),
    };
    let built = metadata.target_directory.into_std_path_buf().join("debug");
    build(&root, &wanted)?;
    for target in &wanted {
        println!("fuzz: {target} for {} s", args.seconds);
        if !run_target(&fuzz, &built, target, args.seconds)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn targets(fuzz: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(fuzz.join("fuzz_targets")).context("cannot read fuzz/")? {
        let path = entry?.path();
        names.extend(
            path.file_stem()
                .map(|stem| stem.to_string_lossy().into_owned()),
        );
    }
    names.sort();
    Ok(names)
}

fn build(root: &Path, targets: &[String]) -> Result<()> {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--workspace", "--locked", "--features", FEATURES]);
    for target in targets {
        cargo.args(["--bin", &program(target)]);
    }
    let status = cargo
        .current_dir(root)
        .env(WRAPPER_VARIABLE, "1")
        .env("RUSTC_WORKSPACE_WRAPPER", env::current_exe()?)
        .status()
        .context("cannot run cargo")?;
    ensure!(status.success(), "building the targets failed");
    Ok(())
}

fn program(target: &str) -> String {
    format!("fuzz-{target}")
}

/// Runs the compiler with the options for counting edges, if cargo started this program as its
/// wrapper for crates of the workspace.
pub(crate) fn run_as_compiler_wrapper() -> Option<ExitCode> {
    env::var_os(WRAPPER_VARIABLE)?;
    let mut words = env::args_os().skip(1);
    let compiler = words.next()?;
    let words: Vec<_> = words.collect();
    let mut named = words.iter().skip_while(|word| *word != "--crate-name");
    // `___` is not a crate: cargo uses the name to query the compiler.
    let compiles = named.nth(1).is_some_and(|name| name != "___");
    let status = Command::new(compiler)
        .args(words)
        .args(compiles.then_some(COVERAGE).into_iter().flatten())
        .status();
    Some(match status.map(|status| status.code()) {
        Ok(Some(0)) => ExitCode::SUCCESS,
        Ok(Some(_) | None) | Err(_) => ExitCode::FAILURE,
    })
}

/// Runs one target; new inputs go to `fuzz/corpus`, crashes to `fuzz/artifacts`.
fn run_target(fuzz: &Path, built: &Path, target: &str, seconds: u32) -> Result<bool> {
    let corpus = fuzz.join("corpus").join(target);
    let artifacts = fuzz.join("artifacts").join(target);
    std::fs::create_dir_all(&corpus)?;
    std::fs::create_dir_all(&artifacts)?;
    let program = built.join(program(target));
    let status = Command::new(program)
        .arg(&corpus)
        .arg(fuzz.join("seeds").join(target))
        .arg(format!("-artifact_prefix={}/", artifacts.display()))
        .args([
            format!("-max_total_time={seconds}"),
            "-timeout=10".to_owned(),
            "-max_len=65536".to_owned(),
            // Quiet: one line for each new input would bury the output of other checks.
            "-verbosity=0".to_owned(),
            "-print_final_stats=1".to_owned(),
        ])
        .status()
        .with_context(|| format!("cannot run {target}"))?;
    Ok(status.success())
}
