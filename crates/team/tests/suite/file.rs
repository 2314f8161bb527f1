//! The team's file: its place, its permissions, and what happens to a broken one.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use agon_team::store::{
    JoinOrigin, JoinRequest, MemberToken, NewTask, StoreError, SystemClock, Team, TeamLimits,
    TeamLocation,
};
use rusqlite::Connection;

use crate::support::{assert_sound, claim, join, location, name, submit};

fn create(at: &TeamLocation) -> Result<Team, StoreError> {
    Team::create(at, Arc::new(SystemClock::new()), TeamLimits::default())
}

fn open(at: &TeamLocation) -> Result<Team, StoreError> {
    Team::open(at, Arc::new(SystemClock::new()), TeamLimits::default())
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn git(dir: &Path, words: &[&str]) {
    let done = Command::new("git")
        .args(["-c", "user.name=test", "-c", "user.email=test@example.com"])
        .args(words)
        .current_dir(dir)
        .env_remove("GIT_DIR")
        .output()
        .unwrap();
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
}

#[test]
fn every_work_tree_of_a_repository_has_the_same_team_and_its_own_member() {
    let dir = tempfile::tempdir().unwrap();
    let main = dir.path().join("main");
    fs::create_dir_all(main.join("deep/er")).unwrap();
    git(&main, &["init", "-q"]);
    git(&main, &["commit", "-q", "--allow-empty", "-m", "first"]);
    git(&main, &["worktree", "add", "-q", "../other"]);
    let here = TeamLocation::find(&main.join("deep/er")).unwrap();
    let there = TeamLocation::find(&dir.path().join("other")).unwrap();
    assert!(matches!(open(&here), Err(StoreError::NoTeam(_))));
    create(&here).unwrap();
    assert_eq!(here.database(), there.database());
    assert_eq!(mode(&here.database()), 0o600);
    assert_eq!(mode(here.database().parent().unwrap()), 0o700);
    let mut team = open(&there).unwrap();
    let mut tokens = Vec::new();
    for (at, member) in [(&here, "ana"), (&there, "ben")] {
        let role = "worker".parse().unwrap();
        let request = JoinRequest {
            name: name(member),
            role,
            host: "test".to_owned(),
        };
        assert_eq!(at.read_token().unwrap(), None);
        // If its token cannot be written, it has not joined.
        fs::create_dir_all(at.token_file()).unwrap();
        let refused = team.join_in_work_tree(&request, at, &JoinOrigin::default());
        assert!(matches!(refused, Err(StoreError::Io { .. })), "{refused:?}");
        fs::remove_dir(at.token_file()).unwrap();
        let token = team
            .join_in_work_tree(&request, at, &JoinOrigin::default())
            .unwrap();
        assert_eq!(mode(&at.token_file()), 0o600);
        tokens.push(token);
    }
    assert_eq!(
        here.read_token().unwrap(),
        Some((name("ana"), tokens[0].clone()))
    );
    let (_, token) = there.read_token().unwrap().unwrap();
    assert_eq!(
        team.authenticate(&token).unwrap().name(),
        Some(&name("ben"))
    );
    assert_eq!(format!("{token:?}"), "MemberToken(…)");
    // Git does not see the file, and it contains no token.
    git(&main, &["diff", "--quiet"]);
    let bytes = fs::read(here.database()).unwrap();
    assert!(
        !bytes
            .windows(64)
            .any(|window| window == token.reveal().as_bytes())
    );
    there.remove_token().unwrap();
    assert_eq!(there.read_token().unwrap(), None);
    fs::write(here.token_file(), "{}").unwrap();
    assert!(matches!(here.read_token(), Err(StoreError::Foreign(_))));
    let forged = MemberToken::from_text(&"0".repeat(64));
    assert!(matches!(
        team.authenticate(&forged),
        Err(StoreError::NotMember)
    ));
}

/// Returns a team with a task, closed.
fn begun(dir: &Path) -> TeamLocation {
    let at = location(dir);
    let mut team = create(&at).unwrap();
    let ana = join(&mut team, "ana", "worker");
    let new = NewTask {
        title: "one".to_owned(),
        ..NewTask::default()
    };
    team.add_task(&ana, &new).unwrap();
    at
}

#[test]
fn a_file_of_a_newer_version_is_refused_and_left_as_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let at = begun(dir.path());
    Connection::open(at.database())
        .unwrap()
        .pragma_update(None, "user_version", 99)
        .unwrap();
    let before = fs::read(at.database()).unwrap();
    for opened in [open(&at), create(&at)] {
        let error = opened.unwrap_err();
        assert!(
            matches!(error, StoreError::Newer { found: 99, .. }),
            "{error}"
        );
        assert_eq!(error.hint().typed(), "update agon");
    }
    assert!(fs::read(at.database()).unwrap() == before);
}

