//! The command-line transport: the tool is started once for each answer.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use agon_proc::{
    Completion, Ending, Finished, Limits, PrivatePlaces, Program, Watch, run_until_complete,
};
use agon_record::event::Usage;
use agon_record::spec::ToolName;
use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use super::call::{self, CallSlots, MAX_WRITTEN, PrivateCallFolder, error_without_usage, estimate};
use super::reach;
use crate::agent::{Agent, AgentAnswer, AgentError, CallFailure, Session};
use crate::ask::Ask;
use crate::conversation::SavedConversation;
use crate::dialect::{self, Dialect, DialectError, RawOutput};
use crate::environment::Environment;
use crate::host_text::PromptRoute;
use crate::profile::{
    Cli, Conversations, Profile, Transport, USAGE_FILE, command_args, confine_git,
};

/// An agent whose tool is started once for each answer.
#[derive(Clone, Debug)]
pub struct CliAgent(Arc<Tool>);

#[derive(Debug)]
struct Tool {
    profile: Profile,
    cli: Cli,
    program: PathBuf,
    here: Environment,
    places: CallSlots,
}

impl CliAgent {
    /// Creates an agent for the tool of a profile, at `program`; `None` if the tool has no command
    /// line.
    pub(crate) fn new(
        profile: Profile,
        program: PathBuf,
        here: Environment,
        places: CallSlots,
    ) -> Option<Self> {
        let cli = profile.cli.clone()?;
        Some(Self(Arc::new(Tool {
            profile,
            cli,
            program,
            here,
            places,
        })))
    }
}

// Copilot's usage file has less than 4 kB, so a file 250 times as large is something else.
/// The size limit of a usage file, in bytes.
const MAX_USAGE_BYTES: u64 = 1024 * 1024;

/// The time limit for a tool to exit once its output is complete. Writing a log takes less time; a
/// tool that takes longer hangs.
const END_TIMEOUT: Duration = Duration::from_secs(2);

impl Agent for CliAgent {
    fn name(&self) -> &ToolName {
        &self.0.profile.name
    }

    fn transport(&self) -> Transport {
        Transport::Cli
    }

    fn private_places(&self) -> Option<PrivatePlaces> {
        Some(self.0.here.private_places())
    }

    fn open(&self, watch: Arc<dyn Watch>) -> Box<dyn Session> {
        let tool = Arc::clone(&self.0);
        let kept = None;
        Box::new(CliSession { tool, watch, kept })
    }

    fn open_saved(
        &self,
        kept: SavedConversation,
        watch: Arc<dyn Watch>,
    ) -> Option<Box<dyn Session>> {
        let tool = Arc::clone(&self.0);
        tool.conversations()?;
        let kept = Some(kept);
        Some(Box::new(CliSession { tool, watch, kept }))
    }
}

/// A conversation in which every prompt must be complete, unless the tool saves the conversation.
struct CliSession {
    tool: Arc<Tool>,
    watch: Arc<dyn Watch>,
    kept: Option<SavedConversation>,
}

#[async_trait]
impl Session for CliSession {
    fn retains_context(&self) -> bool {
        self.saved_conversation().is_some()
    }

    fn id(&self) -> Option<&str> {
        self.saved_conversation().map(|kept| kept.id.as_str())
    }

    fn saved_conversation(&self) -> Option<&SavedConversation> {
        self.kept.as_ref().filter(|kept| kept.begun)
    }

