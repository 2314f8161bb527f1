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
        &["install", "codex", "--dry-run", "-v"],
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
        ["edit", "run", "network", "delegate", "agon-tools"].map(|field| format!("judge.{field}"));
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

/// The names in a folder of the home, without what they end with.
fn names(place: &Place, folder: &str) -> Vec<String> {
    let entries = fs::read_dir(place.home().join(folder))
        .into_iter()
        .flatten();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names
        .map(|name| name.split('.').next().unwrap().to_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn what_was_chosen_is_what_is_there_and_stays_chosen() {
    let place = place();
    let counts = || {
        let folders = [".claude/agents", ".claude/commands", ".claude/skills"];
        folders.map(|folder| names(&place, folder).len())
    };
    let install = |args: &[&str]| {
        let ran = place.run(&[&["install", "claude", "--json"], args].concat());
        assert_eq!(ran.code, Some(0), "{ran:#?}");
        ran.json()["hosts"][0]["what"].clone()
    };
    assert_eq!(install(&[]), "debate");
    assert_eq!(counts(), [3, 4, 4]);
    assert_eq!(install(&["--what", "all"]), "all");
    assert_eq!(counts(), [23, 12, 25]);
    let shown = place.run(&["hosts", "--json"]).json();
    assert_eq!(shown["hosts"][0]["installed"]["what"], "all");
    let shown = place.run(&["hosts"]).stdout;
    assert!(shown.contains(" (for debates and a team)  "), "{shown}");
    // Nothing is said of it, so it is as before.
    assert_eq!(install(&[]), "all");
    let again = place.run(&["install", "claude", "--json"]).json();
    let steps = again["hosts"][0]["steps"].as_array().unwrap();
    assert!(steps.iter().all(|step| step["action"] == "same"), "{again}");
    let plan = place.run(&["install", "claude", "--what", "team", "--dry-run"]);
    let replaces = "--what team would replace what was installed before; --what all would keep \
                    both";
    let flat = plan.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains(replaces), "{plan:#?}");
    assert_eq!(install(&["--what", "team"]), "team");
    assert_eq!(counts(), [20, 8, 24]);
    assert_eq!(install(&["--what", "debate"]), "debate");
    assert_eq!(counts(), [3, 4, 4]);
    assert_eq!(install(&["--what", "all", "--dry-run"]), "all");
    assert_eq!(counts(), [3, 4, 4]);
    assert_eq!(place.run(&["uninstall", "claude"]).code, Some(0));
    assert!(!place.home().join(".claude").exists());
}

#[test]
fn a_role_that_a_tool_cannot_hold_is_left_out_and_named_with_what_to_type() {
    let place = place();
    let typed = ["install", "gemini", "--what", "team", "--scope", "project"];
    let ran = place.run(&[&typed[..], &["-v"]].concat());
    let wanted = "left out agent scribe: Gemini CLI cannot enforce its limits (edit-only)\n      \
    to install one anyway, waive its limits, for example:\n      \
                  agon install gemini --what team --scope project --waive scribe.edit-only\n";
    assert!(ran.stdout.contains(wanted), "{ran:#?}");
    let scribe = place.project().join(".gemini/agents/scribe.md");
    assert!(!scribe.exists());
    let ran = place.run(&[&typed[..], &["--waive", "scribe.edit-only"]].concat());
    assert_eq!(
        (ran.code, ran.stdout.contains("left out")),
        (Some(0), false)
    );
    assert!(scribe.exists());
    // Where there is no role, there is nothing to waive.
    let typed = ["install", "codex", "--waive", "scribe.edit-only", "--json"];
    let ran = place.run(&typed);
    assert_eq!(ran.json()["error"]["code"], "idle_waiver");
}

#[test]
fn a_file_of_a_team_that_was_edited_stays_when_the_team_goes() {
    let place = place();
    assert_eq!(
        place.run(&["install", "claude", "--what", "all"]).code,
        Some(0)
    );
    let edited = place.home().join(".claude/commands/execute.md");
    fs::write(&edited, "mine").unwrap();
    let ran = place.run(&["install", "claude", "--what", "debate"]);
    assert_eq!(ran.code, Some(7));
    let reason = "you changed it, so it is kept although it is no longer installed";
    assert!(ran.stdout.contains(reason), "{ran:#?}");
    assert_eq!(fs::read_to_string(&edited).unwrap(), "mine");
    // It is the user's now.
    let ran = place.run(&["uninstall", "claude"]);
    assert_eq!((ran.code, edited.exists()), (Some(0), true));
}

#[test]
fn a_role_never_takes_the_place_of_an_agent_of_the_tool() {
    let place = place();
    let waivers = [
        "worker.network",
        "worker.delegate",
        "worker.agon-tools",
        "executor.network",
        "executor.agon-tools",
    ];
    let mut args = vec!["install", "codex", "--what", "team"];
    for waiver in waivers {
        args.extend(["--waive", waiver]);
    }
    assert_eq!(place.run(&args).code, Some(0));
    assert_eq!(names(&place, ".codex/agents"), ["agon-worker", "executor"]);
    let text = |name: &str| {
        let file = place.home().join(format!(".codex/agents/{name}.toml"));
        fs::read_to_string(file).unwrap()
    };
    assert!(text("agon-worker").starts_with("name = \"agon-worker\"\n"));
    // What calls it does so by the name that it has there.
    let executor = text("executor");
    for wanted in [
        "agon-worker when one step is left",
        "`agon-worker`, `ui-worker` or `quick`",
    ] {
        assert!(executor.contains(wanted), "{executor}");
    }
}

#[test]
fn a_tool_is_told_in_at_most_six_lines_and_a_dry_run_speaks_of_what_it_would_do() {
    for host in ["claude", "codex", "gemini", "opencode", "copilot"] {
        let place = place();
        // Three files that are not Agon's, and a configuration that cannot be read.
        for name in ["debate", "consult", "verdict"] {
            let skill = format!(".codex/skills/{name}/SKILL.md");
            let skill = place.home().join(skill);
            fs::create_dir_all(skill.parent().unwrap()).unwrap();
            fs::write(skill, "mine").unwrap();
        }
        fs::write(place.home().join(".claude.json"), "{").unwrap();
        for args in [
            &["install", host, "--what", "all", "--dry-run"][..],
            &["install", host, "--what", "all"],
            &["install", host],
            &["uninstall", host, "--dry-run"],
            &["uninstall", host],
        ] {
            let ran = place.run(args);
            let said = ran.stdout;
            assert!(said.lines().count() <= 6, "{args:?}\n{said}");
            let is_dry = args.contains(&"--dry-run");
            assert_eq!(said.contains(" would "), is_dry, "{args:?}\n{said}");
            for done in ["added", "updated", "removed", "kept", "refused", "left out"] {
                assert!(!is_dry || !said.contains(done), "{args:?}\n{said}");
            }
        }
    }
}

#[test]
fn five_tools_are_told_in_six_lines_and_each_file_with_v() {
    let place = place();
    let hosts = ["claude", "codex", "gemini", "opencode", "copilot"];
    let install = [&["install"][..], &hosts, &["--what", "all"]].concat();
    let uninstall = [&["uninstall"][..], &hosts].concat();
    for args in [
        [&install[..], &["--dry-run"]].concat(),
        install.clone(),
        install.clone(),
        [&uninstall[..], &["--dry-run"]].concat(),
        uninstall.clone(),
    ] {
        let ran = place.run(&args);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert_eq!(ran.stdout.lines().count(), 6, "{args:?}\n{}", ran.stdout);
    }
    let ran = place.run(&[&install[..], &["--dry-run", "-v"]].concat());
    assert!(ran.stdout.lines().count() > 200, "{}", ran.stdout);
}

#[test]
fn what_needs_a_server_that_was_refused_is_not_installed_and_that_is_said() {
    let place = place();
    fs::write(place.home().join(".claude.json"), "{").unwrap();
    let ran = place.run(&["install", "claude", "codex", "--what", "all"]);
    assert_eq!(ran.code, Some(7));
    let skills = place.home().join(".claude/skills");
    assert!(!skills.join("debate").exists() && !skills.join("consult").exists());
    assert!(skills.join("formal-debate/SKILL.md").is_file());
    assert!(place.home().join(".codex/skills/debate/SKILL.md").is_file());
    let claude = ran.stdout.lines().next().unwrap();
    assert!(claude.contains("refused server; skipped "), "{claude}");
    assert!(
        ran.stdout
            .contains("refused server, ~/.claude.json: it cannot be read")
    );
    fs::write(place.home().join(".claude.json"), "{}").unwrap();
    assert_eq!(place.run(&["install", "claude"]).code, Some(0));
    assert!(skills.join("debate/SKILL.md").is_file());
    assert_eq!(place.run(&["uninstall", "claude"]).code, Some(0));
    assert!(!place.home().join(".claude").exists());
}