#[test]
fn a_file_of_another_program_is_refused_and_left_as_it_is() {
    for case in ["sqlite", "text", "link"] {
        let dir = tempfile::tempdir().unwrap();
        let at = location(dir.path());
        fs::create_dir(dir.path().join("agon")).unwrap();
        match case {
            "sqlite" => Connection::open(at.database())
                .unwrap()
                .execute_batch("CREATE TABLE notes (text TEXT)")
                .unwrap(),
            "text" => fs::write(
                at.database(),
                "not a database, and longer than its head is: ".repeat(40),
            )
            .unwrap(),
            _ => {
                let elsewhere = begun(&dir.path().join("agon")).database();
                std::os::unix::fs::symlink(elsewhere, at.database()).unwrap();
            }
        }
        let before = fs::read(at.database()).unwrap();
        for opened in [open(&at), create(&at)] {
            assert!(opened.is_err(), "{case}");
        }
        assert!(fs::read(at.database()).unwrap() == before, "{case}");
    }
}

#[test]
fn a_file_that_was_begun_and_not_more_is_begun_again() {
    let dir = tempfile::tempdir().unwrap();
    let at = location(dir.path());
    fs::create_dir(dir.path().join("agon")).unwrap();
    fs::write(at.database(), "").unwrap();
    assert!(matches!(open(&at), Err(StoreError::NoTeam(_))));
    create(&at).unwrap();
    assert_sound(&open(&at).unwrap());
}

#[test]
fn a_damaged_file_is_said_to_be_damaged() {
    let dir = tempfile::tempdir().unwrap();
    let at = begun(dir.path());
    let whole = fs::read(at.database()).unwrap();
    let page = 4_096;
    let mut damaged = 0;
    for at_page in 0..whole.len() / page {
        let mut bytes = whole.clone();
        bytes[at_page * page..][..page].fill(0xA5);
        fs::write(at.database(), &bytes).unwrap();
        match open(&at) {
            Ok(team) => match team.examine() {
                Ok(report) if report.breaches.is_empty() => {}
                Ok(_) | Err(StoreError::Damaged(_)) => damaged += 1,
                Err(error) => panic!("page {at_page}: {error}"),
            },
            Err(StoreError::Damaged(_) | StoreError::Foreign(_)) => damaged += 1,
            Err(error) => panic!("page {at_page}: {error}"),
        }
        // Nothing tried to repair it.
        assert!(fs::read(at.database()).unwrap() == bytes);
    }
    assert!(
        damaged * page * 10 > whole.len() * 9,
        "{damaged} pages of {} noticed",
        whole.len() / page
    );
    fs::write(at.database(), &whole[..whole.len() / 2 + 100]).unwrap();
    let cut = open(&at).and_then(|team| team.examine());
    let is_seen = cut
        .as_ref()
        .map_or(true, |report| !report.breaches.is_empty());
    assert!(is_seen, "{cut:?}");
}

const READ_ONLY: &str = "AGON_TEAM_READ_ONLY_DIR";

/// The reader of the test below; not root, because root may write everything.
#[test]
fn a_reader_in_a_process_of_its_own() {
    let Some(dir) = std::env::var_os(READ_ONLY).map(PathBuf::from) else {
        let dir = tempfile::tempdir().unwrap();
        assert_sound(&open(&begun(dir.path())).unwrap());
        return;
    };
    let error = match open(&location(&dir)) {
        Ok(mut team) => {
            let role = "worker".parse().unwrap();
            let request = JoinRequest {
                name: name("ben"),
                role,
                host: "test".to_owned(),
            };
            team.join(&request).unwrap_err()
        }
        Err(error) => error,
    };
    assert!(matches!(error, StoreError::ReadOnly), "{error:?}");
}

#[test]
fn a_file_that_may_not_be_written_is_left_and_said_so() {
    let dir = tempfile::tempdir().unwrap();
    fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let at = begun(dir.path());
    let before = fs::read(at.database()).unwrap();
    let program = dir.path().join("reader");
    fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
    fs::set_permissions(at.database(), fs::Permissions::from_mode(0o444)).unwrap();
    fs::set_permissions(
        at.database().parent().unwrap(),
        fs::Permissions::from_mode(0o555),
    )
    .unwrap();
    let mut command = Command::new(&program);
    command
        .args(["--exact", "file::a_reader_in_a_process_of_its_own"])
        .env(READ_ONLY, dir.path())
        .current_dir(dir.path())
        .stdout(Stdio::null());
    if rustix::process::getuid().is_root() {
        command.uid(65_534).gid(65_534);
    }
    assert!(command.status().unwrap().success());
    assert!(fs::read(at.database()).unwrap() == before);
    fs::set_permissions(
        at.database().parent().unwrap(),
        fs::Permissions::from_mode(0o755),
    )
    .unwrap();
}

