//! What the turns of a team took, and what a collector of traces is told of it.

use std::collections::BTreeMap;
use std::fs;

use agon_testkit::{Answers, Collector};
use serde_json::{Value, json};

use super::started::Team;

/// The figures of a group: turns, retries, tokens in and out, and what is not known.
fn figures(sum: &Value) -> Value {
    json!([
        sum["turns"],
        sum["retries"],
        sum["tokens"]["in"],
        sum["tokens"]["out"],
        sum["tokens_unknown"],
        sum["cost"],
        sum["cost_unknown"],
    ])
}

fn by(document: &Value, what: &str) -> BTreeMap<String, Value> {
    let groups = document[format!("by_{what}")].as_array().unwrap();
    let name = |it: &Value| it["name"].as_str().unwrap_or("-").to_owned();
    groups.iter().map(|it| (name(it), figures(it))).collect()
}

fn map<const N: usize>(groups: [(&str, Value); N]) -> BTreeMap<String, Value> {
    groups.map(|(name, it)| (name.to_owned(), it)).into()
}

fn start(team: &Team, name: &str, task: &str, more: &[&str]) {
    let args = [
        "start", "worker", "--host", "claude", "--name", name, "--task", task, "--wait",
    ];
    team.json(&[&args, more].concat());
}

#[test]
fn turns_are_added_up_by_all_that_they_have_in_common_and_what_no_tool_says_is_no_nought() {
    let team = Team::new();
    let none = team.json(&["usage"]);
    assert_eq!(none["total"]["turns"], 0);
    for unknown in ["tokens", "cost", "time_ms"] {
        assert_eq!(none["total"][unknown], Value::Null, "{unknown}");
    }
    assert_eq!(none["not_started"], json!(["lea"]));
    let first = team.task("One");
    let second = team.task("Two");
    team.mood("ada", "priced\ngood");
    start(&team, "ada", &first, &["--model", "opus"]);
    team.mood("bob", "crash\ngood");
    start(&team, "bob", &second, &[]);
    start(&team, "bob", &second, &[]);
    let used = team.json(&["usage"]);
    let ada = json!([1, 0, 140, 7, 0, 0.25, 0]);
    // One that crashed says nothing: its tokens and money are not known, and not 0.
    let bob = json!([2, 1, 10, 5, 1, null, 2]);
    let all = json!([3, 1, 150, 12, 1, 0.25, 2]);
    assert_eq!(figures(&used["total"]), all, "{used:#}");
    assert_eq!(used["total"]["tokens"]["cached"], 40);
    let both = || [("ada", ada.clone()), ("bob", bob.clone())];
    assert_eq!(by(&used, "member"), map(both()));
    assert_eq!(by(&used, "role"), map([("worker", all.clone())]));
    assert_eq!(by(&used, "host"), map([("claude", all.clone())]));
    assert_eq!(
        by(&used, "task"),
        map([(&first, ada.clone()), (&second, bob.clone())])
    );
    assert_eq!(by(&used, "run"), map([("-", all)]));
    let models: Vec<String> = by(&used, "model").into_keys().collect();
    assert!(models.contains(&"claude opus".to_owned()), "{models:?}");
    assert!(used["total"]["time_ms"].as_u64().unwrap() > 0);
    assert_eq!(used["total"]["time_unknown"], 0);
    let text = team.run(&["usage"]).stdout;
    assert!(
        text.contains("not reported: tokens of 1 turn, cost of 2 turns"),
        "{text}"
    );
    assert!(text.contains("unknown"), "{text}");
    assert!(
        text.contains("not measured (they joined by hand): lea"),
        "{text}"
    );
    let later = team.json(&["usage", "--since", "2099-01-01"]);
    assert_eq!(later["total"]["turns"], 0);
    let refused = team.run(&["usage", "--run", "r9", "--json"]);
    assert!(refused.stdout.contains("r9"), "{}", refused.stdout);
}

