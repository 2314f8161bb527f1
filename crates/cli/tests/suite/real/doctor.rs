//! The real tools are as their profiles say; and what is said where one is not.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use agon_testkit::is_full;
use serde_json::{Value, json};

use crate::real::table::Table;
use crate::support::Ran;

const ALL: [&str; 5] = ["claude", "codex", "gemini", "opencode", "copilot"];

/// Those that the doctor examines: by default one that needs a program to speak the protocol for it,
/// and one that speaks it itself.
fn examined() -> &'static [&'static str] {
    match is_full() {
        true => &ALL,
        false => &["codex", "copilot"],
    }
}

fn tools(ran: &Ran) -> Vec<Value> {
    ran.json()["tools"].as_array().unwrap().clone()
}

#[test]
fn the_real_tools_are_as_they_were_measured() {
    let Some(table) = Table::laid(examined()) else {
        return;
    };
    let ran = [&["tools", "doctor"][..], examined(), &["--deep", "--json"]].concat();
    let ran = table.place.run(&ran);
    for tool in tools(&ran) {
        assert_eq!(
            (&tool["lacks"], &tool["fits"]),
            (&json!([]), &json!(true)),
            "{tool:#}"
        );
        assert_eq!(tool["version"], tool["measured"], "{tool:#}");
        offers_what_is_listed(&tool);
    }
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let schema = table.place.run(&["schema", "doctor"]).json();
    assert!(
        jsonschema::validator_for(&schema)
            .unwrap()
            .is_valid(&ran.json())
    );
    assert_eq!(
        table.models.requests().len(),
        0,
        "no server of the user's is asked"
    );
    assert_eq!(table.place.left(), Vec::<String>::new());
    let shown = table.place.run(&["tools", "doctor", "codex"]);
    assert_eq!(shown.code, Some(0), "{shown:#?}");
    assert!(
        shown
            .stdout
            .contains("not confined: it reads through its shell"),
        "{}",
        shown.stdout
    );
}

/// What a tool offers in each kind of seat, read back from what it sends.
fn offers_what_is_listed(tool: &Value) {
    let name = tool["tool"].as_str().unwrap();
    let reading: &[&str] = match name {
        "claude" => &["Glob", "Grep", "Read"],
        "gemini" => &["grep_search", "list_directory", "read_file"],
        "opencode" => &["glob", "grep", "read"],
        "copilot" => &["glob", "grep", "view"],
        _ => &["apply_patch", "exec", "exec_command", "wait", "write_stdin"],
    };
    let offers = tool["offers"].as_array().unwrap();
    let mut seats = Vec::new();
    for offer in offers {
        assert_eq!(
            (&offer["unlisted"], &offer["failed"]),
            (&json!([]), &Value::Null),
            "{tool:#}"
        );
        let reads = offer["reads"] == true;
        seats.push((offer["transport"].as_str().unwrap(), reads));
        let tools = offer["tools"].as_array().unwrap();
        let tools: Vec<_> = tools.iter().map(|name| name.as_str().unwrap()).collect();
        if reads {
            let all = reading.iter().all(|name| tools.contains(name));
            assert!(all, "{name}: {offer}");
        } else if name != "codex" && offer["transport"] == "cli" {
            assert_eq!(tools, Vec::<&str>::new(), "{name}");
        }
    }
    seats.sort_unstable();
    let all = [("acp", false), ("acp", true), ("cli", false), ("cli", true)];
    assert_eq!(seats, all, "{name}");
}

#[test]
fn a_tool_that_offers_what_is_on_no_list_is_named_and_sits_nowhere_until_the_user_says_so() {
    let Some(table) = Table::laid(&["claude", "codex"]) else {
        return;
    };
    let config = table.place.home().join(".config/agon/config.toml");
    fs::create_dir_all(config.parent().unwrap()).unwrap();
    let switch = "[tools.claude]\ntransports = [\"cli\"]\n[tools.claude.cli]\nreads = [\"--tools\", \"Read,WebFetch\"]\n";
    fs::write(&config, switch).unwrap();
    let deep = ["tools", "doctor", "claude", "--deep", "--json"];
    let ran = table.place.run(&deep);
    assert_eq!(ran.code, Some(8), "{ran:#?}");
    let tool = &tools(&ran)[0];
    assert_eq!(tool["fits"], false);
    assert_eq!(
        tool["offers"][1]["unlisted"],
        json!(["WebFetch"]),
        "{tool:#}"
    );
    let to_do = tool["to_do"][0].as_str().unwrap();
    let key = "set tools.claude.cli.offer.reads.WebFetch in ";
    assert!(to_do.starts_with(key), "{to_do}");

    let seats = ["claude", "codex", "claude"];
    let ran = table.quick(seats);
    assert_eq!(
        ran.ended(),
        (Some(4), "tool_unlisted".to_owned()),
        "{ran:#?}"
    );
    let message = ran.json()["error"]["message"].clone();
    assert!(message.as_str().unwrap().contains("WebFetch"), "{message}");
    let listed = "[tools.claude.cli.offer.reads]\nWebFetch = { can = \"fetch\", refused = \"its permissions\" }\n";
    fs::write(&config, format!("{switch}{listed}")).unwrap();
    let ran = table.quick(seats);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
}

/// Puts a program before a real one that reads prompts as a front end would: it sends the file along that
/// a prompt names.
fn read_prompts(table: &Table, program: &str) {
    let path = table.place.home().with_file_name("bin").join(program);
    let real = fs::canonicalize(&path).unwrap();
    let script = format!(
        "#!/bin/sh\n\
         put=\"s|@~/canary.txt|$(cat \"$HOME/canary.txt\" 2>/dev/null)|\"\n\
         for given in \"$@\"; do set -- \"$@\" \"$(printf '%s' \"$given\" | sed \"$put\")\"; shift; done\n\
         sed -u \"$put\" | '{}' \"$@\"\n",
        real.display()
    );
    fs::remove_file(&path).unwrap();
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Long tests, which only `cargo xtask test --full` runs.
mod full {
    use super::*;

    #[test]
    fn a_tool_that_reads_prompts_is_named_over_each_transport_and_sits_nowhere() {
        let Some(table) = Table::laid(&ALL) else {
            return;
        };
        for program in ALL.iter().chain(&["claude-agent-acp", "codex-acp"]) {
            read_prompts(&table, program);
        }
        let ran = [&["tools", "doctor"][..], &ALL, &["--deep", "--json"]].concat();
        let ran = table.place.run(&ran);
        assert_eq!(ran.code, Some(8), "{ran:#?}");
        for tool in tools(&ran) {
            let offers = tool["offers"].as_array().unwrap();
            assert_eq!(offers.len(), 4, "{tool:#}");
            for offer in offers {
                assert_eq!(offer["unlisted"], json!(["reads_prompt"]), "{tool:#}");
            }
        }
        assert_eq!(table.place.left(), Vec::<String>::new());
        for tool in ALL {
            for transport in ["cli", "acp"] {
                let ran = table.quick_with([tool; 3], &["--same-tool", "--transport", transport]);
                assert_eq!(
                    ran.ended(),
                    (Some(4), "tool_unlisted".to_owned()),
                    "{tool} {transport}: {ran:#?}"
                );
                let message = ran.json()["error"]["message"].clone();
                assert!(
                    message.as_str().unwrap().contains("reads_prompt"),
                    "{message}"
                );
            }
        }
        assert_eq!(table.models.requests().len(), 0);
    }
}
