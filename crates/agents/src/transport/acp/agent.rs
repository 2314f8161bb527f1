//! The Agent Client Protocol agent and its sessions.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use agon_proc::{PrivatePlaces, Watch};
use agon_record::spec::ToolName;
use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use super::calls::Calls;
use super::consent::Consent;
use super::fault;
use super::live::{Live, Start};
use super::offer::Offer;
use super::opening::{AcpOpening, set_effort};
use super::tool::Tool;
use super::turn::AcpTurn;
use super::usage::Meter;
use super::wire::AcpWire;
use crate::agent::{Agent, AgentAnswer, AgentError, CallFailure, Session};
use crate::ask::Ask;
use crate::breach::Breach;
use crate::environment::Environment;
use crate::profile::{Confinement, ContextDegradation, Profile, Transport};
use crate::transport::call::{self, CallSlots, PrivateCallFolder, error_without_usage};
use crate::transport::reach;

/// A tool that is started once per conversation.
#[derive(Clone, Debug)]
pub struct AcpAgent(Arc<Tool>);

impl AcpAgent {
    /// Creates an agent for the tool of a profile, at `program`; `None` if the tool does not
    /// support the protocol.
    pub(crate) fn new(
        profile: Profile,
        program: PathBuf,
        here: Environment,
        places: CallSlots,
    ) -> Option<Self> {
        let acp = profile.acp.clone()?;
        Some(Self(Arc::new(Tool {
            profile,
            acp,
            program,
            here,
            places,
        })))
    }
}

impl Agent for AcpAgent {
    fn name(&self) -> &ToolName {
        &self.0.profile.name
    }

    fn transport(&self) -> Transport {
        Transport::Acp
    }

    fn private_places(&self) -> Option<PrivatePlaces> {
        Some(self.0.here.private_places())
    }

    fn context_degradation(&self, model: Option<&str>) -> ContextDegradation {
        self.0.profile.context_degradation(model)
    }

    fn open(&self, watch: Arc<dyn Watch>) -> Box<dyn Session> {
        Box::new(AcpSession {
            tool: Arc::clone(&self.0),
            watch,
            live: None,
        })
    }
}

/// A conversation with one process, which is started for the first prompt.
struct AcpSession {
    tool: Arc<Tool>,
    watch: Arc<dyn Watch>,
    live: Option<Live>,
}

#[async_trait]
impl Session for AcpSession {
    fn retains_context(&self) -> bool {
        let live = self.live.as_ref();
        live.is_some_and(|live| live.answered && live.wire.is_alive())
    }

    fn id(&self) -> Option<&str> {
        self.live.as_ref().map(|live| live.session().0.as_ref())
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
        let start = Start {
            reads: ask.reads.map(Path::to_owned),
            model: call::validate_model_name(ask.model)
                .map_err(error_without_usage)?
                .map(str::to_owned),
        };
        // Take `live` out of the session, so that dropping this future drops it and ends the
        // process.
        let live = self.live.take();
        let turn = AcpTurn {
            ask,
            cancel,
            begun,
            tool: &self.tool,
        };
        let live = match live {
            Some(live) if live.wire.is_alive() && live.start == start => live,
            Some(live) => {
                let is_alive = live.wire.is_alive();
                let told = live.answered;
                live.wire.stop(self.tool.stop_timeouts()).await;
                if told {
                    // The new prompt may rely on earlier ones, which a new process would not have.
                    let breach = if is_alive {
                        Breach::Changed
                    } else {
                        Breach::Died
                    };
                    return Err(turn.agent_error(breach.into(), None));
                }
                self.start_conversation(&turn, start).await?
            }
            None => self.start_conversation(&turn, start).await?,
        };
        let mut live = live;
        if live.effort != ask.effort {
            // Ignore the result: if the agent failed or is silent, the turn will show it.
            set_effort(&live.wire, &mut live.offer, &self.tool.acp, ask.effort).await;
            live.effort = ask.effort;
        }
        let (outcome, live) = turn.run(live).await;
        self.live = live;
        if let Err(error) = &outcome {
            let tool = &self.tool;
            let failure = error.cause().code;
            tool.here
                .forget_login_if_refused(&tool.profile.name, failure);
        }
        outcome
    }