#[test]
fn what_became_of_requests_is_counted_for_who_made_them() {
    let team = Team::new();
    let task = team.task("One");
    team.json(&["task", "claim", &task, "--for", "6s"]);
    for _ in 0..2 {
        assert_eq!(team.run(&["task", "claim", &task]).code, Some(2));
    }
    team.run(&["task", "claim"]);
    team.mood("ada", "good");
    let ada = [
        "start", "worker", "--host", "claude", "--name", "ada", "--wait",
    ];
    team.json(&ada);
    for to in ["ada", "worker", "none"] {
        team.run(&["mail", "send", to, "Are you there?"]);
    }
    std::thread::sleep(std::time::Duration::from_millis(6_100));
    let used = team.json(&["usage"]);
    let counts = |sum: &Value| ["claims_refused", "leases_lost", "mails"].map(|it| sum[it].clone());
    let members = used["by_member"].as_array().unwrap();
    let lea = members.iter().find(|it| it["name"] == "lea").unwrap();
    // That nothing is ready is no claim of a task.
    let expected = [json!(2), json!(1), json!(2)];
    assert_eq!(counts(lea), expected, "{used:#}");
    assert_eq!(counts(&used["total"]), expected);
    // What lea does is in no turn, so it is of no task and no run.
    for what in ["by_task", "by_run", "by_model"] {
        assert_eq!(
            counts(&used[what][0]),
            [json!(0), json!(0), json!(0)],
            "{what}"
        );
    }
    let log = team.json(&["log"]).to_string();
    assert_eq!(log.matches("claim.refused").count(), 2, "{log}");
}

/// A word that stands in everything that is said and worked on, and in no trace.
const CANARY: &str = "zebrafinch";

