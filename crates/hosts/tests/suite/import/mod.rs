//! Skills of others, read from a folder.

mod broken;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use agon_hosts::content::skill::BUDGET_KEY;
use agon_hosts::import::{
    Import, ImportOptions, ImportOutcome, ImportWrite, read_skills, read_skills_with, write_skill,
};
use agon_hosts::lint::{lint, read_tree};
use agon_tokens::count_tokens;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A manifest without a fault.
fn manifest() -> Value {
    json!({
        "name": "context-degradation",
        "version": "1.0.0",
        "description": "Tell whether a context has gone bad: \"lost in the middle\", poisoning, clash",
        "triggers": ["context degradation", "lost in middle"],
        "applicable_agents": ["strategist", "heavy-worker"],
        "max_context_tokens": 2200,
        "entry_file": "SKILL.md",
    })
}

const ENTRY: &str = "---\nname: context-degradation\nversion: 5.1.0\nlicense: MIT\n\
    mood: calm\nmetadata:\n  author: someone\n---\n\n# Contexts\n\nLook at the middle first.\n";

/// A folder of skills with this one in it.
fn folder(manifest: &str, entry: &[u8]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    add(
        &dir,
        "context-degradation/manifest.json",
        manifest.as_bytes(),
    );
    add(&dir, "context-degradation/SKILL.md", entry);
    dir
}

