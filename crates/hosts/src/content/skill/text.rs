//! The text of a skill, whole or by section.

use agon_selection::SkillText;

use super::Skill;
use crate::content::front_matter;
use crate::content::requests::requests_of;

/// A section of a skill: a second-level heading and the text down to the next one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillSection {
    /// Its heading.
    pub heading: String,
    /// Its text, with the heading.
    pub text: String,
}

/// Metadata key for the hosts that get a skill; without it, all do.
const HOSTS_KEY: &str = "agon-hosts";

impl Skill {
    /// Returns its text without front matter.
    pub fn body(&self) -> &str {
        let divided = front_matter::divide(&self.text, "---");
        divided
            .map_or(self.text.as_str(), |divided| divided.body)
            .trim()
    }

    /// Returns its sections; empty if it has no second-level headings.
    pub fn sections(&self) -> Vec<SkillSection> {
        let mut sections: Vec<SkillSection> = Vec::new();
        let mut is_code = false;
        for line in self.body().lines() {
            if line.trim_start().starts_with("```") {
                is_code = !is_code;
            }
            match line.strip_prefix("## ") {
                Some(heading) if !is_code => sections.push(SkillSection {
                    heading: heading.trim().to_owned(),
                    text: format!("{line}\n"),
                }),
                Some(_) | None => {
                    if let Some(section) = sections.last_mut() {
                        section.text.push_str(line);
                        section.text.push('\n');
                    }
                }
            }
        }
        for section in &mut sections {
            section.text.truncate(section.text.trim_end().len());
        }
        sections
    }

    /// Returns the list under `key` in its metadata.
    pub fn list(&self, key: &str) -> Vec<String> {
        let text = self.metadata.get(key).map(String::as_str);
        let items = text.unwrap_or_default().split(';').map(str::trim);
        items
            .filter(|item| !item.is_empty())
            .map(str::to_owned)
            .collect()
    }

    /// Returns its names in other collections.
    pub fn aliases(&self) -> Vec<String> {
        self.list("agon-aliases")
    }

    /// Returns the text with which a request is compared.
    pub fn document(&self) -> SkillText {
        let is_heading = |line: &&str| line.starts_with('#');
        let (headings, body): (Vec<&str>, Vec<&str>) = self.body().lines().partition(is_heading);
        SkillText {
            name: self.name.clone(),
            description: self.description.clone(),
            triggers: self.list("agon-triggers"),
            counter_phrases: self.list("agon-counter-phrases"),
            examples: match self.origin {
                // A skill from elsewhere shares only the name with ours, so our examples do not
                // describe it.
                Some(_) => Vec::new(),
                None => requests_of(&self.name),
            },
            headings: headings
                .into_iter()
                .map(|line| line.trim_start_matches('#').trim().to_owned())
                .collect(),
            body: body.join("\n"),
            roles: self.list("agon-roles"),
            hosts: self.list(HOSTS_KEY),
        }
    }
}
