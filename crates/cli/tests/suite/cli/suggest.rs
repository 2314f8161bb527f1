//! `agon install --what suggest`, and `agon hook` at a prompt.

use std::fs;

use serde_json::{Value, json};

use crate::cli::harness::Agon;

#[test]
fn a_hook_at_prompts_is_installed_and_suggests_a_debate_once() {
    let agon = Agon::new();
    let installed = agon.run(&["install", "claude", "--what", "suggest", "-v"]);
    assert_eq!(installed.code, Some(0), "{installed:?}");
    let settings = fs::read(agon.home().join(".claude/settings.json")).unwrap();
    let settings: Value = serde_json::from_slice(&settings).unwrap();
    let hooks: Vec<_> = settings["hooks"].as_object().unwrap().keys().collect();
    assert_eq!(hooks, ["UserPromptSubmit"]);
    let command = &settings["hooks"]["UserPromptSubmit"][0]["hooks"][0]["command"];
    assert!(command.as_str().unwrap().ends_with(" hook claude prompt"));
    let said = |prompt: &str| {
        let call = json!({"session_id": "s", "cwd": agon.project(), "prompt": prompt});
        agon.told(&["hook", "claude", "prompt"], &call.to_string())
    };
    assert_eq!(said("How does the migration work?"), "");
    let answer: Value = serde_json::from_str(&said("Drop the table users.")).unwrap();
    let line = answer["hookSpecificOutput"]["additionalContext"].as_str();
    assert!(
        line.unwrap()
            .starts_with("agon: this request touches \"database\"")
    );
    assert_eq!(said("Drop the table users."), "");
    assert_eq!(agon.told(&["hook", "claude", "prompt"], "no JSON"), "");
    agon.configure("costly = []");
    assert_eq!(said("Rewrite the backend in Rust."), "");
}
