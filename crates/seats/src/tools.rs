//! The tools of this machine.

pub mod doctor;
pub mod naming;
pub(crate) mod offerings;
pub mod overview;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use agon_agents::profile::{LOCAL, Transport};
use agon_agents::servers::Server;
use agon_agents::{Agent, DetectedTool, Environment, Login, Profile, Profiles, SeatError, Toolbox};
use agon_caller::profiles::profiles;
use agon_caller::{Caller, Code, Failure, Hint, Notes, orphans};
use agon_config::Settings;
use agon_record::id::Seat;
use agon_record::spec::{Seating, ToolName};
use agon_record::state::State;

pub use crate::seating::two_models_flags;
use crate::seating::{Candidate, Ready, Wishes};

/// The tools of this machine.
#[derive(Debug)]
pub struct Tools {
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
    pub async fn detect(
        caller: &Caller,
        settings: &Settings,
        own: &[ToolName],
    ) -> Result<Self, Failure> {
        naming::refuse_unless_configured(caller, own)?;
        let (profiles, commands) = profiles_and_unknown_names(settings, own)?;
        let all = Self::among(caller, &profiles, settings.transport, None).await;
        Ok(Self { commands, ..all })
    }

    /// Looks for the tools that may be seated: those of `wishes`, where they name every seat, else
    /// all of them; also where the `others` are wanted. The user named the tools of `own`; any others
    /// are of a record, and an address among them is asked only if it is in `granted`.
    ///
    /// # Errors
    ///
    /// If the configuration makes a profile unusable, or the user may not name a tool of `own`.
    pub async fn detect_wished(
        caller: &Caller,
        settings: &Settings,
        wishes: &Wishes,
        own: &[ToolName],
        granted: &[ToolName],
        others: bool,
    ) -> Result<Self, Failure> {
        let known = profile_names(settings)?;
        let are_named = wishes.seats().all(|(_, wish)| {
            let tool = wish.tool.as_ref();
            tool.is_some_and(|name| is_tool_name(&known, name))
        });
        if !are_named || others {
            return Self::detect(caller, settings, own).await;
        }
        Self::detect_requested(caller, settings, &wishes.named_tools(), own, granted).await
    }

    /// Looks for the tools of these names, and no others; those of `own` the user named, those of
    /// `granted` when the debate was opened.
    ///
    /// # Errors
    ///
    /// If the configuration makes a profile unusable; if the request came over a protocol and `own`
    /// names a program or an address that the user's configuration does not.
    pub async fn detect_requested(
        caller: &Caller,
        settings: &Settings,
        names: &[ToolName],
        own: &[ToolName],
        granted: &[ToolName],
    ) -> Result<Self, Failure> {
        naming::refuse_unless_configured(caller, own)?;
        let (profiles, commands) = profiles_and_unknown_names(settings, own)?;
        let allowed = naming::without_foreign_addresses(names, own, granted);
        let profiles = profiles.with_trusted_endpoints(allowed);
        let among = Self::among(caller, &profiles, settings.transport, Some(names)).await;
        Ok(Self { commands, ..among })
    }

    /// Looks for the tools of these names, which a record named: no program is started and no
    /// address asked because a record says so, so each of them needs a profile, but for models in
    /// this program, at a known service's own address, or at an address that is `granted`.
    ///
    /// # Errors
    ///
    /// If the configuration makes a profile unusable.
    pub async fn detect_recorded(
        caller: &Caller,
        settings: &Settings,
        names: &[ToolName],
        granted: &[ToolName],
    ) -> Result<Self, Failure> {
        let allowed = naming::without_foreign_addresses(names, &[], granted);
        let profiles = profiles(settings)?
            .with_local_models(names)
            .with_trusted_endpoints(allowed);
        Ok(Self::among(caller, &profiles, settings.transport, Some(names)).await)
    }

    /// Besides these tools, the models of the servers on this machine that answer; and their names.
    ///
    /// # Errors
    ///
    /// If the configuration makes a profile unusable.
    pub async fn with_local_servers(
        self,
        caller: &Caller,
        settings: &Settings,
    ) -> Result<(Self, Vec<ToolName>), Failure> {
        let here = Environment::new(caller.vars_os.clone());
        let servers = agon_agents::servers::find_servers(&here).await;
        let names: Vec<_> = servers.iter().flat_map(Server::tools).collect();
        let tools = self.with_models(caller, settings, &names).await?;
        Ok((tools, names))
    }

