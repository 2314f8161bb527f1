//! `agon mcp`, spoken to over its pipes as hosts do.

pub(crate) mod client;
mod conformance;
mod habits;
mod many;
mod mounted;
mod others;
mod places;
mod reach;
mod sizes;
mod wire;

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use agon_hosts::content::agent::TEAM_TOOLS;
use agon_testkit::{Behaviour, FakeTools, Script};
use serde_json::{Value, json};

use self::client::Client;
use crate::scenarios::place::Fakes;
use crate::support::TOPIC;

const LATEST: &str = "2025-11-25";

fn connect(fakes: &Fakes) -> Client {
    Client::initialized(fakes.place.command(&["mcp"]), LATEST).0
}

fn tools(client: &mut Client) -> Vec<Value> {
    let listed = client.request("tools/list", json!({}));
    listed["result"]["tools"].as_array().unwrap().clone()
}

/// What every request of a client without a handshake carries.
fn inline_meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "0"},
    })
}

#[test]
fn every_version_of_the_protocol_is_spoken_with_and_without_a_handshake() {
    let fakes = Fakes::new();
    for version in ["2025-03-26", "2025-06-18", "2025-11-25"] {
        let (mut client, answer) = Client::initialized(fakes.place.command(&["mcp"]), version);
        let result = &answer["result"];
        assert_eq!(result["protocolVersion"], version);
        assert_eq!(result["serverInfo"]["name"], "agon");
        let instructions = result["instructions"].as_str().unwrap();
        assert!(instructions.chars().count() < 400, "{instructions}");
        assert_eq!(tools(&mut client).len(), 8);
        assert_eq!(client.close(), Some(0));
    }
    let mut client = Client::start(fakes.place.command(&["mcp"]));
    let found = client.request("server/discover", json!({"_meta": inline_meta()}));
    let versions = &found["result"]["supportedVersions"];
    assert_eq!(
        versions,
        &json!(["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"])
    );
    let listed = client.request("tools/list", json!({"_meta": inline_meta()}));
    assert_eq!(listed["result"]["tools"].as_array().unwrap().len(), 8);
    assert_eq!(listed["result"]["resultType"], "complete");
    assert_eq!(client.close(), Some(0));
}

#[test]
fn what_a_model_is_given_of_the_tools_is_small() {
    let fakes = Fakes::new();
    let mut client = connect(&fakes);
    let tools = tools(&mut client);
    let names: Vec<_> = tools.iter().map(|tool| &tool["name"]).collect();
    assert_eq!(
        json!(names),
        json!([
            "debate_start",
            "debate_wait",
            "debate_result",
            "debate_steer",
            "debate_ask",
            "consult",
            "recall",
            "status"
        ])
    );
    let bytes = |parts: &[&str]| -> usize {
        let of_tool = |tool: &Value| -> usize {
            parts.iter().map(|part| tool[*part].to_string().len()).sum()
        };
        tools.iter().map(of_tool).sum()
    };
    let shown = bytes(&["name", "description", "inputSchema"]);
    let output = bytes(&["outputSchema"]);
    eprintln!("{shown} bytes of names, descriptions and input schemas; {output} of output schemas");
    assert!(shown <= 6 * 1024, "{shown}");
    assert!(output <= 6 * 1024, "{output}");
    for tool in &tools {
        let hints = &tool["annotations"];
        for hint in ["readOnlyHint", "destructiveHint", "openWorldHint"] {
            assert!(hints[hint].is_boolean(), "{hint} of {}", tool["name"]);
        }
        assert_eq!(tool["inputSchema"]["type"], "object");
        assert_eq!(tool["outputSchema"]["type"], "object");
    }
}

