//! Finds the commits of a change, and which of its files the seats are given.

use std::collections::BTreeSet;

use agon_caller::{Caller, Code, Failure, Hint, find};
use agon_verdict::review::{RemovedLines, ReviewedChange};

use crate::sources::context::MAX_BYTES;
use crate::sources::context::changes::{DIFF, commits_of_range, find_commit, pathspecs};
use crate::sources::context::git::ProjectGit;
use crate::sources::own_folders::OwnFolders;

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

/// Finds the change that `revision` names: a commit, `A..B`, `A...B`, or the number of a pull
/// request whose merge commit was fetched; `None` means what this branch changes. Chooses the files
/// that fit into the context: small ones first, and files written by programs last.
///
/// # Errors
///
/// If there is no repository or no such commit, or no changed file of the project fits.
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
    let between = [since.as_str(), commit.as_str()];
    let prefix = git.run(&["rev-parse", "--show-prefix"]).await?;
    let prefix = prefix.trim_end_matches('\n').to_owned();
    let in_repository = |path: &str| format!("{prefix}{path}");
    let own = OwnFolders::in_project(caller, &find::debates_dir(caller)?);
    let mut not_read = paths_outside(&git, &between, &prefix).await?;
    let mut sizes = Vec::new();
    for (path, size) in sizes_of_files(&git, &between).await? {
        match size.filter(|_| !own.has(&path)) {
            Some(size) => sizes.push((path, size)),
            // A binary file, one that the change itself declares binary, or one of Agon.
            None => not_read.push(in_repository(&path)),
        }
    }
    let is_empty = sizes.is_empty() && not_read.is_empty();
    let (chosen, others) = choose(sizes);
    let read = read_diffs(&git, &between, chosen).await?;
    let left_out = others.iter().chain(&read.too_large);
    not_read.extend(left_out.map(|path| in_repository(path)));
    not_read.sort();
    if read.files.is_empty() {
        let message = match is_empty {
            true => "this change contains no file of the project".to_owned(),
            false => format!(
                "none of the {} changed files can be read here",
                not_read.len()
            ),
        };
        return Err(Failure::new(Code::ContextRefused, message)
            .parameter("revision")
            .hint("name two commits, as in main..HEAD, or review smaller commits"));
    }
    Ok(ReviewedChange {
        since,
        commit,
        files: read.files,
        not_read,
        prefix,
        removed: read.removed,
    })
}

/// Returns the changed files outside the project's folder, relative to the repository.
async fn paths_outside(
    git: &ProjectGit,
    between: &[&str],
    prefix: &str,
) -> Result<Vec<String>, Failure> {
    let names = ["diff", "--no-renames", "--no-relative", "--name-only", "-z"];
    let names = git.run_long(&[&names[..], between].concat()).await?;
    let names = names.split('\0').filter(|path| !path.is_empty());
    let outside = names.filter(|path| !path.starts_with(prefix));
    Ok(outside.map(str::to_owned).collect())
}

/// The files whose diffs are given.
#[derive(Default)]
struct ReadDiffs {
    files: BTreeSet<String>,
    too_large: Vec<String>,
    removed: RemovedLines,
}

/// Reads the diffs of `paths`, which are in the order of [`choose`], and leaves out the last ones
/// until the rest fits.
async fn read_diffs(
    git: &ProjectGit,
    between: &[&str],
    mut paths: Vec<String>,
) -> Result<ReadDiffs, Failure> {
    let mut read = ReadDiffs::default();
    let mut diffs = loop {
        match diffs_of(git, between, &paths).await {
            Ok(diffs) => break diffs,
            // The lines are far longer than expected, so that git prints more than is read.
            Err(_) if !paths.is_empty() => {
                let kept = paths.len() / 2;
                read.too_large.extend(paths.split_off(kept));
            }
            Err(failure) => return Err(failure),
        }
    };
    diffs.sort_by_key(|(path, diff)| (is_generated(path), diff.len()));
    let mut sum = 0_usize;
    for (path, diff) in diffs {
        if sum + diff.len() > MAX_DIFF_BYTES {
            read.too_large.push(path);
            continue;
        }
        sum += diff.len();
        read.removed.add_diff(&path, &diff);
        read.files.insert(path);
    }
    Ok(read)
}

