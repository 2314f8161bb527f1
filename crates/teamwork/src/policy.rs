//! What members may do: the files that say so, and what they say of one act.

use std::path::{Path, PathBuf};

use agon_caller::{Caller, Failure};
use agon_install::team_policy::{read, read_all};
use agon_team::id::{MemberName, RoleName};
use agon_team::policy::{MemberSpending, Policy, PolicyEffect, PolicyQuestion, RuleNote, Ruling};
use agon_team::store::{StoreError, TeamLocation};
use schemars::JsonSchema;
use serde::Serialize;

use super::door::{failure, open};

/// The name and version of the document of a check.
pub const POLICY_CHECK_SCHEMA: &str = "agon.policy_check/1";
/// The name and version of the document of a ruling.
pub const POLICY_RULING_SCHEMA: &str = "agon.policy_ruling/1";

/// The policies that hold here: `agon.policy_check/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PolicyCheckDoc {
    #[schemars(extend("const" = POLICY_CHECK_SCHEMA))]
    schema: &'static str,
    /// Each file; none where nothing is forbidden.
    pub files: Vec<PolicyFileState>,
}

/// A file of a policy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PolicyFileState {
    /// Where it is.
    pub path: PathBuf,
    /// How many rules it has.
    pub rules: usize,
    /// What holds where none of them applies.
    pub default: PolicyEffect,
    /// Why it is not followed, and everything is denied; null where it is.
    pub fault: Option<String>,
}

/// What the policies say of one act: `agon.policy_ruling/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PolicyRulingDoc {
    #[schemars(extend("const" = POLICY_RULING_SCHEMA))]
    schema: &'static str,
    /// The act.
    pub question: PolicyQuestion,
    /// Whether it may be done.
    pub effect: PolicyEffect,
    /// In one sentence, by what.
    pub why: String,
    /// The file that decides; null where there is none.
    pub file: Option<PathBuf>,
    /// The line of the rule that decides, from 1; null where none does.
    pub line: Option<usize>,
    /// Every rule of that file, and by what it does not apply.
    pub rules: Vec<RuleNote>,
}

impl PolicyCheckDoc {
    /// Whether every file is followed.
    pub fn is_sound(&self) -> bool {
        self.files.iter().all(|file| file.fault.is_none())
    }
}

/// Whose act is asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PolicySubject {
    /// That of a role.
    Role(RoleName),
    /// That of a member, in the role that it joined in.
    Member(MemberName),
}

/// An act that is asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyRequest {
    /// Whose.
    pub subject: PolicySubject,
    /// With which tool.
    pub tool: String,
    /// On which path.
    pub path: Option<String>,
    /// What was spent before.
    pub spent: MemberSpending,
}

/// Checks the policies that hold here, or the file that is named.
///
/// # Errors
///
/// If no file is named and the caller is in no repository.
pub fn check(caller: &Caller, file: Option<&Path>) -> Result<PolicyCheckDoc, Failure> {
    let policies = match file {
        // One that is named has to be there.
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

/// What the policies that hold here say of an act; the strictest file decides.
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

/// What the strictest of the files that hold here says of an act, and which it is.
pub(crate) fn rule_on(
    caller: &Caller,
    location: &TeamLocation,
    question: &PolicyQuestion,
) -> (Option<PathBuf>, Ruling) {
    let rulings = read_all(caller, location)
        .into_iter()
        .map(|(path, policy)| (Some(path), policy.rule_on(question)));
    // Of two that are as strict, the first.
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
