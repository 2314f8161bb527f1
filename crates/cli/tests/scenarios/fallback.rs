//! Who debates where nobody is named and no tool is installed.

use agon_testkit::{FakeModels, Sandbox, Script};
use serde_json::json;

use crate::support::{Place, Ran, TOPIC};

/// The folder that holds the small model.
const MODELS_VARIABLE: &str = "AGON_TEST_MODELS";

/// A place in which no tool is installed, and in which somebody else may debate.
fn place() -> Place {
    let sandbox = Sandbox::new();
    let env = sandbox.command_env();
    let mut place = Place::new(sandbox, env);
    place.env.remove("AGON_FALLBACK");
    place
}

fn debate(place: &Place, more: &[&str]) -> Ran {
    let args = ["debate", TOPIC, "--slug", "s", "--json"];
    place.run(&[&args[..], more].concat())
}

#[test]
fn the_models_of_a_server_on_this_machine_debate_and_are_named_first() {
    let models = FakeModels::start(Script::job_store());
    let mut place = place();
    let server = format!("lm={}/v1", models.url());
    place.env.insert("AGON_LOOPBACK_SERVERS".into(), server);
    let ran = debate(&place, &[]);
    let note = "note: no AI tool is installed; a model server on this machine debates: openai:";
    assert!(ran.stderr.starts_with(note), "{ran:#?}");
    let seats = &place.verdict().unwrap_or_default()["seats"];
    assert!(!seats.to_string().contains("local"), "{ran:#?}");
    assert!(!models.requests().is_empty(), "{ran:#?}");

    let material = debate(&place, &["--context", "diff"]);
    assert_eq!(material.code, Some(4), "{material:#?}");
    assert_eq!(material.json()["error"]["code"], "too_few_tools");
}

#[test]
fn nobody_takes_the_place_of_a_tool_where_that_is_not_wanted() {
    let mut place = place();
    place.env.insert("AGON_FALLBACK".into(), "none".into());
    let ran = debate(&place, &[]);
    assert_eq!(ran.code, Some(4), "{ran:#?}");
    assert_eq!(ran.json()["error"]["code"], "too_few_tools");
}

#[test]
fn the_small_model_debates_to_a_verdict_and_is_introduced_as_what_it_is() {
    let Some(models) = std::env::var_os(MODELS_VARIABLE) else {
        eprintln!("skipped: {MODELS_VARIABLE} names no folder with the small model");
        return;
    };
    let mut place = place();
    let models = models.to_string_lossy().into_owned();
    place.env.insert("AGON_MODELS_DIR".into(), models);
    let ran = debate(&place, &[]);
    assert!(matches!(ran.code, Some(0 | 7)), "{ran:#?}");
    let introduced = "the small model in this program debates with itself";
    assert!(ran.stderr.contains(introduced), "{ran:#?}");
    let verdict = place.verdict().unwrap();
    assert_eq!(verdict["schema"], json!("agon.verdict/1"));
    assert_ne!(verdict["answer"], json!(""));
}

#[test]
fn what_cannot_be_fetched_is_said_with_its_name_and_checksum() {
    let mut place = place();
    let gone = "http://127.0.0.1:9/simple".to_owned();
    place.env.insert("PIP_INDEX_URL".into(), gone);
    for proxy in ["HTTPS_PROXY", "HTTP_PROXY"] {
        place.env.insert(proxy.into(), "http://127.0.0.1:9".into());
    }
    let ran = debate(&place, &[]);
    assert_eq!(ran.code, Some(4), "{ran:#?}");
    let error = ran.json()["error"].take();
    let message = error["message"].as_str().unwrap();
    assert_eq!(error["code"], "no_model", "{error}");
    for named in ["SmolLM2-135M-Instruct.Q4_1.gguf", "b179c9523d0e6a0f98a33"] {
        assert!(message.contains(named), "{message}");
    }
    assert!(!place.project().join("debates").exists());
}
