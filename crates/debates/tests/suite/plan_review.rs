//! The review of a plan at the end of an AI tool's plan mode.

use std::fs;

use agon_caller::Caller;
use agon_debates::plan_review;
use agon_hosts::host::find_host;
use agon_seats::consent::allow_vendors;
use agon_testkit::Behaviour;
use serde_json::{Value, json};
use tokio::task::LocalSet;

use crate::place::Place;

const PLAN: &str = "# Plan\n1. Move the job store to SQLite.\n";

/// Returns a place whose user set these keys.
fn place(settings: &str) -> Place {
    let place = Place::new();
    let file = place.caller.user_config_file().unwrap();
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, settings).unwrap();
    place
}

/// What Claude Code passes to the hook.
fn call(session: &str, plan: &str) -> String {
    json!({
        "session_id": session,
        "hook_event_name": "PreToolUse",
        "tool_name": "ExitPlanMode",
        "tool_input": {"plan": plan, "planFilePath": "/plans/p.md"},
    })
    .to_string()
}

/// What the hook prints for Claude Code: the reason of a refusal, a line for the person, or nothing.
#[derive(Debug, PartialEq, Eq)]
enum Answer {
    Refuses(String),
    Tells(String),
    Nothing,
}

async fn end_in_team(caller: &Caller, said: &str, is_in_team: bool) -> Answer {
    let host = find_host("claude").unwrap();
    let asked = plan_review::answer(caller, host, said, |_| is_in_team);
    let output = LocalSet::new().run_until(asked).await;
    let Some(answer) = output.answer else {
        assert_eq!(output.warning, None);
        return Answer::Nothing;
    };
    let own = &answer["hookSpecificOutput"];
    match (&own["permissionDecision"], &answer["systemMessage"]) {
        (Value::String(deny), Value::Null) if deny == "deny" => {
            Answer::Refuses(own["permissionDecisionReason"].as_str().unwrap().to_owned())
        }
        (Value::Null, Value::String(line)) => Answer::Tells(line.clone()),
        _ => panic!("{answer}"),
    }
}

async fn end(place: &Place, session: &str, plan: &str) -> Answer {
    end_in_team(&place.caller, &call(session, plan), false).await
}

/// Returns the reason of a refusal.
#[track_caller]
fn refusal(answer: Answer) -> String {
    match answer {
        Answer::Refuses(why) => why,
        other => panic!("{other:?}"),
    }
}

/// Returns the line for the person.
#[track_caller]
fn told(answer: Answer) -> String {
    match answer {
        Answer::Tells(line) => line,
        other => panic!("{other:?}"),
    }
}

const AUTO: &str = "plan_review = \"auto\"\n";

#[tokio::test(flavor = "current_thread")]
async fn a_plan_is_returned_once_with_the_findings_of_other_vendors() {
    let place = place(AUTO);
    let why = refusal(end(&place, "s", PLAN).await);
    let quoted = why.lines().filter(|line| line.starts_with("> "));
    let quoted: Vec<_> = quoted.collect();
    assert_eq!(quoted[0], "> answer: Use SQLite for the job store", "{why}");
    assert!(quoted.len() > 1, "{why}");
    let asks = place.tools.asks();
    assert!(asks.iter().all(|ask| ask.tool != "claude"), "{asks:?}");
    assert!(asks.iter().any(|ask| ask.tool == "codex"), "{asks:?}");
    assert!(asks.iter().any(|ask| ask.tool == "gemini"), "{asks:?}");
    let prompt = place.tools.prompt(asks[0].prompt.unwrap());
    assert!(prompt.contains("Move the job store to SQLite."), "{prompt}");
    // It is named, so that its model and the person can read the rest.
    let name = why.split("agon show ").nth(1).unwrap().split('`').next();
    let name = name.unwrap();
    assert!(
        place.caller.cwd.join("debates").join(name).is_dir(),
        "{why}"
    );
    // What it used counts for the day.
    let days = place.caller.state_dir().unwrap().join("unattended");
    let day = fs::read_dir(days).unwrap().flatten();
    let day = day.map(|it| it.path()).find(|it| it.extension().is_some());
    let day: Value = serde_json::from_slice(&fs::read(day.unwrap()).unwrap()).unwrap();
    let starts = day["starts"].as_object().unwrap().values();
    let used: Vec<_> = starts.map(|it| it["used"].as_u64().unwrap()).collect();
    assert!(used.len() == 1 && used[0] > 0, "{day}");

    // The next version passes, whatever it says, and so does the same text later.
    let line = told(end(&place, "s", "# Plan\n1. Something else.\n").await);
    assert!(line.contains(name), "{line}");
    let line = told(end(&place, "s", PLAN).await);
    assert!(line.contains(name), "{line}");
    let line = told(end(&place, "another session", PLAN).await);
    assert!(line.contains(name), "{line}");
    assert_eq!(place.tools.asks().len(), asks.len());
}

