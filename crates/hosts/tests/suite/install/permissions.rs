//! What a policy forbids, in the permissions of hosts: put in, brought up to date, and taken out again.

use std::collections::BTreeSet;
use std::fs;

use agon_hosts::compile::Compiled;
use agon_hosts::content::agent::Power;
use agon_hosts::install::Action;
use agon_hosts::permit::{
    HostPermissions, PermissionEffect, PermissionRule, PermissionRules, PermissionScope,
    compile_permissions,
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
    let permissions = compile_permissions(host, &[rules], &PermissionScope::User);
    Compiled {
        permissions: permissions.setup(host),
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
    HostPermissions::read(host, &text, &PermissionScope::User).unwrap()
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
            assert_eq!(
                verdict(Power::Delegate, None),
                PermissionEffect::Ask,
                "{host}"
            );
            assert_eq!(
                verdict(Power::Edit, Some("src/a.rs")),
                PermissionEffect::Allow,
                "{host}"
            );
            // A repository's folder is in no rule of Gemini's for all of them.
            let github = match host {
                "gemini" => PermissionEffect::Allow,
                _ => PermissionEffect::Deny,
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
            vec![rule(1, PermissionEffect::Ask, Power::Network, &[])],
        );
        let planned = home.plan_as(host, &other, "agon");
        assert!(!planned.is_empty(), "{host}");
        home.install_as(host, &other, "agon");
        let found = read_back(&home, host);
        let verdict = |power| found.verdict(power, None, &PermissionScope::User);
        assert_eq!(verdict(Power::Run), PermissionEffect::Allow, "{host}");
        assert_eq!(verdict(Power::Network), PermissionEffect::Ask, "{host}");
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
    assert!(bash.reason.as_deref().unwrap().contains("of your own"));
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
