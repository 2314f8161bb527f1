//! A tool's models by class, and the effect of an effort on the tool.

use agon_record::spec::{Effort, ModelClass};
use serde::Deserialize;

use super::{Profile, Transport};

/// The model of each class, by the name that the tool accepts.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelClasses {
    /// The fastest and cheapest model.
    pub fast: String,
    /// The model for most work.
    pub standard: String,
    /// The model with the best reasoning.
    pub strong: String,
    /// The date on which the models were looked up, such as `2026-11-25`.
    pub as_of: String,
    /// Whether an effort chooses the model. Otherwise it sets only the effort level, and these
    /// models are used when one tool takes both sides.
    #[serde(default = "yes")]
    pub by_effort: bool,
}

fn yes() -> bool {
    true
}

impl ModelClasses {
    /// Returns the model of this class.
    pub fn model(&self, class: ModelClass) -> &str {
        match class {
            ModelClass::Fast => &self.fast,
            ModelClass::Standard => &self.standard,
            ModelClass::Strong => &self.strong,
        }
    }

    /// Returns the model that an effort chooses; `None` if it does not choose one.
    pub fn model_for_effort(&self, effort: Effort) -> Option<(ModelClass, &str)> {
        let class = effort.model_class();
        self.by_effort.then(|| (class, self.model(class)))
    }
}

impl Profile {
    /// Returns the most simultaneous calls of this tool where an account may make `most`. A program
    /// keeps its own limit if that is lower, because its calls share files and memory on this machine.
    pub fn most_calls(&self, most: usize) -> usize {
        match self.http.is_some() {
            true => most,
            false => most.min(self.concurrency),
        }
    }

    /// Returns whether the tool accepts an effort over this transport; `None` if that is known only
    /// once a conversation is open.
    pub fn accepts_effort(&self, by: Transport) -> Option<bool> {
        match by {
            Transport::Cli => {
                let levels = |cli: &super::Cli| cli.effort.values().any(|args| !args.is_empty());
                Some(self.cli.as_ref().is_some_and(levels))
            }
            Transport::Acp => self.acp.as_ref()?.takes_effort,
            Transport::Http => Some(self.http.as_ref().is_some_and(|http| http.effort)),
            Transport::Local | Transport::Human => Some(false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Profiles;

    #[test]
    fn an_effort_chooses_the_model_where_a_tool_has_classes_of_them() {
        let profiles = Profiles::builtin().unwrap();
        let chosen = |tool: &str| {
            let named = profiles
                .iter()
                .find(|profile| profile.name.as_str() == tool);
            let classes = named.unwrap().classes.as_ref();
            Effort::ALL.map(|effort| {
                let chosen = classes.and_then(|classes| classes.model_for_effort(effort));
                chosen.map_or("", |(_, model)| model).to_owned()
            })
        };
        assert_eq!(chosen("claude"), ["haiku", "sonnet", "opus", "opus"]);
        assert_eq!(chosen("gemini"), ["flash", "flash", "pro", "pro"]);
        for tool in ["codex", "opencode", "copilot", "kiro", "local", "human"] {
            assert_eq!(chosen(tool), ["", "", "", ""], "{tool}");
        }
    }

    #[test]
    fn every_tool_says_whether_it_takes_a_level() {
        let profiles = Profiles::builtin().unwrap();
        let takes = |tool: &str| {
            let named = profiles
                .iter()
                .find(|profile| profile.name.as_str() == tool)
                .unwrap();
            [Transport::Cli, Transport::Acp].map(|by| named.accepts_effort(by))
        };
        for tool in ["claude", "codex", "opencode"] {
            assert_eq!(takes(tool), [Some(true), Some(true)], "{tool}");
        }
        assert_eq!(takes("copilot"), [Some(true), Some(false)]);
        assert_eq!(takes("gemini"), [Some(false), Some(false)]);
        assert_eq!(takes("kiro"), [Some(false), None]);
    }
}
