//! Uncommitted changes, and the changes of commits.

use std::fs;
use std::path::Path;

use agon_caller::{Caller, Failure, Hint};
use agon_git::FilterScope;
use agon_record::spec::Context;

use super::git::{ProjectGit, failure};
use super::{Given, MAX_BYTES, refusal, refuse_unprintable_name, submodules, use_context};
use crate::request::ChangeSelection;
use crate::sources::own_folders::OwnFolders;

/// Options of `git diff`: do not run programs of the repository, and show paths relative to the
/// project.
pub(crate) const DIFF: [&str; 7] = [
    "diff",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--no-renames",
    "--relative",
    "--ignore-submodules=dirty",
];

/// Returns the changes of the commits in `range`: `A..B`, `A...B` since their merge base, or one
/// commit. With `selection`, only the changes of its files, after its preface.
///
/// # Errors
///
/// If the commits do not exist, or changed nothing in the project.
pub(super) async fn changes_of_commits(
    caller: &Caller,
    range: &str,
    selection: Option<&ChangeSelection>,
    own: &OwnFolders,
) -> Result<Given, Failure> {
    let git = ProjectGit::open_for_objects(caller)?;
    let (since, commit) = commits_of_range(&git, range).await?;
    let between = [since.as_str(), commit.as_str()];
    let names = [&DIFF[..], &["--name-only", "-z"], &between].concat();
    let names = git.run(&names).await?;
    let names = names.split('\0').filter(|path| !path.is_empty());
    let is_given = |path: &&str| {
        let is_selected = selection.is_none_or(|it| it.paths.iter().any(|one| one == path));
        is_selected && !own.has(path)
    };
    let changed: Vec<_> = names.filter(is_given).map(str::to_owned).collect();
    let left_out = own.pathspecs();
    let given = selection.map_or_else(|| vec![".".to_owned()], |it| pathspecs(&it.paths));
    let mut words = [&DIFF[..], &between, &["--"]].concat();
    words.extend(given.iter().chain(&left_out).map(String::as_str));
    let text = git.run(&words).await?;
    if text.trim().is_empty() {
        return Err(
            refusal(format!("{range} changed nothing in the project")).hint(
                Hint::new("run `git log --oneline` to see the commits")
                    .then(use_context("commit=A..B")),
            ),
        );
    }
    let submodules = submodules::paths_of_commit(&git, &commit).await?;
    let preface = selection.map_or("", |it| it.preface.as_str());
    Ok(Given {
        context: Context::Diff {
            commit,
            since: Some(since),
            text: format!("{preface}{}{text}", submodules::note(&submodules)),
            submodules,
        },
        changed,
    })
}

/// Returns paths as git takes them literally.
pub(crate) fn pathspecs(paths: &[String]) -> Vec<String> {
    let literal = |path: &String| format!(":(literal){path}");
    paths.iter().map(literal).collect()
}

/// Returns the full ids of the commit before `range` and of its last commit.
pub(crate) async fn commits_of_range(
    git: &ProjectGit,
    range: &str,
) -> Result<(String, String), Failure> {
    let (first, last, has_parted) = match (range.split_once("..."), range.split_once("..")) {
        (Some((first, last)), _) => (first.to_owned(), last, true),
        (None, Some((first, last))) => (first.to_owned(), last, false),
        (None, None) => (format!("{range}^"), range, false),
    };
    let last = if last.is_empty() { "HEAD" } else { last };
    let commit = find_commit(git, last).await?;
    let since = find_commit(git, &first).await?;
    match has_parted {
        false => Ok((since, commit)),
        true => {
            let words = ["merge-base", since.as_str(), commit.as_str()];
            let parted = git.run(&words).await?;
            Ok((parted.trim().to_owned(), commit))
        }
    }
}

/// Returns the full id of a commit.
pub(crate) async fn find_commit(git: &ProjectGit, name: &str) -> Result<String, Failure> {
    let named = format!("{name}^{{commit}}");
    let words = [
        "rev-parse",
        "--verify",
        "--quiet",
        "--end-of-options",
        &named,
    ];
    let found = git.run(&words).await;
    let found = found.map_err(|_| {
        let name = name.escape_default();
        match git.is_shallow() {
            true => refusal(format!(
                "this clone is shallow and does not contain the commit `{name}`"
            ))
            .hint("fetch the earlier commits with `git fetch --unshallow`"),
            false => refusal(format!("there is no commit `{name}`")).hint(
                use_context("commit=A..B")
                    .text(" with two commits")
                    .or("commit=A for the changes of one commit"),
            ),
        }
    })?;
    Ok(found.trim().to_owned())
}

