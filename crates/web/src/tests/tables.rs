//! The pages of the whole project: usage, tools, settings, decisions.

use agon_samples::batches::spec;

use super::raw::{Running, unfinished};

#[test]
fn usage_is_grouped_as_the_address_says() {
    let server = Running::start();
    assert!(server.get("/usage").body.contains("No calls yet"));
    let mut one = spec();
    one.slug = "one".to_owned();
    server.debate(one, unfinished());
    let by_tool = server.get("/usage").body;
    assert!(
        by_tool.contains("claude") && by_tool.contains("codex"),
        "{by_tool}"
    );
    let by_debate = server.get("/usage?by=debate").body;
    assert!(by_debate.contains("href=\"/debates/one\""), "{by_debate}");
    // An unknown grouping is the first one.
    assert_eq!(server.get("/usage?by=%3Cscript%3E").status, 200);
}

#[test]
fn each_setting_has_its_source() {
    let server = Running::start();
    let file = server.debates().parent().unwrap().join("agon.toml");
    std::fs::write(&file, "rounds = 3\n").unwrap();
    let page = server.get("/settings").body;
    assert!(page.contains("<code>rounds</code>"), "{page}");
    assert!(page.contains("agon.toml</td>"), "{page}");
    // A file that is not valid is reported, and the list still works.
    std::fs::write(&file, "rounds = [\n").unwrap();
    assert!(server.get("/settings").status >= 400);
}

#[test]
fn tools_and_decisions_are_pages_of_their_own() {
    let server = Running::start();
    let tools = server.get("/tools");
    assert_eq!(tools.status, 200);
    assert!(tools.body.contains("not installed"), "{}", tools.body);
    assert!(
        server
            .get("/recall")
            .body
            .contains("Finds earlier verdicts")
    );
    let none = server.get("/recall?topic=%3Cb%3Estore%3C%2Fb%3E").body;
    assert!(none.contains("No earlier decision is near this topic"));
    assert!(none.contains("&lt;b&gt;store") && !none.contains("<b>store"));
}
