use super::*;

const FILE: &str = r#"
schema = "agon.policy/1"
default = "ask"

[[rule]]
effect = "allow"
roles = ["worker", "reviewer"]
tools = ["read", "edit", "test-*"]

[[rule]]
effect = "deny"
roles = ["reviewer"]
tools = ["edit"]
why = "a reviewer edits nothing"

[[rule]]
effect = "deny"
paths = [".github", "secrets/**"]

[[rule]]
effect = "ask"
tools = ["edit"]
paths = ["Cargo.toml"]
why = "a new dependency is for a person to take"

[[rule]]
effect = "deny"
over = { tokens = 1000, minutes = 30 }
why = "the budget is spent"
"#;

fn question(role: &str, tool: &str, path: Option<&str>, tokens: u64) -> PolicyQuestion {
    PolicyQuestion {
        role: role.parse().unwrap(),
        tool: tool.to_owned(),
        path: path.map(str::to_owned),
        spent: MemberSpending {
            tokens,
            ..MemberSpending::default()
        },
    }
}

#[test]
fn the_strictest_rule_that_applies_wins() {
    let policy = Policy::parse(FILE);
    assert_eq!(policy.fault, None);
    for (role, tool, path, tokens, effect, why) in [
        (
            "worker",
            "edit",
            Some("src/a.rs"),
            0,
            PolicyEffect::Allow,
            "rule 1",
        ),
        (
            "worker",
            "test-unit",
            None,
            0,
            PolicyEffect::Allow,
            "rule 1",
        ),
        (
            "worker",
            "push",
            None,
            0,
            PolicyEffect::Ask,
            "no rule applies, so the default decides",
        ),
        (
            "scout",
            "edit",
            Some("src/a.rs"),
            0,
            PolicyEffect::Ask,
            "no rule applies, so the default decides",
        ),
        (
            "reviewer",
            "edit",
            Some("src/a.rs"),
            0,
            PolicyEffect::Deny,
            "rule 2: a reviewer edits nothing",
        ),
        (
            "worker",
            "edit",
            Some(".github/ci.yml"),
            0,
            PolicyEffect::Deny,
            "rule 3",
        ),
        (
            "worker",
            "edit",
            Some("secrets/deep/key"),
            0,
            PolicyEffect::Deny,
            "rule 3",
        ),
        (
            "worker",
            "edit",
            Some("Cargo.toml"),
            0,
            PolicyEffect::Ask,
            "rule 4: a new dependency is for a person to take",
        ),
        (
            "worker",
            "edit",
            Some("src/a.rs"),
            1_000,
            PolicyEffect::Allow,
            "rule 1",
        ),
        (
            "worker",
            "edit",
            Some("src/a.rs"),
            1_001,
            PolicyEffect::Deny,
            "rule 5: the budget is spent",
        ),
    ] {
        let ruling = policy.rule_on(&question(role, tool, path, tokens));
        assert_eq!(
            (ruling.effect, ruling.why.as_str()),
            (effect, why),
            "{role} {tool} {path:?}"
        );
        assert_eq!(ruling.rules.len(), 5);
        let line = why
            .strip_prefix("rule ")
            .and_then(|rest| rest.get(..1)?.parse::<usize>().ok());
        let begins = [5, 10, 16, 20, 26];
        assert_eq!(
            ruling.line,
            line.and_then(|rule| begins.get(rule - 1).copied())
        );
    }
}

#[test]
fn every_rule_says_why_it_does_not_apply() {
    let policy = Policy::parse(FILE);
    let notes: Vec<String> = policy
        .rule_on(&question("scout", "push", None, 0))
        .rules
        .into_iter()
        .map(|note| note.note)
        .collect();
    assert_eq!(
        notes,
        [
            "not for the role scout",
            "not for the role scout",
            "for paths only, and the action has none",
            "not for the tool \"push\"",
            "its spending limit is not reached",
        ]
    );
}

