//! Lists the skills and shows one.

use std::path::PathBuf;

use agon_caller::{Caller, Failure};
use agon_hosts::content::Skill;
use agon_hosts::lint::Finding;
use agon_tokens::count_tokens;
use schemars::JsonSchema;
use serde::Serialize;

use super::library;

/// The name and version of the document about all skills.
pub const SKILLS_SCHEMA: &str = "agon.skills/1";
/// The name and version of the document about one skill.
pub const SKILL_SCHEMA: &str = "agon.skill/1";

/// All skills: `agon.skills/1`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SkillsDoc {
    #[schemars(extend("const" = SKILLS_SCHEMA))]
    schema: &'static str,
    /// The skills, ours first.
    pub skills: Vec<SkillState>,
    /// Skills of the given folders that were skipped, and why.
    pub findings: Vec<Finding>,
}

/// Facts about a skill.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SkillState {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: Option<String>,
    /// Whether it is Agon's, not from a given folder.
    pub own: bool,
    /// Its names in other collections.
    pub aliases: Vec<String>,
    /// Roles that get it; empty if all do.
    pub roles: Vec<String>,
    /// o200k tokens of its text, without front matter.
    pub tokens: u64,
    /// Declared maximum tokens.
    pub max_context_tokens: Option<u64>,
    /// When to use it.
    pub description: String,
}

/// A skill: `agon.skill/1`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SkillDoc {
    #[schemars(extend("const" = SKILL_SCHEMA))]
    schema: &'static str,
    /// Facts about it.
    #[serde(flatten)]
    pub state: SkillState,
    /// Phrases that call for it.
    pub triggers: Vec<String>,
    /// Similar phrases that do not call for it.
    pub counter_phrases: Vec<String>,
    /// The headings of its sections.
    pub sections: Vec<String>,
    /// Its text, without front matter.
    pub text: String,
}

/// Lists Agon's skills and the skills in `folders`.
///
/// # Errors
///
/// If a folder cannot be read.
pub fn list(caller: &Caller, folders: &[PathBuf]) -> Result<SkillsDoc, Failure> {
    let library = library::load(caller, folders)?;
    let skills = library.set.skills().iter().enumerate();
    Ok(SkillsDoc {
        schema: SKILLS_SCHEMA,
        skills: skills
            .map(|(at, skill)| state(skill, at < library.own))
            .collect(),
        findings: library.findings,
    })
}

/// Returns the skill with this name or alias.
///
/// # Errors
///
/// If there is none, or a folder cannot be read.
pub fn show(caller: &Caller, name: &str, folders: &[PathBuf]) -> Result<SkillDoc, Failure> {
    let library = library::load(caller, folders)?;
    let at = library.index_of(name)?;
    let skill = library.set.skills().get(at).cloned().unwrap_or_default();
    let headings = skill.sections().into_iter().map(|section| section.heading);
    Ok(SkillDoc {
        schema: SKILL_SCHEMA,
        state: state(&skill, at < library.own),
        triggers: skill.list("agon-triggers"),
        counter_phrases: skill.list("agon-counter-phrases"),
        sections: headings.collect(),
        text: format!("{}\n", skill.body()),
    })
}

fn state(skill: &Skill, own: bool) -> SkillState {
    SkillState {
        name: skill.name.clone(),
        version: skill.metadata.get("version").cloned(),
        own,
        aliases: skill.aliases(),
        roles: skill.list("agon-roles"),
        tokens: count_tokens(skill.body()) as u64,
        max_context_tokens: skill.budget().map(|budget| budget as u64),
        description: skill.description.clone(),
    }
}
