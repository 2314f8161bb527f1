//! `agon hosts`: the AI tools here, and what of Agon is in them.

mod lint;

use agon_caller::CallFront;
use agon_install::hosts;
use agon_install::hosts::{HostState, InstalledState};

pub(crate) use self::lint::format_finding;

use agon_report::text::{count_with_noun, plain_line};

use crate::args::{Global, HostsArgs, HostsCommand};
use crate::edge::Surroundings;
use crate::error::{Exit, Failure};
use crate::output::{BAD, DIM, ODD, Out, STRONG, apply_style};

/// Runs `agon hosts`.
pub(crate) async fn run(
    edge: &Surroundings,
    global: &Global,
    args: &HostsArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    if let Some(HostsCommand::Lint(args)) = &args.command {
        return lint::run(edge, global, args, out);
    }
    let cancel = out.cancel_token();
    let document = hosts::overview(edge, cancel).await?;
    if global.json {
        out.write_json(&document)?;
        return Ok(Exit::Done);
    }
    let wide = document.hosts.iter().map(|host| host.title.len()).max();
    for host in &document.hosts {
        out.write_stdout(&format_host(host, wide.unwrap_or(0)))?;
    }
    let is_free = |host: &&HostState| host.is_here && host.installed.is_none();
    if let Some(host) = document.hosts.iter().find(is_free) {
        out.eprint_line(&format!("\nagon install {} puts it there", host.host));
    }
    Ok(Exit::Done)
}

fn format_host(host: &HostState, wide: usize) -> String {
    let version = match (&host.version, host.is_here) {
        (Some(version), _) => plain_line(version),
        (None, true) => "here".to_owned(),
        (None, false) => apply_style(DIM, "not here"),
    };
    let title = apply_style(STRONG, &format!("{:<wide$}", host.title));
    let Some(state) = &host.installed else {
        let nothing = match host.is_here {
            true => "Agon is not installed",
            false => "",
        };
        let line = format!("{title}  {version}  {nothing}");
        return format!("{}\n", line.trim_end());
    };
    let scope = match state.scope {
        "project" => ", for this project",
        _ => "",
    };
    let what = state.what.name();
    let mut text = format!(
        "{title}  {version}  Agon {} ({what}){scope}\n",
        state.version
    );
    for line in state_lines(host, state) {
        text.push_str(&format!("  {line}\n"));
    }
    text
}

fn state_lines(host: &HostState, state: &InstalledState) -> Vec<String> {
    let style = match state.server {
        "connected" | "listed" => STRONG,
        "unknown" => ODD,
        _ => BAD,
    };
    let mut server = format!("server  {}", apply_style(style, state.server));
    if let Some(words) = &state.server_words {
        server.push_str(&format!(": {}", plain_line(words)));
    }
    let mut lines = vec![server];
    match &state.skills {
        None if host.is_here => lines.push("skills  shown in a session only: type /".to_owned()),
        None => {}
        Some(skills) => lines.push(format!("skills  {}", plain_line(&skills.join(", ")))),
    }
    if !state.unlisted.is_empty() {
        let names = plain_line(&state.unlisted.join(", "));
        lines.push(apply_style(
            BAD,
            &format!("skills that it does not list: {names}"),
        ));
    }
    let current = count_with_noun(state.current as u64, "part");
    lines.push(format!("files   {current} as this version writes them"));
    for path in &state.outdated {
        lines.push(format!("        out of date: {}", plain_line(path)));
    }
    for path in &state.changed {
        lines.push(format!("        changed, and kept: {}", plain_line(path)));
    }
    if !state.outdated.is_empty() {
        lines.push(format!(
            "        agon install {} brings it up to date",
            host.host
        ));
    }
    lines
}
