//! `agon context` of a debate: the sessions of its seats.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use agon_testkit::Script;
use serde_json::{Value, json};

use crate::cli::folder::{debate, other, spec};
use crate::cli::harness::Agon;
use crate::cli::session_context::session;

fn with_duel(slug: &str, calls: usize) -> (Agon, PathBuf) {
    let agon = Agon::new();
    let parent = agon.project().join("debates");
    let folder = debate(&parent, spec(slug), &Script::job_store(), calls);
    (agon, folder)
}

fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false => {
                found.insert(path.clone(), fs::read(&path).unwrap());
            }
        }
    }
    found
}

fn ids(document: &Value) -> Vec<&str> {
    let sessions = document["sessions"].as_array().unwrap();
    sessions
        .iter()
        .map(|it| it["id"].as_str().unwrap())
        .collect()
}

#[test]
fn each_seat_of_a_debate_has_a_session_with_its_calls_and_tokens_and_nothing_is_written() {
    let (agon, folder) = with_duel("job-store", 20);
    let before = files(&folder);
    let document = agon.run(&["context", "job-store", "--json"]).json();
    let schema = agon.run(&["schema", "context", "--json"]).json();
    assert!(jsonschema::is_valid(&schema, &document), "{document}");
    let wanted = [
        "job-store/proposer",
        "job-store/challenger",
        "job-store/judge",
    ];
    assert_eq!(ids(&document), wanted);
    let proposer = &document["sessions"][0];
    let of = |key: &str| proposer[key].clone();
    // Its first answer and two rounds; each call stands alone.
    assert_eq!(
        [
            of("host"),
            of("state"),
            of("turns"),
            of("calls"),
            of("renewals")
        ],
        [json!("agon"), json!("green"), json!(3), json!(3), json!(2)]
    );
    let tokens = [&proposer["tokens"]["input"], &proposer["tokens"]["output"]];
    assert_eq!(tokens, [&json!(27_000), &json!(2_400)]);
    let title = "claude: SQLite or plain files for the job store?";
    assert_eq!(of("title"), title);
    let path = folder.to_str().unwrap();
    let one = agon.run(&["context", &format!("{path}/proposer"), "--json"]);
    assert_eq!(one.json()["sessions"], json!([proposer]));
    let screen = agon.run(&["context", "job-store/proposer"]).stdout;
    assert!(
        screen.contains("green  agon job-store/proposer"),
        "{screen}"
    );
    assert!(screen.contains("Renewed    2×"), "{screen}");
    assert_eq!(files(&folder), before);
}

#[test]
fn a_debate_that_goes_on_is_read_as_far_as_it_is_and_a_seat_that_was_not_asked_has_no_session() {
    let (agon, _) = with_duel("begun", 3);
    let document = agon.run(&["context", "begun", "--json"]).json();
    assert_eq!(ids(&document), ["begun/proposer", "begun/challenger"]);
    let judge = agon.run(&["context", "begun/judge", "--json"]);
    assert_eq!(judge.code, Some(2));
    assert_eq!(judge.json()["error"]["code"], "no_session");
    let watched = agon.run(&["context", "begun", "--watch"]);
    assert!(
        watched.stderr.contains("begun/challenger"),
        "{}",
        watched.stderr
    );
}

#[test]
fn all_sessions_of_a_project_are_those_of_debates_too_and_the_latest_is_of_a_tool() {
    let (agon, _) = with_duel("job-store", 20);
    session(&agon, "aaaa-1", &[50_000]);
    let all = agon.run(&["context", "--all", "--json"]).json();
    let hosts = |document: &Value| {
        let sessions = document["sessions"].as_array().unwrap();
        let hosts = sessions
            .iter()
            .map(|it| it["host"].as_str().unwrap().to_owned());
        hosts.collect::<Vec<_>>()
    };
    let mut found = hosts(&all);
    found.sort_unstable();
    assert_eq!(found, ["agon", "agon", "agon", "claude"]);
    let latest = agon.run(&["context", "--last", "--json"]).json();
    assert_eq!(hosts(&latest), ["claude"]);
    let of_debates = agon
        .run(&["context", "--all", "--host", "agon", "--json"])
        .json();
    assert_eq!(hosts(&of_debates), ["agon"; 3]);
}

#[test]
fn damage_is_told_and_what_comes_before_it_is_read() {
    let (agon, folder) = with_duel("job-store", 20);
    let journal = folder.join(".agon/journal.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    let sound = agon
        .run(&["context", "job-store/proposer", "--json"])
        .json();

    fs::write(&journal, &text[..text.len() - 9]).unwrap();
    let torn = agon
        .run(&["context", "job-store/proposer", "--json"])
        .json();
    let torn = &torn["sessions"][0];
    assert_eq!(torn["calls"], sound["sessions"][0]["calls"]);
    assert!(torn["unfinished"].as_u64().unwrap() > 0, "{torn}");

    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let middle = lines.len() / 2;
    lines[middle] = "{\"v\":".to_owned();
    fs::write(&journal, lines.join("\n") + "\n").unwrap();
    let damaged = agon
        .run(&["context", "job-store/proposer", "--json"])
        .json();
    let damaged = &damaged["sessions"][0];
    assert_eq!(damaged["problems"][0]["kind"], "damaged", "{damaged}");
    let calls = damaged["calls"].as_u64().unwrap();
    assert!((1..3).contains(&calls), "{calls}");

    // One that cannot be read at all is told by itself, and stands in the list beside the others.
    fs::write(&journal, "no journal\n").unwrap();
    let parent = agon.project().join("debates");
    debate(&parent, other("sound", 7), &Script::job_store(), 20);
    let unreadable = agon.run(&["context", "job-store", "--json"]);
    assert_eq!(unreadable.code, Some(6));
    assert_eq!(unreadable.json()["error"]["code"], "unreadable_session");
    let all = agon.run(&["context", "--all", "--json"]).json();
    let wanted = [
        "sound/proposer",
        "sound/judge",
        "sound/challenger",
        "job-store",
    ];
    assert_eq!(ids(&all), wanted);
    assert_eq!(all["sessions"][3]["problems"][0]["kind"], "unreadable");
}
