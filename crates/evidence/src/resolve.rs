//! Resolves citations: looks up the place and the words, and returns a stamp.

use std::collections::HashMap;
use std::sync::Arc;

use agon_record::moves::Citation;
use agon_record::stamp::{Absent, Stamp, Unchecked};

use crate::anchor::{Anchor, Weight};
use crate::archive::{Blobs, EvidenceArchive};
use crate::commits::Commits;
use crate::index::Index;
use crate::manifest::{LeftOut, ManifestEntry, Scope};
use crate::path::{CitedPath, is_absolute, is_windows_path};
use crate::paths::{MAX_CANDIDATES, PathMatch, Paths};
use crate::source::Source;
use crate::text::Text;

mod commit;
mod document;
mod elsewhere;
mod ground;
mod locate;
mod page;
mod permalink;
mod within;

use document::is_file_name;
use within::{TextQuery, stamp_text_query};

// 32 files of the maximum size, which equals the memory for the contents of a source (`file_bytes`
// and `held_bytes` of `PinLimits`).
/// Maximum total size, in bytes, of the prepared texts that are cached.
const MAX_READY: usize = 64 << 20;
// The same as `MAX_NAMES` in `paths.rs`, because both lists must fit into one line of a finding.
/// Maximum number of other files that a stamp names.
const MAX_ELSEWHERE: usize = 3;

/// Looks up citations in one source, and collects what the stamps depend on.
///
/// The first citation of a file reads that file. The first one whose words are not in its file
/// reads all texts of the source once, to report where else they occur. Later resolvers of the same
/// source, or of a clone of it, need not read them again.
///
/// ```
/// # use agon_evidence::{Resolver, Source};
/// # use agon_record::{moves::Citation, stamp::StampKind};
/// let source = Source::none().with_document("notes", "Retries are capped at five.");
/// let mut resolver = Resolver::new(&source);
/// let mut citation = Citation {
///     document: Some("notes".into()),
///     anchor: Some("capped at five".into()),
///     ..Citation::default()
/// };
/// assert_eq!(resolver.resolve(&citation).kind(), StampKind::Found);
/// citation.anchor = Some("capped at three".into());
/// assert_eq!(resolver.resolve(&citation).kind(), StampKind::Wrong);
/// ```
#[derive(Debug)]
pub struct Resolver<'a> {
    source: &'a Source,
    paths: Paths<'a>,
    index: Option<Arc<Index>>,
    ready: HashMap<String, Arc<Text>>,
    ready_bytes: usize,
    commits: Commits,
    rests_on: Blobs,
}

/// The text that a citation refers to.
struct ReferencedText {
    file: String,
    commit: Option<String>,
    text: Arc<Text>,
}

impl<'a> Resolver<'a> {
    /// Creates a resolver for this source; reads nothing yet.
    pub fn new(source: &'a Source) -> Self {
        Self {
            source,
            paths: Paths::new(source.manifest()),
            index: None,
            ready: HashMap::new(),
            ready_bytes: 0,
            commits: source.commits().clone(),
            rests_on: Blobs::new(),
        }
    }

    /// Looks up a citation and returns its stamp.
    ///
    /// Uses the first of file, document, command, page, commit and reasoning that is given.
    pub fn resolve(&mut self, citation: &Citation) -> Stamp {
        let stamp = if let Some(file) = &citation.file {
            self.resolve_file(file, citation)
        } else if let Some(name) = &citation.document {
            self.resolve_document(name, citation)
        } else if let Some(command) = &citation.command {
            self.resolve_command(command, citation)
        } else if let Some(url) = &citation.url {
            self.resolve_page(url, citation)
        } else if let Some(commit) = &citation.commit {
            self.resolve_commit(commit)
        } else if citation.reasoning.is_some() {
            Err(unchecked_stamp(Unchecked::Reasoning))
        } else {
            Err(unchecked_stamp(Unchecked::NoPlace))
        };
        stamp.unwrap_or_else(|stamp| *stamp)
    }

    /// Returns everything that the stamps so far depend on.
    pub fn archive(&self) -> EvidenceArchive {
        EvidenceArchive {
            commits: self.commits.clone(),
            blobs: self.rests_on.clone(),
        }
    }

