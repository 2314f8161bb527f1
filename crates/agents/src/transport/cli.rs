//! One start of a tool's command line for each answer.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use agon_debate::event::Usage;
use agon_debate::spec::ToolName;
use agon_proc::{Ending, Finished, Limits, Program, Watch, run};
use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use super::call::{self, MOST_WRITTEN, Places, Private, estimate, free};
use super::reach;
use crate::agent::{Agent, AgentError, Answer, Ask, Failure, Session};
use crate::dialect::{self, Dialect, RawOutput};
use crate::environment::Environment;
use crate::profile::{Cli, Profile, Transport, command_args};

/// A tool that is started anew for each answer.
#[derive(Clone, Debug)]
pub struct CliAgent(Arc<Tool>);

#[derive(Debug)]
struct Tool {
    profile: Profile,
    cli: Cli,
    program: PathBuf,
    here: Environment,
    places: Places,
}

impl CliAgent {
    /// An agent for the tool of a profile, at `program`; none without a command line.
    pub(crate) fn new(
        profile: Profile,
        program: PathBuf,
        here: Environment,
        places: Places,
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

impl Agent for CliAgent {
    fn name(&self) -> &ToolName {
        &self.0.profile.name
    }

    fn transport(&self) -> Transport {
        Transport::Cli
    }

    fn open(&self, watch: Arc<dyn Watch>) -> Box<dyn Session> {
        let tool = Arc::clone(&self.0);
        Box::new(CliSession { tool, watch })
    }
}

/// A conversation without memory: every question is whole.
struct CliSession {
    tool: Arc<Tool>,
    watch: Arc<dyn Watch>,
}

#[async_trait]
impl Session for CliSession {
    async fn ask(
        &mut self,
        ask: Ask<'_>,
        cancel: &CancellationToken,
    ) -> Result<Answer, AgentError> {
        let _place = self.tool.places.take(cancel).await.map_err(free)?;
        let begun = Instant::now();
        let mut call = self.tool.prepare(ask).map_err(free)?;
        let refusing = tokio::select! {
            () = cancel.cancelled() => return Err(free(Failure::Cancelled)),
            refusing = reach::refusing(&self.tool.cli.base_urls, &self.tool.here) => refusing,
        };
        if let Some(address) = refusing {
            return Err(AgentError {
                failure: Failure::Unreachable { address },
                usage: None,
                took: begun.elapsed(),
            });
        }
        call.limits.deadline = ask.timeout.saturating_sub(begun.elapsed());
        let watch: &dyn Watch = &self.watch;
        let prompt = ask.prompt.as_bytes();
        let finished = run(&call.program, prompt, &call.limits, watch, cancel)
            .await
            .map_err(|cause| AgentError {
                failure: if self.tool.program.exists() {
                    Failure::Start(cause)
                } else {
                    Failure::Gone
                },
                usage: None,
                took: begun.elapsed(),
            })?;
        call.answer(ask, &finished, begun)
    }
}

impl Tool {
    fn prepare(&self, ask: Ask<'_>) -> Result<Call, Failure> {
        let dialect =
            dialect::named(&self.cli.dialect).ok_or(Failure::Bug("a profile without a dialect"))?;
        call::model(ask.model)?;
        let private = Private::make(&self.here)?;
        let cwd = ask.reads.map_or_else(|| private.empty(), Path::to_owned);
        let usage_file = private.path().join("usage.json");
        let mut env = self.profile.env.of_child(&self.here);
        env.insert("TMPDIR".into(), private.temp().into());
        let program = Program {
            path: self.program.clone(),
            args: command_args(&self.cli, &self.here, ask, usage_file.as_os_str()),
            env,
            cwd,
        };
        let limits = Limits {
            deadline: ask.timeout,
            output: self.profile.limits.output_bytes,
            grace: Duration::from_millis(self.profile.limits.grace_ms),
            drain: Duration::from_millis(500),
        };
        Ok(Call {
            dialect,
            program,
            limits,
            usage_file,
            _private: private,
        })
    }
}

/// One start of a tool, with the folder it runs in.
struct Call {
    dialect: &'static dyn Dialect,
    program: Program,
    limits: Limits,
    usage_file: PathBuf,
    _private: Private,
}

impl Call {
    fn answer(
        &self,
        ask: Ask<'_>,
        finished: &Finished,
        begun: Instant,
    ) -> Result<Answer, AgentError> {
        let heard = finished.stdout.len();
        let failed = |failure, usage| AgentError {
            failure,
            usage,
            took: begun.elapsed(),
        };
        // It read the prompt, whatever became of it. A flood is no model's output.
        let flooded = finished.ending == Ending::Flooded;
        let written = if flooded { 0 } else { heard.min(MOST_WRITTEN) };
        let guess = || {
            Some(
                self.reported()
                    .unwrap_or_else(|| estimate(ask.prompt, written)),
            )
        };
        let raw = |code| RawOutput {
            stdout: &finished.stdout,
            stderr_tail: &finished.stderr_tail,
            code,
        };
        let read = match finished.ending {
            Ending::Cancelled => return Err(failed(Failure::Cancelled, guess())),
            Ending::Flooded => {
                let limit = self.limits.output;
                return Err(failed(Failure::Flooded { limit }, guess()));
            }
            Ending::TimedOut => match self.dialect.stalled(&raw(None)) {
                Some(error) => Err(error),
                None => {
                    let limit = ask.timeout;
                    return Err(failed(Failure::Timeout { limit, heard }, guess()));
                }
            },
            Ending::Exited { code, signal: _ } => self.dialect.read(&raw(code)),
        };
        match read {
            Ok(reply) => {
                let reported = reply.usage.or_else(|| self.reported());
                let usage = reported.unwrap_or_else(|| estimate(ask.prompt, reply.text.len()));
                Ok(Answer {
                    text: reply.text,
                    usage,
                    stop_reason: reply.stop_reason,
                    took: begun.elapsed(),
                })
            }
            Err(error) => {
                let usage = error.usage.or_else(|| self.reported());
                Err(failed(Failure::Said(Box::new(error)), usage))
            }
        }
    }

    fn reported(&self) -> Option<Usage> {
        let bytes = std::fs::read(&self.usage_file).ok()?;
        self.dialect.usage_file(&bytes)
    }
}
