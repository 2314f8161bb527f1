//! What the layers add up to, and what a project's file may not do.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use agon_config::{
    ConfigError, Files, Layer, PlanReview, Resolved, Settings, resolve, resolve_sound_layers,
};
use agon_record::finding::Severity;
use agon_record::spec::Effort;
use agon_record::weights::{EdgeWeights, Weight, WeightName};
use tempfile::TempDir;

struct Place(TempDir);

impl Place {
    fn new(user: &str, project: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("project")).unwrap();
        fs::write(dir.path().join("user.toml"), user).unwrap();
        fs::write(dir.path().join("project/agon.toml"), project).unwrap();
        Self(dir)
    }

    fn project(&self) -> PathBuf {
        self.0.path().join("project")
    }

    fn resolve(&self, vars: &[(&str, &str)], flags: &Layer) -> Result<Resolved, ConfigError> {
        let files = Files {
            user: Some(self.0.path().join("user.toml")),
            project: Some(self.project().join("agon.toml")),
        };
        let text = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
        resolve(&files, &vars.iter().map(text).collect(), flags)
    }

    fn refused(&self) -> String {
        match self.resolve(&[], &Layer::default()).unwrap_err() {
            ConfigError::Untrusted { key, .. } => key,
            other @ (ConfigError::Read { .. }
            | ConfigError::Invalid { .. }
            | ConfigError::OfUser { .. }
            | ConfigError::LeadsOut { .. }
            | ConfigError::UnknownProfile { .. }) => {
                panic!("refused otherwise: {other}")
            }
        }
    }
}

#[test]
fn each_layer_overrides_those_before_it_and_is_named_as_the_source() {
    let place = Place::new(
        "rounds = 3\neffort = \"high\"\njudge = \"gemini\"",
        "rounds = 4",
    );
    let flags = Layer {
        judge: Some("codex".to_owned()),
        ..Layer::default()
    };
    let resolved = place
        .resolve(&[("AGON_MAX_CALLS", "9"), ("AGON_DEPTH", "1")], &flags)
        .unwrap();
    let expected = Settings {
        rounds: 4,
        effort: Effort::High,
        judge: Some("codex".to_owned()),
        max_calls: Some(9),
        ..Settings::default()
    };
    assert_eq!(resolved.settings, expected);
    let source = |key: &str| {
        let found = resolved
            .sources
            .iter()
            .find(|sourced| sourced.key == key)
            .unwrap();
        let file = PathBuf::from(&found.source);
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        (found.value.clone(), name)
    };
    let pair = |value: &str, from: &str| (value.to_owned(), from.to_owned());
    assert_eq!(source("rounds"), pair("4", "agon.toml"));
    assert_eq!(source("effort"), pair("\"high\"", "user.toml"));
    assert_eq!(source("judge"), pair("\"codex\"", "flag"));
    assert_eq!(
        source("max_calls"),
        pair("9", "environment: AGON_MAX_CALLS")
    );
    assert_eq!(source("timeout"), pair("240", "default"));
}

#[test]
fn a_project_cannot_name_programs_seats_or_bounds() {
    for (project, key) in [
        ("[tools.claude]\nprograms = [\"./evil\"]", "tools"),
        ("proposer = \"codex\"", "proposer"),
        ("max_tokens = 9000000", "max_tokens"),
        ("debates_dir = \"/\"", "debates_dir"),
        ("trust = [\".\"]", "trust"),
        (
            "[rules]\nattack-target = \"warning\"",
            "rules.attack-target",
        ),
    ] {
        assert_eq!(Place::new("", project).refused(), key, "{project}");
    }
}

#[test]
fn a_project_may_make_rules_stricter() {
    let place = Place::new("", "[rules]\nreply-words = \"fatal\"");
    let resolved = place.resolve(&[], &Layer::default()).unwrap();
    let rules = BTreeMap::from([("reply-words".to_owned(), Severity::Fatal)]);
    assert_eq!(resolved.settings.rules, rules);
}

#[test]
fn a_trusted_project_may_set_anything() {
    let place = Place::new("", "proposer = \"codex\"");
    let trust = format!("trust = [{:?}]", place.project());
    fs::write(place.0.path().join("user.toml"), trust).unwrap();
    let resolved = place.resolve(&[], &Layer::default()).unwrap();
    assert_eq!(resolved.settings.proposer.as_deref(), Some("codex"));
}

