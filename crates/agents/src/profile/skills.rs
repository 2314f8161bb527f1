//! Turns off the user's skills that a tool would add to a prompt that mentions them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Value, json};

use crate::environment::Environment;

/// Where a tool finds skills. Each skill can be turned off only by its path.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Skills {
    /// Skill folders of the user and of the machine.
    pub folders: Vec<String>,
    /// Names of skill folders in the working folder and in each folder above it.
    pub in_project: Vec<String>,
    /// The arguments that replace `{no_skills}`, with the list as `{list}`.
    pub args: Vec<String>,
    /// The variable that turns off skills as a JSON object, for the Agent Client Protocol.
    pub variable: String,
}

// The tool searches six folders deep. A higher limit here does no harm.
/// The maximum depth of the search below a skills folder.
const MAX_DEPTH: usize = 8;
// Reading this many entries takes 0.5 s on a slow disk. A folder with more is unlikely to contain
// only skills.
/// The maximum number of folder entries that are checked.
const MAX_ENTRIES: usize = 20_000;

impl Skills {
    /// Returns the arguments that turn off all skills that the tool finds in `cwd`.
    pub(crate) fn args(&self, here: &Environment, cwd: &Path) -> Vec<String> {
        let each = self.paths(here, cwd).into_iter().map(|path| {
            let path = Value::from(path.to_string_lossy());
            format!("{{path={path},enabled=false}}")
        });
        let list = format!("[{}]", each.collect::<Vec<_>>().join(","));
        let fill = |arg: &String| arg.replace("{list}", &list);
        self.args.iter().map(fill).collect()
    }

    /// Returns the JSON object for [`Skills::variable`] that turns off the same skills.
    pub(crate) fn object(&self, here: &Environment, cwd: &Path) -> Value {
        let each = self.paths(here, cwd).into_iter();
        let each = each.map(|path| json!({"path": path.to_string_lossy(), "enabled": false}));
        json!({"skills": {"config": each.collect::<Vec<_>>()}})
    }

    /// Returns the `SKILL.md` files of all skills, with every path by which the tool could refer to
    /// them.
    fn paths(&self, here: &Environment, cwd: &Path) -> BTreeSet<PathBuf> {
        let own = self.folders.iter().map(|it| here.expand_path(it));
        let above = cwd.ancestors();
        let in_project =
            above.flat_map(|folder| self.in_project.iter().map(|name| folder.join(name)));
        let mut search = SkillSearch::default();
        for folder in own.chain(in_project) {
            search.search_folder(&folder, MAX_DEPTH);
        }
        search.found
    }
}

#[derive(Default)]
struct SkillSearch {
    found: BTreeSet<PathBuf>,
    entries: usize,
}

impl SkillSearch {
    fn search_folder(&mut self, folder: &Path, depth: usize) {
        let Ok(entries) = std::fs::read_dir(folder) else {
            return;
        };
        for entry in entries.flatten() {
            self.entries += 1;
            if self.entries > MAX_ENTRIES {
                return;
            }
            let path = entry.path();
            // Follow symbolic links, because the tool does.
            if entry.file_name() == "SKILL.md" {
                self.found.extend(path.canonicalize());
                self.found.insert(path);
            } else if depth > 0 && path.is_dir() {
                self.search_folder(&path, depth - 1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn skill(folder: &Path, name: &str) -> PathBuf {
        let file = folder.join(name).join("SKILL.md");
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, "---\nname: x\n---\n").unwrap();
        file
    }

    #[test]
    fn every_skill_that_a_prompt_could_name_is_switched_off_by_its_path() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().canonicalize().unwrap();
        let home = root.join("home");
        let tree = root.join("tree/deep");
        fs::create_dir_all(&tree).unwrap();
        let real = skill(&root.join("elsewhere"), "linked");
        let mut expected = vec![
            skill(&home.join(".codex/skills"), "mine"),
            skill(&home.join(".codex/skills/.system"), "theirs \"x\""),
            skill(&home.join(".codex/skills/group"), "inner"),
            skill(&tree.join(".agents/skills"), "of-the-tree"),
            skill(&root.join("tree/.agents/skills"), "above"),
            home.join(".codex/skills/link/SKILL.md"),
            real.clone(),
        ];
        std::os::unix::fs::symlink(real.parent().unwrap(), home.join(".codex/skills/link"))
            .unwrap();
        skill(&home.join(".other"), "not-a-skill-of-it");
        expected.sort();
        let skills = Skills {
            folders: vec!["~/.codex/skills".into(), "~/nowhere".into()],
            in_project: vec![".agents/skills".into()],
            args: vec!["-c".into(), "skills.config={list}".into()],
            variable: "V".into(),
        };
        let vars = [("HOME".to_owned(), home.to_string_lossy().into_owned())];
        let here = Environment::new(std::collections::BTreeMap::from(vars));
        let args = skills.args(&here, &tree);
        let read: toml::Table = toml::from_str(&args[1].replacen("skills.", "", 1)).unwrap();
        let listed: Vec<_> = read["config"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| {
                (
                    PathBuf::from(it["path"].as_str().unwrap()),
                    it["enabled"].as_bool(),
                )
            })
            .collect();
        let off: Vec<_> = expected
            .into_iter()
            .map(|path| (path, Some(false)))
            .collect();
        assert_eq!(listed, off);
        let object = skills.object(&here, &tree);
        assert_eq!(
            object["skills"]["config"].as_array().unwrap().len(),
            off.len()
        );
    }
}