#[test]
fn a_debate_is_started_followed_turn_by_turn_and_read() {
    let fakes = Fakes::new();
    fakes
        .tools
        .set_scenario("claude", "r1.pro", Behaviour::Slow(1_500));
    let mut client = connect(&fakes);
    let began = Instant::now();
    let started = client.document("debate_start", json!({"topic": TOPIC}));
    assert!(began.elapsed() < Duration::from_secs(20));
    assert_eq!(started["schema"], "agon.started/1");
    let again = client.document("debate_start", json!({"topic": TOPIC}));
    assert_eq!(again["id"], started["id"]);
    assert_eq!(again["reused"], true);

    let debate = &started["debate"];
    let (mut cursor, mut heard, mut looks) = (0, Vec::new(), 0);
    loop {
        let told = client.document("debate_wait", json!({"debate": debate, "cursor": cursor}));
        assert_eq!(told["schema"], "agon.heard/1");
        cursor = told["cursor"].as_u64().unwrap();
        heard.extend(told["turns"].as_array().unwrap().clone());
        looks += 1;
        if told["state"] != "running" && told["waiting"] == 0 {
            assert_eq!(told["state"], "done", "{told}");
            break;
        }
        assert!(looks < 200, "{told}");
    }
    assert!(looks > 1, "all of it came at once");
    let seats: Vec<_> = heard.iter().map(|turn| turn["seat"].clone()).collect();
    assert_eq!(heard.len(), 8, "{seats:?}");
    for turn in &heard {
        assert!(!turn["text"].as_str().unwrap().is_empty(), "{turn}");
        assert!(turn["tool"].is_string(), "{turn}");
    }
    let result = client.document("debate_result", json!({"debate": debate}));
    assert_eq!(result["schema"], "agon.result/1");
    assert_eq!(result["answer"], "Use SQLite for the job store");
    let mut seen = 0;
    loop {
        let wanted = json!({"debate": debate, "section": "transcript", "from": seen});
        let page = client.document("debate_result", wanted);
        let entries = page["entries"].as_array().unwrap();
        assert!(!entries.is_empty(), "{page}");
        seen += entries.len();
        if page["left"] == 0 {
            break;
        }
    }
    assert_eq!(seen, 8);
    for section in ["evidence", "findings", "arguments", "synthesis"] {
        let wanted = json!({"debate": debate, "section": section});
        let page = client.document("debate_result", wanted);
        assert_eq!(page["debate"], *debate, "{page}");
    }
    let near = client.document("recall", json!({"topic": TOPIC}));
    assert_eq!(near["decisions"][0]["id"], started["id"]);
    let used = client.document("status", json!({"op": "usage"}));
    assert_eq!(used["total"]["calls"], 8, "{used}");
    assert_eq!(client.close(), Some(0));
}

#[test]
fn a_debate_outlives_its_server_and_a_wait_ends_with_its_client() {
    let fakes = Fakes::new();
    fakes
        .tools
        .set_scenario("claude", "r1.pro", Behaviour::Slow(60_000));
    let mut client = connect(&fakes);
    let started = client.document("debate_start", json!({"topic": TOPIC}));
    let debate = started["debate"].clone();
    // Past the turns that ended before.
    let wanted = json!({"name": "debate_wait", "arguments": {"debate": debate, "cursor": 99}});
    let waiting = client.begin("tools/call", wanted.clone());
    let other = client.request("ping", json!({}));
    assert!(other["result"].is_object(), "a wait holds nothing else up");
    client.send(&json!({
        "jsonrpc": "2.0",
        "method": "notifications/cancelled",
        "params": {"requestId": waiting, "reason": "enough"},
    }));
    assert!(client.request("ping", json!({}))["result"].is_object());
    client.begin("tools/call", wanted);
    let closing = Instant::now();
    assert_eq!(client.close(), Some(0));
    assert!(closing.elapsed() < Duration::from_secs(5), "{closing:?}");

    let mut later = connect(&fakes);
    let told = later.document("debate_wait", json!({"debate": debate, "timeout": 0}));
    assert_eq!(told["state"], "running", "{told}");
    let stopped = later.document("debate_steer", json!({"debate": debate, "op": "stop"}));
    assert_eq!(stopped["stopped"], true, "{stopped}");
    let told = later.document("debate_wait", json!({"debate": debate}));
    assert_eq!(told["state"], "stopped", "{told}");
}

#[test]
fn what_is_wrong_is_told_and_nothing_else_is_said() {
    let fakes = Fakes::new();
    let mut client = connect(&fakes);
    let error = client.error("debate_start", json!({}));
    assert_eq!(
        (&error["code"], &error["parameter"]),
        (&json!("invalid_parameter"), &json!("topic"))
    );
    let error = client.error("debate_start", json!({"topic": TOPIC, "speed": 9}));
    assert_eq!(error["parameter"], "speed");
    for (parameter, value) in [("rounds", json!("many")), ("depth", json!("slow"))] {
        let error = client.error("debate_start", json!({"topic": TOPIC, parameter: value}));
        assert_eq!(error["parameter"], parameter, "{error}");
        assert!(
            error["message"].as_str().unwrap().contains(parameter),
            "{error}"
        );
    }
    let error = client.error("debate_wait", json!({"debate": "s", "cursor": -1}));
    assert_eq!(error["parameter"], "cursor", "{error}");
    let error = client.error(
        "debate_start",
        json!({"topic": TOPIC, "max_tokens": 9_000_000}),
    );
    assert_eq!(error["code"], "limit_raised");
    let same = json!({"topic": TOPIC, "proposer": "claude", "challenger": "claude"});
    let error = client.error("debate_start", same);
    assert_eq!(error["code"], "same_tool");
    let hint = error["hint"].as_str().unwrap();
    assert!(
        hint.contains("model_challenger") && !hint.contains("--"),
        "{hint}"
    );
    let few = json!({"topic": TOPIC, "max_calls": 1});
    let error = client.error("debate_start", few);
    assert_eq!(error["parameter"], "max_calls", "{error}");
    assert!(!error.to_string().contains("--"), "{error}");
    let error = client.error("debate_start", json!({"topic": TOPIC, "project": "here"}));
    assert_eq!(error["parameter"], "project");
    let error = client.error("debate_wait", json!({"debate": "nosuch"}));
    assert_eq!(error["code"], "unknown_debate");
    let error = client.error("debate_steer", json!({"debate": "nosuch", "op": "note"}));
    assert_eq!(error["code"], "missing_parameter");

    let unknown = client.request("tools/call", json!({"name": "nosuch", "arguments": {}}));
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
    let unknown = client.request("no/such", json!({}));
    assert_eq!(unknown["error"]["code"], -32601, "{unknown}");
    let large = "x".repeat(4_000_000);
    let error = client.error("debate_start", json!({"topic": large}));
    assert_eq!(error["code"], "invalid_parameter", "{error}");
    client.send_line("this is not JSON");
    assert!(client.request("ping", json!({}))["result"].is_object());
    assert_eq!(client.close(), Some(0));
}

