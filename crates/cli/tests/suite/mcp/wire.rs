//! Every message of ours against the protocol's own schemas, where `AGON_MCP_SCHEMAS` names a folder
//! of them: `VERSION.json` for each version, as the protocol's repository publishes them.

use std::fs;
use std::path::Path;
use std::process::Command;

use jsonschema::Validator;
use serde_json::{Value, json};

use super::client::Client;
use super::{TOPIC, inline_meta};
use crate::scenarios::place::Fakes;
use crate::team::Repository;

/// Each version, and whether a connection of it begins with a handshake.
const VERSIONS: [(&str, bool); 4] = [
    ("2025-03-26", true),
    ("2025-06-18", true),
    ("2025-11-25", true),
    ("2026-07-28", false),
];

/// The schema of one version.
struct Protocol {
    whole: Value,
}

impl Protocol {
    fn read(dir: &Path, version: &str) -> Self {
        let text = fs::read_to_string(dir.join(format!("{version}.json"))).unwrap();
        Self {
            whole: serde_json::from_str(&text).unwrap(),
        }
    }

    /// What checks values of the type `name`.
    fn of(&self, name: &str) -> Validator {
        let holder = match self.whole.get("$defs") {
            Some(_) => "$defs",
            None => "definitions",
        };
        assert!(self.whole[holder][name].is_object(), "no type {name}");
        let mut schema = self.whole.clone();
        schema["$ref"] = json!(format!("#/{holder}/{name}"));
        jsonschema::validator_for(&schema).unwrap()
    }

    fn check(&self, name: &str, value: &Value) {
        let validator = self.of(name);
        let wrong: Vec<_> = validator
            .iter_errors(value)
            .map(|it| it.to_string())
            .collect();
        assert_eq!(wrong, Vec::<String>::new(), "{name}: {value}");
    }
}

/// What is asked, and the type of what comes back; none where it is an error.
fn exchanges() -> Vec<(&'static str, Value, Option<&'static str>)> {
    let call = |tool: &str, arguments: Value| json!({"name": tool, "arguments": arguments});
    vec![
        ("tools/list", json!({}), Some("ListToolsResult")),
        ("prompts/list", json!({}), Some("ListPromptsResult")),
        (
            "prompts/get",
            json!({"name": "duel-prompt", "arguments": {"topic": TOPIC}}),
            Some("GetPromptResult"),
        ),
        (
            "tools/call",
            call("status", json!({})),
            Some("CallToolResult"),
        ),
        (
            "tools/call",
            call("debate_start", json!({"topic": TOPIC, "dry_run": true})),
            Some("CallToolResult"),
        ),
        (
            "tools/call",
            call("consult", json!({"question": TOPIC})),
            Some("CallToolResult"),
        ),
        (
            "tools/call",
            call("debate_wait", json!({"debate": "nosuch"})),
            Some("CallToolResult"),
        ),
        ("tools/call", call("nosuch", json!({})), None),
        ("prompts/get", json!({"name": "nosuch"}), None),
        ("no/such", json!({}), None),
    ]
}

fn exchanges_of_team() -> Vec<(&'static str, Value, Option<&'static str>)> {
    let call = |tool: &str, arguments: Value| {
        let params = json!({"name": tool, "arguments": arguments});
        ("tools/call", params, Some("CallToolResult"))
    };
    vec![
        ("tools/list", json!({}), Some("ListToolsResult")),
        call("task", json!({"op": "add", "title": "Greet by name"})),
        call("task", json!({"op": "list"})),
        call("task", json!({"op": "claim"})),
        call("task", json!({"op": "done"})),
        call("lock", json!({"op": "list"})),
        call("lock", json!({"op": "take"})),
        call("mail", json!({"op": "send", "to": "bob", "body": "x"})),
        call("mail", json!({"op": "fetch"})),
        call("mail", json!({"op": "nosuch"})),
    ]
}

#[test]
fn every_message_is_one_of_the_protocol_in_each_version() {
    let Some(dir) = std::env::var_os("AGON_MCP_SCHEMAS") else {
        eprintln!("skipped: AGON_MCP_SCHEMAS names no folder of the protocol's schemas");
        return;
    };
    let fakes = Fakes::new();
    speaks(Path::new(&dir), &exchanges(), || {
        fakes.place.command(&["mcp"])
    });
    // The tools of a team, where one was joined.
    let team = Repository::with_team();
    speaks(Path::new(&dir), &exchanges_of_team(), || {
        team.server_command("ada")
    });
}

/// Holds every message of a server to the protocol, in each version.
fn speaks(
    dir: &Path,
    exchanges: &[(&'static str, Value, Option<&'static str>)],
    command: impl Fn() -> Command,
) {
    for (version, has_handshake) in VERSIONS {
        let protocol = Protocol::read(dir, version);
        let mut client = match has_handshake {
            true => {
                let (client, answer) = Client::initialized(command(), version);
                protocol.check("InitializeResult", &answer["result"]);
                client
            }
            false => {
                let mut client = Client::start(command());
                let params = json!({"_meta": inline_meta()});
                let answer = client.request("server/discover", params);
                protocol.check("DiscoverResult", &answer["result"]);
                client
            }
        };
        for (nth, (method, mut params, result)) in exchanges.iter().cloned().enumerate() {
            let meta = match has_handshake {
                true => json!({}),
                false => inline_meta(),
            };
            params["_meta"] = meta;
            params["_meta"]["progressToken"] = json!(format!("token-{nth}"));
            let answer = client.request(method, params);
            protocol.check("JSONRPCMessage", &answer);
            match result {
                Some(name) => protocol.check(name, &answer["result"]),
                None => assert!(answer["error"]["code"].is_i64(), "{method}: {answer}"),
            }
        }
        for message in std::mem::take(&mut client.notifications) {
            protocol.check("JSONRPCMessage", &message);
            protocol.check("ServerNotification", &message);
        }
        assert_eq!(client.close(), Some(0));
    }
}
