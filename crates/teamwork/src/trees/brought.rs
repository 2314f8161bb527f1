//! What was brought into a work tree: kept in its git folder, which is removed together with it.

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
/// The most bytes of it that are read.
const MAX_BYTES: u64 = 64 << 20;

/// What was brought into a work tree.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BroughtFiles {
    /// The section that it was brought by, as a hash.
    pub(crate) section: String,
    /// The paths of files and links, from the root of the work tree.
    pub(crate) paths: BTreeSet<PathBuf>,
    /// Whether all of it was brought, and the command has run.
    pub(crate) is_complete: bool,
}

impl BroughtFiles {
    /// The record of the work tree that has this git folder; an empty one where there is none.
    pub(crate) fn read(git_dir: &Path) -> Result<Self, Failure> {
        let path = git_dir.join(FILE);
        let text = match agon_files::read_to_string(&path, MAX_BYTES) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(disk_failure(&path, &error)),
        };
        serde_json::from_str(&text).map_err(|error| disk_failure(&path, &io::Error::other(error)))
    }

    /// Writes it.
    pub(crate) fn write(&self, git_dir: &Path) -> Result<(), Failure> {
        let path = git_dir.join(FILE);
        let text = serde_json::to_vec(self)
            .map_err(|error| disk_failure(&path, &io::Error::other(error)))?;
        agon_files::replace(&path, &text, 0o600, Durable::Yes)
            .map_err(|error| disk_failure(&path, &error))
    }
}

/// By what a section is known again.
pub(crate) fn section_hash(settings: &WorktreeSettings) -> String {
    let text = WorktreeFile::new(settings.clone()).to_text();
    blake3::hash(text.as_bytes()).to_hex().to_string()
}

/// Refuses a change that has a path which was brought: a secret would be committed with it. The change
/// is what is in the index, and the commits since `base`, where a later one may have removed it again.
///
/// # Errors
///
/// If it has one, or git fails.
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
            format!("{path} was brought into the work tree by [worktree], and is in a commit");
        return Err(refusal(&message).hint(
            "take it out of the commits with `git rebase`, not by one more commit: it may be a secret",
        ));
    }
    // One that is removed is none that is taken in.
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
    // What is in the index would be taken for tracked, also once it is ignored again.
    let names: String = brought.iter().map(|path| format!("{path}\0")).collect();
    let forget = ["update-index", "--force-remove", "-z", "--stdin"];
    let forgotten = session.run(&forget, names.as_bytes()).await;
    forgotten.map_err(git_failure)?;
    let path = clean_line(first);
    Err(refusal(&format!(
        "{path} was brought into the work tree by [worktree], and would be committed"
    ))
    .hint("let `.gitignore` name it again, and the rest of the change can be committed"))
}

fn disk_failure(path: &Path, error: &io::Error) -> Failure {
    Failure::new(Code::Store, format!("{}: {error}", path.display()))
}
