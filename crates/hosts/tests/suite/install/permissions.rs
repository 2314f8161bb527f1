//! What a policy forbids, in the permissions of hosts: put in, brought up to date, and taken out again.

use std::collections::BTreeSet;
use std::fs;

use agon_hosts::compile::Compiled;
use agon_hosts::content::agent::Power;
use agon_hosts::host::find_host;
use agon_hosts::install::Action;
use agon_hosts::permit::{
    HostPermissions, PermissionEffect, PermissionRule, PermissionRules, PermissionScope,
    PermissionSetup,
};

use super::home::{Home, compiled, step};

/// The hosts that have permissions of all sessions.
const HOSTS: [&str; 3] = ["claude", "gemini", "opencode"];

fn rule(number: usize, effect: PermissionEffect, power: Power, paths: &[&str]) -> PermissionRule {
    PermissionRule {
        number,
        effect,
        powers: BTreeSet::from([power]),
        paths: paths.iter().map(|&path| path.to_owned()).collect(),
    }
}

fn with_rules(host: &str, rules: Vec<PermissionRule>) -> Compiled {
    let rules = PermissionRules {
        default: PermissionEffect::Allow,
        rules,
    };
    let form = find_host(host).unwrap().permissions;
    Compiled {
        permissions: form.setup(&form.compile(&[rules], &PermissionScope::User)),
        ..compiled(host)
    }
}

fn usual(host: &str) -> Compiled {
    let rules = vec![
        rule(1, PermissionEffect::Deny, Power::Run, &[]),
        rule(2, PermissionEffect::Deny, Power::Network, &[]),
        rule(3, PermissionEffect::Deny, Power::Edit, &[".github"]),
        rule(4, PermissionEffect::Ask, Power::Delegate, &[]),
    ];
    with_rules(host, rules)
}

fn read_back(home: &Home, host: &str) -> HostPermissions {
    let path = home.place(host).places.permissions.unwrap();
    let text = fs::read_to_string(path).unwrap();
    let form = find_host(host).unwrap().permissions;
    form.read(&text, &PermissionScope::User).unwrap()
}

#[test]
fn what_is_written_is_read_back_and_taken_out_to_the_byte() {
    for host in HOSTS {
        for text in [
            None,
            Some(
                "{\n  // mine\n  \"theme\": \"x\",\n  \"permission\": {\"skill\": \"deny\"},\n  \"permissions\": {\"deny\": [\"Read(./x)\"]}\n}\n",
            ),
        ] {
            let home = Home::new();
            let path = home.place(host).places.permissions.unwrap();
            if let (Some(text), false) = (text, host == "gemini") {
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(&path, text).unwrap();
            }
            let before = home.tree();
            let steps = home.install_as(host, &usual(host), "agon");
            assert!(
                steps.iter().all(|step| step.action == Action::Add),
                "{steps:#?}"
            );
            let again = home.plan_as(host, &usual(host), "agon");
            assert!(again.is_empty(), "{host}: {:#?}", again.steps);
            let found = read_back(&home, host);
            let verdict = |power, path| found.verdict(power, path, &PermissionScope::User);
            assert_eq!(verdict(Power::Run, None), PermissionEffect::Deny, "{host}");
            assert_eq!(
                verdict(Power::Network, None),
                PermissionEffect::Deny,
                "{host}"
            );
            // To ask could go before a denial of the user's own.
            let asked = match host {
                "claude" => PermissionEffect::Ask,
                _ => PermissionEffect::Allow,
            };
            assert_eq!(verdict(Power::Delegate, None), asked, "{host}");
            assert_eq!(
                verdict(Power::Edit, Some("src/a.rs")),
                PermissionEffect::Allow,
                "{host}"
            );
            // OpenCode alone knows in all folders where a repository begins.
            let github = match host {
                "opencode" => PermissionEffect::Deny,
                _ => PermissionEffect::Allow,
            };
            assert_eq!(
                verdict(Power::Edit, Some(".github/ci.yml")),
                github,
                "{host}"
            );
            home.uninstall(host);
            assert_eq!(home.tree(), before, "{host}");
        }
    }
}

#[test]
fn a_policy_that_changed_is_brought_up_to_date_and_one_that_is_gone_is_taken_out() {
    for host in HOSTS {
        let home = Home::new();
        home.install_as(host, &compiled(host), "agon");
        let without = home.tree();
        home.install_as(host, &usual(host), "agon");
        let other = with_rules(
            host,
            vec![rule(1, PermissionEffect::Deny, Power::Network, &[])],
        );
        let planned = home.plan_as(host, &other, "agon");
        assert!(!planned.is_empty(), "{host}");
        home.install_as(host, &other, "agon");
        let found = read_back(&home, host);
        let verdict = |power| found.verdict(power, None, &PermissionScope::User);
        assert_eq!(verdict(Power::Run), PermissionEffect::Allow, "{host}");
        assert_eq!(verdict(Power::Network), PermissionEffect::Deny, "{host}");
        home.install_as(host, &compiled(host), "agon");
        // The receipt says nothing of them either; folders stay until all goes.
        let texts = |tree: &super::home::Tree| {
            let files = tree.iter().filter(|(_, (_, bytes))| !bytes.is_empty());
            let texts = files.map(|(path, (_, bytes))| (path.clone(), bytes.clone()));
            texts
                .filter(|(path, _)| !path.to_string_lossy().contains(".local"))
                .collect::<Vec<_>>()
        };
        assert_eq!(texts(&home.tree()), texts(&without), "{host}");
    }
}

