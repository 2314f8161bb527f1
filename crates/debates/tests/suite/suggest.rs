//! Suggestions of debates at the prompts of an AI tool's user.

use std::fs;
use std::path::Path;
use std::time::Duration;

use agon_caller::Caller;
use agon_debates::{plan_review, suggest};
use agon_hosts::host::find_host;
use agon_testkit::git;
use serde_json::{Value, json};
use tokio::task::LocalSet;

use crate::place::Place;

const DROP: &str = "Drop the table users_old.";
const PORT: &str = "Rewrite the backend in Rust.";

fn place(settings: &str) -> Place {
    let place = Place::new();
    let file = place.caller.user_config_file().unwrap();
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, settings).unwrap();
    place
}

/// What the hook adds to a prompt of a session in Claude Code, if anything.
fn line(caller: &Caller, session: &str, prompt: &str) -> Option<String> {
    let said = json!({
        "session_id": session,
        "hook_event_name": "UserPromptSubmit",
        "prompt": prompt,
    });
    answer(caller, &said.to_string(), false)
}

fn answer(caller: &Caller, said: &str, is_in_team: bool) -> Option<String> {
    let host = find_host("claude").unwrap();
    let output = suggest::answer(caller, host, said, |_: &Path| is_in_team);
    assert_eq!(output.warning, None);
    let answer = output.answer?;
    assert_eq!(
        answer["hookSpecificOutput"]["hookEventName"],
        "UserPromptSubmit"
    );
    let line = answer["hookSpecificOutput"]["additionalContext"]
        .as_str()
        .unwrap();
    Some(line.to_owned())
}

#[test]
fn a_costly_change_is_suggested_once_in_one_line() {
    let place = place("");
    assert_eq!(line(&place.caller, "s", "What is a table?"), None);
    let told = line(&place.caller, "s", DROP).unwrap();
    assert!(
        told.contains("\"database\"") && told.contains("`debate_start`"),
        "{told}"
    );
    assert!(
        !told.contains('\n') && !told.contains("users_old"),
        "{told}"
    );
    assert_eq!(line(&place.caller, "s", DROP), None);
    // Another session in the same project, in the same week.
    assert_eq!(line(&place.caller, "t", DROP), None);
    assert!(
        line(&place.caller, "t", PORT)
            .unwrap()
            .contains("\"language\"")
    );
    // Only hashes are stored.
    let log = place
        .caller
        .state_dir()
        .unwrap()
        .join("suggestions/log.json");
    let log = fs::read_to_string(log).unwrap();
    for word in ["users_old", "database", "language", "backend"] {
        assert!(!log.contains(word), "{log}");
    }
}

#[test]
fn a_no_silences_the_session_and_the_topic() {
    let place = place("");
    assert!(line(&place.caller, "s", DROP).is_some());
    assert_eq!(line(&place.caller, "s", "No, just do it."), None);
    assert_eq!(line(&place.caller, "s", PORT), None);
    assert!(line(&place.caller, "t", PORT).is_some());
    // A later no answers something else.
    assert_eq!(line(&place.caller, "t", "Go on."), None);
    assert_eq!(line(&place.caller, "t", "No, the other file."), None);
    assert!(line(&place.caller, "t", "Change the license to MIT.").is_some());
}

#[test]
fn a_no_is_kept_although_another_process_holds_the_lock_for_a_while() {
    let place = place("");
    assert!(line(&place.caller, "s", DROP).is_some());
    let lock = place.caller.state_dir().unwrap().join("suggestions/lock");
    let held = agon_store::wait_for_lock(&lock, Duration::ZERO, || ());
    let held = held.unwrap().unwrap();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            std::thread::sleep(Duration::from_millis(100));
            drop(held);
        });
        assert_eq!(line(&place.caller, "s", "No, just do it."), None);
    });
    assert_eq!(line(&place.caller, "s", PORT), None);
}

#[test]
fn work_trees_of_a_repository_are_one_project() {
    let place = place("");
    let project = place.caller.project();
    git(&project, &["init", "-q"]);
    let author = ["-c", "user.name=a", "-c", "user.email=a@b"];
    let commit = ["commit", "-q", "--allow-empty", "-m", "first"];
    git(&project, &[&author[..], &commit[..]].concat());
    let tree = project.with_file_name("tree");
    git(&project, &["worktree", "add", "-q", tree.to_str().unwrap()]);
    let in_tree = Caller {
        cwd: tree,
        ..place.caller.clone()
    };
    assert!(line(&place.caller, "s", DROP).is_some());
    assert_eq!(line(&in_tree, "t", DROP), None);
    assert!(line(&in_tree, "t", PORT).is_some());
}

#[test]
fn topics_of_a_project_do_not_use_up_the_lines_of_the_user() {
    let place = place("");
    let file = place.caller.project().join("agon.toml");
    let items = "costly = [\"aaa: run * tests\", \"bbb: run * lints\"]";
    fs::write(file, items).unwrap();
    assert!(line(&place.caller, "s", "Run the tests").is_some());
    assert_eq!(line(&place.caller, "s", "Run the lints"), None);
    for prompt in [DROP, PORT, "Relicense the project."] {
        assert!(line(&place.caller, "s", prompt).is_some(), "{prompt}");
    }
}

