//! The tools of a team, as a host's model calls them.

use std::process::Command;

use serde_json::{Value, json};

use super::{Repository, commit};
use crate::mcp::client::Client;

// Those that roles may name.
const TEAM: &[&str] = agon_hosts::content::agent::TEAM_TOOLS;
/// All tools together may have so many bytes of names, descriptions and input schemas.
const MAX_SHOWN: usize = 8 * 1024;
/// What is kept free of them for a tool of gates.
const KEPT_FREE: usize = 500;

impl Repository {
    /// What the host of a member starts its server with.
    pub(crate) fn server_command(&self, name: &str) -> Command {
        let mut command = self.place.command(&["mcp"]);
        command.current_dir(self.tree(name));
        command
    }

    /// A server for the host of a member.
    pub(crate) fn serve(&self, name: &str) -> Client {
        Client::initialized(self.server_command(name), "2025-11-25").0
    }
}

fn listed(client: &mut Client) -> Vec<Value> {
    let listed = client.request("tools/list", json!({}));
    listed["result"]["tools"].as_array().unwrap().clone()
}

fn names(tools: &[Value]) -> Vec<&str> {
    tools
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect()
}

#[test]
fn the_tools_of_a_team_are_offered_where_it_was_joined_and_all_stay_small() {
    let team = Repository::with_team();
    let tools = listed(&mut team.serve("ada"));
    assert_eq!(names(&tools)[8..], *TEAM);
    let bytes = |tool: &Value| -> usize {
        let parts = ["name", "description", "inputSchema"];
        parts.iter().map(|part| tool[*part].to_string().len()).sum()
    };
    let each: Vec<_> = tools
        .iter()
        .map(|tool| (tool["name"].clone(), bytes(tool)))
        .collect();
    let shown: usize = tools.iter().map(bytes).sum();
    eprintln!("{shown} bytes of names, descriptions and input schemas: {each:?}");
    let kept = match names(&tools).contains(&"gate") {
        true => 0,
        false => KEPT_FREE,
    };
    assert!(shown <= MAX_SHOWN - kept, "{shown}");
    let output: usize = tools
        .iter()
        .map(|tool| tool["outputSchema"].to_string().len())
        .sum();
    assert!(output <= 6 * 1024, "{output}");
    for tool in &tools[8..] {
        let hints = &tool["annotations"];
        let of = |hint: &str| hints[hint].as_bool().unwrap();
        assert!(!of("readOnlyHint") && !of("destructiveHint") && !of("openWorldHint"));
    }

    team.json("ada", &["leave"]);
    assert_eq!(listed(&mut team.serve("ada")).len(), 8);
    let refused = team.serve("ada").error("task", json!({"op": "claim"}));
    assert_eq!(refused["code"], "not_member", "{refused}");
    let mut nested = team.place.command(&["mcp"]);
    nested.env("AGON_DEPTH", "1");
    assert_eq!(
        listed(&mut Client::initialized(nested, "2025-11-25").0).len(),
        0
    );
}

