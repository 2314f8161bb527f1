//! A repository that names a program wherever git accepts one.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use agon_git::{FilterScope, GitError, GitLimits};
use agon_testkit::{add, git};

use crate::place::Place;

/// Configuration keys whose value is a program, each with a unique name.
const KEYS: [(&str, &str); 42] = [
    ("fsmonitor", "core.fsmonitor"),
    ("pager", "core.pager"),
    ("editor", "core.editor"),
    ("sequence-editor", "sequence.editor"),
    ("ssh", "core.sshCommand"),
    ("askpass", "core.askPass"),
    ("gitproxy", "core.gitProxy"),
    ("alternates", "core.alternateRefsCommand"),
    ("external-diff", "diff.external"),
    ("driver-diff", "diff.x.command"),
    ("textconv", "diff.x.textconv"),
    ("merge-driver", "merge.x.driver"),
    ("clean", "filter.x.clean"),
    ("smudge", "filter.x.smudge"),
    ("process", "filter.y.process"),
    ("gpg", "gpg.program"),
    ("gpg-ssh", "gpg.ssh.program"),
    ("gpg-x509", "gpg.x509.program"),
    ("default-key", "gpg.ssh.defaultKeyCommand"),
    ("credential", "credential.helper"),
    (
        "credential-url",
        "credential.https://example.invalid.helper",
    ),
    ("upload-pack", "remote.origin.uploadpack"),
    ("receive-pack", "remote.origin.receivepack"),
    ("vcs", "remote.origin.vcs"),
    ("pack-objects", "uploadpack.packObjectsHook"),
    ("mergetool", "mergetool.x.cmd"),
    ("difftool", "difftool.x.cmd"),
    ("interactive", "interactive.diffFilter"),
    ("trailer", "trailer.x.command"),
    ("trailer-cmd", "trailer.y.cmd"),
    ("pager-diff", "pager.diff"),
    ("pager-status", "pager.status"),
    ("browser", "browser.x.cmd"),
    ("man", "man.x.cmd"),
    ("sendemail", "sendemail.sendmailCmd"),
    ("guitool", "guitool.x.cmd"),
    ("archive", "tar.x.command"),
    ("instaweb", "instaweb.httpd"),
    ("submodule-update", "submodule.nest.update"),
    ("bundle", "bundle.x.uri"),
    ("maintenance", "maintenance.strategy"),
    ("tar-remote", "url.x.insteadOf"),
];

/// Hooks, which are programs too.
const HOOKS: [&str; 14] = [
    "applypatch-msg",
    "commit-msg",
    "fsmonitor-watchman",
    "post-checkout",
    "post-commit",
    "post-index-change",
    "post-merge",
    "post-rewrite",
    "pre-auto-gc",
    "pre-commit",
    "pre-merge-commit",
    "prepare-commit-msg",
    "reference-transaction",
    "update",
];

fn plant(place: &Place) {
    let repo = place.repo();
    add(
        &repo,
        ".gitattributes",
        "*.txt diff=x merge=x\n*.x filter=x\n*.y filter=y\n",
    );
    add(&repo, "f.x", "x\n");
    add(&repo, "f.y", "y\n");
    git(&repo, &["add", "."]);
    git(&repo, &["commit", "-q", "-m", "attributes"]);
    let hooks = place.path("hooks");
    for folder in [&hooks, &repo.join(".git/hooks")] {
        fs::create_dir_all(folder).unwrap();
        for hook in HOOKS {
            let program = place.program(&format!("hook-{hook}"));
            fs::copy(program, folder.join(hook)).unwrap();
        }
    }
    // A settings file in the repository, one that it includes, one of its work tree alone, and the
    // same in a nested repository.
    let mut included = String::new();
    for (name, key) in KEYS {
        let program = place.program(name);
        let value = match name {
            "submodule-update" => format!("!{program}"),
            _ => program,
        };
        git(&repo, &["config", key, &value]);
        included.push_str(&format!("{key}={value}\n"));
    }
    assert!(included.lines().count() > 40);
    let other = place.path("included");
    let other_text = format!(
        "[core]\n\tfsmonitor = {}\n",
        place.program("included-fsmonitor")
    );
    fs::write(&other, other_text).unwrap();
    let worktree = format!(
        "[core]\n\tfsmonitor = {}\n\thooksPath = {}\n",
        place.program("worktree-fsmonitor"),
        hooks.display()
    );
    fs::write(repo.join(".git/config.worktree"), worktree).unwrap();
    for (key, value) in [
        ("include.path", other.to_str().unwrap()),
        ("includeIf.gitdir:**.path", other.to_str().unwrap()),
        ("extensions.worktreeConfig", "true"),
        ("alias.diff", "!false"),
        ("alias.add", "!false"),
        ("commit.gpgSign", "true"),
        ("diff.ignoreSubmodules", "none"),
        ("submodule.recurse", "true"),
    ] {
        git(&repo, &["config", key, value]);
    }
    plant_nested(place);
    git(
        &repo,
        &["config", "core.hooksPath", hooks.to_str().unwrap()],
    );
}

