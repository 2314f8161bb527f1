//! Finds skills that hide each other.

use std::collections::BTreeMap;
use std::path::Path;

use super::finding::Finding;
use super::sort::SKILL_FILE;
use super::sort::host_of_folder;
use super::tree::LintFile;
use crate::level::LintLevel;

/// Finds skills with the same name that a host sees in two places: in a project and the user's folder, or
/// in nested folders. Hosts differ in which of the two they load.
///
/// The paths of `files` are absolute; `shown` formats one for a person. Identical copies are not
/// reported.
pub fn duplicate_skills(
    files: &[LintFile],
    home: &Path,
    shown: impl Fn(&str) -> String,
) -> Vec<Finding> {
    let mut places: BTreeMap<(&str, &str), Vec<SkillFile<'_>>> = BTreeMap::new();
    for file in files {
        if let Some((owner, name, above)) = parse_skill_path(&file.path) {
            let of_name = places.entry((owner, name)).or_default();
            of_name.push(SkillFile { file, above });
        }
    }
    let mut findings = Vec::new();
    for ((_, name), places) in &places {
        for (at, one) in places.iter().enumerate() {
            let earlier = places.get(..at).unwrap_or_default();
            let Some(other) = earlier.iter().find(|other| one.hides(other, home)) else {
                continue;
            };
            let message = format!(
                "another skill called `{name}` is in {}: hosts differ in which of the two they load",
                shown(&other.file.path)
            );
            findings.push(Finding {
                severity: LintLevel::Warning,
                ..Finding::of_file(Path::new(&one.file.path), "double", message)
            });
        }
    }
    findings
}

/// A skill and its place.
struct SkillFile<'a> {
    file: &'a LintFile,
    /// The parent of the host's folder.
    above: &'a Path,
}

impl SkillFile<'_> {
    fn hides(&self, other: &Self, home: &Path) -> bool {
        let is_users = |it: &Self| it.above == home || it.above == home.join(".config");
        let is_nested = self.above.starts_with(other.above) || other.above.starts_with(self.above);
        (is_nested || is_users(self) || is_users(other)) && self.file.bytes != other.file.bytes
    }
}

/// Returns the host of the skill at `path`, its name, and the parent of the host's folder.
fn parse_skill_path(path: &str) -> Option<(&str, &str, &Path)> {
    let file = Path::new(path);
    let folder = file.parent().filter(|_| file.ends_with(SKILL_FILE))?;
    let skills = folder.parent()?;
    let of_host = skills.parent()?;
    let is_skills = skills.ends_with("skills") || skills.ends_with("skill");
    let owner = match of_host.file_name()?.to_str()? {
        // Several hosts read this one.
        ".agents" => ".agents",
        name => host_of_folder(name)?.name,
    };
    let name = folder.file_name()?.to_str()?;
    is_skills.then_some((owner, name, of_host.parent()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_skills_of_a_name_are_found_where_one_host_finds_both() {
        let file = |path: &str, text: &str| LintFile {
            path: path.to_owned(),
            bytes: text.as_bytes().to_vec(),
        };
        let found = |files: &[(&str, &str)]| {
            let files: Vec<_> = files.iter().map(|(path, text)| file(path, text)).collect();
            let found = duplicate_skills(&files, Path::new("/u"), str::to_owned);
            found.into_iter().map(|it| it.path).collect::<Vec<_>>()
        };
        let user = ("/u/.claude/skills/tea/SKILL.md", "boil");
        let own = ("/p/.claude/skills/tea/SKILL.md", "steep");
        assert_eq!(found(&[user, own]), [own.0]);
        // OpenCode's user folder is one level deeper.
        let user = ("/u/.config/opencode/skills/tea/SKILL.md", "boil");
        let project = ("/p/.opencode/skill/tea/SKILL.md", "steep");
        assert_eq!(found(&[user, project]), [project.0]);
        // A folder in a repository and one nested in it.
        let inner = ("/p/web/.claude/skills/tea/SKILL.md", "brew");
        assert_eq!(found(&[own, inner]), [inner.0]);
        // No conflict: two repositories, two hosts, or identical text.
        assert_eq!(
            found(&[own, ("/q/.claude/skills/tea/SKILL.md", "x")]),
            [""; 0]
        );
        assert_eq!(
            found(&[own, ("/p/.gemini/skills/tea/SKILL.md", "x")]),
            [""; 0]
        );
        assert_eq!(
            found(&[own, ("/p/web/.claude/skills/tea/SKILL.md", "steep")]),
            [""; 0]
        );
    }
}
