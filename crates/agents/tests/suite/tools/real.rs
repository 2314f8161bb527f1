//! The real tools, installed from npm, against the fake model server on the loopback interface.

use std::time::Duration;

use super::common::{Outcome, agent, ask, asked, left_of, tool};
use agon_agents::{Environment, Toolbox};
use agon_record::event::{CauseCode, Class};
use agon_record::spec::Effort;
use agon_testkit::models::{Api, CACHED_TOKENS, INPUT_TOKENS, OUTPUT_TOKENS};
use agon_testkit::{Answer, FakeModels, Sandbox, Script, real_clis, refused_url};

const PROMPT: &str = "You argue.\nTurn: r1.pro\n";
const PATIENCE: Duration = Duration::from_secs(120);

/// The environment of a sandbox whose tools use `url`; `None` if the real tools are not installed.
fn pointed(sandbox: &Sandbox, url: &str) -> Option<Environment> {
    let clis = real_clis()?;
    Some(Environment::new(sandbox.connect_all_tools(url, &clis)))
}

async fn outcome(name: &str, answer: Answer, timeout: Duration) -> Option<Outcome> {
    let models = FakeModels::start(Script::job_store());
    models.set("*", answer);
    let sandbox = Sandbox::new();
    let here = pointed(&sandbox, &models.url())?;
    let agent = agent(name, &here).await;
    let (outcome, took) = asked(agent.as_ref(), ask(PROMPT, timeout)).await;
    assert_eq!(
        left_of(&sandbox),
        Vec::<String>::new(),
        "{name} left processes"
    );
    assert!(took < timeout + Duration::from_secs(4), "{name}: {took:?}");
    Some(outcome)
}

async fn fails(name: &str, answer: Answer, code: CauseCode, class: Class) {
    let timeout = if code == CauseCode::Timeout {
        Duration::from_secs(8)
    } else {
        PATIENCE
    };
    let Some(outcome) = outcome(name, answer, timeout).await else {
        return;
    };
    let error = outcome.unwrap_err();
    let cause = error.cause();
    assert_eq!(
        (cause.code, error.class()),
        (code, class),
        "{name}: {cause:?}"
    );
    let is_quoted = matches!(code, CauseCode::Failed | CauseCode::NoSuchModel);
    assert!(
        is_quoted || !cause.detail.contains("mock"),
        "{name}: {cause:?}"
    );
}

async fn answers(name: &str, api: Api, effort: Option<&str>) {
    let models = FakeModels::start(Script::job_store());
    let sandbox = Sandbox::new();
    let Some(here) = pointed(&sandbox, &models.url()) else {
        return;
    };
    let prompt = format!("{}\n{PROMPT}", "Earlier text. ".repeat(20_000));
    let agent = agent(name, &here).await;
    let (outcome, _) = asked(agent.as_ref(), ask(&prompt, PATIENCE)).await;
    let answer = outcome.unwrap();

    assert_eq!(
        answer.text.trim_end(),
        Script::job_store().turns["r1.pro"][0].trim_end()
    );
    let usage = answer.usage;
    assert_eq!(
        (usage.input, usage.cached, usage.output, usage.estimated),
        (INPUT_TOKENS, CACHED_TOKENS, OUTPUT_TOKENS, false),
        "{name}"
    );
    let requests = models.requests();
    let [request] = requests.as_slice() else {
        panic!("{name} makes one request, not {:?}", models.turns());
    };
    assert_eq!(
        (request.api, request.effort.as_deref()),
        (api, effort),
        "{name}"
    );
    assert!(
        request.prompt.contains(prompt.trim_end()),
        "{name}: the prompt arrives whole"
    );
    // These two do not report it in this format.
    let says = !matches!(name, "codex" | "opencode");
    let model = says.then_some(request.model.as_str());
    // Claude Code appends the requested context size.
    let answered = answer.model.as_deref();
    let answered = answered.map(|model| model.trim_end_matches("[1m]"));
    assert_eq!(answered, model, "{name}");
    if !matches!(name, "codex" | "gemini") {
        assert_eq!(request.tools, Vec::<String>::new(), "{name}");
    }
    assert_eq!(models.unknown(), Vec::<String>::new(), "{name}");
    assert_eq!(
        left_of(&sandbox),
        Vec::<String>::new(),
        "{name} left processes"
    );
}

