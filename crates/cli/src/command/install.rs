//! `agon install` and `agon uninstall`: add Agon to AI tools, or remove it.

mod summary;

use std::io::{BufRead, Write};

use agon_install::hosts;
use agon_install::hosts::{
    ContentSet, HostChoice, HostDoc, InstallRequest, InstallationDoc, StepDoc,
};
use agon_report::text::plain_line;

use self::summary::{format_summary, verb};
use crate::args::{ContentName, Global, InstallArgs, InstallTargetArgs, ScopeName, UninstallArgs};
use crate::error::{Code, Exit, Failure};
use crate::output::{BAD, DIM, ODD, Out, STRONG, align_columns, apply_style};
use crate::surroundings::Surroundings;

/// Installs Agon into AI tools.
pub(crate) fn install(
    edge: &Surroundings,
    global: &Global,
    args: &InstallArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let request = InstallRequest {
        waived: args.waive.clone(),
        what: args.what.and_then(content_set),
        plan_review: is_hook_wanted(args.what, ContentName::PlanReview),
        suggest: is_hook_wanted(args.what, ContentName::Suggest),
        ..installation_request(edge, global, &args.where_, "Install Agon into")?
    };
    let document = hosts::install(edge, &request)?;
    let exit = print_document(edge, global, args.where_.verbose, &document, out)?;
    if let Some(note) = replacement_note(args.what, &document).filter(|_| !global.json) {
        out.eprint_line(&note);
    }
    Ok(exit)
}

/// Says that the named content replaces the content that was installed before, if it does.
fn replacement_note(what: Option<ContentName>, document: &InstallationDoc) -> Option<String> {
    let what = match what? {
        ContentName::Debate => "debate",
        ContentName::Team => "team",
        ContentName::All | ContentName::PlanReview | ContentName::Suggest => return None,
    };
    let mut steps = document.hosts.iter().flat_map(|host| &host.steps);
    let (replaces, keep) = match document.dry_run {
        true => ("would replace", "would keep"),
        false => ("replaced", "keeps"),
    };
    steps.any(|step| step.action == "remove").then(|| {
        format!("--what {what} {replaces} what was installed before; --what all {keep} both")
    })
}

/// Returns whether to install the hook `hook`, which is added to what was installed before. A
/// content replaces what was installed before, and so removes the hook.
fn is_hook_wanted(what: Option<ContentName>, hook: ContentName) -> Option<bool> {
    match what? {
        what if what == hook => Some(true),
        ContentName::PlanReview | ContentName::Suggest => None,
        ContentName::Debate | ContentName::Team | ContentName::All => Some(false),
    }
}

/// Returns the named content; `None` for a hook, which is added to the content that was installed
/// before.
fn content_set(name: ContentName) -> Option<ContentSet> {
    match name {
        ContentName::Debate => Some(ContentSet::Debate),
        ContentName::Team => Some(ContentSet::Team),
        ContentName::All => Some(ContentSet::All),
        ContentName::PlanReview | ContentName::Suggest => None,
    }
}

/// Removes Agon from AI tools.
pub(crate) fn uninstall(
    edge: &Surroundings,
    global: &Global,
    args: &UninstallArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let request = installation_request(edge, global, &args.where_, "Remove Agon from")?;
    let document = hosts::uninstall(edge, &request)?;
    print_document(edge, global, args.where_.verbose, &document, out)
}

/// Builds the request for the named tools or else for the installed ones that the person chooses.
fn installation_request(
    edge: &Surroundings,
    global: &Global,
    args: &InstallTargetArgs,
    question: &str,
) -> Result<InstallRequest, Failure> {
    let hosts = match args.hosts.is_empty() {
        false => args.hosts.clone(),
        true => {
            let here = hosts::installed_hosts(edge);
            let wanted = match edge.terminal && !global.json && !args.dry_run {
                true => ask_each(&here, question, std::io::stdin().lock(), std::io::stderr())?,
                false => here,
            };
            wanted.iter().map(|host| host.name.to_owned()).collect()
        }
    };
    if hosts.is_empty() {
        let names = hosts::host_names();
        let (last, others) = names.split_last().unwrap_or((&"", &[]));
        let message = "no AI tool was found";
        return Err(Failure::new(Code::NoHost, message)
            .parameter("host")
            .hint(format!("name one: {} or {last}", others.join(", "))));
    }
    Ok(InstallRequest {
        hosts,
        is_for_project: args.scope == ScopeName::Project,
        what: None,
        plan_review: None,
        suggest: None,
        waived: Vec::new(),
        is_dry_run: args.dry_run,
    })
}

