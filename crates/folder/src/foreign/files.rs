//! Reads the files of a debate that another tool keeps, within size limits.

use std::collections::BTreeMap;
use std::path::Path;

use agon_record::id::NodeId;
use agon_record::text::sanitise_line;
use agon_store::{Disk, FileKind};

use super::ForeignError;
use crate::formal_files::{FormalFault, front, scores};

pub(crate) const DEBATE: &str = "debate.md";
pub(crate) const GRAPH: &str = "argument-graph.mmd";
const ARGUMENTS: &str = "arguments";

// The largest argument of two real folders has 7 kB. A larger file is rejected with its name
// instead of being cut.
pub(crate) const MARKDOWN_MAX: u64 = 1024 * 1024;
// The scores of real debates have less than 800 bytes per argument, so 10,000 arguments have 8 MB.
const OTHER_MAX: u64 = 16 * 1024 * 1024;
// All files are held in memory at once and stored in the record: 10,000 arguments of 4.6 kB have 46
// MB.
const ALL_MAX: u64 = 64 * 1024 * 1024;
// Five times the 2,004 of a debate that uses all three-digit exchanges, with one argument per side.
const ARGUMENTS_MAX: usize = 10_000;

/// The texts of a folder.
#[derive(Debug)]
pub(crate) struct Files {
    pub(crate) debate: String,
    pub(crate) scores: Option<String>,
    graph: Option<String>,
    pub(crate) arguments: BTreeMap<NodeId, String>,
}

/// Returns the path of an argument in a folder.
pub(crate) fn argument_path(id: NodeId) -> String {
    format!("{ARGUMENTS}/{id}.md")
}

fn file_error(file: &str, what: impl AsRef<str>, hint: &str) -> ForeignError {
    ForeignError::in_file(
        &sanitise_line(file, 120),
        FormalFault::new(None, what, hint),
    )
}

impl Files {
    pub(crate) fn read(disk: &dyn Disk, path: &Path) -> Result<Self, ForeignError> {
        let mut left = ALL_MAX;
        let mut file = |name: &str, max| read_text_limited(disk, path, name, max, &mut left);
        let Some(debate) = file(DEBATE, MARKDOWN_MAX)? else {
            let path = path.to_owned();
            return Err(ForeignError::NotADebate { path });
        };
        let scores = file(scores::FILE, OTHER_MAX)?;
        let graph = file(GRAPH, OTHER_MAX)?;
        let mut arguments = BTreeMap::new();
        for id in list_argument_ids(disk, path)? {
            if let Some(text) = file(&argument_path(id), MARKDOWN_MAX)? {
                arguments.insert(id, text);
            }
        }
        Ok(Self {
            debate,
            scores,
            graph,
            arguments,
        })
    }

    /// Returns every file that was read, with its path in the folder.
    pub(crate) fn paths_and_texts(&self) -> impl Iterator<Item = (String, &str)> {
        let named = [
            (DEBATE, Some(&self.debate)),
            (scores::FILE, self.scores.as_ref()),
            (GRAPH, self.graph.as_ref()),
        ];
        let named = named.into_iter();
        let named = named.filter_map(|(name, text)| Some((name.to_owned(), text?.as_str())));
        let arguments = self.arguments.iter();
        named.chain(arguments.map(|(id, text)| (argument_path(*id), text.as_str())))
    }
}

/// Returns the ids of the argument files; only Markdown files are arguments.
fn list_argument_ids(disk: &dyn Disk, path: &Path) -> Result<Vec<NodeId>, ForeignError> {
    let dir = path.join(ARGUMENTS);
    match disk.metadata(&dir)? {
        None => return Ok(Vec::new()),
        Some(meta) if meta.kind == FileKind::Dir => {}
        Some(_) => {
            let hint = "replace it with a real directory";
            return Err(file_error(ARGUMENTS, "is not a directory", hint));
        }
    }
    let mut ids = Vec::new();
    for name in disk.list_names(&dir)? {
        let name = name.to_string_lossy();
        let Some(stem) = name.strip_suffix(".md").filter(|_| !name.starts_with('.')) else {
            continue;
        };
        let id: Result<NodeId, _> = stem.parse();
        let Some(id) = id
            .ok()
            .filter(|id| matches!(id.seat.short_name().as_str(), "prop" | "opp"))
        else {
            let file = format!("{ARGUMENTS}/{name}");
            let hint = "name arguments prop_000a.md, opp_001.md and so on, or remove the file";
            return Err(file_error(&file, "is not named like an argument", hint));
        };
        ids.push(id);
    }
    if ids.len() > ARGUMENTS_MAX {
        let what = format!(
            "has too many files: {}, the limit is {ARGUMENTS_MAX}",
            ids.len()
        );
        return Err(file_error(
            ARGUMENTS,
            what,
            "split the debate into two folders",
        ));
    }
    Ok(ids)
}

fn read_text_limited(
    disk: &dyn Disk,
    path: &Path,
    name: &str,
    max: u64,
    left: &mut u64,
) -> Result<Option<String>, ForeignError> {
    let at = path.join(name);
    let Some(meta) = disk.metadata(&at)? else {
        return Ok(None);
    };
    if meta.kind != FileKind::File {
        let hint = "replace it with a real file; links are not followed";
        return Err(file_error(name, "is not a file", hint));
    }
    let too_large = |len: u64| {
        let what = format!(
            "is too large: {len} bytes, the limit is {}",
            max.min(ALL_MAX)
        );
        file_error(name, what, "shorten or remove it")
    };
    if meta.len > max || meta.len > *left {
        return Err(too_large(meta.len));
    }
    let bytes = disk.read(&at)?;
    let len = bytes.len() as u64;
    // Check again, because the file may have grown in the meantime.
    if len > max {
        return Err(too_large(len));
    }
    *left = left.saturating_sub(len);
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Some(text)),
        Err(error) => {
            let sound = error.utf8_error().valid_up_to();
            let text = String::from_utf8_lossy(error.as_bytes());
            let line = front::line_number_at(&text, sound);
            let fault = FormalFault::new(Some(line), "is not UTF-8", "save the file as UTF-8");
            Err(ForeignError::in_file(name, fault))
        }
    }
}