#[tokio::test]
async fn claude_answers() {
    answers("claude", Api::Anthropic, Some("low")).await;
}

#[tokio::test]
async fn codex_answers() {
    answers("codex", Api::Responses, Some("low")).await;
}

#[tokio::test]
async fn gemini_answers_and_its_effort_is_its_own() {
    answers("gemini", Api::Gemini, Some("HIGH")).await;
}

#[tokio::test]
async fn opencode_answers() {
    answers("opencode", Api::Chat, Some("low")).await;
}

#[tokio::test]
async fn copilot_answers() {
    answers("copilot", Api::Chat, Some("low")).await;
}

#[tokio::test]
async fn all_five_are_found_with_their_versions_and_logins() {
    let sandbox = Sandbox::new();
    let Some(here) = pointed(&sandbox, &refused_url()) else {
        return;
    };
    let profiles = agon_agents::Profiles::builtin().unwrap();
    let toolbox = Toolbox::detect(&profiles, &here).await;
    for found in toolbox
        .tools()
        .iter()
        .filter(|found| found.profile.cli.is_some())
    {
        let name = found.profile.name.as_str();
        assert!(found.version.is_some(), "{name}: {found:?}");
        assert!(
            toolbox.agent(&tool(name)).is_ok(),
            "{name}: {:?}",
            found.login
        );
    }
}

#[tokio::test]
async fn a_refused_key_is_the_users_to_solve() {
    for name in ["claude", "codex", "gemini"] {
        fails(name, Answer::Status(401), CauseCode::LoggedOut, Class::User).await;
    }
}

const PAUSE: Class = Class::Retry { after_ms: 2_000 };
const SLOW_DOWN: Class = Class::Retry { after_ms: 5_000 };

#[tokio::test]
async fn a_service_that_hangs_runs_out_of_time_and_leaves_nothing() {
    for name in ["claude", "codex", "gemini", "opencode", "copilot"] {
        fails(name, Answer::Hang, CauseCode::Timeout, PAUSE).await;
    }
}

/// The others offer no tools, which is checked when they answer.
#[tokio::test]
async fn codex_and_gemini_cannot_write_when_the_model_tries() {
    for name in ["codex", "gemini"] {
        let sandbox = Sandbox::new();
        let target = sandbox.home().join("written");
        let models = FakeModels::start(Script::job_store());
        models.set_first("*", 1, Answer::Write(target.clone()));
        let Some(here) = pointed(&sandbox, &models.url()) else {
            return;
        };
        let agent = agent(name, &here).await;
        asked(agent.as_ref(), ask(PROMPT, PATIENCE)).await.0.ok();
        assert!(!models.requests().is_empty(), "{name} asked nothing");
        assert!(!target.exists(), "{name} wrote");
    }
}

/// Long tests, which only `cargo xtask test --full` runs.
mod full {
    use super::*;

    #[tokio::test]
    async fn a_refused_key_of_opencode_is_the_users_to_solve() {
        fails(
            "opencode",
            Answer::Status(401),
            CauseCode::LoggedOut,
            Class::User,
        )
        .await;
    }

    #[tokio::test]
    async fn a_refused_key_of_copilot_is_the_users_to_solve() {
        fails(
            "copilot",
            Answer::Status(401),
            CauseCode::LoggedOut,
            Class::User,
        )
        .await;
    }

    #[tokio::test]
    async fn a_call_to_slow_down_is_heeded() {
        for name in ["claude", "codex", "gemini"] {
            fails(
                name,
                Answer::RateLimit(None),
                CauseCode::RateLimited,
                SLOW_DOWN,
            )
            .await;
        }
    }

