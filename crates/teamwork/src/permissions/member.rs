//! Policies of a started member: what its tool enforces, and what Agon checks after a turn.

use std::path::{Path, PathBuf};

use agon_agents::profile::{Access, WorkPolicy};
use agon_caller::Caller;
use agon_hosts::content::agent::Power;
use agon_hosts::host::{Host, find_host};
use agon_hosts::permit::{
    MemberForm, PermissionEffect, PermissionRule, PermissionRules, PermissionScope, RuleOutcome,
};
use agon_hosts::roster::RoleSettings;
use agon_install::team_policy::{read_all, resolve};
use agon_team::id::RoleName;
use agon_team::policy::{MemberSpending, Policy, PolicyEffect, PolicyQuestion};
use agon_team::store::TeamLocation;

use crate::text::clean_line;
use crate::trees::ChangedPath;

/// Returns whether a member's tool may write. Of its role's powers, only `edit` decides this.
pub(crate) fn access_for_role(settings: &RoleSettings) -> Access {
    match settings.may.value.contains(&Power::Edit) {
        true => Access::Writes,
        false => Access::Reads,
    }
}

/// Returns the policy that a member's tool is started with, or `None` if it would forbid nothing
/// that the tool can enforce.
pub(crate) fn for_member(
    caller: &Caller,
    location: &TeamLocation,
    member: &MemberSession<'_>,
) -> Option<WorkPolicy> {
    let policies = read_all(caller, location);
    let host = find_host(member.host)?;
    let text = text_for(host, &policies, member)?;
    match host.permissions.member {
        MemberForm::Rules => Some(WorkPolicy::Rules(text)),
        MemberForm::Settings => serde_json::from_str(&text).ok().map(WorkPolicy::Settings),
        MemberForm::Arguments => serde_json::from_str(&text).ok().map(WorkPolicy::Arguments),
    }
}

/// Compiles the policies to the form of the member's tool.
fn text_for(
    host: &Host,
    policies: &[(PathBuf, Policy)],
    member: &MemberSession<'_>,
) -> Option<String> {
    if policies.is_empty() {
        return None;
    }
    let mut resolved = resolve(policies, Some(member.role), Some(&member.spent));
    let denial = (!member.may_edit).then(|| deny_edits(&mut resolved.rules));
    // Tools compare paths with the resolved form of the folder.
    let tree = member.tree.canonicalize();
    let tree = tree.as_deref().unwrap_or(member.tree);
    let scope = PermissionScope::Member(tree);
    let compiled = host.permissions.compile(&resolved.rules, &scope);
    let is_denial = |it: &RuleOutcome| Some(it.rule.file) == denial && it.power == Power::Edit;
    let mut denials = compiled.outcomes.iter().filter(|it| is_denial(it));
    // The policy would replace the tool's access mode. If the tool cannot enforce the denial of
    // edits, use no policy, so that the access mode applies.
    if denial.is_some() && !denials.any(RuleOutcome::is_enforced) {
        return None;
    }
    compiled.text
}

/// Appends rules that deny every edit and removes other rules about edits, because a policy
/// replaces the tool's access mode. Returns the index of the appended rules.
fn deny_edits(files: &mut Vec<PermissionRules>) -> usize {
    for file in files.iter_mut() {
        for rule in &mut file.rules {
            rule.powers.remove(&Power::Edit);
        }
        file.rules.retain(|rule| !rule.powers.is_empty());
    }
    files.push(PermissionRules {
        default: PermissionEffect::Allow,
        rules: vec![PermissionRule {
            number: 1,
            effect: PermissionEffect::Deny,
            powers: [Power::Edit].into(),
            paths: Vec::new(),
        }],
    });
    files.len() - 1
}

/// A member to start.
pub(crate) struct MemberSession<'a> {
    pub(crate) host: &'a str,
    pub(crate) role: &'a RoleName,
    pub(crate) tree: &'a Path,
    pub(crate) may_edit: bool,
    /// The member's earlier spending.
    pub(crate) spent: MemberSpending,
}

/// Returns a description of the first path that the policies deny the member to change. Checked
/// after the turn, because tools cannot enforce every rule and a started member has no hooks.
pub(crate) fn find_denied_change(
    caller: &Caller,
    location: &TeamLocation,
    member: &MemberSession<'_>,
    paths: &[String],
) -> Option<String> {
    let policies = read_all(caller, location);
    paths.iter().find_map(|path| {
        let question = PolicyQuestion {
            tool: Power::Edit.name().to_owned(),
            path: Some(path.clone()),
            spent: member.spent,
            ..PolicyQuestion::of(member.role.clone())
        };
        policies.iter().find_map(|(file, policy)| {
            let ruling = policy.rule_on(&question);
            let line = ruling.line.map(|line| format!(":{line}"));
            (ruling.effect == PolicyEffect::Deny).then(|| {
                format!(
                    "it changed {path}, which the policy denies ({}{})",
                    file.display(),
                    line.unwrap_or_default()
                )
            })
        })
    })
}

