//! Random policies, compiled for five hosts and read back as each host reads its own permissions.

use std::path::PathBuf;

use agon_hosts::content::agent::Power;
use agon_hosts::host::find_host;
use agon_hosts::permit::{PermissionEffect, PermissionForm, RuleOutcome};
use agon_team::id::RoleName;
use agon_team::policy::{MemberSpending, PolicyQuestion, PolicyRule};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::resolve::effect_of;
use super::*;

const ROOT: &str = "/srv/some tree";
/// Files, by their extensions: of a path without one a policy also asks what is below it.
const PATHS: &[&str] = &[
    "a.rs",
    "src/a.rs",
    "src/b.md",
    "src/gen/a.rs",
    "src/gen/deep/c.txt",
    "srcs/a.rs",
    "docs/guide.md",
    "docs/img/x.svg",
    ".github/ci.yml",
    "Cargo.toml",
    "x/Cargo.toml",
    "secrets/k.pem",
    "secrets/e\u{301}.pem",
    "caf\u{e9}/a.rs",
    "cafe\u{301}/a.rs",
    "docs/\u{65e5}\u{672c}.md",
    "docs/\u{1f600}.md",
    "src/U\u{308}e\u{301}.rs",
];
const GLOBS: &[&str] = &[
    "src",
    "src/gen",
    "src/**",
    "src/*.rs",
    "**/*.rs",
    "**/*.md",
    "docs/",
    "docs/**/*.md",
    "**/gen",
    "{src,docs}/gen",
    ".github",
    "Cargo.toml",
    "**/Cargo.toml",
    "secrets/?.pem",
    "src/[ab].rs",
    "caf\u{e9}/**",
    "cafe\u{301}",
    "docs/\u{65e5}\u{672c}.md",
    "docs/?.md",
    "**/\u{dc}\u{e9}.rs",
    "**",
];
const TOOLS: &[&str] = &["read", "edit", "run", "network", "delegate", "push", "re*"];

fn effect() -> impl Strategy<Value = &'static str> {
    prop_oneof![Just("allow"), Just("ask"), Just("deny")]
}

/// The text of a policy.
fn policy() -> impl Strategy<Value = String> {
    let some = |all: &'static [&'static str], most| {
        proptest::collection::vec(proptest::sample::select(all), 0..=most)
    };
    let rule = (
        effect(),
        some(&["worker", "reviewer"], 1),
        some(TOOLS, 2),
        some(GLOBS, 2),
        proptest::option::weighted(0.1, 1..3_u32),
    );
    (effect(), proptest::collection::vec(rule, 0..5)).prop_map(|(default, rules)| {
        let mut text = format!("schema = \"agon.policy/1\"\ndefault = \"{default}\"\n");
        for (effect, roles, tools, paths, over) in rules {
            let paths = serde_json::to_string(&paths).unwrap();
            text += &format!(
                "[[rule]]\neffect = \"{effect}\"\nroles = {roles:?}\ntools = {tools:?}\npaths = {paths}\n"
            );
            if let Some(over) = over {
                text += &format!("over = {{ tokens = {over}000 }}\n");
            }
        }
        text
    })
}

/// What the policies say, where to ask is to deny for a member, but of edits.
fn wanted(
    policies: &[(PathBuf, Policy)],
    question: &PolicyQuestion,
    is_member: bool,
) -> PermissionEffect {
    let said = policies
        .iter()
        .map(|(_, policy)| policy.rule_on(question).effect);
    match said.max().map_or(PermissionEffect::Allow, effect_of) {
        PermissionEffect::Ask if is_member && question.tool != "edit" => PermissionEffect::Deny,
        effect => effect,
    }
}

/// Whether a rule that decides is held, by what the compiler said of it.
fn decides(
    compiled: &CompiledPermissions,
    power: Power,
    path: Option<&str>,
    wanted: PermissionEffect,
) -> (bool, bool) {
    let applies = |outcome: &&RuleOutcome| {
        let on_path = |glob: &String| {
            let glob: agon_team::glob::PathGlob = glob.parse().unwrap();
            path.is_some_and(|path| glob.covers(path).unwrap())
        };
        outcome.power == power
            && outcome.effect == wanted
            && outcome.glob.as_ref().is_none_or(on_path)
    };
    let deciding = compiled.outcomes.iter().filter(applies);
    // The default does not hold what an exception lets through, where the rule against that is not held.
    let is_one_of_path_lost = deciding
        .clone()
        .any(|it| it.glob.is_some() && !it.is_enforced());
    let counts = |it: &&RuleOutcome| it.glob.is_some() || !is_one_of_path_lost;
    let is_one_held = deciding
        .clone()
        .filter(counts)
        .any(RuleOutcome::is_enforced);
    let are_all_held = deciding.clone().all(RuleOutcome::is_enforced);
    (is_one_held, are_all_held)
}

fn form(host: &str) -> PermissionForm {
    find_host(host).unwrap().permissions
}

