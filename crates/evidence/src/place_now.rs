//! Finds where the lines that a debate cited are now.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use agon_record::stamp::SourceText;
use agon_record::text::mask_hidden_characters;

use crate::decode::decode;
use crate::limits::PinLimits;
use crate::source::disk::{DiskEntry, Folder};
use crate::source::{Excluded, Source};

// Chosen, not measured: `return None;` has ten. Shorter lines, such as a closing bracket, occur
// everywhere, so they do not show where a passage moved.
/// Letters and digits that lines must have before Agon searches for them elsewhere.
const MIN_DISTINCTIVE_CHARS: usize = 10;

// Chosen, not measured: each search reads the words of the whole project. A verdict depends on some
// twenty places, and many of them vanish at once only if a whole folder does.
/// Maximum number of places for which other files are searched.
const MAX_SEARCHES: usize = 20;

/// The current state of a cited place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlaceNow {
    /// The place still has the same lines.
    Same,
    /// The lines are elsewhere.
    Moved {
        /// The file, by its path in the project.
        file: String,
        /// The first and last line there, from 1; zeros for a whole file.
        lines: [u32; 2],
    },
    /// The file still exists but no longer contains the lines.
    Changed,
    /// The file does not exist, and the lines are nowhere else.
    Gone,
    /// The state is unknown, for example because the file cannot be read.
    Unknown,
}

/// The current state of a project, with which cited places are compared. Reads each file once.
#[derive(Debug)]
pub struct ProjectNow {
    folder: Folder,
    apart: Vec<String>,
    files: HashMap<String, Rc<FileNow>>,
    looked_for: usize,
    tree: OnceCell<Option<Source>>,
}

#[derive(Debug)]
enum FileNow {
    Text { hash: String, lines: Vec<String> },
    Nothing,
    Unreadable,
}

impl FileNow {
    fn new(bytes: &[u8]) -> Self {
        Self::Text {
            hash: blake3::hash(bytes).to_hex().to_string(),
            lines: lines_of(bytes),
        }
    }
}

impl ProjectNow {
    /// Opens the project in the folder `root`. No place counts as moved into one of the paths in
    /// `apart`, such as the folder of debates, whose documents quote the cited lines.
    ///
    /// # Errors
    ///
    /// If the folder does not exist.
    pub fn open(root: &Path, apart: &[&str]) -> io::Result<Self> {
        let path: PathBuf = root.canonicalize()?;
        if !path.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        Ok(Self {
            folder: Folder::new(path),
            apart: apart.iter().map(|it| (*it).to_owned()).collect(),
            files: HashMap::new(),
            looked_for: 0,
            tree: OnceCell::new(),
        })
    }

    /// Returns what has happened to a place; `kept` returns the stored bytes of its file, if any.
    ///
    /// A place in a commit never changes. Reads the file, and the whole project if the file no
    /// longer has the lines: O(bytes), for the first 20 such places.
    pub fn place(&mut self, was: &SourceText, kept: impl FnOnce() -> Option<Vec<u8>>) -> PlaceNow {
        if was.place.commit.is_some() {
            return PlaceNow::Same;
        }
        let file = &was.place.file;
        let now = self.file(file);
        match &*now {
            FileNow::Text { hash, .. } if *hash == was.blob => return PlaceNow::Same,
            FileNow::Unreadable => return PlaceNow::Unknown,
            FileNow::Text { .. } | FileNow::Nothing => {}
        }
        let is_there = matches!(&*now, FileNow::Text { .. });
        let otherwise = match is_there {
            true => PlaceNow::Changed,
            false => PlaceNow::Gone,
        };
        if !is_there && let Some(file) = self.find_renamed_file(&was.blob) {
            let lines = was.place.lines;
            return PlaceNow::Moved { file, lines };
        }
        let cited = CitedLines::new(was, kept);
        let Some(cited) = cited else {
            // The place is a whole file, or its lines were not stored completely.
            let is_whole = was.place.lines == [0, 0];
            return match is_there && !is_whole {
                true => PlaceNow::Unknown,
                false => otherwise,
            };
        };
        if let FileNow::Text { lines, .. } = &*now
            && let Some(first) = cited.nearest_start(lines)
        {
            return match first == cited.first {
                true => PlaceNow::Same,
                false => PlaceNow::Moved {
                    file: file.clone(),
                    lines: cited.lines_from(first),
                },
            };
        }
        self.looked_for += 1;
        match self.looked_for > MAX_SEARCHES {
            true => otherwise,
            false => self.find_in_other_file(&cited, file).unwrap_or(otherwise),
        }
    }

    fn file(&mut self, path: &str) -> Rc<FileNow> {
        if let Some(known) = self.files.get(path) {
            return Rc::clone(known);
        }
        let read = match self
            .folder
            .read_entry(path, PinLimits::default().file_bytes)
        {
            DiskEntry::Bytes(bytes) => FileNow::new(&bytes),
            DiskEntry::Nothing | DiskEntry::Directory => FileNow::Nothing,
            DiskEntry::Oversized(_)
            | DiskEntry::Link(_)
            | DiskEntry::Special
            | DiskEntry::Unreadable => FileNow::Unreadable,
        };
        let read = Rc::new(read);
        self.files.insert(path.to_owned(), Rc::clone(&read));
        read
    }

