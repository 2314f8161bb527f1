//! The files to look at.

use std::fs;
use std::path::{Path, PathBuf};

use super::skill::FILE;
use super::sort::host_of_folder;

/// A file to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LintFile {
    /// Its path, with `/` between its parts.
    pub path: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// Why the files could not be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {}", .path.display())]
pub struct TreeError {
    path: PathBuf,
    source: std::io::Error,
}

// What a host reads is a few kilobytes; a larger file is something else.
/// The most bytes of a file that is looked at.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

// A folder of skills that is a link, in it a skill that is one, and one more.
/// The most links on the way to a file.
const MAX_LINKS: usize = 3;

// Far more than all skills of a person have; a link to a disk has more.
/// The most files and folders behind links.
const MAX_LINKED: usize = 5_000;

/// The file at `path`, or those below it. `.git` and the packages of node are left out, and so are
/// files of over 4 MiB. Of folders behind links those are read that hosts look for: folders of hosts,
/// of skills, agents and commands, and skills.
///
/// # Errors
///
/// If one that is behind no link cannot be read.
pub fn read_tree(path: &Path) -> Result<Vec<LintFile>, TreeError> {
    let mut walk = Walk::default();
    let meta = fs::metadata(path).map_err(failed(path))?;
    // What a person names is meant, be it a link.
    match (meta.is_dir(), path.is_symlink()) {
        (true, _) => walk.add_folder(path)?,
        (false, true) => walk.follow(path, &meta),
        (false, false) => walk.add(path)?,
    }
    walk.files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(walk.files)
}

fn failed(path: &Path) -> impl Fn(std::io::Error) -> TreeError + '_ {
    |source| TreeError {
        path: path.to_owned(),
        source,
    }
}

#[derive(Debug, Default)]
struct Walk {
    files: Vec<LintFile>,
    /// What the links on the way lead to.
    followed: Vec<PathBuf>,
    /// How many files and folders behind links were looked at.
    linked: usize,
}

impl Walk {
    fn add(&mut self, path: &Path) -> Result<(), TreeError> {
        let meta = fs::symlink_metadata(path).map_err(failed(path))?;
        if !self.followed.is_empty() {
            self.linked += 1;
        }
        if self.linked > MAX_LINKED {
            return Ok(());
        }
        if meta.is_symlink() {
            // One that leads nowhere, or in a circle, is no file for a host either.
            if let Ok(meta) = fs::metadata(path)
                && (meta.is_file() || is_for_hosts(path))
            {
                self.follow(path, &meta);
            }
            Ok(())
        } else if meta.is_dir() {
            self.add_folder(path)
        } else if meta.is_file() && meta.len() <= MAX_BYTES {
            let bytes = agon_files::read_unlinked(path, MAX_BYTES).map_err(failed(path))?;
            self.push(path, bytes);
            Ok(())
        } else {
            Ok(())
        }
    }

    fn add_folder(&mut self, path: &Path) -> Result<(), TreeError> {
        let name = path.file_name().unwrap_or_default();
        if name == ".git" || name == "node_modules" {
            return Ok(());
        }
        for entry in fs::read_dir(path).map_err(failed(path))? {
            self.add(&entry.map_err(failed(path))?.path())?;
        }
        Ok(())
    }

    /// Adds what the link at `path` leads to. What cannot be read there is passed over: it may be
    /// anybody's.
    fn follow(&mut self, path: &Path, meta: &fs::Metadata) {
        let Ok(target) = fs::canonicalize(path) else {
            return;
        };
        if meta.is_file() && meta.len() <= MAX_BYTES {
            if let Ok(bytes) = agon_files::read(&target, MAX_BYTES) {
                self.push(path, bytes);
            }
            return;
        }
        let parent = path
            .parent()
            .and_then(|parent| fs::canonicalize(parent).ok());
        let leads_up = parent.is_some_and(|parent| parent.starts_with(&target));
        let is_again = self.followed.contains(&target);
        if !meta.is_dir() || leads_up || is_again || self.followed.len() == MAX_LINKS {
            return;
        }
        self.followed.push(target);
        self.add_folder(path).ok();
        self.followed.pop();
    }

    fn push(&mut self, path: &Path, bytes: Vec<u8>) {
        let path = path.to_string_lossy().into_owned();
        self.files.push(LintFile { path, bytes });
    }
}

/// Whether a host looks for something in the folder at `path`.
fn is_for_hosts(path: &Path) -> bool {
    let names = path.iter().filter_map(|name| name.to_str());
    let mut names = names.filter(|name| {
        let kinds = ["skills", "skill", "agents", "agent", "commands", "command"];
        kinds.contains(name) || *name == ".agents" || host_of_folder(name).is_some()
    });
    names.next().is_some() || path.join(FILE).is_file()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn what_a_link_leads_to_is_read_where_a_host_looks_and_no_circle_is_walked() {
        let dir = tempfile::tempdir().unwrap();
        let at = |path: &str| dir.path().join(path);
        for path in [
            "shared/tea/SKILL.md",
            "shared/tea/sub/a.md",
            "data/x/b.md",
            "p/.claude/skills/own/SKILL.md",
        ] {
            fs::create_dir_all(at(path).parent().unwrap()).unwrap();
            fs::write(at(path), "x").unwrap();
        }
        let link = |to: &str, path: &str| {
            fs::create_dir_all(at(path).parent().unwrap()).unwrap();
            symlink(to, at(path)).unwrap();
        };
        link("../../../shared/tea", "p/.claude/skills/tea");
        link("../shared", "p/skills");
        link("../shared/tea", "p/tea");
        link("../data", "p/data");
        link("../data/x/b.md", "p/b.md");
        link("/nowhere", "p/.claude/skills/gone");
        link("loop", "p/.claude/skills/loop");
        link("..", "p/.claude/skills/up");
        link("../../p/.claude/skills", "shared/tea/back");
        link("p", "named");
        let read = |path: &str| -> Vec<String> {
            let files = read_tree(&at(path)).unwrap().into_iter();
            let root = format!("{}/", at(path).display());
            let paths =
                files.map(|file| file.path.strip_prefix(&root).unwrap_or_default().to_owned());
            paths.collect()
        };
        let found = read("p");
        for path in [
            ".claude/skills/own/SKILL.md",
            ".claude/skills/tea/SKILL.md",
            ".claude/skills/tea/sub/a.md",
            "b.md",
            "tea/SKILL.md",
        ] {
            assert!(found.iter().any(|it| it == path), "{path}: {found:#?}");
        }
        assert!(
            !found
                .iter()
                .any(|it| it.starts_with("data/") || it.contains("/up/")),
            "{found:#?}"
        );
        assert!(found.len() < 40, "{found:#?}");
        assert_eq!(read("named"), found);
    }
}
