//! `agon man`: prints the manual page of all commands.

use std::io;

use clap::{Command, CommandFactory};
use clap_mangen::Man;

use crate::args::{Cli, Global};
use crate::error::{Code, Exit, Failure};
use crate::output::Out;
use crate::surroundings::Surroundings;

/// Prints the manual page.
pub(crate) fn run(_edge: &Surroundings, global: &Global, out: &mut Out) -> Result<Exit, Failure> {
    global.refuse_json("the manual page", "leave out --json")?;
    let page = render_man_page().map_err(|cause| Failure::from_error(Code::Man, &cause))?;
    out.write_stdout(&String::from_utf8_lossy(&page))?;
    Ok(Exit::Done)
}

fn render_man_page() -> io::Result<Vec<u8>> {
    let mut root = Cli::command();
    root.build();
    let mut page = Vec::new();
    let man = Man::new(root.clone());
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    for command in root.get_subcommands() {
        append_command_sections(&mut page, "agon", command)?;
    }
    man.render_extra_section(&mut page)?;
    man.render_version_section(&mut page)?;
    Ok(strip_repeated_preamble(&page))
}

/// Removes the typesetter preamble (`.ie`/`.el` lines) that `clap_mangen` repeats before every
/// section; the first one stays.
fn strip_repeated_preamble(page: &[u8]) -> Vec<u8> {
    let page = String::from_utf8_lossy(page);
    let prepares = |line: &str| line.starts_with(".ie ") || line.starts_with(".el ");
    let kept = page
        .lines()
        .enumerate()
        .filter(|(at, line)| *at < 2 || !prepares(line));
    kept.flat_map(|(_, line)| [line.as_bytes(), b"\n"].concat())
        .collect()
}

/// Appends a section for a command, and one for each of its subcommands.
fn append_command_sections(page: &mut Vec<u8>, above: &str, command: &Command) -> io::Result<()> {
    if command.get_name() == "help" || command.is_hide_set() {
        return Ok(());
    }
    let name = format!("{above} {}", command.get_name());
    let globals: Vec<_> = command
        .get_arguments()
        .filter(|arg| arg.is_global_set() || arg.get_id() == "help")
        .map(|arg| arg.get_id().clone())
        .collect();
    let mut own = command.clone();
    for id in globals {
        own = own.mut_arg(id, |arg| arg.hide(true));
    }
    let has_options = own.get_arguments().any(|arg| !arg.is_hide_set());
    let man = Man::new(own);
    let mut parts = Vec::new();
    man.render_synopsis_section(&mut parts)?;
    man.render_description_section(&mut parts)?;
    if has_options {
        man.render_options_section(&mut parts)?;
    }
    if command.get_after_help().is_some() {
        man.render_extra_section(&mut parts)?;
    }
    page.extend(format!(".SH \"{}\"\n", name.to_uppercase()).bytes());
    for line in String::from_utf8_lossy(&parts).lines() {
        let line = match line.strip_prefix(".SH ") {
            Some(heading) => format!(".SS {heading}\n"),
            None => format!("{line}\n"),
        };
        page.extend(line.bytes());
    }
    command
        .get_subcommands()
        .try_for_each(|under| append_command_sections(page, &name, under))
}
