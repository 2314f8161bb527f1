//! `agon team worktree`: sets what new work trees get.

use agon_report::text::plain_line;
use agon_teamwork::worktree::{TeamWorktreeDoc, missing_files_note, remove, set, show};

use super::print;
use crate::args::{Global, WorktreeCommand};
use crate::error::{Exit, Failure};
use crate::output::Out;
use crate::surroundings::Surroundings;

/// Runs `agon team worktree`.
pub(super) fn run(
    edge: &Surroundings,
    global: &Global,
    command: &WorktreeCommand,
    out: &mut Out,
) -> Result<Exit, Failure> {
    match command {
        WorktreeCommand::Set(args) => {
            let document = set(edge, &args.settings())?;
            let said = describe_worktree_settings(&document) + &worktree_warnings(&document);
            print(global, &document, &said, out)
        }
        WorktreeCommand::Show => {
            let document = show(edge)?;
            print(
                global,
                &document,
                &describe_worktree_settings(&document),
                out,
            )
        }
        WorktreeCommand::Rm => {
            let document = remove(edge)?;
            print(
                global,
                &document,
                &describe_worktree_settings(&document),
                out,
            )
        }
    }
}

/// Warns before a run of ignored files that the members' work trees will lack.
pub(super) async fn warn_of_missing_files(
    edge: &Surroundings,
    out: &mut Out,
) -> Result<(), Failure> {
    if let Some(note) = missing_files_note(edge).await? {
        out.eprint_line(&format!("note: {}", plain_line(&note)));
    }
    Ok(())
}

fn describe_worktree_settings(document: &TeamWorktreeDoc) -> String {
    let settings = &document.settings;
    if settings.is_empty() {
        return "new work trees contain only the files of their commit".to_owned();
    }
    let mut lines = vec!["each new work tree gets:".to_owned()];
    let copies = settings
        .copy
        .iter()
        .map(|glob| format!("  a copy of {glob}"));
    let links = settings
        .link
        .iter()
        .map(|path| format!("  a link to {path}"));
    lines.extend(copies.chain(links).map(|line| indent_line(&line)));
    if let Some(setup) = &settings.setup {
        let line = format!(
            "  setup: {} (at most {} s)",
            setup.argv.join(" "),
            setup.timeout_s
        );
        lines.push(indent_line(&line));
    }
    lines.join("\n")
}

fn indent_line(line: &str) -> String {
    format!("  {}", plain_line(line.trim_start()))
}

fn worktree_warnings(document: &TeamWorktreeDoc) -> String {
    let settings = &document.settings;
    let mut said = String::new();
    if !settings.copy.is_empty() {
        said.push_str("\nEach member's AI tool can read the copies and any secrets in them.");
    }
    if !settings.link.is_empty() {
        let hosts = document.refuse_links.join(", ");
        said.push_str(
            "\nA gate or the setup command that writes through a link changes your own files.",
        );
        if !hosts.is_empty() {
            said.push_str(&format!(
                "\nAgon starts no member in {}, because its model could write through the link.",
                plain_line(&hosts)
            ));
        }
    }
    said
}
