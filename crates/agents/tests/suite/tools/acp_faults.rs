//! Agents that fail in different ways.

use std::time::{Duration, Instant};

use agon_agents::{AgentError, Breach, CallFailure};
use agon_record::event::{CauseCode, Class};
use agon_testkit::acp::{Act, FakeAgent};
use agon_testkit::{Behaviour, FakeTools, Sandbox, Script};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::acp::{LONG, PROMPT, session};
use super::common::{ask, left_of};

const PAUSE: Class = Class::Retry { after_ms: 2_000 };

/// Calls an agent that does this at its first prompt; returns the failure and checks that no process is
/// left.
async fn failing(plan: &FakeAgent, timeout: Duration) -> AgentError {
    let fakes = FakeTools::new().agent("gemini", plan);
    let sandbox = Sandbox::new();
    let mut session = session(&fakes, &sandbox).await;
    let begun = Instant::now();
    let never = CancellationToken::new();
    let error = session.ask(ask(PROMPT, timeout), &never).await.unwrap_err();
    assert!(
        begun.elapsed() < timeout + Duration::from_secs(5),
        "{:?}",
        begun.elapsed()
    );
    assert!(!session.retains_context());
    assert_eq!(left_of(&sandbox), Vec::<String>::new());
    error
}

async fn breach(acts: impl IntoIterator<Item = Act>) -> (Breach, Class) {
    let error = failing(&FakeAgent::default().then(acts), LONG).await;
    let class = error.class();
    let CallFailure::Broken(breach) = error.failure else {
        panic!("{error:?}");
    };
    (breach, class)
}

async fn said(acts: impl IntoIterator<Item = Act>) -> (CauseCode, Class, String) {
    let error = failing(&FakeAgent::default().then(acts), LONG).await;
    (error.cause().code, error.class(), error.cause().detail)
}

#[tokio::test]
async fn one_that_dies_in_mid_turn_is_started_again() {
    let dying = [Act::Say("The beginning".into()), Act::Die(3)];
    assert_eq!(breach(dying).await, (Breach::Died, PAUSE));
}

