//! What `--help` says.

use std::collections::{BTreeMap, BTreeSet};

use insta::assert_snapshot;

use crate::cli::harness::Agon;

/// What `--help` says of every command, by how it is typed: each is found in the help of the one
/// above it, so that no list has to know them.
pub(super) fn helps(agon: &Agon) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut wanted = vec![vec!["agon".to_owned()]];
    while let Some(command) = wanted.pop() {
        let mut args: Vec<&str> = command.iter().skip(1).map(String::as_str).collect();
        args.push("--help");
        let ran = agon.run(&args);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{args:?}");
        for name in subcommands(&ran.stdout) {
            wanted.push([&command[..], &[name.to_owned()]].concat());
        }
        found.insert(command.join("-"), ran.screen());
    }
    found
}

/// The commands that a help lists, but for that of the help itself.
fn subcommands(help: &str) -> impl Iterator<Item = &str> {
    const HEADINGS: [&str; 8] = [
        "Commands:",
        "Decide:",
        "Steer:",
        "Read:",
        "Verify:",
        "Formal debates:",
        "In your AI tools:",
        "Set up:",
    ];
    let mut is_listed = false;
    let listed = help.lines().filter(move |line| {
        is_listed = match line.starts_with(' ') {
            true => is_listed,
            false => HEADINGS.contains(line),
        };
        is_listed && line.starts_with("  ") && !line.starts_with("   ")
    });
    let names = listed.filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help")
}

#[test]
fn every_command_explains_itself_in_a_snapshot_of_its_own() {
    let helps = helps(&Agon::new());
    for (name, help) in &helps {
        assert_snapshot!(format!("help-{name}"), help);
    }
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suite/cli/snapshots");
    let kept = std::fs::read_dir(folder).unwrap().map(|entry| {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let name = name.strip_prefix("suite__cli__help__help-")?;
        Some(name.strip_suffix(".snap")?.to_owned())
    });
    let kept: BTreeSet<_> = kept.flatten().collect();
    // A snapshot of a command that is gone would stay for ever.
    assert_eq!(kept, helps.into_keys().collect());
}

#[test]
fn without_a_word_the_first_steps_are_told() {
    let ran = Agon::new().run(&[]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert!(ran.stdout.lines().count() <= 12);
    assert_snapshot!(ran.screen());
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