#[test]
fn a_permission_of_the_users_own_stays_and_is_named() {
    let home = Home::new();
    let path = home.place("opencode").places.permissions.unwrap();
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let theirs = "{\n  \"permission\": {\n    \"bash\": \"ask\"\n  }\n}\n";
    fs::write(&path, theirs).unwrap();
    let steps = home.install_as("opencode", &usual("opencode"), "agon");
    let bash = step(&steps, "permission bash");
    assert_eq!(bash.action, Action::Keep);
    assert!(
        bash.reason
            .as_deref()
            .unwrap()
            .contains("your own permission")
    );
    assert_eq!(step(&steps, "permission edit").action, Action::Add);
    home.uninstall("opencode");
    assert_eq!(fs::read_to_string(&path).unwrap(), theirs);

    fs::write(&path, "{\"permission\": \"allow\"}").unwrap();
    let steps = home.install_as("opencode", &usual("opencode"), "agon");
    assert_eq!(step(&steps, "permission edit").action, Action::Refuse);
    assert!(
        fs::read_to_string(&path)
            .unwrap()
            .contains("\"permission\": \"allow\"")
    );
}

#[test]
fn what_a_person_writes_after_an_update_is_theirs_though_agon_once_wrote_the_same() {
    let home = Home::new();
    let path = home.place("claude").places.permissions.unwrap();
    let deny = |power| with_rules("claude", vec![rule(1, PermissionEffect::Deny, power, &[])]);
    home.install_as("claude", &deny(Power::Run), "agon");
    home.install_as("claude", &deny(Power::Network), "agon");
    let text = fs::read_to_string(&path).unwrap();
    assert!(!text.contains("\"Bash\""), "{text}");
    let theirs = text.replacen("\"WebFetch\"", "\"Bash\",\n      \"WebFetch\"", 1);
    fs::write(&path, &theirs).unwrap();
    home.install_as("claude", &deny(Power::Network), "agon");
    assert_eq!(fs::read_to_string(&path).unwrap(), theirs);
    home.install_as("claude", &deny(Power::Delegate), "agon");
    assert!(fs::read_to_string(&path).unwrap().contains("\"Bash\""));
    home.uninstall("claude");
    let left = fs::read_to_string(&path).unwrap();
    assert!(
        left.contains("\"Bash\"") && !left.contains("\"Task\""),
        "{left}"
    );
}

#[test]
fn a_permission_that_a_person_wrote_back_is_not_overwritten() {
    let home = Home::new();
    let path = home.place("opencode").places.permissions.unwrap();
    let with = |effect: &str| Compiled {
        permissions: Some(PermissionSetup::Map(vec![(
            "bash".to_owned(),
            effect.into(),
        )])),
        ..compiled("opencode")
    };
    home.install_as("opencode", &with("deny"), "agon");
    home.install_as("opencode", &with("ask"), "agon");
    let text = fs::read_to_string(&path).unwrap();
    let theirs = text.replace("\"bash\": \"ask\"", "\"bash\": \"deny\"");
    assert_ne!(theirs, text);
    fs::write(&path, &theirs).unwrap();
    for wanted in ["ask", "deny", "ask"] {
        let steps = home.install_as("opencode", &with(wanted), "agon");
        let same = Action::Same;
        let expected = if wanted == "ask" { Action::Keep } else { same };
        assert_eq!(step(&steps, "permission bash").action, expected, "{wanted}");
        assert_eq!(fs::read_to_string(&path).unwrap(), theirs, "{wanted}");
    }
    home.uninstall("opencode");
    let left = fs::read_to_string(&path).unwrap();
    assert!(left.contains("\"bash\": \"deny\""), "{left}");
}

