//! All failures with every dialect.

use std::time::{Duration, Instant};

use agon_agents::AgentError;
use agon_record::event::{CauseCode, Class};
use agon_testkit::models::Api;
use agon_testkit::{Answer, FakeModels, Script, refused_url};
use tokio_util::sync::CancellationToken;

use super::common::{DIALECTS, KEY, Outcome, PATIENCE, PROMPT, agent, ask, asked, of};

const SOON: Class = Class::Retry { after_ms: 2_000 };

/// Checks a failure with every dialect.
async fn failures(answer: Answer, timeout: Duration) -> Vec<(&'static str, AgentError)> {
    let mut failures = Vec::new();
    for dialect in DIALECTS {
        let models = FakeModels::start(Script::job_store());
        models.set("*", answer.clone());
        let lines = of(dialect, &models.url());
        let lines = format!("{lines}first_byte_ms = 700\nbetween_bytes_ms = 700\n");
        let agent = agent(&lines).await;
        let error = asked(agent.as_ref(), ask(PROMPT, timeout))
            .await
            .unwrap_err();
        let told = format!("{error} {error:?} {:?}", error.cause());
        assert!(!told.contains(KEY), "{}: {told}", dialect.0);
        failures.push((dialect.0, error));
    }
    failures
}

async fn fails(answer: Answer, code: CauseCode, class: Class, says: &str) {
    for (name, error) in failures(answer.clone(), PATIENCE).await {
        let cause = error.cause();
        assert_eq!(
            (cause.code, error.class()),
            (code, class),
            "{name} {answer:?}: {cause:?}"
        );
        assert!(cause.detail.contains(says), "{name} {answer:?}: {cause:?}");
    }
}

#[tokio::test]
async fn a_refused_key_is_the_users_to_mend() {
    for status in [401, 403] {
        let says = format!("the key in MODELS_KEY was rejected (status {status})");
        fails(
            Answer::Status(status),
            CauseCode::LoggedOut,
            Class::User,
            &says,
        )
        .await;
    }
}

#[tokio::test]
async fn an_unknown_model_is_named() {
    let says = "there is no model `a-model-high` at http://127.0.0.1:";
    fails(
        Answer::Status(404),
        CauseCode::NoSuchModel,
        Class::User,
        says,
    )
    .await;
}

#[tokio::test]
async fn an_address_without_its_path_may_be_why_there_is_no_model() {
    for (path, told) in [("", true), ("/v1", false)] {
        let models = FakeModels::start(Script::job_store());
        models.set("*", Answer::Status(404));
        let agent = agent(&of(("openai", path, Api::Chat), &models.url())).await;
        let error = asked(agent.as_ref(), ask(PROMPT, PATIENCE)).await;
        let detail = error.unwrap_err().cause().detail;
        let says = "is missing its path, such as /v1";
        assert_eq!(detail.contains(says), told, "{detail}");
        assert!(
            detail.contains(&format!("at {}{path} (", models.url())),
            "{detail}"
        );
    }
}

#[tokio::test]
async fn what_only_the_user_can_mend_is_not_waited_for() {
    let used_up = "the account's limit is used up";
    fails(Answer::Spent, CauseCode::RateLimited, Class::User, used_up).await;
}

#[tokio::test]
async fn an_answer_that_is_withheld_is_said_to_be() {
    let says = "the service withheld the answer";
    fails(Answer::Withheld, CauseCode::Failed, Class::Tool, says).await;
}

#[tokio::test]
async fn a_service_that_asks_to_slow_down_is_left_alone_for_that_long() {
    let after = |after_ms| Class::Retry { after_ms };
    let limited = CauseCode::RateLimited;
    fails(
        Answer::RateLimit(Some(7)),
        limited,
        after(7_000),
        "slow down",
    )
    .await;
    fails(
        Answer::RateLimit(Some(86_400)),
        limited,
        after(600_000),
        "slow down",
    )
    .await;
    fails(
        Answer::RateLimit(None),
        limited,
        after(5_000),
        "(status 429)",
    )
    .await;
}

#[tokio::test]
async fn a_fault_of_the_service_may_pass() {
    for status in [408, 500, 502, 503, 529] {
        let says = format!("(status {status})");
        fails(Answer::Status(status), CauseCode::Unavailable, SOON, &says).await;
    }
    fails(
        Answer::ErrorMid(503),
        CauseCode::Unavailable,
        SOON,
        "internal error",
    )
    .await;
}

#[tokio::test]
async fn any_other_refusal_is_the_services() {
    fails(
        Answer::Status(400),
        CauseCode::Failed,
        Class::Tool,
        "request",
    )
    .await;
}

#[tokio::test]
async fn nobody_is_sent_on() {
    let other = FakeModels::start(Script::job_store());
    let answer = Answer::Elsewhere(format!("{}/v1/chat/completions", other.url()));
    fails(
        answer,
        CauseCode::Failed,
        Class::User,
        "the server redirects to another address",
    )
    .await;
    assert_eq!(other.requests(), []);
}

