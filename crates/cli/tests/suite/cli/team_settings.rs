//! The settings of a team in `agon config`: what it prints, and how it exits.

use std::fs;
use std::path::PathBuf;

use crate::cli::harness::Agon;

/// Puts a file of a team's settings into the user's folder.
pub(super) fn of_user(agon: &Agon, name: &str, text: &str) -> PathBuf {
    let path = agon.user_file().with_file_name(name);
    let kind = name.strip_suffix(".toml").unwrap();
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, format!("schema = \"agon.{kind}/1\"\n{text}")).unwrap();
    path
}

#[test]
fn the_defaults_of_a_team_take_one_line_until_something_of_it_is_set() {
    let agon = Agon::new();
    let of_team = |args: &[&str]| {
        let text = agon.run(&[&["config", "show"], args].concat()).stdout;
        let heads = text.lines().filter(|line| {
            line.starts_with("# team settings") || line.starts_with("# no team settings")
        });
        let files = heads.clone().filter(|line| line.ends_with(".toml"));
        (heads.count(), files.count())
    };
    assert_eq!(of_team(&[]), (1, 0));
    assert_eq!(of_team(&["--sources"]), (5, 5));
    assert_eq!(of_team(&["agents"]), (1, 1));
    assert_eq!(of_team(&["--team-profile", "minimal"]), (5, 5));
    of_user(&agon, "flags.toml", "");
    assert_eq!(of_team(&[]), (5, 5));
}

#[test]
fn settings_are_shown_with_their_sources_and_files_by_part() {
    let agon = Agon::new();
    let path = of_user(&agon, "agents.toml", "[roles.scout]\neffort = \"high\"\n");
    let text = agon.run(&["config", "show", "--sources"]).stdout;
    let line = text
        .lines()
        .find(|it| it.starts_with("roles.scout.effort = "));
    let line = line.unwrap();
    assert!(line.starts_with("roles.scout.effort = \"high\""), "{line}");
    let source = format!("# {}:3", path.display());
    assert!(line.ends_with(&source), "{line}");
    let text = agon.run(&["config", "path"]).stdout;
    let missing = "flags.toml, teams.toml, mcp.toml, profiles.toml";
    assert!(text.contains(missing), "{text}");

    let part = agon.run(&["config", "show", "agents"]).stdout;
    assert!(
        part.starts_with("\n# team settings: agents.toml\n"),
        "{part}"
    );
    assert!(part.contains("roles.scout.effort = \"high\""), "{part}");
    let others = part.contains("rounds") || part.contains("servers");
    assert!(!others, "{part}");
    let all = agon.run(&["config", "show"]).stdout;
    for file in ["agents", "flags", "profiles", "teams", "mcp"] {
        let head = format!("\n# team settings: {file}.toml\n");
        assert!(all.contains(&head), "{all}");
    }
}

#[test]
fn broken_files_and_variables_are_printed_with_hints_and_exit_3() {
    let agon = Agon::new().env("AGON_FLAG_PARALEL", "2");
    of_user(&agon, "agents.toml", "[roles.scot]\neffort = \"high\"\n");
    of_user(&agon, "flags.toml", "[set]\nparallel = 99\n");
    let checked = agon.run(&["config", "check"]);
    assert_eq!(checked.code, Some(3), "{checked:?}");
    let text = &checked.stdout;
    assert_eq!(text.matches("error: ").count(), 2, "{text}");
    assert_eq!(text.matches("  hint: ").count(), 2, "{text}");
    let unknown = "AGON_FLAG_PARALEL is not a setting and is ignored";
    assert!(checked.stderr.contains(unknown), "{checked:?}");
    let shown = agon.run(&["config", "show"]);
    assert_eq!((shown.code, shown.stdout.as_str()), (Some(3), ""));
    assert_eq!(agon.run(&["config", "show", "config"]).code, Some(0));
    let unknown = agon.run(&["config", "show", "--team-profile", "lax"]);
    assert_eq!(unknown.code, Some(3), "{unknown:?}");
}
