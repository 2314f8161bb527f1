//! What a person is told of an installation.

use std::fs;

use agon_testkit::Sandbox;
use insta::assert_snapshot;

use crate::support::Place;

fn place() -> Place {
    let sandbox = Sandbox::new();
    let env = sandbox.command_env();
    Place::new(sandbox, env)
}

#[test]
fn a_person_is_told_what_is_put_where_and_what_is_left_to_do() {
    let place = place();
    let skill = place.home().join(".codex/skills/consult/SKILL.md");
    fs::create_dir_all(skill.parent().unwrap()).unwrap();
    fs::write(skill, "mine").unwrap();
    let program = env!("CARGO_BIN_EXE_agon");
    let mut shown = String::new();
    for args in [
        &["install", "codex", "--dry-run"][..],
        &["install", "codex"],
        &["install", "codex"],
        &["uninstall", "codex"],
        &["uninstall", "codex"],
    ] {
        let ran = place.run(args);
        let (code, stdout) = (ran.code.unwrap(), ran.stdout.replace(program, "agon"));
        shown.push_str(&format!(
            "$ agon {}\n{stdout}{}exit {code}\n\n",
            args.join(" "),
            ran.stderr
        ));
    }
    assert_snapshot!(shown);
}

#[test]
fn what_is_misspelt_is_refused_before_anything_is_written() {
    let place = place();
    for (args, code, parameter) in [
        (&["install", "cluade"][..], "unknown_host", "host"),
        (&["install", "claude", "cluade"], "unknown_host", "host"),
        (
            &["install", "codex", "--waive", "judge.fly"],
            "idle_waiver",
            "waive",
        ),
        (
            &["install", "claude", "--waive", "judge.run"],
            "idle_waiver",
            "waive",
        ),
        (&["install"], "no_host", "host"),
    ] {
        let ran = place.run(&[args, &["--json"]].concat());
        let error = &ran.json()["error"];
        assert_eq!(
            (&error["code"], &error["parameter"]),
            (&code.into(), &parameter.into())
        );
    }
    assert!(!place.home().join(".claude").exists());
    assert!(!place.home().join(".local").exists());
}

#[test]
fn a_waiver_brings_an_agent_and_holds_at_the_next_installation() {
    let place = place();
    let agent = place.home().join(".codex/agents/judge.toml");
    let waivers =
        ["run", "network", "delegate", "agon-tools"].map(|field| format!("judge.{field}"));
    let mut args = vec!["install", "codex"];
    for waiver in &waivers {
        args.extend(["--waive", waiver]);
    }
    assert_eq!(place.run(&args).code, Some(0));
    assert!(agent.is_file());
    assert_eq!(place.run(&["install", "codex"]).code, Some(0));
    assert!(agent.is_file());
    assert_eq!(place.run(&["uninstall", "codex"]).code, Some(0));
    assert!(!place.home().join(".codex").exists());
}

#[test]
fn a_project_has_an_installation_of_its_own() {
    let place = place();
    assert_eq!(
        place.run(&["install", "claude", "--scope", "project"]).code,
        Some(0)
    );
    assert!(place.project().join(".mcp.json").is_file());
    assert!(
        place
            .project()
            .join(".claude/skills/debate/SKILL.md")
            .is_file()
    );
    assert!(!place.home().join(".claude.json").exists());
    assert_eq!(place.run(&["uninstall", "claude"]).code, Some(0));
    assert!(place.project().join(".mcp.json").is_file());
    assert_eq!(
        place
            .run(&["uninstall", "claude", "--scope", "project"])
            .code,
        Some(0)
    );
    assert!(!place.project().join(".mcp.json").exists());
    assert!(!place.project().join(".claude").exists());
}

#[test]
fn a_debater_installs_nothing() {
    let mut place = place();
    place.env.insert("AGON_DEPTH".into(), "1".into());
    for command in ["install", "uninstall"] {
        let ran = place.run(&[command, "claude", "--json"]);
        assert_eq!(ran.json()["error"]["code"], "depth");
    }
}
