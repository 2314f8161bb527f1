//! Looks up files in a commit.

use std::sync::Arc;

use agon_record::moves::Citation;
use agon_record::stamp::{Absent, Location, Stamp, Unchecked};

use super::{ReferencedText, Resolver, StampOr, StampResult, unchecked_stamp};
use crate::commits::{CommitLookup, CommitPathEntry, Commits};
use crate::manifest::{FileKind, Scope};
use crate::paths::PathMatch;
use crate::text::Text;

impl Resolver<'_> {
    pub(super) fn resolve_file_in_commit(
        &mut self,
        name: &str,
        path: &str,
        citation: &Citation,
    ) -> StampResult {
        let commit = self.find_commit_id(name)?;
        // Use the pinned files to complete a partial path, because the commit's files are not
        // listed.
        let meant = match self.paths.find(path) {
            PathMatch::File(file) => file.to_owned(),
            _ => path.to_owned(),
        };
        let mut found = self.look_up_in_commit(&commit, path)?;
        let mut file = path.to_owned();
        if found.0 == CommitPathEntry::Absent && meant != path {
            found = self.look_up_in_commit(&commit, &meant)?;
            file = meant;
        }
        let (at, bytes) = found;
        let entry = match at {
            CommitPathEntry::Entry(entry) => entry,
            CommitPathEntry::Folder => return Err(unchecked_stamp(Unchecked::Folder)),
            CommitPathEntry::Submodule => return Err(unchecked_stamp(Unchecked::Submodule)),
            CommitPathEntry::Unreachable(cause) => {
                return Err(Box::new(Stamp::Unreachable { cause }));
            }
            CommitPathEntry::Absent => {
                return Err(self.missing_file_stamp(path, citation, Absent::File));
            }
        };
        let bytes = match bytes {
            Some(bytes) if entry.kind == FileKind::Text => bytes,
            Some(_) | None => self
                .source
                .text_bytes(&file, &entry)
                .map_err(unchecked_stamp)?,
        };
        let text = self.cached_text(&entry, &bytes);
        let meaning = ReferencedText {
            file,
            commit: Some(commit),
            text,
        };
        self.resolve_in_text(meaning, bytes, citation)
    }

    fn look_up_in_commit(
        &mut self,
        commit: &str,
        path: &str,
    ) -> StampOr<(CommitPathEntry, Option<Arc<[u8]>>)> {
        let answer = self.source.look_up_in_commit(commit, path);
        let (at, bytes) = answer.ok_or_else(|| unchecked_stamp(Unchecked::NotKept))?;
        self.commits
            .files
            .insert(Commits::file_key(commit, path), at.clone());
        Ok((at, bytes))
    }

    /// Returns the full ID of a commit.
    pub(super) fn find_commit_id(&mut self, name: &str) -> StampOr<String> {
        let name = name.trim();
        let known = self.commits.names.get(name).cloned();
        let Some(named) = known.or_else(|| self.source.find_commit(name)) else {
            let nothing = self.source.manifest().scope == Scope::Nothing;
            let reason = if nothing {
                Unchecked::NoSource
            } else {
                Unchecked::NotKept
            };
            return Err(unchecked_stamp(reason));
        };
        self.commits.names.insert(name.to_owned(), named.clone());
        match named {
            CommitLookup::Is(id) => Ok(id),
            CommitLookup::Absent => Err(Box::new(Stamp::Missing {
                what: Absent::Commit,
                last_line: None,
                instead: Vec::new(),
            })),
            CommitLookup::Unreachable(cause) => Err(Box::new(Stamp::Unreachable { cause })),
        }
    }

    pub(super) fn resolve_commit(&mut self, name: &str) -> StampResult {
        let id = self.find_commit_id(name)?;
        let text = Text::new(b"", String::new());
        Ok(Stamp::Place {
            there: text.excerpt(Location {
                file: String::new(),
                commit: Some(id),
                lines: [0, 0],
            }),
        })
    }
}
