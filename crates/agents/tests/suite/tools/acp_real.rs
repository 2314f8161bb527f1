//! The real agents, installed from npm, against the fake model server on the loopback interface.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use agon_agents::{Ask, Environment, Session};
use agon_proc::Unwatched;
use agon_record::event::{CauseCode, Class};
use agon_record::spec::Effort;
use agon_testkit::models::{CACHED_TOKENS, INPUT_TOKENS, OUTPUT_TOKENS, Request};
use agon_testkit::{Answer, FakeModels, Sandbox, Script, add, real_clis};
use tokio_util::sync::CancellationToken;

use super::acp::agent;
use super::common::{ask, left_of};

const PATIENCE: Duration = Duration::from_secs(120);
const FIRST: &str = "You argue, and this is the first you hear.\nTurn: r1.pro\n";
const SECOND: &str = "And this comes second.\nTurn: r2.pro\n";

/// A session with a real agent and the fake models; `None` if the real tools are not installed.
async fn opened(name: &str, models: &FakeModels, sandbox: &Sandbox) -> Option<Box<dyn Session>> {
    let clis = real_clis()?;
    let here = Environment::new(sandbox.connect_all_tools(&models.url(), &clis));
    Some(agent(name, &here).await.open(Arc::new(Unwatched)))
}

/// The agent's model requests for this turn, without additional calls such as titles.
fn of_turn(models: &FakeModels, turn: &str, text: &str) -> Vec<Request> {
    let requests = models.requests();
    let of_turn = requests.into_iter().filter(|request| {
        request.turn.as_deref() == Some(turn)
            && request.prompt.contains(text)
            && !request.body.to_string().contains("json_schema")
    });
    of_turn.collect()
}

async fn converses(name: &str, model: Option<&str>, effort: Option<&str>) {
    let script = Script::job_store();
    let models = FakeModels::start(script.clone());
    let sandbox = Sandbox::new();
    let Some(mut session) = opened(name, &models, &sandbox).await else {
        return;
    };
    let never = CancellationToken::new();
    let asking = |prompt| Ask {
        model,
        effort: Effort::High,
        ..ask(prompt, PATIENCE)
    };
    let first = session.ask(asking(FIRST), &never).await.unwrap();
    assert!(
        session.retains_context() && session.id().is_some(),
        "{name}"
    );
    let second = session.ask(asking(SECOND), &never).await.unwrap();
    for (answer, turn) in [(first, "r1.pro"), (second, "r2.pro")] {
        let asked = models.requests();
        let asked = asked
            .iter()
            .find(|request| request.turn.as_deref() == Some(turn));
        // Copilot does not report it for a model on the user's own server.
        let asked = asked.map(|request| request.model.as_str());
        let asked = asked.filter(|_| name != "copilot");
        let told = answer.model.as_deref();
        // OpenCode also includes the provider.
        let told = told.map(|told| told.rsplit('/').next().unwrap_or(told));
        assert_eq!(told, asked, "{name} in {turn}");
        assert_eq!(
            answer.text.trim_end(),
            script.turns[turn][0].trim_end(),
            "{name}"
        );
        let usage = answer.usage;
        // Gemini does not report cached tokens.
        let cached = if name == "gemini" { 0 } else { CACHED_TOKENS };
        assert_eq!(
            (usage.input, usage.cached, usage.output, usage.estimated),
            (INPUT_TOKENS, cached, OUTPUT_TOKENS, false),
            "{name} in {turn}"
        );
    }
    let later = of_turn(&models, "r2.pro", "this comes second");
    let [later] = later.as_slice() else {
        panic!("{name} asks once for a turn: {:?}", models.turns());
    };
    assert!(
        later
            .body
            .to_string()
            .contains("this is the first you hear"),
        "{name} does not remember"
    );
    assert_eq!(later.effort.as_deref(), effort, "{name}");
    if let Some(model) = model {
        // OpenCode's model names begin with the provider.
        assert!(model.ends_with(&later.model), "{name}: {}", later.model);
    }
    session.close().await;
    assert_eq!(
        left_of(&sandbox),
        Vec::<String>::new(),
        "{name} left processes"
    );
}

#[tokio::test]
async fn claude_converses() {
    converses("claude", Some("claude-opus-4-6"), Some("high")).await;
}

#[tokio::test]
async fn codex_converses() {
    converses("codex", Some("gpt-5.5"), Some("high")).await;
}

#[tokio::test]
async fn gemini_converses_and_its_effort_is_its_own() {
    converses("gemini", Some("gemini-3.1-pro-preview"), Some("HIGH")).await;
}

#[tokio::test]
async fn opencode_converses() {
    converses("opencode", Some("mock/mock-model"), Some("high")).await;
}

#[tokio::test]
async fn copilot_converses_and_cannot_be_told_an_effort() {
    converses("copilot", Some("other-model"), None).await;
}

/// The contents of a folder, recursively.
fn below(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        if entry.path().is_dir() {
            found.extend(below(&entry.path()));
        } else {
            found.push(entry.path().display().to_string());
        }
    }
    found.sort();
    found
}

