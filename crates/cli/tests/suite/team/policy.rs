//! `agon team policy`: what it prints, and how it exits.

use agon_testkit::add;

use super::Repository;

const TEAMS: &str = "schema = \"agon.policy/1\"
default = \"allow\"

[[rule]]
effect = \"deny\"
roles = [\"worker\"]
paths = [\".github\"]
why = \"workflows are the maintainers'\"
";

#[test]
fn a_ruling_names_its_rule_and_a_check_exits_by_what_is_wrong() {
    let team = Repository::with_team();
    let write = |text: &str| add(&team.place.project(), ".git/agon/policy.toml", text);
    write(TEAMS);
    let explain = ["policy", "explain", "--path", ".github/x"];
    let said = team.run("ada", &[&explain[..], &["--role", "worker"]].concat());
    assert_eq!(said.code, Some(0), "{said:#?}");
    let first = said.stdout.lines().next().unwrap_or_default();
    let rule = "deny: rule 1: workflows are the maintainers'";
    assert!(first.starts_with(rule), "{first}");
    assert!(first.ends_with(".git/agon/policy.toml:4)"), "{first}");
    let spent = ["--role", "lead", "--tool", "read", "--tokens", "1001"];
    let ruling = team.json("ada", &[&["policy", "explain"], &spent[..]].concat());
    assert_eq!(ruling["effect"], "allow");
    let (_, message, _) = team.refused("ada", &["policy", "explain", "--member", "eve"]);
    assert_eq!(message, "there is no member eve");

    let checked = team.run("ada", &["policy", "check"]);
    assert_eq!(checked.code, Some(0));
    let rules = "policy.toml: 1 rules, otherwise allow";
    assert!(checked.stdout.contains(rules), "{}", checked.stdout);
    let missing = team.run("ada", &["policy", "check", "nosuch.toml"]);
    assert_eq!(missing.code, Some(8), "{missing:#?}");
    write("schema = \"agon.policy/9\"\n");
    let broken = team.run("ada", &["policy", "check", "--json"]);
    assert_eq!(broken.code, Some(8), "{broken:#?}");
    assert!(broken.json()["files"][0]["fault"].is_string());
}