/// A repository that fetches from a program, in a folder whose files a tool wrote one by one.
fn plant_nested(place: &Place) {
    let store = place.repo().join("nest/store");
    for folder in ["objects/info", "refs"] {
        fs::create_dir_all(store.join(folder)).unwrap();
    }
    fs::write(place.repo().join("nest/.git"), "gitdir: store\n").unwrap();
    fs::write(place.repo().join("nest/f"), "x\n").unwrap();
    fs::write(store.join("HEAD"), format!("{}\n", "1".repeat(40))).unwrap();
    let program = place.program("nested-upload-pack");
    let config = format!(
        "[core]\n\trepositoryformatversion = 1\n\tbare = false\n\tfsmonitor = {}\n\
         [extensions]\n\tpartialClone = origin\n\
         [remote \"origin\"]\n\turl = ./\n\tpromisor = true\n\tuploadpack = \"{program}; true\"\n",
        place.program("nested-fsmonitor")
    );
    fs::write(store.join("config"), config).unwrap();
    let modules = "[submodule \"nest\"]\n\tpath = nest\n\turl = ./nest\n\tignore = none\n";
    fs::write(place.repo().join(".gitmodules"), modules).unwrap();
}

#[tokio::test]
async fn no_program_that_a_repository_names_is_started() {
    let place = Place::new();
    plant(&place);
    let repo = place.repo();
    place.take_ran();
    let session = place.open().await;
    // Each file looks changed, so that git has to read it.
    for file in ["a.txt", "f.x", "f.y"] {
        fs::write(repo.join(file), "changed\n").unwrap();
    }
    let head = session.head().await.unwrap();
    let commands: [&[&str]; 14] = [
        &["status", "--porcelain=v1", "--ignore-submodules=all"],
        &[
            "diff",
            "--no-ext-diff",
            "--no-textconv",
            "--ignore-submodules=all",
            "HEAD",
        ],
        &["ls-files", "--others", "--exclude-standard"],
        &["add", "--all", "--", ".", ":(exclude)nest"],
        &[
            "diff",
            "--cached",
            "--raw",
            "--ignore-submodules=dirty",
            "HEAD",
        ],
        &["write-tree"],
        &[
            "-c",
            "user.name=a",
            "-c",
            "user.email=a@b",
            "commit-tree",
            "-m",
            "x",
            "HEAD^{tree}",
        ],
        &["update-ref", "refs/heads/new", &head],
        &["checkout", "-q", "--detach", "new"],
        &["reset", "-q", "--hard"],
        &["clean", "-fdq"],
        &["log", "-p", "-1"],
        &[
            "rev-parse",
            "--verify",
            "1111111111111111111111111111111111111111^{tree}",
        ],
        &["update-ref", "-d", "refs/heads/new"],
    ];
    for args in commands {
        session.run_within(args, b"", GitLimits::STEP).await.ok();
        assert_eq!(place.take_ran(), Vec::<String>::new(), "{args:?}");
    }
    drop(session);

    // Control: a git that reads the configuration does run the planted programs.
    let mut ran = Vec::new();
    for file in ["a.txt", "f.x", "f.y"] {
        fs::write(repo.join(file), "changed again\n").unwrap();
    }
    git(&repo, &["config", "--unset", "alias.diff"]);
    for args in [
        &["status"][..],
        &["diff"],
        &["add", "a.txt", "f.x", "f.y"],
        &["commit", "--no-gpg-sign", "-m", "x"],
        &["commit", "-S", "--amend", "-m", "x"],
        &["checkout", "-q", "HEAD~1"],
        &["fetch", "origin"],
    ] {
        place.plain(&repo, args);
        ran.extend(place.take_ran());
    }
    ran.sort();
    ran.dedup();
    assert!(ran.len() >= 8, "the plants are dead: {ran:?}");
    assert!(ran.iter().any(|name| name.starts_with("hook-")), "{ran:?}");
}