    /// Returns the whole project; `None` if it is too large to search.
    fn tree(&self) -> Option<&Source> {
        let pin = || {
            let apart: Vec<&str> = self.apart.iter().map(String::as_str).collect();
            let excluded = Excluded {
                apart: &apart,
                ..Excluded::default()
            };
            Source::pin_tree_excluding(self.folder.path(), excluded, &PinLimits::default()).ok()
        };
        self.tree.get_or_init(pin).as_ref()
    }

    /// Returns the only file with these bytes.
    fn find_renamed_file(&self, hash: &str) -> Option<String> {
        let entries = &self.tree()?.manifest().entries;
        let mut same = entries
            .iter()
            .filter(|(_, entry)| entry.hash.as_deref() == Some(hash));
        let (path, _) = same.next()?;
        same.next().is_none().then(|| path.clone())
    }

    /// Finds the only other file that contains the lines.
    fn find_in_other_file(&self, cited: &CitedLines, but: &str) -> Option<PlaceNow> {
        if !cited.is_distinctive() {
            return None;
        }
        let source = self.tree()?;
        let words: Vec<String> = cited.words();
        let mut found = None;
        for path in source.word_index().files_with_words(&words) {
            let entry = source.manifest().entries.get(path)?;
            if path == but {
                continue;
            }
            let Ok(bytes) = source.text_bytes(path, entry) else {
                continue;
            };
            let Some(first) = cited.nearest_start(&lines_of(&bytes)) else {
                continue;
            };
            if found.is_some() {
                return None;
            }
            found = Some(PlaceNow::Moved {
                file: path.to_owned(),
                lines: cited.lines_from(first),
            });
        }
        found
    }
}

/// The cited lines as they were.
struct CitedLines {
    first: usize,
    lines: Vec<String>,
    /// Whether the lines are known only as displayed, without hidden characters.
    as_shown: bool,
}

impl CitedLines {
    /// Returns the cited lines; `None` for a whole file, or if some of the lines are unknown.
    fn new(was: &SourceText, kept: impl FnOnce() -> Option<Vec<u8>>) -> Option<Self> {
        let [first, last] = was.place.lines.map(|it| it as usize);
        if first == 0 || last < first {
            return None;
        }
        let count = last - first + 1;
        let of = |lines: &[String], from: usize| {
            let start = first.checked_sub(from)?;
            Some(lines.get(start..start + count)?.to_vec())
        };
        if let Some(lines) = kept().and_then(|bytes| of(&lines_of(&bytes), 1)) {
            return Some(Self {
                first,
                lines,
                as_shown: false,
            });
        }
        let shown: Vec<String> = was.text.iter().map(|it| it.trim_end().to_owned()).collect();
        let lines = of(&shown, was.from as usize).filter(|_| !was.cut)?;
        // Redacted lines cannot be compared, so treat them as unknown.
        let is_whole = !lines.iter().any(|line| line.contains("[redacted:"));
        is_whole.then_some(Self {
            first,
            lines,
            as_shown: true,
        })
    }

    /// Returns the first line in `file` at which the lines occur, nearest to their old position.
    fn nearest_start(&self, file: &[String]) -> Option<usize> {
        let stands = |window: &[String]| {
            let mut pairs = window.iter().zip(&self.lines);
            pairs.all(|(now, was)| match self.as_shown {
                true => mask_hidden_characters(now) == *was,
                false => now == was,
            })
        };
        let windows = file.windows(self.lines.len()).enumerate();
        let all = windows.filter(|(_, window)| stands(window));
        let starts = all.map(|(at, _)| at + 1);
        // Lines with too few characters count only at their old position, because they occur
        // everywhere.
        let starts = starts.filter(|at| *at == self.first || self.is_distinctive());
        starts.min_by_key(|at| at.abs_diff(self.first))
    }

    fn is_distinctive(&self) -> bool {
        let chars = self.lines.iter().flat_map(|line| line.chars());
        chars
            .filter(|c| c.is_alphanumeric())
            .nth(MIN_DISTINCTIVE_CHARS - 1)
            .is_some()
    }

    fn words(&self) -> Vec<String> {
        let words = self
            .lines
            .iter()
            .flat_map(|line| line.split(|c: char| !c.is_alphanumeric()));
        words
            .filter(|it| !it.is_empty())
            .map(str::to_owned)
            .collect()
    }

    fn lines_from(&self, first: usize) -> [u32; 2] {
        let last = first + self.lines.len() - 1;
        [first, last].map(|line| u32::try_from(line).unwrap_or(u32::MAX))
    }
}

/// Splits a text into lines without trailing white space, so that CRLF and LF compare equal.
fn lines_of(bytes: &[u8]) -> Vec<String> {
    let decoded = decode(bytes);
    let lines = decoded.text.lines();
    lines.map(|line| line.trim_end().to_owned()).collect()
}

#[cfg(test)]
mod tests;