    fn resolve_file(&mut self, file: &str, citation: &Citation) -> StampResult {
        let is_known = match self.locate(file) {
            CitedPath::Inside(path) => self.paths.find(&path) != PathMatch::Nothing,
            CitedPath::Root => true,
            CitedPath::Outside => false,
        };
        if !is_known && let Some(spelled) = self.split_embedded_lines(file, citation) {
            if let Some(url) = &spelled.url {
                return self.resolve_page(url, &spelled);
            }
            return self.resolve_path(spelled.file.as_deref().unwrap_or(""), &spelled);
        }
        self.resolve_path(file, citation)
    }

    /// Looks up a path without line numbers or other additions.
    fn resolve_path(&mut self, file: &str, citation: &Citation) -> StampResult {
        let path = match self.locate(file) {
            CitedPath::Inside(path) => path,
            CitedPath::Root => return Err(unchecked_stamp(Unchecked::Folder)),
            CitedPath::Outside if self.source.manifest().scope == Scope::Nothing => {
                return Err(unchecked_stamp(Unchecked::Outside));
            }
            // Such a path may still be one of the project on another machine, so do not call it
            // missing.
            CitedPath::Outside
                if is_windows_path(file) || is_absolute(file) && !self.source.has_mark() =>
            {
                return Err(unchecked_stamp(Unchecked::Outside));
            }
            CitedPath::Outside => {
                return Err(self.missing_file_stamp(file, citation, Absent::Outside));
            }
        };
        match &citation.commit {
            Some(commit) => self.resolve_file_in_commit(commit, &path, citation),
            None => self.resolve_pinned_file(&path, citation),
        }
    }

    fn resolve_pinned_file(&mut self, path: &str, citation: &Citation) -> StampResult {
        let source = self.source;
        let manifest = source.manifest();
        let file = match self.paths.find(path) {
            PathMatch::File(file) => file,
            PathMatch::Several(files) => return self.resolve_ambiguous_file(&files, citation),
            PathMatch::Folder => return Err(unchecked_stamp(Unchecked::Folder)),
            PathMatch::Outside => return Err(unchecked_stamp(Unchecked::Outside)),
            PathMatch::LeftOut(why) => return self.stamp_left_out_path(why, path, citation),
            PathMatch::Nothing => {
                return match manifest.scope {
                    Scope::Nothing if manifest.documents.contains_key(path) => {
                        self.resolve_document(path, citation)
                    }
                    Scope::Nothing => Err(unchecked_stamp(Unchecked::NoSource)),
                    Scope::Changes | Scope::Files => Err(unchecked_stamp(Unchecked::NotPinned)),
                    Scope::Tree => Err(self.missing_file_stamp(path, citation, Absent::File)),
                };
            }
        };
        let Some(entry) = manifest.entries.get(file) else {
            return Err(unchecked_stamp(Unchecked::NotKept));
        };
        let bytes = source.text_bytes(file, entry).map_err(unchecked_stamp)?;
        let text = self.cached_text(entry, &bytes);
        self.resolve_in_text(
            ReferencedText {
                file: file.to_owned(),
                commit: None,
                text,
            },
            bytes,
            citation,
        )
    }

    /// Checks every file that the path may refer to. Returns the stamp of the only one with the
    /// words at the cited place; otherwise the path is ambiguous.
    fn resolve_ambiguous_file(&mut self, files: &[&str], citation: &Citation) -> StampResult {
        let candidates = files.iter().take(MAX_CANDIDATES);
        let ambiguous = Box::new(Stamp::Unchecked {
            reason: Unchecked::Ambiguous,
            candidates: candidates.map(|it| (*it).to_owned()).collect(),
        });
        let anchor = citation.anchor.as_deref().and_then(Anchor::new);
        if files.len() > MAX_CANDIDATES || !anchor.is_some_and(|it| it.weight() == Weight::Strong) {
            return Err(ambiguous);
        }
        // Search every candidate without stopping early, so that the stamp depends on all of them.
        let mut found = Vec::new();
        for file in files {
            let one = Citation {
                file: Some((*file).to_owned()),
                ..citation.clone()
            };
            if let Ok(stamp) = self.resolve_pinned_file(file, &one)
                && matches!(stamp, Stamp::Found { .. })
            {
                found.push(stamp);
            }
        }
        match found.pop() {
            Some(only) if found.is_empty() => Ok(only),
            Some(_) | None => Err(ambiguous),
        }
    }