/// Returns the uncommitted changes of the project, including new files that are not ignored.
pub(super) async fn uncommitted(caller: &Caller, own: &OwnFolders) -> Result<Context, Failure> {
    let project = caller.project();
    let git = ProjectGit::open(caller).await?;
    let commit = git.run(&["rev-parse", "--verify", "HEAD"]).await?;
    let listed = ["ls-files", "--others", "--exclude-standard", "-z"];
    let listed = git.run(&listed).await?;
    let names = [
        "diff",
        "--name-only",
        "--ignore-submodules=all",
        "-z",
        "HEAD",
    ];
    let names = git.run(&names).await?;
    let paths: Vec<String> = names
        .split('\0')
        .filter(|path| !path.is_empty())
        .map(str::to_owned)
        .collect();
    let scope = FilterScope::Paths(&paths);
    git.session()
        .refuse_foreign_filters(scope)
        .await
        .map_err(failure)?;
    let left_out = own.pathspecs();
    let mut words = vec![
        "diff",
        "--no-ext-diff",
        "--no-textconv",
        "--no-color",
        "--ignore-submodules=all",
        "HEAD",
        "--",
    ];
    words.extend(left_out.iter().map(String::as_str));
    let mut text = git.run(&words).await?;
    let found = submodules::uncommitted(caller, &git).await?;
    text.push_str(&found.diff);
    let new = listed.split('\0').filter(|path| !path.is_empty());
    for path in new.filter(|path| !own.has(path)) {
        text.push_str(&new_file_diff(&project, path)?);
        if text.len() > MAX_BYTES {
            return Err(refusal(format!(
                "with new files, the diff exceeds the limit of {MAX_BYTES} bytes"
            ))
            .hint("add irrelevant files to .gitignore, or commit part of the changes"));
        }
    }
    if text.trim().is_empty() {
        let message = match found.paths.is_empty() {
            true => "there are no uncommitted changes".to_owned(),
            false => "there are no uncommitted changes outside of submodules".to_owned(),
        };
        let hint = use_context("file=PATH").text(" or ");
        return Err(refusal(message).hint(hint.flag_with("context", "repo")));
    }
    Ok(Context::Diff {
        commit: commit.trim().to_owned(),
        since: None,
        text: format!("{}{text}", submodules::note(&found.paths)),
        submodules: found.paths,
    })
}

/// Returns a new file in the form of a diff; empty for a link or a folder.
fn new_file_diff(project: &Path, path: &str) -> Result<String, Failure> {
    let full = project.join(path);
    let about = |cause: std::io::Error| refusal(format!("cannot read {path}: {cause}"));
    let meta = fs::symlink_metadata(&full).map_err(about)?;
    if !meta.is_file() {
        return Ok(String::new());
    }
    let name = match refuse_unprintable_name(path) {
        Ok(()) => path.to_owned(),
        Err(_) => path.escape_default().to_string(),
    };
    let head = format!("diff --git a/{name} b/{name}\nnew file\n");
    let binary = || format!("{head}Binary files /dev/null and b/{name} differ\n");
    if meta.len() > MAX_BYTES as u64 {
        return Err(refusal(format!(
            "the new file {name} is too large: {} bytes",
            meta.len()
        ))
        .hint("leave it out by adding it to .gitignore or committing it"));
    }
    let Ok(text) =
        String::from_utf8(agon_files::read_no_follow(&full, MAX_BYTES as u64).map_err(about)?)
    else {
        return Ok(binary());
    };
    if text.contains('\0') {
        return Ok(binary());
    }
    let lines = text.lines().count();
    let added: String = text.lines().map(|line| format!("+{line}\n")).collect();
    let end = match text.is_empty() || text.ends_with('\n') {
        true => "",
        false => "\\ No newline at end of file\n",
    };
    let hunk = match lines {
        0 => String::new(),
        _ => format!("--- /dev/null\n+++ b/{name}\n@@ -0,0 +1,{lines} @@\n"),
    };
    Ok(format!("{head}{hunk}{added}{end}"))
}
