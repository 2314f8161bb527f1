//! What `--help` and `--help-all` say, and `agon` alone.

use agon_testkit::{FakeTools, Script};
use insta::assert_snapshot;

use crate::cli::folder::{debate, spec};
use crate::cli::harness::Agon;

#[test]
fn the_common_commands_and_the_options_of_a_debate_are_listed() {
    let agon = Agon::new();
    for (name, args) in [
        ("help-agon", &["--help"][..]),
        ("help-agon-debate", &["debate", "--help"]),
    ] {
        let ran = agon.run(args);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
        assert_snapshot!(name, ran.screen());
    }
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

#[test]
fn a_report_of_a_problem_can_say_how_agon_was_built() {
    let ran = Agon::new().run(&["--version", "--verbose"]);
    let lines: Vec<_> = ran.stdout.lines().collect();
    let features = match cfg!(feature = "full") {
        true => "features: failpoints, local-model, png, telemetry",
        false => "features: failpoints",
    };
    let target = format!("target: {}-unknown-linux-", std::env::consts::ARCH);
    assert_eq!(lines.len(), 4, "{ran:#?}");
    assert_eq!(lines[0], format!("agon {}", env!("CARGO_PKG_VERSION")));
    assert!(lines[1].starts_with("commit: "), "{ran:#?}");
    assert_eq!(lines[2], features);
    assert!(lines[3].starts_with(&target), "{ran:#?}");
}
