//! The agents and services that a run uses.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use agon_agents::Agent;
use agon_proc::Watch;
use agon_record::spec::ToolName;
use agon_record::state::State;
use agon_redact::Redactor;

use crate::evidence::{Evidence, NoSource};
use crate::seat_folders::SeatFolders;

/// The context of calls: the agents by tool, and the services that process replies.
#[derive(Clone)]
pub struct RunContext {
    agents: BTreeMap<ToolName, Arc<dyn Agent>>,
    redactor: Arc<Redactor>,
    watch: Arc<dyn Watch + Send + Sync>,
    within: Option<Duration>,
    evidence: Arc<dyn Evidence>,
    places: Option<Arc<dyn SeatFolders>>,
    content: bool,
}

impl std::fmt::Debug for RunContext {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RunContext")
            .field("agents", &self.agents.keys())
            .finish_non_exhaustive()
    }
}

/// A seat whose tool has no agent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no agent for {tool}, the {seat}")]
pub struct EmptySeat {
    /// The tool.
    pub tool: ToolName,
    /// Its seat.
    pub seat: String,
}

impl RunContext {
    /// Returns a context with `agents`; `watch` is notified of their processes.
    pub fn new(
        agents: impl IntoIterator<Item = Arc<dyn Agent>>,
        redactor: Arc<Redactor>,
        watch: Arc<dyn Watch + Send + Sync>,
    ) -> Self {
        let agents = agents
            .into_iter()
            .map(|agent| (agent.name().clone(), agent))
            .collect();
        Self {
            agents,
            redactor,
            watch,
            within: None,
            evidence: Arc::new(NoSource),
            places: None,
            content: false,
        }
    }

    /// Sets the time limit of one call, instead of the debate's own.
    #[must_use]
    pub fn with_ask_timeout(mut self, ask: Option<Duration>) -> Self {
        self.within = ask;
        self
    }

    /// Sets the source of citations.
    #[must_use]
    pub fn with_evidence(mut self, evidence: Arc<dyn Evidence>) -> Self {
        self.evidence = evidence;
        self
    }

    /// Sets the folders that seats read in.
    #[must_use]
    pub fn with_seat_folders(mut self, places: Arc<dyn SeatFolders>) -> Self {
        self.places = Some(places);
        self
    }

    /// Sets whether traces contain prompts and replies, without secrets.
    #[must_use]
    pub fn with_traced_content(mut self, is_traced: bool) -> Self {
        self.content = is_traced;
        self
    }

    /// Checks that every seat and every substitute has an agent.
    ///
    /// # Errors
    ///
    /// If one has none.
    pub fn check_seats(&self, state: &State) -> Result<(), EmptySeat> {
        let named = state
            .seats
            .iter()
            .map(|(seat, seating)| (seat.to_string(), seating));
        for (seat, seating) in named {
            if !self.agents.contains_key(&seating.tool) {
                return Err(EmptySeat {
                    tool: seating.tool.clone(),
                    seat,
                });
            }
        }
        Ok(())
    }

    pub(crate) fn agent(&self, tool: &ToolName) -> Option<&Arc<dyn Agent>> {
        self.agents.get(tool)
    }

    /// Returns the time limit of one call, if it differs from the debate's own.
    pub(crate) fn ask_timeout(&self) -> Option<Duration> {
        self.within
    }

    pub(crate) fn evidence(&self) -> Arc<dyn Evidence> {
        Arc::clone(&self.evidence)
    }

    /// Returns the provider of folders; `None` if tools run in empty ones.
    pub(crate) fn seat_folders(&self) -> Option<Arc<dyn SeatFolders>> {
        self.places.clone()
    }

    pub(crate) fn traces_content(&self) -> bool {
        self.content
    }

    pub(crate) fn redactor(&self) -> &Redactor {
        &self.redactor
    }

    pub(crate) fn shared_redactor(&self) -> Arc<Redactor> {
        Arc::clone(&self.redactor)
    }

    pub(crate) fn watch(&self) -> Arc<dyn Watch + Send + Sync> {
        Arc::clone(&self.watch)
    }
}
