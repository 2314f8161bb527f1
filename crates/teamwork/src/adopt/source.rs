//! Detects which kind of list a file or folder is, and reads its entries.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};

use agon_caller::{Caller, Code, Failure};
use agon_team::store::{EXPORT_SCHEMA, TeamLocation};
use agon_team::task::TaskOrigin;

use super::map::Mapped;
use super::{backlog, beads, markdown};

/// Maximum size of a list file, in bytes.
const MAX_LIST: u64 = 64 << 20;
/// Maximum size of a task's file, in bytes.
const MAX_TASK: u64 = 4 << 20;
/// The most task files in a folder.
const MAX_FILES: usize = 20_000;
/// Maximum size of the first line, in bytes, by which an export is recognized.
const MAX_FIRST: u64 = 4 << 20;

/// A list from another tool.
pub(super) struct ForeignList {
    /// The source name, which together with an id identifies a task.
    pub(super) source: String,
    /// The path, as the user wrote it.
    pub(super) named: String,
    pub(super) items: Vec<Mapped>,
}

/// Returns whether a file is an export of a team.
pub(super) fn is_export(path: &Path) -> bool {
    let Ok(file) = agon_files::open(path) else {
        return false;
    };
    let mut line = String::new();
    let read = BufReader::new(file).take(MAX_FIRST).read_line(&mut line);
    let head: Option<serde_json::Value> = serde_json::from_str(&line).ok();
    let name = EXPORT_SCHEMA.split('/').next().unwrap_or_default();
    let schema = head.as_ref().and_then(|it| it["schema"].as_str());
    read.is_ok() && schema.is_some_and(|it| it.starts_with(name))
}

/// Reads the list in a file or folder; its content decides which kind it is.
///
/// # Errors
///
/// Fails if it cannot be read, is of an unknown kind, or contains an error; the message names the
/// place.
pub(super) fn read_list(
    caller: &Caller,
    path: &Path,
    named: &Path,
) -> Result<ForeignList, Failure> {
    let found = std::fs::metadata(path)
        .map_err(|cause| refusal(format!("cannot read {}: {cause}", named.display())))?;
    match found.is_dir() {
        true => read_folder(path, named),
        false => read_file(caller, path, named),
    }
}

/// Rebuilds an entry from its stored fields. Returns `None` if its source is unknown.
pub(super) fn map(origin: &TaskOrigin) -> Option<Mapped> {
    let (id, fields) = (origin.id.clone(), origin.fields.clone());
    match origin.source.split(':').next()? {
        backlog::SOURCE => Some(backlog::map(id, fields)),
        beads::SOURCE => Some(beads::map(id, fields)),
        markdown::SOURCE => Some(markdown::map(id, fields)),
        _ => None,
    }
}

fn refusal(message: String) -> Failure {
    Failure::new(Code::InvalidParameter, message).parameter("file")
}

/// Returns the failure for an error at a line of a file.
fn wrong(named: &Path, (line, why): (usize, String)) -> Failure {
    let why = crate::text::clean_line(&why);
    refusal(format!("{}:{line}: {why}", named.display()))
        .hint("nothing was imported; fix this line, then import again")
}

fn read_text(path: &Path, named: &Path, max: u64) -> Result<String, Failure> {
    agon_files::read_to_string(path, max)
        .map_err(|cause| refusal(format!("cannot read {}: {cause}", named.display())))
}

fn read_file(caller: &Caller, path: &Path, named: &Path) -> Result<ForeignList, Failure> {
    let text = read_text(path, named, MAX_LIST)?;
    let first = text.lines().find(|line| !line.trim().is_empty());
    let is_jsonl = path.extension().is_some_and(|it| it == "jsonl");
    let (source, items) = if first.is_some_and(beads::is_issue) || is_jsonl && first.is_some() {
        let items = beads::parse(&text).map_err(|error| wrong(named, error))?;
        (beads::SOURCE.to_owned(), items)
    } else if backlog::is_task(&text) {
        let item = backlog::parse("tasks", "Done", &text).map_err(|error| wrong(named, error))?;
        (backlog::SOURCE.to_owned(), vec![item])
    } else if markdown::is_checklist(&text) {
        let source = format!("{}:{}", markdown::SOURCE, place_of(caller, path));
        (source, markdown::parse(&text))
    } else {
        return Err(unknown(named));
    };
    Ok(ForeignList {
        source,
        named: named.display().to_string(),
        items,
    })
}

