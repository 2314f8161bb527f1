//! What programs are printed: every document has a published schema, and `--json` is never ignored.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use agon_testkit::Script;
use regex::Regex;
use serde_json::Value;

use crate::cli::folder::{debate, spec};
use crate::cli::harness::Agon;

/// Documents on the disk, which no command prints.
const OF_THE_DISK: [&str; 14] = [
    "agon.consents/1",
    "agon.day/1",
    "agon.gates/1",
    "agon.installed/1",
    "agon.member/1",
    "agon.month/1",
    "agon.offering/1",
    "agon.opened/1",
    "agon.plan_reviews/1",
    "agon.policy/1",
    "agon.source/1",
    "agon.suggestions/1",
    "agon.team_export/1",
    "agon.worktree/1",
];

#[test]
fn every_document_that_the_sources_name_is_published() {
    let listed = Agon::new().run(&["schema", "--json"]).json();
    let listed = listed["documents"].as_array().unwrap();
    let published: BTreeSet<_> = listed
        .iter()
        .map(|document| document["id"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(published.len(), listed.len(), "{published:?}");
    let named = names_in_sources();
    let printed = published.iter().filter(|id| !id.starts_with("agon.moves."));
    let unknown: Vec<_> = printed.filter(|id| !named.contains(*id)).collect();
    assert!(unknown.is_empty(), "nothing is called {unknown:?}");
    let missing: Vec<_> = named
        .difference(&published)
        .filter(|id| !OF_THE_DISK.contains(&id.as_str()))
        .collect();
    assert!(missing.is_empty(), "without a schema: {missing:?}");
}

/// The names of documents in the sources of all crates, the latest version of each.
fn names_in_sources() -> BTreeSet<String> {
    let name = Regex::new(r#""(agon\.[a-z_]+)/(\d+)""#).unwrap();
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut found = BTreeMap::<String, u32>::new();
    for text in sources(crates) {
        // What stands below is written for tests.
        let code = text.split("#[cfg(test)]").next().unwrap();
        for name in name.captures_iter(code) {
            let version: u32 = name[2].parse().unwrap();
            let known = found.entry(name[1].to_owned()).or_default();
            *known = version.max(*known);
        }
    }
    // Only editions that are read know a version beyond the latest.
    found.insert("agon.verdict".to_owned(), 5);
    found
        .into_iter()
        .map(|(name, version)| format!("{name}/{version}"))
        .collect()
}

fn sources(dir: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true if path.ends_with("tests") => {}
            true => found.extend(sources(&path)),
            false if path.extension().is_some_and(|ending| ending == "rs") => {
                found.push(fs::read_to_string(&path).unwrap());
            }
            false => {}
        }
    }
    found
}

/// Every command that prints one document with `--json`, in a project with the debate `job-store`,
/// and the document that it prints; `+` is a blank within a word.
const PRINTED: &[(&str, &str)] = &[
    // No tool is here, and nothing is downloaded for a plan.
    ("debate tabs+or+spaces? --dry-run", "error"),
    ("consult x", "error"),
    ("review", "error"),
    ("continue job-store 9", "error"),
    ("resume job-store", "result"),
    ("demo --speed 0", "result"),
    ("say job-store hello", "error"),
    ("judge job-store", "error"),
    ("stop job-store", "stopped"),
    ("wait job-store", "status"),
    ("show job-store", "result"),
    ("show job-store pro_001a", "point"),
    ("show job-store --section transcript", "section"),
    ("show job-store --section findings", "section"),
    ("show job-store --section arguments", "section"),
    ("list", "list"),
    ("list --search sqlite", "search"),
    ("recall sqlite", "recall"),
    ("ask job-store why", "error"),
    ("report job-store", "report"),
    ("report job-store --format verdict", "verdict"),
    ("report job-store -o there", "report"),
    ("report job-store -o page.html", "report"),
    ("open job-store", "page"),
    ("usage", "usage"),
    ("check job-store", "check"),
    ("check job-store --evidence", "check"),
    ("check --stale", "stale"),
    ("evidence job-store", "evidence"),
    ("replay job-store", "replay"),
    ("graph job-store", "graph"),
    ("errors", "errors"),
    ("errors unknown_tool", "error_code"),
    ("rules", "rules"),
    ("rules explain attack-target", "rule"),
    ("new halt --motion x", "started"),
    ("run job-store", "result"),
    ("init", "init"),
    ("tools", "tools"),
    ("tools doctor", "doctor"),
    ("model list", "models"),
    ("config show", "config"),
    ("config path", "config_files"),
    ("config check", "config_check"),
    ("config consent", "consent"),
    ("config consent allow openai", "error"),
    ("config consent withdraw", "consent"),
    ("config init", "config_written"),
    ("config edit", "error"),
    ("schema", "schemas"),
    // What is no document is refused, and nothing of it printed.
    ("completions bash", "error"),
    ("acp", "error"),
    ("web", "error"),
    ("mcp", "error"),
    ("install claude --dry-run", "installation"),
    ("uninstall claude", "installation"),
    ("hosts", "hosts"),
    ("hosts lint", "lint"),
    ("roster", "roster"),
    ("roster list", "roster"),
    ("roster show scout", "role"),
    ("roster show scot", "error"),
    ("roster matrix", "roster_matrix"),
    ("roster check", "roster_check"),
    ("context", "error"),
    ("skills import debates --dry-run", "skills_import"),
    ("skills match sqlite", "skills_match"),
    ("skills explain debate sqlite", "skill_score"),
    ("skills list", "skills"),
    ("skills show debate", "skill"),
    ("skills lint", "skills_lint"),
    ("man", "error"),
    ("team init", "team"),
    ("team join lea --role lead --host claude", "team_joined"),
    ("team task add greet", "team_task"),
    ("team task claim", "team_task"),
    ("team task why t1", "team_why"),
    ("team status", "team_status"),
    ("team status --why t1", "team_why"),
    ("team status --why lea", "team_member"),
    ("team lock take src --task t1 --epoch 1", "team_lock"),
    ("team lock list", "team_locks"),
    ("team lock release l1 --epoch 1", "team_unlocked"),
    ("team mail send lea x", "error"),
    ("team mail fetch", "team_mail"),
    ("team mail ack m1", "error"),
    ("team mail thread m1", "error"),
    ("team review t1 --epoch 1 --approve --note x", "error"),
    ("team log", "team_log"),
    ("team export", "error"),
    ("team export team.jsonl", "team_exported"),
    ("team import team.jsonl", "error"),
    ("team doctor", "team_doctor"),
    ("team leave", "team_left"),
    ("report job-store --format transcript", "error"),
    ("report job-store --format html", "error"),
    ("graph job-store --format dot", "error"),
    // No member of the team asks, and no person at a terminal.
    ("team start worker --host claude", "error"),
    ("team watch --once", "error"),
    ("team run x --host claude", "error"),
    ("team land r1", "error"),
    ("decide job-store --taken --why cheap", "decided"),
    ("batch missing.jsonl", "error"),
    ("trial missing.jsonl", "error"),
    ("trial show missing", "error"),
    ("trial compare one two", "error"),
    ("trial generate number-puzzle --count 1", "error"),
    ("rm job-store --yes", "removed"),
    ("hook claude stop", "error"),
];

#[test]
fn no_command_ignores_that_a_document_is_wanted() {
    let mut wrong = Vec::new();
    let agon = Agon::new();
    let debates = agon.project().join("debates");
    debate(
        &debates,
        spec("job-store"),
        &Script::job_store(),
        usize::MAX,
    );
    for (line, name) in PRINTED {
        let words = line.split(' ').chain(["--json"]);
        let words: Vec<_> = words.map(|word| word.replace('+', " ")).collect();
        let args: Vec<_> = words.iter().map(String::as_str).collect();
        // The harness holds it to its schema.
        let document = agon.run(&args).json();
        let id = document["schema"].as_str().unwrap_or_default();
        let printed = id.strip_prefix("agon.").and_then(|id| id.split('/').next());
        if printed != Some(*name) {
            wrong.push(format!(
                "agon {line}: {id} instead of {name}: {}",
                document["error"]
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_command_is_asked_for_a_document() {
    let asked: BTreeSet<_> = PRINTED
        .iter()
        .map(|(line, _)| line.split(' ').next().unwrap())
        .collect();
    let help = Agon::new().run(&["--help-all"]).stdout;
    let name = Regex::new(r"(?m)^  ([a-z]+)  ").unwrap();
    let commands: BTreeSet<_> = name
        .captures_iter(&help)
        .map(|found| found.extract::<1>().1[0])
        .collect();
    let commands: BTreeSet<_> = commands
        .into_iter()
        // `agon ops` prints JSON and nothing else, in the shape that its callers have fixed; `agon watch`
        // prints a line for each event, which `every_event_is_a_line_that_keeps_its_schema` holds.
        .filter(|name| !["ops", "agon", "watch"].contains(name))
        .collect();
    let missing: Vec<_> = commands.difference(&asked).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn a_refused_document_says_what_to_leave_out() {
    let agon = Agon::new();
    let ran = agon.run(&["completions", "bash", "--json"]);
    assert_eq!(ran.code, Some(2));
    let document: Value = ran.json();
    assert_eq!(document["error"]["code"], "not_json");
    assert_eq!(document["error"]["hint"], "leave out --json");
}
