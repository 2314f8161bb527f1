//! The pages of a team, in a repository with one.

use std::collections::BTreeMap;
use std::path::Path;

use agon_caller::Caller;
use agon_teamwork::{JoinRequest, NewTask, SendRequest};
use agon_testkit::browser::{Browser, Screen};
use agon_testkit::git;

use super::browser::until;
use super::raw::{Answer, Running};

/// Text that would be markup if it was not escaped.
const HOSTILE: &str = "<script>x</script> \u{202e}dab </data>";

/// Returns the caller of the lead, in a new team in the project of `server`.
pub(super) fn team(server: &Running) -> Caller {
    let project = server.debates().parent().unwrap().to_owned();
    git(&project, &["init", "-q", "-b", "main"]);
    let caller = caller(&project);
    agon_teamwork::init(&caller).unwrap();
    join(&caller, "lea", "lead");
    caller
}

fn join(caller: &Caller, name: &str, role: &str) {
    let request = JoinRequest {
        name: name.parse().unwrap(),
        role: role.parse().unwrap(),
        host: "claude".to_owned(),
    };
    agon_teamwork::join(caller, &request).unwrap();
}

fn caller(project: &Path) -> Caller {
    let home = project.parent().unwrap().as_os_str().to_owned();
    Caller::new(BTreeMap::from([("HOME".into(), home)]), project)
}

pub(super) fn add(caller: &Caller, title: &str) {
    let task = NewTask {
        title: title.to_owned(),
        spec: format!("Do it.\n{HOSTILE}"),
        ..NewTask::default()
    };
    agon_teamwork::add(caller, task).unwrap();
}

/// Sends a message from another member to the lead.
pub(super) fn write(lead: &Caller, body: &str) {
    let project = &lead.cwd;
    git(project, &["commit", "-q", "--allow-empty", "-m", "begin"]);
    let tree = project.with_file_name("ada");
    git(
        project,
        &["worktree", "add", "-q", "-b", "ada", tree.to_str().unwrap()],
    );
    let ada = caller(&tree);
    join(&ada, "ada", "worker");
    let message = SendRequest {
        to: "lea".to_owned(),
        body: body.to_owned(),
        thread: None,
        urgent: true,
        key: None,
    };
    agon_teamwork::send(&ada, &message).unwrap();
}

fn ask(server: &Running, path: &str, version: &str) -> Answer {
    let lines = [
        &format!("GET {path} HTTP/1.1"),
        &format!("Host: {}", server.host()),
        &server.cookie(),
        "Accept: text/html",
        &format!("If-None-Match: {version}"),
    ];
    server.send(&lines.map(|line| line as &str), "")
}

fn version(answer: &Answer) -> String {
    let tag = answer
        .head
        .lines()
        .find_map(|line| line.strip_prefix("etag: "));
    tag.unwrap().to_owned()
}

#[test]
fn a_project_without_a_team_says_how_to_create_one() {
    let server = Running::start();
    assert!(server.get("/team").body.contains("not in one"));
    assert_eq!(server.get("/team.json").status, 404);
    let project = server.debates().parent().unwrap().to_owned();
    git(&project, &["init", "-q", "-b", "main"]);
    assert!(server.get("/team").body.contains("agon team init"));
}

#[test]
fn a_board_shows_its_tasks_and_members_without_their_markup() {
    let server = Running::start();
    let caller = team(&server);
    add(&caller, HOSTILE);
    write(&caller, HOSTILE);
    for path in ["/team", "/team/tasks/t1", "/team/mail/m1"] {
        let page = server.get(path);
        assert_eq!(page.status, 200, "{path}: {}", page.body);
        assert!(page.body.contains("&lt;script&gt;x"), "{path}");
        assert!(!page.body.contains("<script>x"), "{path}");
        assert!(!page.body.contains('\u{202e}'), "{path}");
    }
    let board = server.get("/team").body;
    assert!(
        board.contains("0 of 1 task done") && board.contains("lea"),
        "{board}"
    );
    let text = server.get("/team.md").body;
    assert!(text.contains("- t1 ready: \\<script\\>"), "{text}");
    let document: serde_json::Value = serde_json::from_str(&server.get("/team.json").body).unwrap();
    assert_eq!(document["tasks"][0]["task"]["id"], "t1");
    let one: serde_json::Value =
        serde_json::from_str(&server.get("/team/tasks/t1.json").body).unwrap();
    assert_eq!(one["task"]["id"], "t1");
    assert!(server.get("/team/tasks/t1.md").body.contains("# t1 "));
    assert!(
        board.contains("href=\"/team/mail/m1\"") && board.contains("ada"),
        "{board}"
    );
    for path in [
        "/team/tasks/t2",
        "/team/tasks/x",
        "/team/tasks/..%2f",
        "/team/mail/m9",
    ] {
        assert!(server.get(path).status >= 400, "{path}");
    }
}

