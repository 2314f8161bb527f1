//! Measures the start-up time and the peak memory of a program.

use std::{
    env,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use cargo_metadata::Metadata;
use serde::{Deserialize, Serialize};
use wait4::Wait4;

use super::Figure;
use crate::workspace;

/// The minimum cost of a process on this machine.
const FLOOR: &str = "/bin/true";
const RUNS: usize = 50;

#[derive(clap::Args)]
pub(crate) struct ProbeArgs {
    /// The program and its arguments
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    command: Vec<String>,
}

/// The cost of a program, with [`FLOOR`] measured alternately.
#[derive(Debug, Serialize, Deserialize)]
struct Cost {
    millis: f64,
    megabytes: f64,
    floor_millis: f64,
    floor_megabytes: f64,
}

/// Measures the start of the released `agon`.
///
/// The kernel counts a parent's memory as a child's peak until the exec, so a fresh, small process
/// starts the program: [`probe`].
pub(super) fn figures(metadata: &Metadata) -> Result<Vec<Figure>> {
    let build = ["build", "--release", "--quiet", "--locked", "-p", "agon"];
    workspace::stdout_of(workspace::cargo(metadata, &build).stderr(Stdio::inherit()))?;
    let program = metadata.target_directory.join("release/agon");
    let mut probe = Command::new(env::current_exe().context("cannot find this program")?);
    probe.args(["probe", program.as_str(), "--version"]);
    let cost: Cost = serde_json::from_str(&workspace::stdout_of(&mut probe)?)
        .context("the probe printed no cost")?;
    Ok(cost.figures())
}

impl Cost {
    fn figures(&self) -> Vec<Figure> {
        let figure = |name: &str, value, unit: &str, note| Figure {
            name: format!("agon --version: {name}"),
            value,
            unit: unit.to_owned(),
            note,
        };
        vec![
            figure(
                "wall, median",
                self.millis,
                "ms",
                format!("limit 5 ms; {FLOOR} {:.2} ms", self.floor_millis),
            ),
            figure(
                "wall against the floor",
                self.millis / self.floor_millis,
                "×",
                format!("{FLOOR} in turns with it, {RUNS} starts each"),
            ),
            figure(
                "peak memory",
                self.megabytes,
                "MB",
                format!("limit 15 MB; {FLOOR} {:.2} MB", self.floor_megabytes),
            ),
        ]
    }
}

/// Measures one program and prints its cost as JSON.
pub(crate) fn probe(args: &ProbeArgs) -> Result<bool> {
    println!("{}", serde_json::to_string(&measure(&args.command)?)?);
    Ok(true)
}

fn measure(command: &[String]) -> Result<Cost> {
    let floor = [FLOOR.to_owned()];
    let (mut starts, mut floors) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        floors.push(start(&floor)?);
        starts.push(start(command)?);
    }
    Ok(Cost {
        millis: median_millis(&starts),
        megabytes: peak_megabytes(&starts),
        floor_millis: median_millis(&floors),
        floor_megabytes: peak_megabytes(&floors),
    })
}

/// The wall time and the peak memory in bytes of one run.
type Start = (Duration, u64);

fn start(command: &[String]) -> Result<Start> {
    let Some((program, args)) = command.split_first() else {
        bail!("no program given")
    };
    let began = Instant::now();
    let child = Command::new(program)
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .with_context(|| format!("cannot start {program}"))?;
    let used = child
        .wait4()
        .with_context(|| format!("cannot wait for {program}"))?;
    let took = began.elapsed();
    if !used.status.success() {
        bail!("{program} failed with {}", used.status);
    }
    Ok((took, used.rusage.maxrss))
}

fn median_millis(starts: &[Start]) -> f64 {
    let mut walls: Vec<Duration> = starts.iter().map(|(wall, _)| *wall).collect();
    walls.sort_unstable();
    walls
        .get(walls.len() / 2)
        .map_or(0.0, |wall| wall.as_secs_f64() * 1000.0)
}

fn peak_megabytes(starts: &[Start]) -> f64 {
    let peak = starts.iter().map(|(_, peak)| *peak).max().unwrap_or(0);
    u32::try_from(peak / 1000).map_or(f64::INFINITY, |kilobytes| f64::from(kilobytes) / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_stands_in_the_middle_and_the_peak_at_the_top() {
        let starts = [(9, 1_000_000), (1, 2_500_000), (3, 500_000)]
            .map(|(millis, peak)| (Duration::from_millis(millis), peak));
        assert_eq!(median_millis(&starts), 3.0);
        assert_eq!(peak_megabytes(&starts), 2.5);
    }

    #[test]
    fn a_process_takes_time_and_memory() {
        let cost = measure(&[FLOOR.to_owned()]).unwrap();
        assert!(cost.millis > 0.0 && cost.floor_millis > 0.0);
        assert!(cost.megabytes > 0.1 && cost.megabytes < 1000.0, "{cost:?}");
    }

    #[test]
    fn a_program_that_fails_is_not_measured() {
        let error = start(&["/bin/false".to_owned()]).unwrap_err().to_string();
        assert_eq!(error, "/bin/false failed with exit status: 1");
    }
}