#[test]
fn a_debater_is_offered_nothing() {
    let mut fakes = Fakes::new();
    fakes.place.env.insert("AGON_DEPTH".into(), "1".into());
    let (mut client, answer) = Client::initialized(fakes.place.command(&["mcp"]), LATEST);
    assert_eq!(answer["result"]["instructions"], Value::Null, "{answer}");
    assert_eq!(tools(&mut client), Vec::<Value>::new());
    let prompts = client.request("prompts/list", json!({}));
    assert_eq!(prompts["result"]["prompts"], json!([]));
    let error = client.error("debate_start", json!({"topic": TOPIC}));
    assert_eq!(error["code"], "depth");
}

#[test]
fn the_prompt_asks_for_a_debate_on_its_topic() {
    let fakes = Fakes::new();
    let mut client = connect(&fakes);
    let listed = client.request("prompts/list", json!({}));
    assert_eq!(listed["result"]["prompts"][0]["name"], "duel-prompt");
    let asked = json!({"name": "duel-prompt", "arguments": {"topic": "Tabs or spaces?"}});
    let prompt = client.request("prompts/get", asked);
    let text = prompt["result"]["messages"][0]["content"]["text"]
        .as_str()
        .unwrap();
    assert!(
        text.contains("Tabs or spaces?") && text.contains("debate_start"),
        "{text}"
    );
    let missing = client.request("prompts/get", json!({"name": "duel-prompt"}));
    assert_eq!(missing["error"]["code"], -32602);
}

#[test]
fn a_tool_that_is_alone_debates_with_two_models_without_being_asked() {
    let fakes = Fakes::with(FakeTools::with(&["claude"]));
    let mut client = connect(&fakes);
    let started = client.document("debate_start", json!({"topic": TOPIC}));
    let notes = started["notes"].to_string();
    assert!(notes.contains("opus against sonnet"), "{started}");
    let debate = &started["debate"];
    for _ in 0..200 {
        let told = client.document("debate_wait", json!({"debate": debate, "cursor": 99}));
        if told["state"] != "running" {
            break;
        }
    }
    let result = client.document("debate_result", json!({"debate": debate}));
    let said = result.to_string();
    assert!(
        said.contains("both sides are models of one tool, claude"),
        "{said}"
    );
    assert_eq!(client.close(), Some(0));
}

#[test]
fn roles_and_agents_may_call_tools_that_are_here_and_no_others() {
    let mut client = connect(&Fakes::new());
    let here: Vec<_> = tools(&mut client)
        .into_iter()
        .map(|tool| tool["name"].as_str().unwrap().to_owned())
        // These are listed once a team was joined.
        .chain(TEAM_TOOLS.iter().map(|&tool| tool.to_owned()))
        .collect();
    let content = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../content");
    let mut named = 0;
    for folder in ["roles", "agents"] {
        for file in fs::read_dir(content.join(folder)).unwrap() {
            let path = file.unwrap().path();
            let text = fs::read_to_string(&path).unwrap();
            let lists = text.lines().filter(|line| line.starts_with("agon = ["));
            for tool in lists.flat_map(|line| line.split('"').skip(1).step_by(2)) {
                assert!(
                    here.iter().any(|it| it == tool),
                    "{}: {tool}",
                    path.display()
                );
                named += 1;
            }
        }
    }
    assert!(named > 15, "{named}");
    assert_eq!(client.close(), Some(0));
}

