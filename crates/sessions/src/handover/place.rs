//! Finds cited files that still exist.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::sync::LazyLock;

use agon_redact::Redactor;
use regex::Regex;
use serde::{Deserialize, Serialize};

use crate::patterns::paths;
use crate::{Entry, EntryKind, ToolKind};

/// A cited file with the cited lines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CitedPlace {
    /// The path, relative to the project folder if inside it.
    pub path: String,
    /// The cited lines that exist in the file, in order.
    pub lines: Vec<u64>,
    /// Whether the session changed it.
    pub is_changed: bool,
    /// The number of citations.
    pub count: usize,
}

/// Most files looked up, since a session can name thousands.
const MAX_FILES: usize = 256;
/// Most lines returned per file.
const MAX_LINES: usize = 8;
/// Largest file whose lines are counted.
const MAX_FILE_BYTES: u64 = 8 << 20;

static CITATION: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?P<path>[A-Za-z0-9_~./@-]*[A-Za-z0-9_-]+\.[A-Za-z][A-Za-z0-9]{0,5})(?::(?P<line>\d{1,6})|#L(?P<mark>\d{1,6})|,? (?:at )?lines? (?P<word>\d{1,6}))?").ok()
});

#[derive(Default)]
struct Citation {
    lines: BTreeSet<u64>,
    is_changed: bool,
    count: usize,
    last: u64,
}

/// Returns the existing files that the user, the model or an edit named, most cited first.
pub(super) fn places(entries: &[&Entry], project: Option<&Path>) -> Vec<CitedPlace> {
    let mut cited: BTreeMap<String, Citation> = BTreeMap::new();
    for entry in entries {
        match &entry.kind {
            EntryKind::Prompt(text) | EntryKind::Text(text) => {
                for captures in CITATION
                    .iter()
                    .flat_map(|it| it.captures_iter(text.as_str()))
                {
                    let Some(path) = captures.name("path") else {
                        continue;
                    };
                    let line: Option<u64> = ["line", "mark", "word"]
                        .iter()
                        .find_map(|it| captures.name(it)?.as_str().parse().ok());
                    let it = cited.entry(path.as_str().to_owned()).or_default();
                    it.lines.extend(line);
                    it.count += 1;
                    it.last = entry.index;
                }
            }
            EntryKind::Call(call) if matches!(call.kind, ToolKind::Edit | ToolKind::Read) => {
                for path in paths(call) {
                    let it = cited.entry(path).or_default();
                    it.is_changed |= call.kind == ToolKind::Edit;
                    it.count += 1;
                    it.last = entry.index;
                }
            }
            _ => {}
        }
    }
    // Changed, most cited and latest files first, since the list is cut at MAX_FILES.
    let mut cited: Vec<(String, Citation)> = cited.into_iter().collect();
    cited.sort_by_key(|(_, it)| std::cmp::Reverse((it.is_changed, it.count, it.last)));
    let mut places: Vec<CitedPlace> = Vec::new();
    for (path, citation) in cited.into_iter().take(MAX_FILES) {
        let Some((path, lines)) = resolve(&path, &citation.lines, project) else {
            continue;
        };
        match places.iter_mut().find(|it| it.path == path) {
            Some(same) => {
                same.count += citation.count;
                same.is_changed |= citation.is_changed;
                same.lines.extend(lines);
                same.lines.sort_unstable();
                same.lines.dedup();
                same.lines.truncate(MAX_LINES);
            }
            None => places.push(CitedPlace {
                path,
                lines,
                is_changed: citation.is_changed,
                count: citation.count,
            }),
        }
    }
    places
}

/// Returns the path to show and the lines that exist, if the file exists.
fn resolve(
    path: &str,
    lines: &BTreeSet<u64>,
    project: Option<&Path>,
) -> Option<(String, Vec<u64>)> {
    let given = Path::new(path);
    let climbs = given.components().any(|it| it == Component::ParentDir);
    let full: PathBuf = match (given.is_absolute(), project) {
        (true, _) => given.to_owned(),
        (false, Some(project)) if !climbs => project.join(given),
        (false, _) => return None,
    };
    // Read only regular files: a pipe or a device could block.
    let metadata = std::fs::metadata(&full)
        .ok()
        .filter(std::fs::Metadata::is_file)?;
    let shown = project
        .and_then(|it| full.strip_prefix(it).ok())
        .unwrap_or(&full)
        .to_string_lossy()
        .into_owned();
    let redacted = Redactor::new().redact(&shown);
    if !redacted.hits.is_empty() || shown.chars().any(char::is_control) {
        return None;
    }
    let mut there: Vec<u64> = Vec::new();
    if !lines.is_empty() && metadata.len() <= MAX_FILE_BYTES {
        let count = agon_files::read(&full, MAX_FILE_BYTES)
            .map(|bytes| bytes.split(|it| *it == b'\n').count() as u64)
            .unwrap_or_default();
        there.extend(lines.iter().filter(|it| (1..=count).contains(*it)));
        there.truncate(MAX_LINES);
    }
    Some((shown, there))
}
