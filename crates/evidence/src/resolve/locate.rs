//! Finds the file of the source that a path refers to, however the path is written.

use agon_record::moves::Citation;

use super::Resolver;
use crate::extract::{Extracted, KnownFiles, Prose, extract_known};
use crate::known::KnownPaths;
use crate::path::{CitedPath, parse_cited_path, parse_foreign_path, strip_parent_prefix};
use crate::paths::PathMatch;

impl KnownFiles for Resolver<'_> {
    fn paths(&self) -> &KnownPaths {
        self.source.known_paths()
    }

    fn is_root(&self, folder: &str) -> bool {
        self.source.is_root(folder)
    }

    fn has(&self, path: &str) -> bool {
        self.has_matching_file(path)
    }

    fn name(&self) -> &str {
        &self.source.manifest().name
    }

    fn has_folder(&self, name: &str) -> bool {
        self.source.known_paths().has_folder(name)
    }
}

impl Resolver<'_> {
    /// Returns the citations in a text, matched against the files of the source.
    pub fn extract(&self, text: &str) -> Vec<Extracted> {
        self.extract_prose(text).citations
    }

    pub(super) fn extract_prose(&self, text: &str) -> Prose {
        extract_known(text, self)
    }

    /// Returns whether a path refers to one or several files of the source.
    pub(crate) fn has_matching_file(&self, path: &str) -> bool {
        let CitedPath::Inside(path) = self.locate(path) else {
            return false;
        };
        matches!(
            self.paths.find(&path),
            PathMatch::File(_) | PathMatch::Several(_)
        )
    }

    /// Converts a cited path to one relative to the source's root.
    pub(super) fn locate(&self, path: &str) -> CitedPath {
        // Outside Windows, a file name may contain a backslash, so first look for the name as it
        // is.
        let name = path.trim();
        if name.contains('\\') && self.source.manifest().entries.contains_key(name) {
            return CitedPath::Inside(name.to_owned());
        }
        match parse_cited_path(path, |folder| self.source.is_root(folder)) {
            CitedPath::Outside => self
                .locate_foreign(path)
                .map_or(CitedPath::Outside, CitedPath::Inside),
            inside => inside,
        }
    }

    /// Finds the known file for a path that begins in a folder of another machine, or above its own
    /// root.
    fn locate_foreign(&self, path: &str) -> Option<String> {
        if let Some(rest) = strip_parent_prefix(path) {
            return matches!(self.paths.find(&rest), PathMatch::File(_)).then_some(rest);
        }
        let foreign = parse_foreign_path(path)?;
        let known = self.source.known_paths();
        let name = self.source.manifest().name.as_str();
        let is_posix = foreign.is_rooted && !foreign.is_windows_path;
        let mut starts = (0..foreign.parts.len()).map(|at| foreign.parts.split_at(at));
        let (_, tail) = starts.find(|(folders, tail)| {
            let is_named = folders
                .last()
                .is_some_and(|it| !name.is_empty() && it.eq_ignore_ascii_case(name));
            // A path may begin at the project's root, or on another system in a folder with the
            // project's name.
            let is_likely = is_named && !is_posix || foreign.is_windows_path && tail.len() > 1;
            (is_likely || folders.is_empty() && foreign.is_rooted)
                && known.has_full_path(&tail.join("/"))
        })?;
        Some(tail.join("/"))
    }

    /// Returns whether an absolute path ends like one of the project, which may be in another
    /// folder on another machine.
    pub(super) fn may_be_on_another_machine(&self, path: &str) -> bool {
        let known = self.source.known_paths();
        parse_foreign_path(path).is_some_and(|foreign| {
            let parts = &foreign.parts;
            let mut tails = (1..parts.len()).filter_map(|at| parts.get(at..));
            tails.any(|tail| tail.len() > 1 && known.has_full_path(&tail.join("/")))
        })
    }

    /// Splits lines, a commit and other additions off a file name such as `a.rs:10-20`.
    pub(super) fn split_embedded_lines(&self, file: &str, citation: &Citation) -> Option<Citation> {
        let found = self.extract(file);
        let (first, others) = found.split_first()?;
        // If the name begins with a known folder, do not shorten it to a path inside the text.
        let folder = file.split_once('/').map(|(folder, _)| folder);
        if first.span[0] > 0 && folder.is_some_and(|it| self.has_folder(it)) {
            return None;
        }
        let is_same = |it: &Extracted| it.citation.file == first.citation.file;
        if !others.iter().all(is_same) || first.citation.commit == Some(file.to_owned()) {
            return None;
        }
        let with_lines = found.iter().find(|it| it.citation.lines.is_some());
        let only = with_lines.unwrap_or(first);
        if only.citation.file.as_deref() == Some(file) {
            return None;
        }
        // A citation has one range, so use the one that spans the whole list.
        let first = only.list.iter().map(|it| it[0]).min();
        let last = only.list.iter().map(|it| it[1]).max();
        let whole = first.zip(last).map(|(first, last)| [first, last]);
        Some(Citation {
            file: only.citation.file.clone(),
            url: only.citation.url.clone(),
            lines: citation.lines.or(whole).or(only.citation.lines),
            commit: citation.commit.clone().or(only.citation.commit.clone()),
            ..citation.clone()
        })
    }
}
