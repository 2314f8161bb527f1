//! Runs a gate in a separate process, which continues if its caller stops waiting.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use agon_caller::depth::refuse_nested;
use agon_caller::environments::{background_program, background_variables, gate_variables};
use agon_caller::{Caller, Code, Failure, FailureKind};
use agon_proc::{Program, is_leader_running, spawn_detached};
use agon_team::gate::GateDefinition;
use agon_team::id::{GateName, TaskId};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::documents::{TEAM_GATE_RUNNING_SCHEMA, TeamGateRunningDoc};
use super::log;
use crate::member::{TOKEN_VAR, actor};
use crate::open_team::{failure, open};

/// How often to check whether the gate has ended.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Runs a gate in a separate process and waits at most this long. Returns its result, or a document
/// saying that it is still running.
///
/// # Errors
///
/// If the gate could not be run, or the process could not be started.
pub async fn run_detached(
    caller: &Caller,
    name: &GateName,
    task: TaskId,
    wait: Duration,
    cancel: &CancellationToken,
) -> Result<Value, Failure> {
    refuse_nested(caller)?;
    let (mut team, location) = open(caller)?;
    // Check for refusals before starting the process.
    actor(caller, &team, &location)?;
    team.task(task).map_err(failure)?;
    let definition = super::definitions::find(&location, name)?;
    let stored = |error: io::Error| Failure::from_error(Code::Store, &error);
    let (path, output) = create_output(&location.database()).map_err(stored)?;
    let name_text = name.to_string();
    let words = [
        "team",
        "gate",
        "run",
        &name_text,
        "--task",
        &task.to_string(),
        "--apart",
        "--json",
    ];
    let mut env = background_variables(caller);
    if let GateDefinition::Command(gate) = &definition {
        env.extend(gate_variables(caller, &gate.env));
    }
    if let Some(token) = caller.vars_os.get(OsStr::new(TOKEN_VAR)) {
        env.insert(TOKEN_VAR.into(), token.clone());
    }
    let program = Program {
        path: background_program(caller)?.to_owned(),
        args: words.map(Into::into).into(),
        env,
        cwd: caller.cwd.clone(),
    };
    let group = spawn_detached(&program, &output)
        .map_err(|error| Failure::from_error(Code::NotStarted, &error))?;
    let begun = Instant::now();
    // The process has its own group only after leaving ours; before that it does not appear as
    // running.
    let mut has_run = false;
    while begun.elapsed() < wait && !cancel.is_cancelled() {
        let runs = is_leader_running(&group);
        has_run |= runs;
        let ended = read_end(&path);
        if let Some(document) = ended {
            fs::remove_file(&path).ok();
            return document;
        }
        if has_run && !runs {
            // It may have written its last line in the meantime.
            let document = read_end(&path);
            fs::remove_file(&path).ok();
            return document.unwrap_or_else(|| Err(missing_result()));
        }
        tokio::time::sleep(POLL_INTERVAL).await;
    }
    let running = TeamGateRunningDoc {
        schema: TEAM_GATE_RUNNING_SCHEMA,
        gate: name.clone(),
        task,
        running_s: begun.elapsed().as_secs(),
    };
    serde_json::to_value(running).map_err(|error| Failure::from_error(Code::Bug, &error))
}

/// Detaches this process from the terminal and from its parent's process group.
pub fn detach_from_caller() {
    // Ignore errors: this fails only for the leader of a group, which is already detached.
    agon_proc::leave_terminal().ok();
}

fn create_output(database: &Path) -> io::Result<(PathBuf, File)> {
    let path = log::folder(database)?.join(format!("apart-{}.log", ulid::Ulid::generate()));
    let file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&path)?;
    Ok((path, file))
}

/// Maximum size of the process's output that are read, in bytes.
const MAX_OUTPUT_BYTES: u64 = 16 << 20;

/// Returns the last document that the process printed, once there is one. A reported error becomes
/// a failure.
fn read_end(path: &Path) -> Option<Result<Value, Failure>> {
    let text = agon_files::read_to_string(path, MAX_OUTPUT_BYTES).ok()?;
    // Progress lines come before it and are not JSON.
    let line = text.lines().rev().find(|line| line.starts_with('{'))?;
    let document: Value = serde_json::from_str(line).ok()?;
    let Some(error) = document.get("error") else {
        return Some(Ok(document));
    };
    let text = |key: &str| error.get(key).and_then(Value::as_str).unwrap_or_default();
    let failure = Failure::new(Code::GateNotRun, text("message"));
    Some(Err(failure.hint(text("hint"))))
}

fn missing_result() -> Failure {
    Failure::new(
        Code::GateNotRun,
        "the gate's process ended without a result",
    )
    .kind(FailureKind::Bug)
    .hint("run it with `agon team gate run` to see why")
}
