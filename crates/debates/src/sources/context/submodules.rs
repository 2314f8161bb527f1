//! The submodules of a project: the commit of each one, without its contents.

use std::collections::BTreeMap;

use agon_caller::{Caller, Failure};
use agon_git::{Git, GitSession};

use super::git::{ProjectGit, failure};

/// The commit of each submodule, by path.
type Commits = BTreeMap<String, String>;

/// The submodules of the project, and how they differ from the project's commit.
pub(super) struct Submodules {
    /// Their paths.
    pub(super) paths: Vec<String>,
    /// The differences, in the form of `git diff`.
    pub(super) diff: String,
}

/// Returns the submodules of the work tree. Reads each one's checked-out commit without its
/// configuration.
///
/// # Errors
///
/// If git fails.
pub(super) async fn uncommitted(caller: &Caller, git: &ProjectGit) -> Result<Submodules, Failure> {
    let committed = of_commit(git, "HEAD").await?;
    let staged = ["ls-files", "-s", "-z", "--full-name", ":/"];
    let mut now = parse_gitlinks(&git.run_long(&staged).await?);
    let program = Git::find(&caller.vars_os).map_err(failure)?;
    let root = git.session().repository().work_tree.clone();
    for (path, commit) in &mut now {
        let dir = root.clone().unwrap_or_default().join(path);
        // A submodule that cannot be read keeps its staged commit.
        if let Ok(Some(inside)) = GitSession::open_inside(&program, &dir)
            && let Ok(head) = inside.head().await
        {
            *commit = head;
        }
    }
    let mut paths: Vec<String> = committed.keys().chain(now.keys()).cloned().collect();
    paths.sort();
    paths.dedup();
    let pieces = paths.iter().filter_map(|path| {
        let (old, new) = (committed.get(path), now.get(path));
        (old != new).then(|| gitlink_diff(path, old, new))
    });
    let diff = pieces.collect();
    Ok(Submodules { paths, diff })
}

/// Returns the paths of the submodules in a commit.
///
/// # Errors
///
/// If git fails.
pub(super) async fn paths_of_commit(
    git: &ProjectGit,
    commit: &str,
) -> Result<Vec<String>, Failure> {
    Ok(of_commit(git, commit).await?.into_keys().collect())
}

/// Returns a line that lists the submodules in front of a diff; empty if there are none.
pub(super) fn note(paths: &[String]) -> String {
    match paths.is_empty() {
        true => String::new(),
        false => {
            let shown: Vec<_> = paths
                .iter()
                .map(|path| path.escape_debug().to_string())
                .collect();
            format!(
                "Submodules, whose contents were not examined: {}\n",
                shown.join(", ")
            )
        }
    }
}

async fn of_commit(git: &ProjectGit, commit: &str) -> Result<Commits, Failure> {
    let args = ["ls-tree", "-r", "-z", "--full-tree", commit];
    Ok(parse_gitlinks(&git.run_long(&args).await?))
}

/// Returns the gitlinks in the output of `ls-files -s -z` or `ls-tree -r -z`.
fn parse_gitlinks(printed: &str) -> Commits {
    let lines = printed.split('\0').filter_map(|line| {
        let (facts, path) = line.strip_prefix("160000 ")?.split_once('\t')?;
        // Find the id by its length: `ls-tree` prints the kind before it, `ls-files` the stage
        // after it.
        let id = facts.split(' ').find(|word| word.len() >= 40)?;
        Some((path.to_owned(), id.to_owned()))
    });
    lines.collect()
}

/// Returns a submodule's new commit in the form of `git diff`.
fn gitlink_diff(path: &str, old: Option<&String>, new: Option<&String>) -> String {
    let path = path.escape_debug();
    let mut text = format!("diff --git a/{path} b/{path}\n");
    match (old, new) {
        (None, _) => text.push_str("new file mode 160000\n"),
        (_, None) => text.push_str("deleted file mode 160000\n"),
        _ => {}
    }
    let side = |kind: &str, at: Option<&String>| match at {
        Some(_) => format!("{kind}/{path}"),
        None => "/dev/null".to_owned(),
    };
    text.push_str(&format!("--- {}\n+++ {}\n", side("a", old), side("b", new)));
    let lines = |at: Option<&String>| u8::from(at.is_some());
    text.push_str(&format!(
        "@@ -{0},{0} +{1},{1} @@\n",
        lines(old),
        lines(new)
    ));
    for (sign, commit) in [('-', old), ('+', new)] {
        if let Some(commit) = commit {
            text.push_str(&format!("{sign}Subproject commit {commit}\n"));
        }
    }
    text
}
