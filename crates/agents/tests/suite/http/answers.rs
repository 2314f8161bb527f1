//! The content and length limits of answers.

use agon_agents::{Ask, SchemaUse};
use agon_testkit::models::{CACHED_TOKENS, INPUT_TOKENS, OUTPUT_TOKENS};
use agon_testkit::{Answer, FakeModels, Script, refused_url};

use super::common::{DIALECTS, Ear, KEY, PATIENCE, PROMPT, agent, ask, asked, of};

#[tokio::test]
async fn every_dialect_gives_text_tokens_and_pieces() {
    for dialect in DIALECTS {
        let models = FakeModels::start(Script::job_store());
        let agent = agent(&of(dialect, &models.url())).await;
        let prompt = format!("{}{PROMPT}", "Earlier text. ".repeat(20_000));
        let ear = Ear::default();
        let asked_with = Ask {
            hears: Some(&ear),
            ..ask(&prompt, PATIENCE)
        };
        let answer = asked(agent.as_ref(), asked_with).await.unwrap();

        let (name, _, api) = dialect;
        assert_eq!(
            answer.text,
            Script::job_store().turns["r1.pro"][0],
            "{name}"
        );
        let heard = ear.0.lock().unwrap();
        assert!(heard.len() > 3, "{name}: it came in pieces");
        assert_eq!(heard.concat(), answer.text, "{name}");
        let usage = answer.usage;
        assert_eq!(
            (usage.input, usage.cached, usage.output, usage.estimated),
            (INPUT_TOKENS, CACHED_TOKENS, OUTPUT_TOKENS, false),
            "{name}"
        );
        assert_eq!(answer.stop_reason.as_deref(), Some("stop"), "{name}");

        let requests = models.requests();
        let [request] = requests.as_slice() else {
            panic!("{name} asks once, not {} times", requests.len());
        };
        assert_eq!((request.api, request.stream), (api, true), "{name}");
        // No part of the name is interpreted as an effort.
        assert_eq!(request.model, "a-model-high", "{name}");
        assert_eq!(request.key.as_deref(), Some(KEY), "{name}");
        assert!(request.prompt == prompt, "{name}: the prompt arrives whole");
        assert_eq!(request.tools, [""; 0], "{name}");
        assert_eq!(models.unknown(), [""; 0], "{name}");
    }
}

#[tokio::test]
async fn nothing_is_kept_of_what_a_server_says_of_its_end() {
    for dialect in DIALECTS {
        let models = FakeModels::start(Script::job_store());
        for why in [KEY.to_owned(), "x".repeat(3 << 20), "\u{1b}[31m".to_owned()] {
            models.set("*", Answer::Ends(why));
            let agent = agent(&of(dialect, &models.url())).await;
            let answer = asked(agent.as_ref(), ask(PROMPT, PATIENCE)).await.unwrap();
            assert_eq!(
                answer.stop_reason.as_deref(),
                Some("other"),
                "{}",
                dialect.0
            );
        }
    }
}

#[tokio::test]
async fn tokens_that_nobody_counted_are_estimated() {
    for dialect in DIALECTS {
        let models = FakeModels::start(Script::job_store());
        models.set("*", Answer::NoUsage);
        let agent = agent(&of(dialect, &models.url())).await;
        let answer = asked(agent.as_ref(), ask(PROMPT, PATIENCE)).await.unwrap();
        let usage = answer.usage;
        assert!(
            usage.estimated && usage.input > 0 && usage.output > 100,
            "{}: {usage:?}",
            dialect.0
        );
    }
}

#[tokio::test]
async fn a_small_server_has_a_budget_and_bounds_its_answers() {
    let models = FakeModels::start(Script::job_store());
    let lines = of(DIALECTS[0], &models.url());
    let small = agent(&format!("{lines}budget = 2000\n")).await;
    assert_eq!(small.token_budget(None), Some(2000));
    asked(small.as_ref(), ask(&"word ".repeat(800), PATIENCE))
        .await
        .unwrap();
    let large = agent(&format!("{lines}budget = 0\n")).await;
    assert_eq!(
        (large.token_budget(None), large.schema_constraint()),
        (None, SchemaUse::Again)
    );
    // Without a setting, the server reports it for its models.
    let says = agent(&lines.replace("a-model-high", "mock-model")).await;
    assert_eq!(
        (says.token_budget(None), says.schema_constraint()),
        (Some(8192), SchemaUse::Always)
    );
    let unlisted = agent(&lines).await;
    assert_eq!(unlisted.token_budget(None), Some(4096));
    let silent = agent(&of(DIALECTS[0], &refused_url())).await;
    assert_eq!(silent.token_budget(None), None);
    asked(large.as_ref(), ask(PROMPT, PATIENCE)).await.unwrap();
    let bodies: Vec<_> = models.requests().into_iter().map(|it| it.body).collect();
    assert_eq!(bodies[0]["max_tokens"], 1000);
    assert_eq!(bodies[1].get("max_tokens"), None);
}
