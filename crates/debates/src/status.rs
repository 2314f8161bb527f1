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

use agon_caller::{Caller, Code, ErrorDoc, Failure, find};
use agon_folder::{Glance, ListedDebate, ViewError};
use agon_proc::{Group, is_leader_running};
use agon_store::{RealDisk, RunEntry, read_detached_log_tail};
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
        RunState::Stopped => match background_failure_reason(path, &glance)? {
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
    let Some(process) = &debate.handed_to else {
        return debate.run_state;
    };
    match debate.run_state {
        RunState::Stopped | RunState::Failed => {
            inspect_or_view_error(&debate.path).map_or(debate.run_state, |seen| seen.run_state)
        }
        RunState::Done if is_alive(process) => RunState::Running,
        RunState::Done | RunState::Running | RunState::WaitingForPerson => debate.run_state,
    }
}

/// Returns whether the process that a debate was handed to is still running.
pub fn is_alive(process: &RunEntry) -> bool {
    let RunEntry {
        pgid,
        leader_start,
        boot,
        mark,
    } = process.clone();
    is_leader_running(&Group {
        pgid,
        leader_start,
        boot,
        mark,
    })
}

fn reason(failure: Failure) -> Reason {
    Reason {
        code: failure.code.name().to_owned(),
        message: failure.message,
    }
}

/// Returns why the background process of a debate ended early, from its log; `None` if it was asked
/// to stop or the reason is unknown.
fn background_failure_reason(path: &Path, glance: &Glance) -> Result<Option<Reason>, ViewError> {
    if glance.handed_to.is_none() {
        return Ok(None);
    }
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
        Err(_) if glance.lines > 1 => None,
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
