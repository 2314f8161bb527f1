//! A home that is no folder of its own: nothing is put into the folder that one happens to be in.

use std::fs;

use agon_testkit::Sandbox;

use super::tree::tree;
use crate::support::Place;

#[test]
fn without_a_whole_path_to_a_home_nothing_is_installed_anywhere() {
    for home in [None, Some(""), Some("home"), Some("."), Some("~")] {
        for args in [
            &["install", "claude"][..],
            &["install", "codex", "--what", "all"],
            &["uninstall", "gemini"],
            &["install", "opencode"],
        ] {
            let sandbox = Sandbox::new();
            let mut env = sandbox.command_env();
            env.remove("HOME");
            env.extend(home.map(|home| ("HOME".to_owned(), home.to_owned())));
            let place = Place::new(sandbox, env);
            let before = tree(&place.project());
            let ran = place.run(&[args, &["--json"]].concat());
            assert_eq!(
                ran.ended(),
                (Some(2), "no_home".to_owned()),
                "{home:?} {args:?}: {ran:?}"
            );
            assert_eq!(tree(&place.project()), before, "{home:?} {args:?}");
        }
    }
}

#[test]
fn a_folder_of_a_tools_own_that_is_no_whole_path_is_not_written_to() {
    for (host, name) in [
        ("claude", "CLAUDE_CONFIG_DIR"),
        ("codex", "CODEX_HOME"),
        ("gemini", "GEMINI_CLI_HOME"),
        ("opencode", "OPENCODE_CONFIG_DIR"),
        ("copilot", "COPILOT_HOME"),
    ] {
        for value in ["", "here", "./here", "~/here"] {
            let sandbox = Sandbox::new();
            let mut env = sandbox.command_env();
            env.insert(name.to_owned(), value.to_owned());
            let place = Place::new(sandbox, env);
            let before = tree(&place.project());
            let ran = place.run(&["install", host, "--what", "all", "--json"]);
            assert_eq!(tree(&place.project()), before, "{name}={value}: {ran:?}");
            let written = fs::read_dir(place.home()).unwrap().count();
            assert!(
                ran.code != Some(0) || written > 0,
                "{name}={value}: {ran:?}"
            );
        }
    }
}