#[test]
fn what_is_exported_and_imported_is_exported_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let at = begun(dir.path());
    let mut team = open(&at).unwrap();
    let ben = join(&mut team, "ben", "worker");
    let task = claim(&mut team, &ben, None);
    team.step(&ben, task.id, task.epoch, &submit('a')).unwrap();
    let mail = agon_team::store::MailRequest {
        to: agon_team::store::Recipient::Member(name("ana")),
        body: "it's \"done\"\n\u{1f980}".to_owned(),
        thread: None,
        urgent: false,
        key: Some("k".to_owned()),
    };
    team.send(&ben, &mail).unwrap();
    team.leave(&ben, &name("ben")).unwrap();
    team.leave(&agon_team::store::Actor::person(), &name("ana"))
        .unwrap();
    let mut lines = Vec::new();
    team.export(&mut lines).unwrap();
    let other = tempfile::tempdir().unwrap();
    let mut copy = create(&location(other.path())).unwrap();
    copy.import(lines.as_slice()).unwrap();
    let mut again = Vec::new();
    copy.export(&mut again).unwrap();
    assert_eq!(
        String::from_utf8(again).unwrap(),
        String::from_utf8(lines.clone()).unwrap()
    );
    assert_sound(&copy);
    // Ids continue where they were.
    let ana = join(&mut copy, "ana", "worker");
    let new = NewTask {
        title: "two".to_owned(),
        ..NewTask::default()
    };
    assert_eq!(copy.add_task(&ana, &new).unwrap().id.to_string(), "t2");
    assert!(matches!(
        copy.import(lines.as_slice()),
        Err(StoreError::NotEmpty)
    ));
}

#[test]
fn an_import_that_is_wrong_anywhere_changes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let mut team = open(&begun(dir.path())).unwrap();
    let mut lines = Vec::new();
    team.export(&mut lines).unwrap();
    let whole = String::from_utf8(lines).unwrap();
    let last = whole.lines().last().unwrap();
    for (broken, words) in [
        (
            whole.replace("agon.team_export/1", "agon.team_export/2"),
            "line 1",
        ),
        (whole.replace(last, ""), "damaged"),
        (format!("{whole}nonsense\n"), "line "),
        (
            format!("{whole}{{\"table\":\"sqlite_schema\",\"row\":{{}}}}\n"),
            "unknown table",
        ),
        (
            whole.replace("\"title\":", "\"title; DROP TABLE task\":"),
            "unknown column",
        ),
        (whole.replace("\"ready\"", "\"done\""), "CHECK constraint"),
        (whole.replace("\"epoch\":0", "\"epoch\":7"), "damaged"),
    ] {
        let other = tempfile::tempdir().unwrap();
        let mut copy = create(&location(other.path())).unwrap();
        let error = copy
            .import(broken.trim_end().as_bytes())
            .unwrap_err()
            .to_string();
        assert!(error.contains(words), "{words}: {error}");
        assert_eq!(copy.events(0, 9).unwrap(), []);
        assert_eq!(copy.members().unwrap(), []);
    }
}

#[test]
fn an_export_of_an_earlier_version_is_imported() {
    let dir = tempfile::tempdir().unwrap();
    let at = begun(dir.path());
    let mut team = open(&at).unwrap();
    let ben = join(&mut team, "ben", "worker");
    let mail = agon_team::store::MailRequest {
        to: agon_team::store::Recipient::Member(name("ana")),
        body: "hello".to_owned(),
        thread: None,
        urgent: true,
        key: None,
    };
    team.send(&ben, &mail).unwrap();
    let mut lines = Vec::new();
    team.export(&mut lines).unwrap();
    let mut earlier = String::new();
    for line in String::from_utf8(lines).unwrap().lines() {
        let mut line: serde_json::Value = serde_json::from_str(line).unwrap();
        if let Some(row) = line.get_mut("row").and_then(|row| row.as_object_mut()) {
            for column in ["place", "assignee", "base", "urgent"] {
                row.remove(column);
            }
        }
        earlier.push_str(&format!("{line}\n"));
    }
    let other = tempfile::tempdir().unwrap();
    let mut copy = create(&location(other.path())).unwrap();
    copy.import(earlier.as_bytes()).unwrap();
    let tasks = copy.tasks().unwrap();
    assert_eq!(tasks.len(), 1);
    assert_eq!((tasks[0].place, &tasks[0].assignee), (1, &None));
    let headers = copy
        .mail_headers(&agon_team::store::Actor::person())
        .unwrap();
    assert!(!headers[0].urgent);
    assert_sound(&copy);
}
