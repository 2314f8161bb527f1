//! Runs a batch in the background.

use std::ffi::OsString;
use std::fs::{OpenOptions, create_dir_all};
use std::iter;

use agon_batch::detach;
use agon_batch::document::BatchDoc;
use agon_batch::estimate::Estimate;
use agon_batch::folder::BatchFolder;
use agon_caller::write_failure;
use clap::Parser as _;

use crate::args::{Cli, Command, Global};
use crate::error::{Code, Exit, Failure};
use crate::output::Out;
use crate::surroundings::Surroundings;

/// Starts the batch in `folder` in the background, and prints where it is.
///
/// # Errors
///
/// If it already runs, or no process can be started.
pub(super) fn start(
    edge: &Surroundings,
    global: &Global,
    folder: &BatchFolder,
    expected: &Estimate,
    out: &mut Out,
) -> Result<Exit, Failure> {
    if folder.is_running() {
        // The other run may have ended since.
        drop(folder.lock()?);
    }
    create_dir_all(folder.path()).map_err(|error| write_failure(&error))?;
    let log = OpenOptions::new()
        .create(true)
        .append(true)
        .open(folder.log());
    let log = log.map_err(|error| write_failure(&error))?;
    let args = background_args(&edge.typed)
        .ok_or_else(|| Failure::new(Code::Bug, "the command line has no `batch`"))?;
    detach::start(edge, folder, args, &log)?;
    let path = edge.display_path(folder.path());
    if global.json {
        out.write_json(&BatchDoc::started(&path, expected))?;
    } else {
        out.write_line(&path)?;
        out.eprint_line(
            "running in the background; the same command with --status shows the progress",
        );
    }
    Ok(Exit::Done)
}

/// Returns the arguments of the background process: those that the user typed, with `--handed` right
/// after the command `batch`. `None` if `batch` is not the command.
fn background_args(typed: &[String]) -> Option<Vec<OsString>> {
    // A file or the value of an option may have the same name, so ask the parser.
    let is_batch = |args: &Vec<OsString>| {
        let line = iter::once("agon".into()).chain(args.iter().cloned());
        let parsed = Cli::try_parse_from(line).map(|cli| cli.command);
        matches!(parsed, Ok(Command::Batch(args)) if args.handed)
    };
    let places = (0..typed.len()).filter(|at| typed.get(*at).is_some_and(|word| word == "batch"));
    places
        .map(|at| {
            let mut args: Vec<OsString> = typed.iter().map(Into::into).collect();
            args.insert(at + 1, "--handed".into());
            args
        })
        .find(is_batch)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn background(typed: &[&str]) -> Option<String> {
        let typed: Vec<String> = typed.iter().map(|&word| word.to_owned()).collect();
        let args = background_args(&typed)?;
        let words: Vec<_> = args.iter().map(|word| word.to_str().unwrap()).collect();
        Some(words.join(" "))
    }

    #[test]
    fn the_flag_of_the_background_process_is_right_after_the_command() {
        for (typed, wanted) in [
            (
                &["batch", "q.jsonl", "--yes", "--detach"][..],
                "batch --handed q.jsonl --yes --detach",
            ),
            // A file that looks like a flag, and a value that does.
            (
                &["batch", "--detach", "--", "--yes"],
                "batch --handed --detach -- --yes",
            ),
            (
                &["batch", "q.csv", "--topic=--yes", "--detach"],
                "batch --handed q.csv --topic=--yes --detach",
            ),
            (
                &["--profile", "batch", "batch", "batch"],
                "--profile batch batch --handed batch",
            ),
        ] {
            assert_eq!(background(typed).as_deref(), Some(wanted));
        }
        assert_eq!(background(&["list", "batch"]), None);
    }
}
