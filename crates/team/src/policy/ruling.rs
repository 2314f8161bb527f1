//! Decides what a policy says about an action, and why.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::glob::PathGlob;
use crate::id::RoleName;
use crate::policy::file::{MemberSpending, Policy, PolicyEffect, PolicyRule};

/// An action to judge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PolicyQuestion {
    /// The role that acts.
    pub role: RoleName,
    /// The tool.
    #[serde(default)]
    pub tool: String,
    /// The path, relative to the repository.
    #[serde(default)]
    pub path: Option<String>,
    /// The member's earlier spending.
    #[serde(default)]
    pub spent: MemberSpending,
}

impl PolicyQuestion {
    /// Returns an action of a role without a tool, a path or spending.
    pub fn of(role: RoleName) -> Self {
        Self {
            role,
            tool: String::new(),
            path: None,
            spent: MemberSpending::default(),
        }
    }
}

/// A rule and whether it applies to an action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RuleNote {
    /// Its number in the file, from 1.
    pub rule: usize,
    /// The line where it starts, from 1.
    pub line: usize,
    /// Its effect.
    pub effect: PolicyEffect,
    /// Whether it applies.
    pub applies: bool,
    /// The reason given in the rule, or why it does not apply.
    pub note: String,
}

/// A policy's ruling on an action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Ruling {
    /// Whether the action is allowed.
    pub effect: PolicyEffect,
    /// The reason, in one sentence.
    pub why: String,
    /// The line of the rule that decides, from 1; null if none does.
    pub line: Option<usize>,
    /// Every rule of the file.
    pub rules: Vec<RuleNote>,
}

impl Policy {
    /// Returns the policy's ruling on an action, with every rule and why it does or does not apply.
    ///
    /// Of the rules that apply, `deny` wins over `ask`, and `ask` over `allow`, in any order. A
    /// path that leaves the repository is always denied.
    pub fn rule_on(&self, question: &PolicyQuestion) -> Ruling {
        if let Some(fault) = &self.fault {
            return Ruling {
                effect: PolicyEffect::Deny,
                why: format!("the policy file is invalid, so everything is denied: {fault}"),
                line: None,
                rules: Vec::new(),
            };
        }
        let path = match question.path.as_deref().map(PathGlob::file) {
            Some(Err(error)) => {
                return Ruling {
                    effect: PolicyEffect::Deny,
                    why: error.to_string(),
                    line: None,
                    rules: Vec::new(),
                };
            }
            Some(Ok(path)) => Some(path),
            None => None,
        };
        let rules: Vec<RuleNote> = self
            .rules
            .iter()
            .zip(1..)
            .map(|(rule, number)| {
                let obstacle = rule.obstacle(question, path.as_ref());
                // If the rule may or may not cover the path, deny: an `allow` rule must not apply
                // by mistake.
                if obstacle.is_none() && !rule.surely_covers(path.as_ref()) {
                    return RuleNote {
                        rule: number,
                        line: rule.line,
                        effect: PolicyEffect::Deny,
                        applies: true,
                        note: "its globs take too long to compare with the path".to_owned(),
                    };
                }
                RuleNote {
                    rule: number,
                    line: rule.line,
                    effect: rule.effect,
                    applies: obstacle.is_none(),
                    note: obstacle.unwrap_or_else(|| rule.why.clone()),
                }
            })
            .collect();
        let applying = rules.iter().filter(|note| note.applies);
        let effect = applying.clone().map(|note| note.effect).max();
        let strictest = applying
            .into_iter()
            .find(|note| Some(note.effect) == effect);
        let line = strictest.map(|note| note.line);
        let (effect, why) = match strictest {
            Some(note) if note.note.is_empty() => (note.effect, format!("rule {}", note.rule)),
            Some(note) => (note.effect, format!("rule {}: {}", note.rule, note.note)),
            None => (
                self.default,
                "no rule applies, so the default decides".to_owned(),
            ),
        };
        Ruling {
            effect,
            why,
            line,
            rules,
        }
    }
}

impl PolicyRule {
    /// Returns whether it names this tool.
    pub fn names_tool(&self, tool: &str) -> bool {
        let names = |pattern: &String| match pattern.strip_suffix('*') {
            Some(start) => tool.starts_with(start),
            None => *pattern == tool,
        };
        self.tools.iter().any(names)
    }

    /// Returns why it does not apply, or `None` if it does.
    fn obstacle(&self, question: &PolicyQuestion, path: Option<&PathGlob>) -> Option<String> {
        if !self.roles.is_empty() && !self.roles.contains(&question.role) {
            return Some(format!("not for the role {}", question.role));
        }
        if !self.tools.is_empty() && !self.names_tool(&question.tool) {
            return Some(format!("not for the tool {:?}", question.tool));
        }
        if let Some(obstacle) = self.path_obstacle(path) {
            return Some(obstacle);
        }
        match &self.over {
            Some(limit) if !question.spent.is_over(limit) => {
                Some("its spending limit is not reached".to_owned())
            }
            Some(_) | None => None,
        }
    }

    /// Returns whether it is about all paths, or one of its globs was found to cover this one.
    fn surely_covers(&self, path: Option<&PathGlob>) -> bool {
        let covers = |path| {
            let mut globs = self.paths.iter();
            globs.any(|glob| glob.compare(path) == Some(true))
        };
        self.paths.is_empty() || path.is_some_and(covers)
    }

    fn path_obstacle(&self, path: Option<&PathGlob>) -> Option<String> {
        let covered = |path: &PathGlob| self.paths.iter().any(|glob| glob.overlaps(path));
        match path {
            _ if self.paths.is_empty() => None,
            Some(path) if covered(path) => None,
            Some(path) => Some(format!("not for the path {path}")),
            None => Some("for paths only, and the action has none".to_owned()),
        }
    }
}
