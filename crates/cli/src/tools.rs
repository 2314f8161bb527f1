//! The tools of this machine, as the command line needs them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use agon_agents::profile::{LOCAL, Transport};
use agon_agents::{Agent, Environment, Found, Login, Profile, Profiles, SeatError, Toolbox};
use agon_config::Settings;
use agon_debate::id::Seat;
use agon_debate::spec::{Seating, ToolName};

use crate::edge::Edge;
use crate::error::{Exit, Failure};
use crate::output::Out;
use crate::seating::{Candidate, Ready};

/// The tools of this machine.
#[derive(Debug)]
pub(crate) struct Tools {
    toolbox: Toolbox,
    candidates: Vec<Candidate>,
    settings: Vec<String>,
    /// Programs that the user named and no profile knows.
    commands: Vec<ToolName>,
}

impl Tools {
    /// Looks for every tool that has a profile, and for the programs that the user named in the
    /// place of one.
    ///
    /// # Errors
    ///
    /// If the configuration makes a profile unusable.
    pub(crate) async fn detect(
        edge: &Edge,
        settings: &Settings,
        own: &[ToolName],
    ) -> Result<Self, Failure> {
        let configured = profiles(settings)?.with_models(own);
        let commands = without_profile(&configured, own);
        let profiles = configured.with_commands(own);
        let here = Environment::new(edge.vars_os.clone()).probed_within(edge.probe_within);
        let toolbox = Toolbox::detect(&profiles, &here).await;
        let mut candidates = candidates(&toolbox, settings.transport);
        // Who is no program sits down when somebody names them.
        candidates.retain(|candidate| {
            let profile = profiles.named(&candidate.tool);
            profile.is_some_and(Profile::is_program) || own.contains(&candidate.tool)
        });
        Ok(Self {
            toolbox,
            candidates,
            settings: names_of(&profiles),
            commands,
        })
    }

    /// Looks for the tools of these names, and no others; those of `own` the user named.
    ///
    /// # Errors
    ///
    /// If the configuration makes a profile unusable.
    pub(crate) async fn detect_own(
        edge: &Edge,
        settings: &Settings,
        names: &[ToolName],
        own: &[ToolName],
    ) -> Result<Self, Failure> {
        let configured = profiles(settings)?.with_models(names);
        let commands = without_profile(&configured, own);
        let profiles = configured.with_commands(own);
        let among = Self::among(edge, (&profiles, settings.transport), names).await?;
        Ok(Self { commands, ..among })
    }

    /// Looks for the tools of these names, which a record named: no program is started because a
    /// record says so, so each of them needs a profile.
    ///
    /// # Errors
    ///
    /// If the configuration makes a profile unusable.
    pub(crate) async fn detect_named(
        edge: &Edge,
        settings: &Settings,
        names: &[ToolName],
    ) -> Result<Self, Failure> {
        let profiles = profiles(settings)?.with_models(names);
        Self::among(edge, (&profiles, settings.transport), names).await
    }

    async fn among(
        edge: &Edge,
        (profiles, by): (&Profiles, Option<Transport>),
        names: &[ToolName],
    ) -> Result<Self, Failure> {
        let here = Environment::new(edge.vars_os.clone()).probed_within(edge.probe_within);
        let toolbox = Toolbox::detect_only(profiles, names, &here).await;
        let candidates = candidates(&toolbox, by);
        Ok(Self {
            toolbox,
            candidates,
            settings: names_of(profiles),
            commands: Vec::new(),
        })
    }

    /// The names of the tools that have a profile with this program.
    pub(crate) fn known(settings: &Settings) -> Result<Vec<String>, Failure> {
        Ok(profiles(settings)?
            .iter()
            .map(|profile| profile.name.to_string())
            .collect())
    }

    /// Whether a tool has a profile, or names the program to start.
    pub(crate) fn names_one(known: &[String], name: &str) -> bool {
        let command = || Profile::of_command(&name.parse().ok()?);
        let model = || {
            let (tool, model) = name.split_once(':')?;
            (tool == LOCAL && !model.is_empty()).then_some(())
        };
        let known = known.iter().any(|known| known == name);
        known || model().is_some() || command().is_some()
    }

