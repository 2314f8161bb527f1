//! `--context repo`: every seat reads in a working copy of its own.

use std::fs;

use agon_testkit::behaviour::FAKE_GITHUB_TOKEN;
use agon_testkit::{Behaviour, add, git};
use serde_json::json;

use crate::scenarios::place::{Fakes, debate};

pub(crate) const REPO: [&str; 2] = ["--context", "repo"];

/// A project with everything that stays out of a working copy, committed and changed since.
pub(crate) fn with_a_project() -> Fakes {
    let fakes = Fakes::new();
    let project = &fakes.place.project();
    let numbered = |number| match number {
        90 => "        fs::rename(&lease_tmp, &lease)?;\n".to_owned(),
        number => format!("// line {number}\n"),
    };
    add(
        project,
        "src/store.rs",
        &(1..=120).map(numbered).collect::<String>(),
    );
    add(project, "src/queue.rs", "committed\n");
    add(project, ".gitignore", "*.log\n");
    for settings in [
        ".claude/settings.json",
        ".mcp.json",
        "CLAUDE.md",
        "sub/AGENTS.md",
        ".gemini/settings.json",
        ".opencode/plugin/x.js",
        "opencode.json",
        ".codex/config.toml",
        ".github/copilot-instructions.md",
    ] {
        add(project, settings, "{}\n");
    }
    add(project, ".github/workflows/ci.yml", "on: push\n");
    add(project, "debates/old/debate.md", "An earlier debate.\n");
    add(project, "debates/old/.agon/journal.jsonl", "{}\n");
    add(
        project,
        "deploy.sh",
        &format!("curl -H 'Authorization: {FAKE_GITHUB_TOKEN}'\n"),
    );
    git(project, &["add", "--all"]);
    git(project, &["commit", "--quiet", "-m", "first"]);
    add(project, "src/queue.rs", "changed\n");
    add(project, "src/new.rs", "new\n");
    add(project, "noise.log", "noise\n");
    std::os::unix::fs::symlink("/etc/passwd", project.join("passwd")).unwrap();
    fakes
}

const SEEN: [&str; 5] = [
    ".github/workflows/ci.yml",
    ".gitignore",
    "src/new.rs",
    "src/queue.rs",
    "src/store.rs",
];

#[test]
fn every_seat_reads_in_a_copy_of_its_own_without_settings_debates_and_secrets() {
    let fakes = with_a_project();
    let ran = fakes.debate(&REPO);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let asks = fakes.tools.asks();
    let mut folders = Vec::new();
    for ask in &asks {
        assert_eq!(ask.files, SEEN, "{:?}", ask.turn);
        assert!(!ask.cwd.starts_with(fakes.place.project()), "{:?}", ask.cwd);
        assert!(!ask.cwd.exists(), "{:?} is gone afterwards", ask.cwd);
        let seat = ask.turn.as_deref().unwrap().split('.').next_back().unwrap();
        folders.push((seat, &ask.cwd));
    }
    folders.sort();
    folders.dedup();
    let seats: Vec<_> = folders.iter().map(|(seat, _)| *seat).collect();
    assert_eq!(seats, ["cha", "judge", "pro", "swap"]);

    let context = &fakes.events()[0]["context"];
    assert_eq!(context["files"], 5);
    assert_eq!(context["changed"], 2);
    assert_eq!(context["secrets"], json!(["deploy.sh"]));
    assert_eq!(context["debates"], json!(["debates"]));
    assert_eq!(
        context["left_out"],
        json!(["9 settings files of AI tools", "1 link"])
    );

    let first = fakes.tools.prompt(asks[0].prompt.unwrap());
    assert!(first.contains("Your working folder is a copy of the project (repo at "));
    assert!(first.contains("- 1 file that may contain a secret\n- earlier debates\n"));
    let verdict = fakes.place.verdict().unwrap();
    assert_eq!(verdict["citations"]["proposer"]["found"], 1);
    let rigor = verdict["rigor"].as_str().unwrap();
    assert!(rigor.contains("against repo at "), "{rigor}");
}