#[tokio::test(flavor = "current_thread")]
async fn a_debate_is_only_offered_unless_the_user_wants_one() {
    let place = place("costly = []");
    let line = told(end(&place, "s", PLAN).await);
    assert!(line.contains("plan_review = \"auto\""), "{line}");
    for _ in 0..50 {
        assert_eq!(end(&place, "s", PLAN).await, Answer::Nothing);
    }
    assert_eq!(place.tools.calls(), [], "not even a version is asked for");
}

#[tokio::test(flavor = "current_thread")]
async fn nothing_is_said_where_a_review_is_not_wanted() {
    let off = place("plan_review = \"off\"\ncostly = []\n");
    assert_eq!(end(&off, "s", PLAN).await, Answer::Nothing);
    let place = place(&format!("{AUTO}costly = []\n"));
    let file = place.caller.cwd.join("agon.toml");
    fs::write(&file, "plan_review = \"off\"\n").unwrap();
    assert_eq!(end(&place, "s", PLAN).await, Answer::Nothing);
    fs::remove_file(file).unwrap();

    let said = call("s", PLAN);
    let mut inside = place.caller.clone();
    inside.vars.insert("AGON_DEPTH".into(), "1".into());
    assert_eq!(end_in_team(&inside, &said, false).await, Answer::Nothing);
    assert_eq!(
        end_in_team(&place.caller, &said, true).await,
        Answer::Nothing
    );
    let of_sub_agent = said.replacen('{', "{\"agent_id\":\"a\",", 1);
    let answer = end_in_team(&place.caller, &of_sub_agent, false).await;
    assert_eq!(answer, Answer::Nothing);
    let without_plan = json!({"tool_name": "ExitPlanMode", "tool_input": {"plan": " \n"}});
    let answer = end_in_team(&place.caller, &without_plan.to_string(), false).await;
    assert_eq!(answer, Answer::Nothing);
    assert_eq!(place.tools.calls(), []);
    assert!(
        !place
            .caller
            .state_dir()
            .unwrap()
            .join("plan-reviews")
            .exists()
    );
}

#[tokio::test(flavor = "current_thread")]
async fn a_debate_that_hangs_is_stopped_and_the_plan_passes() {
    let place = place("plan_review = \"auto\"\nplan_review_time = \"3s\"\n");
    place.tools.set_scenario("*", "*", Behaviour::IgnoreTerm);
    let line = told(end(&place, "s", PLAN).await);
    assert!(line.contains("has no verdict on this plan"), "{line}");
    assert!(line.contains("after 3 s and was stopped"), "{line}");
    assert!(line.contains("`agon resume plan-review-"), "{line}");
    // The text had its debate.
    place.tools.clear_scenario();
    let line = told(end(&place, "s", PLAN).await);
    assert!(line.contains("debated before"), "{line}");
}

#[tokio::test(flavor = "current_thread")]
async fn a_tool_that_crashes_is_not_taken_for_a_review_without_findings() {
    for crashed in ["codex", "*"] {
        let place = place(AUTO);
        place.tools.set_scenario(crashed, "*", Behaviour::Signal);
        match end(&place, "s", PLAN).await {
            // The other tool's case, and a judge's answer.
            Answer::Refuses(why) => {
                assert_eq!(crashed, "codex", "{why}");
                assert!(why.contains("> answer: "), "{why}");
            }
            Answer::Tells(line) => {
                assert!(line.contains("has no verdict on this plan"), "{line}");
                assert!(line.contains("ended without one"), "{line}");
            }
            Answer::Nothing => panic!("{crashed}: nothing is said"),
        }
    }
}

