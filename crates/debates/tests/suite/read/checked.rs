//! What `check` finds in a folder, without changing it.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::SystemTime;

use agon_caller::{Failure, IgnoreNotes};
use agon_debates::read::check::{CheckRequest, CheckedDebate, check};
use agon_debates::read::rules;
use agon_debates::read::section::Section;
use agon_debates::read::show::show;
use agon_debates::status::list::list;
use agon_report::screen::{UNLIMITED, findings_text};
use agon_testkit::{Cue, Script};
use serde_json::{Value, json};

use super::reports::text_of;
use crate::front::Recorder;
use crate::project::Project;

fn checked(project: &Project, rule: Option<&str>) -> CheckedDebate {
    let request = CheckRequest {
        rule: rule.map(str::to_owned),
        ..CheckRequest::default()
    };
    check(&project.caller, &request, &mut IgnoreNotes).unwrap()
}

fn document(checked: &CheckedDebate) -> Value {
    serde_json::to_value(&checked.document).unwrap()
}

/// Returns the findings for people.
fn text(checked: &CheckedDebate) -> String {
    let texts = checked.document_texts();
    let file = |name: &str| texts.get(name).cloned();
    findings_text(&checked.state, &checked.findings, &file, UNLIMITED)
}

fn cue(turn: &str) -> Cue {
    Cue {
        turn: Some(turn.to_owned()),
        again: 0,
    }
}

#[test]
fn a_whole_folder_checks_clean() {
    let checked = checked(&Project::finished(), None);
    let document = document(&checked);
    assert_eq!(
        (&document["sound"], &document["errors"], &document["folder"]),
        (&json!(true), &json!(0), &json!([]))
    );
}

#[test]
fn broken_rules_are_found_all_or_those_of_one_rule() {
    let good = Script::job_store();
    let title = "Claim and lease are two steps";
    let long = good
        .reply(&cue("r1.pro"))
        .replace(title, &format!("{title} that nothing locks"));
    let wrong = good
        .reply(&cue("r1.cha"))
        .replace("\"pro_001a\"", "\"pro_009a\"");
    let script = good
        .turn("r1.pro", [long.clone(), long])
        .turn("r1.cha", [wrong.clone(), wrong]);
    let project = Project::debated(&script, 6);
    let codes = |rule| {
        let checked = checked(&project, rule);
        let document = document(&checked);
        let found = checked.findings.iter().map(|it| it.code.to_string());
        let counts = [&document["errors"], &document["warnings"]].map(|it| it.as_u64().unwrap());
        (counts, found.collect::<Vec<_>>())
    };
    let (target, words) = ("attack-target", "reply-words");
    let all = [target, target, words].map(str::to_owned).to_vec();
    assert_eq!(codes(None), ([2, 1], all));
    let one = [target, target].map(str::to_owned).to_vec();
    assert_eq!(codes(Some(target)), ([2, 0], one));
    assert_eq!(codes(Some("reply-parse")), ([0, 0], Vec::new()));
    let unknown: Failure = rules::find("target").unwrap_err();
    assert_eq!(unknown.message, "unknown rule `target`");
    let hint = unknown.hint.unwrap().typed();
    assert!(hint.starts_with("did you mean attack-target?"), "{hint}");
}

#[test]
fn a_rule_broken_often_is_told_once() {
    let good = Script::job_store();
    let reply = good.reply(&cue("r1.pro"));
    let (start, end) = (reply.find('{').unwrap(), reply.rfind('}').unwrap());
    let mut moves: Value = serde_json::from_str(&reply[start..=end]).unwrap();
    let stuffed = moves["arguments"].as_array_mut().unwrap();
    for argument in stuffed.iter_mut() {
        for key in ["title", "claim", "warrant"] {
            argument[key] = Value::String("too many words ".repeat(30));
        }
    }
    let long = moves.to_string();
    let script = good.turn("r1.pro", [long.clone(), long]);
    let project = Project::debated(&script, 4);
    let told = text(&checked(&project, None));
    assert_eq!(told.matches("[reply-words]").count(), 1, "{told}");
    assert!(told.contains("first of 9 findings of this rule"), "{told}");
    let all = text(&checked(&project, Some("reply-words")));
    assert_eq!(all.matches("[reply-words]").count(), 9, "{all}");
}

#[test]
fn a_folder_edited_by_hand_is_told_file_by_file() {
    let project = Project::finished();
    let folder = project.folder();
    fs::write(folder.join("transcript.md"), "mine\n").unwrap();
    fs::remove_file(folder.join("debate.md")).unwrap();
    fs::write(folder.join("arguments/pro_001a.md"), "").unwrap();
    let checked = checked(&project, None);
    let told = checked.document.folder.iter();
    let told: Vec<_> = told
        .map(|it| (it.is_error(), it.message.as_str()))
        .collect();
    assert_eq!(
        told,
        [
            (false, "debate.md is missing"),
            (false, "arguments/pro_001a.md is empty or truncated"),
            (
                true,
                "transcript.md was changed by hand or by another program"
            ),
        ]
    );
    let document = document(&checked);
    assert_eq!(
        (&document["sound"], &document["errors"]),
        (&json!(false), &json!(1))
    );
}

#[test]
fn a_damaged_journal_is_told_and_what_is_sound_is_shown() {
    let project = Project::finished();
    let journal = project.folder().join(".agon/journal.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
    lines[4] = lines[4].replacen("\"at\":\"2026", "\"at\":\"2027", 1);
    fs::write(&journal, lines.join("\n") + "\n").unwrap();
    let mut notes = Recorder::default();
    show(&project.caller, None, &mut notes).unwrap();
    let warned = notes.notes.iter().any(|note| note.starts_with("warning: "));
    assert!(warned, "{:?}", notes.notes);
    let found = checked(&project, None).document.folder;
    let of_journal = found.iter().find(|it| it.code == "journal").unwrap();
    assert!(of_journal.is_error(), "{of_journal:?}");
}

#[tokio::test]
async fn reading_writes_nothing_and_needs_no_right_to() {
    for calls in [5, usize::MAX] {
        is_only_read(&Project::debated(&Script::job_store(), calls)).await;
    }
}

async fn is_only_read(project: &Project) {
    let folder = project.folder();
    let dirs = [
        folder.clone(),
        folder.join(".agon"),
        folder.join("arguments"),
    ];
    let allow = |mode| {
        for dir in &dirs {
            fs::set_permissions(dir, fs::Permissions::from_mode(mode)).unwrap();
        }
    };
    let before = files(&folder);
    allow(0o555);
    let mut notes = Recorder::default();
    let shown = show(&project.caller, None, &mut notes).unwrap();
    shown.section(Section::Transcript, None);
    check(&project.caller, &CheckRequest::default(), &mut notes).unwrap();
    text_of(&project.caller, "transcript").await;
    if shown.has_verdict {
        for kind in ["md", "html"] {
            text_of(&project.caller, kind).await;
        }
    }
    list(&project.caller, None).unwrap();
    assert_eq!(files(&folder), before);
    allow(0o755);
    assert_eq!(notes.notes, [] as [&str; 0]);
}

/// Returns every file with its bytes and modification time.
fn files(folder: &Path) -> Vec<(String, Vec<u8>, SystemTime)> {
    let found = crate::tree::tree(folder).into_iter();
    let found = found.map(|(name, bytes)| {
        let changed = fs::metadata(folder.join(&name))
            .unwrap()
            .modified()
            .unwrap();
        (name, bytes, changed)
    });
    found.collect()
}