    async fn close(&mut self) {
        if let Some(live) = self.live.take() {
            live.wire.stop(self.tool.stop_timeouts()).await;
        }
    }
}

impl AcpSession {
    /// Starts a process and opens a conversation with it.
    async fn start_conversation(
        &self,
        turn: &AcpTurn<'_>,
        start: Start,
    ) -> Result<Live, AgentError> {
        let mut wire = None;
        let opened = tokio::select! {
            biased;
            () = turn.cancel.cancelled() => Err(CallFailure::Cancelled),
            () = turn.wait_for_timeout() => Err(turn.timeout_failure(0)),
            opened = self.open_conversation(turn.ask, &start, &mut wire) => opened,
        };
        let failure = match (opened, wire.take()) {
            (Ok((offer, private, confinement)), Some(wire)) => {
                return Ok(Live {
                    wire,
                    offer,
                    meter: Meter::default(),
                    answered: false,
                    modes: confinement.modes.clone(),
                    calls: Calls::new(confinement.sandboxed),
                    start,
                    effort: turn.ask.effort,
                    _private: private,
                });
            }
            (Ok(_), None) => CallFailure::Bug("a conversation without a process"),
            (Err(failure), None) => failure,
            (Err(failure), Some(wire)) => {
                let stopped = wire.stop(self.tool.stop_timeouts()).await;
                let crashed = matches!(failure, CallFailure::Broken(Breach::Died | Breach::Deaf));
                // A process that ends at once often prints the reason, so prefer that.
                let said = stopped
                    .filter(|_| crashed)
                    .as_ref()
                    .and_then(fault::from_stopped_process);
                said.map_or(failure, |error| CallFailure::Said(Box::new(error)))
            }
        };
        Err(turn.agent_error(failure, None))
    }

    async fn open_conversation(
        &self,
        ask: Ask<'_>,
        start: &Start,
        slot: &mut Option<AcpWire>,
    ) -> Result<(Offer, PrivateCallFolder, &Confinement), CallFailure> {
        let Tool { acp, here, .. } = &*self.tool;
        if let Some(address) =
            reach::find_refused_address(self.tool.profile.base_urls(), here).await
        {
            return Err(CallFailure::Unreachable { address });
        }
        let confinement = acp.confinement(start.reads.is_some());
        let confinement = confinement.ok_or(Breach::NoFolder)?;
        let private = PrivateCallFolder::make(here)?.with_files(&self.tool.profile.files)?;
        let cwd = start
            .reads
            .clone()
            .unwrap_or_else(|| private.empty_folder());
        let program = self
            .tool
            .program(confinement, start.model.as_deref(), &cwd, &private);
        let consent = match &start.reads {
            Some(folder) if confinement.grant => Consent::allow_reading_in(folder),
            Some(_) | None => Consent::default(),
        };
        let max_bytes = self.tool.profile.limits.output_bytes;
        let watch = Arc::clone(&self.watch);
        let wire = AcpWire::start(
            &program,
            watch,
            consent,
            max_bytes,
            self.tool.stop_timeouts(),
        )
        .await;
        let gone = !self.tool.program.exists();
        let wire = slot.insert(wire.map_err(|failure| {
            if gone && matches!(failure, CallFailure::Start(_)) {
                CallFailure::Gone
            } else {
                failure
            }
        })?);
        let started = acp.model_env.is_some() || acp.model_setting.is_some();
        let chosen = acp.model.is_empty() && !started;
        let opening = AcpOpening {
            acp,
            confinement,
            cwd: &cwd,
            model: start.model.as_deref().filter(|_| chosen),
            effort: ask.effort,
        };
        let offer = opening.open_conversation(wire).await?;
        Ok((offer, private, confinement))
    }
}
