//! Texts in a task and in mail that the real tools would take for commands of their own: each reaches the
//! model of a member as it is.
//!
//! With `AGON_TEST_FULL=1`: `crates/agents/tests/suite/tools/host_text.rs` has a sample for each run.

use agon_testkit::{Answer, FakeModels, Sandbox, Script, add, git, real_clis};
use serde_json::{Value, json};

use super::started::Team;
use crate::support::Place;

/// What stands in every file that a text names, and that no text has.
const CANARY: &str = "nine canaries slept";

/// The text as it stands in this place.
fn text(place: &str, team: &Team) -> String {
    let out = team.home().with_file_name("out");
    format!(
        "/logout {place}: @{}/canary.txt @~/canary.txt @src/canary.rs @src $canary @agent-Explore \
         @codebase_investigator /canary !`id` ultrathink",
        out.display()
    )
}

fn said(body: &Value) -> Vec<String> {
    match body {
        Value::String(text) => vec![text.clone()],
        Value::Array(items) => items.iter().flat_map(said).collect(),
        Value::Object(fields) => fields.values().flat_map(said).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => Vec::new(),
    }
}

/// A member of this host is given such a task, and such a message where it can fetch one.
fn is_told(host: &str, mail: &str) {
    let Some(clis) = real_clis() else {
        return;
    };
    let sandbox = Sandbox::new();
    let models = FakeModels::start(Script::new("Done."));
    let env = sandbox.connect_all_tools(&models.url(), &clis);
    let place = Place::new(sandbox, env);
    let (home, out) = (place.home(), place.home().with_file_name("out"));
    let skill = format!("---\nname: canary\ndescription: A bird.\n---\n{CANARY}\n");
    add(&out, "canary.txt", CANARY);
    add(&home, "canary.txt", CANARY);
    add(&home, ".claude/commands/canary.md", &skill);
    add(&home, ".agents/skills/canary/SKILL.md", &skill);
    let team = Team::begin(place);
    let project = team.place.project();
    add(&project, "src/canary.rs", &format!("// {CANARY}\n"));
    git(&project, &["add", "--all"]);
    git(&project, &["commit", "-q", "-m", "canaries"]);
    let (task, message) = (text("in a task", &team), text("in mail", &team));
    let added = team.json(&["task", "add", "Look at it", "--spec", &task]);
    let id = added["task"]["id"].as_str().unwrap();
    let start = [
        "start", "worker", "--host", host, "--name", "ada", "--task", id, "--wait",
    ];
    team.json(&start);
    team.json(&["mail", "send", "ada", &message]);
    if !mail.is_empty() {
        let calls = vec![(mail.to_owned(), json!({"op": "fetch"}))];
        models.set("*", Answer::Calls(calls));
    }
    team.json(&start);
    let requests = models.requests();
    let all: Vec<String> = requests.iter().flat_map(|it| said(&it.body)).collect();
    let has = |text: &str| all.iter().any(|said| said.contains(text));
    assert!(has(&task), "{host}: {all:#?}");
    assert!(mail.is_empty() || has(&message), "{host}: {all:#?}");
    assert!(!has(CANARY), "{host}: {all:#?}");
    assert_eq!(team.place.left(), Vec::<String>::new());
}

/// Long tests, which only `cargo xtask test --full` runs.
mod full {
    use super::*;

    #[test]
    fn a_task_and_mail_reach_a_member_in_claude_as_they_are() {
        is_told("claude", "mcp__team__mail");
    }

    #[test]
    fn a_task_reaches_a_member_in_codex_as_it_is() {
        is_told("codex", "");
    }

    #[test]
    fn a_task_reaches_a_member_in_gemini_as_it_is() {
        is_told("gemini", "");
    }

    #[test]
    fn a_task_and_mail_reach_a_member_in_opencode_as_they_are() {
        is_told("opencode", "team_mail");
    }

    #[test]
    fn a_task_and_mail_reach_a_member_in_copilot_as_they_are() {
        is_told("copilot", "team-mail");
    }
}