#[test]
fn a_file_that_does_not_parse_denies_everything() {
    for broken in [
        "",
        "schema = \"agon.policy/2\"",
        "schema = \"agon.policy/1\"\ndefalt = \"allow\"",
        "schema = \"agon.policy/1\"\ndefault = \"allow\"\n[[rule]]\neffect = \"forbid\"",
        "schema = \"agon.policy/1\"\n[[rule]]\neffect = \"deny\"\npath = [\"a\"]",
        "schema = \"agon.policy/1\"\n[[rule]]\neffect = \"deny\"\npaths = [\"../a\"]",
        "schema = \"agon.policy/1\"\n[[rule]]\neffect = \"deny\"\nroles = [\"The Worker\"]",
        "\u{0}",
    ] {
        let policy = Policy::parse(broken);
        let ruling = policy.rule_on(&question("worker", "read", None, 0));
        assert_eq!(ruling.effect, PolicyEffect::Deny, "{broken}");
        assert!(
            ruling.why.starts_with("the policy file is invalid"),
            "{}",
            ruling.why
        );
    }
}

#[test]
fn a_file_without_rules_denies() {
    let policy = Policy::parse("schema = \"agon.policy/1\"");
    assert_eq!(policy.fault, None);
    assert_eq!(
        policy.rule_on(&question("worker", "read", None, 0)).effect,
        PolicyEffect::Deny
    );
}

#[test]
fn a_path_that_leaves_the_repository_is_denied() {
    let policy = Policy::parse("schema = \"agon.policy/1\"\ndefault = \"allow\"");
    for path in ["../x", "/etc/passwd", "a/../../x"] {
        let ruling = policy.rule_on(&question("worker", "edit", Some(path), 0));
        assert_eq!(ruling.effect, PolicyEffect::Deny, "{path}");
    }
    let inside = policy.rule_on(&question("worker", "edit", Some("a/x"), 0));
    assert_eq!(inside.effect, PolicyEffect::Allow);
}

#[test]
fn a_rule_that_takes_too_long_to_compare_lets_nothing_through() {
    let glob = format!("{}.x", "*a".repeat(99));
    let path = format!("{}b", "a".repeat(6_000));
    for (effect, default) in [("allow", "deny"), ("ask", "deny"), ("deny", "allow")] {
        let policy = Policy::parse(&format!(
            "schema = \"agon.policy/1\"\ndefault = \"{default}\"\n[[rule]]\neffect = \"{effect}\"\ntools = [\"edit\"]\npaths = [\"{glob}\"]\n"
        ));
        assert_eq!(policy.fault, None);
        let ruling = policy.rule_on(&question("worker", "edit", Some(&path), 0));
        assert_eq!(ruling.effect, PolicyEffect::Deny, "{effect}");
        assert_eq!(ruling.line, Some(3));
        // The rule does not apply to another tool.
        let ruling = policy.rule_on(&question("worker", "read", Some(&path), 0));
        assert_eq!(ruling.line, None, "{effect}");
    }
}

#[test]
fn a_file_without_an_extension_is_no_folder_and_a_folder_ends_with_a_slash() {
    let policy = Policy::parse(
        r#"schema = "agon.policy/1"
default = "allow"
[[rule]]
effect = "deny"
paths = ["**/*.rs", "docs/keys"]
"#,
    );
    let on = |path| {
        policy
            .rule_on(&question("worker", "edit", Some(path), 0))
            .effect
    };
    for path in ["Makefile", "src", "docs"] {
        assert_eq!(on(path), PolicyEffect::Allow, "{path}");
    }
    for path in ["a.rs", "src/", "docs/", "docs/keys", "docs/keys/a"] {
        assert_eq!(on(path), PolicyEffect::Deny, "{path}");
    }
}

const TEAM: &str = r#"schema = "agon.policy/1"
default = "ask"

[[rule]] # 1: line 4
effect = "allow"
roles = ["worker", "quick", "lead"]
tools = ["read", "edit", "run", "mcp__agon__*"]

[[rule]] # 2: line 9
effect = "allow"
roles = ["reviewer", "scout"]
tools = ["read"]

[[rule]] # 3: line 14
effect = "deny"
roles = ["reviewer", "scout"]
tools = ["edit", "run"]

[[rule]] # 4: line 19
effect = "deny"
paths = [".github", "secrets/**", "**/*.pem"]

[[rule]] # 5: line 23
effect = "ask"
roles = ["worker", "quick"]
tools = ["edit"]
paths = ["Cargo.toml", "crates/*/Cargo.toml"]

[[rule]] # 6: line 29
effect = "deny"
tools = ["push", "deploy*"]

