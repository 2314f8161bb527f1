//! The settings of a team: found where a user would put them, told with their sources, checked.

use agon_caller::FailureKind;
use agon_install::configuration::{
    CheckedConfiguration, ConfigPart, ConfigurationRequest, check, configuration, files,
    sets_team_setting,
};

use crate::place::Place;

fn with_sources() -> ConfigurationRequest {
    ConfigurationRequest {
        with_sources: true,
        ..ConfigurationRequest::default()
    }
}

fn profile(name: &str) -> ConfigurationRequest {
    ConfigurationRequest {
        team_profile: Some(name.to_owned()),
        ..with_sources()
    }
}

/// The value of a setting, and where it was set.
#[track_caller]
fn setting(
    place: &Place,
    request: &ConfigurationRequest,
    (file, key): (&str, &str),
) -> (String, String) {
    let shown = configuration(&place.caller, request).unwrap();
    let mut team = shown.team.into_iter();
    let found = team.find(|setting| setting.file == file && setting.key == key);
    let found = found.unwrap_or_else(|| panic!("{file} has no {key}"));
    (found.value, found.source.unwrap())
}

fn is(value: &str, source: impl ToString) -> (String, String) {
    (value.to_owned(), source.to_string())
}

/// That `key` is set at `line` of each of the files that are put above each other.
#[track_caller]
fn expect_layers(file: &str, key: &str, of_line: impl Fn(&str) -> String, values: [&str; 3]) {
    let place = Place::new();
    let set = |place: &Place| setting(place, &with_sources(), (file, key));
    let [default, user, project] = values;
    assert_eq!(set(&place), is(default, "default"));
    let path = place.of_user(file, &of_line(user));
    assert_eq!(set(&place), is(user, format!("{}:3", path.display())));
    place.trust_project();
    let path = place.of_project(file, &of_line(project));
    assert_eq!(set(&place), is(project, format!("{}:3", path.display())));
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
    let key = "teams.small.members.worker";
    expect_layers("teams.toml", key, line, ["2", "3", "4"]);
}

#[test]
fn servers_are_overridden_by_the_user_and_by_a_project_that_is_trusted() {
    let line = |value: &str| format!("[servers.docs]\nnetwork = {value}\n");
    let values = ["true", "false", "true"];
    expect_layers("mcp.toml", "servers.docs.network", line, values);
}

#[test]
fn only_keys_that_act_are_shown() {
    let place = Place::new();
    place.of_user("teams.toml", "[teams.small]\nabout = \"ours\"\n");
    let shown = configuration(&place.caller, &with_sources()).unwrap();
    let names = shown
        .team
        .iter()
        .map(|it| it.key.rsplit('.').next().unwrap_or_default());
    for name in names {
        assert!(!["schema", "about", "effect"].contains(&name), "{name}");
    }
}

#[test]
fn profiles_are_overridden_up_to_the_variable_and_the_flag_that_name_one() {
    let line = |value: &str| format!("[profiles.strict]\nteam = {value}\n");
    let values = ["\"full\"", "\"small\"", "\"solo\""];
    expect_layers("profiles.toml", "profiles.strict.team", line, values);

    let place = Place::with(&[("AGON_TEAM_PROFILE", "offline")]);
    place.of_user("profiles.toml", "profile = \"minimal\"\n");
    let named = |request| setting(&place, &request, ("profiles.toml", "profile"));
    let variable = "environment: AGON_TEAM_PROFILE";
    assert_eq!(named(with_sources()), is("\"offline\"", variable));
    assert_eq!(named(profile("strict")), is("\"strict\"", "flag"));
    let unknown = configuration(&place.caller, &profile("lax")).unwrap_err();
    assert_eq!(unknown.kind, FailureKind::Config);
    let message = "flag: unknown profile `lax`";
    assert!(unknown.message.contains(message), "{unknown:?}");
}

#[test]
fn flags_are_overridden_by_files_then_the_profile_then_a_variable() {
    let line = |value: &str| format!("[set]\nparallel = {value}\n");
    expect_layers("flags.toml", "set.parallel", line, ["4", "5", "6"]);

    let place = Place::with(&[("AGON_FLAG_PARALLEL", "7")]);
    let flags = "[set]\nparallel = 5\nreview-rounds = 5\n";
    place.of_user("flags.toml", flags);
    let flag = |name: &str| setting(&place, &profile("minimal"), ("flags.toml", name));
    let variable = "environment: AGON_FLAG_PARALLEL";
    assert_eq!(flag("set.parallel"), is("7", variable));
    let of_profile = is("1", "profile minimal in default");
    assert_eq!(flag("set.review-rounds"), of_profile);
    let checked = check(&place.caller);
    assert_eq!(messages(&checked), [] as [&str; 0]);
    assert_eq!(checked.unknown_variables, [] as [&str; 0]);

    let wrong = Place::with(&[("AGON_FLAG_PARALLEL", "many"), ("AGON_FLAG_PARALEL", "2")]);
    let checked = check(&wrong.caller);
    let message = "environment: AGON_FLAG_PARALLEL: `parallel` must be a whole number from 1 to 16";
    assert_eq!(messages(&checked), [message]);
    assert_eq!(checked.unknown_variables, ["AGON_FLAG_PARALEL"]);
}

