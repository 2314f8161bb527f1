//! Reviews of changes in a real repository, by scripted seats.

use std::collections::BTreeMap;
use std::fs;

use agon_debates::review::{ReviewOutcome, ReviewRequest, find_change, review};
use agon_testkit::{Script, git, sample};
use agon_verdict::review::{DefectStanding, LeftOutReason, ReviewDoc, ReviewedChange};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::task::LocalSet;

use crate::front::Recorder;
use crate::place::Place;

/// A change with what two seats report on it.
#[derive(Deserialize)]
struct PlantedChange {
    name: String,
    files: BTreeMap<String, Versions>,
    findings: Vec<Report>,
}

#[derive(Deserialize)]
struct Versions {
    before: Option<String>,
    after: Option<String>,
}

#[derive(Clone, Deserialize)]
struct Report {
    truth: String,
    severity: String,
    title: String,
    claim: String,
    file: Option<String>,
    lines: Option<[u32; 2]>,
    anchor: Option<String>,
}

impl Report {
    fn title(&self) -> String {
        format!("[{}] {}", self.severity, self.title)
    }

    fn grounds(&self) -> Value {
        let citation = match &self.file {
            None => json!({"reasoning": self.claim}),
            Some(file) => json!({"file": file, "lines": self.lines, "anchor": self.anchor}),
        };
        json!([{
            "source": self.file.as_deref().unwrap_or("experience"),
            "content": self.claim,
            "relevance": "It shows the defect.",
            "citation": citation,
        }])
    }

    fn argument(&self) -> Value {
        json!({
            "title": self.title(), "claim": self.claim, "grounds": self.grounds(),
            "warrant": "Code that does this fails its callers.",
            "backing": "The callers rely on it.", "qualifier": "With this change",
        })
    }

    fn objection_to(&self, target: &str) -> Value {
        json!({
            "target": target, "kind": "claim", "category": "correctness",
            "severity": "major", "title": self.title(), "content": self.claim,
            "grounds": self.grounds(),
        })
    }
}

fn reply(moves: &Value) -> String {
    format!("Read the change.\n\n```json\n{moves}\n```\n")
}

fn opening(arguments: &[Value]) -> String {
    reply(&json!({"stance": "The change has defects.", "arguments": arguments}))
}

fn challenge(objections: &[Value], agreements: &[Value]) -> String {
    // The objections are about correctness.
    let categories = ["correctness", "security", "developer_experience"];
    let none = categories
        .into_iter()
        .skip(usize::from(!objections.is_empty()));
    let none: Vec<_> = none
        .map(|category| json!({"category": category, "looked_at": ["the change"], "why": "none"}))
        .collect();
    reply(&json!({"objections": objections, "agreements": agreements, "none_found": none}))
}

fn ruling() -> String {
    reply(&json!({
        "winner": "proposer", "answer": "No, not as it is", "why": "It has a defect.",
        "do_next": "Fix it.", "unless": "Nobody calls it.", "decisive": ["pro_001a"],
        "open": [{"question": "Who calls it?", "to_settle": "Search the callers."}],
        "assumed_by_both": ["It is deployed at once."], "agreements": [], "disagreements": [],
        "quality": {"genuine_disagreement": "high", "evidence": "high", "challenge_depth": "medium"},
    }))
}

/// Commits both versions of the files and returns the place, in which `script` answers.
fn committed(files: &BTreeMap<String, Versions>, script: &Script) -> Place {
    let place = Place::scripted(script);
    let here = place.caller.cwd.clone();
    git(&here, &["init", "--quiet"]);
    fs::write(here.join("README"), "A project.\n").unwrap();
    let write = |version: fn(&Versions) -> &Option<String>, message: &str| {
        for (name, versions) in files {
            let path = here.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            match version(versions) {
                Some(text) => fs::write(path, text).unwrap(),
                None => drop(fs::remove_file(path)),
            }
        }
        git(&here, &["add", "--all"]);
        git(
            &here,
            &["commit", "--quiet", "--allow-empty", "-m", message],
        );
    };
    write(|of| &of.before, "before");
    write(|of| &of.after, "after");
    git(&here, &["branch", "--quiet", "-M", "main"]);
    place
}

