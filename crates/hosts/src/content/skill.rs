//! A skill, in the form of the Agent Skills specification.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::front_matter;

/// How to do something well; a host loads it when it fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skill {
    /// Its name, and that of its folder.
    pub name: String,
    /// When to load it.
    pub description: String,
    /// What else is known of it.
    pub metadata: BTreeMap<String, String>,
    /// The whole file.
    pub text: String,
}

/// The key of the most tokens that a skill may take.
pub const BUDGET_KEY: &str = "agon-max-context-tokens";

#[derive(Deserialize)]
struct SkillFront {
    name: String,
    description: String,
    #[serde(default)]
    metadata: BTreeMap<String, String>,
}

impl Skill {
    /// The skill in the folder `folder`.
    pub(super) fn parse(folder: &str, text: &str) -> Result<Self, String> {
        let parts = front_matter::divide(text, "---").map_err(|error| error.to_string())?;
        let front: SkillFront =
            serde_yaml_ng::from_str(parts.front).map_err(|error| error.to_string())?;
        if front.name != folder {
            return Err(format!(
                "its name is `{}`, not that of its folder",
                front.name
            ));
        }
        Ok(Self {
            name: front.name,
            description: front.description,
            metadata: front.metadata,
            text: text.to_owned(),
        })
    }

    /// The most tokens that it says it takes.
    pub fn budget(&self) -> Option<usize> {
        self.metadata.get(BUDGET_KEY)?.parse().ok()
    }
}

/// How many o200k tokens `text` has: what a model is given of a skill, front matter included.
pub fn count_tokens(text: &str) -> usize {
    tiktoken_rs::o200k_base_singleton().count_ordinary(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::embedded;

    #[test]
    fn no_skill_takes_more_tokens_than_it_says() {
        for skill in embedded().unwrap().skills {
            let tokens = count_tokens(&skill.text);
            let budget = skill.budget().unwrap();
            eprintln!("{}: {tokens} tokens of {budget}", skill.name);
            assert!(tokens <= budget, "{}: {tokens} > {budget}", skill.name);
            // A budget that is far off says nothing.
            assert!(tokens * 5 >= budget * 4, "{}: {tokens}", skill.name);
        }
    }

    #[test]
    fn every_skill_says_its_version_triggers_and_roles() {
        for skill in embedded().unwrap().skills {
            for key in ["version", "agon-triggers", "agon-roles", BUDGET_KEY] {
                assert!(skill.metadata.contains_key(key), "{}: {key}", skill.name);
            }
        }
    }
}
