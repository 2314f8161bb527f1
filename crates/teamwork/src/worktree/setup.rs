//! Runs the command that sets up a work tree.

use std::collections::BTreeSet;
use std::fs::{DirBuilder, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::PathBuf;

use agon_caller::{CallFront, Caller, Code, Failure, Hint, Notes};
use agon_team::worktree::SetupCommand;
use tokio_util::sync::CancellationToken;

use super::source::Bringing;
use crate::gate::{CommandRun, RunOf, last_lines, run_command};
use crate::text::clean_line;
use crate::trees::changed_paths;

/// The most changed files that are listed.
const MAX_NAMED: usize = 5;

/// Stops the command when the start is cancelled; its notes are discarded.
struct SetupFront(CancellationToken);

impl Notes for SetupFront {
    fn note(&mut self, _note: &str) {}
    fn warn(&mut self, _warning: &str) {}
}

impl CallFront for SetupFront {
    fn cancel_token(&mut self) -> CancellationToken {
        self.0.clone()
    }
}

/// Runs the command in the work tree.
///
/// # Errors
///
/// Fails if the command cannot be started, fails, times out, or changes files that git does not
/// ignore.
pub(super) async fn run(
    caller: &Caller,
    bringing: &Bringing<'_>,
    command: &SetupCommand,
) -> Result<(), Failure> {
    let tree = bringing.tree;
    let before = changes(caller, bringing).await?;
    let mut front = SetupFront(bringing.cancel.clone());
    let gate = command.as_gate();
    let order = CommandRun {
        root: tree,
        of: RunOf::Setup,
        gate: &gate,
    };
    let outcome = run_command(caller, &order, &mut front).await?;
    let log = keep(bringing, &outcome.output)?;
    if !outcome.passed {
        let end = last_lines(&outcome.output);
        let shown = clean_line(&command.argv.join(" "));
        let message = format!("the setup `{shown}` failed: {}\n{end}", outcome.outcome);
        return Err(failed(caller, message.trim_end(), &log));
    }
    let after = changes(caller, bringing).await?;
    let new: Vec<&str> = after.difference(&before).map(String::as_str).collect();
    if !new.is_empty() {
        let named = new.iter().take(MAX_NAMED);
        let named: Vec<_> = named.map(|path| clean_line(path)).collect();
        let message = format!(
            "the setup changed files that git does not ignore: {}; they would count as the member's \
             work",
            named.join(", ")
        );
        return Err(failed(caller, &message, &log));
    }
    Ok(())
}

async fn changes(caller: &Caller, bringing: &Bringing<'_>) -> Result<BTreeSet<String>, Failure> {
    let changed = changed_paths(caller, bringing.tree, "HEAD", None).await?;
    Ok(changed.into_iter().map(|it| it.path).collect())
}

fn failed(caller: &Caller, message: &str, log: &std::path::Path) -> Failure {
    let log = caller.display_path(log);
    Failure::new(Code::TreeSetup, message).hint(
        Hint::new(format!(
            "read its output in {log}, or change the command with "
        ))
        .quoted("team worktree set"),
    )
}

/// Stores the command's output beside the team's file.
fn keep(bringing: &Bringing<'_>, output: &str) -> Result<PathBuf, Failure> {
    let folder = bringing.location.database().with_file_name("setup");
    let name = bringing.tree.file_name().unwrap_or_default();
    let path = folder.join(name).with_extension("log");
    let written = DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(&folder)
        .and_then(|()| {
            let mut file = OpenOptions::new()
                .write(true)
                .create(true)
                .truncate(true)
                .mode(0o600)
                .open(&path)?;
            file.write_all(output.as_bytes())
        });
    match written {
        Ok(()) => Ok(path),
        Err(cause) => {
            let message = format!("cannot write {}: {cause}", path.display());
            Err(Failure::new(Code::Store, message))
        }
    }
}
