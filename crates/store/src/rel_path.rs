//! Relative paths of projections in a debate folder.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// The path of a projection in the folder, such as `arguments/pro_001a.md`.
///
/// Parts of ASCII letters, digits, `.`, `_` and `-`, joined by `/`. No part starts with a dot, so
/// the path never leaves the folder or enters `.agon`.
///
/// ```
/// # use agon_store::RelPath;
/// assert_eq!(RelPath::new("arguments/pro_001a.md")?.as_str(), "arguments/pro_001a.md");
/// assert!(RelPath::new("../elsewhere.md").is_err());
/// # Ok::<(), agon_store::RelPathError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RelPath(String);

/// A file rendered from the record: its path in the folder and its bytes.
pub type Projection = (RelPath, Vec<u8>);

impl RelPath {
    /// Returns the path for a text.
    ///
    /// # Errors
    ///
    /// If the text is not a valid path.
    pub fn new(text: impl Into<String>) -> Result<Self, RelPathError> {
        let text = text.into();
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
        let sound =
            |part: &str| !part.is_empty() && !part.starts_with('.') && part.bytes().all(allowed);
        if text.len() <= 200 && text.split('/').all(sound) {
            Ok(Self(text))
        } else {
            Err(RelPathError(text.chars().take(60).collect()))
        }
    }

    /// Returns the path as text, with `/` between its parts.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the path in the folder `root`.
    pub fn under(&self, root: &Path) -> PathBuf {
        root.join(&self.0)
    }
}

impl fmt::Display for RelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for RelPath {
    type Error = RelPathError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::new(text)
    }
}

impl From<RelPath> for String {
    fn from(path: RelPath) -> Self {
        path.0
    }
}

/// A text that is not a valid path of a projection.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a valid file name in a debate")]
pub struct RelPathError(String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_leaves_the_folder_or_enters_our_own() {
        for bad in [
            "",
            "/etc/passwd",
            "..",
            "a/../b",
            "a//b",
            "a/",
            ".agon/journal.jsonl",
            "a\\b",
            "a\0",
            "ünder.md",
        ] {
            assert!(RelPath::new(bad).is_err(), "{bad:?}");
        }
        for good in ["debate.md", "arguments/cha_002aa.md", "argument-graph.mmd"] {
            assert_eq!(RelPath::new(good).unwrap().as_str(), good);
        }
    }
}