async fn quick(place: &Place) -> (ReviewDoc, ReviewedChange) {
    let change = find_change(&place.caller, Some("HEAD")).await.unwrap();
    let request = ReviewRequest {
        quick: true,
        ..ReviewRequest::default()
    };
    (run(place, &request, &change).await, change)
}

async fn run(place: &Place, request: &ReviewRequest, change: &ReviewedChange) -> ReviewDoc {
    let mut front = Recorder::default();
    let reviewed = review(&place.caller, request, change, &mut front);
    match LocalSet::new().run_until(reviewed).await.unwrap() {
        ReviewOutcome::Ended(doc, _) => *doc,
        ReviewOutcome::Planned(planned) => panic!("{planned:?}"),
    }
}

fn one_file(before: &str, after: &str) -> BTreeMap<String, Versions> {
    let versions = Versions {
        before: Some(before.to_owned()),
        after: Some(after.to_owned()),
    };
    BTreeMap::from([("src/page.py".to_owned(), versions)])
}

const BEFORE: &str = "def pages(rows, size):\n    return (len(rows) + size - 1) // size\n";
const AFTER: &str = "def pages(rows, size):\n    return len(rows) // size\n";

fn lost_page() -> Report {
    serde_json::from_value(json!({
        "truth": "true", "severity": "major", "title": "The last page is lost",
        "claim": "A part of a page at the end is not counted.",
        "file": "src/page.py", "lines": [2, 2], "anchor": "return len(rows) // size",
    }))
    .unwrap()
}

#[tokio::test(flavor = "current_thread")]
async fn a_defect_that_another_vendor_reproduced_is_marked() {
    let agreement = json!({
        "target": "pro_001a", "remaining_risk": "Five rows of size two give two pages.",
        "grounds": lost_page().grounds(),
    });
    let script = Script::new("pass")
        .turn("r1.pro", [opening(&[lost_page().argument()])])
        .turn("r1.cha", [challenge(&[], &[agreement])])
        .turn("verdict.judge", [ruling()]);
    let (doc, change) = quick(&committed(&one_file(BEFORE, AFTER), &script)).await;
    let [defect] = &doc.defects[..] else {
        panic!("{doc:?}")
    };
    assert_eq!(defect.standing, DefectStanding::Confirmed);
    assert!(
        defect.confirmed.as_ref().unwrap().is_reproduced(),
        "{defect:?}"
    );
    assert_eq!(defect.places[0].to_string(), "src/page.py:2");
    assert!(defect.is_in_change && defect.is_decisive);
    assert_eq!(doc.commit, change.commit);
    assert_eq!(doc.open, ["Who calls it?"]);
    assert_eq!(doc.assumed, ["It is deployed at once."]);
    assert_eq!(doc.failure, None);
}

#[tokio::test(flavor = "current_thread")]
async fn a_debate_without_a_verdict_is_no_review() {
    let script = Script::new("pass").turn("r1.pro", ["", ""]);
    let place = committed(&one_file(BEFORE, AFTER), &script);
    let change = find_change(&place.caller, None).await.unwrap_err();
    assert!(change.message.contains("no branch"), "{change:?}");
    let change = find_change(&place.caller, Some("HEAD")).await.unwrap();
    let request = ReviewRequest {
        quick: true,
        ..ReviewRequest::default()
    };
    let mut front = Recorder::default();
    let reviewed = review(&place.caller, &request, &change, &mut front);
    match LocalSet::new().run_until(reviewed).await {
        Err(_) => {}
        Ok(ReviewOutcome::Ended(doc, _)) => assert!(doc.failure.is_some(), "{doc:?}"),
        Ok(ReviewOutcome::Planned(planned)) => panic!("{planned:?}"),
    }
}