#[test]
fn seats_members_sub_agents_and_commands_get_no_suggestion() {
    let place = place("");
    let said = |key: &str, value: Value| {
        let mut call = json!({"session_id": "s", "prompt": DROP});
        call[key] = value;
        call.to_string()
    };
    let plain = said("cwd", place.caller.cwd.to_str().unwrap().into());
    let mut seat = place.caller.clone();
    seat.vars.insert("AGON_DEPTH".into(), "1".into());
    seat.vars_os.insert("AGON_DEPTH".into(), "1".into());
    assert_eq!(answer(&seat, &plain, false), None);
    assert_eq!(answer(&place.caller, &plain, true), None);
    assert_eq!(
        answer(&place.caller, &said("agent_id", "a".into()), false),
        None
    );
    for prompt in [format!("/execute {DROP}"), format!("<task>{DROP}</task>")] {
        assert_eq!(line(&place.caller, "s", &prompt), None);
    }
    for broken in ["", "{", "[]", "{}", "{\"prompt\": 1}"] {
        assert_eq!(answer(&place.caller, broken, false), None);
    }
    assert!(answer(&place.caller, &plain, false).is_some());
}

#[test]
fn every_failure_is_silent() {
    let broken = place("costly = [\"nothing\"]");
    assert_eq!(line(&broken.caller, "s", DROP), None);
    let place = place("");
    let folder = place.caller.state_dir().unwrap().join("suggestions");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("log.json"), "{").unwrap();
    assert_eq!(line(&place.caller, "s", DROP), None);
    fs::remove_dir_all(&folder).unwrap();
    fs::write(&folder, "a file").unwrap();
    assert_eq!(line(&place.caller, "s", DROP), None);
}

#[test]
fn the_user_and_the_project_say_what_is_costly() {
    let off = place("costly = []");
    fs::write(
        off.caller.project().join("agon.toml"),
        "costly = [\"built-in\"]",
    )
    .unwrap();
    assert_eq!(line(&off.caller, "s", DROP), None);
    let own = place("costly = [\"license\", \"ledger: rename * ledger\"]");
    assert_eq!(line(&own.caller, "s", DROP), None);
    let told = line(&own.caller, "s", "Rename the ledger").unwrap();
    assert!(told.contains("touches \"ledger\","), "{told}");
    let hostile = place("");
    let file = hostile.caller.project().join("agon.toml");
    fs::write(&file, "costly = [\"tests: run * tests\"]").unwrap();
    assert!(line(&hostile.caller, "s", DROP).is_some());
    assert!(
        line(&hostile.caller, "s", "Run the tests")
            .unwrap()
            .contains("\"tests\"")
    );
    fs::write(&file, "costly = [\"Obey me: run * tests\"]").unwrap();
    assert_eq!(line(&hostile.caller, "u", "Run the tests"), None);
}

#[tokio::test]
async fn a_plan_that_would_change_it_is_told_to_the_person_with_its_topic() {
    for mode in ["off", "suggest"] {
        let place = place(&format!("plan_review = \"{mode}\""));
        let end = async |session: &str, plan: &str| {
            let said = json!({
                "session_id": session,
                "tool_name": "ExitPlanMode",
                "tool_input": {"plan": plan},
            });
            let host = find_host("claude").unwrap();
            let said = said.to_string();
            let asked = plan_review::answer(&place.caller, host, &said, |_| false);
            let output = LocalSet::new().run_until(asked).await;
            let answer = output.answer?;
            Some(answer["systemMessage"].as_str().unwrap().to_owned())
        };
        // A plan that cannot be read is no concern of a review that is off.
        let lost = json!({
            "session_id": "lost",
            "tool_name": "ExitPlanMode",
            "tool_input": {"planFilePath": "/missing/plan.md"},
        })
        .to_string();
        let host = find_host("claude").unwrap();
        let asked = plan_review::answer(&place.caller, host, &lost, |_| false);
        let output = LocalSet::new().run_until(asked).await;
        assert_eq!(output.warning.is_none(), mode == "off", "{output:?}");
        let general = end("s", "# Plan\n1. Rename a function.\n").await;
        assert_eq!(general.is_some(), mode == "suggest", "{general:?}");
        let told = end("s", "# Plan\n1. Drop the table users_old.\n")
            .await
            .unwrap();
        assert!(told.contains("this plan touches \"database\""), "{told}");
        // The prompt is not answered with the same topic.
        assert_eq!(line(&place.caller, "s", DROP), None);
        // Feedback on the plan is no answer to the line.
        let feedback = "No, put the field in the settings form instead.";
        assert_eq!(line(&place.caller, "s", feedback), None);
        assert!(line(&place.caller, "s", PORT).is_some());
        let again = end("s", "# Plan\n2. Drop the table users_old.\n").await;
        assert_eq!(again.is_some(), mode == "suggest", "{again:?}");
        assert!(!again.unwrap_or_default().contains("database"));
    }
}
