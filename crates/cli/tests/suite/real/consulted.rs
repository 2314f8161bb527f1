//! Real tools that are consulted at once, and gone on with.

use std::fs::File;

use agon_testkit::Script;
use agon_testkit::models::{INPUT_TOKENS, OUTPUT_TOKENS};
use serde_json::{Value, json};

use crate::real::table::Table;
use crate::support::{Ran, Running};

const ALL: [&str; 5] = ["claude", "codex", "gemini", "opencode", "copilot"];

fn answers(ran: &Ran) -> Vec<Value> {
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    ran.json()["answers"].as_array().unwrap().clone()
}

#[test]
fn three_tools_answer_a_question_of_400_kb_at_once() {
    let Some(table) = Table::laid(&ALL) else {
        return;
    };
    table.models.set_script(Script::new("Use one writer."));
    let long = format!("{}\nWhich lock?", "All work and no play. ".repeat(19_000));
    let path = table.place.home().join("long.txt");
    std::fs::write(&path, &long).unwrap();
    let mut command = table
        .place
        .command(&["consult", "--tool", "claude,codex,copilot", "--json"]);
    command.stdin(File::open(&path).unwrap());
    let ran = Running::start(command).end();
    for answer in answers(&ran) {
        assert_eq!(answer["response"], "Use one writer.", "{answer}");
        eprintln!("{}: {} ms", answer["tool"], answer["duration_ms"]);
    }
    eprintln!("{} bytes to three tools in {:?}", long.len(), ran.took);
    let requests = table.models.requests();
    assert_eq!(requests.len(), 3);
    for request in requests {
        assert!(
            request.prompt.contains(&long),
            "{:?}: the question arrives whole",
            request.api
        );
    }
    assert_eq!(table.place.left(), Vec::<String>::new());
}

/// Long tests, which only `cargo xtask test --full` runs.
mod full {
    use super::*;

    #[test]
    fn each_tool_goes_on_with_its_conversation() {
        let Some(table) = Table::laid(&ALL) else {
            return;
        };
        table.models.set_script(Script::new("Use one writer."));
        let tools = [
            "consult",
            "The first of two questions?",
            "--tool",
            "claude,codex,gemini,opencode,copilot",
            "--json",
        ];
        let begun = answers(&table.place.run(&tools));
        let asked = table.models.requests().len();
        let ran = table
            .place
            .run(&["consult", "--continue", "The second of them?", "--json"]);
        assert!(!ran.stderr.contains("afresh"), "{}", ran.stderr);
        for (before, after) in begun.iter().zip(&answers(&ran)) {
            assert_eq!(
                (
                    &after["response"],
                    &after["continuable"],
                    &after["session_id"]
                ),
                (
                    &json!("Use one writer."),
                    &json!(true),
                    &before["session_id"]
                ),
                "{after}"
            );
            // What the tool counts over the whole conversation is taken apart again.
            let usage = |answer: &Value| {
                (
                    answer["usage"]["input"].clone(),
                    answer["usage"]["output"].clone(),
                )
            };
            assert_eq!(
                usage(after),
                (json!(INPUT_TOKENS), json!(OUTPUT_TOKENS)),
                "{after}"
            );
            assert_eq!(usage(before), usage(after), "{before}");
        }
        let requests = table.models.requests();
        assert_eq!(requests.len(), asked + ALL.len());
        for request in &requests[asked..] {
            let body = request.body.to_string();
            assert!(
                body.contains("The first of two questions?")
                    && body.contains("The second of them?"),
                "{:?} has both in mind",
                request.api
            );
        }
        assert_eq!(table.place.left(), Vec::<String>::new());
    }

    #[test]
    fn a_conversation_that_is_gone_from_a_tool_is_begun_afresh() {
        let Some(table) = Table::laid(&["claude", "codex", "gemini", "copilot"]) else {
            return;
        };
        table.models.set_script(Script::new("Yes."));
        let tools = [
            "consult",
            "First?",
            "--tool",
            "claude,codex,gemini,copilot",
            "--json",
        ];
        let before = answers(&table.place.run(&tools));
        for kept in [
            ".claude/projects",
            ".codex",
            ".gemini/tmp",
            ".copilot/session-state",
        ] {
            let path = table.place.home().join(kept);
            if kept == ".codex" {
                for entry in ["sessions", "state_5.sqlite"] {
                    let path = path.join(entry);
                    std::fs::remove_dir_all(&path)
                        .or_else(|_| std::fs::remove_file(&path))
                        .ok();
                }
            } else {
                std::fs::remove_dir_all(&path).unwrap_or_else(|cause| panic!("{kept}: {cause}"));
            }
        }
        let ran = table
            .place
            .run(&["consult", "--continue", "Second?", "--json"]);
        for (before, after) in before.iter().zip(&answers(&ran)) {
            let note = format!(
                "{} no longer has that conversation; starting a new one",
                after["tool"].as_str().unwrap()
            );
            assert!(ran.stderr.contains(&note), "{note}: {}", ran.stderr);
            assert_eq!(after["response"], "Yes.");
            assert_ne!(after["session_id"], before["session_id"]);
        }
    }
}
