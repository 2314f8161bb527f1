//! Measures how fast `agon hook` answers a tool that waits for it before every edit.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use cargo_metadata::Metadata;
use serde_json::{Value, json};

use super::Figure;
use crate::workspace;

/// Odd, so that the median is one of them.
const RUNS: usize = 11;

/// Maximum median in milliseconds: a model edits many files in a turn, and each edit waits.
const MAX_MILLIS: f64 = 20.0;

/// Open tasks of the team, each with its own lock: more than a team of people and agents has.
const TASKS: usize = 50;

/// Measures the hook of the released `agon` in a repository with a team, called as by Claude Code.
pub(super) fn figures(metadata: &Metadata) -> Result<Vec<Figure>> {
    let mut build = workspace::cargo(metadata, &["build", "--release", "--quiet", "--locked"]);
    build.args(["-p", "agon", "--features", "local-model"]);
    workspace::stdout_of(build.stderr(Stdio::inherit()))?;
    let program = metadata.target_directory.join("release/agon");
    let dir = metadata.target_directory.join("bench-hook");
    fs::remove_dir_all(&dir).ok();
    let place = Place {
        program: program.into_std_path_buf(),
        home: dir.into_std_path_buf(),
    };
    place.begin()?;
    let edit = |path: &str| json!({ "tool_name": "Edit", "tool_input": { "file_path": path } });
    let moments = [
        (
            "an edit of a locked path",
            "pre-edit",
            edit("src/0/a.rs"),
            true,
        ),
        ("an edit that may pass", "pre-edit", edit("other.rs"), false),
        (
            "after a tool",
            "post-tool",
            json!({ "tool_name": "Bash" }),
            false,
        ),
    ];
    let figure = |(name, event, call, refused)| {
        let mut millis = Vec::new();
        for _ in 0..RUNS {
            millis.push(place.hook(event, &call, refused)?.as_secs_f64() * 1000.0);
        }
        Ok(figure_of(name, millis))
    };
    moments.into_iter().map(figure).collect()
}

/// A repository with a team: `lea` uses the main work tree, `bob` and `ada` have their own.
struct Place {
    program: PathBuf,
    home: PathBuf,
}

impl Place {
    fn tree(&self, name: &str) -> PathBuf {
        self.home.join(name)
    }

    fn command(&self, program: &Path, name: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.tree(name)).env_clear();
        command.env("HOME", &self.home).env("PATH", "/usr/bin:/bin");
        command
    }

    fn begin(&self) -> Result<()> {
        fs::create_dir_all(self.tree("lea")).context("cannot make a folder")?;
        let git = |args: &[&str]| {
            let mut command = self.command(Path::new("git"), "lea");
            command.args(["-c", "user.name=bench", "-c", "user.email=bench@localhost"]);
            workspace::stdout_of(command.args(args))
        };
        git(&["init", "-q"])?;
        git(&["commit", "-q", "--allow-empty", "-m", "begin"])?;
        git(&["worktree", "add", "-q", "../bob"])?;
        git(&["worktree", "add", "-q", "../ada"])?;
        let team = |name: &str, args: &[&str]| {
            let mut command = self.command(&self.program, name);
            workspace::stdout_of(command.arg("team").args(args))
        };
        team("lea", &["init"])?;
        for (name, role) in [("lea", "lead"), ("bob", "worker"), ("ada", "worker")] {
            team(name, &["join", name, "--role", role, "--host", "claude"])?;
        }
        for nth in 0..TASKS {
            let task = format!("t{}", nth + 1);
            team("lea", &["task", "add", "Measure"])?;
            team("bob", &["task", "claim", &task])?;
            let path = format!("src/{nth}");
            let args = ["lock", "take", &path, "--task", &task, "--epoch", "1"];
            team("bob", &args)?;
        }
        Ok(())
    }

    /// Measures the hook in the work tree of `ada`, from start to end.
    fn hook(&self, event: &str, call: &Value, refused: bool) -> Result<Duration> {
        let mut call = call.clone();
        call["cwd"] = json!(self.tree("ada"));
        let mut command = self.command(&self.program, "ada");
        command.args(["hook", "claude", event]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let began = Instant::now();
        let mut hook = command.spawn().context("cannot start the hook")?;
        let stdin = hook.stdin.take().context("the hook has no pipe")?;
        { stdin }.write_all(call.to_string().as_bytes())?;
        let output = hook.wait_with_output()?;
        let took = began.elapsed();
        let said = String::from_utf8_lossy(&output.stdout);
        if !output.status.success() || said.contains("is locked by bob") != refused {
            bail!("{event} ended with {} and said: {said}", output.status);
        }
        Ok(took)
    }
}

fn figure_of(name: &str, mut millis: Vec<f64>) -> Figure {
    millis.sort_by(f64::total_cmp);
    let at = |nth: usize| millis.get(nth).copied().unwrap_or(f64::INFINITY);
    Figure {
        name: format!("agon hook: {name}, median"),
        value: at(millis.len() / 2),
        unit: "ms".to_owned(),
        note: format!(
            "limit {MAX_MILLIS} ms; of {} calls the slowest {:.2} ms; {TASKS} locks are held",
            millis.len(),
            at(millis.len().saturating_sub(1))
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_the_calls_is_told_and_the_slowest_beside_it() {
        let figure = figure_of("an edit", vec![9.0, 1.0, 3.0]);
        assert_eq!(figure.value, 3.0);
        assert!(
            figure.note.contains("the slowest 9.00 ms"),
            "{}",
            figure.note
        );
    }

    #[test]
    fn a_program_that_is_no_hook_is_not_measured() {
        let place = Place {
            program: "/bin/true".into(),
            home: std::env::temp_dir(),
        };
        assert!(place.hook("pre-edit", &json!({}), true).is_err());
    }
}