#[test]
fn a_piece_of_work_is_done_by_tools_alone() {
    let team = Repository::with_team();
    let (mut lea, mut ada, mut bob) = (team.serve("lea"), team.serve("ada"), team.serve("bob"));
    let spec = "sh greet.sh Ada says Hello, Ada.\u{202e}";
    let add = json!({"op": "add", "title": "Greet by name", "spec": spec, "review": true});
    assert_eq!(lea.document("task", add)["task"], "t1");
    lea.document(
        "task",
        json!({"op": "add", "title": "Document it", "needs": ["t1"]}),
    );
    let board = bob.document("task", json!({"op": "list"}));
    assert_eq!(
        (&board["you"], &board["unread"]),
        (&"bob".into(), &0.into())
    );
    assert_eq!(
        board["tasks"][0]["waits_for"],
        json!(["a member to claim it"])
    );
    assert_eq!(board["tasks"][1]["waits_for"], json!(["t1 (ready)"]));

    let claimed = ada.document("task", json!({"op": "claim", "seconds": 600}));
    assert_eq!(
        (&claimed["task"], &claimed["epoch"]),
        (&"t1".into(), &1.into())
    );
    assert!(claimed["lease_left_s"].as_u64() > Some(590), "{claimed}");
    let text = claimed["text"].as_str().unwrap();
    assert!(
        text.contains("\nGreet by name\n\nsh greet.sh Ada says Hello, Ada.\ndata "),
        "{text}"
    );
    let refused = bob.error("task", json!({"op": "claim", "task": "t1"}));
    assert!(
        refused["message"]
            .as_str()
            .unwrap()
            .contains("t1 is claimed"),
        "{refused}"
    );
    let blocked = bob.error("task", json!({"op": "claim", "task": "t2"}));
    assert_eq!(blocked["message"], "t2 still needs t1");
    assert_eq!(blocked["hint"], "see why with `task` with op show: `t2`");

    let held = json!({"task": "t1", "epoch": 1});
    let with = |more: Value| {
        let mut all = held.clone();
        all.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        all
    };
    ada.document("task", with(json!({"op": "start"})));
    let lock = ada.document("lock", with(json!({"op": "take", "globs": ["greet.sh"]})));
    assert_eq!(lock["lock"]["granted"], true);
    bob.document(
        "mail",
        json!({"op": "send", "to": "ada", "body": "Say you, too."}),
    );
    let fetched = ada.document("mail", json!({"op": "fetch"}));
    assert_eq!(fetched["letters"][0]["from"], "bob");
    ada.document("mail", json!({"op": "ack", "messages": ["m1"]}));
    ada.document(
        "task",
        with(json!({"op": "wait", "reason": "input", "seconds": 60})),
    );
    ada.document("task", with(json!({"op": "start"})));
    ada.document("task", with(json!({"op": "renew"})));
    commit(&team.tree("ada"), "echo Hello, $1\n");
    let submitted = ada.document("task", with(json!({"op": "submit"})));
    assert_eq!(
        submitted["waits_for"],
        json!(["the approval of a member who did not work on it"])
    );
    assert_eq!(submitted["commit"].as_str().unwrap().len(), 40);
    let own = ada.error(
        "task",
        with(json!({"op": "review", "review": true, "note": "fine"})),
    );
    assert_eq!(own["message"], "ada may not review what it worked on");
    bob.document(
        "task",
        with(json!({"op": "review", "review": true, "note": "ran it"})),
    );
    let done = ada.document("task", with(json!({"op": "done"})));
    assert_eq!(done["state"], "done");
    assert_eq!(
        bob.document("lock", json!({"op": "list"}))["locks"],
        json!([])
    );
    bob.document("task", json!({"op": "claim", "task": "t2"}));
    // Nothing has changed, and no epoch is needed to be told so.
    let unchanged = bob.error("task", json!({"op": "submit", "task": "t2"}));
    let message = unchanged["message"].as_str().unwrap();
    assert!(message.contains("changes nothing: t2 started"), "{message}");
    let none = bob.error(
        "task",
        json!({"op": "review", "task": "t2", "review": true, "note": "x"}),
    );
    assert_eq!(none["code"], "refused", "{none}");
}

#[test]
fn a_call_names_neither_a_sender_nor_the_work_tree_of_another() {
    let team = Repository::with_team();
    let mut bob = team.serve("bob");
    let tree = team.tree("ada").display().to_string();
    let send = |more: Value| {
        let mut all = json!({"op": "send", "to": "lea", "body": "x"});
        all.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        all
    };
    for forged in [
        json!({"from": "ada"}),
        json!({"sender": "person"}),
        json!({"trust": "lead"}),
        json!({"role": "lead"}),
        json!({"token": "0".repeat(64)}),
        json!({"project": tree}),
    ] {
        let refused = bob.error("mail", send(forged));
        assert_eq!(refused["code"], "invalid_parameter", "{refused}");
    }
    bob.document("mail", send(json!({})));
    let letter = team.json("lea", &["mail", "fetch"])["letters"][0].clone();
    assert_eq!(
        (&letter["from"], &letter["trust"]),
        (&"bob".into(), &"peer".into())
    );
    let log = team.json("lea", &["log"]).to_string();
    assert_eq!(log.matches("mail.sent").count(), 1, "{log}");
}

