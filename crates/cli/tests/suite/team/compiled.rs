//! The policy in the permissions of AI tools: what would be written, what members are started with and
//! what their tools then refuse, and what is looked at after a turn.

use std::fs;
use std::path::{Path, PathBuf};

use agon_testkit::{Answer, FakeModels, Sandbox, Script, add, git, real_clis};
use serde_json::{Value, json};

use super::Repository;
use super::started::Team;
use crate::support::Place;

const POLICY: &str = "schema = \"agon.policy/1\"
default = \"allow\"

[[rule]]
effect = \"deny\"
roles = [\"worker\"]
tools = [\"edit\"]
paths = [\".github\", \"locked.md\"]
why = \"workflows are the maintainers'\"

[[rule]]
effect = \"ask\"
tools = [\"edit\"]
paths = [\"plan.md\"]

[[rule]]
effect = \"deny\"
tools = [\"network\"]

[[rule]]
effect = \"deny\"
over = { tokens = 1000 }
";

fn write_policy(project: &Path, text: &str) {
    add(project, ".git/agon/policy.toml", text);
}

fn host<'a>(document: &'a Value, name: &str) -> &'a Value {
    let hosts = document["hosts"].as_array().unwrap();
    hosts.iter().find(|host| host["host"] == name).unwrap()
}

/// The rules of a tool as `held LINE TOOL PATH`, or `left` where it does not hold them.
fn rules(host: &Value) -> Vec<String> {
    let rules = host["rules"].as_array().unwrap().iter();
    let rules = rules.map(|rule| {
        let held = if rule["held"] == true { "held" } else { "left" };
        let path = rule["path"].as_str().unwrap_or("-");
        format!(
            "{held} {} {} {path}",
            rule["line"],
            rule["tool"].as_str().unwrap()
        )
    });
    rules.collect()
}

#[test]
fn each_tool_is_shown_with_what_it_holds_and_what_it_does_not() {
    let team = Repository::with_team();
    write_policy(&team.place.project(), POLICY);
    let compile = |words: &str| {
        let words: Vec<&str> = words.split_whitespace().collect();
        team.json("ada", &[&["policy", "compile"], words.as_slice()].concat())
    };
    // Of sessions in all folders the team's file says nothing.
    let user = compile("");
    assert_eq!(user["files"], json!([]));
    assert_eq!(user["hosts"].as_array().unwrap().len(), 5);

    let project = compile("--scope project --host claude");
    let claude = host(&project, "claude");
    assert_eq!(
        rules(claude),
        [
            "held 11 edit plan.md",
            "held 16 network -",
            "left 4 edit .github, locked.md",
            "left 20 * -"
        ]
    );
    assert_eq!(
        claude["text"],
        r#"{"permissions":{"ask":["Edit(/plan.md)"],"deny":["WebFetch","WebSearch"]}}"#
    );
    assert!(
        claude["place"]
            .as_str()
            .unwrap()
            .ends_with("/.claude/settings.json")
    );

    let member = compile("--role worker");
    for name in ["claude", "codex", "gemini", "opencode", "copilot"] {
        let held = rules(host(&member, name));
        let folder = if name == "copilot" { "left" } else { "held" };
        for line in [
            &format!("{folder} 4 edit .github"),
            "held 4 edit locked.md",
            "left 11 edit plan.md",
            "held 16 network -",
            "left 20 * -",
        ] {
            assert!(
                held.iter().any(|rule| rule == line),
                "{name}: {line}: {held:?}"
            );
        }
    }
    let other = compile("--role reviewer --host opencode");
    assert!(
        !rules(host(&other, "opencode"))
            .iter()
            .any(|rule| rule.contains(".github"))
    );

    let ran = team.run(
        "ada",
        &["policy", "compile", "--role", "worker", "--host", "copilot"],
    );
    for line in [
        "--deny-tool",
        "not enforced: deny edit .github",
        "line 4): its rules can name files but not folders",
    ] {
        assert!(ran.stdout.contains(line), "{}", ran.stdout);
    }
    let (code, ..) = team.refused("ada", &["policy", "compile", "--host", "nothing"]);
    assert_eq!(code, "unknown_host");
}

#[test]
fn a_policy_that_cannot_be_followed_is_compiled_to_denials() {
    let team = Repository::with_team();
    write_policy(&team.place.project(), "default = \"allow\"");
    let document = team.json("ada", &["policy", "compile", "--scope", "project"]);
    let text = host(&document, "claude")["text"]
        .as_str()
        .unwrap()
        .to_owned();
    for tool in ["Read", "Edit", "Write", "Bash", "WebFetch", "Task"] {
        assert!(text.contains(&format!("\"{tool}\"")), "{text}");
    }
    let text = host(&document, "opencode")["text"].as_str().unwrap();
    assert!(text.contains(r#""edit":"deny","bash":"deny""#), "{text}");
}

#[test]
fn permissions_that_are_not_what_the_policy_is_now_are_found() {
    let team = Repository::with_team();
    let project = team.place.project();
    write_policy(&project, POLICY);
    let install = ["install", "claude", "--what", "team", "--scope", "project"];
    assert_eq!(team.place.run(&install).code, Some(0));
    let settings = fs::read_to_string(project.join(".claude/settings.json")).unwrap();
    assert!(settings.contains("Edit(/plan.md)"), "{settings}");
    let sound = team.json("lea", &["doctor"]);
    assert_eq!(sound["permissions"], Value::Null);

    write_policy(&project, &POLICY.replace("plan.md", "plans"));
    let ran = team.run("lea", &["--json", "doctor"]);
    assert_ne!(ran.code, Some(0), "{}", ran.stdout);
    let found = &ran.json()["permissions"][0];
    assert_eq!(found["host"], "claude");
    assert_eq!(found["scope"], "project");
    assert_eq!(found["next"], "agon install claude --scope project");
    let said = team.run("lea", &["doctor"]).stdout;
    assert!(said.contains("the policy has changed since then"), "{said}");

    assert_eq!(
        team.place
            .run(&["install", "claude", "--scope", "project"])
            .code,
        Some(0)
    );
    let settings = fs::read_to_string(project.join(".claude/settings.json")).unwrap();
    assert!(
        settings.contains("Edit(/plans)") && !settings.contains("plan.md"),
        "{settings}"
    );
    assert_eq!(team.run("lea", &["doctor"]).code, Some(0));
    // What a person takes out is missed.
    fs::write(
        project.join(".claude/settings.json"),
        settings.replace("\"Edit(/plans)\"", "\"Edit(/other)\""),
    )
    .unwrap();
    assert_ne!(team.run("lea", &["doctor"]).code, Some(0));
}

#[test]
fn what_a_tool_lets_a_member_change_against_the_policy_is_not_taken() {
    let team = Team::new();
    write_policy(
        &team.place.project(),
        &POLICY.replace("locked.md", "made-bob.txt"),
    );
    let started = |name: &str| {
        let args = [
            "start", "worker", "--host", "claude", "--name", name, "--wait",
        ];
        team.json(&args)
    };
    // This tool obeys nothing.
    team.mood("bob", "good");
    let refused = started("bob");
    assert_eq!(refused["turn"]["state"], "dead", "{refused}");
    let said = refused["turn"]["said"].as_str().unwrap();
    assert!(
        said.contains("it changed made-bob.txt, which the policy denies") && said.ends_with(":4)"),
        "{said}"
    );
    assert_eq!(refused["turn"]["commit"], Value::Null);
    team.mood("ada", "good");
    let taken = started("ada");
    assert_eq!(taken["turn"]["state"], "finished", "{taken}");
    // What it was started with has the rule.
    let home = team.place.home();
    let args = fs::read_to_string(home.join("bob.args")).unwrap();
    assert!(args.contains("--settings"), "{args}");
}

/// How the model of a tool writes a file.
fn write_call(host: &str, path: &Path) -> (String, Value) {
    let path = path.to_str().unwrap();
    let (name, args) = match host {
        "claude" => ("Write", json!({"file_path": path, "content": "x\n"})),
        "codex" => ("exec_command", json!({"cmd": format!("echo x > '{path}'")})),
        "gemini" => ("write_file", json!({"file_path": path, "content": "x\n"})),
        "opencode" => ("write", json!({"filePath": path, "content": "x\n"})),
        _ => ("create", json!({"path": path, "file_text": "x\n"})),
    };
    (name.to_owned(), args)
}

fn refuses(host: &str) {
    let Some(clis) = real_clis() else {
        return;
    };
    let sandbox = Sandbox::new();
    let models = FakeModels::start(Script::new("Done."));
    let env = sandbox.connect_all_tools(&models.url(), &clis);
    let team = Team::begin(Place::new(sandbox, env));
    let project = team.place.project();
    add(&project, ".github/ci.yml", "old\n");
    git(&project, &["add", "."]);
    git(&project, &["commit", "-q", "-m", "workflow"]);
    write_policy(&project, POLICY);
    let args = ["start", "worker", "--host", host, "--name", "ada", "--wait"];
    let first = team.json(&args);
    let tree = PathBuf::from(first["work_tree"].as_str().unwrap());
    // Copilot knows no folders.
    let held: &[&str] = match host {
        "copilot" => &["locked.md"],
        _ => &[".github/new.yml", "locked.md"],
    };
    // About a change of the plan a person is asked later.
    let free = ["made.txt", "plan.md", "src/locked.md"];
    fs::create_dir_all(tree.join("src")).unwrap();
    let all = held.iter().chain(&free);
    let calls: Vec<_> = all.map(|path| write_call(host, &tree.join(path))).collect();
    models.set("*", Answer::Calls(calls));
    let second = team.json(&args);
    let requests = models.requests();
    let results = requests.last().unwrap().results();
    for path in held {
        assert!(!tree.join(path).exists(), "{host}: {path}: {results:#?}");
    }
    for path in free {
        assert!(tree.join(path).exists(), "{host}: {path}: {results:#?}");
    }
    assert_eq!(second["turn"]["state"], "finished", "{second} {results:#?}");
    let changed = git(&tree, &["show", "--name-only", "--format=", "HEAD"]);
    assert_eq!(changed.trim().lines().collect::<Vec<_>>(), free, "{host}");
    assert_eq!(team.place.left(), Vec::<String>::new());
}

#[test]
fn a_member_in_claude_is_refused_what_the_policy_denies_by_the_tool_itself() {
    refuses("claude");
}

#[test]
fn a_member_in_codex_is_refused_what_the_policy_denies_by_the_systems_sandbox() {
    refuses("codex");
}

/// What is compiled for a worker in one tool, as it would be written.
fn compiled_text(team: &Repository, host_name: &str, words: &[&str]) -> String {
    let args = [&["policy", "compile", "--host", host_name], words].concat();
    let document = team.json("lea", &args);
    host(&document, host_name)["text"]
        .as_str()
        .unwrap()
        .to_owned()
}

/// The tool's own sandbox, given what a member is given, is asked about each path.
#[test]
fn the_sandbox_of_codex_holds_just_what_was_compiled() {
    let Some(clis) = real_clis() else {
        return;
    };
    let team = Repository::with_team();
    let project = team.place.project();
    let policy = "schema = \"agon.policy/1\"\ndefault = \"deny\"\n\
        [[rule]]\neffect = \"allow\"\ntools = [\"read\", \"run\"]\n\
        [[rule]]\neffect = \"allow\"\ntools = [\"edit\"]\npaths = [\"src\", \"kept/own\"]\n\
        [[rule]]\neffect = \"deny\"\ntools = [\"edit\"]\npaths = [\"src/gen\", \"kept\"]\n\
        [[rule]]\neffect = \"deny\"\ntools = [\"read\"]\npaths = [\"src/secret\"]\n";
    write_policy(&project, policy);
    for folder in ["src", "src/gen", "src/secret", "docs", "kept/own"] {
        add(&project, &format!("{folder}/there"), "x");
    }
    add(&project, "docs/a.md", "x");
    let text = compiled_text(&team, "codex", &["--role", "worker"]);
    let args: Vec<String> = serde_json::from_str(&text).unwrap();
    let does = |line: &str| {
        let mut command = std::process::Command::new(clis.join("node_modules/.bin/codex"));
        command
            .arg("sandbox")
            .args(&args)
            .args(["-P", "team", "--", "sh", "-c", line]);
        command
            .current_dir(&project)
            .env_clear()
            .envs(&team.place.env);
        command.env("PATH", std::env::var_os("PATH").unwrap());
        let home = team.place.home().join(".codex");
        fs::create_dir_all(&home).unwrap();
        // What the user chose for their own sessions is not a member's.
        fs::write(
            home.join("config.toml"),
            "sandbox_mode = \"danger-full-access\"\n",
        )
        .unwrap();
        command
            .env("CODEX_HOME", home)
            .output()
            .unwrap()
            .status
            .success()
    };
    let (text, root) = (text.as_str(), project.clone());
    let scope = agon_hosts::permit::PermissionScope::Member(&root);
    let codex = agon_hosts::host::find_host("codex").unwrap();
    let read = codex.permissions.read(text, &scope).unwrap();
    use agon_hosts::content::agent::Power;
    use agon_hosts::permit::PermissionEffect;
    for (path, reads, edits) in [
        ("greet.sh", true, false),
        ("src/there", true, true),
        ("src/gen/there", true, false),
        ("src/secret/there", false, false),
        ("docs/a.md", true, false),
        ("docs/there", true, false),
        ("kept/own/there", true, false),
    ] {
        let verdict = |power| read.verdict(power, Some(path), &scope) == PermissionEffect::Allow;
        assert_eq!(
            (verdict(Power::Read), verdict(Power::Edit)),
            (reads, edits),
            "{path}: {text}"
        );
        assert_eq!(does(&format!("cat {path}")), reads, "cat {path}: {text}");
        assert_eq!(
            does(&format!("echo y >> {path}")),
            edits,
            "edit {path}: {text}"
        );
    }
}

/// Long tests, which only `cargo xtask test --full` runs.
mod full {
    use super::*;

    #[test]
    fn a_member_in_gemini_is_refused_what_the_policy_denies_by_the_tool_itself() {
        refuses("gemini");
    }

    #[test]
    fn a_member_in_opencode_is_refused_what_the_policy_denies_by_the_tool_itself() {
        refuses("opencode");
    }

    #[test]
    fn a_member_in_copilot_is_refused_what_the_policy_denies_by_the_tool_itself() {
        refuses("copilot");
    }

    /// The tool's own list of its rules, the last of which counts, is held to what was compiled.
    #[test]
    fn opencode_lists_the_permissions_that_were_installed() {
        let Some(clis) = real_clis() else {
            return;
        };
        let team = Repository::with_team();
        let project = team.place.project();
        let policy = "schema = \"agon.policy/1\"\ndefault = \"allow\"\n\
        [[rule]]\neffect = \"deny\"\ntools = [\"edit\"]\npaths = [\".github\", \"**/*.lock\"]\n\
        [[rule]]\neffect = \"ask\"\ntools = [\"run\"]\n\
        [[rule]]\neffect = \"deny\"\ntools = [\"network\"]\n";
        write_policy(&project, policy);
        let install = [
            "install", "opencode", "--what", "team", "--scope", "project",
        ];
        assert_eq!(team.place.run(&install).code, Some(0));
        let mut command = std::process::Command::new(clis.join("node_modules/.bin/opencode"));
        command
            .args(["debug", "agent", "build"])
            .current_dir(&project);
        command.env_clear().envs(&team.place.env);
        command.env("PATH", std::env::var_os("PATH").unwrap());
        for name in ["AUTOUPDATE", "MODELS_FETCH", "DEFAULT_PLUGINS"] {
            command.env(format!("OPENCODE_DISABLE_{name}"), "1");
        }
        let output = command.output().unwrap();
        let said: Value = serde_json::from_slice(&output.stdout).unwrap();
        let listed = said["permission"].as_array().unwrap();
        let has = |permission: &str, pattern: &str, action: &str| {
            let mut rules = listed.iter().rev();
            let last =
                rules.find(|rule| rule["permission"] == permission && rule["pattern"] == pattern);
            assert_eq!(
                last.unwrap()["action"],
                action,
                "{permission} {pattern}: {said}"
            );
        };
        has("edit", ".github", "deny");
        has("edit", ".github/*", "deny");
        has("edit", "*.lock", "deny");
        // To ask could go before a denial of the user's own.
        let asks = |rule: &&Value| rule["permission"] == "bash" && rule["action"] == "ask";
        assert_eq!(listed.iter().find(asks), None, "{said}");
        has("webfetch", "*", "deny");
        has("websearch", "*", "deny");
        assert_eq!(said["tools"]["webfetch"], false, "{said}");
    }
}
