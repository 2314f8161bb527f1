//! Lists the tools on this machine, and how to get the missing ones ready.

use agon_agents::profile::Api;
use agon_agents::servers::{self, Server};
use agon_agents::{DetectedTool, Environment, Login};
use agon_caller::{Caller, Failure, settings};
use schemars::JsonSchema;
use serde::Serialize;

use super::Tools;

/// The tools on this machine: `agon.tools/1`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ToolsDoc {
    schema: &'static str,
    tools: Vec<ToolEntry>,
}

/// A tool and its state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ToolEntry {
    /// Its name.
    pub tool: String,
    vendor: Option<String>,
    /// Whether it supports at least one transport.
    pub installed: bool,
    /// Its version, if it reports one.
    pub version: Option<String>,
    /// `logged_in`, `logged_out`, `not_installed` or `unknown`.
    pub login: &'static str,
    /// Whether it was never tested with Agon.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub untested: bool,
    /// Whether it can debate.
    pub usable: bool,
    /// Its supported transports.
    pub transports: Vec<&'static str>,
    /// What to do before it can debate.
    pub to_do: Option<String>,
    /// Whether it is a program; other entries get a seat only if named.
    #[serde(skip)]
    pub is_program: bool,
}

/// The overview of tools for a person.
#[derive(Clone, Debug)]
pub struct Overview {
    /// The tools.
    pub tools: Vec<ToolEntry>,
    /// The known services for which a key is set.
    pub apis: Vec<KnownApi>,
    /// The local servers that respond.
    pub servers: Vec<ModelServer>,
}

/// A known service for which a key is set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownApi {
    /// Its name.
    pub name: String,
    /// The variable that contains the key.
    pub key_env: String,
}

/// A local model server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelServer {
    /// What it is.
    pub name: String,
    /// The tool names of its models.
    pub models: Vec<String>,
}

/// Returns the tools on this machine, with the models of local servers.
///
/// # Errors
///
/// If the configuration is invalid.
pub async fn document(caller: &Caller) -> Result<ToolsDoc, Failure> {
    let settings = settings::read_settings(caller)?;
    let tools = Tools::detect(caller, &settings, &[]).await?;
    let (tools, _) = tools.with_local_servers(caller, &settings).await?;
    Ok(ToolsDoc {
        schema: "agon.tools/1",
        tools: entries(&tools),
    })
}

/// Returns the tools on this machine, and the available services and servers.
///
/// # Errors
///
/// If the configuration is invalid.
pub async fn overview(caller: &Caller) -> Result<Overview, Failure> {
    let settings = settings::read_settings(caller)?;
    let tools = Tools::detect(caller, &settings, &[]).await?;
    let here = Environment::new(caller.vars_os.clone());
    Ok(Overview {
        tools: entries(&tools),
        apis: services_with_key(&here),
        servers: servers::find_servers(&here)
            .await
            .iter()
            .map(server)
            .collect(),
    })
}

/// Returns the tools as printed. An entry that is not a program never counts as missing.
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

/// Returns the services for which a key is set.
pub fn services_with_key(here: &Environment) -> Vec<KnownApi> {
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
