//! The file of a policy.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::glob::PathGlob;
use crate::id::RoleName;

/// What a rule says. The later one wins.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum PolicyEffect {
    /// It may be done.
    Allow,
    /// A person is asked first.
    Ask,
    /// It may not be done.
    Deny,
}

impl PolicyEffect {
    /// Its word in documents.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}

/// What a member has spent on its task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct MemberSpending {
    /// Tokens.
    pub tokens: u64,
    /// Minutes.
    pub minutes: u64,
    /// Millionths of the currency of the bill.
    pub cost_micros: u64,
}

impl MemberSpending {
    /// Whether any of it is over a limit; a limit of zero is none.
    pub fn is_over(&self, limit: &Self) -> bool {
        let over = |spent: u64, limit: u64| limit > 0 && spent > limit;
        over(self.tokens, limit.tokens)
            || over(self.minutes, limit.minutes)
            || over(self.cost_micros, limit.cost_micros)
    }
}

/// A rule. It applies where everything that it names applies; what it does not name, always does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PolicyRule {
    /// What it says.
    pub effect: PolicyEffect,
    /// To which roles.
    #[serde(default)]
    pub roles: BTreeSet<RoleName>,
    /// Of which tools: whole names, or with a `*` at the end all that begin so.
    #[serde(default)]
    pub tools: BTreeSet<String>,
    /// On which paths of the repository.
    #[serde(default)]
    pub paths: Vec<PathGlob>,
    /// Once more than this was spent.
    pub over: Option<MemberSpending>,
    /// Why, for those who run into it.
    #[serde(default)]
    pub why: String,
    /// The line of the file in which it begins, from 1.
    #[serde(skip)]
    pub line: usize,
}

/// The text of a policy, as it is parsed.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PolicyText {
    schema: String,
    #[serde(default = "deny")]
    default: PolicyEffect,
    #[serde(default, rename = "rule")]
    rules: Vec<toml::Spanned<PolicyRule>>,
}

const fn deny() -> PolicyEffect {
    PolicyEffect::Deny
}

/// The name and version of the file.
const SCHEMA: &str = "agon.policy/1";

/// The policy of a team.
///
/// ```
/// use agon_team::policy::{PolicyEffect, Policy, PolicyQuestion};
/// let policy = Policy::parse(
///     r#"
///     schema = "agon.policy/1"
///     default = "ask"
///     [[rule]]
///     effect = "allow"
///     tools = ["read", "edit"]
///     [[rule]]
///     effect = "deny"
///     paths = [".github"]
///     why = "workflows are the maintainers'"
///     "#,
/// );
/// let question = PolicyQuestion { tool: "edit".into(), path: Some(".github/ci.yml".into()), ..PolicyQuestion::of("worker".parse()?) };
/// assert_eq!(policy.rule_on(&question).effect, PolicyEffect::Deny);
/// # Ok::<(), agon_team::id::IdError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// What holds where no rule applies.
    pub default: PolicyEffect,
    /// The rules, in the order of the file.
    pub rules: Vec<PolicyRule>,
    /// Why the file is not followed: everything is denied then.
    pub fault: Option<String>,
}

impl Policy {
    /// Parses a file. One that does not parse, with an unknown key or version, denies everything:
    /// what it was to forbid is not known.
    pub fn parse(text: &str) -> Self {
        match toml::from_str::<PolicyText>(text) {
            Ok(file) if file.schema == SCHEMA => Self {
                default: file.default,
                rules: file
                    .rules
                    .into_iter()
                    .map(|rule| PolicyRule {
                        line: line_at(text, rule.span().start),
                        ..rule.into_inner()
                    })
                    .collect(),
                fault: None,
            },
            Ok(file) => Self::denying(format!("its schema is {:?}, not {SCHEMA:?}", file.schema)),
            Err(error) => Self::denying(error.to_string().trim().to_owned()),
        }
    }

    /// A policy that says nothing: where there is no file.
    pub const fn silent() -> Self {
        Self {
            default: PolicyEffect::Allow,
            rules: Vec::new(),
            fault: None,
        }
    }

    /// The policy that denies everything, for a file that cannot be followed.
    pub const fn denying(fault: String) -> Self {
        Self {
            default: PolicyEffect::Deny,
            rules: Vec::new(),
            fault: Some(fault),
        }
    }
}

/// The line of a byte, from 1.
fn line_at(text: &str, byte: usize) -> usize {
    let before = text.get(..byte).unwrap_or_default();
    1 + before.matches('\n').count()
}