    /// Besides these tools, models of services that are known or on this machine.
    ///
    /// # Errors
    ///
    /// If the configuration makes a profile unusable.
    pub async fn with_models(
        self,
        caller: &Caller,
        settings: &Settings,
        names: &[ToolName],
    ) -> Result<Self, Failure> {
        let here = Environment::new(caller.vars_os.clone());
        let profiles = profiles(settings)?.with_trusted_endpoints(names);
        let found = offerings::distrust_unlisted_offers(
            caller,
            Toolbox::detect_only(&profiles, names, &here).await,
        );
        let toolbox = self.toolbox.merge(found);
        Ok(Self {
            candidates: candidates(&toolbox, settings.transport),
            toolbox,
            ..self
        })
    }

    /// The tools of these names, or of every profile where there are none.
    async fn among(
        caller: &Caller,
        profiles: &Profiles,
        by: Option<Transport>,
        names: Option<&[ToolName]>,
    ) -> Self {
        let here = Environment::new(caller.vars_os.clone()).with_probe_limit(caller.probe_timeout);
        let detected = async {
            match names {
                Some(names) => Toolbox::detect_only(profiles, names, &here).await,
                None => Toolbox::detect(profiles, &here).await,
            }
        };
        let (toolbox, ()) = tokio::join!(detected, orphans::remove(&here));
        let toolbox = offerings::distrust_unlisted_offers(caller, toolbox);
        Self {
            candidates: candidates(&toolbox, by),
            toolbox,
            settings: config_names_of(profiles),
            commands: Vec::new(),
        }
    }

    /// The tools, as far as seating them goes.
    pub fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// What was found of every tool; a person is none.
    pub fn detected(&self) -> impl Iterator<Item = &DetectedTool> {
        let tools = self.toolbox.tools().iter();
        tools.filter(|found| !found.profile.is_human())
    }

    /// The names that tools read their configuration from in a project, those of every tool:
    /// some read another's too.
    pub fn project_config_names(&self) -> &[String] {
        &self.settings
    }

