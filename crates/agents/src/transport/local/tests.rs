use std::fs;
use std::sync::Mutex;
use std::time::Duration;

use agon_proc::Unwatched;
use agon_record::spec::Effort;
use serde_json::json;
use tempfile::TempDir;

use super::*;
use crate::ask::OutputListener;
use crate::profile::{LOCAL, Profiles};
use crate::toolbox::Toolbox;

/// A home whose configuration names a tiny model of the user's own.
struct Home {
    folder: TempDir,
    profiles: Profiles,
}

impl Home {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tiny.gguf");
        agon_testkit::gguf::tiny_model(&path).unwrap();
        let own = format!(
            "[weights]\nmodel = \"tiny\"\n[weights.models.tiny]\npath = \"{}\"\nbudget = 4096\n",
            path.display()
        );
        let own = [(LOCAL.to_owned(), own.parse().unwrap())].into();
        Self {
            folder,
            profiles: Profiles::with_overrides(&own).unwrap(),
        }
    }

    async fn toolbox(&self, names: &[&str]) -> Toolbox {
        let names: Vec<ToolName> = names.iter().map(|name| name.parse().unwrap()).collect();
        let profiles = self.profiles.clone().with_local_models(&names);
        let here = Environment::new([("HOME", self.folder.path())]);
        Toolbox::detect_only(&profiles, &names, &here).await
    }

    async fn agent(&self) -> Arc<dyn Agent> {
        let toolbox = self.toolbox(&[LOCAL]).await;
        toolbox.agent(&LOCAL.parse().unwrap()).unwrap()
    }
}

#[derive(Debug, Default)]
struct Heard(Mutex<String>);

impl OutputListener for Heard {
    fn receive_chunk(&self, text: &str) {
        self.0.lock().unwrap().push_str(text);
    }
}

fn asked<'a>(schema: Option<&'a Value>, hears: Option<&'a dyn OutputListener>) -> Ask<'a> {
    Ask {
        prompt: "Say something.",
        model: None,
        effort: Effort::Low,
        timeout: Duration::from_secs(120),
        reads: None,
        hears,
        schema,
    }
}

#[tokio::test]
async fn an_answer_is_one_block_that_fits_the_schema_and_is_counted() {
    let home = Home::new();
    let agent = home.agent().await;
    assert_eq!(agent.schema_constraint(), SchemaUse::Always);
    assert_eq!(agent.token_budget(None), Some(4_096));
    assert_eq!(agent.token_budget(Some("smollm2-135m")), Some(3_072));
    let schema = json!({ "type": "object", "required": ["stance"], "properties": {
        "stance": { "type": "string", "minLength": 3, "maxLength": 30 } } });
    let heard = Heard::default();
    let mut session = agent.open(Arc::new(Unwatched));
    let never = CancellationToken::new();
    let answer = session
        .ask(asked(Some(&schema), Some(&heard)), &never)
        .await
        .unwrap();
    let inside = answer.text.strip_prefix("```json\n").unwrap();
    let inside = inside.strip_suffix("\n```\n").unwrap();
    let moves: Value = serde_json::from_str(inside).unwrap();
    assert!((3..=30).contains(&moves["stance"].as_str().unwrap().chars().count()));
    // A text that reached its length is cut back once it is whole.
    let heard: Value = serde_json::from_str(&heard.0.lock().unwrap()).unwrap();
    let heard = heard["stance"].as_str().unwrap();
    assert!(
        heard.starts_with(moves["stance"].as_str().unwrap()),
        "{heard}"
    );
    assert!(!answer.usage.estimated && answer.usage.input > 0 && answer.usage.output > 0);
    assert_eq!(answer.usage.cost_micros, Some(0));
}

