//! Tools that are not as their profiles say: what lost a switch, hangs, or answers by itself.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use agon_testkit::{FakeTools, Sandbox};
use serde_json::{Value, json};

use crate::support::{Place, Ran};

/// A place in which `claude` is this script, and quick to be given up.
fn place(script: &str) -> Place {
    let sandbox = Sandbox::new();
    let bin = sandbox.home().with_file_name("bin");
    fs::create_dir(&bin).unwrap();
    let program = bin.join("claude");
    let head =
        "#!/bin/sh\ncase \"$*\" in --version) echo 2.1.197; exit;; 'auth status') exit;; esac\n";
    fs::write(&program, format!("{head}{script}")).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let env = sandbox.env_with_path(&bin);
    let config = sandbox.home().join(".config/agon");
    fs::create_dir_all(&config).unwrap();
    fs::write(
        config.join("config.toml"),
        "[tools.claude.limits]\nprobe_ms = 300\n",
    )
    .unwrap();
    Place::new(sandbox, env)
}

/// A help that lists what the profile uses, but for `without`.
fn help(without: &str) -> String {
    let all = "-p --output-format --tools --permission-mode --settings --strict-mcp-config --model \
        --effort --setting-sources --disable-slash-commands --no-session-persistence \
        --system-prompt --session-id --resume";
    let listed: Vec<_> = all
        .split_whitespace()
        .filter(|word| *word != without)
        .collect();
    format!(
        "case \"$*\" in *--help*) echo '{}'; exit;; esac\n",
        listed.join(" ")
    )
}

fn doctor(place: &Place, more: &[&str]) -> (Ran, Value) {
    let ran = place.run(&[&["tools", "doctor", "claude", "--json"], more].concat());
    let tool = ran.json()["tools"][0].clone();
    assert_eq!(place.left(), Vec::<String>::new());
    (ran, tool)
}

#[test]
fn a_switch_that_the_help_lists_no_more_is_named_with_what_to_set() {
    let place = place(&help("--effort"));
    let (ran, tool) = doctor(&place, &[]);
    assert_eq!(ran.code, Some(8), "{ran:#?}");
    let keys = ["low", "medium", "high", "max"].map(|effort| format!("cli.effort.{effort}"));
    assert_eq!(
        tool["lacks"],
        json!([{ "switch": "--effort", "keys": keys }])
    );
    let to_do = tool["to_do"][0].as_str().unwrap();
    let file = place.home().join(".config/agon/config.toml");
    assert!(
        to_do.starts_with("remove --effort from tools.claude.cli.effort.low and "),
        "{to_do}"
    );
    assert!(
        to_do.contains(&format!(" in {}, or replace it", file.display())),
        "{to_do}"
    );
    let shown = place.run(&["tools", "doctor", "claude"]);
    assert!(
        shown.stdout.contains("lacks --effort (cli.effort.low, "),
        "{}",
        shown.stdout
    );

    // What it says can be done, and helps.
    let efforts = "[tools.claude.cli.effort]\nlow = []\nmedium = []\nhigh = []\nmax = []\n";
    fs::write(file, efforts).unwrap();
    let (ran, tool) = doctor(&place, &[]);
    assert_eq!(
        (ran.code, &tool["fits"]),
        (Some(0), &json!(true)),
        "{ran:#?}"
    );
}

#[test]
fn a_tool_that_hangs_or_prints_garbage_is_given_up_and_said() {
    for (script, deep, why) in [
        ("sleep 300".to_owned(), false, "no help within 0.9s"),
        ("echo what".to_owned(), false, "it lists no flags"),
        (help("") + "sleep 300", true, "no reply within 2.7s"),
        (
            help("") + "cat >/dev/null; echo '<html>'",
            true,
            "it sent no request to the server",
        ),
        (
            help("") + "yes '{\"type\":\"x\"}'",
            true,
            "it sent no request to the server",
        ),
    ] {
        let place = place(&script);
        let (ran, tool) = doctor(&place, if deep { &["--deep"] } else { &[] });
        assert_eq!(
            (ran.code, &tool["fits"]),
            (Some(8), &json!(false)),
            "{script}: {ran:#?}"
        );
        let said = match deep {
            true => &tool["offers"][0]["failed"],
            false => &tool["help_failed"],
        };
        let said = said.as_str().unwrap();
        assert!(said.contains(why), "{script}: {said}");
        assert!(ran.took.as_secs() < 30, "{:?}", ran.took);
    }
}

#[test]
fn a_tool_that_answers_without_the_server_is_not_trusted() {
    let said = "Seven otters crossed the quiet harbour before the rain began.";
    let reply = json!({"type": "result", "subtype": "success", "is_error": false, "result": said});
    let place = place(&format!("{}cat >/dev/null; echo '{reply}'", help("")));
    let (ran, tool) = doctor(&place, &["--deep"]);
    assert_eq!(ran.code, Some(8), "{ran:#?}");
    let offers = &tool["offers"][0];
    assert_eq!(offers["failed"], "it sent no request to the server");
    assert_eq!(offers["unlisted"], json!(["reads_prompt"]));
}

