//! Measures how fast `agon mcp` answers, and its peak memory until its tools are listed.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use cargo_metadata::Metadata;
use serde_json::Value;

use super::Figure;
use crate::workspace;

/// Odd, so that the median is one of them.
const RUNS: usize = 11;

// A host starts its servers before its window appears, so a user notices a longer time. Memory
// counts because each window has its own server.
/// Maximum time to the first answer, in milliseconds.
const MAX_MILLIS: f64 = 50.0;
/// Maximum memory, in megabytes.
const MAX_MEGABYTES: f64 = 20.0;

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"0"}}}"#;
const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
const LIST: &str = r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#;

/// Measures the server of the released `agon`, built with the built-in model.
pub(super) fn figures(metadata: &Metadata) -> Result<Vec<Figure>> {
    let mut build = workspace::cargo(metadata, &["build", "--release", "--quiet", "--locked"]);
    build.args(["-p", "agon", "--features", "local-model"]);
    workspace::stdout_of(build.stderr(Stdio::inherit()))?;
    let program = metadata.target_directory.join("release/agon");
    let home = metadata.target_directory.join("bench-mcp");
    fs::create_dir_all(&home).with_context(|| format!("cannot make {home}"))?;
    let starts: Vec<ServerStart> = (0..RUNS)
        .map(|_| start(program.as_std_path(), home.as_std_path()))
        .collect::<Result<_>>()?;
    Ok(figures_of(&starts))
}

/// One start of the server.
#[derive(Clone, Copy, Debug)]
struct ServerStart {
    /// Time until `initialize` was answered.
    first_answer: Duration,
    /// Peak memory until its tools were listed.
    peak_kib: u64,
}

fn start(program: &Path, home: &Path) -> Result<ServerStart> {
    let mut command = Command::new(program);
    command.arg("mcp").current_dir(home).env_clear();
    command.env("HOME", home).env("PATH", "/usr/bin:/bin");
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let began = Instant::now();
    let mut server = command
        .spawn()
        .with_context(|| format!("cannot start {}", program.display()))?;
    let measured = measure_until_listed(&mut server, began);
    // Close the server's input, which ends it.
    drop(server.stdin.take());
    let status = server.wait().context("cannot wait for the server")?;
    if !status.success() {
        bail!("the server ended with {status}");
    }
    measured
}

fn measure_until_listed(server: &mut Child, began: Instant) -> Result<ServerStart> {
    let id = server.id();
    let (Some(stdin), Some(stdout)) = (server.stdin.as_mut(), server.stdout.as_mut()) else {
        bail!("the server has no pipes");
    };
    let mut lines = BufReader::new(stdout).lines();
    let mut answer = |stdin: &mut dyn Write, messages: &[&str]| -> Result<Value> {
        for message in messages {
            writeln!(stdin, "{message}").context("the server does not read")?;
        }
        let line = lines.next().context("the server has ended")??;
        serde_json::from_str(&line).with_context(|| format!("no answer: {line}"))
    };
    let first = answer(stdin, &[INITIALIZE])?;
    let first_answer = began.elapsed();
    let listed = answer(stdin, &[INITIALIZED, LIST])?;
    let tools = listed["result"]["tools"].as_array().map_or(0, Vec::len);
    if first["result"]["serverInfo"]["name"] != "agon" || tools == 0 {
        bail!("the server answers {first} and lists {tools} tools");
    }
    let status = fs::read_to_string(format!("/proc/{id}/status")).context("no /proc")?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.and_then(|peak| peak.split_whitespace().next()?.parse().ok());
    Ok(ServerStart {
        first_answer,
        peak_kib: peak.context("the system does not report the peak memory")?,
    })
}

fn figures_of(starts: &[ServerStart]) -> Vec<Figure> {
    let mut answers: Vec<f64> = starts
        .iter()
        .map(|start| start.first_answer.as_secs_f64() * 1000.0)
        .collect();
    answers.sort_by(f64::total_cmp);
    let at = |nth: usize| answers.get(nth).copied().unwrap_or(f64::INFINITY);
    let peak = starts.iter().map(|start| start.peak_kib).max();
    let peak = peak.and_then(|peak| u32::try_from(peak).ok());
    vec![
        Figure {
            name: "agon mcp: first answer, median".to_owned(),
            value: at(answers.len() / 2),
            unit: "ms".to_owned(),
            note: format!(
                "limit {MAX_MILLIS} ms; of {} starts the slowest {:.2} ms",
                answers.len(),
                at(answers.len().saturating_sub(1))
            ),
        },
        Figure {
            name: "agon mcp: peak memory".to_owned(),
            value: peak.map_or(f64::INFINITY, |kib| f64::from(kib) * 1.024 / 1000.0),
            unit: "MB".to_owned(),
            note: format!("limit {MAX_MEGABYTES} MB, until its tools are listed"),
        },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_answer_and_the_highest_peak_are_told() {
        let starts =
            [(9, 10_000), (1, 20_000), (3, 15_000)].map(|(millis, peak_kib)| ServerStart {
                first_answer: Duration::from_millis(millis),
                peak_kib,
            });
        let figures = figures_of(&starts);
        assert_eq!((figures[0].value, figures[1].value), (3.0, 20.48));
    }

    #[test]
    fn a_program_that_says_nothing_is_not_measured() {
        let home = std::env::temp_dir();
        assert!(start(Path::new("/bin/true"), &home).is_err());
    }
}