#[tokio::test]
async fn a_file_that_needs_a_filter_of_the_repository_is_refused_by_name() {
    let place = Place::new();
    let repo = place.repo();
    add(&repo, ".gitattributes", "*.x filter=x\n");
    add(&repo, "docs/f.x", "x\n");
    git(&repo, &["add", "."]);
    git(&repo, &["commit", "-q", "-m", "x"]);
    let refused = async |scope| {
        let session = place.open().await;
        match session.refuse_foreign_filters(scope).await {
            Ok(()) => None,
            Err(GitError::Filter { path, filter }) => Some(format!("{path} {filter}")),
            Err(other) => panic!("{other}"),
        }
    };
    // Nobody defines the filter: git stores the file as it is, like everyone else's git.
    assert_eq!(refused(FilterScope::WorkTree).await, None);
    let program = place.program("clean");
    git(&repo, &["config", "filter.x.clean", &program]);
    for scope in [FilterScope::WorkTree, FilterScope::Commit("HEAD")] {
        assert_eq!(refused(scope).await, Some("docs/f.x x".to_owned()));
    }
    let other = ["a.txt".to_owned()];
    assert_eq!(refused(FilterScope::Paths(&other)).await, None);
    // The user defines the filter too.
    place.set_global("filter.x.clean", &program);
    assert_eq!(refused(FilterScope::WorkTree).await, None);
    // The content of an included file is unknown.
    fs::remove_file(place.path("home/.gitconfig")).unwrap();
    git(&repo, &["config", "--unset", "filter.x.clean"]);
    git(&repo, &["config", "include.path", "/nowhere"]);
    assert_eq!(
        refused(FilterScope::WorkTree).await,
        Some("docs/f.x x".to_owned())
    );
    assert_eq!(place.take_ran(), Vec::<String>::new());
}

#[tokio::test]
async fn a_filter_of_the_user_runs() {
    let place = Place::new();
    let repo = place.repo();
    let program = place.program("user-clean");
    place.set_global("filter.lfs.clean", &program);
    add(&repo, ".gitattributes", "*.bin filter=lfs\n");
    add(&repo, "big.bin", "large\n");
    let session = place.open().await;
    session.run(&["add", "--all"], b"").await.unwrap();
    assert_eq!(place.take_ran(), ["user-clean"]);
}

#[tokio::test]
async fn a_program_in_the_work_tree_is_not_found_by_its_name() {
    let place = Place::new();
    let repo = place.repo();
    place.set_global("filter.lfs.clean", "named-filter");
    add(&repo, ".gitattributes", "*.bin filter=lfs\n");
    add(&repo, "big.bin", "large\n");
    let planted = place.program("planted");
    fs::copy(planted, repo.join("named-filter")).unwrap();
    fs::set_permissions(repo.join("named-filter"), fs::Permissions::from_mode(0o755)).unwrap();
    let mut vars = place.vars();
    let mut path = std::ffi::OsString::from(".:");
    path.push(vars.get(std::ffi::OsStr::new("PATH")).unwrap());
    vars.insert("PATH".into(), path);
    let repository = agon_git::Repository::discover(&repo).unwrap();
    let found = agon_git::Git::find(&vars).unwrap();
    let session = agon_git::GitSession::open(&found, &repository)
        .await
        .unwrap();
    session.run(&["add", "--all"], b"").await.ok();
    assert_eq!(place.take_ran(), Vec::<String>::new());
}