#[test]
fn what_a_killed_update_may_have_left_is_forgotten_once_nothing_is_to_be_written() {
    let home = Home::new();
    let place = home.place("claude");
    let path = place.places.permissions.clone().unwrap();
    let deny = |power| with_rules("claude", vec![rule(1, PermissionEffect::Deny, power, &[])]);
    home.install_as("claude", &deny(Power::Run), "agon");
    let killed = fs::read_to_string(&place.receipt).unwrap();
    home.install_as("claude", &deny(Power::Network), "agon");
    // As it was before the last write: both are known.
    let mut both: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(&place.receipt).unwrap()).unwrap();
    let old: serde_json::Value = serde_json::from_str(&killed).unwrap();
    let older = old["permissions"]["entries"].as_array().unwrap().clone();
    both["permissions"]["entries"]
        .as_array_mut()
        .unwrap()
        .extend(older);
    fs::write(&place.receipt, both.to_string()).unwrap();
    home.install_as("claude", &deny(Power::Network), "agon");
    let text = fs::read_to_string(&path).unwrap();
    let theirs = text.replacen("\"WebFetch\"", "\"Bash\",\n      \"WebFetch\"", 1);
    fs::write(&path, &theirs).unwrap();
    home.install_as("claude", &deny(Power::Network), "agon");
    assert_eq!(fs::read_to_string(&path).unwrap(), theirs);
}

#[test]
fn nothing_but_denials_is_written_where_something_stricter_of_the_users_could_be_passed_over() {
    let rules = vec![
        rule(1, PermissionEffect::Ask, Power::Run, &[]),
        rule(2, PermissionEffect::Ask, Power::Edit, &["src"]),
        rule(3, PermissionEffect::Deny, Power::Edit, &[".github"]),
        rule(4, PermissionEffect::Deny, Power::Delegate, &[]),
    ];
    let asking = PermissionRules {
        default: PermissionEffect::Allow,
        rules,
    };
    let excepting = PermissionRules {
        default: PermissionEffect::Deny,
        rules: vec![rule(1, PermissionEffect::Allow, Power::Edit, &["docs"])],
    };
    let project = std::path::Path::new("/srv/p");
    for (host, scope) in [
        ("gemini", PermissionScope::User),
        ("opencode", PermissionScope::User),
        ("opencode", PermissionScope::Project(project)),
    ] {
        let form = find_host(host).unwrap().permissions;
        for rules in [&asking, &excepting] {
            let found = form.compile(std::slice::from_ref(rules), &scope);
            let text = found.text.unwrap();
            let laxer = ["\"ask\"", "\"ask_user\"", "\"allow\""]
                .into_iter()
                .find(|word| text.contains(word));
            assert_eq!(laxer, None, "{host} {scope:?}: {text}");
            assert!(text.contains("deny"), "{host} {scope:?}: {text}");
        }
        let found = form.compile(std::slice::from_ref(&asking), &scope);
        let mut asked = found.outcomes.iter();
        assert!(
            asked.all(|it| it.effect == PermissionEffect::Deny || !it.is_enforced()),
            "{host}: {:#?}",
            found.outcomes
        );
    }
}

#[test]
fn a_permission_of_the_users_in_another_file_that_is_merged_is_not_replaced() {
    for (name, theirs, is_kept) in [
        ("config.json", r#"{"permission": {"edit": "ask"}}"#, true),
        ("opencode.jsonc", r#"{"permission": "ask"}"#, true),
        ("config.json", "{ not settings", true),
        (
            "config.json",
            r#"{"permission": {"edit": {"*": "ask"}}}"#,
            false,
        ),
        (
            "config.json",
            r#"{"permission": {"*": "deny", "edit": "allow"}}"#,
            false,
        ),
    ] {
        let home = Home::new();
        let path = home.place("opencode").places.permissions.unwrap();
        let other = path.with_file_name(name);
        let deny = with_rules(
            "opencode",
            vec![rule(1, PermissionEffect::Deny, Power::Edit, &[".github"])],
        );
        home.write(".config/opencode/opencode.json", b"{}\n");
        let before = home.tree();
        home.install_as("opencode", &deny, "agon");
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(".github"), "{text}");
        fs::write(&other, theirs).unwrap();
        let steps = home.install_as("opencode", &deny, "agon");
        let of_edit = steps
            .iter()
            .rfind(|step| step.part.title() == "permission edit");
        let of_edit = of_edit.unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text.contains(".github"), !is_kept, "{theirs}: {text}");
        assert_eq!(
            of_edit.action == Action::Keep,
            is_kept,
            "{theirs}: {steps:#?}"
        );
        if is_kept {
            assert!(of_edit.reason.as_deref().unwrap().contains(name));
        }
        fs::remove_file(&other).unwrap();
        home.uninstall("opencode");
        assert_eq!(home.tree(), before, "{theirs}");
    }
    // A key that is wider, in the file itself.
    let home = Home::new();
    let path = home.place("opencode").places.permissions.unwrap();
    let theirs = "{\n  \"permission\": {\n    \"*\": \"deny\",\n    \"read\": \"allow\"\n  }\n}\n";
    home.write(".config/opencode/opencode.json", theirs.as_bytes());
    let asking = Compiled {
        permissions: Some(PermissionSetup::Map(vec![(
            "bash".to_owned(),
            "ask".into(),
        )])),
        ..compiled("opencode")
    };
    let steps = home.install_as("opencode", &asking, "agon");
    assert_eq!(step(&steps, "permission bash").action, Action::Keep);
    assert!(!fs::read_to_string(&path).unwrap().contains("bash"));
}
