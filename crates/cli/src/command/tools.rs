//! `agon tools`: which tools are here, and what to do about those that are not.

mod doctor;

use agon_agents::profile::Api;
use agon_agents::servers::{self, Server};
use agon_agents::{Environment, Found, Login};
use agon_app::seating::two_models;
use agon_app::settings;
use agon_app::tools::Tools;
pub(crate) use doctor::{DoctorDoc, SCHEMA as DOCTOR_SCHEMA};
use serde::Serialize;

use crate::args::{Global, ToolsCommand};
use crate::edge::Edge;
use crate::error::{Exit, Failure};
use crate::output::{Out, columns};

/// Runs `agon tools`, or what is to be done with them.
pub(crate) async fn run(
    edge: &Edge,
    global: &Global,
    command: Option<&ToolsCommand>,
    out: &mut Out,
) -> Result<Exit, Failure> {
    if let Some(ToolsCommand::Doctor(args)) = command {
        return doctor::run(edge, global, args, out).await;
    }
    let settings = settings::of(edge)?;
    let tools = Tools::detect(edge, &settings, &[]).await?;
    if global.json {
        let (tools, _) = tools.and_servers(edge, &settings).await?;
        let tools = tools.found().filter(is_shown).map(entry).collect();
        out.json(&Document {
            schema: "agon.tools/1",
            tools,
        })?;
        return Ok(Exit::Done);
    }
    let mut rows = vec![["tool", "version", "login", "spoken to by", "to do"].map(str::to_owned)];
    rows.extend(tools.found().filter(is_shown).map(row));
    out.data(&columns(&rows))?;
    // Who is no program sits only where it is named.
    let programs = tools.found().filter(|found| found.profile.is_program());
    let ready: Vec<_> = programs.filter(|found| entry(found).usable).collect();
    let summary = match ready.as_slice() {
        [] => "no tool can debate yet; a debate needs two".to_owned(),
        [one] => format!(
            "one tool can debate; a debate needs two, or two models of one:\n    \
             agon debate \"your question\" {}",
            two_models(one.profile.name.as_str())
        ),
        ready => format!(
            "{} tools can debate: agon debate \"your question\"",
            ready.len()
        ),
    };
    out.line(&format!("\n{summary}"))?;
    let here = Environment::new(edge.vars_os.clone());
    for line in apis(&here)
        .into_iter()
        .chain(served(&servers::find(&here).await))
    {
        out.line(&line)?;
    }
    Ok(Exit::Done)
}

/// The known services to which there is a key.
fn apis(here: &Environment) -> Option<String> {
    let with_key = |api: Api| {
        let set = api.key_env.iter().find(|name| here.text(name).is_some())?;
        Some(format!("{}:MODEL ({set})", api.name))
    };
    let apis: Vec<_> = Api::all().into_iter().filter_map(with_key).collect();
    (!apis.is_empty()).then(|| format!("model APIs with a key here: {}", apis.join(", ")))
}

/// The models of the servers on this machine.
fn served(servers: &[Server]) -> Vec<String> {
    const SHOWN: usize = 5;
    let mut lines = Vec::new();
    for server in servers {
        let tools = server.tools();
        lines.push(format!("{} on this machine:", server.name));
        lines.extend(tools.iter().take(SHOWN).map(|tool| format!("    {tool}")));
        if tools.len() > SHOWN {
            lines.push(format!("    and {} more", tools.len() - SHOWN));
        }
    }
    lines
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    tools: Vec<Entry>,
}

#[derive(Serialize)]
struct Entry {
    tool: String,
    vendor: String,
    installed: bool,
    version: Option<String>,
    login: &'static str,
    usable: bool,
    transports: Vec<&'static str>,
    to_do: Option<String>,
}

/// Who is no program is never one that is not installed.
fn is_shown(found: &&Found) -> bool {
    found.profile.is_program() || entry(found).usable
}

fn entry(found: &Found) -> Entry {
    let ways = found.ways();
    let login = match &found.login {
        _ if ways.is_empty() => "not_installed",
        Login::LoggedIn => "logged_in",
        Login::LoggedOut { .. } => "logged_out",
        Login::Unknown => "unknown",
    };
    Entry {
        tool: found.profile.name.to_string(),
        vendor: found.profile.vendor.clone(),
        installed: !ways.is_empty(),
        version: found.version.clone(),
        login,
        usable: matches!(login, "logged_in" | "unknown"),
        transports: ways.iter().map(|way| way.name()).collect(),
        to_do: found.hint(),
    }
}

fn row(found: &Found) -> [String; 5] {
    let entry = entry(found);
    let login = match entry.login {
        "logged_in" => "logged in",
        "logged_out" => "logged out",
        "not_installed" => "-",
        _ => "cannot be told",
    };
    [
        entry.tool,
        entry.version.unwrap_or_else(|| {
            if entry.installed {
                "?"
            } else {
                "not installed"
            }
            .to_owned()
        }),
        login.to_owned(),
        entry.transports.join(", "),
        entry.to_do.unwrap_or_default(),
    ]
}
