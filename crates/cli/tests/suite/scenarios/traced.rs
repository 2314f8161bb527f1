//! What a collector of traces is told of a debate, and what becomes of a debate without one.

use std::collections::BTreeMap;

use agon_testkit::{Answers, Behaviour, Collector};
use serde_json::Value;

use crate::scenarios::place::Fakes;
use crate::support::Ran;

/// Runs the debate `s`, with these variables.
fn traced(fakes: &mut Fakes, vars: &[(&str, &str)], more: &[&str]) -> Ran {
    for (name, value) in vars {
        fakes.place.env.insert((*name).into(), (*value).into());
    }
    fakes.debate(more)
}

/// The variables that send traces to `collector`.
fn sent_to(collector: &Collector) -> Vec<(&'static str, String)> {
    vec![
        ("OTEL_EXPORTER_OTLP_ENDPOINT", collector.endpoint()),
        ("OTEL_EXPORTER_OTLP_PROTOCOL", "http/json".to_owned()),
        ("OTEL_EXPORTER_OTLP_HEADERS", "x-team=ours".to_owned()),
    ]
}

fn attributes(span: &Value) -> BTreeMap<String, Value> {
    let attributes = span["attributes"].as_array().unwrap().iter();
    let value = |value: &Value| {
        let (_, value) = value.as_object().unwrap().iter().next().unwrap();
        value.clone()
    };
    attributes
        .map(|one| {
            (
                one["key"].as_str().unwrap().to_owned(),
                value(&one["value"]),
            )
        })
        .collect()
}

fn run(fakes: &mut Fakes, collector: &Collector, vars: &[(&str, &str)], more: &[&str]) -> Ran {
    let sent = sent_to(collector);
    let sent: Vec<_> = sent
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    traced(fakes, &[&sent[..], vars].concat(), more)
}

/// A span's own number, and that of the span it belongs to.
fn ids(span: &Value) -> (String, String) {
    let id = |name: &str| span[name].as_str().unwrap_or_default().to_owned();
    (id("spanId"), id("parentSpanId"))
}

