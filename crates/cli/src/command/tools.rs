//! `agon tools`: shows which AI tools are installed and logged in.

mod doctor;

use agon_seats::tools::overview::{KnownApi, ModelServer, Overview, ToolEntry};
use agon_seats::tools::{overview, two_models_flags};

use crate::args::{Global, ToolsCommand};
use crate::error::{Exit, Failure};
use crate::output::{Out, align_columns};
use crate::surroundings::Surroundings;

// Chosen, not measured. A server may have hundreds of models; a debate needs two.
/// The maximum number of models listed per server.
const MAX_MODELS: usize = 5;

/// Runs `agon tools` and its subcommands.
pub(crate) async fn run(
    edge: &Surroundings,
    global: &Global,
    command: Option<&ToolsCommand>,
    out: &mut Out,
) -> Result<Exit, Failure> {
    if let Some(ToolsCommand::Doctor(args)) = command {
        return doctor::run(edge, global, args, out).await;
    }
    if global.json {
        out.write_json(&overview::document(edge).await?)?;
        return Ok(Exit::Done);
    }
    let Overview {
        tools,
        apis,
        servers,
    } = overview::overview(edge).await?;
    out.write_prose(&format!("{}\n", ready_tools_summary(&tools)))?;
    print_tools(&tools, edge.table_width, out)?;
    let lines = model_api_line(&apis)
        .into_iter()
        .chain(model_server_lines(&servers));
    let lines: Vec<_> = lines.collect();
    if !lines.is_empty() {
        out.write_line("")?;
    }
    lines.iter().try_for_each(|line| out.write_prose(line))?;
    Ok(Exit::Done)
}

/// Prints a table of the tools.
pub(super) fn print_tools(tools: &[ToolEntry], width: usize, out: &mut Out) -> Result<(), Failure> {
    let mut rows = vec![["tool", "version", "login", "transports", "to do"].map(str::to_owned)];
    rows.extend(tools.iter().map(tool_row));
    out.write_stdout(&align_columns(&rows, width))
}

/// Says how many tools can debate, and how to start a debate.
fn ready_tools_summary(tools: &[ToolEntry]) -> String {
    // Count only installed programs: other tools, such as model APIs, get a seat only if a flag
    // names them.
    let ready: Vec<_> = tools
        .iter()
        .filter(|tool| tool.is_program && tool.usable)
        .collect();
    match ready.as_slice() {
        [] => {
            let until_then = built_in_model_hint(tools).map(|it| format!(". {it}"));
            format!(
                "no tool can debate yet; a debate needs two{}",
                until_then.unwrap_or_default()
            )
        }
        [one] => format!(
            "one tool can debate; let two of its models debate:\n    \
             agon debate \"your question\" {}",
            two_models_flags(&one.tool, ["A", "B"]).typed()
        ),
        ready => {
            let names: Vec<_> = ready.iter().map(|tool| tool.tool.as_str()).collect();
            format!(
                "{} tools can debate ({}): agon debate \"your question\"",
                ready.len(),
                names.join(", ")
            )
        }
    }
}

/// Returns a hint to debate with the built-in model, if this build has one and no tool is
/// installed.
pub(super) fn built_in_model_hint(tools: &[ToolEntry]) -> Option<&'static str> {
    let is_here = tools.iter().any(|tool| tool.is_program && tool.installed);
    (cfg!(feature = "local-model") && !is_here).then_some(
        "Until then, the small built-in model can show you a debate:\n    \
         agon debate \"SQLite or plain files for the job store?\"",
    )
}

fn model_api_line(apis: &[KnownApi]) -> Option<String> {
    let name = |api: &KnownApi| format!("{}:MODEL ({})", api.name, api.key_env);
    let names: Vec<_> = apis.iter().map(name).collect();
    (!names.is_empty()).then(|| format!("model APIs with a key: {}", names.join(", ")))
}

fn model_server_lines(servers: &[ModelServer]) -> Vec<String> {
    let mut lines = Vec::new();
    for ModelServer { name, models } in servers {
        lines.push(format!("{name} on this machine:"));
        let shown = models.iter().take(MAX_MODELS);
        lines.extend(shown.map(|model| format!("    {model}")));
        if models.len() > MAX_MODELS {
            lines.push(format!("    and {} more", models.len() - MAX_MODELS));
        }
    }
    lines
}

fn tool_row(tool: &ToolEntry) -> [String; 5] {
    let login = match tool.login {
        "logged_in" => "logged in",
        "logged_out" => "logged out",
        "not_installed" => "-",
        _ if !tool.is_program => "no login needed",
        _ => "unknown",
    };
    let to_do = tool.to_do.as_deref();
    let to_do = to_do.map(|command| describe_step(tool.login, command));
    let untested = tool.untested.then_some("untested with Agon");
    let unknown = match tool.installed {
        true => "?",
        false => "not installed",
    };
    [
        tool.tool.clone(),
        tool.version.clone().unwrap_or_else(|| unknown.to_owned()),
        login.to_owned(),
        tool.transports.join(", "),
        [untested, to_do.as_deref()]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join("; "),
    ]
}

/// Describes the command that installs a tool or logs in.
fn describe_step(login: &str, command: &str) -> String {
    // A tool without a command for the login asks for it when it is started.
    match login == "logged_out" && !command.contains(' ') {
        true => format!("run `{command}` and log in"),
        false => command.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_program_is_no_step_without_what_to_do_in_it() {
        assert_eq!(
            describe_step("logged_out", "gemini"),
            "run `gemini` and log in"
        );
        assert_eq!(describe_step("logged_out", "codex login"), "codex login");
    }
}
