use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::*;

fn of(request: &StartRequest, settings: &Settings) -> Identity {
    identity(
        request,
        settings,
        &ContextFiles::new(Path::new("/nonexistent")),
        1,
    )
}

/// Returns a request in which every field that JSON can set has a value.
fn full_request() -> Value {
    json!({
        "topic": "Tabs or spaces?", "rounds": 2, "quick": false, "deep": false, "no_swap": false,
        "context": "none", "with_precedents": false, "slug": "a", "verify_urls": false,
        "allow_secrets": false, "allow_download": false, "dry_run": false, "strict": false,
        "detach": false, "again": false, "reuse": false,
        "seats": {
            "sides": [
                {"tool": "claude", "model": "a", "effort": "low"},
                {"tool": "codex", "model": "b", "effort": "low"},
            ],
            "judges": {"tools": ["gemini"], "models": ["c"], "effort": "low"},
            "effort": "low", "transport": "cli", "same_tool": false, "substitute": false,
        },
        "bounds": {
            "timeout": 60, "max_calls": 10, "max_tokens": 1000, "max_time": 60, "max_cost": 1.0,
        },
    })
}

/// Fields that decide how a debate is started, not what it is about.
const WITHOUT_MEANING: &[&str] = &["slug", "dry_run", "strict", "detach", "again", "reuse"];

/// Collects the paths of all values in `value` that are no objects or lists.
fn leaves(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                leaves(value, &format!("{path}/{name}"), found);
            }
        }
        Value::Array(items) => {
            for (at, value) in items.iter().enumerate() {
                leaves(value, &format!("{path}/{at}"), found);
            }
        }
        _ => found.push(path.to_owned()),
    }
}

/// Returns another valid value for the field at `path`.
fn changed(path: &str, value: &Value) -> Value {
    match value {
        Value::Bool(set) => (!set).into(),
        Value::Number(number) if number.is_f64() => json!(2.5),
        Value::Number(number) => (number.as_u64().unwrap() + 1).into(),
        Value::String(_) if path.ends_with("effort") => "high".into(),
        Value::String(_) if path.ends_with("transport") => "acp".into(),
        Value::String(text) => format!("{text}x").into(),
        other => panic!("{path}: {other}"),
    }
}

#[test]
fn every_setting_of_a_request_changes_its_identity_unless_it_has_no_meaning() {
    let full = full_request();
    // Nothing is left out: the request in JSON has the same fields.
    let request: StartRequest = serde_json::from_value(full.clone()).unwrap();
    let mut keys = Vec::new();
    leaves(&serde_json::to_value(&request).unwrap(), "", &mut keys);
    let mut paths = Vec::new();
    leaves(&full, "", &mut paths);
    keys.sort();
    paths.sort();
    assert_eq!(keys, paths);
    let settings = Settings::default();
    let before = of(&request, &settings);
    assert_eq!(of(&request, &settings), before);
    for path in paths {
        let mut other = full.clone();
        let value = other.pointer_mut(&path).unwrap();
        *value = changed(&path, value);
        let other: StartRequest = serde_json::from_value(other).unwrap();
        let is_same = of(&other, &settings) == before;
        let name = path.trim_start_matches('/');
        assert_eq!(is_same, WITHOUT_MEANING.contains(&name), "{path}");
    }
}

#[test]
fn texts_and_repetitions_change_the_identity() {
    let request = StartRequest::default();
    let settings = Settings::default();
    let text = |text: &str| StartRequest {
        pasted: vec![PastedText {
            name: "text.txt".to_owned(),
            text: text.to_owned(),
        }],
        ..request.clone()
    };
    let mut all = vec![
        of(&request, &settings),
        of(&text("a"), &settings),
        of(&text("b"), &settings),
        identity(
            &request,
            &settings,
            &ContextFiles::new(Path::new("/nonexistent")),
            2,
        ),
    ];
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 4);
}

