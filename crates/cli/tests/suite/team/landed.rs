//! What landing a run refuses: files that would run something where the user works.

use std::os::unix::fs::symlink;
use std::path::Path;

use agon_testkit::{Terminal, add, git};

use super::judged::script;
use super::started::Team;

#[test]
fn landing_writes_no_file_that_needs_a_filter_of_the_repository_alone() {
    let team = Team::new();
    let project = team.place.project();
    add(&project, ".gitattributes", "*.bin filter=planted\n");
    git(&project, &["add", "."]);
    git(&project, &["commit", "-q", "-m", "attributes"]);
    team.mood("r1-planner", "one");
    team.mood("r1-reviewer", "approve");
    script(&team, "r1-t1", "echo x > x.bin");
    let done = team.json(&["run", "Make a file", "--host", "claude", "--agreed"]);
    assert_eq!(done["stage"], "done", "{done}");
    git(&project, &["config", "filter.planted.smudge", "false"]);
    for is_behind in [true, false] {
        if !is_behind {
            git(&project, &["commit", "-q", "--allow-empty", "-m", "mine"]);
        }
        let refused = team.run(&["land", "r1"]);
        assert_eq!(refused.code, Some(2), "{refused:?}");
        assert!(
            refused.stderr.contains("x.bin needs the filter `planted`"),
            "{refused:?}"
        );
        assert!(!project.join("x.bin").exists());
    }
}

#[test]
fn what_configures_tools_is_landed_by_a_person_alone_under_any_name_of_it() {
    let team = Team::new();
    let project = team.place.project();
    add(&project, "docs/agents.txt", "Be kind.\n");
    add(&project, "tools/hooks/pre-commit", "true\n");
    add(&project, "tools/other", "true\n");
    symlink("docs/agents.txt", project.join("CLAUDE.md")).unwrap();
    git(&project, &["add", "."]);
    git(&project, &["commit", "-q", "-m", "instructions"]);
    git(&project, &["config", "core.hooksPath", "tools/hooks"]);
    team.mood("r1-planner", "one");
    team.mood("r1-reviewer", "approve");
    script(
        &team,
        "r1-t1",
        "mkdir .claude .Vscode; echo '{}' > .claude/settings.json; echo '{}' > .Vscode/tasks.json; \
         mv greet.sh .envrc; echo more >> docs/agents.txt; echo more >> tools/hooks/pre-commit; \
         echo more >> tools/other; ln -s tools/other .cursorrules",
    );
    let done = team.json(&["run", "Make a file", "--host", "claude", "--agreed"]);
    assert_eq!(done["stage"], "done", "{done}");
    let before = git(&project, &["rev-parse", "HEAD"]);
    let refused = team.run(&["land", "r1", "--json"]);
    assert_eq!(
        refused.ended(),
        (Some(2), "configures_tools".to_owned()),
        "{refused:?}"
    );
    let named = ".Vscode/tasks.json, .claude/settings.json, .cursorrules, .envrc, docs/agents.txt, \
                 tools/hooks/pre-commit, tools/other";
    let message = refused.json()["error"]["message"].clone();
    assert_eq!(
        message,
        format!("r1 changes files that configure tools: {named}")
    );
    assert_eq!(git(&project, &["rev-parse", "HEAD"]), before);

    let program = Path::new(env!("CARGO_BIN_EXE_agon"));
    let mut terminal = Terminal::start(program, &["team", "land", "r1"], &project, &team.place.env);
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    for name in named.split(", ") {
        let line = format!(
            "read this before you start an AI tool here, because it configures one: {name}"
        );
        assert!(screen.contains(&line), "{line}: {screen}");
    }
    assert_ne!(git(&project, &["rev-parse", "HEAD"]), before);
}
