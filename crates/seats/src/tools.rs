//! The tools on this machine.

mod consented;
pub mod doctor;
pub mod naming;
pub(crate) mod offerings;
pub mod overview;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use agon_agents::profile::{LOCAL, Transport};
use agon_agents::servers::Server;
use agon_agents::{
    Agent, DetectedTool, Environment, Login, ProbeMemory, Profile, Profiles, SeatError, Toolbox,
};
use agon_caller::profiles::profiles;
use agon_caller::{Caller, Code, Failure, Hint, Notes, orphans, system};
use agon_config::Settings;
use agon_record::id::Seat;
use agon_record::spec::{Seating, ToolName};
use agon_record::state::State;

use crate::consent::Consent;
pub use consented::{require_debaters, require_members};

pub use crate::seating::two_models_flags;
use crate::seating::{Candidate, Ready, Wishes};

/// The tools on this machine.
#[derive(Debug)]
pub struct Tools {
    toolbox: Toolbox,
    candidates: Vec<Candidate>,
    settings: Vec<String>,
    /// Programs named by the user that have no profile.
    commands: Vec<ToolName>,
    /// Which of them may be sent the project's material.
    consent: Consent,
    /// The environment in which they run.
    here: Environment,
}

/// Returns where answers of tools are remembered; `None` without a cache folder.
fn probe_memory(here: &Environment) -> Option<ProbeMemory> {
    here.cache_dir().map(|cache| ProbeMemory {
        dir: cache.join("agon/probes"),
        now_ms: system::now_ms(),
    })
}

impl Tools {
    /// Detects every tool with a profile, and the programs that the user named instead.
    ///
    /// # Errors
    ///
    /// If the configuration makes a profile invalid.
    pub async fn detect(
        caller: &Caller,
        settings: &Settings,
        own: &[ToolName],
    ) -> Result<Self, Failure> {
        naming::refuse_unless_configured(caller, own)?;
        let (profiles, commands) = profiles_and_unknown_names(settings, own)?;
        let consent = Consent::read(caller, &[])?;
        let by = settings.transport;
        let all = Self::detect_named_or_all(caller, &profiles, by, None, consent).await;
        Ok(Self { commands, ..all })
    }

    /// Detects the tools for `wishes`: only the named ones if every seat is named and `others` is
    /// false, else all. The user named the tools in `own`. Other names are from a record; a URL
    /// among them is called only if it is in `granted`.
    ///
    /// # Errors
    ///
    /// If the configuration makes a profile invalid, or the user may not name a tool of `own`.
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

    /// Detects only the named tools. The user named the tools in `own`, and allowed the tools in
    /// `granted` when the debate was opened.
    ///
    /// # Errors
    ///
    /// If the configuration makes a profile invalid, or a request over a protocol names a program
    /// or URL that is not in the user's configuration.
    pub async fn detect_requested(
        caller: &Caller,
        settings: &Settings,
        names: &[ToolName],
        own: &[ToolName],
        granted: &[ToolName],
    ) -> Result<Self, Failure> {
        naming::refuse_unless_configured(caller, own)?;
        let (profiles, commands) = profiles_and_unknown_names(settings, own)?;
        let allowed = naming::names_allowed_in_record(names, own, granted);
        let profiles = profiles.with_trusted_endpoints(allowed);
        let consent = Consent::read(caller, granted)?;
        let by = settings.transport;
        let among = Self::detect_named_or_all(caller, &profiles, by, Some(names), consent).await;
        Ok(Self { commands, ..among })
    }

    /// Detects tools that a record names. A record must not start programs or call URLs, so each
    /// tool needs a profile, except built-in models, models at a known service's own URL, and
    /// `granted` URLs.
    ///
    /// # Errors
    ///
    /// If the configuration makes a profile invalid.
    pub async fn detect_recorded(
        caller: &Caller,
        settings: &Settings,
        names: &[ToolName],
        granted: &[ToolName],
    ) -> Result<Self, Failure> {
        let allowed = naming::names_allowed_in_record(names, &[], granted);
        let profiles = profiles(settings)?
            .with_local_models(names)
            .with_trusted_endpoints(allowed);
        let consent = Consent::read(caller, granted)?;
        let by = settings.transport;
        Ok(Self::detect_named_or_all(caller, &profiles, by, Some(names), consent).await)
    }

    /// Returns these tools and the models of responding local servers, with the names of the
    /// latter.
    ///
    /// # Errors
    ///
    /// If the configuration makes a profile invalid.
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

    /// Returns these tools and the models of known services or local servers.
    ///
    /// # Errors
    ///
    /// If the configuration makes a profile invalid.
    pub async fn with_models(
        self,
        caller: &Caller,
        settings: &Settings,
        names: &[ToolName],
    ) -> Result<Self, Failure> {
        let here = environment(caller);
        let profiles = profiles(settings)?.with_trusted_endpoints(names);
        let found = offerings::remove_agents_with_unlisted_tools(
            caller,
            Toolbox::detect_only(&profiles, names, &here).await,
        );
        let toolbox = self.toolbox.merge(found);
        // A person accepted these models, or they run on this machine.
        let mut consent = self.consent;
        consent.name(names.iter().cloned());
        Ok(Self {
            consent,
            candidates: candidates(&toolbox, settings.transport),
            toolbox,
            ..self
        })
    }

