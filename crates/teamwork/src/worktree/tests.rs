use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use agon_caller::{Caller, Code, Failure};
use agon_team::id::MemberName;
use agon_team::store::TeamLocation;
use agon_team::worktree::{SetupCommand, WorktreeFile, WorktreeSettings};
use agon_testkit::{Sandbox, add, git};
use tokio_util::sync::CancellationToken;

use super::bring::bring;
use super::destination::Destination;
use super::missing::missing;
use super::source::Bringing;
use crate::trees;

/// A repository with ignored files, and the work tree of a member.
struct Place {
    _sandbox: Sandbox,
    caller: Caller,
    project: PathBuf,
    tree: PathBuf,
}

impl Place {
    async fn new() -> Self {
        let sandbox = Sandbox::new();
        let project = sandbox.project();
        git(&project, &["init", "-q", "-b", "main"]);
        add(&project, "a.txt", "one\n");
        add(
            &project,
            ".gitignore",
            ".env\nnode_modules\n*.local.json\nruns\n",
        );
        git(&project, &["add", "."]);
        git(&project, &["commit", "-q", "-m", "begin"]);
        add(&project, ".env", "KEY=abc\n");
        add(&project, "config/a.local.json", "{}\n");
        add(&project, "node_modules/left-pad/index.js", "x\n");
        let vars = sandbox.command_env().into_iter();
        let vars = vars.map(|(name, value)| (name.into(), value.into()));
        let config = sandbox.home().join(".config/agon");
        let vars = vars.chain([("AGON_CONFIG_DIR".into(), config.into())]);
        let caller = Caller::new(vars.collect(), &project);
        let tree = sandbox.home().join("trees/ada");
        trees::make(&caller, &tree, "agon/members/ada", "HEAD")
            .await
            .unwrap();
        Self {
            _sandbox: sandbox,
            caller,
            project,
            tree,
        }
    }

    fn location(&self) -> TeamLocation {
        TeamLocation::find(&self.project).unwrap()
    }

    fn write(&self, settings: &WorktreeSettings) {
        let path = self.location().database().with_file_name("worktree.toml");
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, WorktreeFile::new(settings.clone()).to_text()).unwrap();
    }

    async fn bring_for(&self, follows_links: Option<&str>) -> Result<Vec<String>, Failure> {
        let bringing = Bringing {
            location: &self.location(),
            tree: &self.tree,
            follows_links,
            cancel: &CancellationToken::new(),
        };
        bring(&self.caller, &bringing).await
    }

    async fn bring(&self, settings: &WorktreeSettings) -> Result<Vec<String>, Failure> {
        self.write(settings);
        self.bring_for(None).await
    }

    fn read(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.tree.join(path)).ok()
    }
}

fn section(copy: &[&str], link: &[&str], setup: Option<&str>) -> WorktreeSettings {
    let owned = |list: &[&str]| list.iter().map(|it| (*it).to_owned()).collect();
    WorktreeSettings {
        copy: owned(copy),
        link: owned(link),
        setup: setup.map(|script| SetupCommand {
            argv: ["sh", "-c", script].map(str::to_owned).to_vec(),
            timeout_s: 60,
            env: Vec::new(),
        }),
    }
}

#[tokio::test]
async fn copies_links_and_the_command_come_once_and_again_after_the_section_changed() {
    let place = Place::new().await;
    let count = "echo run >> runs; test -f .env && test -d node_modules/left-pad";
    let first = section(&[".env", "**/*.local.json"], &["node_modules"], Some(count));
    assert_eq!(place.bring(&first).await, Ok(Vec::new()));
    assert_eq!(place.read(".env").as_deref(), Some("KEY=abc\n"));
    assert_eq!(place.read("config/a.local.json").as_deref(), Some("{}\n"));
    let link = place.tree.join("node_modules").read_link().unwrap();
    assert_eq!(
        link,
        place.project.join("node_modules").canonicalize().unwrap()
    );
    assert_eq!(place.read("runs").as_deref(), Some("run\n"));
    // The member's changes to its copy are kept.
    add(&place.tree, ".env", "KEY=mine\n");
    assert_eq!(place.bring(&first).await, Ok(Vec::new()));
    assert_eq!(place.read("runs").as_deref(), Some("run\n"));
    let other = section(&[".env", ".envx"], &[], Some("echo other >> runs"));
    let notes = place.bring(&other).await.unwrap();
    assert_eq!(notes, ["no ignored file matches `copy = .envx`"]);
    assert_eq!(place.read("runs").as_deref(), Some("run\nother\n"));
    assert_eq!(place.read(".env").as_deref(), Some("KEY=mine\n"));
}