#[test]
fn a_model_is_told_how_good_its_context_is_and_what_to_do() {
    let fakes = Fakes::new();
    let mut client = connect(&fakes);
    let none = client.error("status", json!({"op": "context"}));
    assert_eq!(none["code"], "no_session", "{none}");
    let project = fs::canonicalize(fakes.place.project()).unwrap();
    let project = project.to_str().unwrap();
    let slug: String = project
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    let folder = fakes.place.home().join(".claude/projects").join(slug);
    fs::create_dir_all(&folder).unwrap();
    let mut lines = vec![
        json!({"type": "user", "uuid": "u", "sessionId": "aaaa-1", "cwd": project,
        "timestamp": "2026-11-23T04:07:25Z", "message": {"content": "Never touch vendor. Begin."}}),
    ];
    lines.extend((0..400).map(|at| {
        json!({"type": "assistant", "uuid": format!("a{at}"), "sessionId": "aaaa-1",
            "timestamp": "2026-11-23T04:07:26Z",
            "message": {"id": format!("m{at}"), "model": "claude-opus-4-5",
                "content": [{"type": "text", "text": format!("We decided on the variant {at} for the table.")}],
                "usage": {"input_tokens": 150_000 + at, "output_tokens": 0}}})
    }));
    let text: String = lines.iter().map(|it| format!("{it}\n")).collect();
    fs::write(folder.join("aaaa-1.jsonl"), text).unwrap();
    for arguments in [
        json!({"op": "context"}),
        json!({"op": "context", "session": "aaaa"}),
    ] {
        let told = client.document("status", arguments);
        assert_eq!(told["schema"], "agon.context/1");
        let found = &told["sessions"][0];
        assert_eq!([&found["id"], &found["state"]], ["aaaa-1", "amber"]);
        let reason = found["reasons"][0]["words"].as_str().unwrap();
        assert!(reason.contains("past onset of 100000"), "{found}");
        assert_eq!(found["next_step"]["step"], "compress");
        assert!(
            found["next_step"]["more"].as_u64().unwrap() > 300,
            "{found}"
        );
        assert!(told.to_string().len() < 4_500, "{}", told.to_string().len());
    }
    assert_eq!(client.close(), Some(0));
}

#[test]
fn a_model_has_its_session_examined_and_is_told_what_was_verified() {
    let fakes = Fakes::new();
    let finding = |quote: &str| {
        json!({"pattern": "lost_in_the_middle", "subject": "git push", "why": "It was pushed.",
            "evidence": [{"line": 1, "role": "rule", "quote": "Never git push"},
                {"line": 2, "role": "act", "quote": quote}]})
    };
    let answer = json!({"findings": [finding("git push origin"), finding("git pull")]});
    fakes.tools.set_script(&Script::new(answer.to_string()));
    let project = fs::canonicalize(fakes.place.project()).unwrap();
    let project = project.to_str().unwrap();
    let slug = project.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    let folder = fakes.place.home().join(".claude/projects").join(slug);
    fs::create_dir_all(&folder).unwrap();
    let line = |kind: &str, at: u32, content: Value| {
        json!({"type": kind, "uuid": format!("u{at}"), "sessionId": "bbbb-1", "cwd": project,
            "timestamp": format!("2026-11-23T04:07:{at:02}Z"),
            "message": {"id": format!("m{at}"), "model": "claude-opus-4-5", "content": content}})
    };
    let lines = [
        line("user", 1, json!("Never git push, only commit.")),
        line(
            "assistant",
            2,
            json!([{"type": "tool_use", "id": "t1", "name": "Bash",
                "input": {"command": "git push origin main"}}]),
        ),
        line(
            "user",
            3,
            json!([{"type": "tool_result", "tool_use_id": "t1", "content": "done"}]),
        ),
    ];
    let text: String = lines.iter().map(|it| format!("{it}\n")).collect();
    fs::write(folder.join("bbbb-1.jsonl"), text).unwrap();
    let mut client = connect(&fakes);
    let told = client.document(
        "consult",
        json!({"op": "examine", "session": "bbbb", "tools": ["claude"]}),
    );
    assert_eq!(told["schema"], "agon.context/1", "{told}");
    let examined = &told["sessions"][0]["examined"];
    assert_eq!(
        [&examined["count"], &examined["proposed"]],
        [&json!(1), &json!(2)]
    );
    assert_eq!(
        examined["findings"][0]["evidence"][1]["words"],
        "git push origin"
    );
    let notes = told["notes"].to_string();
    assert!(
        notes.contains("asking claude (haiku) about 1 part"),
        "{notes}"
    );
    assert!(told["said_by"].is_string(), "{told}");
    let missing = client.error("consult", json!({"tools": ["claude"]}));
    assert_eq!(missing["parameter"], "question", "{missing}");
    assert_eq!(client.close(), Some(0));
}
