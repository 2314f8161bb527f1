//! A model that prints its shell's environment where the keys of many services are set.

use std::fs;

use agon_testkit::{Answer, Script, add, git, key_variables};
use serde_json::json;

use crate::real::table::Table;

/// What the shell of a seat of Codex prints of the environment, and what is above it in `/proc`.
fn printed(transport: &str) -> Option<String> {
    let mut table = Table::laid(&["codex"])?;
    for (name, value) in key_variables() {
        // What the sandbox points the tool with stays.
        if !["AGON_TEAM_TOKEN", "OPENAI_API_KEY"].contains(&name) {
            table.place.env.insert(name.into(), value);
        }
    }
    let profile = table.place.home().join(".profile");
    fs::write(profile, "export OF_A_PROFILE_KEY=placeholder-profile\n").unwrap();
    let project = table.place.project();
    add(&project, "a.rs", "fn main() {}\n");
    git(&project, &["add", "--all"]);
    git(&project, &["commit", "-q", "-m", "first"]);
    table.models.set_script(Script::new("Use one writer."));
    let command = "env; cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n'; echo printed-all";
    let calls = vec![("exec_command".to_owned(), json!({"cmd": command}))];
    table.models.set("*", Answer::Calls(calls));
    let seats = ["codex", "codex", "codex"];
    let ran = table.debate(
        seats,
        &[
            "--quick",
            "--same-tool",
            "--context",
            "repo",
            "--transport",
            transport,
        ],
    );
    let requests = table.models.requests();
    let results: Vec<String> = requests.iter().flat_map(|it| it.results()).collect();
    let results = results.join("\n");
    assert!(
        results.contains("printed-all"),
        "{transport}: {results} {ran:#?}"
    );
    Some(results)
}

#[test]
fn the_shell_of_a_codex_seat_sees_no_key() {
    for transport in ["cli", "acp"] {
        let Some(printed) = printed(transport) else {
            return;
        };
        for mark in ["placeholder-", "sk-dummy", "_API_KEY="] {
            assert!(!printed.contains(mark), "{transport}: {printed}");
        }
    }
}