#[tokio::test(flavor = "current_thread")]
async fn a_merge_is_reviewed_against_the_branch_that_it_is_merged_to() {
    let place = committed(&one_file(BEFORE, AFTER), &Script::new("pass"));
    let here = place.caller.cwd.clone();
    git(&here, &["switch", "--quiet", "-c", "topic", "HEAD^"]);
    fs::write(here.join("topic.py"), "TOPIC = 1\n").unwrap();
    git(&here, &["add", "--all"]);
    git(&here, &["commit", "--quiet", "-m", "topic"]);
    let own = find_change(&place.caller, None).await.unwrap();
    assert_eq!(Vec::from_iter(&own.files), ["topic.py"]);
    git(&here, &["switch", "--quiet", "--detach", "main"]);
    git(
        &here,
        &["merge", "--quiet", "--no-ff", "-m", "merge", "topic"],
    );
    git(&here, &["update-ref", "refs/pull/12/merge", "HEAD"]);
    for name in [None, Some("HEAD"), Some("12"), Some("#12")] {
        let change = find_change(&place.caller, name).await.unwrap();
        assert_eq!(Vec::from_iter(&change.files), ["topic.py"], "{name:?}");
        assert_eq!(change.since, git(&here, &["rev-parse", "main"]).trim());
    }
    let missing = find_change(&place.caller, Some("13")).await.unwrap_err();
    assert!(
        missing
            .hint
            .unwrap()
            .typed()
            .contains("git fetch origin refs/pull/13/merge")
    );
}

/// The 40 changes: 20 with one bug each, 20 sound.
fn planted_changes() -> Vec<PlantedChange> {
    serde_json::from_str(include_str!("../review/changes.json")).unwrap()
}

#[tokio::test(flavor = "current_thread")]
async fn no_report_that_code_can_refute_is_among_the_defects() {
    let mut kept = BTreeMap::<String, [u32; 2]>::new();
    let changes = sample("reports that code can refute", planted_changes(), 12);
    for planted in changes {
        // The proposer has at most three arguments; the challenger reports the rest.
        let (first, rest) = planted.findings.split_at(planted.findings.len().min(3));
        let arguments: Vec<_> = first.iter().map(Report::argument).collect();
        // An argument may be attacked once in a turn.
        let targets = rest.iter().zip(["pro_001a", "pro_001b"]);
        let objections: Vec<_> = targets
            .map(|(one, target)| one.objection_to(target))
            .collect();
        let script = Script::new("pass")
            .turn("r1.pro", [opening(&arguments)])
            .turn("r1.cha", [challenge(&objections, &[])])
            .turn("verdict.judge", [ruling()]);
        let (doc, _) = quick(&committed(&planted.files, &script)).await;
        assert_eq!(doc.failure, None, "{}", planted.name);
        for report in &planted.findings {
            let is_kept = doc.defects.iter().any(|one| one.title == report.title);
            let left_out = doc.left_out.iter().find(|one| one.title == report.title);
            assert_ne!(
                is_kept,
                left_out.is_some(),
                "{}: {}",
                planted.name,
                report.title
            );
            let is_refutable = !["true", "opinion", "moved"].contains(&report.truth.as_str());
            assert!(
                !(is_kept && is_refutable),
                "{}: {}",
                planted.name,
                report.title
            );
            if let Some(left_out) = left_out {
                assert_ne!(
                    left_out.reason,
                    LeftOutReason::Withdrawn,
                    "{}",
                    planted.name
                );
            }
            kept.entry(report.truth.clone()).or_default()[usize::from(is_kept)] += 1;
        }
    }
    // Left out and kept, by what is true of the report: code cannot refute a real quotation.
    for truth in ["true", "opinion", "moved"] {
        let [left_out, _] = kept.get(truth).copied().unwrap_or_default();
        assert_eq!(left_out, 0, "{truth}: {kept:?}");
    }
    assert!(
        kept.contains_key("true") && kept.contains_key("invented_quote"),
        "{kept:?}"
    );
}
