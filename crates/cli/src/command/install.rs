//! `agon install`, `agon uninstall`: Agon in other AI tools.

use std::io::{BufRead, Write};

use agon_app::hosts::{self, HostChoice, HostDoc, InstallRequest, InstallationDoc, StepDoc};
use agon_report::text::plain_line;

use crate::args::{Global, InstallArgs, ScopeName, UninstallArgs, WhereArgs};
use crate::edge::Surroundings;
use crate::error::{Exit, Failure, FailureKind};
use crate::output::{BAD, DIM, ODD, Out, STRONG, align_columns, apply_style};

/// Puts Agon into tools.
pub(crate) fn install(
    edge: &Surroundings,
    global: &Global,
    args: &InstallArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let request = InstallRequest {
        waived: args.waive.clone(),
        ..request(edge, global, &args.where_, "Put Agon into")?
    };
    let document = hosts::install(edge, &request)?;
    print_document(global, &document, out)
}

/// Takes Agon out of tools.
pub(crate) fn uninstall(
    edge: &Surroundings,
    global: &Global,
    args: &UninstallArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let request = request(edge, global, &args.where_, "Take Agon out of")?;
    let document = hosts::uninstall(edge, &request)?;
    print_document(global, &document, out)
}

/// The tools that are meant: those that are named, else those that are here and, on a terminal, wanted.
fn request(
    edge: &Surroundings,
    global: &Global,
    args: &WhereArgs,
    question: &str,
) -> Result<InstallRequest, Failure> {
    let hosts = match args.hosts.is_empty() {
        false => args.hosts.clone(),
        true => {
            let here = hosts::find_hosts(edge);
            let wanted = match edge.terminal && !global.json && !args.dry_run {
                true => ask_each(&here, question, std::io::stdin().lock(), std::io::stderr())?,
                false => here,
            };
            wanted.iter().map(|host| host.name.to_owned()).collect()
        }
    };
    if hosts.is_empty() {
        let message = "there is no AI tool to do that with";
        return Err(Failure::new(FailureKind::Tool, "no_host", message)
            .parameter("host")
            .hint("name one: claude, codex, gemini, opencode or copilot"));
    }
    Ok(InstallRequest {
        hosts,
        is_for_project: args.scope == ScopeName::Project,
        waived: Vec::new(),
        is_dry_run: args.dry_run,
    })
}

/// Those of the tools that the person wants.
fn ask_each(
    here: &[HostChoice],
    question: &str,
    mut input: impl BufRead,
    mut screen: impl Write,
) -> Result<Vec<HostChoice>, Failure> {
    let failed = |error: std::io::Error| Failure::from_error(FailureKind::Store, "stdin", &error);
    let mut wanted = Vec::new();
    for host in here {
        write!(screen, "{question} {}? [y/N] ", host.title).map_err(failed)?;
        screen.flush().map_err(failed)?;
        let mut answer = String::new();
        input.read_line(&mut answer).map_err(failed)?;
        if matches!(answer.trim(), "y" | "Y" | "yes") {
            wanted.push(*host);
        }
    }
    Ok(wanted)
}

fn print_document(
    global: &Global,
    document: &InstallationDoc,
    out: &mut Out,
) -> Result<Exit, Failure> {
    if global.json {
        out.write_json(document)?;
    } else {
        for host in &document.hosts {
            out.write_stdout(&format_host(host))?;
        }
        if document.dry_run {
            out.eprint_line("nothing was written");
        }
    }
    Ok(match document.is_partial() {
        false => Exit::Done,
        true => Exit::Lesser,
    })
}

fn format_host(host: &HostDoc) -> String {
    let scope = match host.scope {
        "project" => "for this project",
        _ => "for all your projects",
    };
    let mut text = format!("{}  {scope}\n", apply_style(STRONG, host.title));
    if host.steps.is_empty() {
        text.push_str("  nothing of Agon is there\n");
    }
    let rows: Vec<_> = host.steps.iter().map(step_row).collect();
    for (line, step) in align_columns(&rows, usize::MAX).lines().zip(&host.steps) {
        let style = match step.action {
            "keep" => ODD,
            "refuse" => BAD,
            _ => DIM,
        };
        let rest = line.strip_prefix(step.action).unwrap_or(line);
        let action = apply_style(style, step.action);
        text.push_str(&format!("  {action}{rest}\n"));
        if let Some(reason) = &step.reason {
            text.push_str(&format!("      {}\n", plain_line(reason)));
        }
        let lines = step.change.iter().flat_map(|change| change.lines());
        for line in lines.filter(|line| !line.trim().is_empty()) {
            let sign = if step.action == "remove" { '-' } else { '+' };
            let indent = " ".repeat(line.len() - line.trim_start().len());
            let line = format!("      {sign} {indent}{}", plain_line(line));
            text.push_str(&apply_style(DIM, &line));
            text.push('\n');
        }
    }
    text.push_str(&format_left_out(host));
    for step in &host.next {
        text.push_str(&format!("  {} {step}\n", apply_style(STRONG, "next:")));
    }
    text.push('\n');
    text
}

fn step_row(step: &StepDoc) -> [String; 3] {
    let path = plain_line(&step.path);
    [step.action.to_owned(), step.part.clone(), path]
}

/// The agents that are not there, each in a line with what it cannot be held to.
fn format_left_out(host: &HostDoc) -> String {
    let mut text = String::new();
    let mut agents: Vec<&str> = host
        .left_out
        .iter()
        .map(|left| left.agent.as_str())
        .collect();
    agents.dedup();
    for agent in agents {
        let lefts = host.left_out.iter().filter(|left| left.agent == agent);
        let lefts: Vec<_> = lefts.collect();
        let fields: Vec<_> = lefts.iter().map(|left| left.field).collect();
        let head = apply_style(ODD, "left out");
        let title = host.title;
        text.push_str(&format!(
            "  {head} agent {agent}: {title} does not hold it to {}\n",
            fields.join(", ")
        ));
    }
    if let Some(left) = host.left_out.last() {
        text.push_str(&format!(
            "      to install one all the same, waive each by name, as in --waive {}\n",
            left.waiver
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_clear_yes_is_one() {
        let choice = |name| HostChoice { name, title: name };
        let here = ["a", "b", "c", "d"].map(choice);
        let mut screen = Vec::new();
        let wanted = ask_each(&here, "Use", "y\n\nyes\nmaybe".as_bytes(), &mut screen).unwrap();
        assert_eq!(wanted, [here[0], here[2]]);
        let screen = String::from_utf8(screen).unwrap();
        assert_eq!(
            screen,
            "Use a? [y/N] Use b? [y/N] Use c? [y/N] Use d? [y/N] "
        );
    }
}
