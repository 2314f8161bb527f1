//! The sessions of a project, measured.

use std::fs;

use agon_caller::{Caller, Code, Failure};
use agon_health::{
    ContextDoc, ContextState, SessionChoice, SessionHealthDoc, SessionRequest, follow, inspect,
};
use serde_json::json;

use crate::place::{Place, append, call};

fn asked(
    caller: &Caller,
    choice: SessionChoice,
    host: Option<&str>,
) -> Result<ContextDoc, Failure> {
    let host = host.map(str::to_owned);
    inspect(caller, &SessionRequest { choice, host })
}

/// The session that is meant where none is named.
fn own(caller: &Caller) -> SessionHealthDoc {
    let found = asked(caller, SessionChoice::Own, None).unwrap();
    found.sessions[0].clone()
}

#[test]
fn a_session_past_the_onset_of_its_model_is_amber_and_its_record_stays_as_it_is() {
    let place = Place::new();
    let path = place.session("aaaa-1", &[50_000, 112_408]);
    let before = fs::read(&path).unwrap();
    let found = own(&place.caller);
    assert_eq!(found.state, ContextState::Amber);
    assert_eq!(
        (found.fill, found.turns, found.calls),
        (Some(112_408), 1, 2)
    );
    assert_eq!(found.limits.onset, 100_000);
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn the_configuration_says_what_a_model_bears() {
    let place = Place::new();
    place.session("aaaa-1", &[5000]);
    place.configure("limits = [{ model = \"claude-opus\", onset = 1000, severe = 4000 }]\n");
    let found = own(&place.caller);
    assert_eq!(found.state, ContextState::Red);
    assert_eq!(found.limits.source, "the configuration");
}

#[test]
fn the_limits_are_those_of_the_model_that_answered_the_main_agent_last() {
    let place = Place::new();
    let path = place.session("aaaa-1", &[1000]);
    for (at, model, is_aside) in [
        (5, "claude-sonnet-4-5", false),
        (6, "claude-opus-4-5", false),
        (7, "claude-sonnet-4-5", true),
    ] {
        let mut line = call("aaaa-1", at, 90_000);
        line["message"]["model"] = json!(model);
        line["isSidechain"] = json!(is_aside);
        append(&path, &line);
    }
    let found = own(&place.caller);
    let model = Some("claude-opus-4-5");
    assert_eq!(found.model.as_deref(), model, "{found:?}");
    // Past the onset of the other.
    assert_eq!(found.limits.model, "claude-opus-4-5");
    assert_eq!(found.state, ContextState::Green);
}

#[test]
fn the_session_that_asks_is_found_where_it_was_begun_and_no_other_is_taken_for_it() {
    let place = Place::new();
    place.session("aaaa-1", &[1000]);
    let away = place.project().with_file_name("elsewhere");
    fs::create_dir_all(&away).unwrap();
    let asks_from = |id: &str, cwd| Caller {
        cwd,
        ..place.caller_with(&[("CLAUDECODE", "1"), ("CLAUDE_CODE_SESSION_ID", id)])
    };
    let project = place.project().to_owned();
    assert_eq!(own(&asks_from("aaaa-1", away)).id, "aaaa-1");
    // Of another tool the latest of the project is meant.
    let here = asks_from("aaaa-1", project.clone());
    let other = asked(&here, SessionChoice::Own, Some("codex"));
    assert_eq!(other.unwrap_err().code, Code::NoSession);
    let lost = asks_from("bbbb-2", project);
    let refused = asked(&lost, SessionChoice::Own, None).unwrap_err();
    assert_eq!(refused.code, Code::NoSession);
    assert!(refused.message.contains("bbbb-2"), "{refused:?}");
    let last = asked(&lost, SessionChoice::Last, None).unwrap();
    assert_eq!(last.sessions[0].id, "aaaa-1");
}

#[test]
fn sessions_are_listed_and_one_is_named_by_the_beginning_of_its_id() {
    let place = Place::new();
    place.session("aaaa-1", &[1000]);
    place.session("aabb-2", &[190_000]);
    let all = asked(&place.caller, SessionChoice::All, None).unwrap();
    assert_eq!(all.sessions.len(), 2);
    let named = |name: &str| {
        let choice = SessionChoice::Named(name.to_owned());
        asked(&place.caller, choice, None)
    };
    assert_eq!(named("aabb").unwrap().sessions[0].state, ContextState::Red);
    assert_eq!(named("aa").unwrap_err().code, Code::AmbiguousSession);
    assert_eq!(named("cc").unwrap_err().code, Code::NoSession);
    let of_host = |host| asked(&place.caller, SessionChoice::Own, Some(host));
    assert_eq!(of_host("codex").unwrap_err().code, Code::NoSession);
    assert_eq!(of_host("vim").unwrap_err().code, Code::UnknownHost);
}

#[test]
fn no_secret_of_a_record_is_told() {
    let place = Place::new();
    let path = place.session("aaaa-1", &[1000]);
    let secret = format!("ghp_{}", "A1b2C3d4E5".repeat(4).get(..36).unwrap());
    for line in [
        json!({"type": "summary", "summary": format!("token {secret}")}),
        json!({"type": format!("kind {secret}"), "uuid": "x"}),
        json!({"type": "assistant", "uuid": "y", "message": {"id": "m9", "model": format!("model-{secret}"),
            "content": [], "usage": {"input_tokens": 5, "output_tokens": 5}}}),
    ] {
        append(&path, &line);
    }
    for choice in [SessionChoice::Own, SessionChoice::All] {
        let found = asked(&place.caller, choice, None).unwrap();
        let found = serde_json::to_string(&found).unwrap();
        assert!(found.contains("aaaa-1"), "{found}");
        assert!(!found.contains(&secret), "{found}");
    }
}

#[test]
fn a_session_that_goes_on_is_followed() {
    let place = Place::new();
    let path = place.session("aaaa-1", &[1000]);
    let mut told = Vec::new();
    let request = SessionRequest::default();
    let followed = follow(&place.caller, &request, &mut |document| {
        let session = &document.sessions[0];
        told.push((session.state, session.calls));
        if told.len() == 1 {
            append(&path, &call("aaaa-1", 7, 150_000));
        }
        Ok(told.len() < 2)
    });
    followed.unwrap();
    let expected = [(ContextState::Green, 1), (ContextState::Amber, 2)];
    assert_eq!(told, expected);
}
