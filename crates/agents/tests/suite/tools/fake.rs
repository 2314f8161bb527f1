//! All behaviours of a tool, with real processes.

use std::sync::Arc;
use std::time::Duration;

use super::common::{Outcome, agent, ask, asked, environment, left_of};
use agon_agents::{Ask, CallFailure, Environment};
use agon_proc::Unwatched;
use agon_record::event::{CauseCode, Class, Usage};
use agon_record::spec::Effort;
use agon_testkit::{Behaviour, FakeTools, Sandbox, Script, TOOLS};
use tokio_util::sync::CancellationToken;

const PROMPT: &str = "You argue.\nTurn: r1.pro\n";
const PAUSE: Class = Class::Retry { after_ms: 2_000 };

/// Calls each tool with this behaviour; returns the results and checks that no process is left.
async fn each(behaviour: Behaviour, timeout: Duration, check: impl Fn(&str, Outcome)) {
    for name in TOOLS {
        let fakes = FakeTools::new().scenario(name, "*", behaviour);
        let sandbox = Sandbox::new();
        let agent = agent(name, &environment(&sandbox, fakes.dir())).await;
        let (outcome, took) = asked(agent.as_ref(), ask(PROMPT, timeout)).await;
        assert_eq!(
            left_of(&sandbox),
            Vec::<String>::new(),
            "{name} left processes"
        );
        assert!(
            took < timeout + Duration::from_secs(5),
            "{name} took {took:?}"
        );
        check(name, outcome);
    }
}

const LONG: Duration = Duration::from_secs(30);

async fn each_fails(behaviour: Behaviour, expected: impl Fn(&str) -> (CauseCode, Class)) {
    each(behaviour, LONG, |name, outcome| {
        let error = outcome.unwrap_err();
        let got = (error.cause().code, error.class());
        assert_eq!(got, expected(name), "{name}: {error}");
    })
    .await;
}

#[tokio::test]
async fn a_good_tool_answers_with_its_usage() {
    let reply = Script::job_store().turns["r1.pro"][0].clone();
    each(Behaviour::Good, LONG, |name, outcome| {
        let answer = outcome.unwrap();
        assert_eq!(answer.text, reply, "{name}");
        assert!(answer.usage.input > 0 && answer.usage.output > 0, "{name}");
        // The fake Copilot writes no usage file.
        assert_eq!(answer.usage.estimated, name == "copilot", "{name}");
    })
    .await;
}

#[tokio::test]
async fn usage_is_guessed_from_the_bytes_when_the_tool_reports_none() {
    let fakes = FakeTools::new().script(&Script::new("twelve bytes"));
    let sandbox = Sandbox::new();
    let agent = agent("copilot", &environment(&sandbox, fakes.dir())).await;
    let (outcome, _) = asked(agent.as_ref(), ask("sixteen bytes...", LONG)).await;
    let usage = Usage {
        input: 4,
        output: 3,
        estimated: true,
        ..Usage::default()
    };
    assert_eq!(outcome.unwrap().usage, usage);
}

#[tokio::test]
async fn an_empty_reply_is_the_tools_fault() {
    each_fails(Behaviour::Empty, |_| (CauseCode::Empty, Class::Tool)).await;
}

#[tokio::test]
async fn an_error_with_exit_code_0_is_no_reply() {
    each_fails(Behaviour::ErrorText, |name| match name {
        // Its error format has no status.
        "codex" => (CauseCode::Failed, PAUSE),
        _ => (CauseCode::Unavailable, PAUSE),
    })
    .await;
}

#[tokio::test]
async fn an_exit_code_without_a_reason_may_pass() {
    each_fails(Behaviour::Rc1, |_| (CauseCode::Failed, PAUSE)).await;
}

#[tokio::test]
async fn a_refused_key_is_the_users_to_solve() {
    each_fails(Behaviour::Auth, |_| (CauseCode::LoggedOut, Class::User)).await;
}

#[tokio::test]
async fn a_call_to_slow_down_waits_longer() {
    let slow_down = Class::Retry { after_ms: 5_000 };
    each_fails(Behaviour::RateLimit, |_| {
        (CauseCode::RateLimited, slow_down)
    })
    .await;
}

#[tokio::test]
async fn garbage_is_unreadable() {
    each_fails(Behaviour::Garbage, |_| (CauseCode::Unreadable, Class::Tool)).await;
}

#[tokio::test]
async fn a_flood_is_cut_and_ended() {
    each_fails(Behaviour::Flood, |_| (CauseCode::TooLarge, Class::Tool)).await;
}

