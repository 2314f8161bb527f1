//! The released program, run as a whole process in an empty home and measured.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use cargo_metadata::Metadata;
use wait4::Wait4;

use super::Figure;
use crate::workspace;

/// Odd, so that the median is one of them.
const RUNS: usize = 9;
/// The exit code of a command that says what it left out to keep a limit.
const LIMIT: i32 = 5;

/// What a run of the program took.
#[derive(Clone, Copy, Debug)]
pub(super) struct Took {
    pub(super) wall: Duration,
    /// Of the program and of the processes that it waited for.
    pub(super) cpu: Duration,
    /// Peak memory, in bytes.
    pub(super) peak: u64,
}

/// The program and the folder in which it runs.
pub(super) struct Program {
    agon: PathBuf,
    /// The home, the current folder, and the place of the fake tools.
    pub(super) place: PathBuf,
}

impl Program {
    /// Builds the released `agon` with all features, and clears its place.
    pub(super) fn build(metadata: &Metadata, name: &str) -> Result<Self> {
        let mut build = workspace::cargo(metadata, &["build", "--release", "--quiet", "--locked"]);
        build.args(["-p", "agon", "--features", "full"]);
        workspace::stdout_of(build.stderr(Stdio::inherit()))?;
        let target = &metadata.target_directory;
        let place = target.join(format!("bench-{name}")).into_std_path_buf();
        if place.exists() {
            fs::remove_dir_all(&place).context("cannot clear the last benchmark")?;
        }
        fs::create_dir_all(place.join(".config/agon"))?;
        // Otherwise only a person at a terminal can allow a debate.
        let config = "vendors = [\"anthropic\", \"openai\"]\n";
        fs::write(place.join(".config/agon/config.toml"), config)?;
        Ok(Self {
            agon: target.join("release/agon").into_std_path_buf(),
            place,
        })
    }

    /// Adds fake tools that answer at once.
    pub(super) fn add_fake_tools(&self, metadata: &Metadata) -> Result<()> {
        let mut build = workspace::cargo(metadata, &["build", "--release", "--quiet", "--locked"]);
        build.args(["-p", "agon-testkit", "--bins", "--example", "fake_tools"]);
        workspace::stdout_of(build.stderr(Stdio::inherit()))?;
        let make = metadata
            .target_directory
            .join("release/examples/fake_tools");
        let mut make = Command::new(make);
        make.arg(self.place.join("tools")).args(["claude", "codex"]);
        workspace::stdout_of(&mut make).map(drop)
    }

    /// Returns the command with these arguments, in an environment without settings.
    pub(super) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.agon);
        command.args(args).current_dir(&self.place).env_clear();
        let path = format!("{}:/usr/bin:/bin", self.place.join("tools").display());
        command.env("HOME", &self.place).env("PATH", path);
        command
    }

    /// Runs the program once.
    pub(super) fn run(&self, args: &[&str]) -> Result<Took> {
        measure(&mut self.command(args))
    }

    /// Runs the program several times and returns the medians.
    pub(super) fn median(&self, args: &[&str]) -> Result<Took> {
        let runs: Vec<Took> = (0..RUNS).map(|_| self.run(args)).collect::<Result<_>>()?;
        Ok(medians(&runs))
    }
}

/// Runs a command and returns what it took.
pub(super) fn measure(command: &mut Command) -> Result<Took> {
    let shown = format!("{command:?}");
    command.stdin(Stdio::null()).stdout(Stdio::null());
    let began = Instant::now();
    let mut child = command
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {shown}"))?;
    // Reading to the end keeps the program from waiting for a full pipe.
    let stderr = child.stderr.take().map(std::io::read_to_string);
    let used = child
        .wait4()
        .with_context(|| format!("cannot wait for {shown}"))?;
    let wall = began.elapsed();
    if !used.status.success() && used.status.code() != Some(LIMIT) {
        let said = stderr.transpose()?.unwrap_or_default();
        bail!("{shown} failed with {}: {}", used.status, said.trim());
    }
    Ok(Took {
        wall,
        cpu: used.rusage.utime + used.rusage.stime,
        peak: used.rusage.maxrss,
    })
}

/// Returns the median of each value.
fn medians(runs: &[Took]) -> Took {
    Took {
        wall: middle(runs.iter().map(|took| took.wall)),
        cpu: middle(runs.iter().map(|took| took.cpu)),
        peak: middle(runs.iter().map(|took| took.peak)),
    }
}

fn middle<T: Ord + Default>(values: impl Iterator<Item = T>) -> T {
    let mut values: Vec<T> = values.collect();
    values.sort_unstable();
    let at = values.len() / 2;
    values.into_iter().nth(at).unwrap_or_default()
}

impl Took {
    pub(super) fn millis(&self) -> f64 {
        self.wall.as_secs_f64() * 1e3
    }

    /// Returns the time of a command, with its processor time, memory and limit beside it.
    pub(super) fn figure(&self, name: &str, limit: &str) -> Figure {
        Figure {
            name: name.to_owned(),
            value: self.millis(),
            unit: "ms".to_owned(),
            note: format!(
                "cpu {:.1} ms, {:.0} MB; limit {limit}",
                self.cpu.as_secs_f64() * 1e3,
                self.peak as f64 / 1e6
            ),
        }
    }
}

/// Copies a folder.
pub(super) fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true => copy(&entry.path(), &to)?,
            false => fs::copy(entry.path(), to).map(drop)?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_takes_time_and_memory_and_must_succeed() {
        let took = measure(&mut Command::new("/bin/true")).unwrap();
        assert!(took.millis() > 0.0 && took.peak > 0);
        let mut fails = Command::new("/bin/sh");
        let error = measure(fails.args(["-c", "echo no >&2; exit 3"])).unwrap_err();
        assert!(measure(Command::new("/bin/sh").args(["-c", "exit 5"])).is_ok());
        assert!(error.to_string().ends_with("exit status: 3: no"), "{error}");
    }

    #[test]
    fn the_median_of_each_value_is_its_own() {
        let took = |wall, cpu, peak| Took {
            wall: Duration::from_millis(wall),
            cpu: Duration::from_millis(cpu),
            peak,
        };
        let median = medians(&[took(1, 9, 5), took(2, 8, 7), took(3, 7, 6)]);
        assert_eq!(
            median.figure("n", "2 ms").note,
            "cpu 8.0 ms, 0 MB; limit 2 ms"
        );
        assert_eq!((median.millis(), median.peak), (2.0, 6));
    }
}
