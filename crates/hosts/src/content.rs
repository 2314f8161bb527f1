//! Skills, commands, agents and roles: every file of `content/`, embedded in the program.

pub mod agent;
pub mod command;
pub(crate) mod front_matter;
mod listing;
pub(crate) mod requests;
pub mod role;
pub mod server;
mod set;
pub mod skill;
mod team;

pub use agent::Agent;
pub use command::SlashCommand;
pub use listing::listing_tokens;
pub use role::Role;
pub use set::ContentSet;
pub use skill::Skill;
pub use team::{TEAM_FILES, team};

/// Embeds a file of `content/` as its path and text.
macro_rules! content {
    ($path:literal) => {
        (
            $path,
            include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/../../content/",
                $path
            )),
        )
    };
}

use content;

/// Every file of `content/` that debates need; packages contain these too. Add a new skill, command
/// or agent for debates here.
pub const FILES: &[(&str, &str)] = &[
    content!("skills/debate/SKILL.md"),
    content!("skills/consult/SKILL.md"),
    content!("skills/formal-debate/SKILL.md"),
    content!("skills/decision-record/SKILL.md"),
    content!("commands/debate.md"),
    content!("commands/consult.md"),
    content!("commands/verdict.md"),
    content!("commands/debate-new.md"),
    content!("commands/debate-run.md"),
    content!("commands/debate-report.md"),
    content!("agents/debate-orchestrator.md"),
    content!("agents/debater.md"),
    content!("agents/judge.md"),
];

/// Skills, commands, agents and roles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Content {
    /// Instructions for doing something well.
    pub skills: Vec<Skill>,
    /// Commands that a person types after a slash.
    pub commands: Vec<SlashCommand>,
    /// Sub-agents with a task and limits.
    pub agents: Vec<Agent>,
    /// Roles of a team.
    pub roles: Vec<Role>,
}

/// Why a file of `content/` cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {reason}")]
pub struct ContentError {
    /// Its path.
    pub path: String,
    /// What is wrong.
    pub reason: String,
}

/// Returns the content that debates need.
///
/// # Errors
///
/// If a file does not have the format of its folder; a test makes sure that all do.
pub fn embedded() -> Result<Content, ContentError> {
    parse(FILES)
}

/// Parses these files, each with its path below `content/`.
///
/// # Errors
///
/// If a file does not have the format of its folder.
pub fn parse(files: &[(&str, &str)]) -> Result<Content, ContentError> {
    let mut content = Content::default();
    for (path, text) in files {
        let failed = |reason: String| ContentError {
            path: (*path).to_owned(),
            reason,
        };
        let parts: Vec<&str> = path.split('/').collect();
        match parts.as_slice() {
            ["skills", folder, "SKILL.md"] => {
                content
                    .skills
                    .push(Skill::parse(folder, text).map_err(failed)?);
            }
            ["commands", file] => {
                content
                    .commands
                    .push(SlashCommand::parse(stem(file), text).map_err(failed)?);
            }
            ["agents", file] => {
                content
                    .agents
                    .push(Agent::parse(stem(file), text).map_err(failed)?);
            }
            ["roles", file] => {
                let role = Role::parse(stem(file), text);
                content
                    .roles
                    .push(role.map_err(|error| failed(error.to_string()))?);
            }
            _ => return Err(failed("not a skill, command, agent or role".to_owned())),
        }
    }
    Ok(content)
}

fn stem(file: &str) -> &str {
    file.strip_suffix(".md").unwrap_or(file)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    fn paths_on_disk(folder: &Path, below: &str, paths: &mut BTreeSet<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            match path.is_dir() {
                true => paths_on_disk(&path, &format!("{below}{name}/"), paths),
                false => {
                    paths.insert(format!("{below}{name}"));
                }
            }
        }
    }

    #[test]
    fn every_file_of_the_content_is_embedded_and_parses() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../content");
        let mut on_disk = BTreeSet::new();
        paths_on_disk(&folder, "", &mut on_disk);
        on_disk.remove("README.md");
        // Other modules read these.
        let folders = ["defaults/", "context/", "requests/"];
        on_disk.retain(|path| !folders.iter().any(|folder| path.starts_with(folder)));
        let listed: Vec<_> = FILES.iter().chain(TEAM_FILES).collect();
        let paths: BTreeSet<_> = listed.iter().map(|(path, _)| (*path).to_owned()).collect();
        assert_eq!(paths, on_disk);
        assert_eq!(paths.len(), listed.len());
        let counts = |content: Content| {
            (
                content.skills.len(),
                content.commands.len(),
                content.agents.len(),
                content.roles.len(),
            )
        };
        assert_eq!(counts(embedded().unwrap()), (4, 6, 3, 0));
        assert_eq!(counts(team().unwrap()), (21, 8, 0, 20));
    }

    #[test]
    fn a_command_that_stands_for_a_skill_names_one_that_exists() {
        let content = embedded().unwrap();
        for command in &content.commands {
            if let Some(skill) = &command.skill {
                let names = content.skills.iter().map(|skill| &skill.name);
                assert!(names.into_iter().any(|name| name == skill), "{skill}");
            }
        }
    }
}
