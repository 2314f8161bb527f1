//! Collects the files to check.

use std::fs;
use std::path::{Path, PathBuf};

use super::finding::Finding;
use super::sort::SKILL_FILE;
use super::sort::{host_of_folder, sort};
use crate::host::HOSTS;
use crate::level::LintLevel;

/// A file to check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LintFile {
    /// Its path, with `/` between its parts.
    pub path: String,
    /// Its content; [`read_tree`] leaves it empty for a file that no host reads.
    pub bytes: Vec<u8>,
}

/// The files below a path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LintTree {
    /// The files, ordered by path.
    pub files: Vec<LintFile>,
    /// A warning if too many files are behind links.
    pub findings: Vec<Finding>,
}

/// Why the files could not be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {}", .path.display())]
pub struct TreeError {
    path: PathBuf,
    source: std::io::Error,
}

// A file for a host has a few kilobytes, so a larger one is something else.
/// Maximum bytes of a checked file.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

// The folder of skills and a skill in it may both be links. One more is allowed.
/// Maximum links on the way to a file.
const MAX_LINKS: usize = 3;

// More files than all skills of a person have, but fewer than a link to a whole disk leads to.
/// Maximum number of links, and of files and folders behind them.
const MAX_LINKED: usize = 5_000;

// Limits repeated reads of one large file through many links.
/// Maximum bytes of files behind links.
const MAX_LINKED_BYTES: u64 = 64 * 1024 * 1024;

/// Reads the file at `path`, or the files below it. Skips `.git`, `node_modules` and files over 4 MiB.
/// Links to folders are followed only if hosts look for them: folders of hosts, skills, agents and
/// commands, and single skills. Beyond `MAX_LINKED` links, the rest is skipped with a finding.
///
/// # Errors
///
/// If a file that is not behind a link cannot be read.
pub fn read_tree(path: &Path) -> Result<LintTree, TreeError> {
    let mut walk = Walk::new(path, MAX_LINKED, MAX_LINKED_BYTES);
    walk.add_root(path)?;
    Ok(walk.into_tree())
}

fn failed(path: &Path) -> impl Fn(std::io::Error) -> TreeError + '_ {
    |source| TreeError {
        path: path.to_owned(),
        source,
    }
}

#[derive(Debug)]
struct Walk<'a> {
    /// The path given by the caller.
    root: &'a Path,
    files: Vec<LintFile>,
    /// Targets of the links on the way.
    followed: Vec<PathBuf>,
    /// Remaining number of links, and of files and folders behind them.
    links_left: usize,
    /// Remaining bytes of files behind links.
    bytes_left: u64,
    is_cut_off: bool,
}

impl<'a> Walk<'a> {
    fn new(root: &'a Path, max_links: usize, max_bytes: u64) -> Self {
        Self {
            root,
            files: Vec::new(),
            followed: Vec::new(),
            links_left: max_links,
            bytes_left: max_bytes,
            is_cut_off: false,
        }
    }

    fn into_tree(mut self) -> LintTree {
        self.files.sort_by(|a, b| a.path.cmp(&b.path));
        let message = "too many files are behind links: some of them were not checked";
        let finding = Finding {
            severity: LintLevel::Warning,
            ..Finding::of_file(self.root, "links", message)
        };
        LintTree {
            files: self.files,
            findings: self.is_cut_off.then_some(finding).into_iter().collect(),
        }
    }

    fn add_root(&mut self, path: &Path) -> Result<(), TreeError> {
        let meta = fs::metadata(path).map_err(failed(path))?;
        // The path comes from the user, so it is read even if it is a link.
        match (meta.is_dir(), path.is_symlink()) {
            (true, _) => self.add_folder(path),
            (false, true) => {
                self.follow(path, &meta);
                Ok(())
            }
            (false, false) => self.add(path),
        }
    }