fn add(dir: &TempDir, path: &str, bytes: &[u8]) {
    let path = dir.path().join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

/// Path, line and code of each fault.
fn faults(import: &Import, dir: &Path) -> Vec<(String, usize, &'static str)> {
    let faults = import.findings.iter().map(|finding| {
        let path = Path::new(&finding.path).strip_prefix(dir).unwrap();
        assert!(!finding.message.is_empty());
        (path.display().to_string(), finding.line, finding.code)
    });
    faults.collect()
}

#[test]
fn a_skill_with_a_manifest_is_one_of_ours_and_each_field_is_accounted_for() {
    let dir = folder(&manifest().to_string(), ENTRY.as_bytes());
    add(&dir, "context-degradation/references/middle.md", b"More.\n");
    let import = read_skills(dir.path()).unwrap();
    assert_eq!(import.findings, []);
    let [skill] = import.skills.as_slice() else {
        panic!("{import:#?}");
    };
    let text = String::from_utf8(skill.files[0].1.clone()).unwrap();
    assert_eq!(
        text,
        "---\n\
         name: \"context-degradation\"\n\
         description: \"Tell whether a context has gone bad: \\\"lost in the middle\\\", poisoning, clash\"\n\
         license: \"MIT\"\n\
         metadata:\n\
         \x20 \"version\": \"1.0.0\"\n\
         \x20 \"agon-triggers\": \"context degradation; lost in middle\"\n\
         \x20 \"agon-roles\": \"strategist; heavy-worker\"\n\
         \x20 \"agon-max-context-tokens\": \"2200\"\n\
         \x20 \"author\": \"someone\"\n\
         ---\n\n\
         # Contexts\n\nLook at the middle first.\n"
    );
    let files: Vec<_> = skill.files.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(files, ["SKILL.md", "references/middle.md"]);
    let outcomes: BTreeMap<_, _> = skill
        .fields
        .iter()
        .map(|(field, outcome)| {
            let kind = match outcome {
                ImportOutcome::Kept => "kept",
                ImportOutcome::Translated(_) => "translated",
                ImportOutcome::LeftOut(_) => "left out",
            };
            (field.as_str(), kind)
        })
        .collect();
    let wanted = [
        ("applicable_agents", "translated"),
        ("description", "kept"),
        ("entry_file", "translated"),
        ("license of the entry", "kept"),
        ("max_context_tokens", "translated"),
        ("metadata of the entry", "kept"),
        ("mood of the entry", "left out"),
        ("name", "kept"),
        ("triggers", "translated"),
        ("version", "translated"),
        ("version of the entry", "left out"),
    ];
    assert_eq!(outcomes, wanted.into());
}

#[test]
fn no_budget_is_less_than_what_the_skill_takes() {
    let long = format!(
        "# Long\n\n{}",
        "Look at the middle of it first.\n".repeat(400)
    );
    for declared in [1, 2200, 1_000_000] {
        let mut manifest = manifest();
        manifest["max_context_tokens"] = declared.into();
        let dir = folder(&manifest.to_string(), long.as_bytes());
        let import = read_skills(dir.path()).unwrap();
        let skill = &import.skills[0];
        let text = String::from_utf8(skill.files[0].1.clone()).unwrap();
        let body = text.splitn(3, "---\n").nth(2).unwrap();
        assert_eq!(count_tokens(body.trim()), skill.tokens);
        assert!(text.contains(&format!("\"{BUDGET_KEY}\": \"{}\"", skill.budget)));
        assert!(skill.tokens > 2200 && skill.budget >= skill.tokens);
        assert!(skill.budget < skill.tokens + 50 || skill.budget == declared);
    }
}

#[test]
fn what_is_imported_passes_the_check_of_our_own_and_is_written_once() {
    let dir = folder(&manifest().to_string(), ENTRY.as_bytes());
    add(&dir, "context-degradation/scripts/run.sh", b"#!/bin/sh\n");
    let to = dir.path().join("out/skills");
    let skill = &read_skills(dir.path()).unwrap().skills[0];
    assert_eq!(write_skill(skill, &to).unwrap(), ImportWrite::Written);
    let lint = lint(&read_tree(&to).unwrap().files, None);
    assert_eq!((lint.checked, lint.findings), (1, vec![]));
    assert_eq!(write_skill(skill, &to).unwrap(), ImportWrite::Same);
    let path = to.join("context-degradation/SKILL.md");
    fs::write(&path, "mine").unwrap();
    assert_eq!(write_skill(skill, &to).unwrap(), ImportWrite::Taken);
    assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
    let left: Vec<_> = fs::read_dir(&to).unwrap().collect();
    assert_eq!(left.len(), 1);
}

#[test]
fn an_entry_of_another_name_without_front_matter_is_a_skill_too() {
    let mut manifest = manifest();
    manifest["entry_file"] = "guide.md".into();
    let dir = tempfile::tempdir().unwrap();
    add(
        &dir,
        "context-degradation/manifest.json",
        manifest.to_string().as_bytes(),
    );
    add(
        &dir,
        "context-degradation/guide.md",
        "# Guide\r\n\r\nDo it.\r\n".as_bytes(),
    );
    // The folder of the skill itself can be named.
    let import = read_skills(&dir.path().join("context-degradation")).unwrap();
    assert_eq!(import.findings, []);
    let files = &import.skills[0].files;
    assert_eq!(files.len(), 1);
    assert!(files[0].1.ends_with(b"# Guide\r\n\r\nDo it.\n"));
}

#[test]
fn a_skill_of_others_brings_no_permissions_unless_they_are_asked_for() {
    let commands = "Now: !`date`.\n\n```!\ndate\n```\n";
    for (tools, is_kept) in [
        ("Bash(*)", false),
        ("\"*\"", false),
        ("Read, Bash(git:*)", false),
        ("[Bash]", false),
        ("Read(~/.ssh/**)", false),
        ("Read, Grep", true),
    ] {
        let entry = format!("---\nallowed-tools: {tools}\n---\n\n{commands}");
        let dir = folder(&manifest().to_string(), entry.as_bytes());
        let text = |options| {
            let import = read_skills_with(dir.path(), options).unwrap();
            assert_eq!(import.findings, [], "{tools}");
            let skill = &import.skills[0];
            let text = String::from_utf8(skill.files[0].1.clone()).unwrap();
            (text, skill.fields.clone())
        };
        let (safe, fields) = text(ImportOptions::default());
        let field = fields
            .iter()
            .find(|(name, _)| name == "allowed-tools of the entry");
        let outcome = &field.unwrap().1;
        assert_eq!(safe.contains("allowed-tools"), is_kept, "{safe}");
        assert_eq!(*outcome == ImportOutcome::Kept, is_kept, "{outcome:?}");
        assert!(
            safe.contains("! `date`") && safe.contains("``` !"),
            "{safe}"
        );
        let commands = fields
            .iter()
            .any(|(name, _)| name == "commands in the entry");
        assert!(commands, "{fields:?}");
        let (whole, _) = text(ImportOptions {
            keeps_permissions: true,
        });
        assert!(
            whole.contains("!`date`") && whole.contains("```!"),
            "{whole}"
        );
        // A list is no text, which the specification asks for.
        assert_eq!(
            whole.contains("allowed-tools"),
            tools != "[Bash]",
            "{whole}"
        );
    }
}
