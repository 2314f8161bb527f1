//! The commands in groups, as the help lists them.

use std::io::IsTerminal;

use clap::{Command, CommandFactory};

use super::Cli;
use crate::edge;

/// The commands by what they are for, each group in the order in which one comes to need them.
const GROUPS: [(&str, &[&str]); 7] = [
    (
        "Decide",
        &["debate", "consult", "continue", "resume", "demo"],
    ),
    ("Steer", &["watch", "say", "judge", "stop", "wait"]),
    (
        "Read",
        &[
            "show", "list", "recall", "ask", "report", "open", "usage", "rm",
        ],
    ),
    ("Verify", &["check", "evidence", "replay", "graph", "rules"]),
    ("Formal debates", &["new", "run", "ops"]),
    (
        "In your AI tools",
        &[
            "install",
            "uninstall",
            "hosts",
            "roster",
            "skills",
            "team",
            "context",
            "mcp",
            "acp",
            "hook",
        ],
    ),
    (
        "Set up",
        &[
            "init",
            "tools",
            "model",
            "config",
            "completions",
            "man",
            "schema",
        ],
    ),
];

/// What is printed where nothing is asked for.
pub(crate) const FIRST_WORDS: &str = "\
Two AI tools argue your decision, a third one judges, and code checks what they cite.

  agon demo                       watch a recorded debate, offline
  agon init                       which AI tools are here, and who sits where
  agon debate \"tabs or spaces?\"   hold one: about 8 calls; their bounds are said first
  agon list, agon show            the debates here, and the latest verdict
  agon --help                     every command
";

/// The command line, with its commands in groups.
pub(crate) fn command() -> Command {
    let command = Cli::command();
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{}Options:\n{{options}}{{after-help}}",
        group_lines(&command)
    );
    let command = IDLE_FLAGS
        .iter()
        .fold(command.help_template(template), hide_flags);
    match is_narrow_terminal() {
        true => with_joined_lines(command),
        false => command,
    }
}

/// Columns for which the texts below the flags are broken by hand.
const BROKEN_AT: usize = 100;

fn is_narrow_terminal() -> bool {
    std::io::stdout().is_terminal() && edge::terminal_width() < BROKEN_AT
}

/// The command and those below it with the lines of each paragraph below the flags as one: broken by
/// hand, they would be broken a second time where a terminal is narrower.
fn with_joined_lines(command: Command) -> Command {
    let joined = command
        .get_after_help()
        .map(|text| join_lines(&text.to_string()));
    let command = match joined {
        Some(text) => command.after_help(text),
        None => command,
    };
    command.mut_subcommands(with_joined_lines)
}

/// `text` with each line of a paragraph joined to the one before; examples, lists and what stands
/// alone stay.
fn join_lines(text: &str) -> String {
    let is_prose = |line: &str| !line.is_empty() && !line.starts_with(' ');
    let mut out = String::with_capacity(text.len());
    let mut before = "";
    for line in text.lines() {
        let goes_on = is_prose(before) && !before.ends_with(':') && is_prose(line);
        if !out.is_empty() {
            out.push(if goes_on { ' ' } else { '\n' });
        }
        out.push_str(line);
        before = line;
    }
    out
}

/// The flags for every command that do nothing in one.
const IDLE_FLAGS: [(&str, &[&str]); 14] = [
    ("install", &["debates_dir", "profile"]),
    ("uninstall", &["debates_dir", "profile"]),
    ("hosts", &["debates_dir", "profile"]),
    ("roster", &["debates_dir", "profile"]),
    ("context", &["debates_dir"]),
    ("skills", &["debates_dir", "profile"]),
    ("team", &["debates_dir", "profile"]),
    ("hook", &["json", "debates_dir", "profile"]),
    ("completions", &["json", "debates_dir", "profile"]),
    ("man", &["json", "debates_dir", "profile"]),
    ("schema", &["debates_dir", "profile"]),
    ("rules", &["debates_dir", "profile"]),
    ("model", &["debates_dir"]),
    ("ops", &["json"]),
];

/// Shows flags in no help of a command and of those below it: they are understood all the same.
fn hide_flags(command: Command, (name, flags): &(&'static str, &[&str])) -> Command {
    let hidden: Vec<_> = command
        .get_arguments()
        .filter(|flag| flags.contains(&flag.get_id().as_str()))
        .map(|flag| flag.clone().hide(true))
        .collect();
    // Clap gives a flag for every command to those that have none of its id.
    let with_hidden = |under: Command| {
        let names: Vec<_> = under
            .get_subcommands()
            .map(|it| it.get_name().to_owned())
            .collect();
        let own = under.args(hidden.clone());
        names.iter().fold(own, |under, name| {
            under.mut_subcommand(name, |it| it.args(hidden.clone()))
        })
    };
    command.mut_subcommand(name, with_hidden)
}

fn group_lines(command: &Command) -> String {
    let width = GROUPS.iter().flat_map(|(_, names)| names.iter());
    let width = width.map(|name| name.len()).max().unwrap_or(0);
    let mut lines = String::new();
    for (heading, names) in GROUPS {
        lines.push_str(&format!("{heading}:\n"));
        for name in names {
            let about = command.find_subcommand(name).and_then(Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            lines.push_str(&format!("  {name:<width$}  {about}\n"));
        }
        lines.push('\n');
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_paragraph_are_joined_and_examples_stay() {
        let text =
            "One call, two if\nit fails.\n\nExamples:\n  agon ask\n  agon show\nThe end\nis here.";
        let joined =
            "One call, two if it fails.\n\nExamples:\n  agon ask\n  agon show\nThe end is here.";
        assert_eq!(join_lines(text), joined);
        let whole = with_joined_lines(Cli::command());
        let ask = whole
            .find_subcommand("ask")
            .and_then(Command::get_after_help);
        let ask = ask.map(ToString::to_string).unwrap_or_default();
        assert!(ask.contains("the answer is printed and not kept"), "{ask}");
    }

    #[test]
    fn every_command_is_in_one_group() {
        let command = Cli::command();
        let mut known: Vec<_> = command
            .get_subcommands()
            .filter(|command| !command.is_hide_set())
            .map(Command::get_name)
            .collect();
        let mut grouped: Vec<_> = GROUPS
            .iter()
            .flat_map(|(_, names)| names.iter().copied())
            .collect();
        known.sort_unstable();
        grouped.sort_unstable();
        assert_eq!(grouped, known);
    }
}
