//! The rules of debates.

use agon_caller::{Code, Failure, similar};
pub use agon_record::finding::Severity;
pub use agon_rules::rule::Rule;
use agon_rules::rule::{self, RULES};
use schemars::JsonSchema;
use serde::Serialize;

/// Every rule, by family: `agon.rules/1`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RulesDoc {
    schema: &'static str,
    /// The rules.
    pub rules: Vec<RuleLine>,
}

/// A rule in one line.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct RuleLine {
    /// Its code, such as `quote`.
    pub code: &'static str,
    /// The family of the rule.
    pub family: &'static str,
    /// The default severity of a violation.
    pub severity: Severity,
    /// What the rule requires.
    pub about: &'static str,
}

/// One rule, explained: `agon.rule/1`.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct RuleDoc {
    schema: &'static str,
    /// The rule in one line.
    #[serde(flatten)]
    pub rule: RuleLine,
    /// A page about the rule, with an example.
    pub explain: &'static str,
}

impl From<&'static Rule> for RuleLine {
    fn from(rule: &'static Rule) -> Self {
        let Rule {
            code,
            family,
            severity,
            about,
            ..
        } = *rule;
        Self {
            code,
            family,
            severity,
            about,
        }
    }
}

/// Returns every rule, by family.
pub fn all() -> RulesDoc {
    RulesDoc {
        schema: "agon.rules/1",
        rules: RULES.iter().map(RuleLine::from).collect(),
    }
}

/// Returns the rule `code` with its explanation.
///
/// # Errors
///
/// As [`find`].
pub fn explain(code: &str) -> Result<RuleDoc, Failure> {
    let rule = find(code)?;
    Ok(RuleDoc {
        schema: "agon.rule/1",
        rule: rule.into(),
        explain: rule.explain,
    })
}

/// Finds the rule named `code`.
///
/// # Errors
///
/// If there is no such rule; the hint suggests similar names.
pub fn find(code: &str) -> Result<&'static Rule, Failure> {
    rule::find_rule(code).ok_or_else(|| {
        let codes = RULES.iter().map(|rule| rule.code);
        Failure::new(Code::UnknownRule, format!("unknown rule `{code}`"))
            .parameter("code")
            .hint(similar::hint(code, codes, "`agon rules` lists them all"))
    })
}
