use std::fs;
use std::path::Path;

use agon_caller::{Code, FailureKind};
use serde_json::json;

use super::*;
use crate::tool::{TOOLS, find_tool};

fn words_of(tool: &str) -> CallWords {
    CallWords::of_tool(find_tool(tool).unwrap())
}

fn hint(tool: &str, text: &str) -> Option<String> {
    words_of(tool).advice(text)
}

#[test]
fn a_flag_is_the_parameter_of_the_call_and_what_the_call_cannot_do_is_left_out() {
    for (tool, text, wanted) in [
        (
            "debate_start",
            "seat another tool (--challenger codex), another model (--model-challenger MODEL), or accept it with --same-tool",
            Some("seat another tool (challenger codex), another model (model_challenger MODEL)"),
        ),
        (
            "debate_start",
            "--max-calls 8 leaves room for the whole plan; --quick takes 3",
            Some("max_calls 8 leaves room for the whole plan; depth quick takes 3"),
        ),
        (
            "debate_start",
            "--proposer a --challenger b --model-proposer A --model-challenger B",
            Some("proposer a, challenger b, model_proposer A, model_challenger B"),
        ),
        (
            "debate_start",
            "it may not be written; name another with --debates-dir",
            Some("it may not be written"),
        ),
        (
            "debate_start",
            "agon resume s --max-calls 20 goes on with more",
            None,
        ),
        (
            "consult",
            "name one of them: --tool claude",
            Some("name one of them: tools claude"),
        ),
        (
            "consult",
            "log in first: claude /login",
            Some("log in first: claude /login"),
        ),
        ("recall", "use --context none", None),
    ] {
        assert_eq!(hint(tool, text).as_deref(), wanted, "{text}");
    }
}

#[test]
fn a_failure_names_parameters_and_says_so_where_none_helps() {
    let failure = Failure::new(Code::Limit, "no model: say which with --model-SEAT")
        .kind(FailureKind::Usage)
        .parameter("max-calls")
        .hint("--timeout gives it longer");
    let told = words_of("debate_start").failure(failure);
    assert_eq!(told.message, "no model: say which with model-SEAT");
    assert_eq!(told.parameter.as_deref(), Some("max_calls"));
    assert_eq!(told.hint.as_deref(), Some(NOTHING_TO_GIVE));
}

#[test]
fn hints_and_notes_in_a_document_are_in_the_words_of_the_call_and_what_was_said_is_not() {
    let document = json!({
        "answer": "Use --context repo.",
        "error": {"hint": "--again starts another"},
        "notes": ["this is s; --again starts another", "--timeout is longer", 1],
    });
    let wanted = json!({
        "answer": "Use --context repo.",
        "error": {"hint": "again starts another"},
        "notes": ["this is s; again starts another", 1],
    });
    assert_eq!(words_of("debate_start").document(document), wanted);
}

/// The texts in quotes in a file of Rust, above its tests.
fn texts(source: &str) -> Vec<String> {
    let source = source.split("#[cfg(test)]").next().unwrap();
    let code = source
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let code = code.collect::<Vec<_>>().join("\n").replace("'\"'", "' '");
    let mut texts = Vec::new();
    let mut rest = code.as_str();
    while let Some((_, after)) = rest.split_once('"') {
        let mut text = String::new();
        let mut chars = after.char_indices();
        rest = "";
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    rest = &after[at + 1..];
                    break;
                }
                '\\' => {
                    if let Some((_, escaped)) = chars.next() {
                        text.push(escaped);
                    }
                }
                c => text.push(c),
            }
        }
        // A text goes on in the next line after a backslash, without the blanks there.
        texts.push(text.split('\n').map(str::trim_start).collect());
    }
    texts
}

fn collect_texts(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect_texts(&path, found);
        } else if path.extension().is_some_and(|it| it == "rs") && !path.ends_with("tests.rs") {
            found.extend(texts(&fs::read_to_string(path).unwrap()));
        }
    }
}

#[test]
fn no_text_of_the_application_brings_a_flag_into_a_call() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    for name in [
        "agents", "caller", "config", "debates", "engine", "evidence", "health", "install",
        "rules", "seats", "store", "teamwork",
    ] {
        collect_texts(&crates.join(name).join("src"), &mut found);
    }
    found.retain(|text| text.contains(' ') && has_flag(text));
    assert!(found.len() > 60, "{}", found.len());
    let mut told = 0;
    for spec in TOOLS {
        let words = CallWords::of_tool(spec);
        for text in &found {
            assert!(!has_flag(&words.statement(text)), "{text}");
            if let Some(advice) = words.advice(text) {
                assert!(!has_flag(&advice) && !advice.trim().is_empty(), "{text}");
                told += usize::from(spec.name == "debate_start");
            }
        }
    }
    eprintln!(
        "{told} of {} texts with flags say something to who starts a debate",
        found.len()
    );
    assert!(told * 2 > found.len(), "{told} of {}", found.len());
}