/// Returns a description of the first submodule commit that the member changed without a rule that
/// allows it.
pub(crate) fn find_denied_submodule<'a>(
    caller: &Caller,
    location: &TeamLocation,
    member: &MemberSession<'_>,
    mut links: impl Iterator<Item = &'a ChangedPath>,
) -> Option<String> {
    let refused = links.find(|it| !allows_by_rule(caller, location, member.role, &it.path))?;
    let denied = find_denied_change(
        caller,
        location,
        member,
        std::slice::from_ref(&refused.path),
    );
    Some(denied.unwrap_or_else(|| {
        let path = clean_line(&refused.path);
        format!("it changed the submodule {path}, which no policy rule allows")
    }))
}

/// Returns whether a policy rule explicitly allows a role to change a path and no policy denies it.
/// A default effect of `allow` does not count.
pub(crate) fn allows_by_rule(
    caller: &Caller,
    location: &TeamLocation,
    role: &RoleName,
    path: &str,
) -> bool {
    let question = PolicyQuestion {
        tool: Power::Edit.name().to_owned(),
        path: Some(path.to_owned()),
        ..PolicyQuestion::of(role.clone())
    };
    let policies = read_all(caller, location);
    let mut is_allowed = false;
    for (_, policy) in &policies {
        let ruling = policy.rule_on(&question);
        if ruling.effect != PolicyEffect::Allow {
            return false;
        }
        is_allowed |= ruling.line.is_some();
    }
    is_allowed
}

#[cfg(test)]
mod tests {
    use super::*;

    use agon_hosts::host::HOSTS;

    fn policies(texts: &[&str]) -> Vec<(PathBuf, Policy)> {
        let head = "schema = \"agon.policy/1\"\n";
        let parsed = texts.iter().map(|text| {
            let policy = Policy::parse(&format!("{head}{text}"));
            assert_eq!(policy.fault, None, "{text}");
            (PathBuf::from("policy.toml"), policy)
        });
        parsed.collect()
    }

    fn reviewer<'a>(host: &Host, role: &'a RoleName, tree: &'a Path) -> MemberSession<'a> {
        MemberSession {
            host: host.name,
            role,
            tree,
            may_edit: false,
            spent: MemberSpending::default(),
        }
    }

    #[test]
    fn a_member_that_may_not_edit_may_not_whatever_exceptions_the_policies_make() {
        let role: RoleName = "reviewer".parse().unwrap();
        let excepting = |folder: &str| {
            format!(
                "default = \"deny\"\n[[rule]]\neffect = \"allow\"\ntools = [\"edit\"]\npaths = [\"{folder}\"]\n"
            )
        };
        let (docs, src) = (excepting("docs"), excepting("src"));
        let asking = docs.replace("allow", "ask");
        let lax = "default = \"allow\"";
        for texts in [
            vec![docs.as_str(), src.as_str()],
            vec![docs.as_str()],
            vec![asking.as_str(), src.as_str()],
            vec![lax],
        ] {
            for host in HOSTS {
                let tree = Path::new("/srv/tree");
                let text = text_for(host, &policies(&texts), &reviewer(host, &role, tree)).unwrap();
                let scope = PermissionScope::Member(tree);
                let read = host.permissions.read(&text, &scope).unwrap();
                for path in ["docs/a.md", "src/a.rs", "Cargo.toml"] {
                    let found = read.verdict(Power::Edit, Some(path), &scope);
                    assert_eq!(
                        found,
                        PermissionEffect::Deny,
                        "{} {path}: {texts:?} {text}",
                        host.name
                    );
                }
            }
        }
    }

    #[test]
    fn the_tree_of_a_member_is_named_as_the_system_knows_it() {
        let dir = tempfile::tempdir().unwrap();
        let real = dir.path().canonicalize().unwrap().join("real");
        std::fs::create_dir(&real).unwrap();
        let link = dir.path().join("link");
        std::os::unix::fs::symlink(&real, &link).unwrap();
        let role: RoleName = "worker".parse().unwrap();
        let denying = "default = \"allow\"\n[[rule]]\neffect = \"deny\"\ntools = [\"edit\"]\npaths = [\"a.md\"]\n";
        for name in ["claude", "gemini", "copilot"] {
            let host = find_host(name).unwrap();
            let member = MemberSession {
                may_edit: true,
                ..reviewer(host, &role, &link)
            };
            let text = text_for(host, &policies(&[denying]), &member).unwrap();
            let scope = PermissionScope::Member(&real);
            let read = host.permissions.read(&text, &scope).unwrap();
            let found = read.verdict(Power::Edit, Some("a.md"), &scope);
            assert_eq!(found, PermissionEffect::Deny, "{name}: {text}");
            assert!(!text.contains("link"), "{name}: {text}");
        }
    }
}
