//! `agon roster`: its screens, and how it exits.

use insta::assert_snapshot;

use crate::cli::harness::Agon;
use crate::cli::team_settings::of_user;

#[test]
fn the_roster_lists_the_roles_with_purpose_and_permission() {
    let agon = Agon::new();
    let listed = agon.run(&["roster", "--json"]).json();
    assert_eq!(listed, agon.run(&["roster", "list", "--json"]).json());
    assert_snapshot!(agon.run(&["roster"]).screen());
}

#[test]
fn a_role_is_shown_with_the_source_of_every_value() {
    let agon = Agon::new();
    of_user(
        &agon,
        "agents.toml",
        "[roles.scribe]\neffort = \"high\"\n[models.codex]\nfast = \"session\"\n",
    );
    let args = ["roster", "show", "scribe", "--host", "codex"];
    assert_snapshot!(agon.run(&args).screen());
    let profile = [
        "roster",
        "show",
        "scribe",
        "--json",
        "--team-profile",
        "strict",
    ];
    let shown = agon.run(&profile).json();
    assert_eq!(shown["profile"]["source"], "flag");
    let ran = agon.run(&["roster", "show", "scrib"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("unknown role `scrib`"), "{ran:?}");
}

#[test]
fn the_matrix_is_a_table_with_the_reasons_below_it() {
    let agon = Agon::new();
    let text = agon.run(&["roster", "matrix"]).stdout;
    for line in [
        "role             claude      codex     gemini      opencode    copilot",
        "scribe           translated  left out  translated  translated  translated",
        "  not supported: the host has no effort per agent (effort): every role",
        "  the tool lacks an ability that the role may use (delegate): lead, executor",
    ] {
        assert!(text.lines().any(|it| it == line), "{line}\n{text}");
    }
    let fields = ["worker.network", "worker.delegate", "worker.agon-tools"];
    let waive = fields.iter().flat_map(|field| ["--waive", field]);
    let typed: Vec<_> = ["roster", "matrix"].into_iter().chain(waive).collect();
    let text = agon.run(&typed).stdout;
    let waived = "worker           translated  waived";
    assert!(text.contains(waived), "{text}");
}

#[test]
fn a_check_exits_by_drift_by_faults_and_by_broken_settings() {
    let agon = Agon::new();
    let check = |code| {
        let ran = agon.run(&["roster", "check"]);
        assert_eq!(ran.code, Some(code), "{ran:?}");
        ran
    };
    let none = "no team is installed: agon install HOST --what team\n";
    assert!(check(0).stdout.starts_with(none));
    let ran = agon.run(&["install", "opencode", "--what", "team"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    check(0);
    let of_scout = |text: &str| of_user(&agon, "agents.toml", text);
    of_scout("[roles.scout.models]\nopencode = \"lab/small\"\n");
    let text = check(7).stdout;
    let hint = "update: agon install opencode";
    assert!(text.contains(hint), "{text}");
    of_scout("[roles.scout.models]\nopencode = \"/small\"\n");
    let text = check(8).stdout;
    assert!(text.ends_with("roster checked, 1 error\n"), "{text}");
    of_scout("[roles.scot]\neffort = \"low\"\n");
    let stderr = check(3).stderr;
    assert!(
        stderr.contains("hint: use one of lead, planner"),
        "{stderr}"
    );
}
