//! Resolves links to a file on a hosting site such as GitHub.

use agon_record::moves::Citation;
use agon_record::stamp::Stamp;

use super::Resolver;
use crate::extract::{attached_lines, is_commit_id};
use crate::known::KnownPaths;

/// Path segments between a repository's name and the commit or branch.
const MARKS: [&str; 12] = [
    "/-/blob/",
    "/-/raw/",
    "/-/blame/",
    "/-/tree/",
    "/blob/",
    "/blame/",
    "/raw/",
    "/tree/",
    "/edit/",
    "/src/commit/",
    "/src/branch/",
    "/src/",
];
// Branch names have at most three parts, as in `team/fix/one`; two more are a reserve.
/// Maximum number of parts in a branch name.
const MAX_BRANCH_PARTS: usize = 5;

/// A file in a repository, parsed from a link.
#[derive(Debug, PartialEq, Eq)]
struct Permalink {
    /// The part of the URL before the commit: the host and the repository.
    repository: String,
    /// The ID of a commit, the name of a branch, or empty.
    at: String,
    path: String,
    lines: Option<[u32; 2]>,
}

impl Resolver<'_> {
    /// Returns the stamp of a link, if it certainly refers to a file of this source.
    ///
    /// If this repository has the link's commit, the resolver reads the file there. Other links may
    /// refer to another repository or state, so only what exists can be reported.
    pub(super) fn resolve_permalink(&mut self, url: &str, citation: &Citation) -> Option<Stamp> {
        let link = Permalink::parse(url, self.source.known_paths())?;
        let cited = Citation {
            file: Some(link.path.clone()),
            lines: citation.lines.or(link.lines),
            url: None,
            ..citation.clone()
        };
        if is_commit_id(&link.at) {
            self.find_commit_id(&link.at).ok()?;
            let stamp = self.resolve_file_in_commit(&link.at, &link.path, &cited);
            return Some(stamp.unwrap_or_else(|stamp| *stamp));
        }
        let stamp = self.resolve_pinned_file(&link.path, &cited).ok()?;
        let name = self.source.manifest().name.to_lowercase();
        let is_named = link.repository.to_lowercase();
        let is_named = is_named.split(['/', '@', '?']).any(|part| part == name);
        match stamp {
            Stamp::Found { .. } => Some(stamp),
            Stamp::Moved { .. } | Stamp::Place { .. } if is_named => Some(stamp),
            _ => None,
        }
    }
}

impl Permalink {
    fn parse(url: &str, known: &KnownPaths) -> Option<Self> {
        let (_, rest) = url.split_once("://")?;
        let end = rest.find(['?', '#']).unwrap_or(rest.len());
        let (address, query) = rest.split_at(end);
        let fragment = query.find('#').and_then(|at| attached_lines(&query[at..]));
        let lines = fragment.or_else(|| attached_lines(query));
        let query = query.split('#').next().unwrap_or("");
        if let Some(path) = query_parameter(query, "path") {
            // Azure DevOps has the path and the commit or branch in the query.
            let at = query_parameter(query, "version").unwrap_or_default();
            let at = at
                .strip_prefix("GC")
                .or(at.strip_prefix("GB"))
                .unwrap_or(&at);
            return Some(Self {
                repository: percent_decode(address),
                at: at.to_owned(),
                path: path.trim_start_matches('/').to_owned(),
                lines,
            });
        }
        let address = percent_decode(address);
        if let Some((repository, path)) = address.split_once("/browse/") {
            return Some(Self {
                repository: repository.to_owned(),
                at: query_parameter(query, "at").unwrap_or_default(),
                path: path.to_owned(),
                lines,
            });
        }
        let (repository, rest) = split_repository(&address)?;
        // Sourcegraph puts the commit before the path marker, as in `repository@commit/-/blob/`.
        if let Some((repository, at)) = repository.split_once('@') {
            return Some(Self {
                repository: repository.to_owned(),
                at: at.trim_end_matches("/-").to_owned(),
                path: rest.to_owned(),
                lines,
            });
        }
        let splits = rest.match_indices('/').take(MAX_BRANCH_PARTS);
        let mut splits = splits.map(|(at, _)| (&rest[..at], &rest[at + 1..]));
        let (at, path) = splits.find(|(at, path)| is_commit_id(at) || known.has_full_path(path))?;
        Some(Self {
            repository: repository.to_owned(),
            at: at.to_owned(),
            path: path.to_owned(),
            lines,
        })
    }
}

