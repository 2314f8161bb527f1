//! Reads folders of formal debates that another tool keeps.
//!
//! Such a folder has a `debate.md`, `arguments/` and `scores.json`, but no `.agon/`. It is read and
//! checked as a whole; nothing is written. [`Folder::import`](crate::Folder::import) turns it into
//! a folder of Agon.

mod consistent;
mod files;
mod findings;
mod overwritten;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use agon_record::event::{Event, Imported, ImportedArgument, Reply};
use agon_record::id::{NodeId, Seat};
use agon_record::spec::{Definition, FormalSpec, Kind as FormatKind, Spec, plain_name};
use agon_record::state::State;
use agon_record::tally::Total;
use agon_store::{Disk, DiskError, FileKind, Layout};

pub(crate) use files::{DEBATE, GRAPH};
pub use overwritten::{Overwritten, overwritten_files};

use self::files::Files;
use crate::formal_files::{FormalFault, argument, debate, scores};

/// A debate read from the folder of another tool.
#[derive(Clone, Debug, PartialEq)]
pub struct Foreign {
    /// The folder's name.
    pub slug: String,
    /// The motion.
    pub motion: String,
    /// The defined terms of the motion.
    pub definitions: Vec<Definition>,
    /// What the motion includes and excludes.
    pub scope: Option<String>,
    /// The totals in `debate.md`, even if they do not match `scores.json`.
    pub stated: Option<BTreeMap<Seat, Total>>,
    /// Everything else, as the event that imports it.
    pub imported: Imported,
}

impl Foreign {
    /// Returns the spec of the debate, without seats, limits or an id.
    pub fn spec(&self) -> Spec {
        Spec {
            kind: FormatKind::formal(FormalSpec {
                definitions: self.definitions.clone(),
                scope: self.scope.clone(),
                theses: None,
            }),
            ..Spec::formal(&self.slug, &self.motion)
        }
    }

    /// Returns the first two events of its journal: opened and imported.
    pub fn opening_events(&self) -> [Event; 2] {
        [
            Event::Opened(Box::new(self.spec())),
            Event::Imported(Box::new(self.imported.clone())),
        ]
    }
}

/// Why a folder of another tool cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ForeignError {
    /// The folder has no `debate.md`.
    #[error("{} does not contain a debate", path.display())]
    NotADebate {
        /// The folder.
        path: PathBuf,
    },
    /// A file is invalid, or contradicts another file.
    #[error("{file}{}: {what}", line.map_or_else(String::new, |line| format!(":{line}")))]
    File {
        /// The file, by its path in the folder.
        file: String,
        /// The line, from 1, if known.
        line: Option<u32>,
        /// The problem.
        what: String,
        /// What to do about it.
        hint: String,
    },
    /// A file operation failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

impl ForeignError {
    pub(crate) fn in_file(file: &str, fault: FormalFault) -> Self {
        Self::File {
            file: file.to_owned(),
            line: fault.line,
            what: fault.what,
            hint: fault.hint,
        }
    }

    /// Returns what to do about it, if known.
    pub fn hint(&self) -> Option<&str> {
        match self {
            Self::File { hint, .. } => Some(hint),
            Self::NotADebate { .. } | Self::Disk(_) => None,
        }
    }
}

/// Returns whether `path` has a `debate.md` in the expected form and no record of Agon.
///
/// # Errors
///
/// If the folder cannot be read.
pub fn is_foreign_debate(disk: &dyn Disk, path: &Path) -> Result<bool, DiskError> {
    let layout = Layout::new(path);
    if disk.metadata(&layout.agon_dir())?.is_some() {
        return Ok(false);
    }
    let debate = path.join(DEBATE);
    match disk.metadata(&debate)? {
        Some(meta) if meta.kind == FileKind::File && meta.len <= files::MARKDOWN_MAX => {
            let bytes = disk.read(&debate)?;
            let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&bytes);
            Ok(bytes.trim_ascii_start().starts_with(b"{"))
        }
        // Accept a link here too: reading the folder later reports what is wrong with it.
        Some(meta) => Ok(matches!(meta.kind, FileKind::File | FileKind::Link)),
        None => Ok(false),
    }
}