#[tokio::test]
async fn what_the_tree_does_not_ignore_is_not_brought() {
    let place = Place::new().await;
    // The main work tree ignores it only through an uncommitted change.
    add(
        &place.project,
        ".gitignore",
        "secret\nnode_modules/\n.env\n",
    );
    add(&place.project, "secret", "x\n");
    let refused = place.bring(&section(&["secret"], &[], None)).await;
    let refused = refused.unwrap_err();
    assert_eq!(refused.code, Code::TreeSetup);
    assert!(
        refused
            .message
            .contains("secret, which git does not ignore"),
        "{refused:?}"
    );
    assert_eq!(place.read("secret"), None);
    // A pattern for a folder does not match a link.
    add(&place.tree, ".gitignore", "node_modules/\n");
    let refused = place.bring(&section(&[], &["node_modules"], None)).await;
    assert!(
        refused
            .unwrap_err()
            .message
            .contains("node_modules, which git does not")
    );
    assert!(!place.tree.join("node_modules").is_symlink());
}

#[tokio::test]
async fn nothing_is_written_through_a_link_of_the_tree() {
    let place = Place::new().await;
    let outside = place.project.with_file_name("outside");
    fs::create_dir(&outside).unwrap();
    symlink(&outside, place.tree.join("config")).unwrap();
    let refused = place
        .bring(&section(&["config/a.local.json"], &[], None))
        .await;
    assert_eq!(refused.unwrap_err().code, Code::TreeSetup);
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
}

#[tokio::test]
async fn a_copy_is_never_committed_also_where_the_member_lets_git_see_it() {
    let place = Place::new().await;
    place.bring(&section(&[".env"], &[], None)).await.unwrap();
    add(&place.tree, ".gitignore", "!.env\n");
    add(&place.tree, "b.txt", "work\n");
    let ada: MemberName = "ada".parse().unwrap();
    let commit = || trees::commit(&place.caller, &place.tree, "agon/members/ada", &ada, "work");
    let refused = commit().await.unwrap_err();
    assert!(
        refused.message.starts_with("the change contains .env"),
        "{refused:?}"
    );
    add(&place.tree, ".gitignore", ".env\n");
    assert_eq!(commit().await, Ok(true));
    let files = git(&place.tree, &["ls-tree", "-r", "--name-only", "HEAD"]);
    assert_eq!(
        files.lines().collect::<Vec<_>>(),
        [".gitignore", "a.txt", "b.txt"]
    );
}

#[tokio::test]
async fn a_copy_in_a_commit_is_found_also_after_a_later_one_removed_it() {
    let place = Place::new().await;
    place.bring(&section(&[".env"], &[], None)).await.unwrap();
    let base = git(&place.tree, &["rev-parse", "HEAD"]);
    let changed = || trees::changed_paths(&place.caller, &place.tree, base.trim(), None);
    git(&place.tree, &["add", "-f", ".env"]);
    git(&place.tree, &["commit", "-q", "-m", "secret"]);
    git(&place.tree, &["rm", "-q", "--cached", ".env"]);
    git(&place.tree, &["commit", "-q", "-m", "removed"]);
    let refused = changed().await.unwrap_err();
    assert!(
        refused.message.starts_with("a commit contains "),
        "{refused:?}"
    );
    git(&place.tree, &["reset", "-q", "--soft", base.trim()]);
    assert_eq!(changed().await, Ok(Vec::new()));
}

