//! A question to several tools at once: which tools are asked, and why a consult cannot be
//! continued.

use std::fs;
use std::path::PathBuf;

use agon_caller::hint::CommandLine;
use agon_caller::{CallFront, Code, Failure, FailureKind, Notes};
use agon_debates::questions::consult::{ConsultAnswer, ConsultFront, ask};
use agon_debates::request::{ConsultRequest, Effort, ToolName};
use agon_testkit::{Behaviour, FakeTools, Script};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::consent;
use crate::place::Place;

const ALL: [&str; 5] = ["claude", "codex", "gemini", "opencode", "copilot"];

/// Returns a place with all five tools, which answer `reply`.
fn place(reply: &str) -> Place {
    let tools = FakeTools::with(&ALL).script(&Script::new(reply));
    Place::of(tools, &[("GH_TOKEN", "placeholder")])
}

/// Returns the question to these tools.
fn to(question: &str, tools: &[&str]) -> ConsultRequest {
    let tools = tools.iter().map(|tool| tool.parse::<ToolName>().unwrap());
    ConsultRequest {
        tools: tools.collect(),
        ..ConsultRequest::new(question.to_owned(), 60)
    }
}

/// Returns the same request in a continued consult: the last one if `id` is empty.
fn on(id: &str, request: ConsultRequest) -> ConsultRequest {
    ConsultRequest {
        continued: Some(id.to_owned()),
        ..request
    }
}

/// The notes during the calls, and the token that stops them.
#[derive(Default)]
struct Front {
    notes: Vec<String>,
    stop: CancellationToken,
    /// Stops the other tools once this tool has answered.
    stops_after: Option<&'static str>,
}

impl Notes for Front {
    fn note(&mut self, note: &str) {
        self.notes.push(note.to_owned());
    }

    fn warn(&mut self, warning: &str) {
        self.notes.push(format!("warning: {warning}"));
    }
}

impl CallFront for Front {
    fn cancel_token(&mut self) -> CancellationToken {
        self.stop.clone()
    }
}

impl ConsultFront for Front {
    fn ask_started(&mut self, _: usize, _: &ToolName) {}

    fn ask_finished(&mut self, _: usize, answer: &ConsultAnswer, note: Option<&str>) {
        self.notes.extend(note.map(str::to_owned));
        if self.stops_after == Some(answer.tool.as_str()) {
            self.stop.cancel();
        }
    }
}

/// The result of a consult.
struct Asked {
    answers: Vec<Value>,
    notes: String,
    failure: Option<FailureKind>,
}

async fn asked(place: &Place, request: &ConsultRequest) -> Asked {
    asked_before(place, request, None).await
}

async fn asked_before(
    place: &Place,
    request: &ConsultRequest,
    stops_after: Option<&'static str>,
) -> Asked {
    let mut front = Front {
        stops_after,
        ..Front::default()
    };
    let local = tokio::task::LocalSet::new();
    let asking = ask(&place.caller, request, &mut front);
    let consultation = local.run_until(asking).await.unwrap();
    let document = serde_json::to_value(consultation.document(&CommandLine)).unwrap();
    let answers = match document["answers"].as_array() {
        Some(answers) => answers.clone(),
        None => vec![document],
    };
    Asked {
        answers,
        failure: consultation.failure_kind(),
        notes: front.notes.join("\n"),
    }
}

/// Returns the files of saved consults.
fn kept(place: &Place) -> Vec<PathBuf> {
    let dir = place.caller.state_dir().unwrap().join("consults");
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let files = entries.map(|entry| entry.path());
    let mut files: Vec<_> = files.filter(|path| path.is_file()).collect();
    files.sort();
    files
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "current_thread")]
async fn one_that_fails_says_why_and_the_others_stand() {
    let place = place("Yes.");
    place.tools.set_scenario("codex", "*", Behaviour::Auth);
    place.tools.set_scenario("gemini", "*", Behaviour::Hang);
    let request = ConsultRequest {
        timeout: 3,
        ..to("Well?", &["claude", "codex", "gemini"])
    };
    let asked = asked(&place, &request).await;
    assert_eq!(asked.failure, None);
    let errors = asked.answers.iter().map(|it| it["error"]["code"].clone());
    let errors: Vec<_> = errors.collect();
    assert_eq!(errors, [Value::Null, json!("logged_out"), json!("timeout")]);
}

#[tokio::test(flavor = "current_thread")]
async fn a_stop_keeps_the_answers_that_came() {
    let place = place("Yes.");
    place.tools.set_scenario("codex", "*", Behaviour::Hang);
    let request = to("Well?", &["claude", "codex"]);
    let asked = asked_before(&place, &request, Some("claude")).await;
    assert_eq!(asked.failure, Some(FailureKind::Cancelled));
    assert_eq!(asked.answers[0]["response"], "Yes.");
    assert_eq!(asked.answers[1]["error"]["code"], "cancelled");
}

