//! Every command that reads a repository, in one that names a program wherever git takes one: none
//! runs, and each git that Agon starts is told so.

use std::fs;

use agon_testkit::{FakeTools, GitCall, GitLog, PlantedRepository, Sandbox, is_full, plants};

use crate::scenarios::place::SEATED;
use crate::support::{Place, seat_flags};

/// A git of Agon's reads no configuration but what Agon wrote, and fetches nothing.
fn check(call: &GitCall, what: &str) {
    let reads_settings = call.args.iter().any(|it| it == "--list");
    let mut wanted = vec![
        ("GIT_NO_LAZY_FETCH", "1"),
        ("GIT_ALLOW_PROTOCOL", ""),
        ("GIT_TERMINAL_PROMPT", "0"),
        ("GIT_ASKPASS", "false"),
        ("GIT_EDITOR", "false"),
    ];
    if !reads_settings {
        wanted.push(("GIT_CONFIG_GLOBAL", "/dev/null"));
        wanted.push(("GIT_CONFIG_SYSTEM", "/dev/null"));
    }
    for (name, value) in wanted {
        assert_eq!(
            call.env.get(name).map(String::as_str),
            Some(value),
            "{what}: {call:?}"
        );
    }
    assert!(call.env.contains_key("GIT_DIR"), "{what}: {call:?}");
    for setting in [
        "core.hooksPath=/dev/null",
        "core.fsmonitor=false",
        "protocol.allow=never",
    ] {
        assert!(call.args.iter().any(|it| it == setting), "{what}: {call:?}");
    }
    // One that prints settings may be pointed to the repository's own: it starts none of them.
    if !reads_settings {
        assert!(!call.config.contains("/programs/"), "{what}: {call:?}");
    }
}

#[test]
fn no_command_starts_a_program_that_a_repository_names() {
    for (groups, submodules) in [
        (&["keys", "hooks"][..], false),
        (&["filters"], false),
        (&["nested", "elsewhere"], true),
    ] {
        let sandbox = Sandbox::new();
        let dir = sandbox.project().parent().unwrap().to_owned();
        fs::remove_dir_all(sandbox.project()).unwrap();
        let planted = PlantedRepository::new(&dir, "project", submodules);
        let all = plants();
        let own = all.iter().filter(|it| groups.contains(&it.group.as_str()));
        let count = own.map(|it| planted.plant(it)).count();
        assert!(count > 4, "{groups:?}");
        planted.take_ran();
        let tools = FakeTools::with(&SEATED);
        let log = GitLog::new(&dir.join("git-log"));
        let mut env = sandbox.env_with_path(tools.dir());
        env.insert(
            "PATH".into(),
            format!("{}:{}", log.bin().display(), env["PATH"]),
        );
        env.insert("GEMINI_API_KEY".into(), "placeholder".into());
        let place = Place::new(sandbox, env);
        let seats = seat_flags(["claude", "codex", "gemini"]);
        let debate = |more: &[&'static str]| [&["debate", "Keep it?"], &seats[..], more].concat();
        let mut commands: Vec<Vec<&str>> = Vec::new();
        for context in [
            "none",
            "diff",
            "repo",
            "commit=HEAD",
            "file=a.txt",
            "dir=src",
        ] {
            commands.push(debate(&["--dry-run", "--context", context]));
        }
        for words in [
            "consult Why? --context diff",
            "consult Why? --context repo",
            "ask s Why?",
            "continue s 1",
            "resume s",
            "check",
            "recall Keep",
            "evidence s",
            "replay s",
            "show s",
            "list",
            "usage",
            "report s",
            "init --yes",
            "tools",
            "tools doctor",
            "install --dry-run",
            "hosts",
            "context",
            "new Motion --slug n --context diff",
            "config show",
            "config check",
            "roster list",
            "skills list",
            "team init",
            "team join lea --role lead --host claude",
            "team status",
            "team task add One",
            "team gate add whole -- true",
            "team gate run whole --task t1",
            "team gate show whole --task t1",
            "team start worker --host claude --name ada --task t1 --wait",
            "team run Goal --host claude --agreed",
            "team land r1",
            "team review t1 --epoch 1 --approve --note x",
            "team lock take a.txt --task t1",
            "team policy check",
            "team precommit add",
            "team precommit rm",
            "team doctor",
            "team log",
            "team usage",
            "team watch --once",
            "mcp",
            "acp",
        ] {
            commands.push(words.split(' ').collect());
        }
        commands.insert(6, debate(&["--slug", "s", "--quick", "--context", "repo"]));
        commands.insert(7, debate(&["--slug", "d", "--quick", "--context", "diff"]));
        let mut calls = 0;
        for words in &commands {
            let ran = place.run(words);
            let what = words.join(" ");
            assert_eq!(planted.take_ran(), Vec::<String>::new(), "{what}");
            let started = log.take();
            eprintln!(
                "{groups:?} {what}: exit {:?}, {} gits",
                ran.code,
                started.len()
            );
            for call in &started {
                check(call, &what);
            }
            calls += started.len();
        }
        assert!(calls > 20, "{groups:?}: {calls}");
    }
}

#[test]
fn every_plant_is_started_by_a_plain_git_but_for_those_that_say_why_not() {
    let all = plants();
    let live = all.iter().filter(|it| it.dead.is_none()).count();
    assert!(live >= 80, "{live}");
    // The slow ones are many calls of git each; without them more than forty are left.
    let chosen = all
        .iter()
        .enumerate()
        .filter(|(nth, _)| is_full() || nth % 5 < 3);
    let mut ran = 0;
    for (_, plant) in chosen {
        let dir = tempfile::tempdir().unwrap();
        let planted = PlantedRepository::new(dir.path(), "project", plant.group == "nested");
        planted.plant(plant);
        planted.take_ran();
        let output = planted.run_control(plant);
        let started = planted.take_ran().contains(&plant.name);
        assert_eq!(started, plant.dead.is_none(), "{}: {output:?}", plant.name);
        ran += usize::from(started);
    }
    assert!(ran >= 40, "{ran}");
}
