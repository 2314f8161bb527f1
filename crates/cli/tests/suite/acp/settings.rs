//! What is set before a debate begins: bounds, how deep it goes, what both sides read.

use agent_client_protocol::v1::schema::{
    ContentBlock, PromptRequest, ResourceLink, SessionConfigOptionValue,
    SetSessionConfigOptionRequest, StopReason, TextContent,
};
use agon_testkit::Script;

use super::start;
use crate::scenarios::place::Fakes;
use crate::support::TOPIC;

#[test]
fn above_the_bounds_permission_is_asked_first_and_without_it_nothing_is_started() {
    let fakes = Fakes::new();
    let cwd = fakes.place.project();
    let editor = start(&fakes);
    let raised = || {
        let session = editor.session(&cwd);
        let value = SessionConfigOptionValue::value_id("double");
        let request = SetSessionConfigOptionRequest::new(session.clone(), "bounds", value);
        editor.request(request).unwrap();
        session
    };
    let session = raised();
    assert_eq!(editor.prompt(&session, TOPIC), StopReason::EndTurn);
    assert_eq!(editor.told().asked.len(), 1);
    let asked = editor.told().asked[0].clone();
    assert!(asked.contains("40 calls"), "{asked}");
    assert!(editor.told().text.contains("Nothing was started"));
    assert!(!cwd.join("debates").exists(), "{:?}", cwd.join("debates"));
    assert_eq!(fakes.asks(), Vec::<String>::new());

    editor.told().allows = true;
    assert_eq!(editor.prompt(&session, TOPIC), StopReason::EndTurn);
    assert_eq!(editor.told().asked.len(), 2);
    let text = editor.told().text.clone();
    assert!(text.contains("Authority: **full**"), "{text}");
    assert_eq!(fakes.asks().len(), 8);
}

#[test]
fn bounds_of_the_environment_that_are_allowed_reach_the_debate() {
    let mut fakes = Fakes::new();
    let env = &mut fakes.place.env;
    env.insert("AGON_MAX_TOKENS".into(), "9000000".into());
    let editor = start(&fakes);
    editor.told().allows = true;
    let session = editor.session_in_mode(&fakes.place.project(), "quick");
    assert_eq!(editor.prompt(&session, TOPIC), StopReason::EndTurn);
    let told = editor.told();
    assert_eq!(told.asked.len(), 1, "{}", told.text);
    assert!(told.asked[0].contains("max-tokens"), "{:?}", told.asked);
    assert_eq!(told.turns(), 3, "{}", told.text);
}

#[test]
fn the_mode_is_how_deep_it_goes() {
    for (mode, calls) in [("quick", 3), ("deep", 12)] {
        let fakes = Fakes::new();
        fakes.tools.set_script(&Script::job_store_three_rounds());
        let editor = start(&fakes);
        let session = editor.session_in_mode(&fakes.place.project(), mode);
        assert_eq!(editor.prompt(&session, TOPIC), StopReason::EndTurn);
        let text = editor.told().text.clone();
        // The script has a ruling on points of later rounds, which is sent back where there are none.
        let asks = fakes.asks().into_iter();
        let asks: Vec<_> = asks.filter(|ask| ask.ends_with("#0")).collect();
        assert_eq!(asks.len(), calls, "{mode}: {asks:?} {text}");
    }
    let fakes = Fakes::new();
    fakes.tools.set_script(&Script::formal());
    let editor = start(&fakes);
    let session = editor.session_in_mode(&fakes.place.project(), "formal");
    let motion = "This house would read every change before it is merged";
    assert_eq!(editor.prompt(&session, motion), StopReason::EndTurn);
    let told = editor.told();
    assert!(told.text.contains("The whole debate: `"), "{}", told.text);
    let titles: Vec<_> = told.plans.last().unwrap().iter().collect();
    let titles: Vec<_> = titles.iter().map(|entry| entry.content.as_str()).collect();
    assert_eq!(
        titles,
        ["What each side defends", "Opening exchange", "Exchange 1"]
    );
}

#[test]
fn a_file_that_is_mentioned_is_what_both_sides_read() {
    let fakes = Fakes::new();
    let cwd = fakes.place.project();
    std::fs::write(cwd.join("notes.md"), "The zebra clause is on page nine.\n").unwrap();
    let editor = start(&fakes);
    let session = editor.session_in_mode(&cwd, "quick");
    let uri = format!("file://{}", cwd.join("notes.md").display());
    let blocks = vec![
        ContentBlock::Text(TextContent::new(format!("{TOPIC} See "))),
        ContentBlock::ResourceLink(ResourceLink::new("notes.md", uri)),
    ];
    let answer = editor.request(PromptRequest::new(session, blocks)).unwrap();
    assert_eq!(answer.stop_reason, StopReason::EndTurn);
    let asks = fakes.tools.asks().into_iter();
    let prompts: Vec<_> = asks
        .map(|ask| fakes.tools.prompt(ask.prompt.unwrap()))
        .collect();
    assert!(prompts.len() >= 3, "{}", editor.told().text);
    for prompt in prompts {
        assert!(prompt.contains("zebra clause"), "{prompt}");
    }
}