#[tokio::test]
async fn a_tool_that_says_nothing_runs_out_of_time() {
    for behaviour in [Behaviour::Hang, Behaviour::IgnoreTerm] {
        each(behaviour, Duration::from_secs(1), |name, outcome| {
            let error = outcome.unwrap_err();
            assert_eq!(
                (error.cause().code, error.class()),
                (CauseCode::Timeout, PAUSE),
                "{name}"
            );
            assert_eq!(
                error.cause().detail,
                "no reply within 1s; 0 bytes were received"
            );
            assert!(error.took >= Duration::from_secs(1));
        })
        .await;
    }
}

#[tokio::test]
async fn what_came_before_the_time_was_over_is_counted() {
    each(
        Behaviour::PartialThenHang,
        Duration::from_secs(1),
        |name, outcome| {
            let error = outcome.unwrap_err();
            let CallFailure::Timeout { heard, .. } = error.failure else {
                panic!("{name}: {error}");
            };
            assert!(heard > 0, "{name}");
            let usage = error.usage.unwrap();
            assert!(
                usage.estimated && usage.input > 0 && usage.output > 0,
                "{name}"
            );
        },
    )
    .await;
}

#[tokio::test]
async fn a_child_that_keeps_the_pipe_does_not_keep_the_reply() {
    each(Behaviour::Grandchild, LONG, |name, outcome| {
        let answer = outcome.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(
            answer.took < Duration::from_secs(10),
            "{name}: {:?}",
            answer.took
        );
    })
    .await;
}

#[tokio::test]
async fn a_whole_reply_is_taken_from_a_tool_that_does_not_end() {
    let reply = Script::job_store().turns["r1.pro"][0].clone();
    let asking = TOOLS.map(|name| {
        let reply = reply.clone();
        async move {
            let fakes = FakeTools::new().scenario(name, "*", Behaviour::DoneThenHang);
            let sandbox = Sandbox::new();
            let agent = agent(name, &environment(&sandbox, fakes.dir())).await;
            let (outcome, took) = asked(agent.as_ref(), ask(PROMPT, LONG)).await;
            assert_eq!(outcome.unwrap().text, reply, "{name}");
            assert!(took < Duration::from_secs(15), "{name} took {took:?}");
            assert_eq!(left_of(&sandbox), Vec::<String>::new(), "{name}");
        }
    });
    futures_util::future::join_all(asking).await;
}

#[tokio::test]
async fn the_model_that_answered_is_told_where_the_tool_says_so() {
    each(Behaviour::Good, LONG, |name, outcome| {
        let expected = match name {
            "claude" => Some("claude-opus-4-6"),
            "gemini" => Some("gemini-3.1-pro-preview"),
            "copilot" => Some("mock-model"),
            _ => None,
        };
        assert_eq!(outcome.unwrap().model.as_deref(), expected, "{name}");
    })
    .await;
}

#[tokio::test]
async fn the_folders_of_a_call_are_the_users_alone_and_lie_in_their_cache() {
    let fakes = FakeTools::new().scenario("*", "*", Behaviour::Hang);
    let sandbox = Sandbox::new();
    let agent = agent("claude", &environment(&sandbox, fakes.dir())).await;
    let asking = asked(agent.as_ref(), ask(PROMPT, Duration::from_secs(2)));
    let look = async {
        while fakes.asks().is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let place = sandbox.home().join(".cache/agon/private");
        let cwd = fakes.asks()[0].cwd.clone();
        assert!(cwd.starts_with(&place), "{}", cwd.display());
        let mode = |path: &std::path::Path| {
            let meta = std::fs::metadata(path).unwrap();
            std::os::unix::fs::MetadataExt::mode(&meta) & 0o777
        };
        assert_eq!([mode(&place), mode(cwd.parent().unwrap())], [0o700; 2]);
        place
    };
    let (_, place) = tokio::join!(asking, look);
    assert_eq!(std::fs::read_dir(place).unwrap().count(), 0);
}

#[tokio::test]
async fn secrets_and_escapes_come_back_as_they_are() {
    each(Behaviour::Ansi, LONG, |name, outcome| {
        assert!(outcome.unwrap().text.contains('\u{1b}'), "{name}");
    })
    .await;
}