#[tokio::test]
async fn one_that_dies_after_an_answer_is_seen_to_have_died_before_it_is_asked() {
    let plan = FakeAgent::default().then([Act::AnswerAndEnd]);
    let fakes = FakeTools::new().agent("gemini", &plan);
    let sandbox = Sandbox::new();
    let mut session = session(&fakes, &sandbox).await;
    let never = CancellationToken::new();
    let answer = session.ask(ask(PROMPT, LONG), &never).await.unwrap();
    assert_eq!(answer.text, "my last words");
    let begun = Instant::now();
    while session.retains_context() {
        assert!(begun.elapsed() < Duration::from_secs(5), "it is not seen");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    fakes.set_agent("gemini", &FakeAgent::default());
    // A caller that did not check is told that the context was lost.
    let error = session.ask(ask(PROMPT, LONG), &never).await.unwrap_err();
    assert!(
        matches!(error.failure, CallFailure::Broken(Breach::Died)),
        "{error}"
    );
    session.ask(ask(PROMPT, LONG), &never).await.unwrap();
    assert_eq!(fakes.count_notes("start"), 2);
}

#[tokio::test]
async fn lines_that_are_no_messages_end_the_conversation() {
    assert_eq!(
        breach([Act::Garbage]).await,
        (Breach::NoMessage, Class::Tool)
    );
}

#[tokio::test]
async fn a_line_of_a_hundred_megabytes_is_not_kept() {
    let limit = 16 * 1024 * 1024;
    assert_eq!(
        breach([Act::Long(100 << 20)]).await,
        (Breach::LongLine { limit }, Class::Tool)
    );
}

#[tokio::test]
async fn an_answer_without_end_is_cut() {
    let limit = 16 * 1024 * 1024;
    let flood = Act::Flood(40, 1 << 20);
    assert_eq!(
        breach([flood]).await,
        (Breach::TooMuch { limit }, Class::Tool)
    );
}

#[tokio::test]
async fn another_version_of_the_protocol_is_not_spoken() {
    let plan = FakeAgent {
        version: 2,
        ..FakeAgent::default()
    };
    let error = failing(&plan, LONG).await;
    assert_eq!(error.class(), Class::User);
    assert_eq!(
        error.to_string(),
        "it supports version 2 of the Agent Client Protocol, not 1"
    );
}

#[tokio::test]
async fn a_conversation_that_never_opens_runs_out_of_time() {
    let plan = FakeAgent {
        opening: vec![Act::IgnoreCancel],
        stubborn: true,
        ..FakeAgent::default()
    };
    let error = failing(&plan, Duration::from_secs(1)).await;
    assert_eq!(
        (error.cause().code, error.class()),
        (CauseCode::Timeout, PAUSE)
    );
}

#[tokio::test]
async fn one_that_is_asked_for_a_login_says_whose_it_is_to_solve() {
    let errors = [
        (401, "{\"error\": \"mock secret\"}", Value::Null),
        (-32000, "Authentication required", Value::Null),
        (-32603, "Internal error: mock: invalid api key", Value::Null),
        (
            -32603,
            "secret",
            json!({"errorKind": "authentication_failed"}),
        ),
        (-32603, "secret", json!({"details": {"statusCode": 401}})),
    ];
    for (code, message, data) in errors {
        let (cause, class, detail) = said([Act::Error(code, message.into(), data)]).await;
        assert_eq!(
            (cause, class),
            (CauseCode::LoggedOut, Class::User),
            "{code} {message}"
        );
        assert!(detail.starts_with("not logged in"), "{detail}");
        assert!(
            !detail.contains("secret") && !detail.contains("mock"),
            "{detail}"
        );
    }
}

#[tokio::test]
async fn statuses_in_errors_have_their_causes() {
    let slow_down = Class::Retry { after_ms: 5_000 };
    for (code, cause, class) in [
        (429, CauseCode::RateLimited, slow_down),
        (404, CauseCode::NoSuchModel, Class::User),
        (503, CauseCode::Unavailable, PAUSE),
        (-32603, CauseCode::Failed, PAUSE),
    ] {
        let (got, of_class, _) = said([Act::Error(code, "x".into(), Value::Null)]).await;
        assert_eq!((got, of_class), (cause, class), "{code}");
    }
}

#[tokio::test]
async fn an_empty_answer_is_the_tools_fault() {
    let (cause, class, _) = said([Act::Think("Hm.".into()), Act::Empty]).await;
    assert_eq!((cause, class), (CauseCode::Empty, Class::Tool));
}

#[tokio::test]
async fn an_error_told_as_an_answer_is_none() {
    let fakes = FakeTools::new().scenario("copilot", "*", Behaviour::Auth);
    let sandbox = Sandbox::new();
    let here = super::common::environment(&sandbox, fakes.dir());
    let agent = super::acp::agent("copilot", &here).await;
    let error = super::common::asked(agent.as_ref(), ask(PROMPT, LONG))
        .await
        .0
        .unwrap_err();
    assert_eq!(
        (error.cause().code, error.class()),
        (CauseCode::LoggedOut, Class::User)
    );
    assert_eq!(left_of(&sandbox), Vec::<String>::new());
}

#[tokio::test]
async fn what_an_agent_notes_besides_its_answer_is_no_part_of_it() {
    let notes = [
        Act::Say("Info: Disabled tools: bash".into()),
        Act::Say("A half-answer that br".into()),
        Act::Say("Info: Request failed due to a transient API error. Retrying...".into()),
        Act::Say("A half-answer that broke and came again.".into()),
    ];
    let plan = FakeAgent::default().then(notes);
    let fakes = FakeTools::new().agent("copilot", &plan);
    let sandbox = Sandbox::new();
    let here = super::common::environment(&sandbox, fakes.dir());
    let agent = super::acp::agent("copilot", &here).await;
    let answer = super::common::asked(agent.as_ref(), ask(PROMPT, LONG))
        .await
        .0
        .unwrap();
    assert_eq!(answer.text, "A half-answer that broke and came again.");
}

#[tokio::test]
async fn one_that_hangs_is_told_to_give_up_before_it_is_ended() {
    for (act, stubborn, cancels) in [(Act::Hang, false, 1), (Act::IgnoreCancel, true, 0)] {
        let plan = FakeAgent {
            stubborn,
            ..FakeAgent::default().then([act])
        };
        let fakes = FakeTools::new().agent("gemini", &plan);
        let sandbox = Sandbox::new();
        let mut session = session(&fakes, &sandbox).await;
        let never = CancellationToken::new();
        let short = Duration::from_secs(2);
        let error = session.ask(ask(PROMPT, short), &never).await.unwrap_err();
        assert_eq!(
            (error.cause().code, error.class()),
            (CauseCode::Timeout, PAUSE)
        );
        assert!(error.usage.unwrap().estimated);
        assert_eq!(fakes.count_notes("cancel"), cancels);
        assert_eq!(left_of(&sandbox), Vec::<String>::new());
        assert!(!session.retains_context());
    }
}

#[tokio::test]
async fn a_cancelled_call_is_cancelled_over_the_protocol() {
    let plan = FakeAgent::default().then([]).then([Act::Hang]);
    let fakes = FakeTools::new().agent("gemini", &plan);
    let sandbox = Sandbox::new();
    let mut session = session(&fakes, &sandbox).await;
    let cancel = CancellationToken::new();
    session.ask(ask(PROMPT, LONG), &cancel).await.unwrap();
    let stop = async {
        while fakes.count_notes("prompt") < 2 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        cancel.cancel();
    };
    let (outcome, ()) = tokio::join!(session.ask(ask(PROMPT, LONG), &cancel), stop);
    let error = outcome.unwrap_err();
    assert_eq!(error.class(), Class::Cancelled);
    assert_eq!(fakes.count_notes("cancel"), 1);
    assert!(!session.retains_context());
    assert_eq!(left_of(&sandbox), Vec::<String>::new());
}

#[tokio::test]
async fn a_call_that_is_dropped_ends_its_process() {
    let fakes = FakeTools::new().agent("gemini", &FakeAgent::default().then([Act::IgnoreCancel]));
    let sandbox = Sandbox::new();
    let mut session = session(&fakes, &sandbox).await;
    let never = CancellationToken::new();
    let short = Duration::from_millis(700);
    let asking = session.ask(ask(PROMPT, LONG), &never);
    assert!(tokio::time::timeout(short, asking).await.is_err());
    assert!(!session.retains_context());
    let begun = Instant::now();
    while !left_of(&sandbox).is_empty() {
        assert!(
            begun.elapsed() < Duration::from_secs(5),
            "{:?}",
            left_of(&sandbox)
        );
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn an_agent_that_answered_once_still_knows_it_after_a_fault() {
    let plan = FakeAgent::default()
        .then([])
        .then([Act::Error(503, "x".into(), Value::Null)])
        .then([Act::Recall]);
    let fakes = FakeTools::new().agent("gemini", &plan);
    let sandbox = Sandbox::new();
    let mut session = session(&fakes, &sandbox).await;
    let never = CancellationToken::new();
    session.ask(ask(PROMPT, LONG), &never).await.unwrap();
    let error = session.ask(ask("Two", LONG), &never).await.unwrap_err();
    assert_eq!(error.class(), PAUSE);
    assert!(session.retains_context());
    let answer = session.ask(ask("Three", LONG), &never).await.unwrap();
    assert_eq!(answer.text, "You argue.\nTwo\nThree");
    assert_eq!(fakes.count_notes("start"), 1);
}

#[tokio::test]
async fn a_program_that_does_not_speak_so_says_what_it_is() {
    let fakes = FakeTools::with(&[]).script(&Script::new("x"));
    let path = fakes.path("gemini");
    std::fs::write(
        &path,
        "#!/bin/sh\necho \"error: unknown option '--acp'\" >&2; exit 1\n",
    )
    .unwrap();
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&path, executable).unwrap();
    let sandbox = Sandbox::new();
    let mut session = session(&fakes, &sandbox).await;
    let never = CancellationToken::new();
    let error = session.ask(ask(PROMPT, LONG), &never).await.unwrap_err();
    assert_eq!(error.class(), Class::User);
    assert!(
        error.to_string().contains("override the profile"),
        "{error}"
    );
}

#[tokio::test]
async fn one_that_did_more_than_read_and_asked_nobody_is_heard_no_longer() {
    for (kind, does) in [
        ("edit", "writes files"),
        ("execute", "runs programs"),
        ("fetch", "accesses other machines"),
        ("switch_mode", "changes its permissions"),
    ] {
        let acts = [Act::Use(kind.into()), Act::Say("The answer".into())];
        let told = (Breach::Acted { does }, Class::Tool);
        assert_eq!(breach(acts).await, told, "{kind}");
    }
    let said = Breach::Acted {
        does: "writes files",
    }
    .to_string();
    assert!(
        said.starts_with("it used a tool that writes files without asking for permission"),
        "{said}"
    );
}

#[tokio::test]
async fn one_that_read_is_heard() {
    let acts = ["read", "search", "think", "other"].map(|kind| Act::Use(kind.into()));
    let acts = acts.into_iter().chain([Act::Say("The answer".into())]);
    let fakes = FakeTools::new().agent("gemini", &FakeAgent::default().then(acts));
    let sandbox = Sandbox::new();
    let mut session = session(&fakes, &sandbox).await;
    let never = CancellationToken::new();
    let answer = session.ask(ask(PROMPT, LONG), &never).await.unwrap();
    assert!(answer.text.contains("The answer"), "{}", answer.text);
    session.close().await;
    assert_eq!(left_of(&sandbox), Vec::<String>::new());
}

/// The agent requests a permission, is refused and cancels the turn: it is told to continue only once.
#[tokio::test]
async fn one_that_gives_up_when_it_is_refused_is_told_once_to_go_on() {
    let refused = |stop: &str| {
        let kind = "execute".to_owned();
        [Act::Ask { kind, at: vec![] }, Act::Stop(stop.to_owned())]
    };
    for stop in ["cancelled", "end_turn"] {
        let plan = FakeAgent::default()
            .then(refused(stop))
            .then([Act::Say("The answer".into())]);
        let fakes = FakeTools::new().agent("gemini", &plan);
        let sandbox = Sandbox::new();
        let mut session = session(&fakes, &sandbox).await;
        let never = CancellationToken::new();
        let answer = session.ask(ask(PROMPT, LONG), &never).await.unwrap();
        assert!(
            answer.text.contains("The answer"),
            "{stop}: {}",
            answer.text
        );
        assert_eq!(fakes.count_notes("prompt"), 2, "{stop}");
        session.close().await;

        let plan = FakeAgent::default()
            .then(refused(stop))
            .then(refused(stop))
            .then([Act::Say("The answer".into())]);
        let error = failing(&plan, LONG).await;
        assert_eq!(error.cause().code == CauseCode::Failed, stop == "cancelled");
    }
}
