//! How many tokens of a host's model each result takes, where everything in a debate is long.

use agon_testkit::Script;
use serde_json::{Value, json};

use super::client::Client;
use super::connect;
use crate::scenarios::place::Fakes;
use crate::support::TOPIC;

/// Maximum number of tokens of the result of a call, and of each answer in one that has several.
const MAX_TOKENS: usize = 1_500;

/// The hand-written debate, with every reply some thousand words long.
fn long_script() -> Script {
    let mut script = Script::job_store();
    let filler = "and more of it, at length, with `a_name` and a path in it ".repeat(4);
    let prose =
        "A sentence that says little, with `code`, \"quotes\" and a path: src/claim.rs:44.\n";
    for replies in script.turns.values_mut() {
        for reply in replies {
            for key in ["relevance", "content", "why", "claim", "question"] {
                let (plain, long) = (format!("\"{key}\": \""), format!("\"{key}\": \"{filler}"));
                *reply = reply.replace(&plain, &long);
            }
            reply.insert_str(0, &format!("{}\n\n", prose.repeat(150)));
        }
    }
    script.default = prose.repeat(400);
    script
}

/// The tokens of what a model is given of a call.
fn tokens_of(client: &mut Client, tool: &str, arguments: Value) -> (usize, Value) {
    let result = client.call(tool, arguments);
    let text = result["content"][0]["text"].as_str().unwrap();
    let tokens = tiktoken_rs::o200k_base_singleton().count_ordinary(text);
    (tokens, serde_json::from_str(text).unwrap())
}

#[test]
fn no_result_takes_more_tokens_than_a_host_can_spare_however_long_the_texts_are() {
    let fakes = Fakes::new();
    fakes.tools.set_script(&long_script());
    let mut client = connect(&fakes);
    let mut sizes = Vec::new();
    let mut measure = |client: &mut Client, what: &str, tool: &str, arguments: Value| -> Value {
        let (tokens, document) = tokens_of(client, tool, arguments);
        eprintln!("{what}: {tokens} tokens {}", document["schema"]);
        sizes.push((what.to_owned(), tokens));
        document
    };
    let topic = json!({"topic": TOPIC});
    let started = measure(&mut client, "debate_start", "debate_start", topic);
    let debate = &started["debate"];
    let mut cursor = json!(0);
    loop {
        let arguments = json!({"debate": debate, "cursor": cursor});
        let heard = measure(&mut client, "debate_wait", "debate_wait", arguments);
        cursor = heard["cursor"].clone();
        if heard["state"] != "running" && heard["waiting"] == 0 {
            assert_eq!(heard["state"], "done", "{heard}");
            break;
        }
    }
    measure(
        &mut client,
        "debate_result",
        "debate_result",
        json!({"debate": debate}),
    );
    for section in [
        "transcript",
        "evidence",
        "findings",
        "arguments",
        "synthesis",
    ] {
        let mut from = 0;
        loop {
            let arguments = json!({"debate": debate, "section": section, "from": from});
            let page = measure(&mut client, section, "debate_result", arguments);
            let Some(entries) = page["entries"].as_array() else {
                break;
            };
            from += entries.len();
            if page["left"] == 0 || entries.is_empty() {
                break;
            }
        }
    }
    let question = json!({"debate": debate, "question": "Which?"});
    measure(&mut client, "debate_ask", "debate_ask", question);
    let question = json!({"question": TOPIC, "tools": ["claude", "codex", "gemini"]});
    measure(&mut client, "consult", "consult", question);
    measure(&mut client, "recall", "recall", json!({"topic": TOPIC}));
    for op in ["tools", "usage"] {
        measure(&mut client, "status", "status", json!({"op": op}));
    }
    let more = json!({"debate": debate, "op": "continue", "rounds": 1});
    measure(&mut client, "debate_steer", "debate_steer", more);
    measure(
        &mut client,
        "debate_steer",
        "debate_steer",
        json!({"debate": debate, "op": "stop"}),
    );
    let is_large = |(what, tokens): &&(String, usize)| {
        let answers = if what == "consult" { 3 } else { 1 };
        *tokens > answers * MAX_TOKENS
    };
    let large: Vec<_> = sizes.iter().filter(is_large).collect();
    assert!(large.is_empty(), "{large:?}");
}
