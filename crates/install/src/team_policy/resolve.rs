//! Resolves policies to rules that a host can enforce.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use agon_hosts::content::agent::Power;
use agon_hosts::permit::{PermissionEffect, PermissionRule, PermissionRules};
use agon_team::id::RoleName;
use agon_team::policy::{MemberSpending, Policy, PolicyEffect, PolicyRule};

/// A rule that no host can enforce.
pub struct LeftOutRule {
    /// Its file.
    pub file: PathBuf,
    /// Its line, from 1.
    pub line: usize,
    /// Its effect.
    pub effect: PolicyEffect,
    /// Its tools; `*` for all.
    pub tools: String,
    /// Its paths, if it names any.
    pub paths: Option<String>,
    /// Why hosts cannot enforce it.
    pub why: &'static str,
}

/// Reasons why a rule is not in a tool's permissions.
const OF_A_ROLE: &str = "only hooks know the role of your session";
const OF_A_BUDGET: &str = "only Agon knows how much was spent";
const OF_NO_TOOL: &str = "unknown tool; `agon team policy explain` shows the decision";

/// Policies resolved for a host.
pub struct ResolvedRules {
    /// Rules for the host.
    pub rules: Vec<PermissionRules>,
    /// Rules that no host can enforce.
    pub left: Vec<LeftOutRule>,
}

/// Resolves `policies` for a role, or for sessions without one.
pub fn resolve(
    policies: &[(PathBuf, Policy)],
    role: Option<&RoleName>,
    spent: Option<&MemberSpending>,
) -> ResolvedRules {
    let mut left = Vec::new();
    let rules = policies.iter().map(|(path, policy)| {
        let own = policy.rules.iter().zip(1..);
        let own = own.filter_map(|(rule, number)| match resolve_rule(rule, role, spent) {
            Ok(powers) if powers.is_empty() => None,
            Ok(powers) => {
                let unknown = without_permission_tools(rule);
                if rule.effect > PolicyEffect::Allow && !unknown.tools.is_empty() {
                    left.push(left_out(path, &unknown, OF_NO_TOOL));
                }
                Some(PermissionRule {
                    number,
                    effect: effect_of(rule.effect),
                    powers,
                    paths: rule.paths.iter().map(ToString::to_string).collect(),
                })
            }
            Err(why) => {
                if rule.effect > PolicyEffect::Allow {
                    left.push(left_out(path, rule, why));
                }
                None
            }
        });
        PermissionRules {
            rules: own.collect(),
            default: effect_of(policy.default),
        }
    });
    ResolvedRules {
        rules: rules.collect(),
        left,
    }
}

/// Returns the permissions that a rule is about; empty if it does not apply, or the reason why a host
/// cannot decide it.
fn resolve_rule(
    rule: &PolicyRule,
    role: Option<&RoleName>,
    spent: Option<&MemberSpending>,
) -> Result<BTreeSet<Power>, &'static str> {
    match role {
        Some(role) if !rule.roles.is_empty() && !rule.roles.contains(role) => {
            return Ok(BTreeSet::new());
        }
        None if !rule.roles.is_empty() => return Err(OF_A_ROLE),
        Some(_) | None => {}
    }
    match (&rule.over, spent) {
        (Some(limit), Some(spent)) if !spent.is_over(limit) => return Ok(BTreeSet::new()),
        (Some(_), None) => return Err(OF_A_BUDGET),
        (Some(_), Some(_)) | (None, _) => {}
    }
    let is_named = |power: &Power| rule.tools.is_empty() || rule.names_tool(power.name());
    let powers: BTreeSet<Power> = Power::ALL.into_iter().filter(is_named).collect();
    match powers.is_empty() {
        true => Err(OF_NO_TOOL),
        false => Ok(powers),
    }
}

/// Returns the rule with only those tools that belong to no permission.
fn without_permission_tools(rule: &PolicyRule) -> PolicyRule {
    let mut rule = rule.clone();
    let tools = std::mem::take(&mut rule.tools).into_iter();
    let unknown = tools.filter(|tool| {
        let named = PolicyRule {
            tools: [tool.clone()].into(),
            ..rule.clone()
        };
        let mut all = Power::ALL.into_iter();
        !all.any(|power| named.names_tool(power.name()))
    });
    rule.tools = unknown.collect();
    rule
}

fn left_out(path: &Path, rule: &PolicyRule, why: &'static str) -> LeftOutRule {
    let tools: Vec<&str> = rule.tools.iter().map(String::as_str).collect();
    let paths: Vec<String> = rule.paths.iter().map(ToString::to_string).collect();
    LeftOutRule {
        file: path.to_owned(),
        line: rule.line,
        effect: rule.effect,
        tools: match tools.is_empty() {
            true => "*".to_owned(),
            false => tools.join(", "),
        },
        paths: (!paths.is_empty()).then(|| paths.join(", ")),
        why,
    }
}

pub(crate) const fn effect_of(effect: PolicyEffect) -> PermissionEffect {
    match effect {
        PolicyEffect::Allow => PermissionEffect::Allow,
        PolicyEffect::Ask => PermissionEffect::Ask,
        PolicyEffect::Deny => PermissionEffect::Deny,
    }
}

/// Converts a permission effect to a policy effect.
pub const fn policy_effect_of(effect: PermissionEffect) -> PolicyEffect {
    match effect {
        PermissionEffect::Allow => PolicyEffect::Allow,
        PermissionEffect::Ask => PolicyEffect::Ask,
        PermissionEffect::Deny => PolicyEffect::Deny,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_that_hosts_do_not_know_is_named_beside_those_that_they_know() {
        let text = "schema = \"agon.policy/1\"\ndefault = \"allow\"\n
            [[rule]]\neffect = \"deny\"\ntools = [\"run\", \"mcp__github_push\", \"re*\", \"x*\"]\n
            [[rule]]\neffect = \"deny\"\ntools = [\"push\"]\n
            [[rule]]\neffect = \"allow\"\ntools = [\"run\", \"y\"]\n
            [[rule]]\neffect = \"deny\"\n";
        let policy = Policy::parse(text);
        assert_eq!(policy.fault, None);
        let resolved = resolve(&[(PathBuf::from("policy.toml"), policy)], None, None);
        let left = resolved.left.iter();
        let left: Vec<&str> = left.map(|rule| rule.tools.as_str()).collect();
        assert_eq!(left, ["mcp__github_push, x*", "push"]);
        let first = resolved.rules.first().and_then(|file| file.rules.first());
        let powers = first.map(|rule| rule.powers.clone());
        assert_eq!(powers, Some([Power::Read, Power::Run].into()));
    }
}