#[tokio::test]
async fn a_cancelled_call_ends_at_once() {
    let fakes = FakeTools::new().scenario("*", "*", Behaviour::Hang);
    let sandbox = Sandbox::new();
    let agent = agent("claude", &environment(&sandbox, fakes.dir())).await;
    let cancel = CancellationToken::new();
    let mut session = agent.open(Arc::new(Unwatched));
    let asking = session.ask(ask(PROMPT, LONG), &cancel);
    let stop = async {
        // The call has begun when the tool has recorded it.
        while fakes.asks().is_empty() {
            tokio::task::yield_now().await;
        }
        cancel.cancel();
    };
    let (outcome, ()) = tokio::join!(asking, stop);
    let error = outcome.unwrap_err();
    assert_eq!(
        (error.cause().code, error.class()),
        (CauseCode::Cancelled, Class::Cancelled)
    );
    assert_eq!(left_of(&sandbox), Vec::<String>::new());
}

#[tokio::test]
async fn a_tool_gets_its_own_variables_and_no_others() {
    let fakes = FakeTools::new();
    let sandbox = Sandbox::new();
    let mut vars = sandbox.env_with_path(fakes.dir());
    for (name, value) in [
        ("AWS_SECRET_ACCESS_KEY", "x"),
        ("UNRELATED_TOKEN", "x"),
        ("COPILOT_ALLOW_ALL", "true"),
        ("COPILOT_GITHUB_TOKEN", "x"),
        ("https_proxy", "http://proxy.example:1"),
        ("AGON_DEPTH", "1"),
        ("CLAUDECODE", "1"),
    ] {
        vars.insert(name.into(), value.into());
    }
    let here = Environment::new(vars);
    let agent = agent("copilot", &here).await;
    asked(agent.as_ref(), ask(PROMPT, LONG)).await.0.unwrap();
    let calls = fakes.asks();
    let names: Vec<&str> = calls[0].env.iter().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "AGON_DEPTH",
            "AGON_GROUP",
            "COPILOT_AUTO_UPDATE",
            "COPILOT_GITHUB_TOKEN",
            "GIT_CEILING_DIRECTORIES",
            "GIT_CONFIG_COUNT",
            "GIT_CONFIG_KEY_0",
            "GIT_CONFIG_VALUE_0",
            "HOME",
            "LANG",
            "NO_COLOR",
            "PATH",
            "TERM",
            "TMPDIR",
            "https_proxy"
        ]
    );
}

#[tokio::test]
async fn the_prompt_goes_to_stdin_and_the_folder_is_empty() {
    let prompt = format!("{}\nTurn: r1.pro\n", "0123456789".repeat(40_000));
    for name in TOOLS {
        let fakes = FakeTools::new();
        let sandbox = Sandbox::new();
        let agent = agent(name, &environment(&sandbox, fakes.dir())).await;
        asked(agent.as_ref(), ask(&prompt, LONG)).await.0.unwrap();
        let calls = fakes.asks();
        assert_eq!(fakes.prompt(calls[0].prompt.unwrap()), prompt, "{name}");
        assert!(calls[0].args.iter().all(|arg| arg.len() < 200), "{name}");
        assert!(
            !calls[0].cwd.exists(),
            "{name}: its folder is gone afterwards"
        );
        assert!(!calls[0].cwd.starts_with(sandbox.project()), "{name}");
    }
}

#[tokio::test]
async fn a_model_and_an_effort_become_arguments() {
    let fakes = FakeTools::new();
    let sandbox = Sandbox::new();
    let agent = agent("claude", &environment(&sandbox, fakes.dir())).await;
    for model in [Some("opus"), Some("auto"), Some(""), None] {
        let effort = Effort::Max;
        let asking = Ask {
            reads: None,
            hears: None,
            model,
            effort,
            ..ask(PROMPT, LONG)
        };
        asked(agent.as_ref(), asking).await.0.unwrap();
    }
    let calls = fakes.asks();
    let pair = |args: &[String], switch| {
        let at = args.iter().position(|arg| arg == switch)?;
        args.get(at + 1).cloned()
    };
    let models: Vec<_> = calls
        .iter()
        .map(|call| pair(&call.args, "--model"))
        .collect();
    assert_eq!(models, [Some("opus".to_owned()), None, None, None]);
    assert_eq!(pair(&calls[0].args, "--effort").as_deref(), Some("max"));
}

