//! Stored answers about commits and web pages, so that neither the repository nor the network is
//! needed again.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::manifest::ManifestEntry;

/// Answers of the repository about its commits, and of the internet about pages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Commits {
    /// The commit that each cited name refers to.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub names: BTreeMap<String, CommitLookup>,
    /// The content at each `COMMIT:PATH`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, CommitPathEntry>,
    /// The content of each page at the time it was fetched.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub pages: BTreeMap<String, CommitPathEntry>,
}

/// The result of looking up a cited commit name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommitLookup {
    /// The commit with this full ID.
    Is(String),
    /// There is no such commit, or the name is ambiguous.
    Absent,
    /// The commit may exist, but this clone lacks it; contains the reason.
    Unreachable(String),
}

/// The content of a commit at a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommitPathEntry {
    /// A file.
    Entry(ManifestEntry),
    /// A folder.
    Folder,
    /// A submodule.
    Submodule,
    /// There is nothing at the path.
    Absent,
    /// This clone lacks the object; contains the reason.
    Unreachable(String),
}

impl Commits {
    /// Adds the entries of `later` that are missing here; existing entries stay.
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
