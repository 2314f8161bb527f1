//! An agent may only read, in a read-only mode.

use std::path::Path;
use std::sync::Arc;

use agon_agents::profile::Transport;
use agon_agents::{Ask, Breach, CallFailure, Environment, Profiles, Session, Toolbox};
use agon_proc::Unwatched;
use agon_record::event::{CauseCode, Class};
use agon_record::spec::Effort;
use agon_testkit::acp::{Act, FakeAgent};
use agon_testkit::{FakeTools, Sandbox, add};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use tokio_util::sync::CancellationToken;

use super::acp::{LONG, PROMPT};
use super::common::{ask, environment, left_of, tool};

/// A session with a user-defined tool over this transport.
async fn session(over: &str, here: &Environment) -> Box<dyn Session> {
    let table = toml::from_str(over).unwrap();
    let profiles = Profiles::with_overrides(&BTreeMap::from([("gemini".to_owned(), table)]));
    let names = [tool("gemini")];
    let toolbox = Toolbox::detect_only(&profiles.unwrap(), &names, here).await;
    let agent = toolbox
        .agent_over_transport(&names[0], Some(Transport::Acp))
        .unwrap();
    agent.open(Arc::new(Unwatched))
}

/// The answers to the agent's permission requests for each of these.
async fn answers(over: &str, reads: Option<&Path>, asked: &[(&str, Vec<String>)]) -> Vec<Value> {
    let asks = asked.iter().map(|(kind, at)| Act::Ask {
        kind: (*kind).to_owned(),
        at: at.clone(),
    });
    let fakes = FakeTools::new().agent("gemini", &FakeAgent::default().then(asks));
    let sandbox = Sandbox::new();
    let mut session = session(over, &environment(&sandbox, fakes.dir())).await;
    let asking = Ask {
        reads,
        ..ask(PROMPT, LONG)
    };
    session
        .ask(asking, &CancellationToken::new())
        .await
        .unwrap();
    session.close().await;
    let notes = fakes.notes();
    let answers = notes.iter().filter(|note| note.what == "answer");
    answers
        .map(|note| note.with["result"]["outcome"]["optionId"].clone())
        .collect()
}

#[tokio::test]
async fn writing_running_and_the_unknown_are_refused_this_once() {
    let folder = tempfile::tempdir().unwrap();
    add(folder.path(), "a.txt", "x");
    let here = || vec![folder.path().join("a.txt").display().to_string()];
    let asked = [
        "edit",
        "delete",
        "move",
        "execute",
        "fetch",
        "switch_mode",
        "think",
        "other",
        "something new",
    ]
    .map(|kind| (kind, here()));
    let refused = vec![json!("5"); asked.len()];
    assert_eq!(answers("", Some(folder.path()), &asked).await, refused);
    let grants = "acp.reads.grant = true";
    assert_eq!(answers(grants, Some(folder.path()), &asked).await, refused);
}

#[tokio::test]
async fn reading_inside_the_folder_is_allowed_once_where_the_profile_says_so() {
    let outside = tempfile::tempdir().unwrap();
    add(outside.path(), "secret", "x");
    let folder = tempfile::tempdir().unwrap();
    add(folder.path(), "a.txt", "x");
    std::os::unix::fs::symlink(outside.path().join("secret"), folder.path().join("link")).unwrap();
    let at = |path: &Path| path.display().to_string();
    let inside = at(&folder.path().join("a.txt"));
    let asked = [
        ("read", vec![inside.clone()]),
        ("search", vec![at(folder.path())]),
        ("read", vec![at(&outside.path().join("secret"))]),
        ("read", vec![inside.clone(), "/etc/passwd".to_owned()]),
        ("read", vec![at(&folder.path().join("link"))]),
        ("read", vec![format!("{}/../x", at(folder.path()))]),
        ("read", vec!["a.txt".to_owned()]),
        ("read", vec![]),
    ];
    let grants = "acp.reads.grant = true";
    let (yes, no) = (json!("2"), json!("5"));
    let expected = [&yes, &yes, &no, &no, &no, &no, &no, &no].map(Clone::clone);
    assert_eq!(answers(grants, Some(folder.path()), &asked).await, expected);
    // Not without a folder, and not if the profile does not allow it.
    let none = vec![no; asked.len()];
    assert_eq!(answers(grants, None, &asked).await, none);
    assert_eq!(answers("", Some(folder.path()), &asked).await, none);
}

#[tokio::test]
async fn requests_for_files_and_terminals_are_not_served() {
    let requests = [
        (
            "fs/read_text_file",
            json!({"sessionId": "ses-fake", "path": "/etc/passwd"}),
        ),
        (
            "fs/write_text_file",
            json!({"sessionId": "ses-fake", "path": "/tmp/x", "content": "x"}),
        ),
        (
            "terminal/create",
            json!({"sessionId": "ses-fake", "command": "true"}),
        ),
        ("_anything/else", json!({})),
    ];
    let acts = requests.map(|(method, params)| Act::Request(method.into(), params));
    let fakes = FakeTools::new().agent("gemini", &FakeAgent::default().then(acts));
    let sandbox = Sandbox::new();
    let mut session = session("", &environment(&sandbox, fakes.dir())).await;
    let never = CancellationToken::new();
    session.ask(ask(PROMPT, LONG), &never).await.unwrap();
    let notes = fakes.notes();
    let answers = notes.iter().filter(|note| note.what == "answer");
    let codes: Vec<_> = answers
        .map(|note| note.with["error"]["code"].clone())
        .collect();
    assert_eq!(codes, vec![json!(-32601); 4]);
}