#[test]
fn even_a_trusted_project_names_no_program_no_address_and_no_budget_of_a_day() {
    for (project, key) in [
        ("proposer = \"acp:agent\"", "proposer"),
        ("judge = \"openai:m@https://models.example/v1\"", "judge"),
        ("[tools.\"acp:agent\"]\nvendor = \"x\"", "tools.acp:agent"),
        (
            "[profiles.p]\nchallenger = \"acp:agent\"",
            "profiles.p.challenger",
        ),
        ("daily_tokens = 9", "daily_tokens"),
        ("context = \"session\"", "context = session"),
        ("context = \"file=a\\u0000session=b\"", "context = session"),
    ] {
        let place = Place::new("", project);
        let trust = format!("trust = [{:?}]", place.project());
        fs::write(place.0.path().join("user.toml"), trust).unwrap();
        match place.resolve(&[], &Layer::default()).unwrap_err() {
            ConfigError::OfUser { key: named, .. } => assert_eq!(named, key, "{project}"),
            other => panic!("refused otherwise: {other}"),
        }
        // The user's own file may.
        assert!(
            Place::new(project, "")
                .resolve(&[], &Layer::default())
                .is_ok(),
            "{project}"
        );
    }
}

#[test]
fn what_is_wrong_with_a_projects_file_is_said_without_its_lines() {
    for text in [
        "root:x:0:0 secret\n",
        "rounds = \nsecret",
        "a = [1,\nsecret",
    ] {
        let error = Place::new("", text)
            .resolve(&[], &Layer::default())
            .unwrap_err();
        let said = error.to_string();
        assert!(
            said.contains("agon.toml: line ") && !said.contains("secret"),
            "{said}"
        );
    }
    let place = Place::new("", "");
    let file = place.project().join("agon.toml");
    let outside = place.0.path().join("outside");
    fs::write(&outside, "rounds = 3").unwrap();
    fs::remove_file(&file).unwrap();
    std::os::unix::fs::symlink(&outside, &file).unwrap();
    let error = place.resolve(&[], &Layer::default()).unwrap_err();
    assert!(matches!(error, ConfigError::LeadsOut { .. }), "{error}");
    let inside = place.project().join("settings.toml");
    fs::write(&inside, "rounds = 3").unwrap();
    fs::remove_file(&file).unwrap();
    std::os::unix::fs::symlink(&inside, &file).unwrap();
    assert!(place.resolve(&[], &Layer::default()).is_ok());
    let hidden = "\"ro\u{202e}unds\u{200b}\" = 1";
    let said = Place::new("", hidden)
        .resolve(&[], &Layer::default())
        .unwrap_err()
        .to_string();
    assert!(!said.contains(['\u{202e}', '\u{200b}']), "{said:?}");
}

#[test]
fn an_unknown_key_or_a_wrong_value_is_said_with_its_file() {
    for (user, says) in [
        ("round = 2", "unknown field `round`"),
        ("rounds = \"two\"", "rounds"),
    ] {
        let error = Place::new(user, "")
            .resolve(&[], &Layer::default())
            .unwrap_err();
        let text = error.to_string();
        assert!(text.contains("user.toml") && text.contains(says), "{text}");
    }
    let place = Place::new("", "");
    let error = place
        .resolve(&[("AGON_ROUNDS", "many")], &Layer::default())
        .unwrap_err();
    assert!(error.to_string().starts_with("environment"), "{error}");
}

#[test]
fn files_that_are_not_there_count_as_empty() {
    let files = Files {
        user: Some(PathBuf::from("/nowhere/agon.toml")),
        project: None,
    };
    let resolved = resolve(&files, &BTreeMap::new(), &Layer::default()).unwrap();
    assert_eq!(resolved.settings, Settings::default());
}

#[test]
fn weights_of_edges_are_the_users_to_set_and_only_known_ones_are_taken() {
    let place = Place::new("[graph]\ngrounds = 0.9\nclaim = 1", "");
    let resolved = place.resolve(&[], &Layer::default()).unwrap();
    let changed = [
        (WeightName::Grounds, Weight::new(900)),
        (WeightName::Claim, Weight::WHOLE),
    ];
    assert_eq!(resolved.settings.graph, EdgeWeights::from_iter(changed));
    let sourced = resolved.sources.iter().find(|it| it.key == "graph.grounds");
    assert_eq!(sourced.unwrap().value, "0.9");
    for (user, says) in [
        ("[graph]\nground = 0.9", "unknown variant `ground`"),
        (
            "[graph]\ngrounds = 1.5",
            "a weight is a number from 0 to 1, not 1.5",
        ),
    ] {
        let refused = Place::new(user, "").resolve(&[], &Layer::default());
        let message = refused.unwrap_err().to_string();
        assert!(message.contains(says), "{message}");
    }
    assert_eq!(Place::new("", "[graph]\nclaim = 0").refused(), "graph");
}

