//! The list of debates.

use agon_samples::batches::spec;

use super::raw::{Running, unfinished};

/// A text that would do harm as markup.
const HOSTILE: &str = "<script>alert(1)</script><img src=x onerror=alert(1)>\u{202e}\u{1b}[31m\"'><svg/onload=alert(1)>";

#[test]
fn an_empty_folder_says_how_to_start() {
    let server = Running::start();
    let answer = server.get("/");
    assert_eq!(answer.status, 200);
    assert!(answer.body.contains("No debates yet"));
}

#[test]
fn a_debate_is_listed_with_its_state_and_found_by_its_words() {
    let server = Running::start();
    let mut first = spec();
    first.topic = "Which store for the zebra jobs?".to_owned();
    first.slug = "one".to_owned();
    server.debate(first, unfinished());
    let listed = server.get("/");
    assert!(listed.body.contains("Which store for the zebra jobs?"));
    assert!(listed.body.contains("href=\"/debates/one\""));
    let state = "data-state=\"stopped\"";
    assert!(listed.body.contains(state), "{}", listed.body);
    assert!(server.get("/?state=stopped").body.contains("zebra"));
    assert!(!server.get("/?state=done").body.contains("zebra jobs"));
    let found = server.get("/?q=zebra");
    assert!(found.body.contains("<mark>zebra</mark>"), "{}", found.body);
    assert!(
        server
            .get("/?q=giraffe")
            .body
            .contains("No debate contains")
    );
}

#[test]
fn hostile_texts_are_only_text() {
    let server = Running::start();
    let mut hostile = spec();
    hostile.topic = HOSTILE.repeat(100);
    hostile.slug = "hostile".to_owned();
    server.debate(hostile, &[]);
    for path in [
        "/".to_owned(),
        "/?q=%3Cscript%3Ealert(1)%3C/script%3E".to_owned(),
    ] {
        let body = server.get(&path).body;
        assert!(body.contains("&lt;script&gt;alert(1)"), "{path} shows it");
        for markup in [
            "<script>alert",
            "<img src=x",
            "<svg/onload",
            "\u{202e}",
            "\u{1b}",
        ] {
            assert!(!body.contains(markup), "{markup} in {path}");
        }
    }
}