/// The tokens of what a model is given of a call.
fn tokens(document: &Value) -> usize {
    tiktoken_rs::o200k_base_singleton().count_ordinary(&document.to_string())
}

/// What stands in the fence of a letter, which is whole.
fn body(letter: &Value) -> &str {
    let (_, rest) = letter["text"].as_str().unwrap().split_once('\n').unwrap();
    let (opening, rest) = rest.split_once('\n').unwrap();
    let code = opening.split(' ').nth(1).unwrap();
    rest.strip_suffix(&format!("\ndata {code}>>>")).unwrap()
}

#[test]
fn however_much_mail_there_is_a_result_is_small_and_all_of_it_can_be_read() {
    let team = Repository::with_team();
    let bodies: Vec<String> = (0..12)
        .map(|nth| match nth % 3 {
            0 => format!("short {nth}"),
            1 => format!("{nth} {}end", "a line with \"quotes\"\n".repeat(700)),
            _ => format!("{nth} {}end", "\u{4e2d}\u{6587}\\ ".repeat(1_500)),
        })
        .collect();
    for body in &bodies {
        let (code, said) = team.pipe("bob", &["mail", "send", "ada", "-"], body.as_bytes());
        assert_eq!(code, Some(0), "{said}");
    }
    let mut ada = team.serve("ada");
    let mut read = Vec::new();
    loop {
        let fetched = ada.document("mail", json!({"op": "fetch"}));
        assert!(tokens(&fetched) <= 1_500, "{}", tokens(&fetched));
        assert!(fetched.get("notes").is_none(), "cut: {fetched}");
        let letters = fetched["letters"].as_array().unwrap();
        assert_eq!(fetched["unread"], bodies.len() - read.len() - letters.len());
        for letter in letters {
            let mut text = body(letter).to_owned();
            let mut rest = letter["rest"].clone();
            while let Some(at) = rest["at"].as_u64() {
                let part = json!({"op": "thread", "thread": letter["thread"],
                    "message": rest["message"], "at": at});
                let part = ada.document("mail", part);
                assert!(tokens(&part) <= 1_500, "{}", tokens(&part));
                text.push_str(body(&part["letters"][0]));
                rest = part["next"].clone();
            }
            read.push(text);
        }
        if fetched["unread"] == 0 {
            break;
        }
    }
    assert_eq!(read, bodies);
    let again = ada.document("mail", json!({"op": "fetch", "again": true}));
    assert!(tokens(&again) <= 1_500, "{}", tokens(&again));
    assert_eq!(again["unacknowledged"], 12);
}

#[test]
fn a_board_of_many_tasks_and_a_long_one_is_small() {
    let team = Repository::with_team();
    let mut lea = team.serve("lea");
    let title = "A title that is as long as titles may be, and says little of it. ".repeat(7);
    for nth in 0..60 {
        let add =
            json!({"op": "add", "title": format!("{nth} {title}"), "spec": "x y ".repeat(8_000)});
        lea.document("task", add);
    }
    let board = lea.document("task", json!({"op": "list"}));
    assert!(tokens(&board) <= 1_500, "{}", tokens(&board));
    assert!(board.get("notes").is_none(), "cut: {board}");
    let shown = board["tasks"].as_array().unwrap().len() as u64;
    assert_eq!(board["left_out"].as_u64(), Some(60 - shown));
    let work = lea.document("task", json!({"op": "show", "task": "t60"}));
    assert!(tokens(&work) <= 1_500, "{}", tokens(&work));
    assert!(work.get("notes").is_none(), "cut: {work}");
    let text = work["text"].as_str().unwrap();
    let code = text.lines().nth(1).unwrap().split(' ').nth(1).unwrap();
    assert!(text.ends_with(&format!("\ndata {code}>>>")), "{text}");
}