    /// Forgets what the tools said of themselves, so that the next detection asks each again.
    pub(crate) fn forget_answers(caller: &Caller) {
        if let Some(memory) = probe_memory(&Environment::new(caller.vars_os.clone())) {
            memory.forget_all();
        }
    }

    /// Returns the named tools, or the tools of all profiles if `names` is empty.
    async fn detect_named_or_all(
        caller: &Caller,
        profiles: &Profiles,
        by: Option<Transport>,
        names: Option<&[ToolName]>,
        consent: Consent,
    ) -> Self {
        let here = environment(caller).with_probe_limit(caller.probe_timeout);
        let memory = probe_memory(&here);
        let here = here.with_probe_memory(memory);
        let detected = async {
            match names {
                Some(names) => Toolbox::detect_only(profiles, names, &here).await,
                None => Toolbox::detect(profiles, &here).await,
            }
        };
        let (toolbox, ()) = tokio::join!(detected, orphans::remove(&here));
        let toolbox = offerings::remove_agents_with_unlisted_tools(caller, toolbox);
        Self {
            candidates: candidates(&toolbox, by),
            toolbox,
            settings: config_names_of(profiles),
            commands: Vec::new(),
            consent,
            here,
        }
    }

    /// Returns the tools, whether or not they may be sent the project's material.
    pub fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// Returns all detected tools; a person is not among them.
    pub fn detected(&self) -> impl Iterator<Item = &DetectedTool> {
        let tools = self.toolbox.tools().iter();
        tools.filter(|found| !found.profile.is_human())
    }

    /// Returns the names of project configuration files of all tools, since some tools also read
    /// the files of other tools.
    pub fn project_config_names(&self) -> &[String] {
        &self.settings
    }