/// Reads the debate that another tool keeps in the folder `path`.
///
/// Broken rules become findings and do not prevent the import. Reads at most 1 MiB of a Markdown
/// file, 16 MiB of any other file and 64 MiB in total.
///
/// # Errors
///
/// If there is no `debate.md`, a file is too large, a link or cannot be parsed, the files
/// contradict each other, or the disk fails.
pub fn read(disk: &dyn Disk, path: &Path) -> Result<Foreign, ForeignError> {
    let contents = Contents::read(disk, path)?;
    let mut foreign = contents.to_foreign(path);
    let spec = foreign.spec();
    let event = Event::Imported(Box::new(foreign.imported.clone()));
    let state = State::open(spec).with_events([&event]);
    foreign.imported.findings = contents.turn_findings(&state, &foreign.imported.arguments);
    Ok(foreign)
}

/// The parsed files of a folder.
#[derive(Debug)]
pub(crate) struct Contents {
    pub(crate) files: Files,
    pub(crate) opening: debate::DebateContents,
    arguments: BTreeMap<NodeId, (String, argument::Parsed)>,
    pub(crate) scores: BTreeMap<NodeId, Vec<agon_record::event::ScoreEntry>>,
}

impl Contents {
    pub(crate) fn read(disk: &dyn Disk, path: &Path) -> Result<Self, ForeignError> {
        let files = Files::read(disk, path)?;
        let at = |file: &'static str| move |fault| ForeignError::in_file(file, fault);
        let opening =
            debate::parse_file(&normalize_line_ends(&files.debate)).map_err(at(DEBATE))?;
        let mut arguments = BTreeMap::new();
        for (id, text) in &files.arguments {
            let text = normalize_line_ends(text);
            let parsed = argument::parse_file(*id, &text)
                .map_err(|fault| ForeignError::in_file(&files::argument_path(*id), fault))?;
            arguments.insert(*id, (text, parsed));
        }
        let scores = files.scores.as_deref().unwrap_or("{}");
        let scores = scores::parse_file(scores).map_err(at(scores::FILE))?;
        let contents = Self {
            files,
            opening,
            arguments,
            scores,
        };
        contents.check_consistency()?;
        Ok(contents)
    }

    pub(crate) fn argument_ids(&self) -> impl Iterator<Item = NodeId> {
        self.arguments.keys().copied()
    }

    /// Returns the last judged exchange.
    pub(crate) fn last_judged_exchange(&self) -> Option<u16> {
        self.opening.exchange.checked_sub(1)
    }

    pub(crate) fn imported_argument(&self, id: NodeId) -> Option<ImportedArgument> {
        let (_, parsed) = self.arguments.get(&id)?;
        let contention = parsed.contention.clone();
        Some(ImportedArgument { id, contention })
    }

    fn to_foreign(&self, path: &Path) -> Foreign {
        let opening = &self.opening;
        let name = path.file_name().map(|name| name.to_string_lossy());
        let name = name.map(|name| name.into_owned());
        let named = name.or_else(|| opening.debate_id.clone());
        let slug = plain_name(named.unwrap_or_default());
        let files = self.files.paths_and_texts();
        Foreign {
            slug,
            motion: opening.motion.clone(),
            definitions: opening.definitions.clone(),
            scope: opening.scope.clone(),
            stated: opening.totals.clone(),
            imported: Imported {
                files: files
                    .map(|(path, text)| (path, Reply::Text(text.to_owned())))
                    .collect(),
                arguments: self
                    .argument_ids()
                    .filter_map(|id| self.imported_argument(id))
                    .collect(),
                scores: self.scores.clone(),
                judged: self.last_judged_exchange(),
                findings: Vec::new(),
            },
        }
    }
}

/// Converts line ends to `
/// `.
fn normalize_line_ends(text: &str) -> String {
    text.replace("\r\n", "\n")
}