/// Asks the person about each tool and returns the chosen ones.
fn ask_each(
    here: &[HostChoice],
    question: &str,
    mut input: impl BufRead,
    mut screen: impl Write,
) -> Result<Vec<HostChoice>, Failure> {
    let failed = |error: std::io::Error| Failure::from_error(Code::Stdin, &error);
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
    edge: &Surroundings,
    global: &Global,
    is_verbose: bool,
    document: &InstallationDoc,
    out: &mut Out,
) -> Result<Exit, Failure> {
    if global.json {
        out.write_json(document)?;
    } else {
        match is_verbose {
            true => {
                for host in &document.hosts {
                    print_host(host, document.dry_run, out)?;
                }
            }
            false => out.write_prose(&format_summary(document, edge.width))?,
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

/// Prints every step of a host; does not wrap changes and commands, which are lines to copy.
fn print_host(host: &HostDoc, is_dry: bool, out: &mut Out) -> Result<(), Failure> {
    let scope = match host.scope {
        "project" => "for this project",
        _ => "for all your projects",
    };
    let what = host.what.map_or("", |what| match what {
        ContentSet::Debate => ", for debates",
        ContentSet::Team => ", for a team",
        ContentSet::All => ", for debates and a team",
    });
    out.write_prose(&format!(
        "{}  {scope}{what}",
        apply_style(STRONG, host.title)
    ))?;
    if host.steps.is_empty() {
        out.write_prose("  Agon is not installed")?;
    }
    let rows: Vec<_> = host
        .steps
        .iter()
        .map(|step| step_row(step, is_dry))
        .collect();
    for (line, step) in align_columns(&rows, usize::MAX).lines().zip(&host.steps) {
        let style = match step.action {
            "keep" => ODD,
            "refuse" => BAD,
            _ => DIM,
        };
        let verb = verb(step.action, is_dry);
        let rest = line.strip_prefix(verb).unwrap_or(line);
        let action = apply_style(style, verb);
        out.write_prose(&format!("  {action}{rest}"))?;
        if let Some(reason) = &step.reason {
            out.write_prose(&format!("      {}", plain_line(reason)))?;
        }
        let lines = step.change.iter().flat_map(|change| change.lines());
        for line in lines.filter(|line| !line.trim().is_empty()) {
            let sign = if step.action == "remove" { '-' } else { '+' };
            let indent = " ".repeat(line.len() - line.trim_start().len());
            let line = format!("      {sign} {indent}{}", plain_line(line));
            out.write_line(&apply_style(DIM, &line))?;
        }
    }
    print_left_out(host, is_dry, out)?;
    let next = if is_dry { "then:" } else { "next:" };
    for step in &host.next {
        out.write_prose(&format!("  {} {step}", apply_style(STRONG, next)))?;
    }
    Ok(())
}

fn step_row(step: &StepDoc, is_dry: bool) -> [String; 3] {
    let path = plain_line(&step.path);
    let verb = verb(step.action, is_dry).to_owned();
    [verb, step.part.clone(), path]
}

/// Prints the left-out agents and the limits that the tool cannot enforce, grouped by limits.
fn print_left_out(host: &HostDoc, is_dry: bool, out: &mut Out) -> Result<(), Failure> {
    let mut fields: Vec<(&str, Vec<&str>)> = Vec::new();
    for left in &host.left_out {
        match fields.iter_mut().find(|(agent, _)| *agent == left.agent) {
            Some((_, fields)) => fields.push(left.field),
            None => fields.push((&left.agent, vec![left.field])),
        }
    }
    let mut groups: Vec<(Vec<&str>, Vec<&str>)> = Vec::new();
    for (agent, fields) in fields {
        match groups.iter_mut().find(|(_, same)| *same == fields) {
            Some((agents, _)) => agents.push(agent),
            None => groups.push((vec![agent], fields)),
        }
    }
    for (agents, fields) in groups {
        let head = apply_style(ODD, verb("leave out", is_dry));
        let (noun, their) = match agents.len() {
            1 => ("agent", "its limits"),
            _ => ("agents", "their limits"),
        };
        let (title, agents, fields) = (host.title, agents.join(", "), fields.join(", "));
        out.write_prose(&format!(
            "  {head} {noun} {agents}: {title} cannot enforce {their} ({fields})"
        ))?;
    }
    print_waivers(host, out)
}

/// Prints the command that installs the last left-out agent anyway.
fn print_waivers(host: &HostDoc, out: &mut Out) -> Result<(), Failure> {
    let Some(last) = host.left_out.last() else {
        return Ok(());
    };
    let of_last = host.left_out.iter().filter(|left| left.agent == last.agent);
    let waivers: String = of_last
        .map(|left| format!(" --waive {}", left.waiver))
        .collect();
    let scope = match host.scope {
        "project" => " --scope project",
        _ => "",
    };
    let what = match host.what {
        Some(ContentSet::Debate) | None => "",
        Some(ContentSet::Team) => " --what team",
        Some(ContentSet::All) => " --what all",
    };
    out.write_prose("      to install one anyway, waive its limits, for example:")?;
    out.write_line(&format!(
        "      agon install {}{what}{scope}{waivers}",
        host.host
    ))
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