fn holds(
    host: &str,
    policies: &[(PathBuf, Policy)],
    scope: &PermissionScope<'_>,
) -> Result<usize, TestCaseError> {
    let role: RoleName = "worker".parse().unwrap();
    let is_member = scope.is_member();
    let spent = MemberSpending {
        tokens: 1_500,
        ..MemberSpending::default()
    };
    let (asked, budget) = match is_member {
        true => (Some(&role), Some(&spent)),
        // Of sessions of the user's neither is known: rules about them are left out.
        false => (None, None),
    };
    let resolved = resolve(policies, asked, budget);
    let policies: Vec<(PathBuf, Policy)> = policies
        .iter()
        .map(|(path, policy)| {
            let mut policy = policy.clone();
            let known =
                |rule: &PolicyRule| is_member || rule.roles.is_empty() && rule.over.is_none();
            policy.rules.retain(known);
            (path.clone(), policy)
        })
        .collect();
    let compiled = form(host).compile(&resolved.rules, scope);
    let text = compiled.text.clone().unwrap_or_else(|| match host {
        "gemini" => String::new(),
        "claude" | "opencode" => "{}".to_owned(),
        _ => "[]".to_owned(),
    });
    let read = form(host)
        .read(&text, scope)
        .map_err(|error| TestCaseError::fail(format!("{host}: {error}: {text}")))?;
    let mut held = 0;
    for power in Power::ALL {
        let is_of_paths = matches!(power, Power::Read | Power::Edit);
        let paths: Vec<Option<&str>> = match is_of_paths {
            true => PATHS.iter().map(|path| Some(*path)).collect(),
            false => vec![None],
        };
        for path in paths {
            let question = PolicyQuestion {
                tool: power.name().to_owned(),
                path: path.map(str::to_owned),
                spent,
                ..PolicyQuestion::of(role.clone())
            };
            let wanted = self::wanted(&policies, &question, is_member);
            let found = read.verdict(power, path, scope);
            let (is_one_held, are_all_held) = decides(&compiled, power, path, wanted);
            let said = format!("{host} {power:?} {path:?}: {wanted:?}, found {found:?}\n{text}");
            // What a sandbox does not let be read cannot be edited in it either.
            let is_hidden = host == "codex"
                && power == Power::Edit
                && read.verdict(Power::Read, path, scope) == PermissionEffect::Deny;
            let is_offered = (!is_member || is_of_paths) && !is_hidden;
            if is_offered {
                prop_assert!(found <= wanted, "stricter: {said}");
            }
            if wanted > PermissionEffect::Allow && is_one_held {
                held += 1;
                prop_assert!(found >= wanted, "laxer: {said}");
            }
            prop_assert!(found >= wanted || !are_all_held, "unsaid: {said}");
        }
    }
    Ok(held)
}

#[test]
fn what_is_read_back_of_each_host_is_what_the_policy_says_but_for_what_was_said() {
    let root = PathBuf::from(ROOT);
    for host in ["claude", "codex", "gemini", "opencode", "copilot"] {
        for scope in [
            PermissionScope::User,
            PermissionScope::Project(&root),
            PermissionScope::Member(&root),
        ] {
            let mut runner = TestRunner::new(Config {
                cases: 300,
                failure_persistence: None,
                ..Config::default()
            });
            let held = std::cell::Cell::new(0);
            let two = (policy(), proptest::option::of(policy()));
            runner
                .run(&two, |(team, user)| {
                    let texts = [Some(team), user].into_iter().flatten();
                    let policies: Vec<(PathBuf, Policy)> = texts
                        .map(|text| (PathBuf::from("policy.toml"), Policy::parse(&text)))
                        .collect();
                    for (_, policy) in &policies {
                        prop_assert_eq!(&policy.fault, &None);
                    }
                    held.set(held.get() + holds(host, &policies, &scope)?);
                    Ok(())
                })
                .unwrap_or_else(|error| panic!("{host} {scope:?}: {error}"));
            let has_none = matches!(
                (host, scope),
                (
                    "codex" | "copilot",
                    PermissionScope::User | PermissionScope::Project(_)
                ) | ("gemini", PermissionScope::Project(_))
            );
            assert_eq!(
                held.get() == 0,
                has_none,
                "{host} {scope:?}: {}",
                held.get()
            );
        }
    }
}

#[test]
fn a_policy_that_cannot_be_followed_denies_everything_that_a_host_can_deny() {
    let root = PathBuf::from(ROOT);
    let broken = Policy::parse("schema = \"agon.policy/1\"\nallow = true");
    assert!(broken.fault.is_some());
    let policies = [(PathBuf::from("policy.toml"), broken)];
    for (host, scope) in [
        ("claude", PermissionScope::User),
        ("claude", PermissionScope::Member(&root)),
        ("gemini", PermissionScope::User),
        ("gemini", PermissionScope::Member(&root)),
        ("opencode", PermissionScope::Project(&root)),
        ("opencode", PermissionScope::Member(&root)),
    ] {
        let resolved = resolve(&policies, None, None);
        let compiled = form(host).compile(&resolved.rules, &scope);
        assert!(
            compiled.outcomes.iter().all(RuleOutcome::is_enforced),
            "{host}"
        );
        let text = compiled.text.unwrap();
        let read = form(host).read(&text, &scope).unwrap();
        for power in Power::ALL {
            let path = matches!(power, Power::Read | Power::Edit).then_some("src/a.rs");
            assert_eq!(
                read.verdict(power, path, &scope),
                PermissionEffect::Deny,
                "{host} {power:?}"
            );
        }
    }
    for host in ["codex", "copilot"] {
        let scope = PermissionScope::Member(&root);
        let resolved = resolve(&policies, None, None);
        let text = form(host).compile(&resolved.rules, &scope).text.unwrap();
        let read = form(host).read(&text, &scope).unwrap();
        let edit = read.verdict(Power::Edit, Some("src/a.rs"), &scope);
        assert_eq!(edit, PermissionEffect::Deny, "{host}");
    }
}
