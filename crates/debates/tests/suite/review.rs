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
    let mut own = lost_page();
    (own.lines, own.anchor) = (Some([1, 1]), Some("def pages(rows, size)".to_owned()));
    let agreement = |grounds: Value| {
        json!({
            "target": "pro_001a", "grounds": grounds,
            "remaining_risk": "Five rows of size two give two pages.",
        })
    };
    let reviewed = async |grounds: Value| {
        let script = Script::new("pass")
            .turn("r1.pro", [opening(&[lost_page().argument()])])
            .turn("r1.cha", [challenge(&[], &[agreement(grounds)])])
            .turn("verdict.judge", [ruling()]);
        quick(&committed(&one_file(BEFORE, AFTER), &script)).await
    };
    let (doc, change) = reviewed(own.grounds()).await;
    let [defect] = &doc.defects[..] else {
        panic!("{doc:?}")
    };
    assert_eq!(defect.standing, DefectStanding::Confirmed);
    let confirmed = defect.confirmed.as_ref().unwrap();
    assert!(confirmed.is_reproduced(), "{defect:?}");
    assert_eq!(defect.places[0].to_string(), "src/page.py:2");
    assert!(defect.is_in_change && defect.is_decisive);
    assert_eq!(doc.commit, change.commit);
    assert_eq!(doc.open, ["Who calls it?"]);
    assert_eq!(doc.assumed, ["It is deployed at once."]);
    assert_eq!(doc.failure, None);
    // Whoever repeats the citation of the report has no evidence of their own.
    let (echoed, _) = reviewed(lost_page().grounds()).await;
    let confirmed = echoed.defects[0].confirmed.as_ref().unwrap();
    assert!(!confirmed.is_reproduced(), "{confirmed:?}");
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

/// Runs a review of two rounds in which the challenger objects to the report, the proposer replies,
/// and the challenger rules on the reply.
async fn argued(objection: Value, reply_kind: &str, ruling_kind: &str) -> ReviewDoc {
    let blind = |answer: &str| {
        reply(&json!({"answer": answer, "position": answer, "because": ["It is so."]}))
    };
    let response = json!({
        "position_now": "No.", "responses": [{
            "objection": "cha_001a", "reply": reply_kind, "content": "The reply.",
            "still_favours_because": "It is still lost.", "grounds": lost_page().grounds(),
        }], "arguments": [],
    });
    let assessment = json!({
        "assessments": [{
            "response": "pro_002a", "ruling": ruling_kind, "content": "The ruling.",
            "grounds": lost_page().grounds(),
        }],
        "objections": [], "agreements": [], "alternatives": [], "none_found": [],
    });
    let script = Script::new("pass")
        .turn("r0.pro", [blind("No")])
        .turn("r0.cha", [blind("Yes")])
        .turn("r1.pro", [opening(&[lost_page().argument()])])
        .turn("r1.cha", [challenge(&[objection], &[])])
        .turn("r2.pro", [reply(&response)])
        .turn("r2.cha", [reply(&assessment)])
        .turn("verdict.judge", [ruling()])
        .turn("verdict.swap", [ruling()]);
    let place = committed(&one_file(BEFORE, AFTER), &script);
    let change = find_change(&place.caller, Some("HEAD")).await.unwrap();
    run(&place, &ReviewRequest::default(), &change).await
}

#[tokio::test(flavor = "current_thread")]
async fn a_report_is_withdrawn_only_if_its_side_gives_up_the_defect() {
    let plain = |title: &str, kind: &str| {
        let mut objection = lost_page().objection_to("pro_001a");
        objection["title"] = json!(title);
        objection["kind"] = json!(kind);
        objection
    };
    let doc = argued(plain("Callers round up", "claim"), "concede", "resolved").await;
    assert_eq!(doc.defects, []);
    assert_eq!(doc.left_out[0].reason, LeftOutReason::Withdrawn);
    // A thin backing is conceded, the defect is not.
    let doc = argued(
        plain("No caller was named", "backing"),
        "concede",
        "resolved",
    )
    .await;
    assert_eq!(doc.defects.len(), 1, "{doc:?}");
    // A defect of its own needs a target, and is no attempt against that one.
    let mut second = lost_page();
    second.title = "Zero is divided by".to_owned();
    let doc = argued(second.objection_to("pro_001a"), "concede", "resolved").await;
    let titles: Vec<_> = doc.defects.iter().map(|one| one.title.as_str()).collect();
    assert_eq!(titles, ["Zero is divided by", "The last page is lost"]);
    assert_eq!(doc.defects[1].standing, DefectStanding::Unanswered);
    // The objection was answered, and its own side accepted the answer.
    let doc = argued(plain("Callers round up", "claim"), "rebut", "resolved").await;
    assert_eq!(doc.defects[0].standing, DefectStanding::Upheld, "{doc:?}");
    let doc = argued(plain("Callers round up", "claim"), "rebut", "sustained").await;
    assert_eq!(doc.defects[0].standing, DefectStanding::Disputed);
    // The proposer calls the challenger's report real, but not decisive.
    let doc = argued(second.objection_to("pro_001a"), "tradeoff", "resolved").await;
    assert_eq!(doc.defects.len(), 2, "{doc:?}");
}