#[test]
fn a_tool_of_the_users_own_whose_profile_says_too_little_fits_and_that_is_said() {
    let place = place("cat >/dev/null");
    let profile = include_str!("../../../../agents/tools/claude.toml");
    let mut own = "[tools.mine]\n".to_owned();
    let mut kept = true;
    for line in profile.lines() {
        let opens = line.starts_with('[');
        if opens {
            kept = !line.starts_with("[probe") && line != "[confined]";
        }
        let told = ["name =", "measured ="]
            .iter()
            .any(|key| line.starts_with(key));
        if kept && !told {
            let line = match line.strip_prefix("[[") {
                Some(table) => format!("[[tools.mine.{table}"),
                None if opens => line.replacen('[', "[tools.mine.", 1),
                None => line.to_owned(),
            };
            own += &format!("{line}\n");
        }
    }
    fs::write(place.home().join(".config/agon/config.toml"), own).unwrap();
    let ran = place.run(&["tools", "doctor", "mine", "--deep", "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let tool = &ran.json()["tools"][0];
    assert_eq!(tool["reads_confined"], Value::Null);
    let why = tool["offers_failed"].as_str().unwrap();
    assert!(
        why.starts_with("its profile has no `probe` table, which is needed"),
        "{why}"
    );
}

#[test]
fn a_tool_that_is_named_and_not_here_is_said() {
    let fakes = FakeTools::with(&[]);
    let sandbox = Sandbox::new();
    let env = sandbox.env_with_path(fakes.dir());
    let place = Place::new(sandbox, env);
    let ran = place.run(&["tools", "doctor", "gemini", "--json"]);
    assert_eq!(ran.code, Some(4), "{ran:#?}");
    assert_eq!(ran.json()["tools"][0]["login"], "not_installed");
    assert_eq!(place.run(&["tools", "doctor", "--deep"]).code, Some(0));
    let ran = place.run(&["tools", "doctor", "gemni", "--json"]);
    assert_eq!(ran.ended(), (Some(2), "unknown_tool".to_owned()));
}

/// What was seen of a tool when somebody last looked, as that is kept.
fn seen(place: &Place, version: &str, tools: &[&str]) {
    let dir = place.home().join(".local/state/agon/offers");
    fs::create_dir_all(&dir).unwrap();
    let seat = json!({"transport": "cli", "reads": true, "tools": tools});
    let seen =
        json!({"schema": "agon.offering/1", "tool": "claude", "version": version, "seats": [seat]});
    fs::write(dir.join("claude.json"), seen.to_string()).unwrap();
}

#[test]
fn a_version_that_was_seen_to_offer_the_unknown_is_not_seated() {
    let place = place("cat >/dev/null");
    let refused = |unlisted: bool| {
        let args = [
            "debate",
            "Tabs or spaces?",
            "--proposer",
            "claude",
            "--dry-run",
            "--json",
        ];
        let ran = place.run(&[&args[..], &["--challenger", "human"]].concat());
        let (code, why) = ran.ended();
        assert_eq!(
            code == Some(4) && why == "tool_unlisted",
            unlisted,
            "{ran:#?}"
        );
    };
    refused(false);
    seen(&place, "2.1.197", &["Read", "Levitate"]);
    refused(true);
    let listed = "[tools.claude.cli.offer.reads]\nLevitate = \"think\"\n";
    let config = place.home().join(".config/agon/config.toml");
    fs::write(&config, listed).unwrap();
    refused(false);
    fs::write(&config, "[tools.claude]\nunlisted = true\n").unwrap();
    refused(false);
    fs::write(&config, "").unwrap();
    refused(true);
    seen(&place, "2.1.196", &["Read", "Levitate"]);
    refused(false);
    seen(&place, "2.1.197", &["Read"]);
    refused(false);
}

#[test]
fn a_version_that_was_never_measured_is_marked_where_the_seats_are_told() {
    let place = place("cat >/dev/null");
    let config = place.home().join(".config/agon/config.toml");
    let header = || {
        let args = [
            "debate",
            "Tabs or spaces?",
            "--proposer",
            "claude",
            "--dry-run",
        ];
        let ran = place.run(&[&args[..], &["--challenger", "human"]].concat());
        assert_eq!(ran.code, Some(0), "{ran:#?}");
        ran.stdout + &ran.stderr
    };
    let measured = header();
    assert!(measured.contains("proposer claude sonnet "), "{measured}");
    assert!(!measured.contains("not measured"), "{measured}");
    fs::write(config, "[tools.claude]\nmeasured = \"2.1.196\"\n").unwrap();
    let other = header();
    assert!(
        other.contains("claude sonnet (2.1.197, not measured)"),
        "{other}"
    );
}