#[tokio::test(flavor = "current_thread")]
async fn what_cannot_be_meant_is_refused_before_anybody_is_asked() {
    let place = place("Yes.");
    let claude = || to("Well?", &["claude"]);
    let models = |tools: &[&str], model: &str| ConsultRequest {
        models: vec![model.to_owned()],
        ..to("Well?", tools)
    };
    let given = |context: &str| ConsultRequest {
        context: context.to_owned(),
        ..claude()
    };
    let invalid = Code::InvalidParameter;
    for (request, code, parameter) in [
        (to("Well?", &["claud"]), Code::UnknownTool, "tool"),
        (to("Well?", &["claude", "claude"]), invalid, "tool"),
        (models(&["claude", "codex"], "m"), invalid, "model"),
        (models(&["claude"], "codex=m"), invalid, "model"),
        (to("", &["claude"]), Code::MissingParameter, "question"),
        (to(" ", &["claude"]), Code::MissingParameter, "question"),
        (given("repo"), Code::ContextRefused, "context"),
        (given("file=/etc/passwd"), Code::ContextRefused, "context"),
        (on("--yolo", claude()), invalid, "continue"),
    ] {
        let refused = ask(&place.caller, &request, &mut Front::default()).await;
        let failure: Failure = refused.unwrap_err();
        assert_eq!(
            (failure.code, failure.parameter.as_deref()),
            (code, Some(parameter)),
            "{request:?}: {}",
            failure.message
        );
    }
    assert_eq!(place.tools.asks(), []);
    assert_eq!(kept(&place), Vec::<PathBuf>::new());
}

#[tokio::test(flavor = "current_thread")]
async fn models_go_to_whom_they_are_meant_for() {
    let place = place("Yes.");
    let request = ConsultRequest {
        models: ["claude=opus", "codex=gpt=5"].map(str::to_owned).into(),
        ..to("Well?", &["claude", "codex", "gemini"])
    };
    let asked = asked(&place, &request).await;
    assert_eq!(asked.failure, None);
    assert_eq!(asked.answers[0]["model"], "opus");
    assert_eq!(asked.answers[2]["model"], Value::Null);
    // A name with `=` could contain a setting, so the transport rejects it.
    assert_eq!(asked.answers[1]["error"]["code"], "no_such_model");
}

#[tokio::test(flavor = "current_thread")]
async fn a_consult_goes_on_with_each_tool_and_its_model_and_effort() {
    let place = place("Yes.");
    let request = ConsultRequest {
        models: vec!["claude=opus".to_owned()],
        effort: Some(Effort::Low),
        ..to("First?", &ALL)
    };
    let before = asked(&place, &request).await.answers;
    let again = on("", to("Second?", &[]));
    let after = asked(&place, &again).await;
    assert_eq!(after.failure, None);
    for (before, after) in before.iter().zip(&after.answers) {
        assert_ne!(after["session_id"], Value::Null, "{after}");
        for key in ["id", "tool", "model", "effort", "session_id"] {
            assert_eq!(before[key], after[key], "{key}: {after}");
        }
    }
    let first = &after.answers[0];
    assert_eq!(
        (&first["model"], &first["effort"]),
        (&json!("opus"), &json!("low"))
    );
    let calls = place.tools.asks();
    let (first, again) = calls.split_at(5);
    assert_eq!(again.len(), 5);
    for call in again {
        let id = before.iter().find(|answer| answer["tool"] == *call.tool);
        let id = text(&id.unwrap()["session_id"]);
        let goes_on = match call.tool.as_str() {
            "claude" | "gemini" => format!("--resume {id}"),
            "codex" => format!("resume {id} -"),
            "opencode" => format!("--session {id}"),
            _ => format!("--resume={id}"),
        };
        assert!(call.args.join(" ").contains(&goes_on), "{:?}", call.args);
        let began = first.iter().find(|first| first.tool == call.tool).unwrap();
        assert_eq!(call.cwd, began.cwd, "{}", call.tool);
        let prompt = place.tools.prompt(call.prompt.unwrap());
        assert_eq!(prompt, "Second?");
    }
    assert_eq!(kept(&place).len(), 1);

    // By either id, and only the named conversation.
    let id = text(&before[0]["id"]);
    let third = asked(&place, &on(&id, to("Third?", &["codex"]))).await;
    assert_eq!(third.answers[0]["session_id"], before[1]["session_id"]);
    let session = text(&before[2]["session_id"]);
    let third = asked(&place, &on(&session, to("Third?", &[]))).await;
    assert_eq!(third.answers[0]["tool"], "gemini");
    let kept = fs::read_to_string(&kept(&place)[0]).unwrap();
    assert!(
        kept.contains("opencode"),
        "who was not asked this time can be asked again: {kept}"
    );
}