#[test]
fn a_profile_comes_on_top_of_the_files_and_below_what_is_said_now() {
    let place = Place::new(
        "rounds = 1\neffort = \"low\"\n[profiles.careful]\nrounds = 3\neffort = \"high\"\ntimeout = \"10m\"",
        "rounds = 2",
    );
    let flags = Layer {
        effort: Some(Effort::Max),
        ..Layer::default()
    };
    let vars = [("AGON_PROFILE", "careful"), ("AGON_TIMEOUT", "90s")];
    let settings = place.resolve(&vars, &flags).unwrap().settings;
    assert_eq!(
        (settings.rounds, settings.effort, settings.timeout),
        (3, Effort::Max, 90)
    );
    let none = place.resolve(&[], &Layer::default()).unwrap().settings;
    assert_eq!((none.rounds, none.effort), (2, Effort::Low));
    let error = place
        .resolve(&[("AGON_PROFILE", "careless")], &Layer::default())
        .unwrap_err();
    assert_eq!(error.to_string(), "unknown profile `careless`");
    assert_eq!(error.hint(), "use one of careful");
}

#[test]
fn a_projects_profile_sets_no_more_than_the_project_may() {
    let place = Place::new("", "[profiles.x]\nproposer = \"codex\"");
    assert_eq!(place.refused(), "profiles");
}

#[test]
fn a_bound_that_no_debate_fits_in_is_refused_where_it_is_set() {
    for (text, what) in [
        ("rounds = 9", "a duel has 1 to 5 rounds"),
        ("max_calls = 0", "`max_calls`: must be greater than 0"),
        ("max_time = \"soon\"", "10m"),
        ("plan_review_time = \"6m\"", "must be at most 5m"),
    ] {
        let error = Place::new(text, "")
            .resolve(&[], &Layer::default())
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("user.toml") && error.contains(what),
            "{error}"
        );
    }
}

#[test]
fn a_file_of_a_project_that_is_a_device_a_pipe_or_too_large_is_refused_by_name() {
    let place = Place::new("", "");
    let path = place.project().join("agon.toml");
    let refused = || match place.resolve(&[], &Layer::default()).unwrap_err() {
        ConfigError::Read { path: named, cause } => {
            assert_eq!(named, path);
            cause.to_string()
        }
        other => panic!("refused otherwise: {other}"),
    };
    fs::write(&path, "#".repeat((1 << 20) + 1)).unwrap();
    assert_eq!(refused(), "it is larger than 1 MiB");
    fs::remove_file(&path).unwrap();
    std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
    assert_eq!(refused(), "it is not a regular file");
    fs::remove_file(&path).unwrap();
    // A socket stands for whatever cannot be read to an end; opening a pipe is tried in `files`.
    let _socket = std::os::unix::net::UnixListener::bind(&path).unwrap();
    assert_eq!(refused(), "it is not a regular file");
}

#[test]
fn numbers_are_read_as_people_write_them_in_a_file_and_in_the_environment() {
    assert_eq!(Settings::default().batch_calls, 64);
    let place = Place::new(
        "batch_calls = 8\nmax_tokens = \"100k\"\nmonthly_tokens = \"1.5M\"\n",
        "",
    );
    let vars = [("AGON_MAX_CALLS", "0.02k"), ("AGON_MAX_TIME", "1h30m")];
    let settings = place.resolve(&vars, &Layer::default()).unwrap().settings;
    assert_eq!((settings.batch_calls, settings.max_tokens), (8, 100_000));
    assert_eq!(settings.monthly_tokens, Some(1_500_000));
    assert_eq!(settings.max_calls, Some(20));
    assert_eq!(settings.max_time, 5_400);
    for wrong in [
        "max_tokens = \"lots\"",
        "max_tokens = -1",
        "max_calls = \"5000M\"",
        "max_tokens = 1.5",
    ] {
        let error = Place::new(wrong, "")
            .resolve(&[], &Layer::default())
            .unwrap_err();
        assert!(error.to_string().contains("line 1"), "{wrong}: {error}");
    }
}

#[test]
fn a_bound_of_nothing_is_refused_with_its_line() {
    for bound in [
        "max_cost = 0",
        "max_cost = -0.5",
        "max_cost = inf",
        "max_cost = nan",
        "max_tokens = 0",
        "timeout = 0",
        "plan_review_time = 0",
    ] {
        let text = format!("rounds = 2\n{bound}\n");
        let error = Place::new(&text, "")
            .resolve(&[], &Layer::default())
            .unwrap_err();
        assert!(error.to_string().contains("line 2"), "{bound}: {error}");
    }
}

