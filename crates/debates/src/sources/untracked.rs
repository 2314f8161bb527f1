//! Announces new files of Agon in the user's repository.

use std::path::Path;

use agon_caller::host_sign::{STATE_FOLDER, state_folder_in_project};
use agon_caller::{Caller, Notes};
use agon_files::read_no_follow;
use agon_git::{Git, GitSession, Repository};
use agon_store::{RealDisk, write_file_below};

use crate::sources::own_folders::path_below;

/// The file in which a repository lists what only this clone ignores.
const EXCLUDE: &str = "info/exclude";

/// Maximum size of an exclude file that Agon writes to, in bytes.
const EXCLUDE_MAX: u64 = 1 << 20;

/// Notes that the first debate creates a folder in the repository, which the user may want to
/// commit. Does nothing if the folder is ignored or outside the repository.
pub(crate) async fn announce_debates(caller: &Caller, debates: &Path, notes: &mut dyn Notes) {
    if !caller.is_in_work_tree() || debates.exists() {
        return;
    }
    let Some(folder) = path_below(&caller.project(), debates) else {
        return;
    };
    if is_ignored(caller, &folder).await != Some(false) {
        return;
    }
    notes.note(&format!(
        "note: debates are kept in {folder}/, a new folder of this repository: commit it, or list it in .gitignore"
    ));
}

/// Excludes the folder of the last debate from git by a line in this clone's exclude file, and
/// notes that.
pub(crate) async fn exclude_state_from_git(caller: &Caller, notes: &mut dyn Notes) {
    let Some(folder) = state_folder_in_project(caller) else {
        return;
    };
    let project = caller.project();
    let folder = format!("{folder}/{STATE_FOLDER}");
    let Ok(repository) = Repository::discover(&project) else {
        return;
    };
    let Some(tree) = repository.work_tree.as_deref() else {
        return;
    };
    if !project.join(&folder).is_dir() || is_ignored(caller, &folder).await != Some(false) {
        return;
    }
    let Some(from_root) = path_below(tree, &project.join(&folder)) else {
        return;
    };
    let list = repository.common_dir.join(EXCLUDE);
    let written = match read_no_follow(&list, EXCLUDE_MAX) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
        Err(_) => return,
    };
    let pattern = format!("/{}/", escape(&from_root));
    // If the line is there although git does not ignore the folder, another rule includes it again,
    // so leave that.
    let has_it = written
        .split(|byte| *byte == b'\n')
        .any(|line| line == pattern.as_bytes());
    if has_it || from_root.contains(char::is_control) {
        return;
    }
    let written = with_line(written, &pattern);
    let below = Path::new(EXCLUDE);
    if write_file_below(&RealDisk, &repository.common_dir, below, &written).is_ok() {
        notes.note(&format!(
            "note: added a line to {} so that git ignores {folder}/",
            caller.display_path(&list)
        ));
    }
}

/// Returns whether git ignores a folder of the project; `None` if git cannot tell.
async fn is_ignored(caller: &Caller, folder: &str) -> Option<bool> {
    let git = Git::find(&caller.vars_os).ok()?;
    let repository = Repository::discover(&caller.project()).ok()?;
    let mut session = GitSession::open(&git, &repository).await.ok()?;
    session.set_cwd(caller.project());
    session.is_ignored(&format!("{folder}/")).await.ok()
}

/// Appends a line to an exclude file.
fn with_line(mut list: Vec<u8>, pattern: &str) -> Vec<u8> {
    if list.last().is_some_and(|byte| *byte != b'\n') {
        list.push(b'\n');
    }
    list.extend_from_slice(format!("{pattern}\n").as_bytes());
    list
}

/// Returns a pattern that matches only this path.
fn escape(path: &str) -> String {
    let mut pattern = String::new();
    for c in path.chars() {
        if matches!(c, '*' | '?' | '[' | '\\' | ' ') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern
}

#[cfg(test)]
mod tests {
    use agon_testkit::{Sandbox, add, git};

    use super::*;
    use agon_caller::Notes;

    #[derive(Default)]
    struct Said(Vec<String>);

    impl Notes for Said {
        fn note(&mut self, text: &str) {
            self.0.push(text.to_owned());
        }

        fn warn(&mut self, text: &str) {
            self.note(text);
        }
    }

    fn caller(sandbox: &Sandbox, cwd: &Path) -> Caller {
        let vars = sandbox.command_env().into_iter();
        let vars = vars.map(|(name, value)| (name.into(), value.into()));
        let vars = vars.chain([("CLAUDECODE".into(), "1".into())]);
        Caller::new(vars.collect(), cwd)
    }

    #[tokio::test]
    async fn the_state_of_a_host_is_kept_out_of_git_once_and_that_is_said() {
        let sandbox = Sandbox::new();
        // A project in a subfolder whose name contains pattern characters.
        let project = sandbox.project().join("apps/[id] x");
        add(&project, "agon.toml", "");
        add(&project, ".claude/debate/last-debate.json", "{}");
        let caller = caller(&sandbox, &project);
        let mut said = Said::default();
        exclude_state_from_git(&caller, &mut said).await;
        exclude_state_from_git(&caller, &mut said).await;
        assert_eq!(said.0.len(), 1, "{:?}", said.0);
        assert!(said.0[0].ends_with(" so that git ignores .claude/debate/"));
        let others = ["ls-files", "--others", "--exclude-standard"];
        let listed = git(&sandbox.project(), &others);
        assert!(!listed.contains("last-debate"), "{listed}");
        assert!(listed.contains("agon.toml"), "{listed}");
    }

    #[tokio::test]
    async fn what_is_ignored_already_or_in_no_repository_is_left_alone() {
        let sandbox = Sandbox::new();
        let project = sandbox.project();
        add(&project, ".claude/debate/last-debate.json", "{}");
        add(&project, ".gitignore", ".claude\ndebates/\n");
        let list = project.join(".git/info/exclude");
        let before = std::fs::read(&list).ok();
        let mut said = Said::default();
        let inside = caller(&sandbox, &project);
        exclude_state_from_git(&inside, &mut said).await;
        announce_debates(&inside, &project.join("debates"), &mut said).await;
        assert_eq!(std::fs::read(&list).ok(), before);
        let outside = sandbox.home();
        add(&outside, ".claude/debate/last-debate.json", "{}");
        let outside_caller = caller(&sandbox, &outside);
        exclude_state_from_git(&outside_caller, &mut said).await;
        announce_debates(&outside_caller, &outside.join("debates"), &mut said).await;
        assert_eq!(said.0, Vec::<String>::new());
    }

    #[tokio::test]
    async fn a_first_folder_of_debates_is_announced() {
        let sandbox = Sandbox::new();
        let project = sandbox.project();
        let caller = caller(&sandbox, &project);
        let mut said = Said::default();
        let debates = project.join("debates");
        announce_debates(&caller, &debates, &mut said).await;
        std::fs::create_dir(&debates).unwrap();
        announce_debates(&caller, &debates, &mut said).await;
        assert_eq!(
            said.0,
            [
                "note: debates are kept in debates/, a new folder of this repository: commit it, or list it in .gitignore"
            ]
        );
    }

    #[test]
    fn a_list_without_a_last_line_end_gets_one() {
        assert_eq!(with_line(b"*.log".to_vec(), "/a/"), b"*.log\n/a/\n");
        assert_eq!(with_line(Vec::new(), "/a/"), b"/a/\n");
    }
}
