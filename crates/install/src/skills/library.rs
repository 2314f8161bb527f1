//! The skills that there are to choose from.

use std::path::{Path, PathBuf};

use agon_caller::{Caller, Code, Failure, similar};
use agon_hosts::choice::SkillSet;
use agon_hosts::content::Skill;
use agon_hosts::library::{own_skills, read_skill_folder};
use agon_hosts::lint::Finding;

/// Skills, and what is wrong with those that were passed over.
pub(super) struct Library {
    pub(super) set: SkillSet,
    pub(super) findings: Vec<Finding>,
    /// How many of the skills, which stand first, are ours.
    pub(super) own: usize,
}

/// Our skills and those of `folders`, which are read and nothing else.
///
/// # Errors
///
/// If a folder cannot be read.
pub(super) fn load(caller: &Caller, folders: &[PathBuf]) -> Result<Library, Failure> {
    let mut skills =
        own_skills().map_err(|error| Failure::from_error(Code::BrokenContent, &error))?;
    let own = skills.len();
    let mut findings = Vec::new();
    for folder in folders {
        let read = read_skill_folder(&caller.resolve_path(folder), &skills)
            .map_err(|error| Failure::from_error(Code::Unreadable, &error).parameter("from"))?;
        // The member of a team that is told where a skill is works in another folder.
        skills.extend(read.skills.into_iter().map(|skill| Skill {
            origin: skill.origin.map(|path| {
                let whole = caller.cwd.join(path);
                whole.to_string_lossy().into_owned()
            }),
            ..skill
        }));
        findings.extend(read.findings.into_iter().map(|finding| Finding {
            path: caller.display_path(Path::new(&finding.path)),
            ..finding
        }));
    }
    Ok(Library {
        set: SkillSet::new(skills),
        findings,
        own,
    })
}

impl Library {
    /// The place of the skill of this name, or of this name elsewhere.
    ///
    /// # Errors
    ///
    /// If there is none; the hint names those that are near.
    pub(super) fn index_of(&self, name: &str) -> Result<usize, Failure> {
        let skills = self.set.skills();
        let found = self.set.find(name).map(|found| found.name.as_str());
        let place = skills
            .iter()
            .position(|skill| Some(skill.name.as_str()) == found);
        place.ok_or_else(|| {
            let names = skills.iter().map(|skill| skill.name.as_str());
            let message = format!("no skill is called `{name}`");
            Failure::new(Code::UnknownSkill, message)
                .parameter("skill")
                .hint(similar::hint(
                    name,
                    names,
                    "`agon skills list` has all of them",
                ))
        })
    }
}
