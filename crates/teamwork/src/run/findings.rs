//! What was found in a change that goes back, in full: its author is shown it, and the store keeps a
//! line of it.

use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::PathBuf;

use agon_caller::{Code, Failure};
use agon_files::Durable;
use agon_team::task::Task;

use super::RunContext;
use crate::text::{clean, short_hash};

/// Characters of findings that are kept: the last ones, where a verdict stands.
const MAX_CHARS: usize = 8_000;
/// The most bytes of a file of findings that are read.
const MAX_BYTES: u64 = 1 << 20;

impl RunContext<'_> {
    /// The folder for what is kept of runs beside the team's file.
    ///
    /// # Errors
    ///
    /// If it cannot be made.
    pub(super) fn runs_folder(&self) -> Result<PathBuf, Failure> {
        let folder = self.location.database().with_file_name("runs");
        match DirBuilder::new().mode(0o700).create(&folder) {
            Err(cause) if cause.kind() != io::ErrorKind::AlreadyExists => {
                let message = format!("cannot make {}: {cause}", folder.display());
                Err(Failure::new(Code::Store, message))
            }
            Ok(()) | Err(_) => Ok(folder),
        }
    }

    /// Keeps what was found in the change of a task, in place of what was found before.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub(super) fn keep_findings(&self, task: &Task, found: &str) -> Result<(), Failure> {
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

    /// What the author of a change is told of it when it comes back: the note of its task, and below it
    /// the findings where they say more.
    ///
    /// # Errors
    ///
    /// If the folder for them cannot be made.
    pub(super) fn returned_note(&self, task: &Task, note: &str) -> Result<String, Failure> {
        let kept = agon_files::read_to_string(&self.findings_file(task)?, MAX_BYTES);
        let Ok(found) = kept else {
            return Ok(note.to_owned());
        };
        // A note of its own, such as that a lease was taken, comes first.
        Ok(match self.note_of(&found) == note {
            true => found,
            false => format!("{note}\n\n{found}"),
        })
    }

    /// The line of findings that the store keeps.
    pub(super) fn note_of(&self, found: &str) -> String {
        self.line(&found.trim_end().replace('\n', " | "))
    }

    /// Named by the task's text besides, so that those of a team that was begun again do not count.
    fn findings_file(&self, task: &Task) -> Result<PathBuf, Failure> {
        let hash = short_hash(&format!("{}\n{}", task.title, task.spec));
        let name = format!("{}-{}-findings-{hash}.md", self.run, task.id);
        Ok(self.runs_folder()?.join(name))
    }
}
