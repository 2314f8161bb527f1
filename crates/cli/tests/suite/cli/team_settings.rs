//! The settings of a team: found where a user would put them, told with their sources, checked.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::cli::harness::{Agon, Ran};

/// Puts a file of a team's settings into the user's folder.
pub(super) fn of_user(agon: &Agon, name: &str, text: &str) -> PathBuf {
    let path = agon.user_file().with_file_name(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, with_schema(name, text)).unwrap();
    path
}

/// Puts one into the project.
pub(super) fn of_project(agon: &Agon, name: &str, text: &str) -> PathBuf {
    agon.write(&format!(".agon/{name}"), &with_schema(name, text))
}

fn with_schema(name: &str, text: &str) -> String {
    let kind = name.strip_suffix(".toml").unwrap();
    format!("schema = \"agon.{kind}/1\"\n{text}")
}

/// Everything in the project may be set.
pub(super) fn trust_project(agon: &Agon) {
    let folder = agon.project();
    agon.configure(&format!("trust = [\"{}\"]\n", folder.display()));
}

/// The value of a setting, and where it was set.
fn setting(agon: &Agon, args: &[&str], file: &str, key: &str) -> (String, String) {
    let shown = [&["config", "show", "--sources", "--json"], args].concat();
    let shown = agon.run(&shown);
    assert_eq!(shown.code, Some(0), "{shown:?}");
    let document = shown.json();
    let team = document["team"].as_array().unwrap();
    let is_it = |setting: &&Value| setting["file"] == file && setting["key"] == key;
    let found = team.iter().find(is_it).unwrap_or_else(|| panic!("{key}"));
    let text = |name: &str| found[name].as_str().unwrap().to_owned();
    (text("value"), text("source"))
}

/// That `key` is set at `line` of each of the files that are put above each other.
#[track_caller]
fn expect_layers(file: &str, key: &str, of_line: impl Fn(&str) -> String, values: [&str; 3]) {
    let agon = Agon::new();
    let is = |value: &str, source: String| (value.to_owned(), source);
    let [default, user, project] = values;
    assert_eq!(
        setting(&agon, &[], file, key),
        is(default, "default".to_owned())
    );
    let path = of_user(&agon, file, &of_line(user));
    let source = format!("{}:3", path.display());
    assert_eq!(setting(&agon, &[], file, key), is(user, source));
    trust_project(&agon);
    let path = of_project(&agon, file, &of_line(project));
    let source = format!("{}:3", path.display());
    assert_eq!(setting(&agon, &[], file, key), is(project, source));
    let text = agon.run(&["config", "show", "--sources"]).stdout;
    assert!(text.contains(&format!("{key} = {project}")), "{text}");
    assert!(
        text.contains(&format!("# {}:3\n", path.display())),
        "{text}"
    );
}