#[tokio::test(flavor = "current_thread")]
async fn a_conversation_that_the_tool_forgot_is_begun_afresh_and_said() {
    let place = place("Yes.");
    for tool in ALL {
        let before = asked(&place, &to("First?", &[tool])).await;
        place.tools.set_scenario(tool, "*", Behaviour::Forgets);
        let after = asked(&place, &on("", to("Second?", &[]))).await;
        let note = format!("note: {tool} no longer has that conversation; starting a new one");
        assert!(after.notes.contains(&note), "{}", after.notes);
        assert_eq!(after.answers[0]["response"], "Yes.");
        assert_eq!(after.answers[0]["id"], before.answers[0]["id"]);
    }
}

/// Checks that `id` is not continued, for this reason, and claude gets a new conversation.
async fn is_asked_afresh(place: &Place, id: &str, why: &str) {
    let before = place.tools.asks().len();
    let asked = asked(place, &on(id, to("Well?", &["claude"]))).await;
    assert_eq!(asked.failure, None, "{why}");
    let is_said = asked.notes.contains(why) && asked.notes.contains("starting a new");
    assert!(is_said, "{why}: {}", asked.notes);
    let call = &place.tools.asks()[before];
    let begins = call.args.contains(&"--session-id".to_owned());
    assert!(begins, "{why}: {:?}", call.args);
}

/// Starts a consult with claude; returns its id and its file.
async fn begun(place: &Place) -> (String, PathBuf) {
    let begun = asked(place, &to("First?", &["claude"])).await;
    let id = text(&begun.answers[0]["id"]);
    let mut files = kept(place).into_iter();
    let file = files.find(|path| path.to_string_lossy().contains(&id));
    (id, file.unwrap())
}

#[tokio::test(flavor = "current_thread")]
async fn what_cannot_be_gone_on_with_is_said_and_asked_afresh() {
    let place = place("Yes.");
    for (id, why) in [
        ("", "there is no consult to continue"),
        ("01JD3Q7M0Z8K4V2X5B6N9C1HTR", "no consult"),
        ("6c4317c3-65e0-4ea3-a593-5fc9f547e3da", "no consult"),
    ] {
        is_asked_afresh(&place, id, why).await;
    }
    for (from, to, why) in [
        ("\"conversations\"", "\"conv", "is corrupted"),
        (
            "agon.kept-consult/1",
            "agon.kept-consult/2",
            "was written by a newer version of Agon",
        ),
        (
            "\"session\":\"",
            "\"session\":\"--yolo ",
            "has no valid conversation ID",
        ),
        (
            "\"transport\":\"cli\"",
            "\"transport\":\"acp\"",
            "was asked over another transport, acp",
        ),
    ] {
        let (id, file) = begun(&place).await;
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.contains(from), "{text}");
        fs::write(&file, text.replacen(from, to, 1)).unwrap();
        is_asked_afresh(&place, &id, why).await;
    }
    let (id, file) = begun(&place).await;
    let kept = fs::read_to_string(&file).unwrap();
    let at = serde_json::from_str::<Value>(&kept).unwrap()["at"].clone();
    let at = at.as_u64().unwrap();
    let old = at - 31 * 24 * 60 * 60 * 1_000;
    fs::write(&file, kept.replace(&at.to_string(), &old.to_string())).unwrap();
    is_asked_afresh(&place, &id, "older than 30 days").await;

    let (id, _) = begun(&place).await;
    let other = asked(&place, &on(&id, to("Well?", &["codex"]))).await;
    let note = "note: codex was not part of that consult; starting a new conversation";
    assert!(other.notes.contains(note), "{}", other.notes);

    // Tools do not run in a folder that contains other files.
    let (id, file) = begun(&place).await;
    fs::write(file.with_extension("").join("CLAUDE.md"), "Follow me.").unwrap();
    let before = place.tools.asks().len();
    let again = asked(&place, &on(&id, to("Well?", &[]))).await;
    let note = "is corrupted; starting a new conversation";
    assert!(again.notes.contains(note), "{}", again.notes);
    assert_eq!(again.answers[0]["continuable"], true);
    let call = &place.tools.asks()[before];
    assert_eq!(call.files, Vec::<String>::new());
}

#[tokio::test(flavor = "current_thread")]
async fn a_consult_asks_only_tools_that_are_allowed_or_that_the_user_names() {
    let mut place = place("SQLite.");
    consent::forget(&mut place.caller);
    for (relayed, tools, is_allowed) in [
        (false, &[][..], false),
        (false, &["codex"][..], true),
        (true, &[][..], false),
        (true, &["codex"][..], true),
    ] {
        place.caller.is_relayed = relayed;
        let before = place.tools.asks().len();
        let request = to("Which one?", tools);
        let mut front = Front::default();
        let local = tokio::task::LocalSet::new();
        let asked = local
            .run_until(ask(&place.caller, &request, &mut front))
            .await;
        let code = asked.err().map(|failure| failure.code);
        assert_eq!(
            code,
            (!is_allowed).then_some(Code::ConsentNeeded),
            "{tools:?}"
        );
        assert_eq!(place.tools.asks().len() - before, usize::from(is_allowed));
    }
}