#[test]
fn a_copy_that_broke_off_leaves_nothing_and_what_is_there_stays() {
    let dir = tempfile::tempdir().unwrap();
    let (from, to) = (dir.path().join("from"), dir.path().join("to"));
    fs::create_dir_all(from.join("folder")).unwrap();
    fs::create_dir(&to).unwrap();
    add(&from, "file", "new");
    let destination = Destination::open(&to).unwrap();
    let names = || {
        let entries = fs::read_dir(&to).unwrap().map(|it| it.unwrap().file_name());
        entries.collect::<Vec<_>>()
    };
    // A folder cannot be read like a file.
    assert!(
        destination
            .copy(&from.join("folder"), Path::new("file"), u64::MAX)
            .is_err()
    );
    assert_eq!(names(), [] as [&str; 0]);
    assert_eq!(
        destination
            .copy(&from.join("file"), Path::new("file"), 3)
            .unwrap(),
        3
    );
    add(&to, "file", "mine");
    destination
        .copy(&from.join("file"), Path::new("file"), 3)
        .unwrap();
    assert_eq!(fs::read_to_string(to.join("file")).unwrap(), "mine");
    assert_eq!(names(), ["file"]);
}

#[tokio::test]
async fn a_command_that_fails_or_changes_tracked_files_stops_the_start() {
    let place = Place::new().await;
    let failing = section(&[], &[], Some("echo no registry; exit 3"));
    for _ in 0..2 {
        let refused = place.bring(&failing).await.unwrap_err();
        assert_eq!(refused.code, Code::TreeSetup);
        assert!(
            refused.message.contains("exit 3\nno registry"),
            "{refused:?}"
        );
    }
    let log = place.location().database().with_file_name("setup/ada.log");
    assert_eq!(fs::read_to_string(log).unwrap(), "no registry\n");
    let refused = place
        .bring(&section(&[], &[], Some("echo two >> a.txt")))
        .await;
    let refused = refused.unwrap_err();
    assert!(
        refused.message.contains("does not ignore: a.txt;"),
        "{refused:?}"
    );
    let refused = place.bring(&section(&[], &["runs"], None)).await;
    assert!(refused.unwrap_err().message.contains("links runs, but"));
}

#[tokio::test]
async fn a_tool_that_writes_through_links_gets_none() {
    let place = Place::new().await;
    place.write(&section(&[".env"], &["node_modules"], None));
    let refused = place.bring_for(Some("opencode")).await.unwrap_err();
    assert_eq!(refused.code, Code::CannotWork);
    assert_eq!(place.read(".env"), None);
    place.write(&section(&[".env", "node_modules"], &[], None));
    assert_eq!(place.bring_for(Some("opencode")).await, Ok(Vec::new()));
    assert!(place.tree.join("node_modules/left-pad/index.js").is_file());
}

#[tokio::test]
async fn links_inside_a_copied_folder_stay_links_and_others_become_files() {
    let place = Place::new().await;
    let inside = place.project.join("node_modules");
    fs::create_dir(inside.join(".bin")).unwrap();
    symlink("../left-pad/index.js", inside.join(".bin/pad")).unwrap();
    symlink(place.project.join("a.txt"), inside.join("abs")).unwrap();
    place
        .bring(&section(&["node_modules"], &[], None))
        .await
        .unwrap();
    let copied = place.tree.join("node_modules");
    let link = copied.join(".bin/pad").read_link().unwrap();
    assert_eq!(link, Path::new("../left-pad/index.js"));
    assert!(!copied.join("abs").is_symlink());
    assert_eq!(fs::read_to_string(copied.join("abs")).unwrap(), "one\n");
}

#[tokio::test]
async fn what_is_missing_is_said_where_no_section_brings_it() {
    let place = Place::new().await;
    let said = missing(&place.caller, &place.location())
        .await
        .unwrap()
        .unwrap();
    assert!(
        said.starts_with("git ignores .env, node_modules,"),
        "{said}"
    );
    assert!(
        said.ends_with("set --copy .env --link node_modules`"),
        "{said}"
    );
    place.write(&section(&[".env"], &[], None));
    assert_eq!(missing(&place.caller, &place.location()).await, Ok(None));
    place.write(&WorktreeSettings::default());
    // Tracked files are in every work tree.
    add(&place.project, ".gitignore", "");
    assert_eq!(missing(&place.caller, &place.location()).await, Ok(None));
    let path = place.location().database().with_file_name("worktree.toml");
    fs::write(path, "schema = \"agon.worktree/1\"\nx = 1\n").unwrap();
    let refused = missing(&place.caller, &place.location()).await.unwrap_err();
    assert_eq!(refused.code, Code::InvalidWorktree);
}
