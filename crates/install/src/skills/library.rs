//! Loads the skills to choose from.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use agon_caller::{Caller, Code, Failure, similar};
use agon_hosts::choice::SkillSet;
use agon_hosts::content::Skill;
use agon_hosts::library::{own_skills, read_skill_folder};
use agon_hosts::lint::Finding;

/// The skills, and the problems in skipped skills.
pub(super) struct Library {
    pub(super) set: Arc<SkillSet>,
    pub(super) findings: Vec<Finding>,
    /// How many of the skills are ours; these come first.
    pub(super) own: usize,
}

/// Loads Agon's skills and the skills in `folders`, which are only read.
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
        // The path must be absolute, because a team member that reads the skill works in another
        // folder.
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
        set: cached_skill_set(skills, folders.is_empty()),
        findings,
        own,
    })
}

// Indexing the example requests is the slowest part of making a prompt, and a run makes a prompt
// for each turn of each member.
/// Cache: the last set of only our skills, and the last one with skills from folders.
static LAST_SETS: Mutex<[Option<Arc<SkillSet>>; 2]> = Mutex::new([None, None]);

/// Returns the set of these skills. Takes it from the cache if the skills are the same, so that
/// each process indexes them only once.
fn cached_skill_set(skills: Vec<Skill>, is_own: bool) -> Arc<SkillSet> {
    let mut last = LAST_SETS.lock().unwrap_or_else(PoisonError::into_inner);
    let [own, with_folders] = &mut *last;
    let slot = if is_own { own } else { with_folders };
    match slot {
        Some(set) if set.skills() == skills => Arc::clone(set),
        _ => Arc::clone(slot.insert(Arc::new(SkillSet::new(skills)))),
    }
}

impl Library {
    /// Returns the index of the skill with this name or alias.
    ///
    /// # Errors
    ///
    /// If there is none; the hint lists similar names.
    pub(super) fn index_of(&self, name: &str) -> Result<usize, Failure> {
        let skills = self.set.skills();
        let found = self.set.find(name).map(|found| found.name.as_str());
        let place = skills
            .iter()
            .position(|skill| Some(skill.name.as_str()) == found);
        place.ok_or_else(|| {
            let names = skills.iter().map(|skill| skill.name.as_str());
            let message = format!("unknown skill `{name}`");
            Failure::new(Code::UnknownSkill, message)
                .parameter("skill")
                .hint(similar::hint(
                    name,
                    names,
                    "list them with `agon skills list`",
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
        let one = cached_skill_set(own(), true);
        assert!(Arc::ptr_eq(&one, &cached_skill_set(own(), true)));

        let mut more = own();
        more.push(Skill {
            name: "bake-bread".to_owned(),
            ..Skill::default()
        });
        let other = cached_skill_set(more.clone(), false);
        assert_eq!(other.skills(), more);
        assert!(Arc::ptr_eq(&other, &cached_skill_set(more.clone(), false)));
        // A skill that was edited since is not what was learned before.
        more.truncate(own().len());
        assert_eq!(cached_skill_set(more.clone(), false).skills(), more);
        assert!(Arc::ptr_eq(&one, &cached_skill_set(own(), true)));
    }
}