#[tokio::test(flavor = "current_thread")]
async fn a_plan_passes_where_no_tool_or_no_budget_is_left_and_is_reviewed_later() {
    let place = place(AUTO);
    for tool in ["codex", "gemini"] {
        place
            .tools
            .set_scenario(tool, "login", Behaviour::LoggedOut);
    }
    let mut vars = place.caller.vars_os.clone();
    vars.remove(std::ffi::OsStr::new("GEMINI_API_KEY"));
    let caller = Caller::new(vars, place.caller.cwd.clone());
    let line = told(end_in_team(&caller, &call("s", PLAN), false).await);
    assert!(line.contains("no AI tool of another vendor"), "{line}");
    place.tools.clear_scenario();
    let file = place.caller.user_config_file().unwrap();
    fs::write(&file, format!("{AUTO}daily_tokens = 1_000\n")).unwrap();
    let line = told(end(&place, "s", PLAN).await);
    assert!(line.contains("tokens"), "{line}");
    assert_eq!(place.tools.asks(), []);
    fs::write(&file, AUTO).unwrap();
    refusal(end(&place, "s", PLAN).await);
}

#[tokio::test(flavor = "current_thread")]
async fn of_a_plan_of_200_kb_the_beginning_is_debated_and_this_is_said() {
    let place = place(AUTO);
    let plan = format!(
        "# Plan\n{}the end of the plan",
        "1. a step\n".repeat(20_000)
    );
    let why = refusal(end(&place, "s", &plan).await);
    assert!(
        why.contains("The plan has 196 KiB; only its first 64 KiB were debated."),
        "{why}"
    );
    for ask in place.tools.asks() {
        let prompt = place.tools.prompt(ask.prompt.unwrap());
        assert!(prompt.len() < 120_000 && !prompt.contains("the end of the plan"));
    }
}

#[tokio::test(flavor = "current_thread")]
async fn fifty_plans_in_a_row_start_few_debates() {
    let place = place(AUTO);
    let mut refused = 0;
    let mut last = false;
    for at in 0..50 {
        let answer = end(&place, "s", &format!("# Plan {at}\n")).await;
        let is_refused = matches!(answer, Answer::Refuses(_));
        assert!(!(last && is_refused), "refused twice in a row");
        refused += usize::from(is_refused);
        last = is_refused;
    }
    assert_eq!(refused, 10);
    let debates = fs::read_dir(place.caller.cwd.join("debates")).unwrap();
    let names = debates.flatten().map(|it| it.file_name());
    let names = names.filter(|it| it.to_string_lossy().starts_with("plan-review-"));
    assert_eq!(names.count(), 10);
}

#[tokio::test(flavor = "current_thread")]
async fn what_cannot_be_read_lets_the_plan_pass_with_a_warning() {
    let place = place(AUTO);
    let host = find_host("claude").unwrap();
    let output = plan_review::answer(&place.caller, host, "{", |_| false).await;
    assert!(
        output
            .warning
            .unwrap()
            .contains("has no verdict on this plan")
    );
    let state = place.caller.state_dir().unwrap().join("plan-reviews");
    fs::create_dir_all(&state).unwrap();
    fs::write(state.join("log.json"), "{").unwrap();
    let line = told(end(&place, "s", PLAN).await);
    assert!(line.contains("log.json is corrupted"), "{line}");
    assert_eq!(place.tools.asks(), []);
}

#[tokio::test(flavor = "current_thread")]
async fn a_plan_is_sent_only_to_vendors_that_the_user_allowed() {
    let mut place = place(AUTO);
    crate::consent::forget(&mut place.caller);
    let line = told(end(&place, "s", PLAN).await);
    for part in ["codex (openai)", "gemini (google)", "agon config consent"] {
        assert!(line.contains(part), "{line}");
    }
    assert!(!line.contains("anthropic"), "{line}");
    assert!(place.tools.asks().is_empty());
    // Nothing was spent, so the same plan is reviewed once a vendor is allowed.
    allow_vendors(&place.caller, &["google".to_owned()]).unwrap();
    refusal(end(&place, "s", PLAN).await);
    let asks = place.tools.asks();
    assert!(asks.iter().all(|ask| ask.tool == "gemini"), "{asks:?}");
}
