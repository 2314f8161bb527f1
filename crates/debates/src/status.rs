//! The state of a debate, for callers that did not run it.

pub mod choose;
pub mod ending;
pub mod list;
pub mod new_turns;
pub(crate) mod open;
pub mod outcome;
pub mod overview;
pub mod stages;
pub mod wait;
pub mod watch;

use std::path::Path;

pub use agon_caller::background::is_alive;
use agon_caller::{Caller, Code, ErrorDoc, Failure, find};
use agon_folder::{Glance, ListedDebate, ViewError};
use agon_store::{RealDisk, read_detached_log_tail};
pub use agon_verdict::status::RunState;
use agon_verdict::status::{Reason, StatusDoc, status_document};

/// A debate as seen by another process.
#[derive(Clone, Debug)]
pub struct DebateSight {
    /// Its record.
    pub glance: Glance,
    /// Its run state.
    pub run_state: RunState,
    /// Why it failed.
    pub reason: Option<Reason>,
}

impl DebateSight {
    /// Returns whether a process is running it, including one that waits for a person.
    pub fn is_running_or_waiting(&self) -> bool {
        match self.run_state {
            RunState::Running => true,
            RunState::WaitingForPerson => self.glance.writer.is_present(),
            RunState::Stopped | RunState::Done | RunState::Failed => false,
        }
    }

    /// Returns the same debate with the name that `caller` can type in commands: the name of its
    /// folder, if the folder is a copy.
    pub fn with_name_for(mut self, caller: &Caller, path: &Path) -> Self {
        self.glance.state.typed = Some(find::typeable_debate_name(caller, path));
        self
    }

    /// Returns the status document.
    pub fn document(&self) -> StatusDoc {
        status_document(&self.glance.state, self.run_state, self.reason.clone())
    }
}

/// Inspects the debate in `path`.
///
/// # Errors
///
/// If nothing of it can be read.
pub fn inspect_debate(path: &Path) -> Result<DebateSight, Failure> {
    inspect_or_view_error(path).map_err(|error| find::view_failure(&error))
}

fn inspect_or_view_error(path: &Path) -> Result<DebateSight, ViewError> {
    let glance = Glance::read(&RealDisk, path)?;
    let run_state = glance.current_run_state(is_alive);
    let (run_state, reason) = match run_state {
        RunState::Running | RunState::WaitingForPerson | RunState::Done => (run_state, None),
        RunState::Failed => (
            run_state,
            ending::verdict_authority(&glance.state).err().map(reason),
        ),
        RunState::Stopped if glance.handed_to.is_none() => (RunState::Stopped, None),
        RunState::Stopped => match background_failure_reason(path, glance.lines)? {
            Some(reason) => (RunState::Failed, Some(reason)),
            None => (RunState::Stopped, None),
        },
    };
    Ok(DebateSight {
        glance,
        run_state,
        reason,
    })
}

/// Returns the run state of a listed debate.
pub fn run_state_of_listed(debate: &ListedDebate) -> RunState {
    let recorded = debate.folder_run_state();
    let Some(process) = &debate.handed_to else {
        return recorded;
    };
    match recorded {
        RunState::Stopped | RunState::Failed if is_alive(process) => debate.record.live,
        RunState::Stopped => match background_failure_reason(&debate.path, debate.record.lines) {
            Ok(Some(_)) => RunState::Failed,
            Ok(None) | Err(_) => RunState::Stopped,
        },
        RunState::Done if is_alive(process) => RunState::Running,
        _ => recorded,
    }
}

fn reason(failure: Failure) -> Reason {
    Reason {
        code: failure.code.name().to_owned(),
        message: failure.message,
    }
}

/// Returns why the background process of a debate with `lines` journal lines ended early, from its
/// log; `None` if it was asked to stop or the reason is unknown.
fn background_failure_reason(path: &Path, lines: u64) -> Result<Option<Reason>, ViewError> {
    let Some(log) = read_detached_log_tail(&RealDisk, path)? else {
        return Ok(None);
    };
    let last = log.lines().rfind(|line| !line.trim().is_empty());
    let last = last.unwrap_or_default();
    Ok(match serde_json::from_str::<ErrorDoc>(last) {
        Ok(document) if document.error.code == Code::Cancelled.name() => None,
        Ok(document) => Some(Reason {
            code: document.error.code,
            message: document.error.message,
        }),
        // The debate had begun, so the process was killed later and the debate can be resumed.
        Err(_) if lines > 1 => None,
        Err(_) => Some(Reason {
            code: Code::NotStarted.name().to_owned(),
            message: if last.is_empty() {
                "the background process ended before the debate began".to_owned()
            } else {
                last.to_owned()
            },
        }),
    })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::Arc;

    use agon_folder::{Folder, list_debates};
    use agon_samples::batches::{AT, batches, spec};
    use agon_store::{Layout, RunEntry};

    use super::*;

    #[test]
    fn a_list_has_the_run_state_that_an_inspection_finds() {
        let dead = RunEntry {
            pgid: 1,
            leader_start: 0,
            boot: "another".to_owned(),
            mark: String::new(),
        };
        let error = |code: &str| {
            format!(
                "{{\"schema\":\"agon.error/1\",\"error\":{{\"code\":\"{code}\",\"message\":\"m\"}}}}\n"
            )
        };
        let (killed, cancelled) = (error("judge_lost"), error("cancelled"));
        let logs = ["", "no such file\n", &killed, &cancelled];
        let mut states = Vec::new();
        for appended in [0, 1, batches().len()] {
            for log in logs {
                let dir = tempfile::tempdir().unwrap();
                let disk = Arc::new(RealDisk);
                let mut folder = Folder::create(disk, dir.path(), "one", spec(), AT).unwrap();
                for batch in &batches()[..appended] {
                    folder.append(AT + 1, batch).unwrap();
                }
                let path = folder.path().to_owned();
                drop(folder);
                let layout = Layout::new(&path);
                let process = serde_json::to_vec(&dead).unwrap();
                fs::write(layout.detached_process_file(), process).unwrap();
                fs::write(layout.detached_log(), log).unwrap();
                let listed = list_debates(&RealDisk, dir.path()).unwrap().debates;
                let state = run_state_of_listed(&listed[0]);
                let inspected = inspect_debate(&path).unwrap().run_state;
                assert_eq!(state, inspected, "{appended} {log}");
                states.push(state);
            }
        }
        for state in [RunState::Stopped, RunState::Failed, RunState::Done] {
            assert!(states.contains(&state), "{state} in {states:?}");
        }
    }
}