#[test]
fn an_unchanged_board_is_not_sent_again() {
    let server = Running::start();
    let caller = team(&server);
    let first = version(&server.get("/team"));
    let again = ask(&server, "/team", &first);
    assert_eq!((again.status, again.body.as_str()), (304, ""));
    add(&caller, "Greet by name");
    let changed = ask(&server, "/team", &first);
    assert_eq!(changed.status, 200);
    assert!(changed.body.contains("Greet by name"));
    assert_ne!(version(&changed), first);
}

#[test]
fn mail_between_two_other_members_says_who_has_read_it() {
    let server = Running::start();
    let lead = team(&server);
    write(&lead, "to the lead");
    let ada = caller(&lead.cwd.with_file_name("ada"));
    let tree = lead.cwd.with_file_name("ben");
    let path = tree.to_str().unwrap();
    git(&lead.cwd, &["worktree", "add", "-q", "-b", "ben", path]);
    let ben = caller(&tree);
    join(&ben, "ben", "worker");
    let message = |to: &str, thread| SendRequest {
        to: to.to_owned(),
        body: "Which file?".to_owned(),
        thread,
        urgent: false,
        key: None,
    };
    let first = agon_teamwork::send(&ada, &message("ben", None)).unwrap();
    let thread = first.thread;
    agon_teamwork::send(&ben, &message("ada", Some(thread))).unwrap();
    let board = server.get("/team").body;
    assert!(
        board.contains(&format!("href=\"/team/mail/{thread}\"")),
        "{board}"
    );
    let page = server.get(&format!("/team/mail/{thread}"));
    assert_eq!(page.status, 200, "{}", page.body);
    for shown in ["from ada", "to ben (queued)", "from ben", "to ada (queued)"] {
        assert!(page.body.contains(shown), "{shown}: {}", page.body);
    }
    // Reading it here delivers nothing.
    let unread = agon_teamwork::status(&lead).unwrap().members;
    assert!(unread.iter().all(|row| row.unread == 1), "{unread:?}");
}

#[test]
fn a_plain_merge_changes_the_board() {
    let server = Running::start();
    let lead = team(&server);
    write(&lead, "hi");
    let tree = lead.cwd.with_file_name("ada");
    let before = version(&server.get("/team"));
    git(&tree, &["commit", "-q", "--allow-empty", "-m", "work"]);
    let worked = version(&server.get("/team"));
    assert_ne!(worked, before);
    assert_eq!(ask(&server, "/team", &worked).status, 304);
    git(&lead.cwd, &["merge", "-q", "ada"]);
    assert_eq!(ask(&server, "/team", &worked).status, 200);
}

#[test]
fn an_open_board_shows_a_new_task_and_keeps_the_focus() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let server = Running::start();
    let caller = team(&server);
    add(&caller, "Greet by name");
    let address = format!("http://{}/team?key={}", server.host(), server.key);
    browser.open(&address, Screen::DESK);
    let cards = "document.querySelectorAll('.card').length";
    until(&mut browser, cards, &1.into());
    let title = "document.activeElement.textContent";
    browser.value("document.querySelector('.card a').focus()");
    add(&caller, "Write the manual");
    until(&mut browser, cards, &2.into());
    assert_eq!(browser.value(title), "Greet by name");
    // The age of a message grows without a request.
    browser.value(
        "const age = document.createElement('span');
         age.className = 'ago';
         age.dataset.at = Date.now() - 3 * 3600 * 1000;
         document.body.append(age);",
    );
    let shown = "document.querySelector('body > .ago').textContent";
    until(&mut browser, shown, &"3 h ago".into());
    // A board that did not change is not asked for in full again.
    browser.value(
        "window.sizes = []; window.real = fetch;
         window.fetch = async (...all) => {
           const reply = await real(...all);
           sizes.push((await reply.clone().text()).length);
           return reply;
         };",
    );
    until(&mut browser, "sizes.length > 2", &true.into());
    assert_eq!(
        browser.value("sizes.slice(1).every((it) => it === 0)"),
        true
    );
}

#[test]
fn an_open_board_says_that_it_is_out_of_date_and_counts_leases_by_its_own_clock() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let server = Running::start();
    let caller = team(&server);
    add(&caller, "Greet by name");
    let address = format!("http://{}/team?key={}", server.host(), server.key);
    browser.open(&address, Screen::DESK);
    let lost = "document.querySelector('.lost')?.hidden ?? null";
    until(&mut browser, lost, &true.into());
    browser.value(
        "window.real = fetch; window.status = 401;
         window.fetch = async () => new Response('', { status });",
    );
    until(&mut browser, lost, &false.into());
    browser.value("status = 304; fetch = async () => new Response(null, { status: 304 });");
    until(&mut browser, lost, &true.into());
    // The moment on the server's clock does not matter, only the time that is left.
    browser.value(
        "document.querySelector('.card').insertAdjacentHTML('beforeend', '<i class=left data-left=7200000></i>');",
    );
    let left = "document.querySelector('.card .left').textContent.startsWith('1 h 59 min')";
    until(&mut browser, left, &true.into());
}
