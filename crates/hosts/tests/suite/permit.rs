//! Policies in the forms of hosts: what is held of them, and what is said not to be.

use std::path::Path;

use agon_hosts::content::agent::Power;
use agon_hosts::host::find_host;
use agon_hosts::permit::{
    CompiledPermissions, PermissionEffect, PermissionForm, PermissionRule, PermissionRules,
    PermissionScope,
};

const TREE: &str = "/srv/tree";
const HOSTS: [&str; 5] = ["claude", "codex", "gemini", "opencode", "copilot"];

fn form(host: &str) -> PermissionForm {
    find_host(host).unwrap().permissions
}

fn file(default: PermissionEffect, rules: &[(PermissionEffect, &[&str])]) -> PermissionRules {
    let rules = rules.iter().zip(1..);
    let rules = rules.map(|((effect, paths), number)| PermissionRule {
        number,
        effect: *effect,
        powers: [Power::Edit].into(),
        paths: paths.iter().map(|&path| path.to_owned()).collect(),
    });
    PermissionRules {
        default,
        rules: rules.collect(),
    }
}

fn denying(path: &str) -> PermissionRules {
    file(
        PermissionEffect::Allow,
        &[(PermissionEffect::Deny, &[path])],
    )
}

fn are_held(compiled: &CompiledPermissions) -> bool {
    compiled
        .outcomes
        .iter()
        .all(|outcome| outcome.is_enforced())
}

#[test]
fn a_denial_of_all_edits_is_written_beside_two_files_that_make_exceptions() {
    let excepting = |path| {
        file(
            PermissionEffect::Deny,
            &[(PermissionEffect::Allow, &[path] as &[&str])],
        )
    };
    let whole = file(PermissionEffect::Allow, &[(PermissionEffect::Deny, &[])]);
    let scope = PermissionScope::Member(Path::new(TREE));
    for host in HOSTS {
        for at in 0..3 {
            let mut files = vec![excepting("docs"), excepting("src")];
            files.insert(at, whole.clone());
            let compiled = form(host).compile(&files, &scope);
            let text = compiled.text.clone().unwrap();
            let read = form(host).read(&text, &scope).unwrap();
            for path in ["docs/a.md", "src/a.rs", "x.toml"] {
                let found = read.verdict(Power::Edit, Some(path), &scope);
                assert_eq!(found, PermissionEffect::Deny, "{host} {at} {path}: {text}");
            }
            let mut outcomes = compiled.outcomes.iter();
            assert!(
                outcomes.any(|it| it.rule.file == at && it.is_enforced()),
                "{host} {at}: {:#?}",
                compiled.outcomes
            );
        }
    }
}

#[test]
fn a_letter_is_denied_in_every_spelling() {
    let scope = PermissionScope::Member(Path::new(TREE));
    let spelled = ["caf\u{e9}.md", "cafe\u{301}.md", "cafe\u{341}.md"];
    for host in HOSTS {
        for glob in spelled {
            let rules = denying(glob);
            let compiled = form(host).compile(std::slice::from_ref(&rules), &scope);
            assert!(are_held(&compiled), "{host} {glob}");
            let text = compiled.text.unwrap();
            let read = form(host).read(&text, &scope).unwrap();
            for path in spelled {
                let found = read.verdict(Power::Edit, Some(path), &scope);
                assert_eq!(found, PermissionEffect::Deny, "{host} {path}: {text}");
            }
        }
        for glob in ["secrets/?.pem", "x\u{30c}.md"] {
            let rules = denying(glob);
            let compiled = form(host).compile(std::slice::from_ref(&rules), &scope);
            assert!(!are_held(&compiled), "{host} {glob}");
        }
    }
}