/// Splits a URL into the host with the repository, and the rest: a commit or branch, and the path.
fn split_repository(address: &str) -> Option<(&str, &str)> {
    if let Some(rest) = address.strip_prefix("raw.githubusercontent.com/") {
        let (at, _) = rest.match_indices('/').nth(1)?;
        let rest = rest.get(at + 1..)?;
        let rest = rest.strip_prefix("refs/heads/").unwrap_or(rest);
        return Some((address.strip_suffix(rest)?, rest));
    }
    MARKS.iter().find_map(|mark| address.split_once(mark))
}

fn query_parameter(query: &str, name: &str) -> Option<String> {
    let mut all = query.trim_start_matches('?').split('&');
    let value = all.find_map(|it| it.strip_prefix(name)?.strip_prefix('='))?;
    Some(percent_decode(value))
}

fn percent_decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|it| std::str::from_utf8(it).ok());
        let byte = digits.and_then(|it| u8::from_str_radix(it, 16).ok());
        match byte.filter(|_| *first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_of_every_site_are_read() {
        let known = KnownPaths::new(["src/a.rs", "app/[id]/p.tsx"]);
        let sha = "3f1c9ae0123456789abcdef0123456789abcdef0";
        for (url, at, path, lines) in [
            (
                "https://github.com/o/r/blob/SHA/src/a.rs#L10-L20",
                sha,
                "src/a.rs",
                [10, 20],
            ),
            (
                "https://github.com/o/r/blob/fix/one/src/a.rs#L10",
                "fix/one",
                "src/a.rs",
                [10, 10],
            ),
            (
                "https://github.com/o/r/blob/main/app/%5Bid%5D/p.tsx?plain=1#L1C2-L3C4",
                "main",
                "app/[id]/p.tsx",
                [1, 3],
            ),
            (
                "https://github.com/o/r/blame/main/src/a.rs#L7",
                "main",
                "src/a.rs",
                [7, 7],
            ),
            (
                "https://gitlab.com/g/s/r/-/blob/SHA/src/a.rs?ref_type=heads#L10-20",
                sha,
                "src/a.rs",
                [10, 20],
            ),
            (
                "https://bitbucket.org/o/r/src/SHA/src/a.rs#lines-10:20",
                sha,
                "src/a.rs",
                [10, 20],
            ),
            (
                "https://codeberg.org/o/r/src/commit/SHA/src/a.rs#L10-L20",
                sha,
                "src/a.rs",
                [10, 20],
            ),
            (
                "https://codeberg.org/o/r/src/branch/main/src/a.rs#L10",
                "main",
                "src/a.rs",
                [10, 10],
            ),
            (
                "https://dev.azure.com/o/p/_git/r?path=%2Fsrc%2Fa.rs&version=GCSHA&line=10&lineEnd=20&lineStartColumn=1",
                sha,
                "src/a.rs",
                [10, 20],
            ),
            (
                "https://dev.azure.com/o/p/_git/r?path=/src/a.rs&version=GBmain&line=10",
                "main",
                "src/a.rs",
                [10, 10],
            ),
            (
                "https://sourcegraph.com/github.com/o/r@SHA/-/blob/src/a.rs?L10-20",
                sha,
                "src/a.rs",
                [10, 20],
            ),
            (
                "https://raw.githubusercontent.com/o/r/SHA/src/a.rs#L2",
                sha,
                "src/a.rs",
                [2, 2],
            ),
        ] {
            let link = Permalink::parse(&url.replace("SHA", sha), &known).expect(url);
            assert_eq!((link.at.as_str(), link.path.as_str()), (at, path), "{url}");
            assert_eq!(link.lines, Some(lines), "{url}");
        }
        for url in [
            "https://example.com/blog/a.rs",
            "https://github.com/o/r/issues/7",
            "no",
        ] {
            assert_eq!(Permalink::parse(url, &known), None, "{url}");
        }
    }
}
