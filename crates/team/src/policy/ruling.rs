//! What a policy says of one act, and why.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::glob::PathGlob;
use crate::id::RoleName;
use crate::policy::file::{MemberSpending, Policy, PolicyEffect, PolicyRule};

/// An act.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PolicyQuestion {
    /// Whose.
    pub role: RoleName,
    /// With which tool.
    #[serde(default)]
    pub tool: String,
    /// On which path, relative to the repository.
    #[serde(default)]
    pub path: Option<String>,
    /// What was spent before.
    #[serde(default)]
    pub spent: MemberSpending,
}

impl PolicyQuestion {
    /// An act of a role, with no tool, on no path, with nothing spent.
    pub fn of(role: RoleName) -> Self {
        Self {
            role,
            tool: String::new(),
            path: None,
            spent: MemberSpending::default(),
        }
    }
}

/// One rule, beside a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RuleNote {
    /// Its number in the file, from 1.
    pub rule: usize,
    /// The line in which it begins, from 1.
    pub line: usize,
    /// What it says.
    pub effect: PolicyEffect,
    /// Whether it applies.
    pub applies: bool,
    /// Why it was written, or by what it does not apply.
    pub note: String,
}

/// What a policy says of an act.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Ruling {
    /// Whether it may be done.
    pub effect: PolicyEffect,
    /// In one sentence, by what.
    pub why: String,
    /// The line of the rule that decides, from 1; null where none does.
    pub line: Option<usize>,
    /// Every rule of the file.
    pub rules: Vec<RuleNote>,
}

impl Policy {
    /// What the policy says of an act, with every rule and why it does or does not apply.
    ///
    /// Of the rules that apply deny wins over ask, and ask over allow, whatever their order. A path
    /// that leaves the repository is denied, whatever the rules say.
    pub fn rule_on(&self, question: &PolicyQuestion) -> Ruling {
        if let Some(fault) = &self.fault {
            return Ruling {
                effect: PolicyEffect::Deny,
                why: format!("the policy cannot be followed, so it denies everything: {fault}"),
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
                // One that only may apply must not let anything through.
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
                "no rule applies, so the default does".to_owned(),
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
    /// Whether it names this tool.
    pub fn names_tool(&self, tool: &str) -> bool {
        let names = |pattern: &String| match pattern.strip_suffix('*') {
            Some(start) => tool.starts_with(start),
            None => *pattern == tool,
        };
        self.tools.iter().any(names)
    }

    /// By what it does not apply; none where it does.
    fn obstacle(&self, question: &PolicyQuestion, path: Option<&PathGlob>) -> Option<String> {
        if !self.roles.is_empty() && !self.roles.contains(&question.role) {
            return Some(format!("not of the role {}", question.role));
        }
        if !self.tools.is_empty() && !self.names_tool(&question.tool) {
            return Some(format!("not of the tool {:?}", question.tool));
        }
        if let Some(obstacle) = self.path_obstacle(path) {
            return Some(obstacle);
        }
        match &self.over {
            Some(limit) if !question.spent.is_over(limit) => {
                Some("not that much is spent".to_owned())
            }
            Some(_) | None => None,
        }
    }

    /// Whether it is about all paths, or a glob of it was found to cover this one.
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
            Some(path) => Some(format!("not of the path {path}")),
            None => Some("of paths, and the act has none".to_owned()),
        }
    }
}
