//! What an answer has, and what goes along with a question.

use agon_agents::{Ask, Constrained};
use agon_debate::event::Class;
use agon_testkit::models::{CACHED_TOKENS, INPUT_TOKENS, OUTPUT_TOKENS};
use agon_testkit::{Answer, FakeModels, Script, refused_url};
use serde_json::json;

use crate::common::{DIALECTS, Ear, KEY, PATIENCE, PROMPT, agent, ask, asked, of};

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
        // No part of the name is taken for an effort.
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
async fn effort_goes_along_unless_the_table_says_no() {
    for dialect in DIALECTS {
        let models = FakeModels::start(Script::job_store());
        let lines = of(dialect, &models.url()).replace("a-model-high", "gemini-3-claude-opus-5");
        let told = agent(&lines).await;
        asked(told.as_ref(), ask(PROMPT, PATIENCE)).await.unwrap();
        let silent = agent(&lines.replace("effort = true", "effort = false")).await;
        asked(silent.as_ref(), ask(PROMPT, PATIENCE)).await.unwrap();
        // A name that ends with a word for one is no more than a name.
        for name in ["mistral-medium", "claude-opus-4-5-max", "gemini-3-none"] {
            let named = lines.replace("gemini-3-claude-opus-5", name);
            let named = agent(&named.replace("effort = true", "effort = false")).await;
            asked(named.as_ref(), ask(PROMPT, PATIENCE)).await.unwrap();
            let request = models.requests().pop().unwrap();
            assert_eq!(request.model, name);
            let body = request.body.to_string().to_lowercase();
            for word in ["reasoning", "effort", "thinking"] {
                assert!(!body.contains(word), "{} {name}: {body}", dialect.0);
            }
        }
        let efforts: Vec<_> = models.requests().into_iter().map(|it| it.effort).collect();
        let low = efforts[0].as_deref().unwrap_or_default().to_lowercase();
        assert_eq!((low.as_str(), &efforts[1]), ("low", &None), "{}", dialect.0);
    }
}

#[tokio::test]
async fn an_answer_is_held_to_a_schema_and_asked_for_without_where_that_is_refused() {
    let schema = json!({"type": "object", "properties": {"moves": {"type": "array", "items": {"type": "string"}},
        "note": {"type": "string"}}, "required": ["moves"]});
    for dialect in DIALECTS {
        let models = FakeModels::start(Script::job_store());
        let agent = agent(&of(dialect, &models.url())).await;
        let held = Ask {
            schema: Some(&schema),
            ..ask(PROMPT, PATIENCE)
        };
        asked(agent.as_ref(), held).await.unwrap();
        asked(agent.as_ref(), ask(PROMPT, PATIENCE)).await.unwrap();
        // It took one: the next that it refuses is one of them only.
        models.set("*", Answer::NoSchema);
        asked(agent.as_ref(), held).await.unwrap();
        asked(agent.as_ref(), held).await.unwrap();
        let sent: Vec<_> = models.requests().into_iter().map(|it| it.schema).collect();
        let with: Vec<_> = sent.iter().map(Option::is_some).collect();
        assert_eq!(
            with,
            [true, false, true, false, true, false],
            "{}",
            dialect.0
        );
        // It never took any: it is given none any more.
        let never = crate::common::agent(&of(dialect, &models.url())).await;
        let before = models.requests().len();
        for _ in 0..2 {
            asked(never.as_ref(), held).await.unwrap();
        }
        let later = models.requests().split_off(before);
        let with: Vec<_> = later.iter().map(|it| it.schema.is_some()).collect();
        assert_eq!(with, [true, false, false], "{}", dialect.0);
        let required = &sent[0].as_ref().unwrap()["required"];
        assert_eq!(required, &json!(["moves"]), "{}", dialect.0);
    }
}

