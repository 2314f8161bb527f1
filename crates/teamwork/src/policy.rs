//! Policies: the files that say what members may do, and their ruling on one action.

use std::path::{Path, PathBuf};

use agon_caller::{Caller, Failure};
use agon_install::team_policy::{read, read_all};
use agon_team::id::{MemberName, RoleName};
use agon_team::policy::{MemberSpending, Policy, PolicyEffect, PolicyQuestion, RuleNote, Ruling};
use agon_team::store::{StoreError, TeamLocation};
use schemars::JsonSchema;
use serde::Serialize;

use super::open_team::{failure, open};

/// The name and version of the policy check document.
pub const POLICY_CHECK_SCHEMA: &str = "agon.policy_check/1";
/// The name and version of the policy ruling document.
pub const POLICY_RULING_SCHEMA: &str = "agon.policy_ruling/1";

/// The policies that apply here: `agon.policy_check/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PolicyCheckDoc {
    #[schemars(extend("const" = POLICY_CHECK_SCHEMA))]
    schema: &'static str,
    /// The policy files; empty if nothing is forbidden.
    pub files: Vec<PolicyFileState>,
}

/// A policy file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PolicyFileState {
    /// Its path.
    pub path: PathBuf,
    /// The number of its rules.
    pub rules: usize,
    /// The effect if no rule applies.
    pub default: PolicyEffect,
    /// The error because of which everything is denied; null if the file is valid.
    pub fault: Option<String>,
}

/// The policies' ruling on an action: `agon.policy_ruling/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PolicyRulingDoc {
    #[schemars(extend("const" = POLICY_RULING_SCHEMA))]
    schema: &'static str,
    /// The action.
    pub question: PolicyQuestion,
    /// Whether the action is allowed.
    pub effect: PolicyEffect,
    /// The reason, in one sentence.
    pub why: String,
    /// The file that decides; null if there is none.
    pub file: Option<PathBuf>,
    /// The line of the rule that decides, from 1; null if no rule does.
    pub line: Option<usize>,
    /// Every rule of that file, and why it does not apply.
    pub rules: Vec<RuleNote>,
}

impl PolicyCheckDoc {
    /// Returns whether every file is valid.
    pub fn is_sound(&self) -> bool {
        self.files.iter().all(|file| file.fault.is_none())
    }
}

/// Whose action is judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PolicySubject {
    /// A role's.
    Role(RoleName),
    /// A member's, in the role that it joined with.
    Member(MemberName),
}

/// An action to judge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyRequest {
    /// Whose action it is.
    pub subject: PolicySubject,
    /// The tool.
    pub tool: String,
    /// The path.
    pub path: Option<String>,
    /// The member's earlier spending.
    pub spent: MemberSpending,
}

/// Checks the policies that apply here, or the named file.
///
/// # Errors
///
/// Fails if no file is named and the caller is in no repository.
pub fn check(caller: &Caller, file: Option<&Path>) -> Result<PolicyCheckDoc, Failure> {
    let policies = match file {
        // A named file must exist, unlike the files that apply by default.
        Some(path) => vec![(path.to_owned(), read_named(&caller.cwd.join(path)))],
        None => read_all(caller, &TeamLocation::find(&caller.cwd).map_err(failure)?),
    };
    let files = policies.into_iter().map(|(path, policy)| PolicyFileState {
        path,
        rules: policy.rules.len(),
        default: policy.default,
        fault: policy.fault,
    });
    Ok(PolicyCheckDoc {
        schema: POLICY_CHECK_SCHEMA,
        files: files.collect(),
    })
}

/// Returns the ruling of the policies that apply here on an action; the strictest file decides.
///
/// # Errors
///
/// If the caller is in no repository, or there is no such member.
pub fn explain(caller: &Caller, request: PolicyRequest) -> Result<PolicyRulingDoc, Failure> {
    let role = match request.subject {
        PolicySubject::Role(role) => role,
        PolicySubject::Member(name) => {
            let (mut team, _) = open(caller)?;
            let members = team.members().map_err(failure)?;
            let found = members.into_iter().find(|member| member.name == name);
            let missing = || failure(StoreError::NoMember(name.clone()));
            found.ok_or_else(missing)?.role
        }
    };
    let location = TeamLocation::find(&caller.cwd).map_err(failure)?;
    let question = PolicyQuestion {
        role,
        tool: request.tool,
        path: request.path,
        spent: request.spent,
    };
    let (file, ruling) = rule_on(caller, &location, &question);
    Ok(PolicyRulingDoc {
        schema: POLICY_RULING_SCHEMA,
        question,
        effect: ruling.effect,
        why: ruling.why,
        file,
        line: ruling.line,
        rules: ruling.rules,
    })
}

/// Returns the strictest ruling of the policy files on an action, and its file.
pub(crate) fn rule_on(
    caller: &Caller,
    location: &TeamLocation,
    question: &PolicyQuestion,
) -> (Option<PathBuf>, Ruling) {
    let rulings = read_all(caller, location)
        .into_iter()
        .map(|(path, policy)| (Some(path), policy.rule_on(question)));
    // If two files are equally strict, the first decides.
    let strictest = rulings.reduce(|one, other| match other.1.effect > one.1.effect {
        true => other,
        false => one,
    });
    strictest.unwrap_or_else(|| {
        let ruling = Policy::silent().rule_on(question);
        let why = "no policy is set".to_owned();
        (None, Ruling { why, ..ruling })
    })
}

fn read_named(path: &Path) -> Policy {
    read(path).unwrap_or_else(|| Policy::denying("there is no such file".to_owned()))
}
