//! Finds the commits of a change, and which of its files the seats are given.

use std::collections::BTreeSet;

use agon_caller::{Caller, Code, Failure, Hint};
use agon_verdict::review::ReviewedChange;

use crate::sources::context::MAX_BYTES;
use crate::sources::context::changes::{DIFF, commits_of_range, find_commit};
use crate::sources::context::git::ProjectGit;

/// Branches that a change is usually merged to, in the order in which they are tried.
const BASES: [&str; 5] = [
    "refs/remotes/origin/HEAD",
    "refs/remotes/origin/main",
    "refs/remotes/origin/master",
    "refs/heads/main",
    "refs/heads/master",
];
/// Names of files that are written by programs, so that a seat can judge them least.
const GENERATED: [&str; 9] = [
    "Cargo.lock",
    "package-lock.json",
    "pnpm-lock.yaml",
    "yarn.lock",
    "poetry.lock",
    "uv.lock",
    "go.sum",
    "Gemfile.lock",
    "composer.lock",
];
/// Endings of such files.
const GENERATED_ENDINGS: [&str; 5] = [".min.js", ".min.css", ".map", ".snap", ".svg"];
// Room for the preface and the submodules' note.
/// How much of the context the diff may take, in bytes.
const MAX_DIFF_BYTES: usize = MAX_BYTES - 8 * 1024;

/// Finds the change that `revision` names, and chooses the files that fit into the context: small
/// ones first, and files written by programs last.
///
/// # Errors
///
/// If there is no repository or no such commit, or the change is empty.
pub async fn find_change(
    caller: &Caller,
    revision: Option<&str>,
) -> Result<ReviewedChange, Failure> {
    let git = ProjectGit::open_for_objects(caller)?;
    let range = match revision {
        None => own_range(&git).await?,
        Some(revision) => range_of(&git, revision).await?,
    };
    let (since, commit) = commits_of_range(&git, &range).await?;
    let sizes = sizes_of_files(&git, &since, &commit).await?;
    if sizes.is_empty() {
        let message = "this change contains no file of the project";
        return Err(Failure::new(Code::ContextRefused, message)
            .parameter("revision")
            .hint("name two commits, as in main..HEAD"));
    }
    let (files, not_read) = choose(sizes);
    Ok(ReviewedChange {
        since,
        commit,
        files,
        not_read,
    })
}

/// Returns the range of a named revision.
async fn range_of(git: &ProjectGit, revision: &str) -> Result<String, Failure> {
    if revision.contains("..") {
        return Ok(revision.to_owned());
    }
    let number = revision.trim_start_matches('#');
    if number.is_empty() || !number.bytes().all(|b| b.is_ascii_digit()) || number.len() > 7 {
        // Of a merge, the change is what it brings to the branch that it is merged to.
        return Ok(format!("{revision}^1..{revision}"));
    }
    for name in [
        format!("refs/pull/{number}/merge"),
        format!("refs/remotes/origin/pull/{number}/merge"),
    ] {
        if find_commit(git, &name).await.is_ok() {
            return Ok(format!("{name}^1..{name}"));
        }
    }
    let message = format!("the merge commit of pull request {number} is not in this clone");
    let fetch = format!("git fetch origin refs/pull/{number}/merge:refs/pull/{number}/merge");
    Err(Failure::new(Code::ContextRefused, message)
        .parameter("revision")
        .hint(Hint::new(format!("fetch it: {fetch}"))))
}

/// Returns the range of what the current branch changes.
async fn own_range(git: &ProjectGit) -> Result<String, Failure> {
    // CI services check out the merge of a pull request.
    if find_commit(git, "HEAD^2").await.is_ok() {
        return Ok("HEAD^1..HEAD".to_owned());
    }
    let head = find_commit(git, "HEAD").await?;
    for base in BASES {
        let Ok(found) = find_commit(git, base).await else {
            continue;
        };
        if found != head {
            return Ok(format!("{found}...HEAD"));
        }
    }
    let message = "no branch was found that this one could be merged to";
    Err(Failure::new(Code::ContextRefused, message)
        .parameter("revision")
        .hint("name the change: agon review A..B, or one commit"))
}

/// Returns the changed files, each with the size of its diff in bytes.
async fn sizes_of_files(
    git: &ProjectGit,
    since: &str,
    commit: &str,
) -> Result<Vec<(String, usize)>, Failure> {
    let words = [&DIFF[..], &["--numstat", "-z", since, commit, "--", "."]].concat();
    let counts = git.run_long(&words).await?;
    let mut sizes = Vec::new();
    for row in counts.split('\0').filter(|row| !row.is_empty()) {
        let mut cells = row.splitn(3, '\t');
        let lines = [cells.next(), cells.next()];
        let Some(path) = cells.next() else { continue };
        // A binary file has `-` instead of numbers, and only a line in the diff.
        let lines = lines.map(|cell| cell.and_then(|cell| cell.parse::<usize>().ok()));
        let lines: usize = lines.into_iter().flatten().sum();
        sizes.push((path.to_owned(), lines.saturating_mul(BYTES_PER_LINE) + 400));
    }
    Ok(sizes)
}

// Three lines of context around each hunk are in it. Too low a guess is refused later.
/// The size of a changed line in a diff.
const BYTES_PER_LINE: usize = 80;

fn choose(mut sizes: Vec<(String, usize)>) -> (BTreeSet<String>, Vec<String>) {
    sizes.sort_by_key(|(path, size)| (is_generated(path), *size));
    let mut files = BTreeSet::new();
    let mut not_read = Vec::new();
    let mut sum = 0_usize;
    for (path, size) in sizes {
        sum = sum.saturating_add(size);
        match sum <= MAX_DIFF_BYTES {
            true => drop(files.insert(path)),
            false => not_read.push(path),
        }
    }
    not_read.sort();
    (files, not_read)
}

fn is_generated(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    GENERATED.contains(&name)
        || GENERATED_ENDINGS
            .iter()
            .any(|ending| name.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_files_are_read_and_generated_ones_last() {
        let third = MAX_DIFF_BYTES / 3;
        let sizes = vec![
            ("Cargo.lock".to_owned(), 10),
            ("big.rs".to_owned(), third * 2),
            ("small.rs".to_owned(), third),
            ("huge.rs".to_owned(), MAX_DIFF_BYTES),
        ];
        let (files, not_read) = choose(sizes);
        assert_eq!(Vec::from_iter(files), ["big.rs", "small.rs"]);
        assert_eq!(not_read, ["Cargo.lock", "huge.rs"]);
    }
}