#[tokio::test]
async fn a_strict_server_gets_the_narrow_form_and_one_without_schemas_none() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
        "required": ["a"]});
    let models = FakeModels::start(Script::job_store());
    let lines = of(DIALECTS[0], &models.url());
    let held = Ask {
        schema: Some(&schema),
        ..ask(PROMPT, PATIENCE)
    };
    let strict = agent(&format!("{lines}strict = true\nconstrained = \"always\"\n")).await;
    assert_eq!(strict.constrained(), Constrained::Always);
    asked(strict.as_ref(), held).await.unwrap();
    let free = agent(&format!("{lines}schema = false\n")).await;
    assert_eq!(free.constrained(), Constrained::Never);
    asked(free.as_ref(), held).await.unwrap();
    let sent: Vec<_> = models.requests().into_iter().map(|it| it.schema).collect();
    assert_eq!(sent[0].as_ref().unwrap()["required"], json!(["a", "b"]));
    assert_eq!(sent[1], None);
}

#[tokio::test]
async fn a_model_that_takes_no_effort_is_asked_without_from_then_on() {
    for dialect in DIALECTS {
        let models = FakeModels::start(Script::job_store());
        models.set("*", Answer::NoEffort);
        let lines = of(dialect, &models.url()).replace("a-model-high", "gemini-3-claude-opus-5");
        let agent = agent(&lines).await;
        for _ in 0..2 {
            asked(agent.as_ref(), ask(PROMPT, PATIENCE)).await.unwrap();
        }
        let told: Vec<_> = models
            .requests()
            .into_iter()
            .map(|it| it.effort.is_some())
            .collect();
        assert_eq!(told, [true, false, false], "{}", dialect.0);
    }
}

#[tokio::test]
async fn two_who_ask_at_once_are_both_asked_again_without_what_is_refused() {
    for dialect in DIALECTS {
        let models = FakeModels::start(Script::job_store());
        models.set("*", Answer::NoEffort);
        let lines = of(dialect, &models.url()).replace("a-model-high", "gemini-3-claude-opus-5");
        let agent = agent(&lines).await;
        let once = || asked(agent.as_ref(), ask(PROMPT, PATIENCE));
        let (one, other) = tokio::join!(once(), once());
        assert!(
            one.is_ok() && other.is_ok(),
            "{}: {one:?} {other:?}",
            dialect.0
        );
        let told = models.requests().into_iter().map(|it| it.effort.is_some());
        assert_eq!(told.filter(|told| *told).count(), 2, "{}", dialect.0);
        assert_eq!(models.requests().len(), 4, "{}", dialect.0);
    }
}

#[tokio::test]
async fn a_refusal_of_what_did_not_go_along_is_not_asked_again() {
    let models = FakeModels::start(Script::job_store());
    models.set(
        "*",
        Answer::Says(400, "the schema of the messages is not right"),
    );
    let agent = agent(&of(DIALECTS[0], &models.url())).await;
    let error = asked(agent.as_ref(), ask(PROMPT, PATIENCE)).await;
    assert_eq!(error.unwrap_err().class(), Class::Tool);
    assert_eq!(models.requests().len(), 1);
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
    assert_eq!(small.budget(None), Some(2000));
    asked(small.as_ref(), ask(&"word ".repeat(800), PATIENCE))
        .await
        .unwrap();
    let large = agent(&format!("{lines}budget = 0\n")).await;
    assert_eq!(
        (large.budget(None), large.constrained()),
        (None, Constrained::Again)
    );
    // Nobody said: the server itself does, of the models that it has.
    let says = agent(&lines.replace("a-model-high", "mock-model")).await;
    assert_eq!(
        (says.budget(None), says.constrained()),
        (Some(8192), Constrained::Always)
    );
    let unlisted = agent(&lines).await;
    assert_eq!(unlisted.budget(None), Some(4096));
    let silent = agent(&of(DIALECTS[0], &refused_url())).await;
    assert_eq!(silent.budget(None), None);
    asked(large.as_ref(), ask(PROMPT, PATIENCE)).await.unwrap();
    let bodies: Vec<_> = models.requests().into_iter().map(|it| it.body).collect();
    assert_eq!(bodies[0]["max_tokens"], 1000);
    assert_eq!(bodies[1].get("max_tokens"), None);
}