    async fn ask(
        &mut self,
        ask: Ask<'_>,
        cancel: &CancellationToken,
    ) -> Result<AgentAnswer, AgentError> {
        let _place = self
            .tool
            .places
            .take(cancel)
            .await
            .map_err(error_without_usage)?;
        let begun = Instant::now();
        let mut call = self
            .tool
            .prepare(ask, self.kept.as_ref())
            .map_err(error_without_usage)?;
        let refused_address = tokio::select! {
            () = cancel.cancelled() => return Err(error_without_usage(CallFailure::Cancelled)),
            address = reach::find_refused_address(&self.tool.cli.base_urls, &self.tool.here) => address,
        };
        if let Some(address) = refused_address {
            return Err(AgentError {
                failure: CallFailure::Unreachable { address },
                usage: None,
                took: begun.elapsed(),
            });
        }
        call.limits.deadline = ask.timeout.saturating_sub(begun.elapsed());
        let watch: &dyn Watch = &self.watch;
        let prompt = call.route.prompt(ask.prompt);
        let dialect = call.dialect;
        let completion = Completion {
            is_complete: &|printed| dialect.is_complete(printed),
            grace: END_TIMEOUT,
        };
        let finished = run_until_complete(
            &call.program,
            prompt.as_bytes(),
            &call.limits,
            watch,
            cancel,
            Some(completion),
        )
        .await
        .map_err(|cause| AgentError {
            failure: if self.tool.program.exists() {
                CallFailure::Start(cause)
            } else {
                CallFailure::Gone
            },
            usage: None,
            took: begun.elapsed(),
        })?;
        let outcome = call.answer_from_output(ask, &finished, begun);
        let outcome = self.record_outcome(outcome, &finished);
        if let Err(error) = &outcome {
            let tool = &self.tool;
            let failure = error.cause().code;
            tool.here
                .forget_login_if_refused(&tool.profile.name, failure);
        }
        outcome
    }
}

impl CliSession {
    /// Updates the saved conversation with its ID and total usage, and returns the answer with the
    /// usage of this call alone.
    fn record_outcome(
        &mut self,
        outcome: Result<CliReply, AgentError>,
        finished: &Finished,
    ) -> Result<AgentAnswer, AgentError> {
        let mut kept = self.kept.take();
        let session = self.tool.conversations();
        let cumulative = session.is_some_and(|session| session.cumulative);
        let mut count_usage = |usage: Usage| match &mut kept {
            Some(kept) => {
                let usage = if cumulative {
                    kept.last_call_usage(usage)
                } else {
                    usage
                };
                kept.add_usage(usage);
                usage
            }
            None => usage,
        };
        let outcome = match outcome {
            Ok(mut said) => {
                said.answer.usage = count_usage(said.answer.usage);
                let ours = session.is_some_and(Conversations::accepts_our_id);
                let session_id = said.session_id.and_then(|name| name.parse().ok());
                kept = kept.and_then(|kept| {
                    let known = ours || kept.begun;
                    let id = session_id.or_else(|| known.then(|| kept.id.clone()))?;
                    let begun = true;
                    Some(SavedConversation { id, begun, ..kept })
                });
                Ok(said.answer)
            }
            Err(mut error) => {
                error.usage = error.usage.map(count_usage);
                let was_resumed = kept.as_ref().is_some_and(|kept| kept.begun);
                let lost = matches!(error.failure, CallFailure::Said(_))
                    && session.is_some_and(|session| {
                        session.is_unknown_conversation(&finished.stderr_tail)
                    });
                if was_resumed && lost {
                    error.failure = CallFailure::NoConversation;
                    kept = None;
                }
                Err(error)
            }
        };
        self.kept = kept;
        outcome
    }
}

/// The result of a call: the answer, and the tool's ID for the conversation.
struct CliReply {
    answer: AgentAnswer,
    session_id: Option<String>,
}

impl Tool {
    /// Returns how conversations are saved; `None` if the tool cannot save them.
    fn conversations(&self) -> Option<&Conversations> {
        let used = self.cli.args.iter().any(|arg| arg == "{session}");
        self.cli.session.as_ref().filter(|_| used)
    }