fn messages(checked: &CheckedConfiguration) -> Vec<&str> {
    let problems = checked.problems.iter();
    problems.map(|problem| problem.message.as_str()).collect()
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
        let place = Place::new();
        let path = place.of_project(file, text);
        let refused = format!(
            "{}:3: an untrusted project may not set `{key}`",
            path.display()
        );
        let trust = "trust the project's folder";
        let checked = check(&place.caller);
        let [problem] = &checked.problems[..] else {
            panic!("{checked:?}");
        };
        assert!(problem.message.contains(&refused), "{problem:?}");
        assert!(
            problem.hint.as_ref().unwrap().contains(trust),
            "{problem:?}"
        );
        let failure = configuration(&place.caller, &with_sources()).unwrap_err();
        assert_eq!(failure.kind, FailureKind::Config);
        assert!(failure.message.contains(&refused), "{failure:?}");
        assert!(
            failure.hint.as_ref().unwrap().typed().contains(trust),
            "{failure:?}"
        );
        place.trust_project();
        assert_eq!(messages(&check(&place.caller)), [] as [&str; 0]);
    }
    let place = Place::new();
    place.of_project("agents.toml", "[roles.scout]\neffort = \"high\"\n");
    assert_eq!(messages(&check(&place.caller)), [] as [&str; 0]);
}

#[test]
fn every_broken_file_is_checked_with_place_reason_and_hint() {
    let place = Place::new();
    let broken = [
        (
            "agents.toml",
            "[roles.scot]\neffort = \"high\"\n",
            "unknown role `scot`",
        ),
        (
            "flags.toml",
            "[set]\nparallel = 99\n",
            "`parallel` must be a whole number from 1 to 16",
        ),
        (
            "profiles.toml",
            "[profiles.x]\nteam = \"small\"\n",
            "it has no description",
        ),
        (
            "teams.toml",
            "[teams.small.members]\nlead = 1\n",
            "a team run never uses the role `lead`",
        ),
        (
            "mcp.toml",
            "[servers.docs]\ncommand = [\"npx\", \"x\"]\n",
            "`x` has no version, so its code can change at any time",
        ),
    ];
    let paths = broken.map(|(name, text, _)| place.of_user(name, text).display().to_string());
    let problems = check(&place.caller).problems;
    assert_eq!(problems.len(), broken.len(), "{problems:?}");
    for (path, (_, _, reason)) in paths.iter().zip(broken) {
        let is_it = |path_of: &Option<String>| path_of.as_ref() == Some(path);
        let problem = problems.iter().find(|it| is_it(&it.path)).unwrap();
        let line = problem.line.unwrap();
        assert!((2..=3).contains(&line), "{problem:?}");
        assert_eq!(problem.message, format!("{path}:{line}: {reason}"));
        assert!(problem.hint.as_ref().is_some_and(|hint| !hint.is_empty()));
    }
    // A debate has nothing to do with them.
    let of_debates = ConfigurationRequest {
        parts: vec![ConfigPart::Config],
        ..ConfigurationRequest::default()
    };
    assert!(configuration(&place.caller, &of_debates).is_ok());
    let all = configuration(&place.caller, &with_sources()).unwrap_err();
    assert_eq!(all.kind, FailureKind::Config);
}

#[test]
fn the_files_of_a_team_are_named_and_shown_by_part() {
    let place = Place::new();
    assert!(!sets_team_setting(&place.caller));
    let path = place.of_user("agents.toml", "[roles.scout]\neffort = \"high\"\n");
    assert!(sets_team_setting(&place.caller));
    let team = files(&place.caller).team;
    assert_eq!(team.len(), 10);
    let there: Vec<_> = team.iter().filter(|file| file.exists).collect();
    assert_eq!(there.len(), 1);
    assert_eq!(there[0].path, path);

    let shown = |parts: &[ConfigPart]| {
        let request = ConfigurationRequest {
            parts: parts.to_vec(),
            ..ConfigurationRequest::default()
        };
        configuration(&place.caller, &request).unwrap()
    };
    let part = shown(&[ConfigPart::Agents]);
    assert_eq!(part.settings, []);
    assert!(
        part.team
            .iter()
            .all(|setting| setting.file == "agents.toml")
    );
    let effort = part.team.iter().find(|it| it.key == "roles.scout.effort");
    assert_eq!(effort.unwrap().value, "\"high\"");
    let mut files: Vec<_> = shown(&[]).team.iter().map(|it| it.file).collect();
    files.dedup();
    files.sort_unstable();
    let all = ["agents", "flags", "mcp", "profiles", "teams"];
    assert_eq!(files, all.map(|name| format!("{name}.toml")));
}