    /// The tools, as far as seating them goes.
    pub(crate) fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// What was found of every tool.
    pub(crate) fn found(&self) -> &[Found] {
        self.toolbox.tools()
    }

    /// The names that tools read their configuration from in a project, those of every tool:
    /// some read another's too.
    pub(crate) fn settings(&self) -> &[String] {
        &self.settings
    }

    /// Refuses a seat whose tool cannot be given a folder to read in.
    ///
    /// # Errors
    ///
    /// If there is one.
    pub(crate) fn refuse_blind<'a>(
        &self,
        seatings: impl IntoIterator<Item = &'a Seating>,
    ) -> Result<(), Failure> {
        for seating in seatings {
            let found = self.toolbox.tool(&seating.tool);
            if found.is_some_and(|found| !found.profile.reads()) {
                let tool = &seating.tool;
                let message = format!("{tool} cannot be given a folder to read in");
                return Err(Failure::new(Exit::Usage, "context_refused", message)
                    .parameter("context")
                    .hint(format!(
                        "its table [tools.\"{tool}\"] in your configuration says how (`reads`), or \
                         use --context none"
                    )));
            }
        }
        Ok(())
    }

    /// Refuses a seat of a program without a profile in a debate that is to go on by itself: the
    /// process that runs it knows programs from the configuration only.
    ///
    /// # Errors
    ///
    /// If there is one.
    pub(crate) fn refuse_unlisted<'a>(
        &self,
        seatings: impl IntoIterator<Item = &'a Seating>,
    ) -> Result<(), Failure> {
        let mut tools = seatings.into_iter().map(|seating| &seating.tool);
        match tools.find(|tool| self.commands.contains(tool)) {
            None => Ok(()),
            Some(tool) => {
                let message = format!("{tool} is named on the command line only");
                Err(Failure::new(Exit::Usage, "invalid_parameter", message)
                    .parameter("detach")
                    .hint(format!(
                        "put a table [tools.\"{tool}\"] into your configuration, or leave --detach out"
                    )))
            }
        }
    }

    /// The agent of one tool.
    ///
    /// # Errors
    ///
    /// If the tool is not there or not logged in.
    pub(crate) fn agent(&self, tool: &ToolName) -> Result<Arc<dyn Agent>, Failure> {
        self.toolbox.agent(tool).map_err(|error| refused(&error))
    }

    /// The agent of one tool, spoken to in this way.
    ///
    /// # Errors
    ///
    /// If the tool is not there, not logged in, or cannot be spoken to so.
    pub(crate) fn agent_by(
        &self,
        tool: &ToolName,
        by: Option<Transport>,
    ) -> Result<Arc<dyn Agent>, SeatError> {
        self.toolbox.agent_by(tool, by)
    }

    /// The agents for `seatings`, each tool once, spoken to as the first of its seats says, or
    /// as it can be where that is not possible.
    ///
    /// # Errors
    ///
    /// If a tool is not there or not logged in.
    pub(crate) fn agents<'a>(
        &self,
        seatings: impl IntoIterator<Item = &'a Seating>,
    ) -> Result<Vec<Arc<dyn Agent>>, Failure> {
        let mut seatings: Vec<_> = seatings.into_iter().collect();
        // A stable order: the first seat of each tool stays the first.
        seatings.sort_by_key(|seating| &seating.tool);
        seatings.dedup_by_key(|seating| &seating.tool);
        let agent = |seating: &Seating| {
            let tool = &seating.tool;
            let by = Transport::named(&seating.transport);
            match self.toolbox.agent_by(tool, by) {
                Err(SeatError::NoTransport { .. }) => self.agent(tool),
                found => found.map_err(|error| refused(&error)),
            }
        };
        seatings.into_iter().map(agent).collect()
    }

    /// The seats that are to be spoken to in another way than `seats` say: in the way `by`, or
    /// as they can be where theirs is not possible any more. What was not possible is said.
    ///
    /// # Errors
    ///
    /// If a tool is not there or not logged in, or cannot be spoken to in the way `by`.
    pub(crate) fn respoken(
        &self,
        seats: &BTreeMap<Seat, Seating>,
        by: Option<Transport>,
        out: &mut Out,
    ) -> Result<BTreeMap<Seat, Seating>, Failure> {
        let mut changed = BTreeMap::new();
        let mut said = BTreeSet::new();
        for (&seat, seating) in seats {
            let tool = &seating.tool;
            let wanted = by.or_else(|| Transport::named(&seating.transport));
            let found = match self.toolbox.agent_by(tool, wanted) {
                Err(SeatError::NoTransport { .. }) if by.is_none() => self.agent(tool)?,
                found => found.map_err(|error| refused(&error))?,
            };
            let transport = found.transport().name();
            if transport == seating.transport {
                continue;
            }
            if by.is_none() && said.insert(tool) {
                // A record can have any word there.
                let before = Transport::named(&seating.transport).map_or("that", Transport::name);
                out.note(&format!(
                    "note: {tool} cannot be spoken to over {before} any more; it goes on over \
                     {transport}"
                ));
            }
            let seating = Seating {
                transport: transport.to_owned(),
                ..seating.clone()
            };
            changed.insert(seat, seating);
        }
        Ok(changed)
    }
}

