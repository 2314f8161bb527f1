//! The change that a review is about.

use std::collections::{BTreeMap, BTreeSet};

/// The change that a review is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReviewedChange {
    /// The full id of the commit before the change.
    pub since: String,
    /// The full id of the last commit of the change.
    pub commit: String,
    /// The paths of the changed files that the seats were given, relative to the project.
    pub files: BTreeSet<String>,
    /// The paths of the changed files that the seats were not given, in the repository.
    pub not_read: Vec<String>,
    /// The path of the project in its repository: empty, or ending with `/`.
    pub prefix: String,
    /// The lines that the change removed.
    pub removed: RemovedLines,
}

/// The removed lines of each file: their numbers in the version before the change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RemovedLines(BTreeMap<String, BTreeSet<u32>>);

impl RemovedLines {
    /// Reads the removed lines of one file from its unified diff.
    pub fn add_diff(&mut self, file: &str, diff: &str) {
        let lines = self.0.entry(file.to_owned()).or_default();
        let mut old = 0_u32;
        let mut is_in_hunk = false;
        for line in diff.lines() {
            if let Some(header) = line.strip_prefix("@@ -") {
                let start = header.split([',', ' ']).next().unwrap_or_default();
                old = start.parse().unwrap_or_default();
                is_in_hunk = true;
                continue;
            }
            match line.as_bytes().first() {
                _ if !is_in_hunk => {}
                Some(b'-') => {
                    lines.insert(old);
                    old = old.saturating_add(1);
                }
                Some(b' ') | None => old = old.saturating_add(1),
                _ => {}
            }
        }
    }

    /// Returns whether the change removed one of these lines of the file.
    pub(super) fn has_lines(&self, file: &str, [first, last]: [u32; 2]) -> bool {
        let removed = self.0.get(file);
        removed.is_some_and(|lines| lines.range(first..=last.max(first)).next().is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removed_lines_have_the_numbers_of_the_version_before() {
        let diff = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -2,4 +2,3 @@ fn f\n keep\n-gone\n-\n+new\n \n";
        let mut removed = RemovedLines::default();
        removed.add_diff("x", diff);
        for (lines, is_removed) in [
            ([3, 3], true),
            ([4, 9], true),
            ([1, 2], false),
            ([5, 5], false),
        ] {
            assert_eq!(removed.has_lines("x", lines), is_removed, "{lines:?}");
        }
        assert!(!removed.has_lines("y", [3, 3]));
    }
}
