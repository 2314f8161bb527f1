//! The tools on this machine and their agents.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use agon_hint::{Hint, command};
use agon_record::spec::ToolName;

use crate::agent::Agent;
use crate::detect::{DetectedTool, Login, detect_tools};
use crate::environment::Environment;
use crate::limited_agent::LimitedAgent;
use crate::profile::{Profile, Profiles, Transport, UnlistedTool, toml_key};
use crate::transport::{AcpAgent, CallSlots, CliAgent, in_process_agent};

/// The tools on this machine.
///
/// All its agents for one tool share that tool's limit on simultaneous calls.
#[derive(Clone, Debug)]
pub struct Toolbox {
    found: Vec<DetectedTool>,
    agents: BTreeMap<ToolName, ToolTransports>,
}

/// The transports of one tool that work on this machine.
#[derive(Clone, Debug)]
struct ToolTransports {
    profile: Profile,
    here: Environment,
    places: CallSlots,
    cli: Option<CliAgent>,
    acp: Option<AcpAgent>,
}

impl ToolTransports {
    fn of(found: &DetectedTool, here: &Environment) -> Self {
        let places = CallSlots::of(&found.profile, here);
        let with = |path: &Path| (found.profile.clone(), path.to_owned(), here.clone());
        let cli = found.path.as_deref().and_then(|path| {
            let (profile, path, here) = with(path);
            CliAgent::new(profile, path, here, places.clone())
        });
        let acp = found.acp.as_deref().and_then(|path| {
            let (profile, path, here) = with(path);
            AcpAgent::new(profile, path, here, places.clone())
        });
        Self {
            profile: found.profile.clone(),
            here: here.clone(),
            places,
            cli,
            acp,
        }
    }

    fn agent_for(&self, transport: Transport) -> Option<Arc<dyn Agent>> {
        let agent = self.unlimited_agent(transport)?;
        Some(match self.here.call_limits() {
            Some(limits) => Arc::new(LimitedAgent::new(agent, limits, &self.profile, &self.here)),
            None => agent,
        })
    }

    fn unlimited_agent(&self, transport: Transport) -> Option<Arc<dyn Agent>> {
        match transport {
            Transport::Cli => Some(Arc::new(self.cli.clone()?)),
            Transport::Acp => Some(Arc::new(self.acp.clone()?)),
            Transport::Http | Transport::Local | Transport::Human => {
                in_process_agent(transport, &self.profile, &self.here, &self.places)
            }
        }
    }
}

impl Toolbox {
    /// Detects all tools of the profiles.
    pub async fn detect(profiles: &Profiles, here: &Environment) -> Self {
        Self::of(detect_tools(profiles, here).await, here)
    }

    /// Detects only the tools with these names. For a name without a profile, [`Toolbox::agent`]
    /// returns an error.
    pub async fn detect_only(profiles: &Profiles, names: &[ToolName], here: &Environment) -> Self {
        Self::of(
            detect_tools(&profiles.filter_by_name(names), here).await,
            here,
        )
    }

    fn of(found: Vec<DetectedTool>, here: &Environment) -> Self {
        let agents = found
            .iter()
            .map(|found| (found.profile.name.clone(), ToolTransports::of(found, here)));
        Self {
            agents: agents.collect(),
            found,
        }
    }

    /// Adds the tools of `other` that are not in this toolbox yet.
    #[must_use]
    pub fn merge(mut self, other: Self) -> Self {
        let new = |found: &DetectedTool| self.tool(&found.profile.name).is_none();
        let new: Vec<_> = other.found.into_iter().filter(new).collect();
        self.found.extend(new);
        for (name, ways) in other.agents {
            self.agents.entry(name).or_insert(ways);
        }
        self
    }

    /// Records for each tool the tools that it offered to its model and that its profile does not
    /// list, as returned by `unlisted`. If there are any, the tool does not get an agent unless its
    /// profile permits them.
    pub fn record_unlisted_tools(&mut self, unlisted: impl Fn(&DetectedTool) -> Vec<UnlistedTool>) {
        for found in &mut self.found {
            if !found.profile.unlisted {
                found.unlisted = unlisted(found);
            }
        }
    }

    /// Returns all tools, installed or not, in display order.
    pub fn tools(&self) -> &[DetectedTool] {
        &self.found
    }

    /// Returns the detection result of a tool.
    pub fn tool(&self, name: &ToolName) -> Option<&DetectedTool> {
        self.found.iter().find(|found| found.profile.name == *name)
    }

    /// Returns an agent for a tool, over the first transport in its profile that works here.
    ///
    /// If the login state is unknown, the user is assumed to be logged in.
    ///
    /// # Errors
    ///
    /// If the tool cannot currently be used.
    pub fn agent(&self, name: &ToolName) -> Result<Arc<dyn Agent>, SeatError> {
        self.agent_over_transport(name, None)
    }

