//! Skills, in the format of the Agent Skills specification.

mod text;

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

pub use text::SkillSection;

use super::front_matter;

/// Instructions for doing something well, which a host loads when they fit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Skill {
    /// Its name, which is also the name of its folder.
    pub name: String,
    /// When to load it.
    pub description: String,
    /// Other front matter.
    pub metadata: BTreeMap<String, String>,
    /// The whole file.
    pub text: String,
    /// The path it was read from; `None` if it is embedded.
    pub origin: Option<String>,
}

/// Metadata key for the maximum tokens of a skill.
pub const BUDGET_KEY: &str = "agon-max-context-tokens";

#[derive(Deserialize)]
struct SkillFront {
    name: String,
    description: String,
    #[serde(default)]
    metadata: Option<Value>,
}

impl Skill {
    /// Parses the skill in the folder `folder`.
    ///
    /// # Errors
    ///
    /// The reason if it cannot be read.
    pub fn parse(folder: &str, text: &str) -> Result<Self, String> {
        let parts = front_matter::divide(text, "---").map_err(|error| error.to_string())?;
        let front: SkillFront =
            serde_yaml_ng::from_str(parts.front).map_err(|error| error.to_string())?;
        // Published skills also have numbers, lists and maps in their metadata, so other types are
        // accepted.
        let metadata = front.metadata.and_then(|all| all.as_object().cloned());
        let metadata = metadata.into_iter().flatten();
        let metadata = metadata.filter_map(|(key, value)| match value {
            Value::String(text) => Some((key, text)),
            Value::Number(_) | Value::Bool(_) => Some((key, value.to_string())),
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        });
        if front.name != folder {
            return Err(format!(
                "its name `{}` does not match its folder",
                front.name
            ));
        }
        Ok(Self {
            name: front.name,
            description: front.description,
            metadata: metadata.collect(),
            text: text.to_owned(),
            origin: None,
        })
    }

    /// Returns the maximum tokens that it declares.
    pub fn budget(&self) -> Option<usize> {
        self.metadata.get(BUDGET_KEY)?.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use agon_tokens::count_tokens;

    use super::*;
    use crate::content::{embedded, team};

    fn all() -> impl Iterator<Item = Skill> {
        let debate = embedded().unwrap().skills;
        debate.into_iter().chain(team().unwrap().skills)
    }

    #[test]
    fn no_skill_takes_more_tokens_than_it_says() {
        for skill in all() {
            // A prompt contains no front matter.
            let tokens = count_tokens(skill.body());
            let budget = skill.budget().unwrap();
            eprintln!("{}: {tokens} tokens of {budget}", skill.name);
            assert!(tokens <= budget, "{}: {tokens} > {budget}", skill.name);
            // A budget that is far too high is useless.
            assert!(tokens * 5 >= budget * 4, "{}: {tokens}", skill.name);
        }
    }

    #[test]
    fn every_skill_has_a_worked_example() {
        for skill in all() {
            let mut lines = skill.body().lines();
            let has_one = lines.any(|line| line.starts_with("Example"));
            assert!(has_one, "{}", skill.name);
        }
    }

    #[test]
    fn every_skill_says_its_version_triggers_and_roles() {
        for skill in all() {
            for key in ["version", "agon-triggers", "agon-roles", BUDGET_KEY] {
                assert!(skill.metadata.contains_key(key), "{}: {key}", skill.name);
            }
        }
    }

    #[test]
    fn the_list_of_all_skills_leaves_a_host_its_window() {
        // 1 % of 200,000 tokens is what Claude Code gives names and descriptions; more is cut.
        let lines = all().map(|skill| format!("{}: {}\n", skill.name, skill.description));
        let tokens = count_tokens(&lines.collect::<String>());
        assert!(tokens <= 2_000, "{tokens}");
    }

    #[test]
    fn a_phrase_calls_for_one_skill_alone_and_never_against_it() {
        let mut phrases = BTreeMap::new();
        for skill in all() {
            let split = |key: &str| -> Vec<String> {
                let text = skill.metadata.get(key).cloned().unwrap_or_default();
                text.split("; ").map(str::to_owned).collect()
            };
            let against = split("agon-counter-phrases");
            for phrase in split("agon-triggers") {
                assert!(!against.contains(&phrase), "{}: {phrase}", skill.name);
                assert_eq!(phrase, phrase.to_lowercase(), "{}", skill.name);
                let other = phrases.insert(phrase.clone(), skill.name.clone());
                assert_eq!(other, None, "{phrase}");
            }
        }
    }

    #[test]
    fn the_skills_of_a_team_say_what_does_not_call_for_them() {
        let known_elsewhere = [
            ("context-engineering", "cek-context-engineering"),
            ("judge-with-debate", "sadd-judge-with-debate"),
            ("prompt-engineering", "cek-prompt-engineering"),
            ("test-prompt", "cek-test-prompt"),
            ("thought-based-reasoning", "cek-thought-based-reasoning"),
        ];
        let mut aliases = Vec::new();
        for skill in team().unwrap().skills {
            assert!(
                skill.metadata.contains_key("agon-counter-phrases"),
                "{}",
                skill.name
            );
            if let Some(alias) = skill.metadata.get("agon-aliases") {
                aliases.push((skill.name.clone(), alias.clone()));
            }
        }
        let known = known_elsewhere.map(|(name, alias)| (name.to_owned(), alias.to_owned()));
        assert_eq!(aliases, known);
    }
}
