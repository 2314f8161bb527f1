//! Compiles a role's policies to the permissions of AI tools.

mod member;

use std::path::PathBuf;

use agon_caller::{Caller, Failure};
use agon_hosts::field::FieldOutcome;
use agon_hosts::host::{HOSTS, Host};
use agon_hosts::permit::{PermissionScope, RuleOutcome};
use agon_install::team_policy::{LeftOutRule, policy_effect_of, read_all, resolve, user_file};
use agon_team::id::RoleName;
use agon_team::policy::{Policy, PolicyEffect};
use agon_team::store::TeamLocation;
use schemars::JsonSchema;
use serde::Serialize;

pub(super) use self::member::{
    MemberSession, access_for_role, allows_by_rule, find_denied_change, find_denied_submodule,
    for_member,
};
use super::open_team::failure;

/// The name and version of the document.
pub const POLICY_COMPILED_SCHEMA: &str = "agon.policy_compiled/1";

/// Whose sessions the policies are compiled for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CompileFor {
    /// The user's own sessions, in every folder or only in this project.
    Sessions {
        /// Whether only in this project.
        is_for_project: bool,
    },
    /// A member that Agon starts with this role.
    Member(RoleName),
}

/// The policies that apply here, as permissions of AI tools: `agon.policy_compiled/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PolicyCompiledDoc {
    #[schemars(extend("const" = POLICY_COMPILED_SCHEMA))]
    schema: &'static str,
    /// The kind of sessions: `user`, `project` or `member`.
    pub sessions: &'static str,
    /// The member's role; null for the user's own sessions.
    pub role: Option<String>,
    /// The policy files, in the order in which rules refer to them.
    pub files: Vec<PathBuf>,
    /// The AI tools.
    pub hosts: Vec<CompiledHostDoc>,
}

/// The permissions for an AI tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CompiledHostDoc {
    /// The name of the tool.
    pub host: String,
    /// Where they are written; null if nothing is written.
    pub place: Option<String>,
    /// The translated rules; null if none are written.
    pub text: Option<String>,
    /// Each rule that denies or asks, and how the tool enforces it.
    pub rules: Vec<CompiledRuleDoc>,
}

/// How an AI tool enforces a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CompiledRuleDoc {
    /// The policy file.
    pub file: PathBuf,
    /// The line of the rule, from 1; null for the default effect.
    pub line: Option<usize>,
    /// The effect of the rule.
    pub effect: PolicyEffect,
    /// The policy's tool that the rule is about.
    pub tool: String,
    /// The path that the rule is about; null for all paths.
    pub path: Option<String>,
    /// Whether the AI tool enforces it.
    pub held: bool,
    /// How it is enforced, or why it is not.
    pub how: String,
}

/// Compiles the policies that apply here for one host, or for all hosts.
///
/// # Errors
///
/// If the caller is in no repository, or there is no such host.
pub fn compile(
    caller: &Caller,
    whom: &CompileFor,
    host: Option<&str>,
) -> Result<PolicyCompiledDoc, Failure> {
    let hosts: Vec<&'static Host> = match host {
        Some(name) => vec![agon_install::hosts::require_host(name)?],
        None => HOSTS.iter().collect(),
    };
    let location = TeamLocation::find(&caller.cwd).map_err(failure)?;
    let all = read_all(caller, &location);
    let (policies, role) = match whom {
        // The team's policy applies to one repository only.
        CompileFor::Sessions { is_for_project } => {
            (policies_for_sessions(caller, all, *is_for_project), None)
        }
        CompileFor::Member(role) => (all, Some(role)),
    };
    let resolved = resolve(&policies, role, None);
    let root = location.work_tree.clone().unwrap_or(caller.cwd.clone());
    let root = root.canonicalize().unwrap_or(root);
    let project = caller.project();
    let (scope, sessions) = match whom {
        CompileFor::Sessions {
            is_for_project: false,
        } => (PermissionScope::User, "user"),
        CompileFor::Sessions {
            is_for_project: true,
        } => (
            PermissionScope::of_project(&project, location.work_tree.as_deref()),
            "project",
        ),
        CompileFor::Member(_) => (PermissionScope::Member(&root), "member"),
    };
    let hosts = hosts.into_iter().map(|host| {
        let compiled = host.permissions.compile(&resolved.rules, &scope);
        let mut rules: Vec<CompiledRuleDoc> = compiled
            .outcomes
            .iter()
            .filter_map(|outcome| rule_document(&policies, outcome))
            .collect();
        rules.extend(resolved.left.iter().map(left_out));
        CompiledHostDoc {
            host: host.name.to_owned(),
            place: compiled
                .text
                .is_some()
                .then(|| place_of(caller, host, &scope)),
            text: compiled.text,
            rules,
        }
    });
    Ok(PolicyCompiledDoc {
        schema: POLICY_COMPILED_SCHEMA,
        sessions,
        role: role.map(ToString::to_string),
        files: policies.iter().map(|(path, _)| path.clone()).collect(),
        hosts: hosts.collect(),
    })
}

/// Returns the policies for the user's sessions: the user's own everywhere, the team's only in its
/// project.
fn policies_for_sessions(
    caller: &Caller,
    all: Vec<(PathBuf, Policy)>,
    is_for_project: bool,
) -> Vec<(PathBuf, Policy)> {
    let own = user_file(caller);
    let holds = |(path, _): &(PathBuf, Policy)| is_for_project || Some(path) == own.as_ref();
    all.into_iter().filter(holds).collect()
}

fn left_out(rule: &LeftOutRule) -> CompiledRuleDoc {
    CompiledRuleDoc {
        file: rule.file.clone(),
        line: Some(rule.line),
        effect: rule.effect,
        tool: rule.tools.clone(),
        path: rule.paths.clone(),
        held: false,
        how: rule.why.to_owned(),
    }
}

fn rule_document(policies: &[(PathBuf, Policy)], outcome: &RuleOutcome) -> Option<CompiledRuleDoc> {
    let (path, policy) = policies.get(outcome.rule.file)?;
    let rule = outcome
        .rule
        .rule
        .and_then(|number| policy.rules.get(number.checked_sub(1)?));
    let (held, how) = match outcome.outcome {
        FieldOutcome::Kept => (true, ""),
        FieldOutcome::Translated(how) => (true, how),
        FieldOutcome::NotEnforced(why) => (false, why),
    };
    Some(CompiledRuleDoc {
        file: path.clone(),
        line: rule.map(|rule| rule.line),
        effect: rule.map_or(policy_effect_of(outcome.effect), |rule| rule.effect),
        tool: outcome.power.name().to_owned(),
        path: outcome.glob.clone(),
        held,
        how: how.to_owned(),
    })
}

fn place_of(caller: &Caller, host: &'static Host, scope: &PermissionScope<'_>) -> String {
    if scope.is_member() {
        return host.permissions.member_place.to_owned();
    }
    let is_for_project = matches!(
        scope,
        PermissionScope::Project(_) | PermissionScope::Part(_)
    );
    let place = agon_install::hosts::installation(caller, host, is_for_project).ok();
    let path = place.and_then(|place| place.places.permissions);
    path.map(|path| path.display().to_string())
        .unwrap_or_default()
}
