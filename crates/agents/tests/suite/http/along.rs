//! Optional request features, and servers that reject them.

use agon_agents::{Ask, SchemaUse};
use agon_record::event::Class;
use agon_testkit::{Answer, FakeModels, Script};
use serde_json::json;

use super::common::{DIALECTS, PATIENCE, PROMPT, agent, ask, asked, of};

#[tokio::test]
async fn effort_goes_along_unless_the_table_says_no() {
    for dialect in DIALECTS {
        let models = FakeModels::start(Script::job_store());
        let lines = of(dialect, &models.url()).replace("a-model-high", "gemini-3-claude-opus-5");
        let told = agent(&lines).await;
        asked(told.as_ref(), ask(PROMPT, PATIENCE)).await.unwrap();
        let silent = agent(&lines.replace("effort = true", "effort = false")).await;
        asked(silent.as_ref(), ask(PROMPT, PATIENCE)).await.unwrap();
        // A model name that ends with an effort is still only a name.
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
        // It has accepted a schema, so the next rejection concerns only that schema.
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
        // It has never accepted a schema, so no more are sent.
        let never = super::common::agent(&of(dialect, &models.url())).await;
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
    assert_eq!(strict.schema_constraint(), SchemaUse::Always);
    asked(strict.as_ref(), held).await.unwrap();
    let free = agent(&format!("{lines}schema = false\n")).await;
    assert_eq!(free.schema_constraint(), SchemaUse::Never);
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
