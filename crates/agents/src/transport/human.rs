//! The agent for a person, which never makes a call.

use std::sync::Arc;
use std::time::Duration;

use agon_proc::Watch;
use agon_record::spec::ToolName;
use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use crate::agent::{Agent, AgentAnswer, AgentError, CallFailure, Session};
use crate::ask::Ask;
use crate::profile::Transport;

/// A person, with the name of their profile.
///
/// The engine passes on what they wrote; calling this agent is an error.
#[derive(Clone, Debug)]
pub(crate) struct HumanAgent(ToolName);

impl HumanAgent {
    pub(crate) fn new(name: ToolName) -> Self {
        Self(name)
    }
}

impl Agent for HumanAgent {
    fn name(&self) -> &ToolName {
        &self.0
    }

    fn transport(&self) -> Transport {
        Transport::Human
    }

    fn open(&self, _watch: Arc<dyn Watch>) -> Box<dyn Session> {
        Box::new(HumanSession)
    }
}

/// The session of a person, in which every call fails.
#[derive(Debug)]
struct HumanSession;

#[async_trait]
impl Session for HumanSession {
    async fn ask(
        &mut self,
        _ask: Ask<'_>,
        _cancel: &CancellationToken,
    ) -> Result<AgentAnswer, AgentError> {
        Err(AgentError {
            failure: CallFailure::Person,
            usage: None,
            took: Duration::ZERO,
        })
    }
}
