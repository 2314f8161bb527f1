#![expect(
    clippy::disallowed_types,
    reason = "the test only starts a program that prints its environment"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use agon_testkit::key_variables;

use super::*;

fn caller() -> Caller {
    let keys = key_variables().into_iter();
    let mut vars: BTreeMap<OsString, OsString> = keys
        .map(|(name, value)| (name.into(), value.into()))
        .collect();
    for (name, value) in [
        ("PATH", "/usr/bin:/bin"),
        ("HOME", "/nowhere"),
        ("TERM", "xterm"),
        ("CARGO_HOME", "/srv/cargo"),
        (
            "CARGO_REGISTRIES_OURS_INDEX",
            "https://ada:placeholder-index@ours.example",
        ),
        ("HTTPS_PROXY", "http://ada:placeholder-proxy@proxy.example"),
        ("LESS", "R"),
        ("AGON_CONFIG_DIR", "/nowhere"),
    ] {
        vars.insert(name.into(), value.into());
    }
    Caller::new(vars, "/")
}

/// Returns the names of the variables with a test key, as a child process prints them.
fn printed(env: &BTreeMap<OsString, OsString>) -> Vec<String> {
    let mut program = Command::new("/usr/bin/env");
    let output = program.env_clear().envs(env).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().filter(|line| line.contains("placeholder-"));
    let names = lines.filter_map(|line| Some(line.split_once('=')?.0.to_owned()));
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

#[test]
fn no_process_but_the_tools_and_agon_itself_prints_a_key() {
    let caller = caller();
    let none = [""; 0];
    assert_eq!(printed(&gate_variables(&caller, &[])), none);
    assert_eq!(printed(&command_variables(&caller)), none);
    // A proxy's address includes its password.
    assert_eq!(printed(&terminal_variables(&caller)), ["HTTPS_PROXY"]);
    let host = |name| printed(&host_variables(&caller, name));
    assert_eq!(
        host("gemini"),
        ["GEMINI_API_KEY", "GOOGLE_API_KEY", "HTTPS_PROXY"]
    );
    assert_eq!(host("copilot"), ["COPILOT_GITHUB_TOKEN", "HTTPS_PROXY"]);
    assert_eq!(host("unknown"), ["HTTPS_PROXY"]);
}

#[test]
fn a_gate_gets_its_toolchain_and_the_variables_that_its_definition_names() {
    let caller = caller();
    let named = ["DATABASE_URL".to_owned(), "NOT_SET".to_owned()];
    let env = gate_variables(&caller, &named);
    assert_eq!(printed(&env), ["DATABASE_URL"]);
    for name in ["PATH", "HOME", "TERM", "CARGO_HOME"] {
        assert!(env.contains_key(OsStr::new(name)), "{name}");
    }
    let withheld = withheld_from_gate(&caller, &named);
    for name in [
        "PGPASSWORD",
        "SSH_AUTH_SOCK",
        "CARGO_REGISTRY_TOKEN",
        "NODE_AUTH_TOKEN",
    ] {
        assert!(withheld.iter().any(|it| it == name), "{name}");
    }
    for name in ["DATABASE_URL", "PATH", "AGON_TEAM_TOKEN"] {
        assert!(!withheld.iter().any(|it| it == name), "{name}");
    }
}

#[test]
fn agon_in_the_background_has_the_keys_of_its_tools_and_of_nothing_else() {
    let names = printed(&background_variables(&caller()));
    for name in [
        "ANTHROPIC_API_KEY",
        "OPENAI_API_KEY",
        "OPENROUTER_API_KEY",
        "GITHUB_TOKEN",
    ] {
        assert!(names.iter().any(|it| it == name), "{name}: {names:?}");
    }
    for name in [
        "AGON_TEAM_TOKEN",
        "DATABASE_URL",
        "PGPASSWORD",
        "STRIPE_SECRET_KEY",
        "NPM_TOKEN",
        "CARGO_REGISTRY_TOKEN",
        "VAULT_TOKEN",
        "SERVICE_OF_OURS_KEY",
        "KUBECONFIG",
        "TOKEN",
    ] {
        assert!(!names.iter().any(|it| it == name), "{name}");
    }
}

#[test]
fn the_table_of_environments_matches_the_code() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../SECURITY.md");
    let text = fs::read_to_string(&path).unwrap();
    let (begin, end) = (
        "<!-- environments: begin -->\n",
        "<!-- environments: end -->",
    );
    let (before, rest) = text.split_once(begin).unwrap();
    let (table, after) = rest.split_once(end).unwrap();
    let made = render_table();
    if std::env::var_os("AGON_RECORD_ENVIRONMENTS").is_some() {
        fs::write(&path, [before, begin, &made, end, after].concat()).unwrap();
    } else {
        assert_eq!(table, made, "record it with AGON_RECORD_ENVIRONMENTS=1");
    }
}

