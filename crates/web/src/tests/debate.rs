//! A debate's page and its other forms.

use std::sync::Arc;

use agon_folder::Folder;
use agon_samples::batches::{AT, spec};
use agon_store::RealDisk;

use super::raw::{Running, unfinished};

/// A server with one debate of several turns, which has not ended.
fn with_debate() -> Running {
    let server = Running::start();
    let mut one = spec();
    one.slug = "one".to_owned();
    server.debate(one, unfinished());
    server
}

#[test]
fn the_page_is_whole_without_a_script() {
    let server = with_debate();
    let page = server.get("/debates/one");
    assert_eq!(page.status, 200);
    for part in [
        "id=\"answer\"",
        "id=\"exchanges\"",
        "id=\"transcript\"",
        "No verdict yet",
        "data-of=\"pro_001a\"",
        "data-of=\"cha_001a\"",
        "href=\"/debates/one.md\"",
    ] {
        assert!(page.body.contains(part), "{part}");
    }
    // An objection stands directly after the point that it is about.
    let place = |of: &str| page.body.find(&format!("data-of=\"{of}\"")).unwrap();
    assert!(place("pro_001a") < place("cha_001a"));
}

#[test]
fn one_address_serves_people_and_programs() {
    let server = with_debate();
    let text = server.get("/debates/one.md");
    assert!(text.head.contains("text/markdown"));
    assert!(text.body.contains("# ") && text.body.contains("cha_001a"));
    let document = server.get("/debates/one.json");
    let document: serde_json::Value = serde_json::from_str(&document.body).unwrap();
    assert_eq!(document["schema"], "agon.result/1");
    assert_eq!(document["error"]["code"], "unfinished");
    let file = server.get("/debates/one.html");
    assert!(file.head.contains("attachment; filename=\"one.html\""));
    assert!(file.body.contains("makes no network requests"));
    let lines = [
        "GET /debates/one HTTP/1.1",
        &format!("Host: {}", server.host()),
        &server.cookie(),
        "Accept: application/json",
    ];
    assert!(server.send(&lines, "").body.contains("agon.result/1"));
}

#[test]
fn an_earlier_moment_shows_only_what_was_said_by_then() {
    let server = with_debate();
    let whole = server.get("/debates/one").body;
    assert!(whole.contains("rel=\"prev\""));
    let early = server.get("/debates/one?at=1").body;
    assert!(
        !early.contains("If it had ended here"),
        "nothing was said yet"
    );
    let later = server.get("/debates/one?at=6").body;
    assert!(later.contains("If it had ended here: "), "{later}");
    assert!(early.contains("at the opening"));
    assert!(!early.contains("<article"));
    // Moments outside the record show its end.
    for at in ["0", "999999", "x", "-1", "18446744073709551615"] {
        assert_eq!(
            server.get(&format!("/debates/one?at={at}")).status,
            200,
            "{at}"
        );
    }
}

#[test]
fn only_the_parts_that_changed_are_sent() {
    let server = with_debate();
    let parts = |have: &str| {
        let body = server.get(&format!("/debates/one/parts?have={have}")).body;
        serde_json::from_str::<serde_json::Value>(&body).unwrap()
    };
    let all = parts("");
    let all = all["parts"].as_array().unwrap();
    assert!(all.len() > 8);
    let hashes = all.iter().map(|part| part["hash"].as_str().unwrap());
    let hashes: Vec<&str> = hashes.collect();
    // A part that becomes empty must not pass for another empty one.
    let distinct: std::collections::BTreeSet<_> = hashes.iter().collect();
    assert_eq!(distinct.len(), hashes.len());
    let rest = parts(&hashes[1..].join(","));
    let rest = rest["parts"].as_array().unwrap();
    assert_eq!(rest.len(), 1);
    assert_eq!(rest[0]["slot"], "contents");
}

#[test]
fn a_call_under_way_is_no_change_while_it_lasts() {
    let server = Running::start();
    let mut one = spec();
    one.slug = "one".to_owned();
    // The open folder makes this process the one that runs the debate.
    let mut folder = Folder::create(Arc::new(RealDisk), &server.debates(), "one", one, AT).unwrap();
    folder.append(AT + 1, &unfinished()[0][..1]).unwrap();
    let parts = |have: &str| {
        let body = server.get(&format!("/debates/one/parts?have={have}")).body;
        let document: serde_json::Value = serde_json::from_str(&body).unwrap();
        document["parts"].as_array().unwrap().clone()
    };
    let all = parts("");
    let html: String = all
        .iter()
        .filter_map(|part| part["html"].as_str())
        .collect();
    assert!(html.contains(&format!("data-at=\"{}\"", AT + 1)), "{html}");
    let hashes = all.iter().map(|part| part["hash"].as_str().unwrap());
    let hashes: Vec<&str> = hashes.collect();
    assert_eq!(parts(&hashes.join(",")), [serde_json::Value::Null; 0]);
}

#[test]
fn hostile_texts_in_every_field_are_only_text() {
    let hostile = "</script></style><script>alert(1)</script><img src=x onerror=alert(1)>\u{202e}\u{1b}[2J\"'";
    let server = Running::start();
    let mut one = spec();
    one.slug = "one".to_owned();
    one.topic = hostile.repeat(20);
    let replace = |text: &mut String| *text = format!("{text} {hostile}");
    let events = unfinished().iter().map(|batch| {
        let text = serde_json::to_string(batch).unwrap();
        let mut value: serde_json::Value = serde_json::from_str(&text).unwrap();
        each_text(&mut value, &replace);
        serde_json::from_value(value).unwrap()
    });
    let events: Vec<Vec<agon_record::event::Event>> = events.collect();
    server.debate(one, &events);
    for path in [
        "/debates/one",
        "/debates/one/parts",
        "/debates/one.html",
        "/",
    ] {
        let mut body = server.get(path).body;
        if path.ends_with("parts") {
            // The script uses the title as text, and each part as markup.
            let document: serde_json::Value = serde_json::from_str(&body).unwrap();
            let parts = document["parts"].as_array().unwrap().iter();
            body = parts.filter_map(|part| part["html"].as_str()).collect();
        }
        assert!(
            body.contains("alert(1)"),
            "the text itself is shown: {path}"
        );
        for markup in ["<script>alert", "<img src=x", "\u{202e}", "\u{1b}"] {
            assert!(!body.contains(markup), "{markup} in {path}");
        }
    }
}

/// Changes the prose in a document: texts in fields that hold words of the tools.
fn each_text(value: &mut serde_json::Value, change: &impl Fn(&mut String)) {
    const PROSE: [&str; 8] = [
        "claim",
        "title",
        "content",
        "warrant",
        "stance",
        "position_now",
        "relevance",
        "source",
    ];
    match value {
        serde_json::Value::Array(all) => all.iter_mut().for_each(|one| each_text(one, change)),
        serde_json::Value::Object(fields) => {
            for (name, value) in fields {
                match value {
                    serde_json::Value::String(text) if PROSE.contains(&name.as_str()) => {
                        change(text);
                    }
                    value => each_text(value, change),
                }
            }
        }
        _ => {}
    }
}
