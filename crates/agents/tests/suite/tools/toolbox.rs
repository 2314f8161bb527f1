//! Detects tools and reports what is missing.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::common::{environment, left_of, tool};
use agon_agents::{Environment, Login, Profiles, SeatError, Toolbox};
use agon_testkit::{Behaviour, FakeTools, Sandbox};

async fn toolbox(here: &Environment) -> Toolbox {
    Toolbox::detect(&Profiles::builtin().unwrap(), here).await
}

#[tokio::test]
async fn tools_are_found_in_order_with_version_and_login() {
    let fakes = FakeTools::new();
    let sandbox = Sandbox::new();
    let toolbox = toolbox(&environment(&sandbox, fakes.dir())).await;
    let seen: Vec<_> = toolbox
        .tools()
        .iter()
        .filter(|found| found.path.is_some())
        .map(|found| {
            let version = found.version.as_deref().unwrap();
            (found.profile.name.as_str(), version, &found.login)
        })
        .collect();
    assert_eq!(
        seen,
        [
            ("claude", "2.1.197", &Login::LoggedIn),
            ("codex", "0.169.0", &Login::LoggedIn),
            ("gemini", "0.61.0", &Login::LoggedIn),
            ("opencode", "1.18.33", &Login::LoggedIn),
            ("copilot", "1.0.102", &Login::LoggedIn),
        ]
    );
}

#[tokio::test]
async fn a_tool_nobody_is_logged_in_to_names_the_command() {
    let fakes = FakeTools::new()
        .scenario("claude", "login", Behaviour::LoggedOut)
        .scenario("codex", "login", Behaviour::LoggedOut);
    let sandbox = Sandbox::new();
    let here = Environment::new(sandbox.env_with_path(fakes.dir()));
    let toolbox = toolbox(&here).await;
    for (name, login) in [
        ("claude", "claude auth login"),
        ("codex", "codex login"),
        ("gemini", "gemini"),
        ("copilot", "copilot login"),
    ] {
        let error = toolbox.agent(&tool(name)).err().unwrap();
        let expected = SeatError::LoggedOut {
            tool: tool(name),
            login: login.into(),
        };
        assert_eq!(error, expected);
        assert_eq!(
            toolbox.tool(&tool(name)).unwrap().setup_hint().as_deref(),
            Some(login)
        );
    }
    assert!(toolbox.agent(&tool("opencode")).is_ok());
}

#[tokio::test]
async fn a_provider_of_the_users_own_gets_the_benefit_of_the_doubt() {
    let fakes = FakeTools::new().scenario("codex", "login", Behaviour::LoggedOut);
    let sandbox = Sandbox::new();
    sandbox.point("codex", "http://127.0.0.1:9");
    let here = Environment::new(sandbox.env_with_path(fakes.dir()));
    let toolbox = toolbox(&here).await;
    assert_eq!(toolbox.tool(&tool("codex")).unwrap().login, Login::Unknown);
    assert!(toolbox.agent(&tool("codex")).is_ok());
}

#[tokio::test]
async fn a_tool_that_is_missing_names_the_command_that_installs_it() {
    let fakes = FakeTools::with(&["claude"]);
    let sandbox = Sandbox::new();
    let toolbox = toolbox(&environment(&sandbox, fakes.dir())).await;
    let error = toolbox.agent(&tool("gemini")).err().unwrap();
    assert_eq!(error.to_string(), "`gemini` is not installed");
    assert_eq!(
        error.hint().typed(),
        "install it: npm install -g @google/gemini-cli"
    );
    let error = toolbox.agent(&tool("nobody")).err().unwrap();
    assert_eq!(
        error.hint().typed(),
        "known tools: claude, codex, gemini, opencode, copilot, kiro, human, local, and openai:MODEL"
    );
}

#[tokio::test]
async fn probes_that_hang_are_waited_for_together() {
    let fakes = FakeTools::new();
    let mut impatient = BTreeMap::new();
    for name in ["claude", "codex", "gemini", "copilot"] {
        fakes.set_scenario(name, "version", Behaviour::Hang);
        let table = toml::from_str("limits.probe_ms = 1500").unwrap();
        impatient.insert(name.to_owned(), table);
    }
    let sandbox = Sandbox::new();
    let profiles = Profiles::with_overrides(&impatient).unwrap();
    let begun = Instant::now();
    let toolbox = Toolbox::detect(&profiles, &environment(&sandbox, fakes.dir())).await;
    assert!(
        begun.elapsed() < Duration::from_secs(5),
        "{:?}",
        begun.elapsed()
    );
    assert_eq!(toolbox.tool(&tool("claude")).unwrap().version, None);
    assert!(toolbox.agent(&tool("claude")).is_ok());
    assert_eq!(left_of(&sandbox), Vec::<String>::new());
}

#[tokio::test]
async fn the_version_of_an_npm_package_is_read_without_a_start() {
    let fakes = FakeTools::with(&[]);
    let package = fakes.dir().join("lib/@google/gemini-cli");
    std::fs::create_dir_all(package.join("bundle")).unwrap();
    std::fs::write(
        package.join("package.json"),
        r#"{"name": "@google/gemini-cli", "version": "9.8.7"}"#,
    )
    .unwrap();
    let program = package.join("bundle/gemini.js");
    std::fs::write(&program, "#!/bin/false\n").unwrap();
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&program, executable).unwrap();
    std::os::unix::fs::symlink(&program, fakes.path("gemini")).unwrap();
    let sandbox = Sandbox::new();
    let toolbox = toolbox(&environment(&sandbox, fakes.dir())).await;
    let found = toolbox.tool(&tool("gemini")).unwrap();
    assert_eq!(found.version.as_deref(), Some("9.8.7"));
}