    /// Rejects a seat whose tool cannot read a folder.
    ///
    /// # Errors
    ///
    /// If there is such a seat.
    pub fn require_folder_access<'a>(
        &self,
        seatings: impl IntoIterator<Item = &'a Seating>,
    ) -> Result<(), Failure> {
        match self.first_without_folder_access(seatings) {
            None => Ok(()),
            Some(tool) => {
                let message = format!("{tool} is not set up to read a folder");
                Err(Failure::new(Code::ContextRefused, message)
                    .parameter("context")
                    .hint(
                        Hint::new(format!(
                            "set `reads` in the table [tools.\"{tool}\"] of your configuration"
                        ))
                        .or(Hint::new("use ").flag_with("context", "none")),
                    ))
            }
        }
    }

    /// Returns the first of these seats' tools that cannot read a folder.
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

    /// Rejects a program without a profile in a background debate: the background process knows
    /// programs only from the configuration.
    ///
    /// # Errors
    ///
    /// If there is such a program.
    pub fn require_configured<'a>(
        &self,
        seatings: impl IntoIterator<Item = &'a Seating>,
    ) -> Result<(), Failure> {
        let mut tools = seatings.into_iter().map(|seating| &seating.tool);
        match tools.find(|tool| self.commands.contains(tool)) {
            None => Ok(()),
            Some(tool) => {
                let message = format!(
                    "{tool} is not in your configuration, so it cannot run in the background"
                );
                Err(Failure::new(Code::InvalidParameter, message)
                    .parameter("detach")
                    .hint(
                        Hint::new(format!(
                            "add a table [tools.\"{tool}\"] to your configuration"
                        ))
                        .or(Hint::new("leave out ").flag("detach")),
                    ))
            }
        }
    }

    /// Returns the agent of a tool.
    ///
    /// # Errors
    ///
    /// If the tool is not installed or not logged in.
    pub fn agent(&self, tool: &ToolName) -> Result<Arc<dyn Agent>, Failure> {
        self.toolbox.agent(tool).map_err(|error| refusal(&error))
    }

    /// Returns the agent of a tool with the given transport.
    ///
    /// # Errors
    ///
    /// If the tool is not installed, not logged in, or does not support the transport.
    pub fn agent_with_transport(
        &self,
        tool: &ToolName,
        by: Option<Transport>,
    ) -> Result<Arc<dyn Agent>, SeatError> {
        self.toolbox.agent_over_transport(tool, by)
    }

    /// Returns the agents for `seatings`, each tool once, with the transport of its first seat, or
    /// another supported one if that fails.
    ///
    /// # Errors
    ///
    /// If a tool is not installed or not logged in, or the user has not allowed its vendor.
    pub fn agents<'a>(
        &self,
        seatings: impl IntoIterator<Item = &'a Seating>,
    ) -> Result<Vec<Arc<dyn Agent>>, Failure> {
        let mut seatings: Vec<_> = seatings.into_iter().collect();
        // A stable sort, so that `dedup_by_key` keeps the first seat of each tool.
        seatings.sort_by_key(|seating| &seating.tool);
        seatings.dedup_by_key(|seating| &seating.tool);
        let agent = |seating: &Seating| {
            let tool = &seating.tool;
            self.require_consent(tool)?;
            let by = Transport::from_name(&seating.transport);
            match self.toolbox.agent_over_transport(tool, by) {
                Err(SeatError::NoTransport { .. }) => self.agent(tool),
                found => found.map_err(|error| refusal(&error)),
            }
        };
        seatings.into_iter().map(agent).collect()
    }

    /// Returns the agents of every seat, and of the substitutes that are ready.
    ///
    /// # Errors
    ///
    /// If the tool of a seat is not installed or not logged in.
    pub fn agents_of_debate(&self, state: &State) -> Result<Vec<Arc<dyn Agent>>, Failure> {
        let is_seated = |one: &&Seating| state.seats.values().any(|it| it.tool == one.tool);
        let others = state.all_substitutes();
        let others = others.filter(|one| !is_seated(one));
        let ready = others.filter(|one| self.agents([*one]).is_ok());
        self.agents(state.seats.values().chain(ready))
    }

    /// Returns the seats whose transport changes: to `by`, or to a supported transport if the
    /// recorded one no longer works. Notes the latter.
    ///
    /// # Errors
    ///
    /// If a tool is not installed or not logged in, or does not support the transport `by`.
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
                // The transport in a record can be any text, so only known names are printed.
                let before =
                    Transport::from_name(&seating.transport).map_or("that", Transport::name);
                notes.note(&format!(
                    "note: {tool} no longer supports the transport {before}; using {transport} \
                     instead"
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

/// Returns the names of the tools with a profile.
///
/// # Errors
///
/// If the configuration makes a profile invalid.
pub fn profile_names(settings: &Settings) -> Result<Vec<String>, Failure> {
    Ok(profiles(settings)?
        .iter()
        .map(|profile| profile.name.to_string())
        .collect())
}

/// Returns whether a shell reads the name as a single plain word.
pub fn is_plain_tool_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._:@/-".contains(c);
    !name.starts_with('-') && name.chars().all(is_plain)
}

/// Returns whether a tool has a profile, or its name contains a program or a model. Errors in a URL
/// are reported when the tool is detected.
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

/// Returns the AI tools that are ready.
///
/// # Errors
///
/// If the configuration makes a profile invalid.
pub async fn ready_tools(caller: &Caller, settings: &Settings) -> Result<Vec<String>, Failure> {
    let tools = Tools::detect(caller, settings, &[]).await?;
    let ready = tools.candidates().iter();
    let ready = ready.filter(|tool| tool.ready == Ready::Yes && tool.is_tool);
    Ok(ready.map(|tool| tool.tool.to_string()).collect())
}

/// Configuration files of programs without a profile that some tools read too.
const OTHER_SETTINGS: [&str; 7] = [
    ".agon",
    ".cursor",
    ".cursorrules",
    ".windsurf",
    ".kiro",
    ".aider.conf.yml",
    ".agents",
];

/// Returns the names of the tools' project configuration files.
///
/// # Errors
///
/// If the configuration makes a profile invalid.
pub fn project_config_names(settings: &Settings) -> Result<Vec<String>, Failure> {
    profiles(settings).map(|profiles| config_names_of(&profiles))
}

/// Returns the environment in which the tools of `caller` run.
fn environment(caller: &Caller) -> Environment {
    Environment::new(caller.vars_os.clone()).with_call_limits(caller.call_limits.clone())
}

fn config_names_of(profiles: &Profiles) -> Vec<String> {
    let ours = profiles.iter().flat_map(|profile| &profile.config_dirs);
    let mut names: Vec<_> = ours.cloned().collect();
    names.extend(OTHER_SETTINGS.map(str::to_owned));
    names.sort_unstable();
    names.dedup();
    names
}

/// Returns the configured profiles, with one added for each program or model in `own` that has
/// none. Also returns the names in `own` that a background process would reject, since they are
/// neither configured nor at a trusted address.
fn profiles_and_unknown_names(
    settings: &Settings,
    own: &[ToolName],
) -> Result<(Profiles, Vec<ToolName>), Failure> {
    let configured = profiles(settings)?.with_local_models(own);
    for name in own.iter().filter(|name| configured.find(name).is_none()) {
        if let Err(error) = Profile::from_model_name(name) {
            let message = format!("cannot use `{name}`: {error}");
            return Err(Failure::new(Code::InvalidParameter, message)
                .parameter("tool")
                .hint("write it as openai:MODEL@URL, with https:// or a URL of this machine"));
        }
    }
    let known = configured.clone().with_trusted_endpoints(own);
    let unknown = own.iter().filter(|name| known.find(name).is_none());
    let unknown = unknown.cloned().collect();
    Ok((configured.with_user_named(own), unknown))
}

/// Returns the failure for a tool that cannot take a seat.
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
        takes_effort: found.profile.accepts_effort(transport),
        untested: found.profile.untested,
        is_tool: found.profile.is_program(),
        ready,
    }
}
