//! What `--help` says.

use insta::assert_snapshot;

use crate::harness::Agon;

/// Every command, as it is typed.
const COMMANDS: &[&[&str]] = &[
    &[],
    &["debate"],
    &["consult"],
    &["new"],
    &["run"],
    &["resume"],
    &["wait"],
    &["continue"],
    &["say"],
    &["judge"],
    &["stop"],
    &["show"],
    &["ask"],
    &["list"],
    &["recall"],
    &["usage"],
    &["evidence"],
    &["replay"],
    &["demo"],
    &["check"],
    &["report"],
    &["graph"],
    &["ops"],
    &["ops", "process-exchange"],
    &["ops", "process-judge"],
    &["tools"],
    &["tools", "doctor"],
    &["model"],
    &["model", "list"],
    &["model", "pull"],
    &["model", "path"],
    &["rules"],
    &["rules", "explain"],
    &["schema"],
    &["config"],
    &["config", "show"],
    &["completions"],
    &["man"],
];

#[test]
fn every_command_explains_itself() {
    let agon = Agon::new();
    for command in COMMANDS {
        let ran = agon.run(&[*command, &["--help"]].concat());
        assert_eq!(
            (ran.code, ran.stderr.as_str()),
            (Some(0), ""),
            "{command:?}"
        );
        let name = [&["agon"], *command].concat().join("-");
        assert_snapshot!(format!("help-{name}"), ran.screen());
    }
}

#[test]
fn no_command_is_left_out_of_this_suite() {
    let agon = Agon::new();
    for command in COMMANDS {
        let help = agon.run(&[*command, &["--help"]].concat()).stdout;
        let listed = help
            .split_once("Commands:\n")
            .map_or("", |(_, after)| after);
        let names = listed
            .lines()
            .take_while(|line| !line.is_empty())
            .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
            .filter_map(|line| line.split_whitespace().next());
        for name in names.filter(|name| *name != "help") {
            let typed = [*command, &[name]].concat();
            assert!(COMMANDS.contains(&typed.as_slice()), "{typed:?}");
        }
    }
}

#[test]
fn the_version_is_one_line() {
    let ran = Agon::new().run(&["--version"]);
    let expected = format!("agon {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(
        (ran.code, ran.stdout, ran.stderr),
        (Some(0), expected, String::new())
    );
}
