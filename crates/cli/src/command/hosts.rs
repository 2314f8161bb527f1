//! `agon hosts`: checks that the AI tools see what Agon installed in them.

mod lint;

use agon_caller::CallFront;
use agon_install::hosts;
use agon_install::hosts::{ContentSet, HostState, InstalledState};

pub(crate) use self::lint::format_finding;

use agon_report::text::{display_width, plain_line};

use crate::args::{Global, HostsArgs, HostsCommand};
use crate::error::{Exit, Failure};
use crate::output::{BAD, DIM, ODD, Out, STRONG, apply_style};
use crate::surroundings::Surroundings;

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
    let title = document.hosts.iter().map(|host| host.title.len()).max();
    let version = document
        .hosts
        .iter()
        .map(|host| display_width(&host_version(host)))
        .max();
    let widths = [title, version].map(Option::unwrap_or_default);
    for host in &document.hosts {
        out.write_stdout(&format_host(host, widths, args.verbose))?;
    }
    let is_free = |host: &&HostState| host.is_here && host.installed.is_none();
    if let Some(host) = document.hosts.iter().find(is_free) {
        out.eprint_line(&format!("\ninstall Agon there: agon install {}", host.host));
    }
    Ok(Exit::Done)
}

fn host_version(host: &HostState) -> String {
    match (&host.version, host.is_here) {
        (Some(version), _) => plain_line(version),
        (None, true) => "installed".to_owned(),
        (None, false) => "not installed".to_owned(),
    }
}

/// Formats a host on one line, then its problems; `is_verbose` adds its skills and files.
fn format_host(host: &HostState, [wide, wide_version]: [usize; 2], is_verbose: bool) -> String {
    let version = host_version(host);
    let gap = " ".repeat(wide_version.saturating_sub(display_width(&version)));
    let version = match host.is_here || host.version.is_some() {
        true => format!("{version}{gap}"),
        false => format!("{}{gap}", apply_style(DIM, &version)),
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
    let what = match state.what {
        ContentSet::Debate => "for debates",
        ContentSet::Team => "for a team",
        ContentSet::All => "for debates and a team",
    };
    let server = apply_style(server_style(state), state.server);
    let mut text = format!(
        "{title}  {version}  Agon {} ({what}){scope}  {server}\n",
        state.version
    );
    let details = match is_verbose {
        true => detail_lines(host, state),
        false => Vec::new(),
    };
    for line in problem_lines(host, state).into_iter().chain(details) {
        text.push_str(&format!("  {line}\n"));
    }
    text
}

fn server_style(state: &InstalledState) -> anstyle::Style {
    match state.server {
        "connected" | "listed" => STRONG,
        "unknown" => ODD,
        _ => BAD,
    }
}

fn problem_lines(host: &HostState, state: &InstalledState) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(words) = &state.server_words {
        lines.push(format!("server: {}", plain_line(words)));
    }
    if !state.unlisted.is_empty() {
        let names = plain_line(&state.unlisted.join(", "));
        let line = format!("skills missing from its list: {names}");
        lines.push(apply_style(BAD, &line));
    }
    let outdated = state.outdated.iter();
    lines.extend(outdated.map(|path| format!("out of date: {}", plain_line(path))));
    if !state.outdated.is_empty() {
        lines.push(format!("update: agon install {}", host.host));
    }
    let changed = state.changed.iter();
    lines.extend(changed.map(|path| format!("edited, left alone: {}", plain_line(path))));
    lines
}

fn detail_lines(host: &HostState, state: &InstalledState) -> Vec<String> {
    let skills = match &state.skills {
        None if host.is_here => Some("listed only in a session, when you type /".to_owned()),
        None => None,
        Some(skills) => Some(plain_line(&skills.join(", "))),
    };
    let skills = skills.map(|skills| format!("skills  {skills}"));
    skills
        .into_iter()
        .chain([format!("parts   {} up to date", state.current)])
        .collect()
}