/// A team whose tool says the word in all that it prints, and that is traced.
fn traced_team(collector: &Collector) -> Team {
    let mut team = Team::new();
    let tool = team.place.home().join("bin/claude");
    let text = fs::read_to_string(&tool).unwrap();
    let mut text = text.replace("Done", &format!("Done {CANARY}"));
    for title in ["One", "Two", "Three"] {
        let spec = format!(r#"{title} {CANARY}\",\"spec\":\"{CANARY}"#);
        text = text.replace(
            &format!(r#"\"title\":\"{title}"#),
            &format!(r#"\"title\":\"{spec}"#),
        );
    }
    text = text.replace("Looked at", &format!("Looked {CANARY} at"));
    assert!(text.matches(CANARY).count() > 7);
    fs::write(&tool, text).unwrap();
    for (name, value) in [
        ("OTEL_EXPORTER_OTLP_ENDPOINT", collector.endpoint().as_str()),
        ("OTEL_EXPORTER_OTLP_PROTOCOL", "http/json"),
        // Not even then.
        ("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "true"),
    ] {
        team.place.env.insert(name.to_owned(), value.to_owned());
    }
    team
}

fn attributes(span: &Value) -> BTreeMap<String, Value> {
    let attributes = span["attributes"].as_array().unwrap().iter();
    let value = |it: &Value| it["value"].as_object().unwrap().values().next().cloned();
    attributes
        .map(|it| (it["key"].as_str().unwrap().to_owned(), value(it).unwrap()))
        .collect()
}

#[test]
fn a_collector_gets_the_runs_turns_and_requests_of_a_team_and_nothing_that_was_said_in_it() {
    let collector = Collector::start(Answers::Well);
    let team = traced_team(&collector);
    for (member, mood) in [
        ("r1-planner", "plan"),
        ("r1-reviewer", "approve"),
        ("r1-t1", "priced"),
        ("r1-t2", "crash\ngood"),
        ("r1-t3", "good"),
    ] {
        team.mood(member, mood);
    }
    let goal = format!("Make three files {CANARY}");
    let planned = team.json(&["run", &goal, "--host", "claude"]);
    assert!(planned["plan"].to_string().contains(CANARY), "{planned}");
    let done = team.json(&["run", "--resume", "r1", "--agreed"]);
    assert_eq!(done["stage"], "done", "{done}");
    say_it_everywhere(&team);
    let spans = collector.spans();
    let body: String = collector
        .received()
        .iter()
        .map(|one| one.body.to_string())
        .collect();
    assert!(!body.contains(CANARY), "{body}");
    let prompts = fs::read_to_string(team.place.home().join("r1-t1.prompt")).unwrap();
    assert!(prompts.contains(CANARY), "{prompts}");

    let named = |name: &str| -> Vec<BTreeMap<String, Value>> {
        let own = spans.iter().filter(|span| span["name"] == name);
        own.map(attributes).collect()
    };
    let runs = named("invoke_workflow agon team run");
    assert_eq!(runs.len(), 2, "a span for each process that carried it out");
    let last = runs.iter().find(|it| it["agon.ended"] == "done").unwrap();
    assert_eq!(last["agon.run"], "r1");
    let workers = named("invoke_agent worker");
    assert_eq!(workers.len(), 4, "three tasks, and one of them twice");
    assert_eq!(named("invoke_agent planner").len(), 1);
    assert_eq!(named("invoke_agent reviewer").len(), 3);
    let first = workers.iter().find(|it| it["agon.task"] == "t1").unwrap();
    for (key, value) in [
        ("gen_ai.operation.name", json!("invoke_agent")),
        ("gen_ai.provider.name", json!("anthropic")),
        ("gen_ai.agent.name", json!("r1-t1")),
        ("gen_ai.usage.input_tokens", json!("140")),
        ("gen_ai.usage.cache_read.input_tokens", json!("40")),
        ("gen_ai.usage.output_tokens", json!("7")),
        ("agon.cost_usd", json!(0.25)),
        ("agon.run", json!("r1")),
        ("agon.ended", json!("finished")),
    ] {
        assert_eq!(first.get(key), Some(&value), "{key}: {first:?}");
    }
    let lost = workers
        .iter()
        .find(|it| it["agon.ended"] == "dead")
        .unwrap();
    assert_eq!(lost["error.type"], "dead");
    assert_eq!(lost.get("gen_ai.usage.input_tokens"), None, "not known");
    assert_eq!(lost["agon.leases_lost"], "1", "{lost:?}");
    // Turns of a run belong to its span.
    let span = |name: &str| spans.iter().find(|span| span["name"] == name).unwrap();
    let parent = &span("invoke_agent worker")["parentSpanId"];
    let workflows = spans
        .iter()
        .filter(|it| it["name"] == "invoke_workflow agon team run");
    assert!(workflows.map(|it| &it["spanId"]).any(|id| id == parent));
    assert_requests(&named);
    assert_same_as_usage(&team, last);
}

/// All that a member can say, each with the word in it.
fn say_it_everywhere(team: &Team) {
    let word = |text: &str| text.replace('#', CANARY);
    for args in [
        &["task", "add", "# one", "--spec", "#"][..],
        &["task", "claim", "t4"],
        &["task", "claim", "t4"],
        &["lock", "take", "src/#/**", "--task", "t4", "--epoch", "1"],
        &["task", "release", "t4", "--epoch", "1", "--note", "# first"],
        &["mail", "send", "r1-t1", "Is # free?"],
        &["mail", "fetch"],
        &["gate", "add", "tests", "--", "sh", "-c", "echo #"],
        &["gate", "run", "tests", "--task", "t4"],
    ] {
        let args: Vec<String> = args.iter().map(|arg| word(arg)).collect();
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let ran = team.run(&args);
        assert!(matches!(ran.code, Some(0 | 2)), "{args:?}: {ran:?}");
    }
}

/// The requests of [`say_it_everywhere`], each once; the claim that was refused with why.
fn assert_requests(named: &dyn Fn(&str) -> Vec<BTreeMap<String, Value>>) {
    let of = |tool: &str, op: &str| {
        let all = named(&format!("execute_tool {tool}"));
        let mut own = all.into_iter().filter(|it| it["agon.op"] == op);
        (own.next(), own.next())
    };
    for (tool, op) in [
        ("task", "add"),
        ("task", "release"),
        ("lock", "take"),
        ("mail", "send"),
        ("mail", "fetch"),
        ("gate", "run"),
    ] {
        let (Some(one), None) = of(tool, op) else {
            panic!("{tool} {op} is not told once")
        };
        assert_eq!(one["gen_ai.operation.name"], "execute_tool");
        assert_eq!(one["gen_ai.tool.name"], tool);
        assert_eq!(one["gen_ai.agent.name"], "lea");
        assert_eq!(one.get("error.type"), None, "{one:?}");
    }
    let (first, second) = of("task", "claim");
    let claims = [first.unwrap(), second.unwrap()];
    let refused = claims.iter().filter(|it| it.contains_key("error.type"));
    let codes: Vec<&Value> = refused.map(|it| &it["error.type"]).collect();
    assert_eq!(codes, ["refused"]);
    let (gate, _) = of("gate", "run");
    assert_eq!(gate.unwrap()["agon.passed"], true);
}

/// The figures of the traces are those of `agon team usage`.
fn assert_same_as_usage(team: &Team, last: &BTreeMap<String, Value>) {
    let used = team.json(&["usage", "--run", "r1"]);
    let total = &used["total"];
    assert_eq!(total["turns"], 12, "{used:#}");
    assert_eq!(total["tokens_unknown"], 1);
    let tokens = |sum: &Value| sum["tokens"]["in"].as_i64().unwrap();
    let roles = used["by_role"].as_array().unwrap().iter();
    let worked = roles.filter(|it| {
        let name = it["name"].as_str().unwrap();
        ["worker", "reviewer", "validator"].contains(&name)
    });
    let second: i64 = worked.map(tokens).sum();
    assert!(second < tokens(total), "the plan was made by the first");
    assert_eq!(last["gen_ai.usage.input_tokens"], second.to_string());
    assert_eq!(by(&used, "run").len(), 1, "all of it is of r1: {used:#}");
}