    fn prepare(
        &self,
        ask: Ask<'_>,
        kept: Option<&SavedConversation>,
    ) -> Result<CliCall, CallFailure> {
        let dialect = dialect::find_dialect(&self.cli.dialect)
            .ok_or(CallFailure::Bug("a profile without a dialect"))?;
        call::validate_model_name(ask.model)?;
        let private = PrivateCallFolder::make(&self.here)?.with_files(&self.profile.files)?;
        let held = kept.map(|kept| kept.folder.clone());
        let cwd = ask.reads.map(Path::to_owned).or(held);
        let cwd = cwd.unwrap_or_else(|| private.empty_folder());
        let usage_file = private.path().join(USAGE_FILE);
        let mut env = self.profile.env.child_env(&self.here, ask.model);
        env.insert("TMPDIR".into(), private.temp_folder().into());
        let mut args = command_args(&self.cli, &self.here, ask, private.path(), kept);
        let route =
            PromptRoute::prepare(&self.profile, &self.here, private.path(), &cwd, ask.prompt)
                .map_err(CallFailure::Folder)?;
        route.apply(&mut args, &mut env);
        confine_git(&cwd, &mut env);
        let program = Program {
            path: self.program.clone(),
            args,
            env,
            cwd,
        };
        let limits = Limits {
            deadline: ask.timeout,
            output: self.profile.limits.output_bytes,
            grace: Duration::from_millis(self.profile.limits.grace_ms),
            drain: Duration::from_millis(500),
            leaves_strays: false,
        };
        Ok(CliCall {
            dialect,
            program,
            limits,
            usage_file,
            route,
            _private: private,
        })
    }
}

/// A prepared call of a tool, with its private folder.
struct CliCall {
    dialect: &'static dyn Dialect,
    program: Program,
    limits: Limits,
    usage_file: PathBuf,
    route: PromptRoute,
    _private: PrivateCallFolder,
}

impl CliCall {
    fn answer_from_output(
        &self,
        ask: Ask<'_>,
        finished: &Finished,
        begun: Instant,
    ) -> Result<CliReply, AgentError> {
        let heard = finished.stdout.len();
        let failed = |failure, usage| AgentError {
            failure,
            usage,
            took: begun.elapsed(),
        };
        // Even a failed call has read the prompt. Output beyond the limit does not come from a
        // model, so it counts as zero.
        let flooded = finished.ending == Ending::Flooded;
        let written = if flooded { 0 } else { heard.min(MAX_WRITTEN) };
        let guess = || {
            Some(
                self.reported_usage()
                    .unwrap_or_else(|| estimate(ask.prompt, written)),
            )
        };
        let raw = |code| RawOutput {
            stdout: &finished.stdout,
            stderr_tail: &finished.stderr_tail,
            code,
        };
        let read = match finished.ending {
            Ending::Cancelled => return Err(failed(CallFailure::Cancelled, guess())),
            Ending::Flooded => {
                let limit = self.limits.output;
                return Err(failed(CallFailure::Flooded { limit }, guess()));
            }
            Ending::TimedOut => match self.dialect.diagnose_timeout(&raw(None)) {
                Some(error) => Err(error),
                None => {
                    let limit = ask.timeout;
                    return Err(failed(CallFailure::Timeout { limit, heard }, guess()));
                }
            },
            Ending::Exited { code, signal: _ } => self.dialect.read(&raw(code)),
            // Agon ended the process, so its exit code says nothing about the answer.
            Ending::Complete => self.dialect.read(&raw(Some(0))),
        };
        let read = read.and_then(|reply| match DialectError::from_notice(&reply.text) {
            Some(notice) => Err(DialectError {
                usage: reply.usage,
                ..notice
            }),
            None => Ok(reply),
        });
        match read {
            Ok(reply) => {
                let reported = reply.usage.or_else(|| self.reported_usage());
                let usage = reported
                    .unwrap_or_else(|| estimate(ask.prompt, reply.text.len().min(MAX_WRITTEN)));
                let of_file = || {
                    self.dialect
                        .parse_usage_file_model(&self.read_usage_file()?)
                };
                let model = of_file().or(reply.model);
                let answer = AgentAnswer {
                    text: reply.text,
                    usage,
                    stop_reason: reply.stop_reason,
                    model,
                    took: begun.elapsed(),
                };
                let session_id = reply.session_id;
                Ok(CliReply { answer, session_id })
            }
            Err(error) => {
                let usage = error.usage.or_else(|| self.reported_usage());
                Err(failed(CallFailure::Said(Box::new(error)), usage))
            }
        }
    }

    fn reported_usage(&self) -> Option<Usage> {
        self.dialect.parse_usage_file(&self.read_usage_file()?)
    }

    fn read_usage_file(&self) -> Option<Vec<u8>> {
        agon_files::read(&self.usage_file, MAX_USAGE_BYTES).ok()
    }
}
