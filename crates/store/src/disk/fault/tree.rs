//! Files and directories in memory, with their current and their synced contents.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Component, Path};

use super::CrashRemains;

// The page size of x86-64 Linux and the default block size of ext4: after a power failure, new
// bytes exist in whole pages.
const PAGE: usize = 4096;

/// All files of a disk; the first node is the root.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) nodes: Vec<TreeNode>,
    pub(super) locked: BTreeSet<usize>,
}

/// A file or a directory, with its current and its synced contents.
#[derive(Clone, Debug)]
pub(super) enum TreeNode {
    File { now: Vec<u8>, kept: Vec<u8> },
    Dir { now: Names, kept: Names },
}

pub(super) type Names = BTreeMap<OsString, usize>;

impl TreeNode {
    fn file(bytes: Vec<u8>) -> Self {
        Self::File {
            now: bytes.clone(),
            kept: bytes,
        }
    }

    fn dir(names: Names) -> Self {
        Self::Dir {
            now: names.clone(),
            kept: names,
        }
    }

    fn after_crash(&self, keep: CrashRemains) -> Self {
        match self {
            Self::File { now, kept } => Self::file(match keep {
                CrashRemains::Synced | CrashRemains::Names => kept.clone(),
                CrashRemains::All | CrashRemains::Bytes => now.clone(),
                CrashRemains::Half => half_written_content(now, kept),
            }),
            Self::Dir { now, kept } => Self::dir(match keep {
                CrashRemains::Synced | CrashRemains::Bytes => kept.clone(),
                CrashRemains::All | CrashRemains::Names | CrashRemains::Half => now.clone(),
            }),
        }
    }
}

fn half_written_content(now: &[u8], kept: &[u8]) -> Vec<u8> {
    if !now.starts_with(kept) {
        return now.to_vec();
    }
    let more = (now.len() - kept.len()) / 2;
    let more = if kept.is_empty() {
        more / PAGE * PAGE
    } else {
        more
    };
    now[..kept.len() + more].to_vec()
}

fn path_components(path: &Path) -> Vec<OsString> {
    let named = path.components().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_owned()),
        Component::Prefix(_) | Component::RootDir | Component::CurDir | Component::ParentDir => {
            None
        }
    });
    named.collect()
}

impl Tree {
    pub(super) fn new() -> Self {
        Self {
            nodes: vec![TreeNode::dir(Names::new())],
            locked: BTreeSet::new(),
        }
    }

    /// Returns what survives a crash; no lock is held afterwards.
    pub(super) fn after_crash(&self, keep: CrashRemains) -> Self {
        Self {
            nodes: self
                .nodes
                .iter()
                .map(|node| node.after_crash(keep))
                .collect(),
            locked: BTreeSet::new(),
        }
    }

    /// Places a synced file and its parent directories.
    pub(super) fn place_file(&mut self, path: &Path, bytes: &[u8]) {
        let mut at = 0;
        let names = path_components(path);
        for (depth, name) in names.iter().enumerate() {
            let last = depth + 1 == names.len();
            let TreeNode::Dir { now, .. } = &self.nodes[at] else {
                return;
            };
            at = match now.get(name) {
                Some(&next) if !last => next,
                Some(_) | None => {
                    let node = if last {
                        TreeNode::file(bytes.to_vec())
                    } else {
                        TreeNode::dir(Names::new())
                    };
                    let next = self.nodes.len();
                    self.nodes.push(node);
                    if let TreeNode::Dir { now, kept } = &mut self.nodes[at] {
                        now.insert(name.clone(), next);
                        kept.insert(name.clone(), next);
                    }
                    next
                }
            };
        }
    }

    pub(super) fn find_node(&self, path: &Path) -> io::Result<usize> {
        let mut at = 0;
        for name in path_components(path) {
            at = *self
                .dir_entries(at)?
                .get(&name)
                .ok_or(io::ErrorKind::NotFound)?;
        }
        Ok(at)
    }

    pub(super) fn dir_entries(&self, node: usize) -> io::Result<&Names> {
        match &self.nodes[node] {
            TreeNode::Dir { now, .. } => Ok(now),
            TreeNode::File { .. } => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    pub(super) fn dir_entries_mut(&mut self, node: usize) -> io::Result<&mut Names> {
        match &mut self.nodes[node] {
            TreeNode::Dir { now, .. } => Ok(now),
            TreeNode::File { .. } => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    pub(super) fn file_contents_mut(
        &mut self,
        node: usize,
    ) -> io::Result<(&mut Vec<u8>, &mut Vec<u8>)> {
        match &mut self.nodes[node] {
            TreeNode::File { now, kept } => Ok((now, kept)),
            TreeNode::Dir { .. } => Err(io::ErrorKind::IsADirectory.into()),
        }
    }

    /// Returns the parent directory of a path, and the name in it.
    pub(super) fn parent_dir_and_name<'p>(&self, path: &'p Path) -> io::Result<(usize, &'p OsStr)> {
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        Ok((
            self.find_node(path.parent().unwrap_or(Path::new("")))?,
            name,
        ))
    }

    fn insert_node(&mut self, path: &Path, node: TreeNode) -> io::Result<usize> {
        let (dir, name) = self.parent_dir_and_name(path)?;
        let at = self.nodes.len();
        self.dir_entries_mut(dir)?.insert(name.to_owned(), at);
        self.nodes.push(node);
        Ok(at)
    }

    pub(super) fn create_file(&mut self, path: &Path) -> io::Result<usize> {
        match self.find_node(path) {
            Ok(at) => {
                self.file_contents_mut(at)?.0.clear();
                Ok(at)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let (now, kept) = (Vec::new(), Vec::new());
                self.insert_node(path, TreeNode::File { now, kept })
            }
            Err(error) => Err(error),
        }
    }

    pub(super) fn create_dir(&mut self, path: &Path) -> io::Result<()> {
        if self.find_node(path).is_ok() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let (now, kept) = (Names::new(), Names::new());
        self.insert_node(path, TreeNode::Dir { now, kept })
            .map(|_| ())
    }

    pub(super) fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        let ((from_dir, from), (to_dir, to)) = (
            self.parent_dir_and_name(from)?,
            self.parent_dir_and_name(to)?,
        );
        let moved = self.dir_entries_mut(from_dir)?.remove(from);
        let moved = moved.ok_or(io::ErrorKind::NotFound)?;
        self.dir_entries_mut(to_dir)?.insert(to.to_owned(), moved);
        Ok(())
    }
}