/// Makes the model call tools, each in a new conversation: nothing is written or run, and files are
/// read only in the folder, except by tools that are known to read outside it.
async fn told(name: &str, reads_outside: bool) {
    let outside = tempfile::tempdir().unwrap();
    let secret = outside.path().join("secret.txt");
    fs::write(&secret, "the word is xyzzy").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let inside = folder.path().join("a.txt");
    add(folder.path(), "a.txt", "the word is plugh");
    let run = Answer::Shell(format!(
        "echo x > '{}'",
        outside.path().join("run").display()
    ));
    for (answer, with_folder, word, read) in [
        (
            Answer::Write(folder.path().join("written")),
            true,
            "xyzzy",
            false,
        ),
        (
            Answer::Write(outside.path().join("written")),
            true,
            "xyzzy",
            false,
        ),
        (run.clone(), true, "xyzzy", false),
        (run, false, "xyzzy", false),
        (Answer::Read(inside), true, "plugh", true),
        (Answer::Read(secret.clone()), true, "xyzzy", reads_outside),
    ] {
        let models = FakeModels::start(Script::job_store());
        models.set("r1.pro", answer.clone());
        let sandbox = Sandbox::new();
        let Some(mut session) = opened(name, &models, &sandbox).await else {
            return;
        };
        let asking = Ask {
            reads: with_folder.then(|| folder.path()),
            ..ask(FIRST, PATIENCE)
        };
        // It may end its turn after a refusal, which gives an answer without text.
        let outcome = session.ask(asking, &CancellationToken::new()).await;
        if let Err(error) = outcome {
            assert_eq!(error.class(), Class::Tool, "{name} {answer:?}: {error}");
        }
        session.close().await;
        let was_read = models
            .requests()
            .iter()
            .any(|request| request.body.to_string().contains(word));
        assert_eq!(was_read, read, "{name} {answer:?}");
        assert_eq!(
            left_of(&sandbox),
            Vec::<String>::new(),
            "{name} left processes"
        );
    }
    assert_eq!(below(folder.path()).len(), 1, "{name} wrote");
    assert_eq!(
        below(outside.path()),
        [secret.display().to_string()],
        "{name} wrote or ran"
    );
}

async fn refused_key(name: &str, expected: (CauseCode, Class)) {
    let models = FakeModels::start(Script::job_store());
    models.set("*", Answer::Status(401));
    let sandbox = Sandbox::new();
    let Some(mut session) = opened(name, &models, &sandbox).await else {
        return;
    };
    let never = CancellationToken::new();
    let error = session.ask(ask(FIRST, PATIENCE), &never).await.unwrap_err();
    let cause = error.cause();
    assert_eq!((cause.code, error.class()), expected, "{name}");
    assert!(!cause.detail.contains("mock"), "{name}: {cause:?}");
    assert_eq!(
        left_of(&sandbox),
        Vec::<String>::new(),
        "{name} left processes"
    );
}

#[tokio::test]
async fn a_refused_key_is_the_users_to_solve_over_the_protocol_too() {
    for name in ["claude", "codex", "gemini", "copilot"] {
        refused_key(name, (CauseCode::LoggedOut, Class::User)).await;
    }
}

#[tokio::test]
async fn a_service_that_hangs_is_given_up_in_time() {
    for name in ["claude", "codex", "gemini", "copilot", "opencode"] {
        let models = FakeModels::start(Script::job_store());
        models.set("*", Answer::Hang);
        let sandbox = Sandbox::new();
        let Some(mut session) = opened(name, &models, &sandbox).await else {
            return;
        };
        let cancel = CancellationToken::new();
        let stop = async {
            while models.requests().is_empty() {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            cancel.cancel();
            std::time::Instant::now()
        };
        let (outcome, told) = tokio::join!(session.ask(ask(FIRST, PATIENCE), &cancel), stop);
        assert_eq!(outcome.unwrap_err().class(), Class::Cancelled, "{name}");
        assert!(
            told.elapsed() < Duration::from_secs(5),
            "{name}: {:?}",
            told.elapsed()
        );
        assert_eq!(
            left_of(&sandbox),
            Vec::<String>::new(),
            "{name} left processes"
        );
    }
}

/// Long tests, which only `cargo xtask test --full` runs.
mod full {
    use super::*;

    #[tokio::test]
    async fn claude_does_nothing_but_read() {
        told("claude", false).await;
    }

    #[tokio::test]
    async fn codex_writes_nothing_and_its_reads_are_not_bound() {
        told("codex", true).await;
    }

    #[tokio::test]
    async fn gemini_does_nothing_but_read() {
        told("gemini", false).await;
    }

    #[tokio::test]
    async fn opencode_does_nothing_but_read() {
        told("opencode", false).await;
    }

    #[tokio::test]
    async fn copilot_does_nothing_but_read() {
        told("copilot", false).await;
    }

    /// OpenCode reports only the service's message, and the fake one has no known wording.
    #[tokio::test]
    async fn opencode_does_not_tell_the_status() {
        let pause = Class::Retry { after_ms: 2_000 };
        refused_key("opencode", (CauseCode::Failed, pause)).await;
    }
}
