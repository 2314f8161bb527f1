//! Which tools are here, and what to do about those that are not.

use agon_agents::profile::Api;
use agon_agents::servers::{self, Server};
use agon_agents::{DetectedTool, Environment, Login};
use agon_caller::{Caller, Failure, settings};
use schemars::JsonSchema;
use serde::Serialize;

use super::Tools;

/// The tools of this machine: `agon.tools/1`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ToolsDoc {
    schema: &'static str,
    tools: Vec<ToolEntry>,
}

/// A tool, and whether it can debate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ToolEntry {
    /// Its name.
    pub tool: String,
    vendor: Option<String>,
    /// Whether it can be spoken to in any way.
    pub installed: bool,
    /// Its version, where it says one.
    pub version: Option<String>,
    /// `logged_in`, `logged_out`, `not_installed` or `unknown`.
    pub login: &'static str,
    /// Whether it was never tried with this program.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub untested: bool,
    /// Whether it can debate.
    pub usable: bool,
    /// How it can be spoken to.
    pub transports: Vec<&'static str>,
    /// What to do before it can debate.
    pub to_do: Option<String>,
    /// Whether it is a program; what is not sits only where it is named.
    #[serde(skip)]
    pub is_program: bool,
}

/// What a person is shown of the tools of this machine.
#[derive(Clone, Debug)]
pub struct Overview {
    /// The tools.
    pub tools: Vec<ToolEntry>,
    /// The known services to which there is a key.
    pub apis: Vec<KnownApi>,
    /// The servers on this machine that answer.
    pub servers: Vec<ModelServer>,
}

/// A known service to which there is a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownApi {
    /// Its name.
    pub name: String,
    /// The variable that has the key.
    pub key_env: String,
}

/// A server of models on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelServer {
    /// What it is.
    pub name: String,
    /// The names of the tools that its models are.
    pub models: Vec<String>,
}

/// The tools of this machine, with the models of its servers.
///
/// # Errors
///
/// If the configuration is not valid.
pub async fn document(caller: &Caller) -> Result<ToolsDoc, Failure> {
    let settings = settings::read_settings(caller)?;
    let tools = Tools::detect(caller, &settings, &[]).await?;
    let (tools, _) = tools.with_local_servers(caller, &settings).await?;
    Ok(ToolsDoc {
        schema: "agon.tools/1",
        tools: entries(&tools),
    })
}

/// The tools of this machine; services and servers beside them.
///
/// # Errors
///
/// If the configuration is not valid.
pub async fn overview(caller: &Caller) -> Result<Overview, Failure> {
    let settings = settings::read_settings(caller)?;
    let tools = Tools::detect(caller, &settings, &[]).await?;
    let here = Environment::new(caller.vars_os.clone());
    Ok(Overview {
        tools: entries(&tools),
        apis: apis_with_key(&here),
        servers: servers::find_servers(&here)
            .await
            .iter()
            .map(server)
            .collect(),
    })
}

/// The tools, as they are shown; what is not a program is never one that is missing.
pub fn entries(tools: &Tools) -> Vec<ToolEntry> {
    let entries = tools.detected().map(entry);
    entries
        .filter(|entry| entry.is_program || entry.usable)
        .collect()
}

fn entry(found: &DetectedTool) -> ToolEntry {
    let ways = found.available_transports();
    let login = match &found.login {
        _ if ways.is_empty() => "not_installed",
        Login::LoggedIn => "logged_in",
        Login::LoggedOut { .. } => "logged_out",
        Login::Unknown => "unknown",
    };
    ToolEntry {
        tool: found.profile.name.to_string(),
        vendor: Some(found.profile.vendor.clone()).filter(|vendor| !vendor.is_empty()),
        installed: !ways.is_empty(),
        version: found.version.clone(),
        login,
        untested: found.profile.untested,
        usable: matches!(login, "logged_in" | "unknown"),
        transports: ways.iter().map(|way| way.name()).collect(),
        to_do: found.setup_hint(),
        is_program: found.profile.is_program(),
    }
}

/// The services behind which models answer to a key that is set.
pub fn apis_with_key(here: &Environment) -> Vec<KnownApi> {
    let with_key = |api: Api| {
        let set = api
            .key_env
            .iter()
            .find(|name| here.var_text(name).is_some())?;
        Some(KnownApi {
            key_env: set.to_string(),
            name: api.name.to_string(),
        })
    };
    Api::all().into_iter().filter_map(with_key).collect()
}

fn server(server: &Server) -> ModelServer {
    ModelServer {
        name: server.name.to_string(),
        models: server.tools().iter().map(ToString::to_string).collect(),
    }
}