#[test]
fn an_exception_that_is_asked_about_later_is_named() {
    let asking = file(
        PermissionEffect::Deny,
        &[(PermissionEffect::Ask, &["docs"])],
    );
    let scope = PermissionScope::Member(Path::new(TREE));
    for host in HOSTS {
        let compiled = form(host).compile(std::slice::from_ref(&asking), &scope);
        let of_rule = compiled.outcomes.iter();
        let of_rule: Vec<_> = of_rule.filter(|it| it.rule.rule == Some(1)).collect();
        assert_eq!(of_rule.len(), 1, "{host}: {:#?}", compiled.outcomes);
        assert_eq!(of_rule[0].effect, PermissionEffect::Ask, "{host}");
        assert!(!of_rule[0].is_enforced(), "{host}");
    }
}

#[test]
fn paths_that_begin_elsewhere_are_in_no_rule_of_claudes() {
    let rules = denying(".github");
    let dir = tempfile::tempdir().unwrap();
    let (tree, link) = (dir.path().join("repo"), dir.path().join("link"));
    let part = tree.join("mono");
    std::fs::create_dir_all(&part).unwrap();
    std::os::unix::fs::symlink(&tree, &link).unwrap();
    for (scope, is_held) in [
        (PermissionScope::User, false),
        (PermissionScope::of_project(&part, Some(&tree)), false),
        (PermissionScope::of_project(&tree, Some(&tree)), true),
        (PermissionScope::of_project(&link, Some(&tree)), true),
        (PermissionScope::of_project(&part, None), true),
    ] {
        let compiled = form("claude").compile(std::slice::from_ref(&rules), &scope);
        assert_eq!(compiled.text.is_some(), is_held, "{scope:?}");
        assert_eq!(are_held(&compiled), is_held, "{scope:?}");
        // OpenCode takes every path from the work tree on.
        let compiled = form("opencode").compile(std::slice::from_ref(&rules), &scope);
        assert!(are_held(&compiled), "{scope:?}");
    }
}

#[test]
fn a_folder_that_a_host_cannot_quote_is_refused() {
    let rules = denying("a.md");
    for (host, roots) in [
        (
            "claude",
            &["/srv/a\"b", "/srv/a\\b", "/srv/a(b", "/srv/a\nb"] as &[&str],
        ),
        (
            "gemini",
            &["/srv/a\"b", "/srv/a\\b", "/srv/a'''b", "/srv/a\nb"],
        ),
        (
            "copilot",
            &["/srv/a\"b", "/srv/a\\b", "/srv/a'b", "/srv/a,b"],
        ),
    ] {
        for root in roots {
            let scope = PermissionScope::Member(Path::new(root));
            let compiled = form(host).compile(std::slice::from_ref(&rules), &scope);
            assert_eq!(compiled.text, None, "{host} {root:?}");
            assert!(!are_held(&compiled), "{host} {root:?}");
        }
        for root in ["/srv/a b", "/srv/ä-b_c.d"] {
            let scope = PermissionScope::Member(Path::new(root));
            let compiled = form(host).compile(std::slice::from_ref(&rules), &scope);
            let text = compiled.text.clone().unwrap();
            let read = form(host).read(&text, &scope).unwrap();
            let found = read.verdict(Power::Edit, Some("a.md"), &scope);
            assert_eq!(found, PermissionEffect::Deny, "{host} {root:?}: {text}");
            assert!(are_held(&compiled), "{host} {root:?}");
        }
    }
}

#[test]
fn a_glob_with_too_many_alternatives_is_said_not_to_be_held() {
    let scope = PermissionScope::Member(Path::new(TREE));
    for glob in ["{a,b}".repeat(22), "**/a/".repeat(40), "x/{a,}".to_owned()] {
        for host in HOSTS {
            let rules = denying(&glob);
            let compiled = form(host).compile(std::slice::from_ref(&rules), &scope);
            let is_linear = glob.starts_with("**") && ["claude", "gemini"].contains(&host);
            assert_eq!(are_held(&compiled), is_linear, "{host} {glob}");
        }
    }
}
