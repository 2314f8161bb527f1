//! Policies: the strictest file decides, and the ruling names the line.

use std::fs;
use std::os::unix::fs::symlink;

use agon_caller::Failure;
use agon_teamwork::policy::{PolicyRequest, PolicyRulingDoc, PolicySubject, check, explain};
use agon_teamwork::{MemberSpending, PolicyEffect};
use agon_testkit::add;

use crate::repository::Repository;

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
    fn rule(&self, request: PolicyRequest) -> Result<PolicyRulingDoc, Failure> {
        explain(&self.caller("ada"), request)
    }

    fn write_team_policy(&self, text: &str) {
        add(&self.tree("lea"), ".git/agon/policy.toml", text);
    }
}

fn role(name: &str) -> PolicySubject {
    PolicySubject::Role(name.parse().unwrap())
}

fn member(name: &str) -> PolicySubject {
    PolicySubject::Member(name.parse().unwrap())
}

fn act(subject: PolicySubject, tool: &str, path: Option<&str>) -> PolicyRequest {
    PolicyRequest {
        subject,
        tool: tool.to_owned(),
        path: path.map(str::to_owned),
        spent: MemberSpending::default(),
    }
}

fn spent(tokens: u64) -> PolicyRequest {
    PolicyRequest {
        spent: MemberSpending {
            tokens,
            ..MemberSpending::default()
        },
        ..act(role("lead"), "read", None)
    }
}

#[test]
fn the_strictest_of_the_teams_and_the_users_own_policy_decides() {
    let team = Repository::with_team();
    let nothing = team
        .rule(act(role("worker"), "edit", Some("a.rs")))
        .unwrap();
    assert_eq!(nothing.effect, PolicyEffect::Allow);
    assert_eq!(nothing.why, "no policy is set");
    team.write_team_policy(TEAMS);
    add(&team.home(), ".config/agon/policy.toml", OWN);
    let workflow = Some(".github/ci.yml");
    for (request, effect, line) in [
        (
            act(role("worker"), "edit", workflow),
            PolicyEffect::Deny,
            Some(4),
        ),
        (
            act(member("ada"), "edit", workflow),
            PolicyEffect::Deny,
            Some(4),
        ),
        (
            act(member("lea"), "edit", workflow),
            PolicyEffect::Ask,
            Some(3),
        ),
        (
            act(role("worker"), "read", Some("src/a.rs")),
            PolicyEffect::Allow,
            None,
        ),
        (spent(1001), PolicyEffect::Deny, Some(6)),
        (spent(1000), PolicyEffect::Allow, None),
    ] {
        let ruling = team.rule(request).unwrap();
        assert_eq!((ruling.effect, ruling.line), (effect, line), "{ruling:?}");
        let file = match line {
            Some(4) => team.tree("lea").join(".git/agon/policy.toml"),
            Some(_) => team.home().join(".config/agon/policy.toml"),
            None => continue,
        };
        assert_eq!(ruling.file, Some(file));
    }
    let unknown = team.rule(act(member("eve"), "edit", None)).unwrap_err();
    assert_eq!(unknown.message, "there is no member eve");
}

#[test]
fn a_policy_that_cannot_be_read_denies_everything() {
    let team = Repository::with_team();
    let file = team.tree("lea").join(".git/agon/policy.toml");
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
    let checked = |named: Option<&str>| {
        let named = named.map(std::path::Path::new);
        check(&team.caller("ada"), named).unwrap()
    };
    for (what, make) in broken {
        make();
        let ruling = team.rule(act(role("lead"), "read", None)).unwrap();
        assert_eq!(ruling.effect, PolicyEffect::Deny, "{what}");
        let checked = checked(None);
        assert!(!checked.is_sound(), "{what}");
        assert!(checked.files[0].fault.is_some(), "{what}: {checked:?}");
    }
    fs::remove_file(&file).unwrap();
    team.write_team_policy(TEAMS);
    let sound = checked(None);
    assert!(sound.is_sound(), "{sound:?}");
    assert_eq!(
        (sound.files[0].rules, sound.files[0].default),
        (1, PolicyEffect::Allow)
    );
    assert!(!checked(Some("nosuch.toml")).is_sound());
}

#[test]
fn a_policy_in_a_members_own_tree_says_nothing() {
    let team = Repository::with_team();
    team.write_team_policy(TEAMS);
    let easy = "schema = \"agon.policy/1\"\ndefault = \"allow\"\n";
    for path in ["policy.toml", ".agon/policy.toml", "agon/policy.toml"] {
        add(&team.tree("ada"), path, easy);
    }
    let ruling = team.rule(act(member("ada"), "edit", Some(".github/ci.yml")));
    assert_eq!(ruling.unwrap().effect, PolicyEffect::Deny);
}
