//! Every skill that there is to choose from: ours, and those of folders that were named.

use std::path::Path;

use crate::content::{ContentError, FILES, Skill, TEAM_FILES, embedded, team};
use crate::lint::{Finding, LintFile, TreeError, lint, read_tree};

/// Every skill of ours.
///
/// # Errors
///
/// If a file is not what its folder says; a test holds that none is.
pub fn own_skills() -> Result<Vec<Skill>, ContentError> {
    let mut skills = embedded()?.skills;
    skills.extend(team()?.skills);
    Ok(skills)
}

/// The files of our skills, as the check of hosts wants them.
pub fn own_skill_files() -> Vec<LintFile> {
    let files = FILES.iter().chain(TEAM_FILES);
    let skills = files.filter(|(path, _)| path.starts_with("skills/"));
    skills
        .map(|(path, text)| LintFile {
            path: (*path).to_owned(),
            bytes: text.as_bytes().to_vec(),
        })
        .collect()
}

/// Skills of a folder, and what is wrong with those that are passed over.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkillFolder {
    /// Its skills, in the order of their paths.
    pub skills: Vec<Skill>,
    /// Why others are passed over.
    pub findings: Vec<Finding>,
}

/// The skills below `folder`; nothing is written. One in which the check of hosts finds an error is
/// passed over, and so is one whose name is in `taken`.
///
/// # Errors
///
/// If the folder cannot be read.
pub fn read_skill_folder(folder: &Path, taken: &[Skill]) -> Result<SkillFolder, TreeError> {
    let tree = read_tree(folder)?;
    let mut read = SkillFolder {
        findings: tree.findings,
        ..SkillFolder::default()
    };
    for file in tree.files {
        let Some((name, file_name)) = skill_name(&file.path) else {
            continue;
        };
        // The check knows a skill by the name of the folder above it.
        let as_skill = LintFile {
            path: format!("skills/{name}/{file_name}"),
            bytes: file.bytes,
        };
        let path = Path::new(&file.path);
        let mut findings = lint(std::slice::from_ref(&as_skill), None).findings;
        findings.retain(Finding::is_error);
        if !findings.is_empty() {
            read.findings
                .extend(findings.into_iter().map(|finding| Finding {
                    path: file.path.clone(),
                    ..finding
                }));
            continue;
        }
        let text = String::from_utf8_lossy(&as_skill.bytes);
        match Skill::parse(name, &text) {
            Err(reason) => read.findings.push(Finding::of_file(path, "skill", reason)),
            Ok(skill) => match taken
                .iter()
                .chain(&read.skills)
                .any(|it| it.name == skill.name)
            {
                true => {
                    let message = format!("another skill is called `{name}`, and is taken");
                    read.findings.push(Finding::of_file(path, "name", message));
                }
                false => read.skills.push(Skill {
                    origin: Some(file.path.clone()),
                    ..skill
                }),
            },
        }
    }
    Ok(read)
}

/// The name of the folder that a skill is in, and that of its file.
fn skill_name(path: &str) -> Option<(&str, &str)> {
    let (folder, file) = path.rsplit_once('/')?;
    let is_skill = file.eq_ignore_ascii_case("SKILL.md");
    Some((folder.rsplit('/').next()?, file)).filter(|_| is_skill)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_malformed_skill_and_one_of_a_name_that_is_taken_are_named_and_passed_over() {
        let folder = tempfile::tempdir().unwrap();
        let add = |name: &str, text: &str| {
            fs::create_dir(folder.path().join(name)).unwrap();
            fs::write(folder.path().join(name).join("SKILL.md"), text).unwrap();
        };
        let text = |name: &str| {
            format!("---\nname: \"{name}\"\ndescription: \"Bake.\"\n---\n\nBake it.\n")
        };
        add("bread", &text("bread"));
        add("cake", &text("tart"));
        add("debate", &text("debate"));
        add("notes", "nothing");
        fs::write(folder.path().join("README.md"), "no skill").unwrap();
        let read = read_skill_folder(folder.path(), &own_skills().unwrap()).unwrap();
        let names: Vec<_> = read
            .skills
            .iter()
            .map(|skill| skill.name.as_str())
            .collect();
        assert_eq!(names, ["bread"]);
        let findings = read.findings.iter();
        let found: Vec<_> = findings
            .map(|it| (it.path.rsplit('/').nth(1).unwrap(), it.code))
            .collect();
        assert_eq!(found[..2], [("cake", "name"), ("debate", "name")]);
        assert_eq!(found[2].0, "notes");
        assert!(read_skill_folder(&folder.path().join("none"), &[]).is_err());
    }
}
