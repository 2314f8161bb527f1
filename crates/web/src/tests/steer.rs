//! Forms that change a debate.

use agon_caller::find;
use agon_debates::request::DecisionKind;
use agon_samples::batches::{batches, spec};

use super::raw::{Answer, Running, unfinished};
use crate::WebOptions;

const FORM: &str = "Content-Type: application/x-www-form-urlencoded";

fn post(server: &Running, path: &str, body: &str) -> Answer {
    let lines = [
        &format!("POST {path} HTTP/1.1"),
        &format!("Host: {}", server.host()),
        &format!("Origin: http://{}", server.host()),
        &server.cookie(),
        FORM,
        "Accept: text/html",
    ];
    server.send(&lines.map(|line| line as &str), body)
}

/// Returns the value of the hidden field in a page of the server.
fn proof(page: &str) -> String {
    let (_, rest) = page.split_once("name=\"proof\" value=\"").unwrap();
    rest.split('"').next().unwrap().to_owned()
}

/// Returns the names of all debates.
fn debates(server: &Running) -> Vec<String> {
    let entries = std::fs::read_dir(server.debates()).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let debates = paths.filter(|path| find::is_debate_folder(path));
    debates.map(|path| path.display().to_string()).collect()
}

fn with_debate() -> (Running, std::path::PathBuf) {
    let server = Running::start();
    let mut one = spec();
    one.slug = "one".to_owned();
    let path = server.debate(one, unfinished());
    (server, path)
}

#[test]
fn a_note_is_added_without_its_secrets_and_once() {
    let (server, path) = with_debate();
    let proof = proof(&server.get("/debates/one").body);
    let text = "Mind+the+budget%2C+and+sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    let answer = post(
        &server,
        "/debates/one/note",
        &format!("proof={proof}&text={text}"),
    );
    assert_eq!(answer.status, 303, "{}", answer.body);
    assert!(answer.head.contains("location: /debates/one?done=note"));
    // Loading the page again after the redirect adds nothing.
    for _ in 0..2 {
        let page = server.get("/debates/one?done=note").body;
        assert!(page.contains("Your note was added."));
        assert!(!page.contains("sk-ant-api03"));
    }
    let count = || find::read(&path).unwrap().state.words.len();
    assert_eq!(count(), 1);
    let second = format!("proof={proof}&text=And+the+time");
    assert_eq!(post(&server, "/debates/one/note", &second).status, 303);
    assert_eq!(count(), 2);
}

#[test]
fn a_form_without_proof_or_with_nothing_in_it_changes_nothing() {
    let (server, path) = with_debate();
    let proof = proof(&server.get("/debates/one").body);
    let before = find::read(&path).unwrap().lines;
    for (path, body, status) in [
        ("/debates/one/note", "text=hello".to_owned(), 403),
        ("/debates/one/note", format!("proof={proof}&text=+"), 400),
        ("/debates/two/note", format!("proof={proof}&text=a"), 404),
        ("/debates/one/nothing", format!("proof={proof}"), 404),
        (
            "/debates/..%2fone/note",
            format!("proof={proof}&text=a"),
            404,
        ),
        (
            "/debates/one/extend",
            format!("proof={proof}&rounds=many"),
            400,
        ),
        (
            "/debates/one/extend",
            format!("proof={proof}&rounds=9"),
            400,
        ),
        // The debate waits for nobody.
        ("/debates/one/answer/judge", format!("proof={proof}"), 400),
    ] {
        let answer = post(&server, path, &body);
        assert_eq!(answer.status, status, "{path} {body}: {}", answer.body);
    }
    assert_eq!(find::read(&path).unwrap().lines, before);
}

#[test]
fn the_next_page_shows_what_there_is_to_know_once() {
    let server = Running::start();
    let mut one = spec();
    one.slug = "one".to_owned();
    server.debate(one, batches());
    let proof = proof(&server.get("/new").body);
    let answer = post(&server, "/debates/one/resume", &format!("proof={proof}"));
    assert_eq!(answer.status, 303, "{}", answer.body);
    let note = "one has already ended";
    assert!(server.get("/debates/one?done=resume").body.contains(note));
    assert!(!server.get("/debates/one?done=resume").body.contains(note));
}

#[test]
fn the_page_offers_only_what_the_debate_can_do_now() {
    let (server, _) = with_debate();
    let page = server.get("/debates/one").body;
    assert!(page.contains("/debates/one/resume") && page.contains("/debates/one/note"));
    // No process runs it, so there is nothing to stop.
    assert!(!page.contains("/debates/one/stop"));
    // The past cannot be changed.
    assert!(
        !server
            .get("/debates/one?at=2")
            .body
            .contains("method=\"post\"")
    );
    let options = WebOptions {
        read_only: true,
        ..WebOptions::default()
    };
    let reading = Running::with_options(options, std::time::Duration::from_secs(20));
    let mut one = spec();
    one.slug = "one".to_owned();
    reading.debate(one, unfinished());
    assert!(!reading.get("/debates/one").body.contains("method=\"post\""));
}

#[test]
fn a_new_debate_is_planned_before_it_starts() {
    let server = Running::start();
    let form = server.get("/new?topic=Tabs+or+%3Cspaces%3E%3F");
    assert_eq!(form.status, 200);
    assert!(form.body.contains("Tabs or &lt;spaces&gt;?"));
    assert!(!form.body.contains("name=\"start\""), "it has no plan yet");
    let proof = proof(&form.body);
    // Persons need no tool.
    let body = format!(
        "proof={proof}&topic=Tabs+or+spaces%3F&depth=quick&proposer=human&challenger=human&judge=human"
    );
    let plan = post(&server, "/new", &body);
    assert_eq!(plan.status, 200, "{}", plan.body);
    for part in [
        "What it takes",
        "<dt>Proposer</dt><dd>human</dd>",
        "name=\"start\"",
    ] {
        assert!(plan.body.contains(part), "{part}: {}", plan.body);
    }
    assert_eq!(debates(&server), [""; 0]);
}

#[test]
fn a_new_debate_without_its_tools_creates_nothing() {
    let server = Running::start();
    let proof = proof(&server.get("/new").body);
    let body =
        format!("proof={proof}&topic=Tabs+or+spaces%3F&start=yes&proposer=claude&challenger=codex");
    let answer = post(&server, "/new", &body);
    assert!(answer.status >= 400, "{}", answer.status);
    assert_eq!(debates(&server), [""; 0]);
}

#[test]
fn a_decision_is_recorded_only_as_the_form_says() {
    let server = Running::start();
    let mut one = spec();
    one.slug = "one".to_owned();
    let path = server.debate(one, batches());
    let page = server.get("/debates/one").body;
    let proof = proof(&page);
    let decide = |fields: &str| {
        let body = format!("proof={proof}&why=It+is+in.{fields}");
        post(&server, "/debates/one/decide", &body).status
    };
    assert_eq!(decide(""), 400);
    assert_eq!(decide("&taken=yes"), 400);
    let decisions = || find::read(&path).unwrap().state.decisions;
    assert!(decisions().is_empty());
    assert_eq!(decide("&taken=not_taken"), 303);
    let found = decisions();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].decision.taken, DecisionKind::NotTaken);
    assert_eq!(found[0].decision.by, None);
}
