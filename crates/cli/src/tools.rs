//! The tools of this machine, as the command line needs them.

use std::sync::Arc;

use agon_agents::{Agent, Environment, Found, Login, Profiles, Toolbox};
use agon_config::Settings;
use agon_debate::spec::{Seating, ToolName};

use crate::edge::Edge;
use crate::error::{Exit, Failure};
use crate::seating::{Candidate, Ready};

/// The tools of this machine.
#[derive(Debug)]
pub(crate) struct Tools {
    toolbox: Toolbox,
    candidates: Vec<Candidate>,
}

impl Tools {
    /// Looks for every tool that has a profile.
    ///
    /// # Errors
    ///
    /// If the configuration makes a profile unusable.
    pub(crate) async fn detect(edge: &Edge, settings: &Settings) -> Result<Self, Failure> {
        let profiles = profiles(settings)?;
        let here = Environment::new(edge.vars_os.clone());
        let toolbox = Toolbox::detect(&profiles, &here).await;
        let candidates = toolbox.tools().iter().map(candidate).collect();
        Ok(Self {
            toolbox,
            candidates,
        })
    }

    /// Looks for the tools of these names, and no others.
    ///
    /// # Errors
    ///
    /// If the configuration makes a profile unusable.
    pub(crate) async fn detect_named(
        edge: &Edge,
        settings: &Settings,
        names: &[ToolName],
    ) -> Result<Self, Failure> {
        let profiles = profiles(settings)?;
        let here = Environment::new(edge.vars_os.clone());
        let toolbox = Toolbox::detect_only(&profiles, names, &here).await;
        let candidates = toolbox.tools().iter().map(candidate).collect();
        Ok(Self {
            toolbox,
            candidates,
        })
    }

    /// The names of the tools that have a profile with this program.
    pub(crate) fn known(settings: &Settings) -> Result<Vec<String>, Failure> {
        Ok(profiles(settings)?
            .iter()
            .map(|profile| profile.name.to_string())
            .collect())
    }

    /// The tools, as far as seating them goes.
    pub(crate) fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// What was found of every tool.
    pub(crate) fn found(&self) -> &[Found] {
        self.toolbox.tools()
    }

    /// The agent of one tool.
    ///
    /// # Errors
    ///
    /// If the tool is not there or not logged in.
    pub(crate) fn agent(&self, tool: &ToolName) -> Result<Arc<dyn Agent>, Failure> {
        self.toolbox
            .agent(tool)
            .map_err(|error| Failure::from_error(Exit::Tool, "tool", &error).hint(error.hint()))
    }

    /// The agents for `seatings`, each tool once.
    ///
    /// # Errors
    ///
    /// If a tool is not there or not logged in.
    pub(crate) fn agents<'a>(
        &self,
        seatings: impl IntoIterator<Item = &'a Seating>,
    ) -> Result<Vec<Arc<dyn Agent>>, Failure> {
        let mut tools: Vec<_> = seatings.into_iter().map(|seating| &seating.tool).collect();
        tools.sort();
        tools.dedup();
        tools.into_iter().map(|tool| self.agent(tool)).collect()
    }
}

fn profiles(settings: &Settings) -> Result<Profiles, Failure> {
    Profiles::with_overrides(&settings.tools)
        .map_err(|error| Failure::from_error(Exit::Config, "profile", &error))
}

fn candidate(found: &Found) -> Candidate {
    let ready = match (&found.path, &found.login) {
        (None, _) => Ready::Missing(found.profile.install.hint.clone()),
        (Some(_), Login::LoggedOut { command }) => Ready::LoggedOut(command.clone()),
        (Some(_), Login::LoggedIn | Login::Unknown) => Ready::Yes,
    };
    Candidate {
        tool: found.profile.name.clone(),
        vendor: found.profile.vendor.clone(),
        version: found.version.clone(),
        ready,
    }
}
