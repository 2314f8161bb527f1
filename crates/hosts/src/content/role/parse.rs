//! Parses a role from its file. Each error names the line and how to fix it.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::error::RoleError;
use super::sections::{RoleSections, divide_sections};
use super::{Role, RoleBudget};
use crate::content::agent::{Effort, ModelClass, Power};
use crate::content::front_matter::{self, NoFrontMatter};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RoleFront {
    name: String,
    version: String,
    purpose: String,
    call_when: String,
    instead: BTreeMap<String, String>,
    needs: Vec<String>,
    model: ModelClass,
    effort: Effort,
    temperature: Option<f64>,
    may: BTreeSet<Power>,
    #[serde(default)]
    edit_only: Vec<String>,
    #[serde(default)]
    agon: Vec<String>,
    #[serde(default)]
    commands: Vec<String>,
    #[serde(default)]
    skills: Vec<String>,
    budget: RoleBudget,
}

impl Role {
    /// Parses the role in the file `stem`.md.
    ///
    /// # Errors
    ///
    /// If the file is not a role.
    pub fn parse(stem: &str, text: &str) -> Result<Self, RoleError> {
        let parts = front_matter::divide(text, "+++").map_err(|error| {
            let hint = match error {
                NoFrontMatter::Begin(_) => {
                    "start the file with its settings between two `+++` lines"
                }
                NoFrontMatter::End(_) => "end the settings with a `+++` line",
            };
            RoleError::new(1, error.to_string(), hint)
        })?;
        let front: RoleFront =
            toml::from_str(parts.front).map_err(|error| front_matter_error(parts.front, &error))?;
        let body_line = text.lines().count() - parts.body.lines().count();
        let sections = divide_sections(parts.body, body_line)?;
        let role = front.with_sections(sections);
        let line = |key| line_of(parts.front, key);
        match role.first_fault(stem) {
            None => Ok(role),
            Some((key, what, hint)) => Err(RoleError::new(line(key), what, hint)),
        }
    }

    /// Returns the first inconsistent setting: its key, what is wrong, and how to fix it.
    fn first_fault(&self, stem: &str) -> Option<(&'static str, String, &'static str)> {
        let faults = [
            (
                self.name != stem,
                "name",
                format!(
                    "its name is `{}`, but its file is called `{stem}`",
                    self.name
                ),
                "give both the same name",
            ),
            (
                self.may.is_empty(),
                "may",
                "`may` is empty".to_owned(),
                "add at least `read`",
            ),
            (
                self.needs.is_empty(),
                "needs",
                "`needs` is empty".to_owned(),
                "name what it must be given to begin",
            ),
            (
                !self.edit_only.is_empty() && !self.may.contains(&Power::Edit),
                "edit_only",
                "`edit_only` is set, but it may not edit".to_owned(),
                "add `edit` to `may`, or remove `edit_only`",
            ),
            (
                !self.commands.is_empty() && !self.may.contains(&Power::Run),
                "commands",
                "`commands` is set, but it may not run commands".to_owned(),
                "add `run` to `may`, or name tools of Agon's server in `agon`",
            ),
            (
                self.body_without_delegation.is_some() && !self.may.contains(&Power::Delegate),
                "may",
                "it has sections `without delegation`, but it may not delegate".to_owned(),
                "add `delegate` to `may`, or remove the sections `without delegation`",
            ),
            (
                self.instead.contains_key(&self.name),
                "[instead]",
                "`instead` names the role itself".to_owned(),
                "name another role",
            ),
            (
                self.temperature
                    .is_some_and(|it| !(0.0..=2.0).contains(&it)),
                "temperature",
                "`temperature` is out of range".to_owned(),
                "use a number from 0 to 2",
            ),
        ];
        faults
            .into_iter()
            .find(|(is_fault, ..)| *is_fault)
            .map(|(_, key, what, hint)| (key, what, hint))
    }
}

impl RoleFront {
    fn with_sections(self, sections: RoleSections) -> Role {
        Role {
            name: self.name,
            version: self.version,
            purpose: self.purpose,
            call_when: self.call_when,
            instead: self.instead,
            needs: self.needs,
            model: self.model,
            effort: self.effort,
            temperature: self.temperature,
            may: self.may,
            edit_only: self.edit_only,
            agon: self.agon,
            commands: self.commands,
            skills: self.skills,
            budget: self.budget,
            steps: sections.steps,
            never: sections.never,
            output: sections.output,
            body: sections.body,
            body_without_delegation: sections.body_without_delegation,
        }
    }
}

/// Returns the error in the front matter `front`, which begins on line 2 of its file.
fn front_matter_error(front: &str, error: &toml::de::Error) -> RoleError {
    let before = error.span().and_then(|span| front.get(..span.start));
    let line = before.map_or(1, |before| before.matches('\n').count() + 2);
    let what = error.message().replace('\n', ", ");
    RoleError::new(line, what, "content/README.md describes each setting")
}

/// Returns the line of the file that sets `key`, or 1.
fn line_of(front: &str, key: &str) -> usize {
    let is_set = |line: &str| {
        let rest = line.strip_prefix(key);
        rest.is_some_and(|rest| rest.is_empty() || rest.trim_start().starts_with('='))
    };
    front.lines().position(is_set).map_or(1, |at| at + 2)
}
