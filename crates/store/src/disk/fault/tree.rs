//! Files and directories in memory: as they are now, and as they are on the platter.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Component, Path};

use super::Keep;

// The page of x86-64 Linux and the default block of ext4: what a cut of power leaves of new bytes
// is whole pages.
const PAGE: usize = 4096;

/// All there is on a disk; the first node is its root.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) nodes: Vec<TreeNode>,
    pub(super) locked: BTreeSet<usize>,
}

/// A file or a directory: as it is now, and as it is on the platter.
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

    fn survive(&self, keep: Keep) -> Self {
        match self {
            Self::File { now, kept } => Self::file(match keep {
                Keep::Synced | Keep::Names => kept.clone(),
                Keep::All | Keep::Bytes => now.clone(),
                Keep::Half => half(now, kept),
            }),
            Self::Dir { now, kept } => Self::dir(match keep {
                Keep::Synced | Keep::Bytes => kept.clone(),
                Keep::All | Keep::Names | Keep::Half => now.clone(),
            }),
        }
    }
}

fn half(now: &[u8], kept: &[u8]) -> Vec<u8> {
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

fn parts(path: &Path) -> Vec<OsString> {
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

    /// What a crash leaves; no lock is held then.
    pub(super) fn survive(&self, keep: Keep) -> Self {
        Self {
            nodes: self.nodes.iter().map(|node| node.survive(keep)).collect(),
            locked: BTreeSet::new(),
        }
    }

    /// Puts a file and the directories above it there, durably.
    pub(super) fn place_file(&mut self, path: &Path, bytes: &[u8]) {
        let mut at = 0;
        let names = parts(path);
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

    pub(super) fn find(&self, path: &Path) -> io::Result<usize> {
        let mut at = 0;
        for name in parts(path) {
            at = *self.names(at)?.get(&name).ok_or(io::ErrorKind::NotFound)?;
        }
        Ok(at)
    }

    pub(super) fn names(&self, node: usize) -> io::Result<&Names> {
        match &self.nodes[node] {
            TreeNode::Dir { now, .. } => Ok(now),
            TreeNode::File { .. } => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    pub(super) fn names_mut(&mut self, node: usize) -> io::Result<&mut Names> {
        match &mut self.nodes[node] {
            TreeNode::Dir { now, .. } => Ok(now),
            TreeNode::File { .. } => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    pub(super) fn file_mut(&mut self, node: usize) -> io::Result<(&mut Vec<u8>, &mut Vec<u8>)> {
        match &mut self.nodes[node] {
            TreeNode::File { now, kept } => Ok((now, kept)),
            TreeNode::Dir { .. } => Err(io::ErrorKind::IsADirectory.into()),
        }
    }

    /// The directory a path stands in, and its name there.
    pub(super) fn place<'p>(&self, path: &'p Path) -> io::Result<(usize, &'p OsStr)> {
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        Ok((self.find(path.parent().unwrap_or(Path::new("")))?, name))
    }

    fn add(&mut self, path: &Path, node: TreeNode) -> io::Result<usize> {
        let (dir, name) = self.place(path)?;
        let at = self.nodes.len();
        self.names_mut(dir)?.insert(name.to_owned(), at);
        self.nodes.push(node);
        Ok(at)
    }

    pub(super) fn create(&mut self, path: &Path) -> io::Result<usize> {
        match self.find(path) {
            Ok(at) => {
                self.file_mut(at)?.0.clear();
                Ok(at)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let (now, kept) = (Vec::new(), Vec::new());
                self.add(path, TreeNode::File { now, kept })
            }
            Err(error) => Err(error),
        }
    }

    pub(super) fn create_dir(&mut self, path: &Path) -> io::Result<()> {
        if self.find(path).is_ok() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let (now, kept) = (Names::new(), Names::new());
        self.add(path, TreeNode::Dir { now, kept }).map(|_| ())
    }

    pub(super) fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        let ((from_dir, from), (to_dir, to)) = (self.place(from)?, self.place(to)?);
        let moved = self.names_mut(from_dir)?.remove(from);
        let moved = moved.ok_or(io::ErrorKind::NotFound)?;
        self.names_mut(to_dir)?.insert(to.to_owned(), moved);
        Ok(())
    }
}
