//! Finds the file of a source that a cited path refers to.

use std::collections::HashMap;

use crate::fold::fold;
use crate::manifest::{FileKind, LeftOut, Manifest, path_and_ancestors};
use crate::path::{CitedPath, resolve_link};

// Linux follows 40 (`man 7 path_resolution`), but in a project a link to a link is rare. A link to
// itself must end: see `a_link_is_followed_inside_the_source_and_never_out_of_it`.
/// Maximum number of links followed in a row.
const MAX_LINKS: usize = 4;
// Chosen, not measured: this many fit into one line of a finding. With fewer, the right one is
// missing more often; with more, readers skip them.
/// Maximum number of suggestions for a file that does not exist.
const MAX_NAMES: usize = 3;
// Chosen, not measured: each file is read and searched for the words. With a higher limit, a common
// name such as `mod.rs` would cost reading half a project.
/// Maximum number of candidates named for an ambiguous path.
pub(crate) const MAX_CANDIDATES: usize = 5;

/// The paths of a source, by file name.
#[derive(Debug)]
pub(crate) struct Paths<'a> {
    manifest: &'a Manifest,
    /// Paths by their folded file name.
    by_name: HashMap<String, Vec<&'a str>>,
}

/// The result of looking up a cited path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PathMatch<'a> {
    /// Exactly this file.
    File(&'a str),
    /// One of these files; the path does not say which.
    Several(Vec<&'a str>),
    /// A path that was left out.
    LeftOut(LeftOut),
    /// A folder.
    Folder,
    /// A path outside the source, to which a link leads.
    Outside,
    /// No file.
    Nothing,
}

impl<'a> Paths<'a> {
    pub(crate) fn new(manifest: &'a Manifest) -> Self {
        let mut by_name: HashMap<String, Vec<&str>> = HashMap::new();
        for path in manifest.entries.keys() {
            by_name
                .entry(fold(file_name(path)).into_owned())
                .or_default()
                .push(path);
        }
        Self { manifest, by_name }
    }

    /// Looks up a path in the source: the file with exactly this path, or else the only file whose
    /// path ends with it.
    pub(crate) fn find(&self, path: &str) -> PathMatch<'a> {
        let exact = self.find_exact(path);
        if exact != PathMatch::Nothing {
            return exact;
        }
        // The path may begin with `a/` or `b/`, as in a diff, or with the project's own folder.
        let name = self.manifest.name.as_str();
        let prefix = self.manifest.prefix.as_str();
        for first in ["a", "b", "c", "i", "o", "w", name, prefix] {
            if let Some(rest) = path.strip_prefix(first).and_then(|it| it.strip_prefix('/'))
                && let meant @ (PathMatch::File(_) | PathMatch::Outside) = self.find_exact(rest)
            {
                return meant;
            }
        }
        self.find_by_suffix(path)
    }

    /// Looks up exactly this path, following links.
    fn find_exact(&self, path: &str) -> PathMatch<'a> {
        let mut path = path.to_owned();
        for _ in 0..=MAX_LINKS {
            let link = path_and_ancestors(&path).find_map(|it| {
                let (at, entry) = self.manifest.entries.get_key_value(it)?;
                Some((at, entry))
            });
            let Some((at, entry)) = link else {
                return self.classify_non_file(&path);
            };
            let FileKind::Symlink(target) = &entry.kind else {
                // A path that continues below a file does not exist.
                return if at.len() == path.len() {
                    PathMatch::File(at)
                } else {
                    PathMatch::Nothing
                };
            };
            match resolve_link(at, target) {
                CitedPath::Inside(to) => path = format!("{to}{}", &path[at.len()..]),
                CitedPath::Root => path = path[at.len()..].trim_start_matches('/').to_owned(),
                CitedPath::Outside => return PathMatch::Outside,
            }
        }
        PathMatch::Outside
    }

    fn classify_non_file(&self, path: &str) -> PathMatch<'a> {
        if path == ".git" || path.starts_with(".git/") {
            return PathMatch::LeftOut(LeftOut::Ignored);
        }
        if let Some(why) = self.manifest.left_out_reason(path) {
            return PathMatch::LeftOut(why);
        }
        let inside = format!("{path}/");
        let mut after = self.manifest.entries.range(inside.clone()..);
        match after.next() {
            Some((next, _)) if next.starts_with(&inside) => PathMatch::Folder,
            Some(_) | None => PathMatch::Nothing,
        }
    }

    /// Finds the files whose paths end this way: in the same spelling, or else in another spelling
    /// of the same name.
    fn find_by_suffix(&self, path: &str) -> PathMatch<'a> {
        let named = self.by_name.get(&fold(file_name(path)).into_owned());
        let named = named.map_or(&[][..], Vec::as_slice);
        let ends = |whole: &str, path: &str| {
            whole
                .strip_suffix(path)
                .is_some_and(|before| before.is_empty() || before.ends_with('/'))
        };
        let same: Vec<&str> = named.iter().copied().filter(|it| ends(it, path)).collect();
        let any_case = || -> Vec<&str> {
            let folded = fold(path);
            let alike = |it: &&&str| ends(&fold(it), &folded);
            let mut found: Vec<&str> = named.iter().filter(alike).copied().collect();
            // If one path matches as a whole, ignore longer paths that only end the same way.
            if found.iter().any(|it| fold(it) == folded) {
                found.retain(|it| fold(it) == folded);
            }
            found
        };
        let found = if same.is_empty() { any_case() } else { same };
        match found.as_slice() {
            [] => PathMatch::Nothing,
            [only] => self.find_exact(only),
            [..] => PathMatch::Several(found),
        }
    }

    /// Returns files with a name similar to one that does not exist, the most similar first.
    pub(crate) fn similar_paths(&self, path: &str) -> Vec<&'a str> {
        let name = fold(file_name(path)).into_owned();
        if let Some(same) = self.by_name.get(&name) {
            let mut same = same.clone();
            same.sort_by_key(|it| (strsim::levenshtein(it, path), *it));
            same.truncate(MAX_NAMES);
            return same;
        }
        let allowed = (name.chars().count() / 3).min(3);
        let mut alike: Vec<(usize, &str)> = Vec::new();
        for (other, paths) in &self.by_name {
            if other.len().abs_diff(name.len()) > allowed {
                continue;
            }
            let distance = strsim::osa_distance(other, &name);
            if distance <= allowed {
                alike.extend(paths.iter().map(|it| (distance, *it)));
            }
        }
        alike.sort_unstable();
        alike.truncate(MAX_NAMES);
        alike.into_iter().map(|(_, path)| path).collect()
    }
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::{Change, ManifestEntry};

    fn manifest(paths: &[&str], links: &[(&str, &str)]) -> Manifest {
        let entry = |kind| ManifestEntry {
            hash: None,
            bytes: 0,
            kind,
            change: Change::None,
        };
        let files = paths
            .iter()
            .map(|path| (path.to_string(), entry(FileKind::Text)));
        let links = links
            .iter()
            .map(|(path, to)| (path.to_string(), entry(FileKind::Symlink(to.to_string()))));
        Manifest {
            name: "agon".into(),
            entries: files.chain(links).collect(),
            left_out: [("target".to_owned(), LeftOut::Ignored)].into(),
            ..Manifest::default()
        }
    }

    #[test]
    fn a_path_means_the_file_of_that_path_or_the_only_one_that_ends_so() {
        let manifest = manifest(
            &[
                "src/lib.rs",
                "src/store/blob.rs",
                "web/src/lib.rs",
                "README.md",
            ],
            &[],
        );
        let paths = Paths::new(&manifest);
        for (path, meant) in [
            ("src/lib.rs", PathMatch::File("src/lib.rs")),
            ("a/src/lib.rs", PathMatch::File("src/lib.rs")),
            ("agon/src/lib.rs", PathMatch::File("src/lib.rs")),
            ("blob.rs", PathMatch::File("src/store/blob.rs")),
            ("store/blob.rs", PathMatch::File("src/store/blob.rs")),
            ("readme.md", PathMatch::File("README.md")),
            ("ob.rs", PathMatch::Nothing),
            ("other/blob.rs", PathMatch::Nothing),
            (
                "lib.rs",
                PathMatch::Several(vec!["src/lib.rs", "web/src/lib.rs"]),
            ),
            ("src", PathMatch::Folder),
            ("target/debug/x.rs", PathMatch::LeftOut(LeftOut::Ignored)),
            (".git/config", PathMatch::LeftOut(LeftOut::Ignored)),
            ("README.md/x", PathMatch::Nothing),
        ] {
            assert_eq!(paths.find(path), meant, "{path}");
        }
    }

    #[test]
    fn a_link_is_followed_inside_the_source_and_never_out_of_it() {
        let manifest = manifest(
            &["src/lib.rs"],
            &[
                ("inside.rs", "src/lib.rs"),
                ("folder", "./src"),
                ("root", "."),
                ("absolute", "/etc/passwd"),
                ("climbs", "../../etc"),
                ("circle", "circle"),
            ],
        );
        let paths = Paths::new(&manifest);
        for (path, meant) in [
            ("inside.rs", PathMatch::File("src/lib.rs")),
            ("folder/lib.rs", PathMatch::File("src/lib.rs")),
            ("root/src/lib.rs", PathMatch::File("src/lib.rs")),
            ("absolute", PathMatch::Outside),
            ("climbs/passwd", PathMatch::Outside),
            ("circle", PathMatch::Outside),
        ] {
            assert_eq!(paths.find(path), meant, "{path}");
        }
    }

    #[test]
    fn names_that_are_nearly_it_are_offered() {
        let manifest = manifest(&["src/retry.rs", "src/store.rs", "lib/store.rs"], &[]);
        let paths = Paths::new(&manifest);
        assert_eq!(paths.similar_paths("src/retri.rs"), ["src/retry.rs"]);
        assert_eq!(
            paths.similar_paths("srcs/store.rs"),
            ["src/store.rs", "lib/store.rs"]
        );
        assert_eq!(paths.similar_paths("src/quantum.rs"), Vec::<&str>::new());
    }
}
