//! The skills that there are to choose from.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use agon_caller::{Caller, Code, Failure, similar};
use agon_hosts::choice::SkillSet;
use agon_hosts::content::Skill;
use agon_hosts::library::{own_skills, read_skill_folder};
use agon_hosts::lint::Finding;

/// Skills, and what is wrong with those that were passed over.
pub(super) struct Library {
    pub(super) set: Arc<SkillSet>,
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
        set: set_of(skills, folders.is_empty()),
        findings,
        own,
    })
}

// Learning from the example requests takes longer than everything else that a prompt needs, and a run
// writes a prompt for each turn of each member.
/// The last set of our skills alone, and the last one with skills of folders.
static LAST_SETS: Mutex<[Option<Arc<SkillSet>>; 2]> = Mutex::new([None, None]);

/// Returns the set of these skills. The one before is returned again if its skills are the same, so
/// that it learns once for each process.
fn set_of(skills: Vec<Skill>, is_own: bool) -> Arc<SkillSet> {
    let mut last = LAST_SETS.lock().unwrap_or_else(PoisonError::into_inner);
    let [own, with_folders] = &mut *last;
    let slot = if is_own { own } else { with_folders };
    match slot {
        Some(set) if set.skills() == skills => Arc::clone(set),
        _ => Arc::clone(slot.insert(Arc::new(SkillSet::new(skills)))),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_skills_are_one_set_and_others_are_another() {
        let own = || own_skills().unwrap();
        let one = set_of(own(), true);
        assert!(Arc::ptr_eq(&one, &set_of(own(), true)));

        let mut more = own();
        more.push(Skill {
            name: "bake-bread".to_owned(),
            ..Skill::default()
        });
        let other = set_of(more.clone(), false);
        assert_eq!(other.skills(), more);
        assert!(Arc::ptr_eq(&other, &set_of(more.clone(), false)));
        // A skill that was edited since is not what was learned before.
        more.truncate(own().len());
        assert_eq!(set_of(more.clone(), false).skills(), more);
        assert!(Arc::ptr_eq(&one, &set_of(own(), true)));
    }
}
