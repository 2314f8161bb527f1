//! Sessions that are taken up, closed and taken back, and money that is asked for.

use std::time::Duration;

use agent_client_protocol::v1::schema::{CloseSessionRequest, ResumeSessionRequest, StopReason};
use agon_testkit::{Behaviour, FakeTools, Script};
use serde_json::json;

use super::start;
use super::wrong::{connect, new_session, prompt, text};
use crate::scenarios::place::Fakes;
use crate::scenarios::warm::warm;
use crate::support::TOPIC;

/// How a stopped debate is listed.
fn listed(fakes: &Fakes) -> String {
    fakes.place.run(&["list", "--json"]).stdout
}

#[test]
fn a_session_is_resumed_without_its_history_and_asked_about_its_debate() {
    let fakes = Fakes::new();
    let cwd = fakes.place.project();
    let editor = start(&fakes);
    let session = editor.session_in_mode(&cwd, "quick");
    assert_eq!(editor.prompt(&session, TOPIC), StopReason::EndTurn);
    editor.kill();

    let editor = start(&fakes);
    let request = ResumeSessionRequest::new(session.clone(), &cwd);
    editor.request(request).unwrap();
    assert_eq!(editor.told().text, "");
    assert_eq!(editor.told().user, "");
    let mut script = Script::job_store();
    script.default = "Two writers can claim one job [pro_001a].".to_owned();
    fakes.tools.set_script(&script);
    assert_eq!(editor.prompt(&session, "Why?"), StopReason::EndTurn);
    let told = editor.told().text.clone();
    assert!(told.contains("Two writers can claim one job"), "{told}");
}

#[test]
fn who_is_still_speaking_is_heard_apart_from_the_answer() {
    // Tools that are asked over their protocol say their words as they come.
    let fakes = warm();
    for tool in ["claude", "codex", "gemini"] {
        fakes.tools.set_scenario(tool, "*", Behaviour::Slow(1_000));
    }
    let editor = start(&fakes);
    let session = editor.session_in_mode(&fakes.place.project(), "quick");
    assert_eq!(editor.prompt(&session, TOPIC), StopReason::EndTurn);
    let told = editor.told();
    assert_eq!(told.turns(), 3, "{}", told.text);
    let heard: Vec<_> = told.thoughts.split("\n\n**").collect();
    assert!(heard.len() > 1, "nothing was heard: {:?}", told.thoughts);
    for words in &heard[1..] {
        let (seat, words) = words.split_once("**: ").unwrap();
        assert!(
            ["proposer", "challenger", "judge"].contains(&seat),
            "{seat}"
        );
        assert!(!words.trim().is_empty());
        // They are of the reply as it was given, which is no Markdown yet.
        assert!(!told.text.contains(words), "{words}");
    }
}

#[test]
fn a_session_that_is_closed_in_mid_prompt_stops_its_debate_and_can_be_taken_up() {
    let fakes = Fakes::new();
    fakes
        .tools
        .set_scenario("claude", "r1.pro", Behaviour::Slow(60_000));
    let cwd = fakes.place.project();
    let editor = start(&fakes);
    let session = editor.session(&cwd);
    let answer = editor.begin_prompt(&session, TOPIC);
    editor.wait_for_turns(2);
    editor
        .request(CloseSessionRequest::new(session.clone()))
        .unwrap();
    let answer = answer.join().unwrap().unwrap();
    assert_eq!(answer.stop_reason, StopReason::Cancelled);
    assert!(listed(&fakes).contains("stopped"), "{}", listed(&fakes));
    let closed = editor.begin_prompt(&session, "continue").join().unwrap();
    assert!(closed.unwrap_err().message.contains("unknown session"));
    let again = editor.request(CloseSessionRequest::new(session.clone()));
    assert!(again.is_err(), "closed twice");

    fakes.tools.clear_scenario();
    editor.load(&session, &cwd).unwrap();
    assert_eq!(editor.prompt(&session, "continue"), StopReason::EndTurn);
    assert!(editor.told().text.contains("Authority: **full**"));
}

#[test]
fn a_request_that_is_taken_back_is_answered_and_its_debate_stops() {
    let fakes = Fakes::new();
    fakes
        .tools
        .set_scenario("claude", "r1.pro", Behaviour::Slow(60_000));
    let mut client = connect(&fakes);
    let session = new_session(&mut client, &fakes);
    let id = client.begin("session/prompt", prompt(&session, TOPIC));
    while !listed(&fakes).contains("running") {
        std::thread::sleep(Duration::from_millis(50));
    }
    client.send(&json!({
        "jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": id}
    }));
    let answer = client.answer(id);
    assert_eq!(answer["result"]["stopReason"], "cancelled", "{answer}");
    assert!(listed(&fakes).contains("stopped"), "{}", listed(&fakes));
    // It is the prompt that was taken back, not the session.
    let said = text(&mut client);
    assert!(said.contains("ype `continue` to resume it"), "{said}");
    fakes.tools.clear_scenario();
    let answer = client.request("session/prompt", prompt(&session, "continue"));
    assert_eq!(answer["result"]["stopReason"], "end_turn", "{answer}");
    assert!(text(&mut client).contains("Authority: **full**"));
    assert_eq!(client.close(), Some(0));
}

#[test]
fn models_behind_keys_debate_only_where_the_price_is_allowed() {
    let mut fakes = Fakes::with(FakeTools::with(&[]));
    let env = &mut fakes.place.env;
    for key in ["OPENAI_API_KEY", "ANTHROPIC_API_KEY"] {
        env.insert(key.into(), "placeholder".into());
    }
    for other in ["AGON_FALLBACK", "GEMINI_API_KEY"] {
        env.remove(other);
    }
    let cwd = fakes.place.project();
    let editor = start(&fakes);
    let session = editor.session(&cwd);
    // The small model, which would argue instead, takes no open question.
    let open = "How should the jobs of a command line program be stored?";
    assert_eq!(editor.prompt(&session, open), StopReason::EndTurn);
    let told = editor.told();
    assert_eq!(told.asked.len(), 1, "{}", told.text);
    let asked = &told.asked[0];
    assert!(asked.contains("openai:gpt-6.2-sol"), "{asked}");
    assert!(asked.contains("for about $0.50?"), "{asked}");
    assert!(told.text.contains("Nothing was started"), "{}", told.text);
    assert!(!cwd.join("debates").exists());
}