#[tokio::test(flavor = "current_thread")]
async fn files_that_no_seat_saw_are_named() {
    let place = committed(&one_file(BEFORE, AFTER), &Script::new("pass"));
    let here = place.caller.cwd.clone();
    let commit = |message: &str| {
        git(&here, &["add", "--all", "--force"]);
        git(&here, &["commit", "--quiet", "-m", message]);
    };
    fs::write(here.join(".gitattributes"), "*.rs -diff\n").unwrap();
    fs::write(here.join("hidden.rs"), "fn hidden() {}\n").unwrap();
    fs::create_dir_all(here.join("debates")).unwrap();
    fs::write(here.join("debates/deploy.sh"), "echo deploy\n").unwrap();
    fs::write(here.join("odd [name] :(glob).py"), "ODD = 1\n").unwrap();
    fs::write(
        here.join("wide.py"),
        format!("W = '{}'\n", "w".repeat(300_000)),
    )
    .unwrap();
    fs::write(here.join("small.py"), "SMALL = 1\n".repeat(50)).unwrap();
    commit("hide");
    let change = find_change(&place.caller, Some("HEAD")).await.unwrap();
    let read: Vec<_> = change.files.iter().map(String::as_str).collect();
    assert_eq!(
        read,
        [".gitattributes", "odd [name] :(glob).py", "small.py"]
    );
    assert_eq!(
        change.not_read,
        ["debates/deploy.sh", "hidden.rs", "wide.py"]
    );
    fs::write(
        here.join("wide.py"),
        format!("W = '{}'\n", "v".repeat(300_000)),
    )
    .unwrap();
    commit("only a wide file");
    let refused = find_change(&place.caller, Some("HEAD")).await.unwrap_err();
    assert!(
        refused.message.contains("none of the 1 changed files"),
        "{refused:?}"
    );
}

#[tokio::test(flavor = "current_thread")]
async fn a_removed_guard_is_reported_with_its_old_lines_and_unchanged_old_code_is_not() {
    let before = "def drop(user):\n    check(user)\n    delete(user)\n";
    let after = "def drop(user):\n    delete(user)\n";
    let report = |lines: [u32; 2], anchor: &str| {
        let mut report = lost_page();
        (report.lines, report.anchor) = (Some(lines), Some(anchor.to_owned()));
        report
    };
    for (lines, anchor, is_kept) in [
        ([2, 2], "check(user)", true),
        ([1, 1], "def drop(user):", false),
    ] {
        let place = committed(&one_file(before, after), &Script::new("pass"));
        let since = git(&place.caller.cwd, &["rev-parse", "HEAD^"]);
        let mut argument = report(lines, anchor).argument();
        argument["grounds"][0]["citation"]["commit"] = json!(since.trim());
        let script = Script::new("pass")
            .turn("r1.pro", [opening(&[argument])])
            .turn("r1.cha", [challenge(&[], &[])])
            .turn("verdict.judge", [ruling()]);
        let (doc, _) = quick(&place.with_script(&script)).await;
        let found: Vec<_> = doc
            .defects
            .iter()
            .map(|one| one.places[0].to_string())
            .collect();
        let expected: &[&str] = if is_kept {
            &["src/page.py:2 (removed)"]
        } else {
            &[]
        };
        assert_eq!(found, expected, "{doc:?}");
    }
}