#[test]
fn every_setting_of_the_configuration_changes_the_identity_unless_it_has_no_meaning() {
    let request = StartRequest::default();
    let before = of(&request, &Settings::default());
    // A line for every key, with another value than the default.
    let lines: BTreeMap<&str, &str> = [
        ("proposer", "proposer = \"codex\""),
        ("challenger", "challenger = \"codex\""),
        ("judge", "judge = \"codex\""),
        ("rounds", "rounds = 4"),
        ("effort", "effort = \"low\""),
        ("transport", "transport = \"cli\""),
        ("fallback", "fallback = \"none\""),
        ("context", "context = \"diff\""),
        ("timeout", "timeout = 7"),
        ("max_calls", "max_calls = 7"),
        ("max_tokens", "max_tokens = 7"),
        ("max_time", "max_time = 7"),
        ("max_cost", "max_cost = 7.5"),
        ("daily_tokens", "daily_tokens = 7"),
        ("monthly_tokens", "monthly_tokens = 7"),
        ("batch_calls", "batch_calls = 7"),
        ("plan_review", "plan_review = \"auto\""),
        ("plan_review_time", "plan_review_time = 7"),
        ("costly", "costly = []"),
        ("vendors", "vendors = [\"x\"]"),
        ("debates_dir", "debates_dir = \"x\""),
        ("decision_records", "decision_records = \"x\""),
        (
            "limits",
            "limits = [{ model = \"x\", onset = 1, severe = 2 }]",
        ),
        ("rules", "rules.reply-words = \"fatal\""),
        ("graph", "graph.concession = 0.25"),
        ("trust", "trust = [\"/x\"]"),
        ("otlp_endpoint", "otlp_endpoint = \"http://127.0.0.1:1\""),
        ("model", "model.judge = \"x\""),
        ("tools", "tools.codex.env_vars = [\"X\"]"),
        ("tools.concurrency", "tools.codex.concurrency = 1"),
        ("team", "team.size = 1"),
    ]
    .into();
    let without_meaning = [
        "daily_tokens",
        "monthly_tokens",
        "batch_calls",
        "plan_review",
        "plan_review_time",
        "costly",
        "vendors",
        "debates_dir",
        "decision_records",
        "limits",
        "trust",
        "otlp_endpoint",
        "team",
        "tools.concurrency",
    ];
    // A profile is a set of the other keys, so it has no value of its own.
    for key in agon_config::KEYS {
        let is_profile = key.name.starts_with("profile");
        assert!(is_profile || lines.contains_key(key.name), "{}", key.name);
    }
    for (key, line) in lines {
        let layer = toml::from_str::<agon_config::Layer>(line).unwrap();
        let is_same = of(&request, &Settings::from(layer)) == before;
        assert_eq!(is_same, without_meaning.contains(&key), "{key}");
    }
}

#[test]
fn the_content_of_a_context_file_is_part_of_the_identity() {
    let folder = tempfile::tempdir().unwrap();
    let request = StartRequest {
        context: Some("file=a.txt".to_owned()),
        ..StartRequest::default()
    };
    let identify = |files: &ContextFiles| identity(&request, &Settings::default(), files, 1);
    let seen = || identify(&ContextFiles::new(folder.path()));
    let mut all = vec![seen()];
    for text in ["one", "two"] {
        std::fs::write(folder.path().join("a.txt"), text).unwrap();
        all.push(seen());
        assert_eq!(seen(), all[all.len() - 1]);
    }
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 3);

    // One command reads a file once.
    let files = ContextFiles::new(folder.path());
    let before = identify(&files);
    std::fs::write(folder.path().join("a.txt"), "three").unwrap();
    assert_eq!(identify(&files), before);
    assert_ne!(seen(), before);
}

#[test]
fn an_answer_is_another_request_than_a_debate_and_than_another_sample() {
    let files = ContextFiles::new(Path::new("/"));
    let of = |kind| {
        let row = Row {
            line: 1,
            id: String::new(),
            tags: Vec::new(),
            kind,
            apart: String::new(),
            request: StartRequest::default(),
        };
        let settings = Settings::default();
        (
            row_identity(&row, &settings, &files, 1),
            row_shape(&row, &settings, &files),
        )
    };
    let (debate, one) = (of(RowKind::Debate), of(RowKind::Answer { sample: 1 }));
    let two = of(RowKind::Answer { sample: 2 });
    let request = identity(&StartRequest::default(), &Settings::default(), &files, 1);
    assert_eq!(debate.0, request);
    assert_ne!(debate.0, one.0);
    assert_ne!(one.0, two.0);
    assert_eq!(one.1, two.1);
    assert_ne!(debate.1, one.1);
}

#[test]
fn rows_that_are_set_apart_are_different_requests_of_the_same_shape() {
    let files = ContextFiles::new(Path::new("/"));
    let of = |kind, apart: &str| {
        let row = Row {
            line: 1,
            id: String::new(),
            tags: Vec::new(),
            kind,
            apart: apart.to_owned(),
            request: StartRequest::default(),
        };
        let settings = Settings::default();
        (
            row_identity(&row, &settings, &files, 1),
            row_shape(&row, &settings, &files),
        )
    };
    for kind in [RowKind::Debate, RowKind::Answer { sample: 1 }] {
        let (one, two) = (of(kind, "q1"), of(kind, "q2"));
        assert_ne!(one.0, two.0);
        assert_eq!(one.1, two.1);
    }
}
