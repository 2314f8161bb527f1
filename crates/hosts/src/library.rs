//! The skills to choose from: ours, and those in given folders.

use std::path::Path;

use crate::content::{ContentError, FILES, Skill, TEAM_FILES, embedded, team};
use crate::lint::{Finding, LintFile, TreeError, lint, read_tree};

/// Returns all our skills.
///
/// # Errors
///
/// If a file does not have the format of its folder; a test makes sure that all do.
pub fn own_skills() -> Result<Vec<Skill>, ContentError> {
    let mut skills = embedded()?.skills;
    skills.extend(team()?.skills);
    Ok(skills)
}

/// Returns the files of our skills for the lint check.
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

/// The skills of a folder, and the errors in skipped skills.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkillFolder {
    /// Its skills, ordered by path.
    pub skills: Vec<Skill>,
    /// Why others are skipped.
    pub findings: Vec<Finding>,
}

/// Reads the skills below `folder`. Skips skills in which lint finds an error or whose name is in
/// `taken`.
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
        // A made-up path, because lint recognises a skill only below a folder called `skills`.
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
                    let message = format!("skipped: another skill is called `{name}`");
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

/// Returns the names of a skill's folder and file.
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
