//! `agon tools`: which tools are here, and what to do about those that are not.

mod doctor;

use agon_agents::{Found, Login};
use agon_config::Settings;
use serde::Serialize;

use crate::args::{Global, ToolsCommand};
use crate::edge::Edge;
use crate::error::{Exit, Failure};
use crate::output::{Out, columns};
use crate::settings;
use crate::tools::Tools;
pub(crate) use doctor::{DoctorDoc, SCHEMA as DOCTOR_SCHEMA};

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
    let settings = settings::resolve(edge, global, &Settings::default())?.settings;
    let tools = Tools::detect(edge, &settings, &[]).await?;
    // Who is no program is never one that is not installed.
    let shown = tools.found().iter();
    let shown = shown.filter(|found| found.profile.is_program() || entry(found).usable);
    if global.json {
        let tools = shown.map(entry).collect();
        out.json(&Document {
            schema: "agon.tools/1",
            tools,
        })?;
        return Ok(Exit::Done);
    }
    let mut rows = vec![["tool", "version", "login", "spoken to by", "to do"].map(str::to_owned)];
    rows.extend(shown.map(row));
    out.data(&columns(&rows))?;
    let ready = tools
        .found()
        .iter()
        .filter(|found| entry(found).usable)
        .count();
    let summary = match ready {
        0 => "no tool can debate yet; a debate needs two".to_owned(),
        1 => "one tool can debate; a debate needs two, or two models of one".to_owned(),
        n => format!("{n} tools can debate: agon debate \"your question\""),
    };
    out.line(&format!("\n{summary}"))?;
    Ok(Exit::Done)
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