    fn add(&mut self, path: &Path) -> Result<(), TreeError> {
        let meta = fs::symlink_metadata(path).map_err(failed(path))?;
        if !self.followed.is_empty() && !self.count_linked() {
            return Ok(());
        }
        if meta.is_symlink() {
            // `metadata` fails for dangling and cyclic links, which hosts ignore too.
            if let Ok(meta) = fs::metadata(path)
                && (meta.is_file() || self.is_for_hosts(path))
            {
                self.follow(path, &meta);
            }
            Ok(())
        } else if meta.is_dir() {
            self.add_folder(path)
        } else if meta.is_file() && meta.len() <= MAX_BYTES {
            let is_known = is_known(path);
            if is_known && !self.followed.is_empty() && !self.count_bytes(meta.len()) {
                return Ok(());
            }
            let bytes = match is_known {
                true => agon_files::read_no_follow(path, MAX_BYTES).map_err(failed(path))?,
                false => Vec::new(),
            };
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

    /// Adds the target of the link at `path`. Skips what cannot be read there, since it may belong to
    /// others.
    fn follow(&mut self, path: &Path, meta: &fs::Metadata) {
        let Ok(target) = fs::canonicalize(path) else {
            return;
        };
        if meta.is_file() && meta.len() <= MAX_BYTES {
            if !is_known(path) {
                self.push(path, Vec::new());
            } else if self.count_linked()
                && self.count_bytes(meta.len())
                && let Ok(bytes) = agon_files::read(&target, MAX_BYTES)
            {
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
        if !self.count_linked() {
            return;
        }
        self.followed.push(target);
        self.add_folder(path).ok();
        self.followed.pop();
    }

    /// Counts a link, or a file behind one; returns false if the limit is reached.
    fn count_linked(&mut self) -> bool {
        let left = self.links_left.checked_sub(1);
        self.is_cut_off |= left.is_none();
        self.links_left = left.unwrap_or(0);
        left.is_some()
    }

    /// Counts the bytes of a file behind a link; returns false if the limit is reached.
    fn count_bytes(&mut self, len: u64) -> bool {
        let left = self.bytes_left.checked_sub(len);
        self.is_cut_off |= left.is_none();
        self.bytes_left = left.unwrap_or(self.bytes_left);
        left.is_some()
    }

    fn push(&mut self, path: &Path, bytes: Vec<u8>) {
        let path = path.to_string_lossy().into_owned();
        self.files.push(LintFile { path, bytes });
    }

    /// Returns whether a host looks for something in the folder at `path`. Folders above the root do not
    /// count, because a project may be in `.claude/worktrees`.
    fn is_for_hosts(&self, path: &Path) -> bool {
        let below = path.strip_prefix(self.root).unwrap_or(path).iter();
        // Includes the name of the root, so that the skills in it count if it is a folder of
        // skills.
        let names = self.root.file_name().into_iter().chain(below);
        let mut names = names.filter_map(|name| name.to_str()).filter(|name| {
            let kinds = ["skills", "skill", "agents", "agent", "commands", "command"];
            kinds.contains(name) || *name == ".agents" || host_of_folder(name).is_some()
        });
        names.next().is_some() || path.join(SKILL_FILE).is_file()
    }
}

/// Returns whether a host reads the file at `path`.
fn is_known(path: &Path) -> bool {
    let Ok(path) = std::path::absolute(path) else {
        return true;
    };
    let path = path.to_string_lossy();
    let name = path.rsplit('/').next().unwrap_or_default();
    let mut hosts = HOSTS.iter().map(Some).chain([None]);
    name.eq_ignore_ascii_case(SKILL_FILE) || hosts.any(|host| sort(&path, host).is_some())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn what_a_link_leads_to_is_read_where_a_host_looks_and_no_cycle_is_walked() {
        let dir = tempfile::tempdir().unwrap();
        let at = |path: &str| dir.path().join(path);
        for path in [
            "common/tea/SKILL.md",
            "common/tea/sub/a.md",
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
        link("../../../common/tea", "p/.claude/skills/tea");
        link("../common", "p/skills");
        link("../common/tea", "p/tea");
        link("../data", "p/data");
        link("../data/x/b.md", "p/b.md");
        link("/nowhere", "p/.claude/skills/gone");
        link("loop", "p/.claude/skills/loop");
        link("..", "p/.claude/skills/up");
        link("../../p/.claude/skills", "common/tea/back");
        link("p", "named");
        let read = |path: &str| -> Vec<String> {
            let files = read_tree(&at(path)).unwrap().files.into_iter();
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
    /// `p/.claude/skills/tea-N/SKILL.md`, links to one file of 100 bytes.
    fn links_to_one_file(count: usize) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("one.md"), [b'x'; 100]).unwrap();
        for n in 0..count {
            let folder = dir.path().join(format!("p/.claude/skills/tea-{n}"));
            fs::create_dir_all(&folder).unwrap();
            symlink(dir.path().join("one.md"), folder.join("SKILL.md")).unwrap();
        }
        dir
    }

    #[test]
    fn links_to_files_are_limited_in_number_and_bytes_and_the_cut_off_is_a_finding() {
        let dir = links_to_one_file(10);
        let root = dir.path().join("p");
        for (max_links, max_bytes, files) in [(10, 1_000, 10), (4, 1_000, 4), (10, 399, 3)] {
            let mut walk = Walk::new(&root, max_links, max_bytes);
            walk.add_root(&root).unwrap();
            let tree = walk.into_tree();
            assert_eq!(tree.files.len(), files);
            let codes: Vec<_> = tree.findings.iter().map(|it| it.code).collect();
            assert_eq!(codes, vec!["links"; usize::from(files < 10)]);
            assert!(!tree.findings.iter().any(Finding::is_error));
        }
        assert!(read_tree(&root).unwrap().findings.is_empty());
        // Files in a folder behind a link count too.
        let behind = dir.path().join("q");
        fs::create_dir(&behind).unwrap();
        fs::write(root.join("SKILL.md"), "x").unwrap();
        fs::write(root.join("plugin.json"), [b'x'; 300]).unwrap();
        symlink(&root, behind.join("tea")).unwrap();
        let mut walk = Walk::new(&behind, 100, 301);
        walk.add_root(&behind).unwrap();
        let tree = walk.into_tree();
        let bytes: usize = tree.files.iter().map(|file| file.bytes.len()).sum();
        assert!(bytes <= 301 && tree.findings.len() == 1, "{tree:?}");
    }

    #[test]
    fn files_that_no_host_reads_are_listed_without_their_bytes() {
        let dir = links_to_one_file(1);
        symlink(dir.path().join("one.md"), dir.path().join("p/notes.md")).unwrap();
        fs::write(dir.path().join("p/data.bin"), "x").unwrap();
        let files = read_tree(&dir.path().join("p")).unwrap().files;
        let lengths: Vec<_> = files.iter().map(|file| file.bytes.len()).collect();
        assert_eq!(lengths, [100, 0, 0]);
    }

    #[test]
    fn folders_above_the_root_do_not_make_a_link_one_for_hosts() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("data")).unwrap();
        fs::write(dir.path().join("data/a.md"), "x").unwrap();
        let count = |root: &str| {
            let root = dir.path().join(root);
            fs::create_dir_all(&root).unwrap();
            symlink(dir.path().join("data"), root.join("linked")).unwrap();
            read_tree(&root).unwrap().files.len()
        };
        assert_eq!(count(".claude/worktrees/x"), 0);
        assert_eq!(count("work/agents/p"), 0);
        assert_eq!(count("skills/p"), 0);
        assert_eq!(count("p/.claude/skills"), 1);
    }
}