/// Configuration of programs that have no profile here, which some tools read all the same.
const OTHER_SETTINGS: [&str; 7] = [
    ".agon",
    ".cursor",
    ".cursorrules",
    ".windsurf",
    ".kiro",
    ".aider.conf.yml",
    ".agents",
];

/// The names that tools read their configuration from in a project.
///
/// # Errors
///
/// If the configuration makes a profile unusable.
pub(crate) fn names_of_settings(settings: &Settings) -> Result<Vec<String>, Failure> {
    profiles(settings).map(|profiles| names_of(&profiles))
}

fn names_of(profiles: &Profiles) -> Vec<String> {
    let ours = profiles.iter().flat_map(|profile| &profile.config_dirs);
    let mut names: Vec<_> = ours.cloned().collect();
    names.extend(OTHER_SETTINGS.map(str::to_owned));
    names.sort_unstable();
    names.dedup();
    names
}

fn profiles(settings: &Settings) -> Result<Profiles, Failure> {
    Profiles::with_overrides(&settings.tools)
        .map_err(|error| Failure::from_error(Exit::Config, "profile", &error))
}

fn without_profile(profiles: &Profiles, own: &[ToolName]) -> Vec<ToolName> {
    let unknown = own.iter().filter(|name| profiles.named(name).is_none());
    unknown.cloned().collect()
}

fn refused(error: &SeatError) -> Failure {
    Failure::from_error(Exit::Tool, "tool", error).hint(error.hint())
}

fn candidates(toolbox: &Toolbox, by: Option<Transport>) -> Vec<Candidate> {
    let candidate = |found: &Found| candidate(toolbox, found, by);
    toolbox.tools().iter().map(candidate).collect()
}

fn candidate(toolbox: &Toolbox, found: &Found, by: Option<Transport>) -> Candidate {
    let ready = match &found.login {
        _ if found.ways().is_empty() => Ready::Missing(found.to_have()),
        Login::LoggedOut { command } => Ready::LoggedOut(command.clone()),
        Login::LoggedIn | Login::Unknown => Ready::Yes,
    };
    let agent = toolbox.agent_by(&found.profile.name, by);
    let transport = agent
        .as_ref()
        .map_or(Transport::Cli, |agent| agent.transport());
    let ready = match (ready, &agent) {
        (Ready::Yes, Err(error @ SeatError::NoTransport { .. })) => Ready::OtherWay(error.hint()),
        (ready, _) => ready,
    };
    Candidate {
        tool: found.profile.name.clone(),
        vendor: found.profile.vendor.clone(),
        version: found.version.clone(),
        transport: transport.name(),
        budget: agent.as_ref().ok().and_then(|agent| agent.budget(None)),
        ready,
    }
}