#[tokio::test]
async fn silence_before_and_in_an_answer_is_not_waited_out() {
    for answer in [Answer::Hang, Answer::HangMid] {
        let begun = Instant::now();
        for (name, error) in failures(answer.clone(), PATIENCE).await {
            let cause = error.cause();
            assert_eq!(
                (cause.code, error.class()),
                (CauseCode::Timeout, SOON),
                "{name}: {cause:?}"
            );
            assert!(cause.detail.contains("within 0.7s"), "{name}: {cause:?}");
            let usage = error.usage.unwrap();
            assert_eq!(
                usage.output > 0,
                answer == Answer::HangMid,
                "{name}: {usage:?}"
            );
        }
        assert!(begun.elapsed() < Duration::from_secs(10));
    }
}

#[tokio::test]
async fn what_begins_without_a_word_has_begun_no_answer() {
    let late = |ms| Answer::Late(Duration::from_millis(ms));
    for dialect in DIALECTS {
        let models = FakeModels::start(Script::job_store());
        let with = |first: u32, between: u32| {
            let lines = of(dialect, &models.url());
            format!("{lines}first_byte_ms = {first}\nbetween_bytes_ms = {between}\n")
        };
        models.set("*", late(1_500));
        let patient = agent(&with(20_000, 700)).await;
        let answer = asked(patient.as_ref(), ask(PROMPT, PATIENCE)).await;
        assert!(answer.is_ok(), "{}: {answer:?}", dialect.0);
        models.set("*", Answer::HangMid);
        let error = asked(patient.as_ref(), ask(PROMPT, PATIENCE)).await;
        let cause = error.unwrap_err().cause();
        assert!(cause.detail.contains("within 0.7s"), "{cause:?}");
        models.set("*", late(20_000));
        let hasty = agent(&with(700, 20_000)).await;
        let begun = Instant::now();
        let error = asked(hasty.as_ref(), ask(PROMPT, PATIENCE)).await;
        let cause = error.unwrap_err().cause();
        assert!(
            cause.detail.contains("within 0.7s"),
            "{}: {cause:?}",
            dialect.0
        );
        assert!(begun.elapsed() < Duration::from_secs(10));
    }
}

#[tokio::test]
async fn an_answer_has_its_time_and_no_more() {
    let slow = Answer::Slow(Duration::from_secs(20));
    for (name, error) in failures(slow, Duration::from_millis(1_500)).await {
        let cause = error.cause();
        assert_eq!(
            (cause.code, error.class()),
            (CauseCode::Timeout, SOON),
            "{name}: {cause:?}"
        );
        assert!(cause.detail.contains("within 1.5s"), "{name}: {cause:?}");
    }
}

#[tokio::test]
async fn a_stream_that_breaks_off_is_no_answer() {
    for answer in [Answer::Cut, Answer::Stop] {
        fails(
            answer,
            CauseCode::Unavailable,
            SOON,
            "the answer is incomplete because the connection ended",
        )
        .await;
    }
}

#[tokio::test]
async fn what_is_no_answer_is_told_from_an_empty_one_and_from_half_of_one() {
    let unreadable = CauseCode::Unreadable;
    fails(Answer::Garbage, unreadable, Class::Tool, "check the URL").await;
    fails(Answer::Page, unreadable, Class::Tool, "check the URL").await;
    fails(Answer::Empty, CauseCode::Empty, Class::Tool, "no text").await;
    fails(
        Answer::Length,
        CauseCode::TooLarge,
        Class::Tool,
        "cut off at its length limit",
    )
    .await;
}

#[tokio::test]
async fn nobody_at_the_address_is_said() {
    for dialect in DIALECTS {
        let agent = agent(&of(dialect, &refused_url())).await;
        let error = asked(agent.as_ref(), ask(PROMPT, PATIENCE))
            .await
            .unwrap_err();
        let cause = error.cause();
        assert_eq!(
            (cause.code, error.class()),
            (CauseCode::Unavailable, SOON),
            "{cause:?}"
        );
        assert!(
            cause.detail.starts_with("no server answers at 127.0.0.1:"),
            "{cause:?}"
        );
        assert_eq!(error.usage, None);
    }
}

#[tokio::test]
async fn a_call_that_is_called_off_ends_at_once() {
    let models = FakeModels::start(Script::job_store());
    models.set("*", Answer::Hang);
    let agent = agent(&of(DIALECTS[0], &models.url())).await;
    let cancel = CancellationToken::new();
    let mut session = agent.open(std::sync::Arc::new(agon_proc::Unwatched));
    let begun = Instant::now();
    let (outcome, ()): (Outcome, ()) =
        tokio::join!(session.ask(ask(PROMPT, PATIENCE), &cancel), async {
            tokio::time::sleep(Duration::from_millis(200)).await;
            cancel.cancel();
        });
    assert_eq!(outcome.unwrap_err().class(), Class::Cancelled);
    assert!(begun.elapsed() < Duration::from_secs(5));
}