#[tokio::test]
async fn a_model_that_looks_like_a_switch_is_refused() {
    let fakes = FakeTools::new();
    let sandbox = Sandbox::new();
    let agent = agent("copilot", &environment(&sandbox, fakes.dir())).await;
    for model in ["--yolo", "a b", "x;rm", "é", &"m".repeat(129)] {
        let asking = Ask {
            reads: None,
            hears: None,
            model: Some(model),
            ..ask(PROMPT, LONG)
        };
        let error = asked(agent.as_ref(), asking).await.0.unwrap_err();
        assert_eq!(
            (error.cause().code, error.class()),
            (CauseCode::NoSuchModel, Class::User)
        );
    }
    assert_eq!(fakes.asks(), []);
}

#[tokio::test]
async fn no_more_calls_at_once_than_the_account_allows() {
    let fakes = FakeTools::new().scenario("*", "*", Behaviour::Slow(300));
    let sandbox = Sandbox::new();
    // Two simultaneous calls.
    let agent = agent("opencode", &environment(&sandbox, fakes.dir())).await;
    let begun = std::time::Instant::now();
    let all = (0..4).map(|_| async { asked(agent.as_ref(), ask(PROMPT, LONG)).await.0 });
    for outcome in futures_util::future::join_all(all).await {
        outcome.unwrap();
    }
    assert!(
        begun.elapsed() >= Duration::from_millis(600),
        "{:?}",
        begun.elapsed()
    );
}

#[tokio::test]
async fn a_program_that_has_gone_is_not_installed_any_more() {
    let fakes = FakeTools::new();
    let sandbox = Sandbox::new();
    let agent = agent("codex", &environment(&sandbox, fakes.dir())).await;
    std::fs::remove_file(fakes.path("codex")).unwrap();
    let error = asked(agent.as_ref(), ask(PROMPT, LONG))
        .await
        .0
        .unwrap_err();
    assert_eq!(
        (error.cause().code, error.class()),
        (CauseCode::NotInstalled, Class::User)
    );
}

#[tokio::test]
async fn an_address_that_refuses_is_seen_before_the_tool_is_started() {
    let fakes = FakeTools::new();
    let sandbox = Sandbox::new();
    let url = agon_testkit::refused_url();
    for name in ["claude", "codex"] {
        let mut vars = sandbox.env_with_path(fakes.dir());
        vars.extend(sandbox.point(name, &url));
        let agent = agent(name, &Environment::new(vars)).await;
        let error = asked(agent.as_ref(), ask(PROMPT, LONG))
            .await
            .0
            .unwrap_err();
        assert_eq!(
            (error.cause().code, error.class()),
            (CauseCode::Unavailable, PAUSE),
            "{name}"
        );
    }
    assert_eq!(fakes.asks(), []);
}

/// A folder with a shell script instead of a tool.
fn scripted(name: &str, script: &str) -> FakeTools {
    let folder = FakeTools::with(&[]);
    std::fs::write(folder.path(name), format!("#!/bin/sh\n{script}\n")).unwrap();
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(folder.path(name), executable).unwrap();
    folder
}

#[tokio::test]
async fn a_tool_that_says_why_it_stalls_is_believed_when_its_time_is_over() {
    let tools = scripted(
        "codex",
        r#"[ "$1" = login ] && exit 0
        echo '{"type":"error","message":"Reconnecting... waiting for network (x)"}'; sleep 300"#,
    );
    let sandbox = Sandbox::new();
    let agent = agent("codex", &environment(&sandbox, tools.dir())).await;
    let (outcome, took) = asked(agent.as_ref(), ask(PROMPT, Duration::from_secs(1))).await;
    let error = outcome.unwrap_err();
    assert_eq!(
        (error.cause().code, error.class()),
        (CauseCode::Unavailable, PAUSE)
    );
    assert!(took < Duration::from_secs(5), "{took:?}");
    assert_eq!(left_of(&sandbox), Vec::<String>::new());
}

#[tokio::test]
async fn usage_is_read_from_the_file_a_tool_writes() {
    let tools = scripted(
        "copilot",
        r#"while [ $# -gt 0 ]; do [ "$1" = --usage-output-file ] && file=$2; shift; done
        echo '{"modelMetrics":{"m":{"usage":{"inputTokens":7,"outputTokens":5}}}}' > "$file"
        echo '{"type":"assistant.message","data":{"content":"yes"}}'
        echo '{"type":"result","exitCode":0}'"#,
    );
    let sandbox = Sandbox::new();
    let agent = agent("copilot", &environment(&sandbox, tools.dir())).await;
    let (outcome, _) = asked(agent.as_ref(), ask(PROMPT, LONG)).await;
    let usage = Usage {
        input: 7,
        output: 5,
        ..Usage::default()
    };
    assert_eq!(outcome.unwrap().usage, usage);
}