fn unknown(named: &Path) -> Failure {
    refusal(format!(
        "{} is not a task list that Agon can import",
        named.display()
    ))
    .hint(
        "name a Markdown file with `- [ ]` items, a folder of Backlog.md, beads' \
         `.beads/issues.jsonl`, or a file written by `agon team export`",
    )
}

/// Returns a path relative to the repository, so that it is the same in every folder and work tree.
fn place_of(caller: &Caller, path: &Path) -> String {
    let root = TeamLocation::find(&caller.cwd)
        .ok()
        .and_then(|it| it.work_tree);
    let root = root.and_then(|root| root.canonicalize().ok());
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let inside = root.as_ref().and_then(|root| path.strip_prefix(root).ok());
    crate::text::clean_line(&inside.unwrap_or(&path).display().to_string())
}

fn read_folder(path: &Path, named: &Path) -> Result<ForeignList, Failure> {
    let beads = [".beads/issues.jsonl", "issues.jsonl"].map(|it| path.join(it));
    let beads = beads.into_iter().find(|it| it.is_file());
    let backlogs = [PathBuf::new(), "backlog".into(), ".backlog".into()];
    let backlog = backlogs
        .into_iter()
        .map(|it| path.join(it))
        .find(|it| it.join("tasks").is_dir());
    match (beads, backlog) {
        (Some(_), Some(_)) => Err(refusal(format!(
            "{} contains both a beads list and a Backlog.md list",
            named.display()
        ))
        .hint("name one of them: `.beads/issues.jsonl` or `backlog`")),
        (Some(file), None) => {
            let text = read_text(&file, &file, MAX_LIST)?;
            Ok(ForeignList {
                source: beads::SOURCE.to_owned(),
                named: named.display().to_string(),
                items: beads::parse(&text).map_err(|error| wrong(&file, error))?,
            })
        }
        (None, Some(folder)) => read_backlog(&folder, named),
        (None, None) => Err(unknown(named)),
    }
}

fn read_backlog(folder: &Path, named: &Path) -> Result<ForeignList, Failure> {
    let config = ["config.yml", "backlog.config.yml", "../backlog.config.yml"];
    let config = config
        .into_iter()
        .find_map(|it| agon_files::read_to_string(&folder.join(it), MAX_TASK).ok());
    let done = backlog::done_status(&config.unwrap_or_default());
    let mut items: Vec<Mapped> = Vec::new();
    let mut ids = BTreeSet::new();
    for (name, _) in backlog::FOLDERS {
        for file in markdown_files(&folder.join(name), named)? {
            let text = read_text(&file, &file, MAX_TASK)?;
            let item = backlog::parse(name, &done, &text).map_err(|error| wrong(&file, error))?;
            if !ids.insert(item.id.clone()) {
                let why = format!("another file also has the id {}", item.id);
                return Err(wrong(&file, (2, why)));
            }
            items.push(item);
        }
    }
    backlog::link_parts_to_wholes(&mut items);
    Ok(ForeignList {
        source: backlog::SOURCE.to_owned(),
        named: named.display().to_string(),
        items,
    })
}

/// Lists the Markdown files of a folder, sorted by name. Returns an empty list if the folder does
/// not exist.
fn markdown_files(folder: &Path, named: &Path) -> Result<Vec<PathBuf>, Failure> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Ok(Vec::new());
    };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let is_markdown = |path: &PathBuf| path.extension().is_some_and(|it| it == "md");
    let mut files: Vec<PathBuf> = paths.filter(is_markdown).take(MAX_FILES + 1).collect();
    if files.len() > MAX_FILES {
        return Err(refusal(format!(
            "{} has more than {MAX_FILES} task files",
            named.display()
        )));
    }
    files.sort();
    Ok(files)
}
