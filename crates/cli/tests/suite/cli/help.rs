//! What `--help` and `--help-all` say, and `agon` alone.

use std::collections::{BTreeMap, BTreeSet};

use agon_testkit::{FakeTools, Script};
use insta::assert_snapshot;

use crate::cli::folder::{debate, spec};
use crate::cli::harness::Agon;

/// The flags that every command has, and that only `--help-all` shows.
const RARE_EVERYWHERE: [&str; 4] = ["--debates-dir", "--profile", "--width", "--no-pager"];

/// What `--help` says of every command, by how it is typed, and what `--help-all` does where it has
/// more of the command's own: each is found in the help of the one above it, so that no list has to
/// know them.
pub(super) fn helps(agon: &Agon) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut wanted = vec![vec!["agon".to_owned()]];
    while let Some(command) = wanted.pop() {
        let mut args: Vec<&str> = command.iter().skip(1).map(String::as_str).collect();
        args.push("--help-all");
        let all = agon.run(&args);
        *args.last_mut().unwrap() = "--help";
        let short = agon.run(&args);
        for ran in [&all, &short] {
            assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{args:?}");
        }
        for name in subcommands(&all.stdout) {
            wanted.push([&command[..], &[name.to_owned()]].concat());
        }
        let name = command.join("-");
        let mut rare = flags(&all.stdout);
        rare.retain(|flag| !flags(&short.stdout).contains(flag));
        let is_root = command.len() == 1;
        if is_root || rare.iter().any(|flag| !RARE_EVERYWHERE.contains(flag)) {
            found.insert(format!("{name}-all"), all.screen());
        }
        found.insert(name, short.screen());
    }
    found
}

/// The flags that a help describes, each at the beginning of a line.
fn flags(help: &str) -> BTreeSet<&str> {
    let lines = help.lines().map(str::trim_start);
    let described = lines.filter(|line| line.starts_with('-'));
    described
        .filter_map(|line| line.split([' ', ',']).find(|word| word.starts_with("--")))
        .collect()
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
fn no_help_has_a_line_of_more_than_98_columns() {
    let wide = |(name, help): (String, String)| {
        let lines = help.lines().filter(|line| line.chars().count() > 98);
        let lines: Vec<_> = lines.map(|line| format!("{name}: {line}")).collect();
        lines
    };
    let wide: Vec<_> = helps(&Agon::new()).into_iter().flat_map(wide).collect();
    assert_eq!(wide, [""; 0]);
}

#[test]
fn the_short_and_the_long_flag_print_the_same_help() {
    let agon = Agon::new();
    for name in ["debate", "install"] {
        let [short, long] = ["-h", "--help"].map(|flag| agon.run(&[name, flag]).stdout);
        assert_eq!(short, long);
    }
    assert_eq!(
        agon.run(&["debate", "-h"]).stdout,
        agon.run(&["help", "debate"]).stdout
    );
}

#[test]
fn without_a_word_it_says_what_to_type_where_nothing_is_installed() {
    let ran = Agon::new().env("AGON_FALLBACK", "none").run(&[]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert_snapshot!(ran.screen());
}

#[test]
fn without_a_word_it_names_the_tools_and_the_latest_debate_in_six_lines() {
    let agon = Agon::with(FakeTools::with(&["claude", "codex"]));
    let debates = agon.project().join("debates");
    debate(&debates, spec("job-store"), &Script::job_store(), 99);
    // The configuration is what `agon config check` is for.
    agon.configure("judge = \n");
    let ran = agon.run(&[]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let lines: Vec<_> = ran.stdout.lines().collect();
    assert_eq!(lines.len(), 6, "{lines:#?}");
    // A busy machine may not tell in time who is logged in.
    assert!(lines[1].contains("claude") && lines[1].contains("codex"));
    assert_eq!(
        lines[2..],
        [
            "Latest  job-store: Use SQLite for the job store",
            "Next    agon show job-store",
            "        agon debate \"REST or GraphQL?\"",
            "Help    agon --help",
        ]
    );
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
