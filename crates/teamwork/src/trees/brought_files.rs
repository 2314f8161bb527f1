//! Records the files that were brought into a work tree. The record is in the tree's git folder and
//! is removed with it.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use agon_caller::{Code, Failure};
use agon_files::Durable;
use agon_git::GitSession;
use agon_team::worktree::{WorktreeFile, WorktreeSettings};
use serde::{Deserialize, Serialize};

use crate::git::{git_failure, refusal};
use crate::text::clean_line;

/// The name of the file in the git folder of a work tree.
const FILE: &str = "agon-brought.json";
/// Maximum size of the file, in bytes.
const MAX_BYTES: u64 = 64 << 20;

/// The files that were brought into a work tree.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BroughtFiles {
    /// The hash of the `[worktree]` section that named them.
    pub(crate) section: String,
    /// The paths of files and links, relative to the root of the work tree.
    pub(crate) paths: BTreeSet<PathBuf>,
    /// Whether all files were brought and the setup command has run.
    pub(crate) is_complete: bool,
}

impl BroughtFiles {
    /// Reads the record of the work tree with this git folder. Returns an empty record if there is
    /// none.
    pub(crate) fn read(git_dir: &Path) -> Result<Self, Failure> {
        let path = git_dir.join(FILE);
        let text = match agon_files::read_to_string(&path, MAX_BYTES) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(disk_failure(&path, &error)),
        };
        serde_json::from_str(&text).map_err(|error| disk_failure(&path, &io::Error::other(error)))
    }

    /// Writes the record.
    pub(crate) fn write(&self, git_dir: &Path) -> Result<(), Failure> {
        let path = git_dir.join(FILE);
        let text = serde_json::to_vec(self)
            .map_err(|error| disk_failure(&path, &io::Error::other(error)))?;
        agon_files::replace(&path, &text, 0o600, Durable::Yes)
            .map_err(|error| disk_failure(&path, &error))
    }
}

/// Returns a hash that identifies a section.
pub(crate) fn section_hash(settings: &WorktreeSettings) -> String {
    let text = WorktreeFile::new(settings.clone()).to_text();
    blake3::hash(text.as_bytes()).to_hex().to_string()
}

/// Refuses a change that contains a brought path, because a secret would be committed with it.
/// Checks the index and every commit since `base`, even if a later commit removed the path again.
///
/// # Errors
///
/// Fails if the change contains such a path, or git fails.
pub(crate) async fn refuse_brought(session: &GitSession, base: &str) -> Result<(), Failure> {
    let record = BroughtFiles::read(&session.repository().git_dir)?;
    if record.paths.is_empty() {
        return Ok(());
    }
    let brought_in = async |args: &[&str]| {
        let listed = session.text(args).await.map_err(git_failure)?;
        let paths = listed.split('\0').filter(|path| !path.is_empty());
        let brought = paths.filter(|path| record.paths.contains(Path::new(path)));
        Ok::<_, Failure>(brought.map(str::to_owned).collect::<Vec<_>>())
    };
    let since = format!("{base}..HEAD");
    let committed = brought_in(&[
        "log",
        "--format=",
        "--name-only",
        "--no-renames",
        "-m",
        "-z",
        &since,
        "--",
    ])
    .await?;
    if let Some(path) = committed.first() {
        let path = clean_line(path);
        let message =
            format!("a commit contains {path}, which [worktree] brought into the work tree");
        return Err(refusal(&message).hint(
            "it may be a secret: remove it from the history with `git rebase`, not with a \
             new commit",
        ));
    }
    // `--diff-filter=d` leaves out removed files: removing a brought path is allowed.
    let staged = [
        "diff",
        "--cached",
        "--name-only",
        "--no-renames",
        "--diff-filter=d",
        "-z",
        base,
    ];
    let brought = brought_in(&staged).await?;
    let Some(first) = brought.first() else {
        return Ok(());
    };
    // Remove the paths from the index: there they would count as tracked even if they are ignored
    // again later.
    let names: String = brought.iter().map(|path| format!("{path}\0")).collect();
    let forget = ["update-index", "--force-remove", "-z", "--stdin"];
    let forgotten = session.run(&forget, names.as_bytes()).await;
    forgotten.map_err(git_failure)?;
    let path = clean_line(first);
    Err(refusal(&format!(
        "the change contains {path}, which [worktree] brought into the work tree"
    ))
    .hint("add it to `.gitignore` again, then commit the rest of the change"))
}

fn disk_failure(path: &Path, error: &io::Error) -> Failure {
    Failure::new(Code::Store, format!("{}: {error}", path.display()))
}
