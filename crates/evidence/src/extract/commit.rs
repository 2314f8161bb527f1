//! Finds the IDs of commits in prose.

use std::sync::LazyLock;

use regex::Regex;

// Chosen, not measured: a sentence usually ends sooner. With a larger distance, a commit would be
// assigned to a path of another clause, and Agon would read the wrong version of the file.
/// Maximum distance between a path and its commit, in bytes.
const NEAR: usize = 120;

/// A commit named in prose.
#[derive(Debug)]
pub(super) struct Commit {
    pub(super) id: String,
    pub(super) span: [usize; 2],
}

/// Matches a word for a commit followed by an abbreviated ID, or a full ID alone. A SHA-256 ID
/// needs such a word, because it looks like a file's checksum, which people also call a hash.
static COMMIT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    super::compile_regex(
        r"(?i)\b(?:commits?|revisions?|rev|sha|changeset|hash|as of|checked out at)[ \t]*[:=]?[ \t]*[`'(\x22]?([0-9a-f]{7,40})\b|\b([0-9a-f]{40})\b|\b(?:commits?|revisions?|rev|changeset|as of|checked out at)[ \t]*[:=]?[ \t]*[`'(\x22]?([0-9a-f]{64})\b",
    )
});

/// Returns the commits that a text names.
pub(super) fn find_commits(text: &str) -> Vec<Commit> {
    let Some(pattern) = &*COMMIT else {
        return Vec::new();
    };
    let mut commits = Vec::new();
    for found in pattern.captures_iter(text) {
        let Some(id) = (1..=3).find_map(|group| found.get(group)) else {
            continue;
        };
        if is_commit_id(id.as_str()) {
            commits.push(Commit {
                id: id.as_str().to_ascii_lowercase(),
                span: [id.start(), id.end()],
            });
        }
    }
    commits
}

/// Returns whether hexadecimal digits look like an ID rather than a number or a word.
pub(crate) fn is_commit_id(text: &str) -> bool {
    let is_whole = matches!(text.len(), 40 | 64);
    (is_whole || (7..=40).contains(&text.len()))
        && text.bytes().all(|byte| byte.is_ascii_hexdigit())
        && text.bytes().any(|byte| byte.is_ascii_digit())
        && (is_whole || text.bytes().any(|byte| byte.is_ascii_alphabetic()))
}

/// Returns the commit that the same sentence names near a path.
pub(super) fn commit_id_near_path(
    text: &str,
    commits: &[Commit],
    path: [usize; 2],
) -> Option<String> {
    // The commits are in order, so check only the two neighbours of the path.
    let after = commits.partition_point(|it| it.span[0] < path[0]);
    let before = after.checked_sub(1).and_then(|at| commits.get(at));
    let gap = |commit: &Commit| {
        let (from, to) = if commit.span[0] < path[0] {
            (commit.span[1], path[0])
        } else {
            (path[1], commit.span[0])
        };
        let between = text.get(from..to)?;
        let same = between.len() <= NEAR && !between.contains(". ") && !between.contains('\n');
        same.then_some(between.len())
    };
    let both = [before, commits.get(after)].into_iter().flatten();
    let near = both.filter_map(|commit| Some((gap(commit)?, commit)));
    let nearest = near.min_by_key(|(gap, _)| *gap);
    nearest.map(|(_, commit)| commit.id.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_of_sha_256_is_one_only_where_a_word_says_so() {
        let id = "0a".repeat(32);
        let found = |text: &str| {
            find_commits(text)
                .into_iter()
                .map(|it| it.id)
                .collect::<Vec<_>>()
        };
        let said = found(&format!("as of commit {id}, it was"));
        assert_eq!(said, std::slice::from_ref(&id));
        assert_eq!(found(&format!("sha: {id}, hash {id}, {id}")), [""; 0]);
        assert_eq!(found(&format!("commit {}", &id[..50])), [""; 0]);
        assert_eq!(found(&format!("{} and", &id[..40])), [id[..40].to_owned()]);
    }
}