/// Returns the table for SECURITY.md.
fn render_table() -> String {
    let list = |names: &[&str]| {
        let names = names.iter().map(|name| format!("`{name}`"));
        names.collect::<Vec<_>>().join(", ")
    };
    let mut lines = vec!["| process | variables |".to_owned(), "|---|---|".to_owned()];
    let mut row = |process: &str, names: String| lines.push(format!("| {process} | {names} |"));
    row("every process: *places*", list(PLACE_VARIABLES));
    row(
        "tools, and your own programs: *network*",
        list(NETWORK_VARIABLES),
    );
    row(
        "every tool",
        format!("places, network, {}", list(TOOL_VARIABLES)),
    );
    for profile in Profiles::builtin()
        .unwrap()
        .iter()
        .filter(|it| !it.programs.is_empty())
    {
        let name = format!("{}: seat, member, probe, list", profile.title);
        let env = &profile.env;
        let mut parts: Vec<String> = env.pass.iter().map(|it| format!("`{it}`")).collect();
        if !env.first.is_empty() {
            let first: Vec<&str> = env.first.iter().map(String::as_str).collect();
            parts.push(format!("the first set one of {}", list(&first)));
        }
        for when in &env.when {
            let names = |list: &[String]| {
                let names = list.iter().map(|it| format!("`{it}`"));
                names.collect::<Vec<_>>().join(", ")
            };
            parts.push(format!("with {}: {}", names(&when.env), names(&when.pass)));
        }
        if let Some(service) = &env.service {
            let known: Vec<String> = service
                .known
                .iter()
                .map(|(name, names)| {
                    let names: Vec<&str> = names.iter().map(String::as_str).collect();
                    format!("{name} {}", list(&names))
                })
                .collect();
            parts.push(format!(
                "for the chosen service, the variables that its configuration names, and: {}",
                known.join("; ")
            ));
        }
        row(&name, format!("as every tool, {}", parts.join(", ")));
    }
    row(
        "a member of a team",
        format!("as its tool, and `{TOKEN_VAR}`"),
    );
    row(
        "a gate; a command of `agon say DEBATE --run COMMAND`",
        format!(
            "places, {}; a gate also the variables in its definition (`--env`)",
            list(TOOLCHAIN_VARIABLES)
        ),
    );
    row(
        "editor, pager, browser",
        format!("places, network, {}", list(TERMINAL_VARIABLES)),
    );
    row(
        "Agon in the background",
        format!(
            "places, network, {}, the variables that AI tools set, and the variables of the tools in its seats",
            list(BACKGROUND_VARIABLES)
        ),
    );
    row("pip, to find its index", "places".to_owned());
    row(
        "the guard, which ends tools of a killed process",
        "none".to_owned(),
    );
    row(
        "git",
        format!(
            "`PATH`, {}; to fetch objects missing in your clone, also {}",
            list(&agon_git::PASSED_VARS),
            list(&agon_git::FETCH_VARS)
        ),
    );
    lines.push(String::new());
    lines.join("\n")
}
