//! Stored answers of the repository and of web pages, so that neither the repository nor the
//! network is needed later.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::manifest::ManifestEntry;

/// Answers of a repository about its commits, and of the internet about pages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Commits {
    /// The commit for each cited name.
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
    /// The commit with this full id.
    Is(String),
    /// No such commit, or an ambiguous name.
    Absent,
    /// The commit may exist but is missing from this clone; contains the reason.
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
    /// Nothing.
    Absent,
    /// An object that is missing from this clone; contains the reason.
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
