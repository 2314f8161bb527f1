//! Generates `docs/commands.md` from the command line.

use std::fmt::Write as _;

use clap::{Arg, Command};

use super::{GROUPS, HelpDetail, command};

const INTRODUCTION: &str = "\
# Commands

This page is generated from the program. `agon --help` lists the common commands, and
`agon COMMAND --help` lists their common options. `--help-all` lists everything, like this page.
[terminal.md](terminal.md) describes what all commands share: how to name a debate, colors, paging
and what the tools may read. [exit-codes.md](exit-codes.md) lists the exit codes.
";

#[test]
fn the_page_of_commands_matches_the_program() {
    let page = render_page();
    crate::reference::check_generated("commands.md", &page);
}

fn render_page() -> String {
    let mut root = command(HelpDetail::All);
    root.build();
    let mut page = INTRODUCTION.to_owned();
    page.push_str("\n| group | commands |\n|---|---|\n");
    for group in &GROUPS {
        let names = group.common.iter().chain(group.others);
        let links: Vec<_> = names
            .map(|name| format!("[{name}](#agon-{name})"))
            .collect();
        writeln!(page, "| {} | {} |", group.heading, links.join(", ")).unwrap();
    }
    page.push_str("\n## Options of every command\n\n");
    let everywhere = root.get_arguments().filter(|arg| arg.is_global_set());
    page.push_str(&option_table(everywhere));
    for group in &GROUPS {
        writeln!(page, "\n## {}", group.heading).unwrap();
        for name in group.common.iter().chain(group.others) {
            let own = root.find_subcommand(name).unwrap();
            push_command(&mut page, own, &format!("agon {name}"));
        }
    }
    page
}

/// Writes a section for a command and one for each of its subcommands.
fn push_command(page: &mut String, command: &Command, name: &str) {
    let level = "#".repeat(1 + name.split(' ').count());
    writeln!(page, "\n{level} {name}\n").unwrap();
    let about = command.get_about().map(ToString::to_string);
    let end = match about.as_deref() {
        Some(about) if about.ends_with(['.', '?', '!']) => "",
        _ => ".",
    };
    writeln!(page, "{}{end}", escape(&about.unwrap_or_default())).unwrap();
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ");
    let usage: Vec<_> = usage.lines().map(str::trim).collect();
    writeln!(page, "\n```text\n{}\n```", usage.join("\n")).unwrap();

    let shown = |arg: &&Arg| !arg.is_hide_set() && !arg.is_global_set() && arg.get_id() != "help";
    let shown: Vec<_> = command.get_arguments().filter(shown).collect();
    let mut headings: Vec<_> = shown.iter().map(|arg| arg.get_help_heading()).collect();
    headings.dedup();
    let mut done = Vec::new();
    for heading in headings {
        if done.contains(&heading) {
            continue;
        }
        done.push(heading);
        if let Some(heading) = heading {
            writeln!(page, "\n**{heading}**").unwrap();
        }
        let of_heading = shown.iter().copied();
        let of_heading = of_heading.filter(|arg| arg.get_help_heading() == heading);
        writeln!(page, "\n{}", option_table(of_heading).trim_end()).unwrap();
    }
    if let Some(text) = command.get_after_help() {
        page.push_str(&text_to_markdown(&text.to_string()));
    }
    let below = command.get_subcommands();
    for below in below.filter(|it| !it.is_hide_set() && it.get_name() != "help") {
        push_command(page, below, &format!("{name} {}", below.get_name()));
    }
}

fn option_table<'a>(args: impl Iterator<Item = &'a Arg>) -> String {
    let mut table = "| option | what it does |\n|---|---|\n".to_owned();
    for arg in args {
        let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
        let values: Vec<_> = arg
            .get_possible_values()
            .iter()
            .map(|it| it.get_name().to_owned())
            .collect();
        let defaults: Vec<_> = arg
            .get_default_values()
            .iter()
            .map(|it| it.to_string_lossy().into_owned())
            .collect();
        let mut help = vec![help];
        let takes_value = arg.get_action().takes_values();
        if takes_value && !arg.is_hide_default_value_set() && !defaults.is_empty() {
            help.push(format!("[default: {}]", defaults.join(", ")));
        }
        if takes_value && !arg.is_hide_possible_values_set() && !values.is_empty() {
            help.push(format!("[possible values: {}]", values.join(", ")));
        }
        let help = escape(&help.join(" ")).replace('|', "\\|");
        writeln!(
            table,
            "| `{}` | {help} |",
            argument_spelling(arg).replace('|', "\\|")
        )
        .unwrap();
    }
    table
}

/// Returns the spelling of an argument, such as `-o, --output <FILE>`.
fn argument_spelling(arg: &Arg) -> String {
    if arg.is_positional() {
        return arg.to_string();
    }
    let short = arg.get_short().map(|short| format!("-{short}, "));
    format!("{}{arg}", short.unwrap_or_default())
}

/// Converts the text below the options to Markdown; indented lines become code blocks.
fn text_to_markdown(text: &str) -> String {
    let mut out = String::new();
    let mut is_fixed = false;
    for line in text.lines() {
        let indented = line.starts_with(' ') || is_fixed && line.is_empty();
        match (is_fixed, indented) {
            (false, true) => out.push_str("\n```text\n"),
            (true, false) => {
                out.truncate(out.trim_end().len());
                out.push_str("\n```\n");
            }
            (false, false) | (true, true) => {}
        }
        is_fixed = indented;
        match (is_fixed, line) {
            (true, line) => writeln!(out, "{}", line.strip_prefix("  ").unwrap_or(line)).unwrap(),
            (false, "") => {}
            (false, line) => writeln!(out, "\n{}", escape(line)).unwrap(),
        }
    }
    if is_fixed {
        out.truncate(out.trim_end().len());
        out.push_str("\n```\n");
    }
    out
}

/// Escapes the characters that Markdown would interpret.
fn escape(text: &str) -> String {
    let mut out = String::new();
    for (nth, part) in text.split('`').enumerate() {
        let is_code = nth % 2 == 1;
        if nth > 0 {
            out.push('`');
        }
        match is_code {
            true => out.push_str(part),
            // Underscores need no escape, because they occur only within words.
            false => out.push_str(&part.replace('<', "\\<").replace('*', "\\*")),
        }
    }
    out
}
