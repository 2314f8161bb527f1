//! The policies that hold for a role, in the permissions of AI tools.

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
    MemberSession, access_of, allows_by_rule, for_member, refused_change, refused_gitlink,
};
use super::door::failure;

/// The name and version of the document.
pub const POLICY_COMPILED_SCHEMA: &str = "agon.policy_compiled/1";

/// For whom policies are compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CompileFor {
    /// The user's own sessions, in all folders or in this project.
    Sessions {
        /// Whether in this project alone.
        is_for_project: bool,
    },
    /// A member that Agon starts in this role.
    Member(RoleName),
}

/// The policies that hold here in the permissions of AI tools: `agon.policy_compiled/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PolicyCompiledDoc {
    #[schemars(extend("const" = POLICY_COMPILED_SCHEMA))]
    schema: &'static str,
    /// For which sessions: `user`, `project` or `member`.
    pub sessions: &'static str,
    /// The role of the member; null where it is of no member.
    pub role: Option<String>,
    /// The files, in the order in which rules name them.
    pub files: Vec<PathBuf>,
    /// Each tool.
    pub hosts: Vec<CompiledHostDoc>,
}

/// What an AI tool is given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CompiledHostDoc {
    /// The tool.
    pub host: String,
    /// Where it goes; null where nothing is written.
    pub place: Option<String>,
    /// What is written; null where nothing is.
    pub text: Option<String>,
    /// Each rule that forbids something or asks, and what became of it.
    pub rules: Vec<CompiledRuleDoc>,
}

/// What became of a rule in an AI tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CompiledRuleDoc {
    /// The file.
    pub file: PathBuf,
    /// The line of the rule, from 1; null for what holds where no rule applies.
    pub line: Option<usize>,
    /// What it says.
    pub effect: PolicyEffect,
    /// Of which tool of the policy's.
    pub tool: String,
    /// On what; null where of all acts.
    pub path: Option<String>,
    /// Whether the tool holds it.
    pub held: bool,
    /// By what, or why not.
    pub how: String,
}

/// Compiles the policies that hold here for one host, or for all of them.
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
        Some(name) => vec![agon_install::hosts::host_called(name)?],
        None => HOSTS.iter().collect(),
    };
    let location = TeamLocation::find(&caller.cwd).map_err(failure)?;
    let all = read_all(caller, &location);
    let (policies, role) = match whom {
        // What the team's file says is of one repository.
        CompileFor::Sessions { is_for_project } => {
            (of_sessions(caller, all, *is_for_project), None)
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

/// The policies that hold in sessions of the user's: their own everywhere, the team's in its project.
fn of_sessions(
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
