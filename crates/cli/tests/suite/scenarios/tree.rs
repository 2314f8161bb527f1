//! A folder as it stands: what is in it, and when it was written.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::scenarios::seen::files;

/// The contents and times of everything below a folder.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Tree(BTreeMap<PathBuf, (Vec<u8>, SystemTime)>);

impl Tree {
    /// The folder as it stands now.
    pub(crate) fn of(root: &Path) -> Self {
        let read = |path: PathBuf| {
            let full = root.join(&path);
            let written = fs::symlink_metadata(&full).unwrap().modified().unwrap();
            (path, (fs::read(full).unwrap_or_default(), written))
        };
        Self(files(root).into_iter().map(read).collect())
    }

    /// Whether it is the same as `other`, leaving some files out.
    pub(crate) fn same_but_for(&self, other: &Self, names: &[&str]) -> bool {
        let of = |tree: &Self| {
            let left = tree.0.clone().into_iter();
            left.filter(|(path, _)| !names.iter().any(|name| path == Path::new(name)))
                .collect::<Vec<_>>()
        };
        of(self) == of(other)
    }
}
