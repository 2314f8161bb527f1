//! The agents that sit at the table.

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

/// What calls are made with: the agents, by tool, and what every reply goes through.
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

/// A seat whose tool is not at the table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no agent for {tool}, which sits as {seat}")]
pub struct EmptySeat {
    /// The tool.
    pub tool: ToolName,
    /// Its seat.
    pub seat: String,
}

impl RunContext {
    /// A table with `agents`, whose processes `watch` is told of.
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

    /// The table, with this time for one ask instead of the debate's own.
    #[must_use]
    pub fn with_ask_timeout(mut self, ask: Option<Duration>) -> Self {
        self.within = ask;
        self
    }

    /// The table, with what citations are looked up in.
    #[must_use]
    pub fn with_evidence(mut self, evidence: Arc<dyn Evidence>) -> Self {
        self.evidence = evidence;
        self
    }

    /// The table, with a folder for each seat to read in.
    #[must_use]
    pub fn with_seat_folders(mut self, places: Arc<dyn SeatFolders>) -> Self {
        self.places = Some(places);
        self
    }

    /// Sets whether traces contain prompts and replies, without secrets.
    #[must_use]
    pub fn with_traced_content(mut self, told: bool) -> Self {
        self.content = told;
        self
    }

    /// Checks that every seat and every substitute has its agent.
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

    /// Time for one ask, where it is not the debate's own.
    pub(crate) fn ask_timeout(&self) -> Option<Duration> {
        self.within
    }

    pub(crate) fn evidence(&self) -> Arc<dyn Evidence> {
        Arc::clone(&self.evidence)
    }

    /// What gives each seat a folder; none where tools run in empty ones.
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