[[rule]] # 7: line 33
effect = "ask"
roles = ["quick"]
over = { minutes = 10 }

[[rule]] # 8: line 38
effect = "deny"
over = { tokens = 100000, cost_micros = 5000000 }
"#;

/// Thirty questions (role, tool, path, and spent tokens, minutes and millionths) with the expected
/// ruling and its line.
#[test]
fn thirty_questions_are_answered_by_the_strictest_rule_and_its_line() {
    use PolicyEffect::{Allow, Ask, Deny};
    type Row = (
        &'static str,
        &'static str,
        Option<&'static str>,
        [u64; 3],
        PolicyEffect,
        Option<usize>,
    );
    let rows: [Row; 30] = [
        ("worker", "read", None, [0; 3], Allow, Some(4)),
        ("worker", "read", Some("src/a.rs"), [0; 3], Allow, Some(4)),
        ("worker", "edit", Some("src/a.rs"), [0; 3], Allow, Some(4)),
        ("worker", "mcp__agon__task", None, [0; 3], Allow, Some(4)),
        ("worker", "mcp__agon__", None, [0; 3], Allow, Some(4)),
        ("worker", "mcp__other__x", None, [0; 3], Ask, None),
        ("worker", "reader", None, [0; 3], Ask, None),
        ("worker", "", None, [0; 3], Ask, None),
        ("reviewer", "read", Some("src/a.rs"), [0; 3], Allow, Some(9)),
        ("reviewer", "edit", Some("src/a.rs"), [0; 3], Deny, Some(14)),
        ("scout", "run", None, [0; 3], Deny, Some(14)),
        ("scout", "fetch", None, [0; 3], Ask, None),
        ("critic", "read", None, [0; 3], Ask, None),
        (
            "worker",
            "edit",
            Some(".github/ci.yml"),
            [0; 3],
            Deny,
            Some(19),
        ),
        ("worker", "read", Some(".github"), [0; 3], Deny, Some(19)),
        (
            "critic",
            "read",
            Some("secrets/a/b"),
            [0; 3],
            Deny,
            Some(19),
        ),
        (
            "lead",
            "read",
            Some("deep/er/key.pem"),
            [0; 3],
            Deny,
            Some(19),
        ),
        (
            "worker",
            "edit",
            Some("src/.github.rs"),
            [0; 3],
            Allow,
            Some(4),
        ),
        ("worker", "edit", Some("Cargo.toml"), [0; 3], Ask, Some(23)),
        (
            "quick",
            "edit",
            Some("crates/a/Cargo.toml"),
            [0; 3],
            Ask,
            Some(23),
        ),
        ("lead", "edit", Some("Cargo.toml"), [0; 3], Allow, Some(4)),
        ("worker", "read", Some("Cargo.toml"), [0; 3], Allow, Some(4)),
        ("lead", "push", None, [0; 3], Deny, Some(29)),
        ("lead", "deploy-all", None, [0; 3], Deny, Some(29)),
        ("quick", "edit", Some("a.rs"), [0, 10, 0], Allow, Some(4)),
        ("quick", "edit", Some("a.rs"), [0, 11, 0], Ask, Some(33)),
        (
            "worker",
            "edit",
            Some("a.rs"),
            [100_000, 11, 5_000_000],
            Allow,
            Some(4),
        ),
        (
            "worker",
            "edit",
            Some("a.rs"),
            [100_001, 0, 0],
            Deny,
            Some(38),
        ),
        ("quick", "read", None, [0, 11, 5_000_001], Deny, Some(38)),
        ("worker", "edit", Some("../a"), [0; 3], Deny, None),
    ];
    let policy = Policy::parse(TEAM);
    assert_eq!(policy.fault, None);
    for (role, tool, path, [tokens, minutes, cost_micros], effect, line) in rows {
        let question = PolicyQuestion {
            role: role.parse().unwrap(),
            tool: tool.to_owned(),
            path: path.map(str::to_owned),
            spent: MemberSpending {
                tokens,
                minutes,
                cost_micros,
            },
        };
        let ruling = policy.rule_on(&question);
        assert_eq!(
            (ruling.effect, ruling.line),
            (effect, line),
            "{question:?}: {ruling:?}"
        );
    }
}
