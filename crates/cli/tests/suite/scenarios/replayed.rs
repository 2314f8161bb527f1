//! A debate again from its record: the same to the byte, or what is otherwise.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::scenarios::place::Fakes;

/// Every file below `folder` with its bytes.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.insert(path.clone(), std::fs::read(&path).unwrap());
        }
    }
    found
}

#[test]
fn a_debate_comes_out_byte_for_byte_and_nothing_is_written_or_called() {
    let fakes = Fakes::new();
    assert_eq!(fakes.debate(&[]).code, Some(0));
    let before = files(&fakes.place.folder());
    let asks = fakes.asks();
    let ran = fakes.place.run(&["replay", "s", "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let document = ran.json();
    let schema = fakes.place.run(&["schema", "replay"]).json();
    assert!(jsonschema::is_valid(&schema, &document), "{document}");
    assert_eq!(
        (&document["same"], &document["prompts"]),
        (&json!(true), &json!(8))
    );
    assert!(document["files"].as_u64() > Some(5), "{document}");
    assert_eq!(files(&fakes.place.folder()), before);
    assert_eq!(fakes.asks(), asks);

    let text = fakes.place.run(&["replay", "s"]);
    let same = "8 prompts, 9 decisions and ";
    assert!(text.stdout.contains(same), "{text:#?}");
    assert!(text.stdout.contains("byte for byte"), "{text:#?}");
    assert!(text.stderr.contains("no tool is called"), "{text:#?}");
}

#[test]
fn a_document_that_would_be_another_is_named() {
    let fakes = Fakes::new();
    assert_eq!(fakes.debate(&["--quick"]).code, Some(0));
    let transcript = fakes.place.folder().join("transcript.md");
    std::fs::write(&transcript, "other").unwrap();
    let ran = fakes.place.run(&["replay", "s", "--json"]);
    assert_eq!(ran.code, Some(8), "{ran:#?}");
    let named = json!(["transcript.md differs from the text that its record gives"]);
    assert_eq!(ran.json()["differences"], named);
}

/// The commands that a text names between dots and colons or after "with", such as `agon show x`.
fn named_commands(text: &str) -> Vec<Vec<String>> {
    let named = text.split(" · ").flat_map(|part| part.split(": "));
    let named = named.flat_map(|part| part.split(" with "));
    let named = named.filter_map(|part| part.trim().strip_prefix("agon "));
    let words = |command: &str| command.split_whitespace().map(str::to_owned).collect();
    named.map(words).collect()
}

#[test]
fn every_command_that_the_kept_demo_names_works() {
    let fakes = Fakes::new();
    let kept = fakes.place.run(&["demo", "--keep", "--speed", "0"]);
    let last = kept.stderr.lines().last().unwrap_or_default();
    let mut commands = named_commands(last);
    assert_eq!(commands.len(), 6, "{last}");
    let evidence = fakes.place.run(&["evidence", "job-queue"]);
    commands.extend(evidence.stdout.lines().flat_map(named_commands));
    assert_eq!(commands.len(), 7, "{}", evidence.stdout);
    let full = fakes.place.run(&["show", "job-queue", "--full"]).stdout;
    for (screen, row, count) in [(&kept.stdout, "More", 8), (&full, "Saved", 11)] {
        let rows = screen.lines().filter_map(|line| line.strip_prefix(row));
        commands.extend(rows.flat_map(named_commands));
        assert_eq!(commands.len(), count, "{screen}");
    }
    for command in &commands {
        let words: Vec<&str> = command.iter().map(String::as_str).collect();
        let ran = fakes.place.run(&words);
        assert_eq!(ran.code, Some(0), "{command:?}: {ran:#?}");
        assert!(
            !ran.stdout.contains("manifest is missing"),
            "{command:?}: {ran:#?}"
        );
    }
}

#[test]
fn nobody_of_the_kept_demo_can_be_asked_or_argue_on_and_that_is_said() {
    let fakes = Fakes::new();
    fakes.place.run(&["demo", "--keep", "--speed", "0"]);
    let says = |words: &[&str]| {
        let ran = fakes.place.run(words);
        assert_eq!(ran.code, Some(2), "{words:?}: {ran:#?}");
        ran.stderr
    };
    let named = "job-queue is the recorded debate of `agon demo`";
    let asked = says(&["ask", "job-queue", "Why?"]);
    assert!(asked.contains(named), "{asked}");
    let hint = "agon ask job-queue \"Why?\" --tool claude";
    assert!(asked.contains(hint), "{asked}");
    let continued = says(&["continue", "job-queue"]);
    assert!(continued.contains(named), "{continued}");
    for words in [&["continue"][..], &["ask", "Why is it so?"]] {
        let bare = says(words);
        assert!(bare.contains("nothing but the recorded debate"), "{bare}");
        assert!(bare.contains("agon debate \"TOPIC\""), "{bare}");
    }
    assert_eq!(fakes.asks(), Vec::<String>::new());
    // To look at, it is the likely one as long as there is no other.
    let shown = fakes.place.run(&["show", "--json"]);
    assert_eq!(shown.json()["debate"], "job-queue", "{shown:#?}");
}

#[test]
fn a_debate_of_the_users_goes_before_a_kept_demo_that_is_newer() {
    let fakes = Fakes::new();
    assert_eq!(fakes.debate(&["--quick"]).code, Some(0));
    fakes.place.run(&["demo", "--keep", "--speed", "0"]);
    for command in ["show", "check", "evidence"] {
        let ran = fakes.place.run(&[command, "--json"]);
        assert_eq!(ran.json()["debate"], "s", "{command}: {ran:#?}");
    }
    let continued = fakes.place.run(&["continue", "--json"]);
    assert_eq!(continued.json()["debate"], "s", "{continued:#?}");
}

#[test]
fn the_demo_needs_nothing_and_says_what_it_is() {
    let fakes = Fakes::new();
    let ran = fakes.place.run(&["demo"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert!(
        ran.stderr.starts_with("A recording of language models"),
        "{}",
        ran.stderr
    );
    for says in [
        "no tool is called",
        "Their names are invented, their words unedited",
    ] {
        assert!(
            ran.stderr.replace('\n', " ").contains(says),
            "{}",
            ran.stderr
        );
    }
    assert!(ran.stdout.contains("Do next"), "{}", ran.stdout);
    let narrow = fakes.place.run(&["demo", "--speed", "0", "--width", "80"]);
    let lines = narrow.stderr.lines().count() + narrow.stdout.lines().count();
    assert!(lines <= 60, "{lines} lines: {narrow:#?}");
    assert_eq!(fakes.asks(), Vec::<String>::new());
    assert!(!fakes.place.project().join("debates").exists());

    let kept = fakes.place.run(&["demo", "--keep"]);
    // A host reads there what was debated, not what was played.
    let host = fakes.place.project().join("debates/.agon/last-debate.json");
    assert!(!host.exists());
    assert!(kept.stderr.contains("debates/job-queue"), "{kept:#?}");
    let check = fakes.place.run(&["check", "job-queue", "--json"]);
    assert_eq!(check.json()["sound"], true, "{check:#?}");
    // The program still does with that record what it did then.
    let replayed = fakes.place.run(&["replay", "job-queue", "--json"]);
    assert_eq!(replayed.json()["differences"], json!([]), "{replayed:#?}");
    // Whatever is cited can be looked up again, word for word.
    let checked = fakes
        .place
        .run(&["check", "job-queue", "--evidence", "--json"]);
    assert_eq!(
        (checked.code, checked.json()["sound"].as_bool()),
        (Some(0), Some(true)),
        "{checked:#?}"
    );
    let lines = |journal: &str| journal.lines().count();
    let journal = fakes
        .place
        .project()
        .join("debates/job-queue/.agon/journal.jsonl");
    assert_eq!(
        lines(&std::fs::read_to_string(journal).unwrap()),
        lines(include_str!("../../../../debates/demo/journal.jsonl"))
    );
    let again = fakes.place.run(&["demo", "--keep", "--json"]);
    assert_eq!(again.json()["schema"], "agon.result/1", "{again:#?}");
    assert!(
        again.stderr.contains("agon show job-queue-2 "),
        "{again:#?}"
    );
    assert!(fakes.place.project().join("debates/job-queue-2").is_dir());
}

#[test]
fn what_is_said_of_a_damaged_copy_names_the_copy() {
    let fakes = Fakes::new();
    let run = |args: &[&str]| {
        let ran = fakes.place.run(args);
        format!("{}{}", ran.stdout, ran.stderr)
    };
    run(&["demo", "--keep"]);
    let debates = fakes.place.project().join("debates");
    let copied = std::process::Command::new("cp")
        .args(["-r", "job-queue", "copy"])
        .current_dir(&debates)
        .status();
    assert!(copied.unwrap().success());
    let journal = debates.join("copy/.agon/journal.jsonl");
    let mut bytes = std::fs::read(&journal).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] = 0xff;
    std::fs::write(&journal, bytes).unwrap();
    for command in [
        "show", "wait", "watch", "check", "resume", "continue", "report", "replay",
    ] {
        let said = run(&[command, "copy"]);
        let words: Vec<_> = said.split_whitespace().collect();
        for (verb, name) in words.windows(3).filter_map(|it| match it {
            ["agon" | "`agon", verb, name] => Some((verb, name)),
            _ => None,
        }) {
            assert!(
                !name.starts_with("job-queue"),
                "{command}: agon {verb} {name}\n{said}"
            );
        }
    }
    assert!(run(&["wait", "copy"]).contains("agon show copy"));
}
