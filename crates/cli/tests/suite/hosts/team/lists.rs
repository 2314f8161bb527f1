//! What a real tool lists of Agon after an installation of all of it: everything of the source,
//! under the name that the table says, but what the table leaves out.

use std::collections::BTreeSet;

use agon_hosts::compile::Kind;
use agon_hosts::matrix::{MatrixRow, PartOutcome};
use agon_hosts::shape::Words;
use regex::Regex;
use serde_json::Value;

use super::desk::Desk;
use super::driver::{self, Driver};

type Names = BTreeSet<String>;

/// What a tool lists, of whatever origin.
#[derive(Default)]
struct Listed {
    skills: Names,
    /// None where the tool has no list of them.
    commands: Option<Names>,
    agents: Names,
}

fn lists_what_the_table_says(driver: &'static Driver) {
    let Some(desk) = Desk::new(driver, false) else {
        return;
    };
    let rows = desk.rows();
    // Nothing is dropped without a word.
    for row in &rows {
        let is_left_out = matches!(row.outcome, PartOutcome::LeftOut(_));
        assert_eq!(row.listed_as.is_none(), is_left_out, "{row:?}");
    }
    let listed = ask_for_lists(&desk);
    let host = driver.host;
    let skills = ours(&rows, &listed.skills, desk.host.built_in_commands);
    assert_eq!(skills, expected(&rows, Kind::Skill), "{host}: skills");
    if let Some(commands) = &listed.commands {
        let mut typed = expected(&rows, Kind::Command);
        if desk.host.offers_skills_as_commands {
            typed.extend(skills.iter().cloned());
        }
        let commands = ours(&rows, commands, desk.host.built_in_commands);
        assert_eq!(commands, typed, "{host}: commands");
    }
    let agents = ours(&rows, &listed.agents, desk.host.built_in_agents);
    assert_eq!(agents, expected(&rows, Kind::Agent), "{host}: agents");
    let left_out = rows.iter();
    let left_out = left_out.filter(|row| matches!(row.outcome, PartOutcome::LeftOut(_)));
    eprintln!(
        "{host} | {} skills | {} commands | {} agents | {} left out",
        skills.len(),
        expected(&rows, Kind::Command).len(),
        agents.len(),
        left_out.count(),
    );
}

/// What the table says is listed as this.
fn expected(rows: &[MatrixRow], kind: Kind) -> Names {
    let listed = rows.iter().filter_map(|row| row.listed_as.clone());
    let listed = listed.filter(|(as_kind, _)| *as_kind == kind);
    listed.map(|(_, name)| name).collect()
}

/// The names of ours among `names`: those of the source, with the prefix or without, that are not
/// the tool's own.
fn ours(rows: &[MatrixRow], names: &Names, built_in: Words) -> Names {
    let is_ours = |name: &&String| {
        let bare = name.strip_prefix("agon-").unwrap_or(name);
        let is_known = rows.iter().any(|row| row.name == bare);
        (is_known || name.starts_with("agon-")) && !built_in.contains(name)
    };
    names.iter().filter(is_ours).cloned().collect()
}

fn ask_for_lists(desk: &Desk) -> Listed {
    let said = desk.ask("host.main");
    let requests = desk.requests("host.main");
    // Some of them ask for a title first.
    let request = requests.iter().find(|request| !request.tools.is_empty());
    let body = &request.unwrap().body;
    match desk.driver.host {
        "claude" => {
            let events = said.lines().map(|line| serde_json::from_str(line).unwrap());
            let mut events = events.filter(|event: &Value| event["subtype"] == "init");
            let init = events.next().unwrap();
            Listed {
                skills: texts(&init["skills"]),
                commands: Some(texts(&init["slash_commands"])),
                agents: texts(&init["agents"]),
            }
        }
        "codex" => Listed {
            skills: found(r"(?m)^- ([a-z-]+): ", &all_text(&body["input"])),
            commands: None,
            agents: found(r"(?m)^([a-z-]+): \{$", &all_text(&body["tools"])),
        },
        "gemini" => {
            let system = all_text(&body["systemInstruction"]);
            Listed {
                skills: found(r"<skill>\s*<name>([^<]+)</name>", &system),
                commands: Some(typed_commands(desk)),
                agents: found(r"<subagent>\s*<name>([^<]+)</name>", &system),
            }
        }
        "opencode" => {
            let config: Value = serde_json::from_str(&desk.run(&["debug", "config"])).unwrap();
            let keys = |key: &str| config[key].as_object().unwrap().keys().cloned().collect();
            Listed {
                skills: found(
                    r"<skill>\s*<name>([^<]+)</name>",
                    &all_text(&body["messages"]),
                ),
                commands: Some(keys("command")),
                agents: found(r"(?m)^- ([a-z-]+): ", &all_text(&body["tools"])),
            }
        }
        "copilot" => {
            let tools = body["tools"].as_array().unwrap().iter();
            let mut tools = tools.filter(|tool| tool["function"]["name"] == "task");
            let task = tools.next().unwrap();
            let agents = &task["function"]["parameters"]["properties"]["agent_type"]["enum"];
            let list = desk.run(&["skill", "list"]);
            Listed {
                skills: found(r"(?m)^\s+([a-z-]+) - ", &list),
                commands: None,
                agents: texts(agents),
            }
        }
        other => panic!("no lists of {other}"),
    }
}

/// The commands that this tool knows when they are typed: it lists them on a terminal alone. What
/// is typed reaches the model as it stands where there is no such command.
fn typed_commands(desk: &Desk) -> Names {
    let names = expected(&desk.rows(), Kind::Command);
    let is_known = |name: &&String| {
        let before = desk.models.requests().len();
        let line = format!("/{name} a file");
        desk.run(&desk.driver.args_for(&line));
        let requests = &desk.models.requests()[before..];
        let asked = requests.iter().map(|one| all_text(&one.body["contents"]));
        let asked: String = asked.collect();
        assert!(asked.contains("a file"), "{name}: {asked}");
        !asked.contains(&line)
    };
    names.iter().filter(is_known).cloned().collect()
}

fn texts(list: &Value) -> Names {
    let list = list.as_array().unwrap().iter();
    list.map(|name| name.as_str().unwrap().to_owned()).collect()
}

/// What the pattern finds, by its group.
fn found(pattern: &str, text: &str) -> Names {
    let pattern = Regex::new(pattern).unwrap();
    let found = pattern.captures_iter(text);
    found.map(|found| found[1].to_owned()).collect()
}

/// Every text in a value, one below the other.
fn all_text(value: &Value) -> String {
    match value {
        Value::String(text) => format!("{text}\n"),
        Value::Array(values) => values.iter().map(all_text).collect(),
        Value::Object(fields) => fields.values().map(all_text).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => String::new(),
    }
}

#[test]
fn claude_lists_what_the_table_says() {
    lists_what_the_table_says(&driver::CLAUDE);
}

/// Long tests, which only `cargo xtask test --full` runs.
mod full {
    use super::*;

    #[test]
    fn copilot_lists_what_the_table_says() {
        lists_what_the_table_says(&driver::COPILOT);
    }

    #[test]
    fn codex_lists_what_the_table_says() {
        lists_what_the_table_says(&driver::CODEX);
    }

    #[test]
    fn gemini_lists_what_the_table_says() {
        lists_what_the_table_says(&driver::GEMINI);
    }

    #[test]
    fn opencode_lists_what_the_table_says() {
        lists_what_the_table_says(&driver::OPENCODE);
    }
}