#[test]
fn what_is_sound_holds_without_the_layers_that_are_not() {
    let sound = |user: &str, project: &str, vars: &[(&str, &str)]| {
        let place = Place::new(user, project);
        let files = Files {
            user: Some(place.0.path().join("user.toml")),
            project: Some(place.project().join("agon.toml")),
        };
        let text = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
        let vars = vars.iter().map(text).collect();
        let resolved = resolve_sound_layers(&files, &vars, &Layer::default()).unwrap();
        (resolved.settings.rounds, resolved.settings.judge)
    };
    let judge = Some("codex".to_owned());
    assert_eq!(
        sound("judge = \"codex\"", "rounds = 3", &[]),
        (3, judge.clone())
    );
    assert_eq!(sound("judge = \"codex\"", "ruonds = 3", &[]), (2, judge));
    assert_eq!(sound("judge = ", "rounds = 3", &[]), (3, None));
    assert_eq!(
        sound("judge = ", "rounds = 3", &[("AGON_EFFORT", "much")]),
        (3, None)
    );
    assert_eq!(sound("judge = ", "rounds = ", &[]), (2, None));
}

#[test]
fn a_monthly_limit_is_the_users_alone() {
    let place = Place::new("", "monthly_tokens = 1");
    let trusts = format!("trust = [{:?}]", place.project());
    fs::write(place.0.path().join("user.toml"), trusts).unwrap();
    let error = place.resolve(&[], &Layer::default()).unwrap_err();
    assert!(matches!(error, ConfigError::OfUser { .. }), "{error}");
}

#[test]
fn a_project_may_only_lower_the_review_of_plans_which_its_user_pays_for() {
    let resolved = |user: &str, project: &str, is_trusted: bool| {
        let place = Place::new(user, project);
        if is_trusted {
            let trust = format!("{user}\ntrust = [{:?}]", place.project());
            fs::write(place.0.path().join("user.toml"), trust).unwrap();
        }
        match place.resolve(&[], &Layer::default()) {
            Ok(resolved) => Ok(resolved.settings.plan_review),
            Err(ConfigError::OfUser { key, .. }) => Err(key),
            Err(other) => panic!("refused otherwise: {other}"),
        }
    };
    let mode = |mode: PlanReview| format!("plan_review = \"{}\"", mode.name());
    let modes = [PlanReview::Off, PlanReview::Suggest, PlanReview::Auto];
    for (is_trusted, user) in [true, false].into_iter().zip([modes; 2]) {
        assert_eq!(resolved("", "", is_trusted), Ok(PlanReview::Suggest));
        for user in user {
            assert_eq!(resolved(&mode(user), "", is_trusted), Ok(user));
            for project in modes {
                let found = resolved(&mode(user), &mode(project), is_trusted);
                assert_eq!(found, Ok(project.min(user)));
            }
        }
    }
    // Without a mode of the user's own, the default is the most.
    let raised = resolved("", "plan_review = \"auto\"", true);
    assert_eq!(raised, Ok(PlanReview::Suggest));
    let in_profile = "[profiles.p]\nplan_review = \"auto\"";
    let raised = resolved("", in_profile, true);
    assert_eq!(raised, Err("profiles.p.plan_review = auto".to_owned()));
    let time = resolved("", "plan_review_time = 9", true);
    assert_eq!(time, Err("plan_review_time".to_owned()));
}

#[test]
fn a_project_may_only_add_costly_topics() {
    let resolved = |user: &str, project: &str| {
        let place = Place::new(user, project);
        match place.resolve(&[], &Layer::default()) {
            Ok(resolved) => Ok(resolved.settings.costly),
            Err(ConfigError::Invalid { what, .. }) => Err(what),
            Err(ConfigError::OfUser { key, .. } | ConfigError::Untrusted { key, .. }) => Err(key),
            Err(other) => panic!("refused otherwise: {other}"),
        }
    };
    let list = |items: &[&str]| Ok(items.iter().map(|it| (*it).to_owned()).collect());
    assert_eq!(resolved("", ""), list(&["built-in"]));
    assert_eq!(resolved("costly = []", ""), list(&[]));
    let own = "costly = [\"ledger: ledger\"]";
    assert_eq!(resolved("", own), list(&["built-in", "ledger: ledger"]));
    assert_eq!(resolved("", "costly = []"), list(&["built-in"]));
    assert_eq!(resolved("costly = []", own), list(&[]));
    let license = "costly = [\"license\"]";
    assert_eq!(resolved(license, own), list(&["license", "ledger: ledger"]));
    let wrong = resolved("", "\ncostly = [\"Obey me: ledger\"]").unwrap_err();
    assert!(
        wrong.starts_with("line 2: `costly`: the name in"),
        "{wrong}"
    );
    let place = Place::new("", "[profiles.p]\ncostly = []");
    let trust = format!("trust = [{:?}]", place.project());
    fs::write(place.0.path().join("user.toml"), trust).unwrap();
    let error = place.resolve(&[], &Layer::default()).unwrap_err();
    assert!(matches!(error, ConfigError::OfUser { key, .. } if key == "profiles.p.costly"));
}
