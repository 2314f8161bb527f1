//! Compares the built-in model with a llama.cpp server, on the same file and the same turn.
//!
//! Environment variables name the model file and a Python with `xllamacpp`. Without the file
//! nothing is measured; without the Python only Agon's figures appear.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use cargo_metadata::Metadata;
use serde::Deserialize;

use super::Figure;
use crate::workspace;

/// Names the model file.
const MODEL: &str = "AGON_BENCH_MODEL";

/// Names a Python with `xllamacpp` installed.
const PYTHON: &str = "AGON_BENCH_XLLAMACPP";

/// Number of alternating measurements of each; the best counts.
const ROUNDS: usize = 3;

const SERVER: &str = include_str!("local/server.py");

/// The result of one turn.
#[derive(Clone, Copy, Debug, Deserialize)]
struct Turn {
    load_s: f64,
    prompt_tokens: f64,
    prompt_per_s: f64,
    answer_tokens: f64,
    answer_per_s: f64,
    turn_s: f64,
    whole: bool,
    peak_mb: f64,
}

pub(super) fn figures(metadata: &Metadata) -> Result<Vec<Figure>> {
    let Some(model) = env::var_os(MODEL).map(PathBuf::from) else {
        eprintln!("skipped: {MODEL} names no file (agon model path prints one)");
        return Ok(vec![figure(
            "local",
            0.0,
            "runs",
            format!("skipped: {MODEL} is not set"),
        )]);
    };
    let build = [
        "build",
        "--release",
        "--quiet",
        "--locked",
        "-p",
        "agon-local",
        "--example",
        "bench_local",
    ];
    workspace::stdout_of(workspace::cargo(metadata, &build).stderr(Stdio::inherit()))?;
    let target = metadata.target_directory.clone().into_std_path_buf();
    let place = target.join("bench-local");
    fs::create_dir_all(&place)?;
    let requests = place.join("requests.json");
    let script = place.join("server.py");
    fs::write(&script, SERVER)?;
    let ours = target.join("release/examples/bench_local");
    let python = env::var_os(PYTHON).map(PathBuf::from);
    if python.is_none() {
        eprintln!("skipped: the server of llama.cpp, {PYTHON} names no Python with xllamacpp");
    }
    let (mut own, mut others) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        own.push(turn(Command::new(&ours).arg(&model).arg(&requests))?);
        if let Some(python) = &python {
            others.push(measure_llama_turn(python, &script, &model, &requests)?);
        }
    }
    Ok(table(
        &best(&own),
        others.first().map(|_| best(&others)).as_ref(),
    ))
}

fn measure_llama_turn(python: &Path, script: &Path, model: &Path, requests: &Path) -> Result<Turn> {
    turn(Command::new(python).arg(script).arg(model).arg(requests))
}

fn turn(command: &mut Command) -> Result<Turn> {
    let printed = workspace::stdout_of(command.stderr(Stdio::null()))?;
    let last = printed.lines().next_back().unwrap_or_default();
    serde_json::from_str(last).with_context(|| format!("not the result of a turn: {last}"))
}

/// The best of several turns, separately for each figure.
fn best(turns: &[Turn]) -> Turn {
    let pick = |get: fn(&Turn) -> f64, choose: fn(f64, f64) -> f64| {
        turns.iter().map(get).reduce(choose).unwrap_or(f64::NAN)
    };
    Turn {
        load_s: pick(|turn| turn.load_s, f64::min),
        prompt_tokens: pick(|turn| turn.prompt_tokens, f64::max),
        prompt_per_s: pick(|turn| turn.prompt_per_s, f64::max),
        answer_tokens: pick(|turn| turn.answer_tokens, f64::max),
        answer_per_s: pick(|turn| turn.answer_per_s, f64::max),
        turn_s: pick(|turn| turn.turn_s, f64::min),
        whole: turns.iter().all(|turn| turn.whole),
        peak_mb: pick(|turn| turn.peak_mb, f64::min),
    }
}

fn table(own: &Turn, other: Option<&Turn>) -> Vec<Figure> {
    let row = |name: &str, unit: &str, get: fn(&Turn) -> f64| {
        let note = other.map_or_else(String::new, |other| {
            let (own, other) = (get(own), get(other));
            format!("llama.cpp {other:.2}, ratio {:.2}", own / other)
        });
        figure(name, get(own), unit, note)
    };
    let mut rows = vec![
        row("local load", "s", |turn| turn.load_s),
        row("local prompt", "tokens/s", |turn| turn.prompt_per_s),
        row("local answer", "tokens/s", |turn| turn.answer_per_s),
        row("local turn", "s", |turn| turn.turn_s),
        row("local prompt size", "tokens", |turn| turn.prompt_tokens),
        row("local answer size", "tokens", |turn| turn.answer_tokens),
        row("local peak memory", "MB", |turn| turn.peak_mb),
    ];
    if !own.whole {
        rows.push(figure(
            "local cut answers",
            1.0,
            "",
            "an answer did not finish".to_owned(),
        ));
    }
    rows
}

fn figure(name: &str, value: f64, unit: &str, note: String) -> Figure {
    Figure {
        name: name.to_owned(),
        value,
        unit: unit.to_owned(),
        note,
    }
}
