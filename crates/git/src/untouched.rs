//! Restores index entries of unchanged files that git considers changed.
//!
//! If `.gitattributes` requires other line ends than a commit has, or `ident` or an encoding was
//! set later, `git add` stores different content for a file that is exactly as git checked it out.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::DirBuilder;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;

use crate::run::{GitError, GitLimits};
use crate::session::{GitSession, ScratchSession};

/// Maximum size of a file that is compared; a larger one counts as changed, in bytes.
const MAX_BYTES: u64 = 64 << 20;

impl GitSession {
    /// Resets the index entries of files that are byte for byte as git checks them out of `commit`
    /// to the entries of that commit.
    ///
    /// # Errors
    ///
    /// If git fails.
    pub async fn restore_untouched(&self, commit: &str) -> Result<(), GitError> {
        restore_untouched(self, &self.env, commit).await
    }
}

impl ScratchSession<'_> {
    /// Like [`GitSession::restore_untouched`], for the index of this session.
    ///
    /// # Errors
    ///
    /// If git fails.
    pub async fn restore_untouched(&self, commit: &str) -> Result<(), GitError> {
        restore_untouched(self.session, &self.env, commit).await
    }
}

async fn restore_untouched(
    session: &GitSession,
    env: &BTreeMap<OsString, OsString>,
    commit: &str,
) -> Result<(), GitError> {
    let changed = [
        "diff-index",
        "--cached",
        "--no-renames",
        "--ignore-submodules=dirty",
        "--diff-filter=M",
        "-z",
        commit,
    ];
    let run = async |env: &BTreeMap<OsString, OsString>, args: &[&str], input: &[u8]| {
        session
            .call(env.clone(), args, input, GitLimits::STEP)
            .await
    };
    let changed = run(env, &changed, b"").await?;
    let mut entries = entries(&changed);
    let Some(root) = session.repository().work_tree.as_deref() else {
        return Ok(());
    };
    if entries.is_empty() {
        return Ok(());
    }
    let objects: Vec<u8> = entries
        .iter()
        .flat_map(|entry| [entry.object, b"\n"].concat())
        .collect();
    let sizes = ["cat-file", "--batch-check=%(objectsize)"];
    let sizes = run(env, &sizes, &objects).await?;
    retain_comparable(&mut entries, &sizes, root);
    if entries.is_empty() {
        return Ok(());
    }
    let folder = session.folder.path();
    let written = folder.join("untouched");
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(&written)
        .map_err(|cause| GitError::Folder {
            path: written.clone(),
            cause,
        })?;
    let mut of_commit = env.clone();
    of_commit.insert(
        "GIT_INDEX_FILE".into(),
        folder.join("untouched.index").into(),
    );
    run(&of_commit, &["read-tree", commit], b"").await?;
    let prefix = format!("--prefix={}/", written.display());
    let paths: Vec<u8> = entries
        .iter()
        .flat_map(|entry| [entry.path, b"\0"].concat())
        .collect();
    let check_out = ["checkout-index", "-f", "-q", "-z", "--stdin", &prefix];
    // A user's filter may fail for some files; a file that was not written counts as changed.
    run(&of_commit, &check_out, &paths).await.ok();
    let mut restored = Vec::new();
    for entry in entries {
        let path = Path::new(OsStr::from_bytes(entry.path));
        if are_equal(&root.join(path), &written.join(path)) {
            let [mode, object] = [entry.mode, entry.object];
            restored.extend([mode, b" ", object, b"\t", entry.path, b"\0"].concat());
        }
    }
    // If this fails, the folder is removed together with the session's folder.
    std::fs::remove_dir_all(&written).ok();
    run(env, &["update-index", "-z", "--index-info"], &restored).await?;
    Ok(())
}

/// A file of a commit that differs in the index.
struct ChangedFile<'a> {
    mode: &'a [u8],
    object: &'a [u8],
    path: &'a [u8],
}

/// Parses the regular files with an unchanged mode from the output of `git diff-index -z`.
fn entries(printed: &[u8]) -> Vec<ChangedFile<'_>> {
    let mut fields = printed.split(|byte| *byte == 0);
    let mut found = Vec::new();
    while let (Some(facts), Some(path)) = (fields.next(), fields.next()) {
        let facts: Vec<&[u8]> = facts.split(|byte| *byte == b' ').collect();
        let [mode, new_mode, object, ..] = facts.as_slice() else {
            continue;
        };
        let mode = mode.strip_prefix(b":").unwrap_or(mode);
        if mode == *new_mode && mode.starts_with(b"100") {
            found.push(ChangedFile { mode, object, path });
        }
    }
    found
}

/// Keeps the entries whose objects (in the order of `sizes`) and work tree files are small enough,
/// before any of them is checked out.
fn retain_comparable(entries: &mut Vec<ChangedFile<'_>>, sizes: &[u8], root: &Path) {
    let mut sizes = sizes.split(|byte| *byte == b'\n');
    entries.retain(|entry| {
        // Git does not print a size for a missing object, so the entry is dropped.
        let size = sizes.next().and_then(|line| std::str::from_utf8(line).ok());
        let size = size.and_then(|line| line.parse::<u64>().ok());
        let path = root.join(OsStr::from_bytes(entry.path));
        let length = path.symlink_metadata().map(|meta| meta.len());
        size.is_some_and(|size| size <= MAX_BYTES) && length.is_ok_and(|it| it <= MAX_BYTES)
    });
}

fn are_equal(one: &Path, other: &Path) -> bool {
    let length = |path: &Path| Some(path.symlink_metadata().ok()?.len());
    let read = |path: &Path| agon_files::read_no_follow(path, MAX_BYTES).ok();
    length(one) == length(other) && read(one).is_some_and(|bytes| read(other) == Some(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_large_or_not_there_is_not_checked_out() {
        let dir = tempfile::tempdir().unwrap();
        for (name, length) in [
            ("small", 3),
            ("longest", MAX_BYTES),
            ("large", MAX_BYTES + 1),
        ] {
            let file = std::fs::File::create(dir.path().join(name)).unwrap();
            file.set_len(length).unwrap();
        }
        let largest = MAX_BYTES.to_string();
        let too_large = (MAX_BYTES + 1).to_string();
        let rows = [
            ("small", "3", true),
            ("longest", largest.as_str(), true),
            ("large", "3", false),
            ("small", too_large.as_str(), false),
            ("small", "f00 missing", false),
            ("gone", "3", false),
            ("small", "4", true),
        ];
        let mut entries: Vec<ChangedFile<'_>> = rows
            .iter()
            .map(|(path, _, _)| ChangedFile {
                mode: b"100644",
                object: b"f00",
                path: path.as_bytes(),
            })
            .collect();
        let sizes: String = rows.iter().map(|row| format!("{}\n", row.1)).collect();
        retain_comparable(&mut entries, sizes.as_bytes(), dir.path());
        let left: Vec<&[u8]> = entries.iter().map(|entry| entry.path).collect();
        let expected = rows.iter().filter(|row| row.2);
        let expected: Vec<&[u8]> = expected.map(|row| row.0.as_bytes()).collect();
        assert_eq!(left, expected);
    }
}