/// Returns the diff of each of `paths`.
async fn diffs_of(
    git: &ProjectGit,
    between: &[&str],
    paths: &[String],
) -> Result<Vec<(String, String)>, Failure> {
    // Without a path, git would print all changes.
    if paths.is_empty() {
        return Ok(Vec::new());
    }
    let given = pathspecs(paths);
    let given = given.iter().map(String::as_str);
    let words = |options: &[&'static str]| {
        let words = DIFF.iter().chain(options).chain(between).chain(&["--"]);
        words.copied().chain(given.clone()).collect::<Vec<_>>()
    };
    // In the same order as the diffs, which the user's settings can change.
    let names = git.run_long(&words(&["--name-only", "-z"])).await?;
    let names = names.split('\0').filter(|name| !name.is_empty());
    let text = git.run(&words(&[])).await?;
    let mut diffs: Vec<String> = Vec::new();
    for line in text.split_inclusive('\n') {
        match diffs.last_mut() {
            // A line of a file never begins with this word: it has a sign before it.
            _ if line.starts_with(DIFF_HEADER) => diffs.push(line.to_owned()),
            Some(diff) => diff.push_str(line),
            None => {}
        }
    }
    let names: Vec<_> = names.map(str::to_owned).collect();
    match diffs.len() == names.len() {
        true => Ok(names.into_iter().zip(diffs).collect()),
        false => {
            let (diffs, names) = (diffs.len(), names.len());
            let message = format!("git printed {diffs} diffs for {names} files");
            Err(Failure::new(Code::ContextRefused, message))
        }
    }
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
    // A short hash can consist of digits.
    if find_commit(git, revision).await.is_ok() {
        return Ok(format!("{revision}^1..{revision}"));
    }
    let message = format!("the merge commit of pull request {number} is not in this clone");
    let fetch = format!("git fetch origin refs/pull/{number}/merge:refs/pull/{number}/merge");
    Err(Failure::new(Code::ContextRefused, message)
        .parameter("revision")
        .hint(Hint::new(format!("fetch it: {fetch}"))))
}

/// Returns the range of what the current branch changes.
async fn own_range(git: &ProjectGit) -> Result<String, Failure> {
    // CI services check out the merge of a pull request, without a branch.
    let is_on_branch = git.run(&["symbolic-ref", "--quiet", "HEAD"]).await.is_ok();
    if !is_on_branch && find_commit(git, "HEAD^2").await.is_ok() {
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

/// Returns the changed files of the project, each with a guess of the size of its diff in bytes;
/// `None` for a binary file.
async fn sizes_of_files(
    git: &ProjectGit,
    between: &[&str],
) -> Result<Vec<(String, Option<usize>)>, Failure> {
    let words = [&DIFF[..], &["--numstat", "-z"], between, &["--", "."]].concat();
    let counts = git.run_long(&words).await?;
    let rows = counts.split('\0').filter(|row| !row.is_empty());
    let sizes = rows.filter_map(|row| {
        let mut cells = row.splitn(3, '\t');
        let (added, removed) = (cells.next()?, cells.next()?);
        // A binary file has `-` instead of numbers.
        let lines = added
            .parse::<usize>()
            .ok()
            .zip(removed.parse::<usize>().ok());
        let size = lines.map(|(added, removed)| (added + removed).saturating_mul(BYTES_PER_LINE));
        Some((cells.next()?.to_owned(), size))
    });
    Ok(sizes.collect())
}

// An average with the context around each hunk. The diffs are measured before they are given.
/// The expected size of a changed line in a diff.
const BYTES_PER_LINE: usize = 60;
/// The beginning of the diff of a file.
const DIFF_HEADER: &str = "diff --git ";
// Each is a word on the command line of git.
/// Maximum number of files that are given.
const MAX_FILES: usize = 500;

/// Returns the files that are expected to fit, and the others.
fn choose(mut sizes: Vec<(String, usize)>) -> (Vec<String>, Vec<String>) {
    sizes.sort_by_key(|(path, size)| (is_generated(path), *size));
    let mut sum = 0_usize;
    let mut count = 0_usize;
    let (chosen, others): (Vec<_>, Vec<_>) = sizes.into_iter().partition(|(_, size)| {
        let fits = sum.saturating_add(*size) <= MAX_DIFF_BYTES * 2 && count < MAX_FILES;
        if fits {
            sum += *size;
            count += 1;
        }
        fits
    });
    let paths = |of: Vec<(String, usize)>| of.into_iter().map(|(path, _)| path).collect();
    (paths(chosen), paths(others))
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
        let third = MAX_DIFF_BYTES * 2 / 3;
        let sizes = vec![
            ("Cargo.lock".to_owned(), 10),
            ("big.rs".to_owned(), third * 2),
            ("small.rs".to_owned(), third),
            ("huge.rs".to_owned(), third * 4),
        ];
        let (files, not_read) = choose(sizes.clone());
        // A third is rounded down.
        assert_eq!(files, ["small.rs", "big.rs"]);
        assert_eq!(not_read, ["huge.rs", "Cargo.lock"]);
        let (files, _) = choose(vec![sizes[0].clone(), sizes[3].clone()]);
        assert_eq!(
            files,
            ["Cargo.lock"],
            "a file that is too large leaves room for others"
        );
    }
}