#[test]
fn the_user_is_told_what_stays_out_and_may_let_secrets_in() {
    let fakes = with_a_project();
    let mut args = debate(&REPO);
    args.retain(|arg| *arg != "--json");
    args.push("--dry-run");
    let ran = fakes.place.run(&args);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("repo at "), "{}", ran.stdout);
    assert!(ran.stdout.contains(" + 2 changed files"), "{}", ran.stdout);
    let out = "hidden from the tools: 1 file that may contain a secret (deploy.sh; --allow-secrets) · debates/ · 9 settings files of AI tools";
    let told = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains(out), "{told}");

    let ran = fakes.debate(&[&REPO[..], &["--quick", "--allow-secrets"]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(
        fakes.tools.asks()[0]
            .files
            .contains(&"deploy.sh".to_owned())
    );
}

#[test]
fn what_a_tool_changes_in_its_copy_is_seen_said_and_undone() {
    let fakes = with_a_project();
    fakes
        .tools
        .set_scenario("claude", "r1.pro", Behaviour::Meddle);
    let ran = fakes.debate(&REPO);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let events = fakes.events().into_iter();
    let touched: Vec<_> = events.filter(|event| event["event"] == "touched").collect();
    let changed = [".github/workflows/ci.yml", ".gitignore", "planted.md"];
    // It cites what is not there, and is asked again.
    let once = |key: &str| json!({ "event": "touched", "key": key, "changed": changed });
    assert_eq!(touched, [once("r1.pro#0"), once("r1.pro#1")]);
    assert!(
        ran.stderr
            .contains("changed 3 files in its copy of the project"),
        "{}",
        ran.stderr
    );
    for ask in fakes.tools.asks() {
        assert_eq!(ask.files, SEEN, "{:?}", ask.turn);
    }
    let rigor = &fakes.place.verdict().unwrap()["rigor"];
    let said = "proposer changed 3 files in its copy of the project, which was replaced";
    assert!(rigor.as_str().unwrap().contains(said), "{rigor}");
    let mine = fs::read_to_string(fakes.place.project().join(".gitignore")).unwrap();
    assert_eq!(mine, "*.log\n");
}

#[test]
fn a_debate_goes_on_with_the_project_as_it_was() {
    let fakes = with_a_project();
    fakes.tools.set_scenario("codex", "r1.cha", Behaviour::Auth);
    assert_eq!(fakes.debate(&REPO).code, Some(4));
    fakes.tools.clear_scenario();
    let project = fakes.place.project();
    add(&fakes.place.project(), "src/queue.rs", "changed again\n");
    fs::remove_file(project.join("src/store.rs")).unwrap();
    fs::remove_file(project.join("src/new.rs")).unwrap();
    add(&fakes.place.project(), "src/later.rs", "later\n");
    let more = fakes.resume();
    assert_eq!(more.code, Some(0), "{}", more.stderr);
    assert!(fakes.tools.asks().iter().all(|ask| ask.files == SEEN));
    let verdict = fakes.place.verdict().unwrap();
    assert_eq!(verdict["citations"]["proposer"]["found"], 1);
}

#[test]
fn without_the_project_a_debate_stands_still_and_says_why() {
    let fakes = with_a_project();
    fakes.tools.set_scenario("codex", "r1.cha", Behaviour::Auth);
    assert_eq!(fakes.debate(&REPO).code, Some(4));
    fakes.tools.clear_scenario();
    let project = fakes.place.project();
    fs::remove_dir_all(project.join(".git")).unwrap();
    fs::remove_dir_all(project.join(".github")).unwrap();
    let asked = fakes.tools.asks().len();
    let more = fakes.resume();
    assert_ne!(more.code, Some(0));
    let said = format!("{}{}", more.stdout, more.stderr);
    assert!(
        said.contains("no longer exist as they were when the debate opened"),
        "{said}"
    );
    assert_eq!(fakes.tools.asks().len(), asked);
}

#[test]
fn a_debate_in_the_project_does_not_change_what_the_next_one_pins() {
    let fakes = with_a_project();
    let pinned = |slug: &str| {
        let folder = fakes.place.project().join("debates").join(slug);
        let journal = fs::read_to_string(folder.join(".agon/journal.jsonl")).unwrap();
        let first: serde_json::Value =
            serde_json::from_str(journal.lines().next().unwrap()).unwrap();
        first["events"][0]["source"]["manifest"].clone()
    };
    let quick = [&REPO[..], &["--quick", "--again"]].concat();
    assert_eq!(fakes.debate(&quick).code, Some(0));
    assert_eq!(fakes.debate(&quick).code, Some(0));
    assert!(pinned("s").is_string());
    assert_eq!(pinned("s"), pinned("s-2"));
}

#[test]
fn changes_have_new_files_in_them_and_no_debate() {
    let fakes = with_a_project();
    add(
        &fakes.place.project(),
        "debates/new/debate.md",
        "A debate of today.\n",
    );
    let ran = fakes.debate(&["--context", "diff", "--quick"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let asks = fakes.tools.asks();
    let first = fakes.tools.prompt(asks[0].prompt.unwrap());
    assert!(first.contains("-committed\n+changed\n"), "{first}");
    assert!(
        first.contains("+++ b/src/new.rs\n@@ -0,0 +1,1 @@\n+new\n"),
        "{first}"
    );
    for out in ["A debate of today", "noise", "passwd"] {
        assert!(!first.contains(out), "{out}: {first}");
    }
    let about = &fakes.events()[0]["source"]["about"];
    let about = about.as_str().unwrap();
    // The link is one of them, though nothing of it is given.
    assert!(about.starts_with("3 changed files at "), "{about}");
}

#[test]
fn seats_are_told_of_submodules_whose_contents_were_not_examined() {
    for (context, change) in [
        ("repo", ""),
        ("diff", "src/store.rs"),
        ("diff", "lib/parser"),
        ("commit=HEAD", ""),
    ] {
        let fakes = crate::scenarios::place::Fakes::new();
        let project = fakes.place.project();
        add(&project, "src/store.rs", "pub struct Store;\n");
        git(&project, &["add", "."]);
        for path in ["lib/parser", "vendor/zlib"] {
            // Without its folder it would be a submodule that was removed.
            fs::create_dir_all(project.join(path)).unwrap();
            let link = format!("160000,{},{path}", "1".repeat(40));
            git(&project, &["update-index", "--add", "--cacheinfo", &link]);
        }
        git(&project, &["commit", "-q", "--allow-empty", "-m", "zero"]);
        git(&project, &["commit", "-q", "--allow-empty", "-m", "one"]);
        add(&project, "src/more.rs", "pub struct More;\n");
        git(&project, &["add", "."]);
        git(&project, &["commit", "-q", "-m", "two"]);
        match change {
            "" => {}
            "lib/parser" => {
                let link = format!("160000,{},lib/parser", "2".repeat(40));
                git(&project, &["update-index", "--cacheinfo", &link]);
            }
            path => add(&project, path, "pub struct Changed;\n"),
        }
        let ran = fakes.place.run(&[
            "debate",
            "Keep it?",
            "--slug",
            "s",
            "--context",
            context,
            "--quick",
            "--proposer",
            "claude",
            "--challenger",
            "codex",
            "--judge",
            "gemini",
        ]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        // What the seats are given of a change says so.
        let prompts = fakes
            .tools
            .asks()
            .iter()
            .filter_map(|call| call.prompt)
            .map(|n| fakes.tools.prompt(n))
            .collect::<Vec<_>>();
        let said = "Submodules, whose contents were not examined: lib/parser, vendor/zlib";
        assert!(!prompts.is_empty());
        assert_eq!(
            prompts.iter().any(|prompt| prompt.contains(said)),
            context != "repo",
            "{context} {change}"
        );
    }
}