    #[tokio::test]
    async fn a_model_that_is_not_there_is_the_users_to_solve() {
        for name in ["claude", "codex", "gemini", "opencode"] {
            fails(
                name,
                Answer::Status(404),
                CauseCode::NoSuchModel,
                Class::User,
            )
            .await;
        }
    }

    #[tokio::test]
    async fn a_fault_of_the_service_may_pass() {
        for name in ["claude", "codex", "gemini"] {
            fails(name, Answer::Status(500), CauseCode::Unavailable, PAUSE).await;
        }
    }

    #[tokio::test]
    async fn a_refused_connection_is_seen_at_once() {
        for name in ["claude", "codex", "gemini", "copilot"] {
            let sandbox = Sandbox::new();
            let Some(here) = pointed(&sandbox, &refused_url()) else {
                return;
            };
            let agent = agent(name, &here).await;
            let (outcome, took) = asked(agent.as_ref(), ask(PROMPT, PATIENCE)).await;
            let error = outcome.unwrap_err();
            assert_eq!(
                (error.cause().code, error.class()),
                (CauseCode::Unavailable, PAUSE),
                "{name}"
            );
            assert!(took < Duration::from_secs(2), "{name}: {took:?}");
        }
    }

    #[tokio::test]
    async fn a_cut_stream_is_no_answer_of_codex() {
        fails("codex", Answer::Cut, CauseCode::Unavailable, PAUSE).await;
    }

    #[tokio::test]
    async fn a_cut_stream_is_asked_for_again_by_claude() {
        let models = FakeModels::start(Script::job_store());
        models.set_first("*", 1, Answer::Cut);
        let sandbox = Sandbox::new();
        let Some(here) = pointed(&sandbox, &models.url()) else {
            return;
        };
        let agent = agent("claude", &here).await;
        let (outcome, _) = asked(agent.as_ref(), ask(PROMPT, PATIENCE)).await;
        assert_eq!(
            outcome.unwrap().text.trim_end(),
            Script::job_store().turns["r1.pro"][0].trim_end()
        );
    }

    #[tokio::test]
    async fn an_empty_answer_is_none() {
        for name in ["claude", "codex", "gemini"] {
            fails(name, Answer::Empty, CauseCode::Empty, Class::Tool).await;
        }
    }

    #[tokio::test]
    async fn the_most_effort_is_taken() {
        for (name, sent) in [
            ("claude", "max"),
            ("codex", "xhigh"),
            ("opencode", "high"),
            ("copilot", "max"),
        ] {
            let models = FakeModels::start(Script::job_store());
            let sandbox = Sandbox::new();
            let Some(here) = pointed(&sandbox, &models.url()) else {
                return;
            };
            let agent = agent(name, &here).await;
            let asking = agon_agents::Ask {
                reads: None,
                hears: None,
                effort: Effort::Max,
                ..ask(PROMPT, PATIENCE)
            };
            asked(agent.as_ref(), asking).await.0.unwrap();
            assert_eq!(models.requests()[0].effort.as_deref(), Some(sent), "{name}");
        }
    }

    #[tokio::test]
    async fn a_chosen_model_is_asked() {
        for (name, model) in [
            ("claude", "claude-opus-4-6"),
            ("codex", "gpt-5.5"),
            ("gemini", "gemini-3.1-pro-preview"),
            ("copilot", "other-model"),
        ] {
            let models = FakeModels::start(Script::job_store());
            let sandbox = Sandbox::new();
            let Some(here) = pointed(&sandbox, &models.url()) else {
                return;
            };
            let agent = agent(name, &here).await;
            let asking = agon_agents::Ask {
                reads: None,
                hears: None,
                model: Some(model),
                ..ask(PROMPT, PATIENCE)
            };
            asked(agent.as_ref(), asking).await.0.unwrap();
            assert_eq!(models.requests()[0].model, model, "{name}");
        }
    }
}