#[tokio::test]
async fn a_mode_that_writes_is_left_before_the_first_prompt() {
    let plan = FakeAgent {
        modes: ["yolo", "https://agent.example/modes#default", "plan"]
            .map(str::to_owned)
            .into(),
        ..FakeAgent::default()
    };
    let fakes = FakeTools::new().agent("gemini", &plan);
    let sandbox = Sandbox::new();
    let mut session = session("", &environment(&sandbox, fakes.dir())).await;
    let never = CancellationToken::new();
    session.ask(ask(PROMPT, LONG), &never).await.unwrap();
    let prompts = fakes.notes();
    let prompt = prompts.iter().find(|note| note.what == "prompt").unwrap();
    assert_eq!(prompt.with["mode"], "https://agent.example/modes#default");
}

#[tokio::test]
async fn an_agent_without_a_mode_that_only_reads_is_not_asked() {
    let modes = |modes: &[&str], keeps_mode| FakeAgent {
        modes: modes.iter().map(|mode| (*mode).to_owned()).collect(),
        keeps_mode,
        ..FakeAgent::default()
    };
    for (plan, expected) in [
        (
            modes(&["yolo", "plan"], false),
            Breach::NoReadOnlyMode {
                mode: "yolo".into(),
            },
        ),
        (
            modes(&["yolo", "default"], true),
            Breach::ModeRefused {
                mode: "default".into(),
            },
        ),
    ] {
        let fakes = FakeTools::new().agent("gemini", &plan);
        let sandbox = Sandbox::new();
        let mut session = session("", &environment(&sandbox, fakes.dir())).await;
        let never = CancellationToken::new();
        let error = session.ask(ask(PROMPT, LONG), &never).await.unwrap_err();
        assert_eq!(error.class(), Class::User);
        let CallFailure::Broken(breach) = error.failure else {
            panic!("{error}");
        };
        assert_eq!(breach, expected);
        assert_eq!(fakes.count_notes("prompt"), 0);
        assert_eq!(left_of(&sandbox), Vec::<String>::new());
    }
}

#[tokio::test]
async fn an_agent_that_leaves_its_mode_is_ended() {
    let plan = FakeAgent {
        modes: vec!["default".into(), "yolo".into()],
        ..FakeAgent::default().then([Act::Enter("yolo".into()), Act::IgnoreCancel])
    };
    let fakes = FakeTools::new().agent("gemini", &plan);
    let sandbox = Sandbox::new();
    let mut session = session("", &environment(&sandbox, fakes.dir())).await;
    let never = CancellationToken::new();
    let error = session.ask(ask(PROMPT, LONG), &never).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "it switched to mode `yolo`, which may write; use the `cli` transport instead"
    );
    assert_eq!(left_of(&sandbox), Vec::<String>::new());
}

#[tokio::test]
async fn a_model_and_an_effort_are_chosen_among_what_is_offered() {
    let over = "acp.args = [\"--acp\", \"{read_only}\", \"{no_mcp}\"]\nacp.model = []";
    let plan = FakeAgent {
        models: vec!["small".into(), "large".into()],
        efforts: vec!["medium".into(), "low".into(), "high".into()],
        ..FakeAgent::default()
    };
    let fakes = FakeTools::new().agent("gemini", &plan);
    let sandbox = Sandbox::new();
    let here = environment(&sandbox, fakes.dir());
    let mut chosen = session(over, &here).await;
    let never = CancellationToken::new();
    let asking = Ask {
        model: Some("large"),
        effort: Effort::Low,
        ..ask(PROMPT, LONG)
    };
    chosen.ask(asking, &never).await.unwrap();
    let asking = Ask {
        effort: Effort::High,
        ..asking
    };
    chosen.ask(asking, &never).await.unwrap();
    let notes = fakes.notes();
    let set = notes.iter().filter(|note| note.what == "option");
    let set: Vec<_> = set
        .map(|note| format!("{} {}", note.with["configId"], note.with["value"]))
        .collect();
    assert_eq!(
        set,
        [
            "\"model\" \"large\"",
            "\"effort\" \"low\"",
            "\"effort\" \"high\""
        ]
    );
    // Another model needs a new conversation, and a model that is not offered gets none.
    let other = Ask {
        model: Some("small"),
        ..asking
    };
    let error = chosen.ask(other, &never).await.unwrap_err();
    assert!(matches!(
        error.failure,
        CallFailure::Broken(Breach::Changed)
    ));
    assert_eq!(error.class(), Class::Retry { after_ms: 0 });
    chosen.ask(other, &never).await.unwrap();
    assert_eq!(fakes.count_notes("start"), 2);
    let mut fresh = session(over, &here).await;
    let none = Ask {
        model: Some("huge"),
        ..asking
    };
    let error = fresh.ask(none, &never).await.unwrap_err();
    assert_eq!(
        (error.cause().code, error.class()),
        (CauseCode::NoSuchModel, Class::User)
    );
}