#[tokio::test]
async fn an_answer_is_cut_short_when_it_is_cancelled_or_out_of_time() {
    let home = Home::new();
    let agent = home.agent().await;
    let mut session = agent.open(Arc::new(Unwatched));
    let endless = json!({ "type": "object", "required": ["a"], "properties": {
        "a": { "type": "array", "minItems": 400, "maxItems": 400,
            "items": { "type": "string", "minLength": 200 } } } });
    let cancel = CancellationToken::new();
    let stop = cancel.clone();
    let soon = async move {
        tokio::time::sleep(Duration::from_millis(300)).await;
        stop.cancel();
    };
    let begun = Instant::now();
    let (ended, ()) = tokio::join!(session.ask(asked(Some(&endless), None), &cancel), soon);
    assert_eq!(ended.unwrap_err().class(), Class::Cancelled);
    let ask = Ask {
        timeout: Duration::from_millis(300),
        ..asked(Some(&endless), None)
    };
    let ended = session
        .ask(ask, &CancellationToken::new())
        .await
        .unwrap_err();
    assert!(
        matches!(ended.failure, CallFailure::Timeout { .. }),
        "{ended}"
    );
    assert!(
        begun.elapsed() < Duration::from_secs(20),
        "{:?}",
        begun.elapsed()
    );
}

#[tokio::test]
async fn an_answer_without_end_is_tried_shorter_and_then_is_the_models_fault() {
    let home = Home::new();
    let agent = home.agent().await;
    let mut session = agent.open(Arc::new(Unwatched));
    let never = CancellationToken::new();
    // One item in each list fits, more do not.
    let list = json!({ "type": "array", "minItems": 1, "maxItems": 3,
        "items": { "const": "z".repeat(140) } });
    let names = ["a", "b", "c", "d", "e", "f", "g"];
    let lists = names.map(|name| (name.to_owned(), list.clone()));
    let lists: serde_json::Map<String, Value> = lists.into_iter().collect();
    let long = json!({ "type": "object", "required": names, "properties": lists });
    let heard = Heard::default();
    let answer = session
        .ask(asked(Some(&long), Some(&heard)), &never)
        .await
        .unwrap();
    assert_eq!(answer.text.matches("zzz\"").count(), 7);
    // The second try is not heard behind the first.
    assert_eq!(heard.0.lock().unwrap().matches("\"a\": ").count(), 1);
    assert!(answer.usage.output > MOST as u64, "{:?}", answer.usage);
    let endless = json!({ "type": "object", "required": ["a"], "properties": {
        "a": { "type": "string", "minLength": 2 * MOST } } });
    let error = session
        .ask(asked(Some(&endless), None), &never)
        .await
        .unwrap_err();
    assert_eq!(error.class(), Class::Tool);
    assert!(error.usage.unwrap().output >= 2 * MOST as u64);
}

#[tokio::test]
async fn without_its_file_it_is_said_how_to_have_it() {
    let home = Home::new();
    let name = "local:smollm2-135m";
    let toolbox = home.toolbox(&[name, "local:nobody"]).await;
    let seated = |name: &str| toolbox.agent(&name.parse().unwrap()).err().unwrap();
    let error = seated(name);
    assert_eq!(error.to_string(), "the model smollm2-135m is not here yet");
    assert_eq!(error.hint(), "agon model pull smollm2-135m");
    assert_eq!(
        seated("local:nobody").to_string(),
        "no model is called `nobody`"
    );
    let agent = home.agent().await;
    let mut session = agent.open(Arc::new(Unwatched));
    let ask = Ask {
        model: Some("nobody"),
        ..asked(None, None)
    };
    let error = session
        .ask(ask, &CancellationToken::new())
        .await
        .unwrap_err();
    assert_eq!(
        (error.class(), error.cause().code),
        (Class::User, CauseCode::NoSuchModel)
    );
}

#[tokio::test]
async fn a_file_with_another_checksum_is_not_asked() {
    let home = Home::new();
    let folder = home.folder.path().join(".cache/agon/models");
    fs::create_dir_all(&folder).unwrap();
    let file = fs::File::create(folder.join("SmolLM2-135M-Instruct.Q4_1.gguf")).unwrap();
    file.set_len(98_362_432).unwrap();
    let agent = home.agent().await;
    let mut session = agent.open(Arc::new(Unwatched));
    let ask = Ask {
        model: Some("smollm2-135m"),
        ..asked(None, None)
    };
    let error = session
        .ask(ask, &CancellationToken::new())
        .await
        .unwrap_err();
    assert_eq!(error.class(), Class::User);
    let said = error.to_string();
    assert!(said.contains("its sha256 is"), "{said}");
    assert!(said.contains("agon model pull smollm2-135m"), "{said}");
}