#[test]
fn the_defaults_of_a_team_take_one_line_until_something_of_it_is_set() {
    let agon = Agon::new();
    let of_team = |args: &[&str]| {
        let text = agon.run(&[&["config", "show"], args].concat()).stdout;
        let heads = text.lines().filter(|line| {
            line.starts_with("# of a team") || line.starts_with("# no team settings")
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
fn agents_are_overridden_by_the_user_and_by_a_project_that_is_trusted() {
    let line = |value: &str| format!("[models.claude]\nfast = {value}\n");
    let values = ["\"haiku\"", "\"sonnet\"", "\"opus\""];
    expect_layers("agents.toml", "models.claude.fast", line, values);
}

#[test]
fn teams_are_overridden_by_the_user_and_by_a_project_that_is_trusted() {
    let line = |value: &str| format!("[teams.small]\nmembers.worker = {value}\n");
    expect_layers(
        "teams.toml",
        "teams.small.members.worker",
        line,
        ["2", "3", "4"],
    );
}

#[test]
fn servers_are_overridden_by_the_user_and_by_a_project_that_is_trusted() {
    let line = |value: &str| format!("[servers.docs]\nabout = {value}\n");
    let values = [
        "\"Documentation of libraries by version\"",
        "\"a\"",
        "\"b\"",
    ];
    expect_layers("mcp.toml", "servers.docs.about", line, values);
}

#[test]
fn profiles_are_overridden_up_to_the_variable_and_the_flag_that_name_one() {
    let line = |value: &str| format!("[profiles.strict]\nteam = {value}\n");
    let values = ["\"full\"", "\"small\"", "\"solo\""];
    expect_layers("profiles.toml", "profiles.strict.team", line, values);

    let agon = Agon::new().env("AGON_TEAM_PROFILE", "offline");
    of_user(&agon, "profiles.toml", "profile = \"minimal\"\n");
    let named = |args: &[&str]| setting(&agon, args, "profiles.toml", "profile");
    let is = |value: &str, source: &str| (value.to_owned(), source.to_owned());
    assert_eq!(
        named(&[]),
        is("\"offline\"", "environment: AGON_TEAM_PROFILE")
    );
    assert_eq!(
        named(&["--team-profile", "strict"]),
        is("\"strict\"", "flag")
    );
    let unknown = agon.run(&["config", "show", "--team-profile", "lax"]);
    assert_eq!(unknown.code, Some(3));
    assert!(
        unknown.stderr.contains("flag: there is no profile `lax`"),
        "{unknown:?}"
    );
}

#[test]
fn flags_are_overridden_by_files_then_the_profile_then_a_variable() {
    let line = |value: &str| format!("[set]\nparallel = {value}\n");
    expect_layers("flags.toml", "set.parallel", line, ["4", "5", "6"]);

    let agon = Agon::new().env("AGON_FLAG_PARALLEL", "7");
    of_user(
        &agon,
        "flags.toml",
        "[set]\nparallel = 5\nreview-rounds = 5\n",
    );
    let args = ["--team-profile", "minimal"];
    let flag = |name: &str| setting(&agon, &args, "flags.toml", name);
    let is = |value: &str, source: &str| (value.to_owned(), source.to_owned());
    assert_eq!(
        flag("set.parallel"),
        is("7", "environment: AGON_FLAG_PARALLEL")
    );
    assert_eq!(
        flag("set.review-rounds"),
        is("1", "profile minimal in default")
    );
    let checked = agon.run(&["config", "check"]);
    assert_eq!((checked.code, checked.stderr.as_str()), (Some(0), ""));

    let wrong = Agon::new()
        .env("AGON_FLAG_PARALLEL", "many")
        .env("AGON_FLAG_PARALEL", "2");
    let checked = wrong.run(&["config", "check"]);
    assert_eq!(checked.code, Some(3));
    assert!(
        checked.stdout.contains(
            "error: environment: AGON_FLAG_PARALLEL: `parallel` is not a whole number from 1 to 16"
        ),
        "{checked:?}"
    );
    assert!(checked.stderr.contains("AGON_FLAG_PARALEL means nothing"));
}

#[test]
fn a_project_that_is_not_trusted_sets_no_model_server_host_or_profile() {
    for (file, text, key) in [
        (
            "agents.toml",
            "[models.claude]\nfast = \"x\"\n",
            "models.claude.fast",
        ),
        (
            "agents.toml",
            "[roles.scout.models]\nclaude = \"x\"\n",
            "roles.scout.models.claude",
        ),
        (
            "mcp.toml",
            "[servers.docs]\nenabled = true\n",
            "servers.docs.enabled",
        ),
        (
            "teams.toml",
            "[teams.small.hosts]\nscout = \"codex\"\n",
            "teams.small.hosts.scout",
        ),
    ] {
        let agon = Agon::new();
        let path = of_project(&agon, file, text);
        let refused = format!("{}:3: a project may not set `{key}`", path.display());
        for command in [&["config", "check"], &["config", "show"]] {
            let ran: Ran = agon.run(command);
            assert_eq!(ran.code, Some(3), "{ran:?}");
            let told = ran.stdout + &ran.stderr;
            assert!(told.contains(&refused), "{told}");
            assert!(told.contains("trust the project's folder"), "{told}");
        }
        trust_project(&agon);
        assert_eq!(agon.run(&["config", "check"]).code, Some(0));
    }
    let agon = Agon::new();
    of_project(&agon, "agents.toml", "[roles.scout]\neffort = \"high\"\n");
    assert_eq!(agon.run(&["config", "check"]).code, Some(0));
}

#[test]
fn every_broken_file_is_checked_with_place_reason_and_hint() {
    let agon = Agon::new();
    let files = [
        (
            "agents.toml",
            "[roles.scot]\neffort = \"high\"\n",
            "there is no role `scot`",
        ),
        (
            "flags.toml",
            "[set]\nparallel = 99\n",
            "`parallel` is not a whole number from 1 to 16",
        ),
        (
            "profiles.toml",
            "[profiles.x]\nteam = \"small\"\n",
            "it does not say what it is for",
        ),
        (
            "teams.toml",
            "[teams.small]\nlead = \"qa\"\n",
            "`qa` leads and is not a member",
        ),
        (
            "mcp.toml",
            "[servers.docs]\ncommand = [\"npx\", \"x\"]\n",
            "`x` has no version: another program could run tomorrow",
        ),
    ];
    for (name, text, _) in files {
        of_user(&agon, name, text);
    }
    let checked = agon.run(&["config", "check", "--json"]);
    assert_eq!(checked.code, Some(3));
    let document = checked.json();
    let problems = document["problems"].as_array().unwrap();
    assert_eq!(problems.len(), files.len(), "{document}");
    for (name, _, reason) in files {
        let path = agon.user_file().with_file_name(name);
        let path = path.display().to_string();
        let is_it = |problem: &&Value| problem["path"] == path.as_str();
        let problem = problems.iter().find(is_it).unwrap();
        let line = problem["line"].as_u64().unwrap();
        assert!((2..=3).contains(&line), "{problem}");
        assert_eq!(problem["message"], format!("{path}:{line}: {reason}"));
        assert!(
            problem["hint"]
                .as_str()
                .is_some_and(|hint| !hint.is_empty())
        );
    }
    let text = agon.run(&["config", "check"]).stdout;
    assert_eq!(text.matches("error: ").count(), files.len(), "{text}");
    assert_eq!(text.matches("  hint: ").count(), files.len(), "{text}");
    // A debate has nothing to do with them.
    assert_eq!(agon.run(&["config", "show", "config"]).code, Some(0));
    assert_eq!(agon.run(&["config", "show"]).code, Some(3));
}

#[test]
fn the_files_of_a_team_are_named_and_shown_by_part() {
    let agon = Agon::new();
    let path = of_user(&agon, "agents.toml", "[roles.scout]\neffort = \"high\"\n");
    let listed = agon.run(&["config", "path", "--json"]).json();
    let team = listed["team"].as_array().unwrap();
    assert_eq!(team.len(), 10);
    let there: Vec<_> = team.iter().filter(|file| file["exists"] == true).collect();
    assert_eq!(there.len(), 1);
    assert_eq!(there[0]["path"], path.display().to_string());
    let text = agon.run(&["config", "path"]).stdout;
    assert!(
        text.contains("flags.toml, teams.toml, mcp.toml, profiles.toml"),
        "{text}"
    );

    let part = agon.run(&["config", "show", "agents"]).stdout;
    assert!(part.starts_with("\n# of a team: agents.toml\n"), "{part}");
    assert!(part.contains("roles.scout.effort = \"high\""), "{part}");
    assert!(
        !part.contains("rounds") && !part.contains("servers"),
        "{part}"
    );
    let all = agon.run(&["config", "show"]).stdout;
    for file in ["agents", "flags", "profiles", "teams", "mcp"] {
        assert!(
            all.contains(&format!("\n# of a team: {file}.toml\n")),
            "{all}"
        );
    }
}
