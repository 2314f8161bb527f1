//! Answers of the repository and of web pages to what was looked up, stored so that neither the
//! repository nor the network is needed later.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::manifest::ManifestEntry;

/// Answers of a repository about its commits, and of the net about pages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Commits {
    /// What each cited name of a commit means.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub names: BTreeMap<String, CommitLookup>,
    /// What stands at `COMMIT:PATH`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, CommitPathEntry>,
    /// What stood at the address of a page when it was asked for.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub pages: BTreeMap<String, CommitPathEntry>,
}

/// What a cited name of a commit means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommitLookup {
    /// The commit with this whole id.
    Is(String),
    /// No commit, or several.
    Absent,
    /// It may be one that this clone lacks; why.
    Unreachable(String),
}

/// What a commit has at a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommitPathEntry {
    /// A file.
    Entry(ManifestEntry),
    /// A folder.
    Folder,
    /// Another repository.
    Submodule,
    /// Nothing.
    Absent,
    /// Something that this clone lacks; why.
    Unreachable(String),
}

impl Commits {
    /// Adds the entries of `later` that are missing here; an existing entry wins.
    pub fn add_missing(&mut self, later: Self) {
        for (name, meant) in later.names {
            self.names.entry(name).or_insert(meant);
        }
        for (file, at) in later.files {
            self.files.entry(file).or_insert(at);
        }
        for (page, at) in later.pages {
            self.pages.entry(page).or_insert(at);
        }
    }

    pub(crate) fn file_key(commit: &str, path: &str) -> String {
        format!("{commit}:{path}")
    }
}
