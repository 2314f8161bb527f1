//! The policy file.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::glob::PathGlob;
use crate::id::RoleName;

/// The effect of a rule. If several rules apply, the later one in this list wins.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum PolicyEffect {
    /// The action is allowed.
    Allow,
    /// A person is asked first.
    Ask,
    /// The action is forbidden.
    Deny,
}

impl PolicyEffect {
    /// Returns its name in documents.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}

/// A member's spending on its task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct MemberSpending {
    /// Tokens.
    pub tokens: u64,
    /// Minutes.
    pub minutes: u64,
    /// Millionths of the billing currency.
    pub cost_micros: u64,
}

impl MemberSpending {
    /// Returns whether any value exceeds its limit; a limit of 0 means no limit.
    pub fn is_over(&self, limit: &Self) -> bool {
        let over = |spent: u64, limit: u64| limit > 0 && spent > limit;
        over(self.tokens, limit.tokens)
            || over(self.minutes, limit.minutes)
            || over(self.cost_micros, limit.cost_micros)
    }
}

/// A rule. It applies if all of its conditions hold; a condition that it does not name always
/// holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PolicyRule {
    /// Its effect.
    pub effect: PolicyEffect,
    /// The roles that it applies to.
    #[serde(default)]
    pub roles: BTreeSet<RoleName>,
    /// The tools that it applies to: full names, or prefixes that end with `*`.
    #[serde(default)]
    pub tools: BTreeSet<String>,
    /// The paths in the repository that it applies to.
    #[serde(default)]
    pub paths: Vec<PathGlob>,
    /// Applies only after more than this was spent.
    pub over: Option<MemberSpending>,
    /// The reason for the rule, shown with its ruling.
    #[serde(default)]
    pub why: String,
    /// The line of the file where it starts, from 1.
    #[serde(skip)]
    pub line: usize,
}

/// The parsed text of a policy file.
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
    /// The effect if no rule applies.
    pub default: PolicyEffect,
    /// The rules, in the order of the file.
    pub rules: Vec<PolicyRule>,
    /// Why the file is invalid; everything is denied then.
    pub fault: Option<String>,
}

impl Policy {
    /// Parses a file. A file that does not parse, or has an unknown key or version, denies
    /// everything, because what it meant to forbid is unknown.
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
            Ok(file) => Self::denying(format!(
                "the schema is {:?}, but must be {SCHEMA:?}",
                file.schema
            )),
            Err(error) => Self::denying(error.to_string().trim().to_owned()),
        }
    }

    /// Returns the policy used if there is no file: it forbids nothing.
    pub const fn silent() -> Self {
        Self {
            default: PolicyEffect::Allow,
            rules: Vec::new(),
            fault: None,
        }
    }

    /// Returns the policy used for an invalid file: it denies everything.
    pub const fn denying(fault: String) -> Self {
        Self {
            default: PolicyEffect::Deny,
            rules: Vec::new(),
            fault: Some(fault),
        }
    }
}

/// Returns the line of a byte offset, from 1.
fn line_at(text: &str, byte: usize) -> usize {
    let before = text.get(..byte).unwrap_or_default();
    1 + before.matches('\n').count()
}