    fn stamp_left_out_path(
        &mut self,
        why: LeftOut,
        path: &str,
        citation: &Citation,
    ) -> StampResult {
        Err(match why {
            LeftOut::Ignored => unchecked_stamp(Unchecked::Ignored),
            LeftOut::Submodule => unchecked_stamp(Unchecked::Submodule),
            LeftOut::Deleted => self.missing_file_stamp(path, citation, Absent::File),
            LeftOut::Sparse | LeftOut::Apart => unchecked_stamp(Unchecked::NotPinned),
            LeftOut::Special | LeftOut::Unreadable => unchecked_stamp(Unchecked::Unreadable),
        })
    }

    fn resolve_document(&mut self, name: &str, citation: &Citation) -> StampResult {
        let manifest = self.source.manifest();
        let name = name.trim();
        match manifest.documents.get(name) {
            Some(entry) => self.resolve_given_text(name, entry, citation),
            None if self.has_matching_file(name) || is_file_name(name) => {
                self.resolve_file(name, citation)
            }
            None if manifest.documents.is_empty() && manifest.scope == Scope::Nothing => {
                Err(unchecked_stamp(Unchecked::NoSource))
            }
            // The document may be a standard or a book, which Agon cannot check.
            None => Err(unchecked_stamp(Unchecked::Elsewhere)),
        }
    }

    fn resolve_command(&mut self, command: &str, citation: &Citation) -> StampResult {
        let command = command.trim().trim_start_matches("$ ");
        let Some(entry) = self.source.manifest().runs.get(command) else {
            return Err(unchecked_stamp(Unchecked::NoRun));
        };
        let words = citation.output.clone().or_else(|| citation.anchor.clone());
        let citation = Citation {
            anchor: words,
            ..citation.clone()
        };
        self.resolve_given_text(command, entry, &citation)
    }

    /// Searches for the words in a document or a command's output that was given to the debate.
    fn resolve_given_text(
        &mut self,
        name: &str,
        entry: &ManifestEntry,
        citation: &Citation,
    ) -> StampResult {
        let bytes = self.source.text_bytes("", entry).map_err(unchecked_stamp)?;
        let text = self.cached_text(entry, &bytes);
        let meaning = ReferencedText {
            file: name.to_owned(),
            commit: None,
            text,
        };
        self.resolve_in_text(meaning, bytes, citation)
    }

    /// Searches for the words in a text.
    fn resolve_in_text(
        &mut self,
        meaning: ReferencedText,
        bytes: Arc<[u8]>,
        citation: &Citation,
    ) -> StampResult {
        let asked = TextQuery {
            file: meaning.file,
            commit: meaning.commit,
            lines: citation.lines.map(sort_line_range),
            words: citation.anchor.as_deref().unwrap_or(""),
        };
        self.rests_on
            .insert(blake3::hash(&bytes).to_hex().to_string(), bytes);
        let anchor = Anchor::new(asked.words);
        let mut stamp = stamp_text_query(&meaning.text, &asked, anchor.as_ref());
        if let (Stamp::Wrong { elsewhere, .. }, Some(anchor)) = (&mut stamp, &anchor) {
            // For a file at an older commit, the pinned version counts as another file, so search
            // that too.
            let but = asked.commit.is_none().then_some(asked.file.as_str());
            *elsewhere = self.find_elsewhere(anchor, but);
        }
        Ok(stamp)
    }

    /// Returns the text of an entry, prepared for searching, from the cache if possible.
    fn cached_text(&mut self, entry: &ManifestEntry, bytes: &[u8]) -> Arc<Text> {
        let hash = entry.hash.clone().unwrap_or_default();
        if let Some(text) = self.ready.get(&hash) {
            return Arc::clone(text);
        }
        let text = Arc::new(Text::new(bytes, hash.clone()));
        if self.ready_bytes + text.len() > MAX_READY {
            self.ready.clear();
            self.ready_bytes = 0;
        }
        self.ready_bytes += text.len();
        self.ready.insert(hash, Arc::clone(&text));
        text
    }
}

/// A stamp; an `Err` also contains a stamp, which ends the look-up early.
type StampResult = StampOr<Stamp>;
type StampOr<T> = Result<T, Box<Stamp>>;

fn unchecked_stamp(reason: Unchecked) -> Box<Stamp> {
    Box::new(Stamp::unchecked(reason))
}

fn sort_line_range([first, last]: [u32; 2]) -> [u32; 2] {
    [first.min(last), first.max(last)]
}