    /// Returns an agent over this transport. With `None`, uses the first transport in the profile
    /// that works here.
    ///
    /// # Errors
    ///
    /// If the tool cannot currently be used, or not with this transport.
    pub fn agent_over_transport(
        &self,
        name: &ToolName,
        by: Option<Transport>,
    ) -> Result<Arc<dyn Agent>, SeatError> {
        let found = self.tool(name).ok_or_else(|| SeatError::Unknown {
            tool: name.clone(),
            known: self.join_tool_names(),
        })?;
        if let Some(missing) = &found.missing {
            return Err(SeatError::NoModel {
                what: missing.what.clone(),
                hint: missing.hint.clone(),
            });
        }
        if found.available_transports().is_empty() {
            return Err(SeatError::NotInstalled {
                tool: name.clone(),
                install: found.profile.install.hint.clone(),
            });
        }
        let ways = found.available_transports();
        // `cli` and `acp` are transports of programs, so ignore such a choice for a model server or
        // a person.
        let of_programs = |way: &Transport| matches!(way, Transport::Cli | Transport::Acp);
        let program = found.profile.transports.iter().any(of_programs);
        let by = by.filter(|by| program || !of_programs(by));
        let chosen = match by {
            Some(by) => ways.contains(&by).then_some(by),
            None => ways.first().copied(),
        };
        let agent = chosen.and_then(|by| self.agents.get(name)?.agent_for(by));
        let agent = agent.ok_or_else(|| SeatError::NoTransport {
            tool: name.clone(),
            transport: by.unwrap_or(Transport::Cli),
            install: by
                .filter(|_| !found.starts_servers)
                .and_then(|by| found.install_command(by)),
        })?;
        if let Some(first) = found.unlisted.first() {
            let names: BTreeSet<_> = found.unlisted.iter().map(|it| toml_key(&it.name)).collect();
            return Err(SeatError::Unlisted {
                tool: name.clone(),
                names: names.into_iter().collect::<Vec<_>>().join(", "),
                key: first.profile_key(),
            });
        }
        match &found.login {
            Login::LoggedOut { command } => Err(SeatError::LoggedOut {
                tool: name.clone(),
                login: command.clone(),
            }),
            Login::LoggedIn | Login::Unknown => Ok(agent),
        }
    }

    fn join_tool_names(&self) -> String {
        let names: Vec<&str> = self
            .found
            .iter()
            .map(|found| found.profile.name.as_str())
            .collect();
        names.join(", ")
    }
}

/// The reason why a tool cannot be used in a debate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SeatError {
    /// There is no tool with this name.
    #[error("unknown tool `{tool}`")]
    Unknown {
        /// The requested name.
        tool: ToolName,
        /// The names of the known tools, joined with commas.
        known: String,
    },
    /// The tool's program was not found.
    #[error("`{tool}` is not installed")]
    NotInstalled {
        /// The tool.
        tool: ToolName,
        /// The command that installs it.
        install: String,
    },
    /// The model that runs in this process is not ready.
    #[error("{what}")]
    NoModel {
        /// The missing requirement.
        what: String,
        /// How the user can provide it.
        hint: String,
    },
    /// The user is not logged in to the tool.
    #[error("`{tool}` is installed, but you are not logged in to it")]
    LoggedOut {
        /// The tool.
        tool: ToolName,
        /// The command that logs in.
        login: String,
    },
    /// The tool offers its model tools that its profile does not list.
    #[error("`{tool}` offers its model tools that are not listed in its profile: {names}")]
    Unlisted {
        /// The tool.
        tool: ToolName,
        /// The names of the unlisted tools.
        names: String,
        /// The profile key that would list the first of them.
        key: String,
    },
    /// The requested transport does not work here.
    #[error("`{tool}` cannot be used with transport {}", transport.name())]
    NoTransport {
        /// The tool.
        tool: ToolName,
        /// The requested transport.
        transport: Transport,
        /// The command that installs the transport; `None` if there is none.
        install: Option<String>,
    },
}

impl SeatError {
    /// Returns the command or setting that solves the problem.
    pub fn hint(&self) -> Hint {
        let text = match self {
            Self::Unknown { tool, .. } if Profile::from_acp_name(tool).is_some() => format!(
                "a program that only a debate record names is not started; to allow it, add a table \
                 [tools.\"{tool}\"] to your configuration"
            ),
            Self::Unknown { tool, .. }
                if Profile::from_model_name(tool).is_ok_and(|it| it.is_some()) =>
            {
                format!(
                    "a URL that only a debate record names is not used; to allow it, add a \
                     table [tools.\"{tool}\"] with transports = [\"http\"] to your configuration"
                )
            }
            Self::Unknown { known, .. } if known.is_empty() => {
                "agon tools lists the known tools; use a model API as openai:MODEL".to_owned()
            }
            Self::Unknown { known, .. } => format!("known tools: {known}, and openai:MODEL"),
            Self::NotInstalled { install, .. } => format!("install it: {install}"),
            Self::NoModel { hint, .. } => hint.clone(),
            Self::LoggedOut { login, .. } => format!("log in: {login}"),
            Self::Unlisted { tool, key, .. } => {
                let name = toml_key(tool.as_str());
                return command(format!("tools doctor {tool} --deep"))
                    .text(" shows which transports offer them")
                    .then(format!(
                        "list harmless tools in your configuration, such as \
                         tools.{name}.{key} = \"read\""
                    ))
                    .or(format!("set tools.{name}.unlisted = true"));
            }
            Self::NoTransport {
                install: Some(install),
                ..
            } => format!("install its support for this transport: {install}"),
            Self::NoTransport { tool, .. } => {
                return Hint::new("omit ").flag("transport").text(format!(
                    " to let Agon choose how to use {tool}; acp is used only if it would not \
                     start MCP servers of your own"
                ));
            }
        };
        text.into()
    }
}
