//! One run of a tool for a team member, in a work tree.
//!
//! A [`Worker`] is not an [`Agent`](crate::Agent) and cannot be converted to one, so it cannot take part
//! in a debate:
//!
//! ```compile_fail
//! fn seated(worker: agon_agents::Worker) -> Box<dyn agon_agents::Agent> {
//!     Box::new(worker)
//! }
//! ```

mod calls;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use agon_proc::{
    Completion, Ending, Finished, Limits, Program, StartError, Watch, run_until_complete,
};
use agon_record::event::{CauseCode, Usage};
use agon_record::spec::Effort;
use agon_wording::Wording;
use tokio_util::sync::CancellationToken;

pub use self::calls::{HostActivity, HostSigns};
use crate::agent::CallFailure;
use crate::dialect::{self, RawOutput, Reply};
use crate::environment::{DEPTH, Environment};
use crate::host_text::PromptRoute;
use crate::profile::{
    Access, Cli, PolicyMisfit, Profile, Work, WorkPolicy, WorkValues, confine_git,
};
use crate::transport::{PrivateCallFolder, validate_model_name};

/// A tool that a team member works with.
#[derive(Clone, Debug)]
pub struct Worker {
    profile: Profile,
    cli: Cli,
    work: Work,
    program: PathBuf,
    here: Environment,
}

/// The task of a member. Its prompt must be a [`Wording`]:
///
/// ```compile_fail
/// fn tell<'a>(order: agon_agents::WorkOrder<'a>, text: &'a str) -> agon_agents::WorkOrder<'a> {
///     agon_agents::WorkOrder { prompt: text, ..order }
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct WorkOrder<'a> {
    /// The prompt of the task.
    pub prompt: &'a Wording,
    /// The work tree, which is also the working folder.
    pub tree: &'a Path,
    /// Whether the member may write in the work tree.
    pub access: Access,
    /// The model; with `None`, the tool chooses.
    pub model: Option<&'a str>,
    /// The reasoning effort.
    pub effort: Effort,
    /// The time limit of the run.
    pub timeout: Duration,
    /// The path of the program that runs Agon's own server.
    pub agon: &'a Path,
    /// The restrictions of a policy, in the tool's format.
    pub policy: Option<&'a WorkPolicy>,
    /// Additional variables, such as the member's token.
    pub vars: &'a BTreeMap<OsString, OsString>,
}

/// The reason why the run of a member's tool did not start.
#[derive(Debug, thiserror::Error)]
pub enum WorkError {
    /// The run could not be prepared.
    #[error("its run could not be prepared: {0}")]
    Prepare(CallFailure),
    /// The tool could not be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The member's policy cannot be applied to this tool.
    #[error(transparent)]
    Policy(#[from] PolicyMisfit),
    /// A file of its profile could not be written.
    #[error("cannot write a file of its profile: {0}")]
    File(std::io::Error),
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkOutcome {
    /// How the tool's process ended.
    pub ending: Ending,
    /// The process's standard output, not redacted.
    pub stdout: Vec<u8>,
    /// The end of the process's standard error, not redacted.
    pub stderr_tail: Vec<u8>,
    /// The final reply of its model, or why there is none.
    pub reply: Result<String, WorkFailure>,
    /// Tokens and cost, if the tool reported them.
    pub usage: Option<Usage>,
    /// The duration of the run.
    pub took: Duration,
}

/// The reason why a run has no reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkFailure {
    /// A short description of the failure.
    pub said: String,
    /// Whether the tool ended successfully but with an empty reply.
    pub is_empty_success: bool,
}

// An hour-long run prints a few megabytes of events. This is four times the limit of an answer.
/// The output limit of a run, in bytes.
const MAX_OUTPUT_BYTES: usize = 64 * 1024 * 1024;
/// The time limit for the tool to exit once its output is complete.
const END_TIMEOUT: Duration = Duration::from_secs(5);

impl Worker {
    /// Creates the worker for the tool of a profile, at `program`; `None` if the tool cannot be
    /// restricted to a work tree.
    pub fn new(profile: &Profile, program: PathBuf, here: Environment) -> Option<Self> {
        Some(Self {
            profile: profile.clone(),
            cli: profile.cli.clone()?,
            work: profile.work.clone()?,
            program,
            here,
        })
    }

    /// Returns the profile's description of the restriction to the work tree.
    pub fn describe_limits(&self) -> &str {
        &self.work.held_by
    }

    /// Returns whether the model may run programs in the work tree.
    pub fn runs_programs(&self) -> bool {
        self.work.runs_programs
    }

    /// Returns whether the tool writes through links that lead out of its folder. Such a tool must
    /// not be started in a folder with such links.
    pub fn follows_links(&self) -> bool {
        self.work.follows_links
    }