#[test]
fn a_collector_gets_a_span_for_the_debate_each_turn_and_each_ask() {
    let collector = Collector::start(Answers::Well);
    let mut fakes = Fakes::new();
    let ran = run(&mut fakes, &collector, &[], &["--model-proposer", "opus"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let spans = collector.spans();
    let named = |begins: &str| -> Vec<&Value> {
        let name = |span: &&Value| span["name"].as_str().unwrap().starts_with(begins);
        spans.iter().filter(name).collect()
    };
    let (debate, turns, asks) = (named("invoke_workflow"), named("turn "), named("chat "));
    let asked = fakes.tools.asks().len();
    assert_eq!((debate.len(), turns.len(), asks.len()), (1, 8, asked));
    assert_eq!(spans.len(), 1 + 8 + asked);

    // Asks belong to turns, turns to the debate, all to one trace.
    let (root, none) = ids(debate[0]);
    assert_eq!(none, "");
    let turn_ids: Vec<_> = turns.iter().map(|turn| ids(turn)).collect();
    assert!(turn_ids.iter().all(|(_, parent)| *parent == root));
    let of_a_turn = |ask: &&&Value| turn_ids.iter().any(|(id, _)| *id == ids(ask).1);
    assert_eq!(asks.iter().filter(of_a_turn).count(), asks.len());
    assert!(
        spans
            .iter()
            .all(|span| span["traceId"] == spans[0]["traceId"])
    );

    let verdict = fakes.place.verdict().unwrap();
    let first = asks
        .iter()
        .map(|ask| attributes(ask))
        .find(|ask| ask["agon.ask"] == "r1.pro#0");
    let first = first.unwrap();
    assert_eq!(first["gen_ai.operation.name"], "chat");
    assert_eq!(first["gen_ai.provider.name"], "anthropic");
    assert_eq!(first["gen_ai.request.model"], "opus");
    assert_eq!(first["gen_ai.agent.name"], "claude");
    assert_eq!(first["gen_ai.conversation.id"], verdict["ulid"]);
    assert_eq!(first["agon.effort"], "medium");
    let number = |value: &Value| {
        // 64 bits are written as text.
        let text = value.as_str().unwrap();
        text.parse::<u64>().unwrap()
    };
    let sum = |name: &str| {
        asks.iter()
            .map(|ask| number(&attributes(ask)[name]))
            .sum::<u64>()
    };
    assert_eq!(
        sum("gen_ai.usage.input_tokens"),
        verdict["usage"]["tokens"]["in"]
    );
    assert_eq!(
        sum("gen_ai.usage.output_tokens"),
        verdict["usage"]["tokens"]["out"]
    );
    let whole = attributes(debate[0]);
    assert_eq!(
        number(&whole["gen_ai.usage.input_tokens"]),
        verdict["usage"]["tokens"]["in"]
    );
    assert_eq!(number(&whole["agon.calls"]), verdict["usage"]["calls"]);
    assert_eq!(whole["agon.ended"], "settled");
    let judge = asks
        .iter()
        .map(|ask| attributes(ask))
        .find(|ask| ask["agon.ask"] == "verdict.judge#0");
    assert_eq!(judge.unwrap()["gen_ai.provider.name"], "gcp.gemini");
    let spoke = turns
        .iter()
        .map(|turn| attributes(turn))
        .find(|turn| turn["agon.turn"] == "r2.cha");
    let spoke = spoke.unwrap();
    assert_eq!(
        (&spoke["agon.kind"], &spoke["agon.outcome"]),
        (&"follow_up".into(), &"admitted".into())
    );

    let received = collector.received();
    let header = ("x-team".to_owned(), "ours".to_owned());
    assert!(received.iter().all(|one| one.headers.contains(&header)));
    let body = received
        .iter()
        .map(|one| one.body.to_string())
        .collect::<String>();
    assert!(
        body.contains(r#"{"key":"service.name","value":{"stringValue":"agon"}}"#),
        "{body}"
    );
    // Nothing of what it was about.
    for word in ["SQLite", "sqlite", "job store", "lease", "plain files"] {
        assert!(!body.contains(word), "{word}: {body}");
    }
}

#[test]
fn a_lost_call_is_an_error_and_a_further_attempt_a_span_of_its_own() {
    let collector = Collector::start(Answers::Well);
    let mut fakes = Fakes::new();
    fakes
        .tools
        .set_scenario("codex", "r1.cha", Behaviour::FailFirst(1));
    let ran = run(
        &mut fakes,
        &collector,
        &[("OTEL_SERVICE_NAME", "review")],
        &["--quick"],
    );
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let spans = collector.spans();
    let asks = spans.iter().map(|span| (span, attributes(span)));
    let mut asks: Vec<_> = asks
        .filter(|(_, ask)| ask.get("agon.ask") == Some(&"r1.cha#0".into()))
        .collect();
    asks.sort_by_key(|(_, ask)| ask["agon.attempt"].to_string());
    let [(lost, first), (_, second)] = asks.as_slice() else {
        panic!("{asks:?}")
    };
    assert_eq!(first["error.type"], "failed");
    assert_eq!(lost["status"]["code"], 2);
    assert_eq!(second.get("error.type"), None);
    let body = collector.received()[0].body.to_string();
    assert!(body.contains(r#""stringValue":"review""#), "{body}");
}

#[test]
fn content_is_told_only_to_those_who_ask_for_it_and_without_secrets() {
    let collector = Collector::start(Answers::Well);
    let mut fakes = Fakes::new();
    fakes
        .tools
        .set_scenario("claude", "r1.pro", Behaviour::Secret);
    let secret = format!("ghp_{}", "a1B2".repeat(9));
    let file = format!("token = \"{secret}\"\n");
    std::fs::write(fakes.place.project().join("notes.txt"), file).unwrap();
    let content = [("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "true")];
    let given = ["--quick", "--context", "file=notes.txt", "--allow-secrets"];
    let ran = run(&mut fakes, &collector, &content, &given);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let spans = collector.spans();
    let asks: Vec<_> = spans
        .iter()
        .map(attributes)
        .filter(|span| span.contains_key("agon.ask"))
        .collect();
    assert_eq!(asks.len(), fakes.tools.asks().len());
    for ask in &asks {
        let messages =
            |name: &str| -> Value { serde_json::from_str(ask[name].as_str().unwrap()).unwrap() };
        let asked = messages("gen_ai.input.messages");
        assert_eq!(asked[0]["role"], "user");
        let prompt = asked[0]["parts"][0]["content"].as_str().unwrap();
        assert!(
            prompt.contains("job store") && prompt.contains("token ="),
            "{prompt}"
        );
        assert_eq!(messages("gen_ai.output.messages")[0]["role"], "assistant");
    }
    let body = format!("{:?}", collector.received());
    assert!(!body.contains(&secret), "the context's secret");
    let texts = [("traces".to_owned(), body.into_bytes())];
    assert!(crate::scenarios::seen::secrets(&texts).is_empty());
}

#[test]
fn a_collector_that_is_down_slow_or_faulty_changes_nothing() {
    let bare = Fakes::new().debate(&["--quick"]);
    assert_eq!(bare.code, Some(0), "{}", bare.stderr);
    let gone = {
        let collector = Collector::start(Answers::Well);
        collector.endpoint()
    };
    let (slow, bad) = (
        Collector::start(Answers::Never),
        Collector::start(Answers::Badly),
    );
    for endpoint in [
        &gone,
        &slow.endpoint(),
        &bad.endpoint(),
        "no address",
        "http://[::1",
    ] {
        let mut fakes = Fakes::new();
        let vars = [("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint)];
        let ran = traced(&mut fakes, &vars, &["--quick"]);
        assert_eq!(ran.code, Some(0), "{endpoint}: {}", ran.stderr);
        let told = ran.stderr.matches("traces were not sent").count();
        assert_eq!(told, 1, "{endpoint}: {}", ran.stderr);
        for part in [
            "answer",
            "authority",
            "winner",
            "why",
            "hangs_on",
            "findings",
        ] {
            assert_eq!(ran.json()[part], bare.json()[part], "{endpoint}: {part}");
        }
        let more = ran.took.saturating_sub(bare.took);
        assert!(more.as_secs() < 5, "{endpoint}: {more:?} more");
    }
    assert_eq!(bad.spans(), Vec::<Value>::new(), "it was sent protobuf");
}

#[test]
fn it_is_off_unless_somebody_asks_for_it() {
    let collector = Collector::start(Answers::Well);
    for (name, value) in [
        ("OTEL_SDK_DISABLED", "true"),
        ("OTEL_TRACES_EXPORTER", "none"),
    ] {
        let mut fakes = Fakes::new();
        let ran = run(&mut fakes, &collector, &[(name, value)], &["--quick"]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    }
    assert_eq!(collector.received(), []);
    // The user's own configuration may name a collector.
    let mut fakes = Fakes::new();
    let config = fakes.place.home().join(".config/agon");
    std::fs::create_dir_all(&config).unwrap();
    let line = format!("otlp_endpoint = \"{}/\"\n", collector.endpoint());
    std::fs::write(config.join("config.toml"), line).unwrap();
    let json = [("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "http/json")];
    let ran = traced(&mut fakes, &json, &["--quick"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(collector.spans().len(), 1 + 3 + fakes.tools.asks().len());
}
