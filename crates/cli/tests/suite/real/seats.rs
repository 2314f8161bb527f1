//! Each tool in every seat.

use std::fs;

use agon_testkit::TOOLS;

use crate::real::table::Table;

/// Every turn of the debate, once, both blind answers first and both rulings last.
fn every_turn_once(table: &Table) {
    let mut turns = table.turns();
    turns[..2].sort();
    turns[6..].sort();
    let expected = [
        "r0.cha",
        "r0.pro",
        "r1.pro",
        "r1.cha",
        "r2.pro",
        "r2.cha",
        "verdict.judge",
        "verdict.swap",
    ];
    assert_eq!(turns, expected);
    assert_eq!(table.models.unknown(), Vec::<String>::new());
}

/// A whole debate between these tools.
fn whole(seats: [&str; 3]) -> Option<Table> {
    let table = Table::laid(&seats)?;
    let ran = table.debate(seats, &[]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let result = ran.json();
    assert_eq!(result["winner"], "proposer");
    assert_eq!(result["answer"], "Use SQLite for the job store");
    assert_eq!(result["authority"], "full");
    assert_eq!(table.seated(), seats);
    every_turn_once(&table);
    assert_eq!(table.place.left(), Vec::<String>::new());
    Some(table)
}

/// A debate of three calls between these tools.
fn quick(seats: [&str; 3]) {
    let Some(table) = Table::laid(&seats) else {
        return;
    };
    let ran = table.quick(seats);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert_eq!(ran.json()["winner"], "proposer");
    assert_eq!(table.seated(), seats);
    assert_eq!(table.turns(), ["r1.pro", "r1.cha", "verdict.judge"]);
    assert_eq!(table.models.unknown(), Vec::<String>::new());
    assert_eq!(table.place.left(), Vec::<String>::new());
}

#[test]
fn claude_proposes_codex_challenges_gemini_judges() {
    let Some(table) = whole(["claude", "codex", "gemini"]) else {
        return;
    };
    let mut found = Vec::new();
    for dir in ["", "arguments", ".agon"] {
        for entry in fs::read_dir(table.place.folder().join(dir)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(table.place.folder()).unwrap();
            found.push(name.display().to_string());
        }
    }
    found.sort();
    let points = [
        "cha_001a", "cha_001b", "cha_001c", "cha_001d", "cha_001e", "cha_002a", "cha_002b",
        "cha_002c", "cha_002d", "cha_002e", "pro_001a", "pro_001b", "pro_001c", "pro_002a",
        "pro_002b", "pro_002c", "pro_002d",
    ];
    let mut expected: Vec<_> = points
        .iter()
        .map(|id| format!("arguments/{id}.md"))
        .collect();
    expected.extend(
        [
            ".agon",
            ".agon/.gitignore",
            ".agon/journal.jsonl",
            ".agon/lock",
            ".agon/projections.json",
            ".agon/run",
            ".gitattributes",
            "arguments",
            "debate.md",
            "transcript.md",
            "verdict.json",
            "verdict.md",
        ]
        .map(str::to_owned),
    );
    expected.sort();
    assert_eq!(found, expected);
    assert_eq!(table.place.run(&["check", "s"]).code, Some(0));
}

#[test]
fn opencode_proposes_copilot_challenges_claude_judges() {
    whole(["opencode", "copilot", "claude"]);
}

#[test]
fn codex_proposes_claude_challenges_opencode_judges() {
    quick(["codex", "claude", "opencode"]);
}

#[test]
fn gemini_proposes_opencode_challenges_copilot_judges() {
    quick(["gemini", "opencode", "copilot"]);
}

#[test]
fn copilot_proposes_gemini_challenges_codex_judges() {
    quick(["copilot", "gemini", "codex"]);
}

#[test]
fn all_five_are_found_with_their_versions() {
    let Some(table) = Table::laid(&TOOLS) else {
        return;
    };
    let ran = table.place.run(&["tools", "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let tools = ran.json();
    let tools = tools["tools"].as_array().unwrap();
    // What cannot be installed here is listed too.
    let tools: Vec<_> = tools.iter().filter(|it| it["tool"] != "kiro").collect();
    let names: Vec<_> = tools
        .iter()
        .map(|tool| tool["tool"].as_str().unwrap())
        .collect();
    assert_eq!(names, TOOLS);
    for tool in tools {
        let version = tool["version"].as_str().unwrap_or_default();
        let numbers: Vec<_> = version.split('.').map(str::parse::<u32>).collect();
        assert!(
            numbers.len() == 3 && numbers.iter().all(Result::is_ok),
            "{tool}"
        );
        assert_eq!(
            (&tool["installed"], &tool["usable"]),
            (&true.into(), &true.into()),
            "{tool}"
        );
    }
    assert_eq!(table.turns(), Vec::<String>::new(), "no model is asked");
    assert_eq!(table.place.left(), Vec::<String>::new());
}