    /// Runs the tool until it ends. `signs` is called with its activity during the run; `watch` is
    /// told its process group before the tool gets the prompt.
    ///
    /// # Errors
    ///
    /// If it could not be started.
    pub async fn run(
        &self,
        order: &WorkOrder<'_>,
        watch: &dyn Watch,
        signs: &(dyn Fn(&HostSigns) + Sync),
        cancel: &CancellationToken,
    ) -> Result<WorkOutcome, WorkError> {
        let private = PrivateCallFolder::make(&self.here).map_err(WorkError::Prepare)?;
        validate_model_name(order.model).map_err(WorkError::Prepare)?;
        let mut program = self.program(order, private.path(), &private.temp_folder())?;
        let route = PromptRoute::prepare(
            &self.profile,
            &self.here,
            private.path(),
            order.tree,
            order.prompt,
        )
        .map_err(WorkError::File)?;
        route.apply(&mut program.args, &mut program.env);
        let dialect = dialect::find_dialect(&self.cli.dialect).ok_or(WorkError::Prepare(
            CallFailure::Bug("a profile without a dialect"),
        ))?;
        let limits = Limits {
            deadline: order.timeout,
            output: MAX_OUTPUT_BYTES,
            grace: Duration::from_millis(self.profile.limits.grace_ms),
            drain: Duration::from_millis(500),
            leaves_strays: false,
        };
        let activity = Mutex::new(HostActivity::default());
        let hear = |printed: &[u8]| {
            let signs_now = activity.lock().map(|mut it| it.read(printed));
            if let Ok(Some(now)) = signs_now {
                signs(&now);
            }
            dialect.is_complete(printed)
        };
        let completion = Completion {
            is_complete: &hear,
            grace: END_TIMEOUT,
        };
        if self.work.prints_at_end {
            // This tool prints nothing before it ends, so report one running tool call for the
            // whole run.
            signs(&HostSigns {
                has_open_tool: true,
                ..HostSigns::default()
            });
        }
        let prompt = route.prompt(order.prompt);
        let prompt = prompt.as_bytes();
        let finished =
            run_until_complete(&program, prompt, &limits, watch, cancel, Some(completion)).await?;
        let (reply, usage) = match read_reply(dialect, &finished) {
            Ok(reply) => (Ok(reply.text), reply.usage),
            Err((failure, usage)) => (Err(failure), usage),
        };
        Ok(WorkOutcome {
            ending: finished.ending,
            reply,
            usage,
            took: finished.took,
            stdout: finished.stdout,
            stderr_tail: finished.stderr_tail,
        })
    }

    /// Prepares the program to start, and writes the profile's files.
    fn program(
        &self,
        order: &WorkOrder<'_>,
        private: &Path,
        temp: &Path,
    ) -> Result<Program, WorkError> {
        let mut files = self.work.files.clone();
        let mut merge = self.work.merge.clone();
        let (added, narrowed) = match (order.policy, &self.work.policy) {
            (None, _) => (Vec::new(), None),
            (Some(policy), Some(place)) => place.apply(policy, &mut files, &mut merge)?,
            (Some(_), None) => return Err(PolicyMisfit.into()),
        };
        let values = WorkValues {
            access: order.access,
            model: order.model,
            effort: order.effort,
            agon: order.agon,
            private,
            narrowed: narrowed.as_deref(),
            added: &added,
        };
        for (name, text) in files {
            let mut text = values.fill(&text);
            if let Some(keep) = &self.work.keep {
                text = keep.merge_under(&name, text, &self.here);
            }
            std::fs::write(private.join(name), text).map_err(WorkError::File)?;
        }
        let mut vars = self.profile.env.clone();
        let set = self.work.set.iter();
        vars.set
            .extend(set.map(|(name, text)| (name.clone(), values.fill(text))));
        let merged = merge.into_iter();
        vars.merge
            .extend(merged.map(|(name, text)| (name, values.fill(&text))));
        let mut env = vars.child_env(&self.here, order.model);
        // A team member is not part of a debate, so let it start one: remove the nesting depth.
        env.remove(std::ffi::OsStr::new(DEPTH));
        env.insert("TMPDIR".into(), temp.into());
        confine_git(order.tree, &mut env);
        env.extend(
            order
                .vars
                .iter()
                .map(|(name, value)| (name.clone(), value.clone())),
        );
        Ok(Program {
            path: self.program.clone(),
            args: self.work.command_args(&self.cli, &self.here, &values),
            env,
            cwd: order.tree.to_owned(),
        })
    }
}

fn read_reply(
    dialect: &dyn dialect::Dialect,
    finished: &Finished,
) -> Result<Reply, (WorkFailure, Option<Usage>)> {
    let fail = |said: String| {
        let failure = WorkFailure {
            said,
            is_empty_success: false,
        };
        Err((failure, None))
    };
    let code = match finished.ending {
        Ending::Exited {
            signal: Some(signal),
            ..
        } => return fail(format!("it was ended by signal {signal}")),
        Ending::Exited { code, signal: None } => code,
        Ending::Complete => Some(0),
        Ending::TimedOut => return fail("it exceeded its time limit".to_owned()),
        Ending::Cancelled => return fail("it was stopped".to_owned()),
        Ending::Flooded => return fail("it exceeded its output limit".to_owned()),
    };
    let raw = RawOutput {
        stdout: &finished.stdout,
        stderr_tail: &finished.stderr_tail,
        code,
    };
    dialect.read(&raw).map_err(|error| {
        let failure = WorkFailure {
            is_empty_success: code == Some(0) && error.code == CauseCode::Empty,
            said: error.detail,
        };
        (failure, error.usage)
    })
}