    /// Refuses a seat whose tool cannot be given a folder to read in.
    ///
    /// # Errors
    ///
    /// If there is one.
    pub fn require_folder_access<'a>(
        &self,
        seatings: impl IntoIterator<Item = &'a Seating>,
    ) -> Result<(), Failure> {
        match self.first_without_folder_access(seatings) {
            None => Ok(()),
            Some(tool) => {
                let message = format!("{tool} cannot be given a folder to read in");
                Err(Failure::new(Code::ContextRefused, message)
                    .parameter("context")
                    .hint(
                        Hint::new(format!(
                            "its table [tools.\"{tool}\"] in your configuration says how (`reads`)"
                        ))
                        .or(Hint::new("use ").flag_with("context", "none")),
                    ))
            }
        }
    }

    /// The first of these seats' tools that cannot be given a folder to read in.
    pub fn first_without_folder_access<'a>(
        &self,
        seatings: impl IntoIterator<Item = &'a Seating>,
    ) -> Option<&'a ToolName> {
        let cannot = |tool: &&ToolName| {
            let found = self.toolbox.tool(tool);
            found.is_some_and(|found| !found.profile.can_read_folder())
        };
        let mut tools = seatings.into_iter().map(|seating| &seating.tool);
        tools.find(cannot)
    }

    /// Refuses a seat of a program without a profile in a debate that is to go on by itself: the
    /// process that runs it knows programs from the configuration only.
    ///
    /// # Errors
    ///
    /// If there is one.
    pub fn require_configured<'a>(
        &self,
        seatings: impl IntoIterator<Item = &'a Seating>,
    ) -> Result<(), Failure> {
        let mut tools = seatings.into_iter().map(|seating| &seating.tool);
        match tools.find(|tool| self.commands.contains(tool)) {
            None => Ok(()),
            Some(tool) => {
                let message = format!("{tool} is named on the command line only");
                Err(Failure::new(Code::InvalidParameter, message)
                    .parameter("detach")
                    .hint(
                        Hint::new(format!(
                            "put a table [tools.\"{tool}\"] into your configuration"
                        ))
                        .or(Hint::new("leave ").flag("detach").text(" out")),
                    ))
            }
        }
    }

    /// The agent of one tool.
    ///
    /// # Errors
    ///
    /// If the tool is not there or not logged in.
    pub fn agent(&self, tool: &ToolName) -> Result<Arc<dyn Agent>, Failure> {
        self.toolbox.agent(tool).map_err(|error| refusal(&error))
    }

    /// The agent of one tool, spoken to in this way.
    ///
    /// # Errors
    ///
    /// If the tool is not there, not logged in, or cannot be spoken to so.
    pub fn agent_by(
        &self,
        tool: &ToolName,
        by: Option<Transport>,
    ) -> Result<Arc<dyn Agent>, SeatError> {
        self.toolbox.agent_over_transport(tool, by)
    }

    /// The agents for `seatings`, each tool once, spoken to as the first of its seats says, or
    /// as it can be where that is not possible.
    ///
    /// # Errors
    ///
    /// If a tool is not there or not logged in.
    pub fn agents<'a>(
        &self,
        seatings: impl IntoIterator<Item = &'a Seating>,
    ) -> Result<Vec<Arc<dyn Agent>>, Failure> {
        let mut seatings: Vec<_> = seatings.into_iter().collect();
        // A stable order: the first seat of each tool stays the first.
        seatings.sort_by_key(|seating| &seating.tool);
        seatings.dedup_by_key(|seating| &seating.tool);
        let agent = |seating: &Seating| {
            let tool = &seating.tool;
            let by = Transport::from_name(&seating.transport);
            match self.toolbox.agent_over_transport(tool, by) {
                Err(SeatError::NoTransport { .. }) => self.agent(tool),
                found => found.map_err(|error| refusal(&error)),
            }
        };
        seatings.into_iter().map(agent).collect()
    }

    /// The agents for every seat, and for the substitutes that can speak.
    ///
    /// # Errors
    ///
    /// If the tool of a seat is not there or not logged in.
    pub fn agents_of_debate(&self, state: &State) -> Result<Vec<Arc<dyn Agent>>, Failure> {
        let is_seated = |one: &&Seating| state.seats.values().any(|it| it.tool == one.tool);
        let others = state.all_substitutes();
        let others = others.filter(|one| !is_seated(one));
        let ready = others.filter(|one| self.agents([*one]).is_ok());
        self.agents(state.seats.values().chain(ready))
    }

    /// The seats whose transport changes: to `by`, or to a transport that works where the recorded
    /// one does not. Each change of the latter kind is noted.
    ///
    /// # Errors
    ///
    /// If a tool is not there or not logged in, or cannot be spoken to in the way `by`.
    pub fn seats_changing_transport(
        &self,
        seats: &BTreeMap<Seat, Seating>,
        by: Option<Transport>,
        notes: &mut dyn Notes,
    ) -> Result<BTreeMap<Seat, Seating>, Failure> {
        let mut changed = BTreeMap::new();
        let mut said = BTreeSet::new();
        for (&seat, seating) in seats {
            let tool = &seating.tool;
            if seating.is_human() {
                continue;
            }
            let wanted = by.or_else(|| Transport::from_name(&seating.transport));
            let found = match self.toolbox.agent_over_transport(tool, wanted) {
                Err(SeatError::NoTransport { .. }) if by.is_none() => self.agent(tool)?,
                found => found.map_err(|error| refusal(&error))?,
            };
            let transport = found.transport().name();
            if transport == seating.transport {
                continue;
            }
            if by.is_none() && said.insert(tool) {
                // A record can have any word there.
                let before =
                    Transport::from_name(&seating.transport).map_or("that", Transport::name);
                notes.note(&format!(
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

/// The names of the tools that have a profile.
///
/// # Errors
///
/// If the configuration makes a profile unusable.
pub fn profile_names(settings: &Settings) -> Result<Vec<String>, Failure> {
    Ok(profiles(settings)?
        .iter()
        .map(|profile| profile.name.to_string())
        .collect())
}

/// Whether no shell reads the name of a tool as anything else than a word.
pub fn is_plain_tool_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._:@/-".contains(c);
    !name.starts_with('-') && name.chars().all(is_plain)
}

/// Whether a tool has a profile, or names the program to start or the model to ask; what is
/// wrong with an address in such a name is told when it is looked for.
pub fn is_tool_name(known: &[String], name: &str) -> bool {
    let named = || {
        let name = name.parse().ok()?;
        let model = || Profile::from_model_name(&name).map_or(Some(()), |model| model.map(drop));
        Profile::from_acp_name(&name).map(drop).or_else(model)
    };
    let local = || {
        let (tool, model) = name.split_once(':')?;
        (tool == LOCAL && !model.is_empty()).then_some(())
    };
    known.iter().any(|known| known == name) || local().or_else(named).is_some()
}

/// The AI tools that can speak.
///
/// # Errors
///
/// If the configuration makes a profile unusable.
pub async fn ready_tools(caller: &Caller, settings: &Settings) -> Result<Vec<String>, Failure> {
    let tools = Tools::detect(caller, settings, &[]).await?;
    let ready = tools.candidates().iter();
    let ready = ready.filter(|tool| tool.ready == Ready::Yes && tool.is_tool);
    Ok(ready.map(|tool| tool.tool.to_string()).collect())
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
pub fn project_config_names(settings: &Settings) -> Result<Vec<String>, Failure> {
    profiles(settings).map(|profiles| config_names_of(&profiles))
}

fn config_names_of(profiles: &Profiles) -> Vec<String> {
    let ours = profiles.iter().flat_map(|profile| &profile.config_dirs);
    let mut names: Vec<_> = ours.cloned().collect();
    names.extend(OTHER_SETTINGS.map(str::to_owned));
    names.sort_unstable();
    names.dedup();
    names
}

/// The configured profiles, with one for each program or model that `own` names and that has none;
/// and those names of `own` that a background process, which only knows the names, would not
/// accept: neither configured, nor at a trusted address.
fn profiles_and_unknown_names(
    settings: &Settings,
    own: &[ToolName],
) -> Result<(Profiles, Vec<ToolName>), Failure> {
    let configured = profiles(settings)?.with_local_models(own);
    for name in own.iter().filter(|name| configured.find(name).is_none()) {
        if let Err(error) = Profile::from_model_name(name) {
            let message = format!("`{name}` cannot be asked: {error}");
            return Err(Failure::new(Code::InvalidParameter, message)
                .parameter("tool")
                .hint(
                    "such a name is openai:MODEL@URL, with https:// or an address of this machine",
                ));
        }
    }
    let known = configured.clone().with_trusted_endpoints(own);
    let unknown = own.iter().filter(|name| known.find(name).is_none());
    let unknown = unknown.cloned().collect();
    Ok((configured.with_user_named(own), unknown))
}

/// The failure that a tool is which cannot be seated.
pub fn refusal(error: &SeatError) -> Failure {
    Failure::from_error(Code::Tool, error).hint(error.hint())
}

fn candidates(toolbox: &Toolbox, by: Option<Transport>) -> Vec<Candidate> {
    let candidate = |found: &DetectedTool| candidate(toolbox, found, by);
    toolbox.tools().iter().map(candidate).collect()
}

fn candidate(toolbox: &Toolbox, found: &DetectedTool, by: Option<Transport>) -> Candidate {
    let ready = match &found.login {
        _ if found.available_transports().is_empty() => Ready::Missing(found.install_hint()),
        Login::LoggedOut { command } => Ready::LoggedOut(command.clone()),
        Login::LoggedIn | Login::Unknown => Ready::Yes,
    };
    let agent = toolbox.agent_over_transport(&found.profile.name, by);
    let usual = || {
        let named = found.profile.transports.iter().copied();
        found.available_transports().into_iter().chain(named).next()
    };
    let transport = match &agent {
        Ok(agent) => agent.transport(),
        Err(_) => usual().unwrap_or(Transport::Cli),
    };
    let ready = match (ready, &agent) {
        (Ready::Yes, Err(error @ SeatError::NoTransport { .. })) => Ready::OtherWay(error.hint()),
        (Ready::Yes, Err(error @ SeatError::Unlisted { .. })) => {
            Ready::Unlisted(error.to_string(), error.hint())
        }
        (ready, _) => ready,
    };
    Candidate {
        tool: found.profile.name.clone(),
        vendor: found.profile.vendor.clone(),
        version: found.version.clone(),
        unmeasured: found.is_version_unmeasured(),
        transport: transport.name(),
        budget: agent
            .as_ref()
            .ok()
            .and_then(|agent| agent.token_budget(None)),
        classes: found.profile.classes.clone(),
        takes_effort: found.profile.takes_effort(transport),
        untested: found.profile.untested,
        is_tool: found.profile.is_program(),
        ready,
    }
}
