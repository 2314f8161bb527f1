//! `cargo xtask fuzz`: the targets of `fuzz/`, built for coverage on the stable toolchain.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::workspace;

/// What makes the compiler count edges; libFuzzer steers by those counters.
const COVERAGE: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Ccodegen-units=1";

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The targets, such as `reply` or `claude`; without any, all of them
    targets: Vec<String>,

    /// Seconds for each target
    #[arg(long, default_value_t = 60)]
    seconds: u32,
}

/// Builds and runs the targets asked for, until one of them crashes.
pub(crate) fn run(args: &Args) -> Result<bool> {
    let root = workspace::members()?.workspace_root.into_std_path_buf();
    let fuzz = root.join("fuzz");
    let known = targets(&fuzz)?;
    let strange = |name: &&String| !known.contains(name);
    if let Some(name) = args.targets.iter().find(strange) {
        bail!(
            "no target is called `{name}`; there are {}",
            known.join(", ")
        );
    }
    let wanted = match args.targets.is_empty() {
        true => known,
        false => args.targets.clone(),
    };
    let built = root.join("target/fuzz");
    build(&fuzz, &built)?;
    for target in &wanted {
        println!("fuzz: {target} for {} s", args.seconds);
        if !fuzz_one(&fuzz, &built, target, args.seconds)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn targets(fuzz: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(fuzz.join("fuzz_targets")).context("there is no fuzz/")? {
        let path = entry?.path();
        names.extend(
            path.file_stem()
                .map(|stem| stem.to_string_lossy().into_owned()),
        );
    }
    names.sort();
    Ok(names)
}

fn build(fuzz: &Path, built: &Path) -> Result<()> {
    let status = Command::new("cargo")
        .args(["build", "--release", "--target", "x86_64-unknown-linux-gnu"])
        .current_dir(fuzz)
        .env("CARGO_TARGET_DIR", built)
        .env("RUSTC_BOOTSTRAP", "1")
        .env("RUSTFLAGS", COVERAGE)
        .status()
        .context("cannot run cargo")?;
    ensure!(status.success(), "the targets do not build");
    Ok(())
}

/// Runs one target; new inputs go to `fuzz/corpus`, crashes to `fuzz/artifacts`.
fn fuzz_one(fuzz: &Path, built: &Path, target: &str, seconds: u32) -> Result<bool> {
    let corpus = fuzz.join("corpus").join(target);
    let artifacts = fuzz.join("artifacts").join(target);
    std::fs::create_dir_all(&corpus)?;
    std::fs::create_dir_all(&artifacts)?;
    let program = built.join("x86_64-unknown-linux-gnu/release").join(target);
    let status = Command::new(program)
        .arg(&corpus)
        .arg(fuzz.join("seeds").join(target))
        .arg(format!("-artifact_prefix={}/", artifacts.display()))
        .args([
            format!("-max_total_time={seconds}"),
            "-timeout=10".to_owned(),
            "-max_len=65536".to_owned(),
            // A line for each new input would bury what the other checks say.
            "-verbosity=0".to_owned(),
            "-print_final_stats=1".to_owned(),
        ])
        .status()
        .with_context(|| format!("cannot run {target}"))?;
    Ok(status.success())
}
