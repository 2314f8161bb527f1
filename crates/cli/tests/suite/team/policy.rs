//! Policies, as they are typed: the strictest file decides, and says by which line.

use std::fs;
use std::os::unix::fs::symlink;

use agon_testkit::add;
use serde_json::Value;

use super::Repository;

const TEAMS: &str = "schema = \"agon.policy/1\"
default = \"allow\"

[[rule]]
effect = \"deny\"
roles = [\"worker\"]
paths = [\".github\"]
why = \"workflows are the maintainers'\"
";

const OWN: &str = "schema = \"agon.policy/1\"
default = \"allow\"
[[rule]]
effect = \"ask\"
tools = [\"edit\"]
[[rule]]
effect = \"deny\"
over = { tokens = 1000 }
";

impl Repository {
    fn explain(&self, words: &str) -> Value {
        let words: Vec<&str> = words.split_whitespace().collect();
        self.json("ada", &[&["policy", "explain"], words.as_slice()].concat())
    }

    fn write_team_policy(&self, text: &str) {
        add(&self.place.project(), ".git/agon/policy.toml", text);
    }
}

/// The effect, and the name of the file with the line that decides.
fn decided(document: &Value) -> (String, String) {
    let file = document["file"].as_str().unwrap_or_default();
    let parts: Vec<&str> = file.rsplit('/').take(2).collect();
    let folder = parts.get(1).copied().unwrap_or_default();
    let effect = document["effect"].as_str().unwrap().to_owned();
    (effect, format!("{folder}:{}", document["line"]))
}

#[test]
fn the_strictest_of_the_teams_and_the_users_own_policy_decides() {
    let team = Repository::with_team();
    let nothing = team.explain("--role worker --tool edit --path a.rs");
    assert_eq!(
        (&nothing["effect"], &nothing["why"]),
        (&"allow".into(), &"no policy is set".into())
    );
    team.write_team_policy(TEAMS);
    add(&team.place.home(), ".config/agon/policy.toml", OWN);
    let effect = |words: &str| decided(&team.explain(words));
    for (words, wanted, place) in [
        (
            "--role worker --tool edit --path .github/ci.yml",
            "deny",
            "agon:4",
        ),
        (
            "--member ada --tool edit --path .github/ci.yml",
            "deny",
            "agon:4",
        ),
        (
            "--member lea --tool edit --path .github/ci.yml",
            "ask",
            "agon:3",
        ),
        (
            "--role worker --tool read --path src/a.rs",
            "allow",
            "agon:null",
        ),
        ("--role lead --tool read --tokens 1001", "deny", "agon:6"),
        (
            "--role lead --tool read --tokens 1000",
            "allow",
            "agon:null",
        ),
    ] {
        assert_eq!(
            effect(words),
            (wanted.to_owned(), place.to_owned()),
            "{words}"
        );
    }
    let said = team.run(
        "ada",
        &[
            "policy",
            "explain",
            "--role",
            "worker",
            "--path",
            ".github/x",
        ],
    );
    let first = said.stdout.lines().next().unwrap_or_default();
    assert!(
        first.starts_with("deny: rule 1: workflows are the maintainers'"),
        "{first}"
    );
    assert!(first.ends_with(".git/agon/policy.toml:4)"), "{first}");
    let (_, message, _) = team.refused("ada", &["policy", "explain", "--member", "eve"]);
    assert_eq!(message, "there is no member eve");
}

#[test]
fn a_policy_that_cannot_be_read_denies_everything() {
    let team = Repository::with_team();
    let file = team.place.project().join(".git/agon/policy.toml");
    let broken: [(&str, &dyn Fn()); 5] = [
        ("a mistyped key", &|| {
            team.write_team_policy("schema = \"agon.policy/1\"\ndefalt = \"allow\"\n")
        }),
        ("another version", &|| {
            team.write_team_policy("schema = \"agon.policy/9\"\n")
        }),
        ("no text", &|| fs::write(&file, [0xff, 0xfe]).unwrap()),
        ("a folder", &|| {
            fs::remove_file(&file).unwrap();
            fs::create_dir(&file).unwrap();
        }),
        ("a link to nowhere", &|| {
            fs::remove_dir(&file).unwrap();
            symlink("/nowhere/policy", &file).unwrap();
        }),
    ];
    for (what, make) in broken {
        make();
        let ruling = team.explain("--role lead --tool read");
        assert_eq!(ruling["effect"], "deny", "{what}");
        let ran = team.run("ada", &["policy", "check", "--json"]);
        assert_eq!(ran.code, Some(8), "{what}: {ran:#?}");
        assert!(ran.json()["files"][0]["fault"].is_string(), "{what}");
    }
    fs::remove_file(&file).unwrap();
    team.write_team_policy(TEAMS);
    let ran = team.run("ada", &["policy", "check"]);
    assert_eq!(ran.code, Some(0));
    assert!(
        ran.stdout.contains("policy.toml: 1 rules, else allow"),
        "{}",
        ran.stdout
    );
    let ran = team.run("ada", &["policy", "check", "nosuch.toml"]);
    assert_eq!(ran.code, Some(8), "{ran:#?}");
}

#[test]
fn a_policy_in_a_members_own_tree_says_nothing() {
    let team = Repository::with_team();
    team.write_team_policy(TEAMS);
    let easy = "schema = \"agon.policy/1\"\ndefault = \"allow\"\n";
    for path in ["policy.toml", ".agon/policy.toml", "agon/policy.toml"] {
        add(&team.tree("ada"), path, easy);
    }
    let ruling = team.explain("--member ada --tool edit --path .github/ci.yml");
    assert_eq!(ruling["effect"], "deny");
}
