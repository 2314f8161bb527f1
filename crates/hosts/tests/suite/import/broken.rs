//! Manifests and folders with one fault each.

use std::os::unix::fs::symlink;

use agon_hosts::import::read_skills;
use serde_json::{Value, json};

use super::{ENTRY, add, faults, folder, manifest};

/// A key of the manifest, what stands there instead, and the line and code of the one fault.
type Change = (&'static str, Value, usize, &'static str);

fn changes() -> Vec<Change> {
    vec![
        ("name", json!("other"), 2, "name"),
        ("name", json!("Context Degradation"), 2, "bad-value"),
        ("version", json!("1.0"), 3, "bad-value"),
        ("version", Value::Null, 1, "missing-key"),
        ("description", json!("two\nlines"), 4, "bad-value"),
        ("description", json!(""), 4, "bad-value"),
        ("triggers", json!([]), 5, "bad-value"),
        ("triggers", json!(["Lost In Middle"]), 5, "bad-value"),
        ("triggers", json!(["one two three four"]), 5, "bad-value"),
        ("triggers", json!(["a; b"]), 5, "bad-value"),
        ("triggers", json!("context"), 5, "bad-value"),
        (
            "applicable_agents",
            json!(["critic", "critic"]),
            9,
            "bad-value",
        ),
        ("applicable_agents", json!(["A Critic"]), 9, "bad-value"),
        (
            "applicable_agents",
            json!([{"name": "critic"}]),
            9,
            "bad-value",
        ),
        ("max_context_tokens", json!("2200"), 13, "bad-value"),
        ("max_context_tokens", json!(0), 13, "bad-value"),
        ("max_context_tokens", Value::Null, 1, "missing-key"),
        ("entry_file", json!("../../secrets.md"), 14, "bad-value"),
        ("entry_file", json!("/etc/hostname"), 14, "bad-value"),
        ("entry_file", json!("manifest.json"), 14, "bad-value"),
        ("author", json!("someone"), 15, "unknown-key"),
    ]
}

#[test]
fn each_broken_manifest_is_refused_with_its_place_and_nothing_of_it_is_a_skill() {
    for (key, value, line, code) in changes() {
        let mut broken = manifest();
        match value {
            Value::Null => drop(broken.as_object_mut().unwrap().remove(key)),
            value => broken[key] = value,
        }
        let text = serde_json::to_string_pretty(&broken).unwrap();
        let dir = folder(&text, ENTRY.as_bytes());
        let import = read_skills(dir.path()).unwrap();
        assert_eq!(import.skills.len(), 0, "{text}");
        let found = faults(&import, dir.path());
        let [(path, at, found)] = found.as_slice() else {
            panic!("{text}: {import:#?}");
        };
        assert_eq!(path, "context-degradation/manifest.json");
        // A list that got shorter or longer moves what is below it.
        let moved = code == "bad-value" && ["triggers", "applicable_agents"].contains(&key);
        assert!(moved || *at == line, "{key}: {at} {line}");
        assert_eq!(*found, code, "{text}");
    }
}

#[test]
fn what_is_no_manifest_is_refused_at_its_line() {
    let whole = serde_json::to_string_pretty(&manifest()).unwrap();
    let cases: [(Vec<u8>, usize, &str); 5] = [
        (
            whole.replace("\"version\":", "version:").into_bytes(),
            3,
            "json",
        ),
        (b"[]".to_vec(), 1, "json"),
        (b"".to_vec(), 1, "json"),
        (
            format!("\u{feff}{whole}").into_bytes(),
            1,
            "byte-order-mark",
        ),
        (b"{\"name\": \"\xff\"}".to_vec(), 1, "encoding"),
    ];
    for (bytes, line, code) in cases {
        let dir = folder("", ENTRY.as_bytes());
        add(&dir, "context-degradation/manifest.json", &bytes);
        let import = read_skills(dir.path()).unwrap();
        let at = "context-degradation/manifest.json".to_owned();
        assert_eq!(faults(&import, dir.path()), [(at, line, code)]);
    }
}

#[test]
fn what_a_manifest_names_must_be_there_and_readable() {
    let whole = manifest().to_string();
    let entry = |text: &[u8], line, code| {
        let dir = folder(&whole, text);
        let import = read_skills(dir.path()).unwrap();
        let at = "context-degradation/SKILL.md".to_owned();
        assert_eq!(faults(&import, dir.path()), [(at, line, code)]);
    };
    entry(b"\xff", 1, "encoding");
    entry(b"", 1, "empty-body");
    entry(b"---\nname: x\n---\n", 1, "empty-body");
    entry(b"---\nname: x\n", 1, "entry");
    entry(b"---\nname: x\nmood: a: b\n---\n\nText.\n", 3, "entry");

    let dir = folder(&whole, ENTRY.as_bytes());
    std::fs::remove_file(dir.path().join("context-degradation/SKILL.md")).unwrap();
    let place = |path: &str, code| vec![(path.to_owned(), 1, code)];
    let at = "context-degradation/SKILL.md";
    let import = read_skills(dir.path()).unwrap();
    assert_eq!(faults(&import, dir.path()), place(at, "files"));
    // What a link leads to may be anything.
    symlink("/etc/hostname", dir.path().join(at)).unwrap();
    let import = read_skills(dir.path()).unwrap();
    assert_eq!(faults(&import, dir.path()), place(at, "files"));
}

#[test]
fn a_broken_skill_does_not_keep_the_others_from_being_read() {
    let dir = folder(&manifest().to_string(), ENTRY.as_bytes());
    add(&dir, "empty/README.md", b"No skill.\n");
    add(&dir, "README.md", b"Skills.\n");
    add(&dir, ".git/config", b"");
    let import = read_skills(dir.path()).unwrap();
    assert_eq!(import.skills.len(), 1);
    let wanted = [("empty".to_owned(), 1, "missing-manifest")];
    assert_eq!(faults(&import, dir.path()), wanted);
}
