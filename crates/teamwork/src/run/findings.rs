//! Stores the full findings about a change that goes back. The author reads all of them; the store
//! keeps one line.

use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::PathBuf;

use agon_caller::{Code, Failure};
use agon_files::Durable;
use agon_team::task::Task;

use super::RunContext;
use crate::text::{clean, short_hash};

/// The characters of findings that are kept: the last ones, because the verdict is at the end.
const MAX_CHARS: usize = 8_000;
/// Maximum size of a findings file, in bytes.
const MAX_BYTES: u64 = 1 << 20;

impl RunContext<'_> {
    /// Returns the folder for files about runs, beside the team's file.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be created.
    pub(super) fn runs_folder(&self) -> Result<PathBuf, Failure> {
        let folder = self.location.database().with_file_name("runs");
        match DirBuilder::new().mode(0o700).create(&folder) {
            Err(cause) if cause.kind() != io::ErrorKind::AlreadyExists => {
                let message = format!("cannot create {}: {cause}", folder.display());
                Err(Failure::new(Code::Store, message))
            }
            Ok(()) | Err(_) => Ok(folder),
        }
    }

    /// Stores the findings about a task's change, replacing earlier ones.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub(super) fn store_findings(&self, task: &Task, found: &str) -> Result<(), Failure> {
        let path = self.findings_file(task)?;
        let found = clean(found);
        let skipped = found.chars().count().saturating_sub(MAX_CHARS);
        let kept: String = found.chars().skip(skipped).collect();
        let written = agon_files::replace(&path, kept.trim_end().as_bytes(), 0o600, Durable::No);
        written.map_err(|cause| {
            let message = format!("cannot write {}: {cause}", path.display());
            Failure::new(Code::Store, message)
        })
    }

    /// Returns the note for the author of a returned change: the task's note, followed by the
    /// findings if they say more.
    ///
    /// # Errors
    ///
    /// Fails if the folder for findings cannot be created.
    pub(super) fn returned_note(&self, task: &Task, note: &str) -> Result<String, Failure> {
        let kept = agon_files::read_to_string(&self.findings_file(task)?, MAX_BYTES);
        let Ok(found) = kept else {
            return Ok(note.to_owned());
        };
        // If the note is not the short form of the findings, such as one about a lost lease, it
        // comes first.
        Ok(match self.shorten_to_note(&found) == note {
            true => found,
            false => format!("{note}\n\n{found}"),
        })
    }

    /// Shortens findings to the line that the store keeps.
    pub(super) fn shorten_to_note(&self, found: &str) -> String {
        self.line(&found.trim_end().replace('\n', " | "))
    }

    /// Returns the path of the findings about a task. It contains a hash of the task's text, so
    /// that findings of an earlier team do not count.
    fn findings_file(&self, task: &Task) -> Result<PathBuf, Failure> {
        let hash = short_hash(&format!("{}\n{}", task.title, task.spec));
        let name = format!("{}-{}-findings-{hash}.md", self.run, task.id);
        Ok(self.runs_folder()?.join(name))
    }
}
