//! The policies of a member that Agon starts: what its tool holds, and what is looked at after a turn.

use std::path::Path;

use agon_agents::profile::WorkPolicy;
use agon_hosts::content::agent::Power;
use agon_hosts::permit::{
    PermissionEffect, PermissionRule, PermissionRules, PermissionScope, compile_permissions,
};
use agon_team::id::RoleName;
use agon_team::policy::{MemberSpending, PolicyEffect, PolicyQuestion};
use agon_team::store::TeamLocation;

use crate::caller::Caller;
use crate::team_policy::{read_all, resolve};

/// What a member's tool is started with, so that it holds the policies for its role; none where they
/// forbid nothing that it could hold.
pub(in crate::team) fn for_member(
    caller: &Caller,
    location: &TeamLocation,
    member: &MemberSession<'_>,
) -> Option<WorkPolicy> {
    let policies = read_all(caller, location);
    let mut resolved = resolve(&policies, Some(member.role), Some(&member.spent));
    if !member.may_edit {
        // What a tool is started with in the place of its access has to say so itself.
        resolved.rules.push(PermissionRules {
            default: PermissionEffect::Allow,
            rules: vec![PermissionRule {
                number: 1,
                effect: PermissionEffect::Deny,
                powers: [Power::Edit].into(),
                paths: Vec::new(),
            }],
        });
    }
    if policies.is_empty() {
        return None;
    }
    let scope = PermissionScope::Member(member.tree);
    let text = compile_permissions(member.host, &resolved.rules, &scope).text?;
    match member.host {
        "gemini" => Some(WorkPolicy::Rules(text)),
        "claude" | "opencode" => serde_json::from_str(&text).ok().map(WorkPolicy::Settings),
        _ => serde_json::from_str(&text).ok().map(WorkPolicy::Arguments),
    }
}

/// A member that is started.
pub(in crate::team) struct MemberSession<'a> {
    pub(in crate::team) host: &'a str,
    pub(in crate::team) role: &'a RoleName,
    pub(in crate::team) tree: &'a Path,
    pub(in crate::team) may_edit: bool,
    /// What was spent before.
    pub(in crate::team) spent: MemberSpending,
}

/// The first of these paths that the policies deny the member to have changed, with the rule: tools
/// cannot hold every rule, and a member has no hooks.
pub(in crate::team) fn refused_change(
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
                    "it changed {path}, and the policy denies that ({}{})",
                    file.display(),
                    line.unwrap_or_default()
                )
            })
        })
    })
}
