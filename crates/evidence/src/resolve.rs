//! Looks up citations: from a place with words to a stamp.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use agon_debate::moves::Citation;
use agon_debate::stamp::{Absent, Note, Place, Stamp, Unchecked};

use crate::anchor::{Anchor, Weight};
use crate::commits::{At, Commits, Named};
use crate::extract::extract;
use crate::index::Index;
use crate::manifest::{Entry, LeftOut, Scope};
use crate::path::{Cited, cited};
use crate::paths::{MOST_CANDIDATES, Meant, Paths};
use crate::source::{Blobs, Source};
use crate::text::Text;

mod ground;
mod within;

use within::{Asked, within};

/// Bytes of texts that are kept ready.
const MOST_READY: usize = 64 << 20;
/// Other files in which words stand that are named.
const MOST_ELSEWHERE: usize = 3;

/// Looks up citations in one source, and keeps what the stamps rest on.
///
/// A first citation of a file reads it; the first whose words are not in its file reads all
/// texts of the source once, to say where else they stand.
///
/// ```
/// # use agon_evidence::{Resolver, Source};
/// # use agon_debate::{moves::Citation, stamp::StampKind};
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
    index: Option<Index<'a>>,
    ready: HashMap<String, Arc<Text>>,
    ready_bytes: usize,
    commits: Commits,
    rests_on: Blobs,
}

/// What the stamps of a debate rest on: with the manifest, all that is needed to look them up
/// again without the source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// What commits said.
    pub commits: Commits,
    /// The files that stamps show or name.
    pub blobs: Blobs,
}

/// A text of the source that a citation means.
struct Meaning {
    file: String,
    commit: Option<String>,
    text: Arc<Text>,
}

/// Bytes of a text by their hash.
type Bytes = (String, Arc<[u8]>);

impl<'a> Resolver<'a> {
    /// Looks up in this source; nothing is read yet.
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

    /// What the citation's place has.
    ///
    /// The first of file, document, command, page, commit and reasoning that is given counts.
    pub fn resolve(&mut self, citation: &Citation) -> Stamp {
        let stamp = if let Some(file) = &citation.file {
            self.file(file, citation)
        } else if let Some(name) = &citation.document {
            self.document(name, citation)
        } else if let Some(command) = &citation.command {
            self.run(command, citation)
        } else if citation.url.is_some() {
            Err(unchecked(Unchecked::UrlNotAsked))
        } else if let Some(commit) = &citation.commit {
            self.only_commit(commit)
        } else if citation.reasoning.is_some() {
            Err(unchecked(Unchecked::Reasoning))
        } else {
            Err(unchecked(Unchecked::NoPlace))
        };
        stamp.unwrap_or_else(|stamp| *stamp)
    }

    /// What the stamps given so far rest on.
    pub fn kept(&self) -> Kept {
        Kept {
            commits: self.commits.clone(),
            blobs: self.rests_on.clone(),
        }
    }

    /// Whether a path means a file of the source, alone or among several.
    pub(crate) fn knows(&self, path: &str) -> bool {
        let Cited::Inside(path) = cited(path) else {
            return false;
        };
        matches!(self.paths.meant(&path), Meant::File(_) | Meant::Several(_))
    }

    fn file(&mut self, file: &str, citation: &Citation) -> Answer {
        let path = match cited(file) {
            Cited::Inside(path) => path,
            Cited::Root => return Err(unchecked(Unchecked::Folder)),
            Cited::Outside => return Err(unchecked(Unchecked::Outside)),
        };
        if let Some(spelled) = self.spelled_out(file, &path, citation) {
            return self.file(spelled.file.as_deref().unwrap_or(""), &spelled);
        }
        match &citation.commit {
            Some(commit) => self.file_in_commit(commit, &path, citation),
            None => self.pinned_file(&path, citation),
        }
    }

    /// The citation with its lines apart, when its file is no file and reads like `a.rs:10-20`.
    fn spelled_out(&self, file: &str, path: &str, citation: &Citation) -> Option<Citation> {
        if !file.contains([':', '#', '(', ' ']) || self.paths.meant(path) != Meant::Nothing {
            return None;
        }
        let mut found = extract(file, |path| self.knows(path));
        let only = found.pop().filter(|_| found.is_empty())?.citation;
        let path = only.file.filter(|it| it.len() < file.len())?;
        Some(Citation {
            file: Some(path),
            lines: citation.lines.or(only.lines),
            commit: citation.commit.clone().or(only.commit),
            ..citation.clone()
        })
    }

    fn pinned_file(&mut self, path: &str, citation: &Citation) -> Answer {
        let source = self.source;
        let manifest = source.manifest();
        let file = match self.paths.meant(path) {
            Meant::File(file) => file,
            Meant::Several(files) => return self.one_of(&files, citation),
            Meant::Folder => return Err(unchecked(Unchecked::Folder)),
            Meant::Outside => return Err(unchecked(Unchecked::Outside)),
            Meant::LeftOut(why) => return self.left_out(why, path, citation),
            Meant::Nothing => {
                return match manifest.scope {
                    Scope::Nothing if manifest.documents.contains_key(path) => {
                        self.document(path, citation)
                    }
                    Scope::Nothing => Err(unchecked(Unchecked::NoSource)),
                    Scope::Changes | Scope::Files => Err(unchecked(Unchecked::NotPinned)),
                    Scope::Tree => Err(self.missing_file(path, citation)),
                };
            }
        };
        let Some(entry) = manifest.entries.get(file) else {
            return Err(unchecked(Unchecked::NotKept));
        };
        let bytes = source.bytes(file, entry).map_err(unchecked)?;
        let text = self.text(entry, &bytes);
        self.look(
            Meaning {
                file: file.to_owned(),
                commit: None,
                text,
            },
            bytes,
            citation,
        )
    }

    /// One of several files, if the words stand at the place in a single one of them.
    fn one_of(&mut self, files: &[&str], citation: &Citation) -> Answer {
        let candidates = files.iter().take(MOST_CANDIDATES);
        let ambiguous = Box::new(Stamp::Unchecked {
            reason: Unchecked::Ambiguous,
            candidates: candidates.map(|it| (*it).to_owned()).collect(),
        });
        let anchor = citation.anchor.as_deref().and_then(Anchor::new);
        if files.len() > MOST_CANDIDATES || !anchor.is_some_and(|it| it.weight() == Weight::Strong)
        {
            return Err(ambiguous);
        }
        // Which files were looked into is part of what the stamp rests on.
        let mut found = Vec::new();
        for file in files {
            let one = Citation {
                file: Some((*file).to_owned()),
                ..citation.clone()
            };
            if let Ok(stamp) = self.pinned_file(file, &one)
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

    fn left_out(&mut self, why: LeftOut, path: &str, citation: &Citation) -> Answer {
        Err(match why {
            LeftOut::Ignored => unchecked(Unchecked::Ignored),
            LeftOut::Submodule => unchecked(Unchecked::Submodule),
            LeftOut::Deleted => self.missing_file(path, citation),
            LeftOut::Sparse => unchecked(Unchecked::NotPinned),
            LeftOut::Special | LeftOut::Unreadable => unchecked(Unchecked::Unreadable),
        })
    }

    fn missing_file(&mut self, path: &str, citation: &Citation) -> Box<Stamp> {
        let mut instead = match citation.anchor.as_deref().and_then(Anchor::new) {
            Some(anchor) => self.elsewhere(&anchor, None),
            None => Vec::new(),
        };
        for file in self.paths.nearly(path) {
            if instead.len() < MOST_ELSEWHERE && instead.iter().all(|it| it.file != file) {
                instead.push(Place {
                    file: file.to_owned(),
                    commit: None,
                    lines: [0, 0],
                });
            }
        }
        Box::new(Stamp::Missing {
            what: Absent::File,
            last_line: None,
            instead,
        })
    }

    fn file_in_commit(&mut self, name: &str, path: &str, citation: &Citation) -> Answer {
        let commit = self.commit(name)?;
        // A part of a path can be told by the files that are pinned.
        let meant = match self.paths.meant(path) {
            Meant::File(file) => file.to_owned(),
            Meant::Several(_)
            | Meant::LeftOut(_)
            | Meant::Folder
            | Meant::Outside
            | Meant::Nothing => path.to_owned(),
        };
        let mut found = self.ask_commit(&commit, path)?;
        let mut file = path.to_owned();
        if found.0 == At::Absent && meant != path {
            found = self.ask_commit(&commit, &meant)?;
            file = meant;
        }
        let (at, bytes) = found;
        let entry = match at {
            At::Entry(entry) => entry,
            At::Folder => return Err(unchecked(Unchecked::Folder)),
            At::Submodule => return Err(unchecked(Unchecked::Submodule)),
            At::Unreachable(cause) => return Err(Box::new(Stamp::Unreachable { cause })),
            At::Absent => return Err(self.missing_file(path, citation)),
        };
        let bytes = match bytes {
            Some(bytes) if entry.kind == crate::manifest::Kind::Text => bytes,
            Some(_) | None => self.source.bytes(&file, &entry).map_err(unchecked)?,
        };
        let text = self.text(&entry, &bytes);
        let meaning = Meaning {
            file,
            commit: Some(commit),
            text,
        };
        self.look(meaning, bytes, citation)
    }

    fn ask_commit(&mut self, commit: &str, path: &str) -> Asking<(At, Option<Arc<[u8]>>)> {
        let answer = self.source.at(commit, path);
        let (at, bytes) = answer.ok_or_else(|| unchecked(Unchecked::NotKept))?;
        self.commits
            .files
            .insert(Commits::key(commit, path), at.clone());
        Ok((at, bytes))
    }

    /// The whole id of a commit.
    fn commit(&mut self, name: &str) -> Asking<String> {
        let name = name.trim();
        let Some(named) = self.source.named(name) else {
            let nothing = self.source.manifest().scope == Scope::Nothing;
            let reason = if nothing {
                Unchecked::NoSource
            } else {
                Unchecked::NotKept
            };
            return Err(unchecked(reason));
        };
        self.commits.names.insert(name.to_owned(), named.clone());
        match named {
            Named::Is(id) => Ok(id),
            Named::Absent => Err(Box::new(Stamp::Missing {
                what: Absent::Commit,
                last_line: None,
                instead: Vec::new(),
            })),
            Named::Unreachable(cause) => Err(Box::new(Stamp::Unreachable { cause })),
        }
    }

    fn only_commit(&mut self, name: &str) -> Answer {
        let id = self.commit(name)?;
        let text = Text::new(b"", String::new());
        Ok(Stamp::Found {
            there: text.shown(Place {
                file: String::new(),
                commit: Some(id),
                lines: [0, 0],
            }),
            note: Some(Note::CommitOnly),
        })
    }

    fn document(&mut self, name: &str, citation: &Citation) -> Answer {
        let manifest = self.source.manifest();
        let name = name.trim();
        match manifest.documents.get(name) {
            Some(entry) => self.given(name, entry, citation),
            None if self.knows(name) => self.file(name, citation),
            None if manifest.documents.is_empty() && manifest.scope == Scope::Nothing => {
                Err(unchecked(Unchecked::NoSource))
            }
            None => {
                let names = manifest.documents.keys().take(MOST_ELSEWHERE);
                let instead = names.map(|name| Place {
                    file: name.clone(),
                    commit: None,
                    lines: [0, 0],
                });
                Err(Box::new(Stamp::Missing {
                    what: Absent::Document,
                    last_line: None,
                    instead: instead.collect(),
                }))
            }
        }
    }

    fn run(&mut self, command: &str, citation: &Citation) -> Answer {
        let command = command.trim().trim_start_matches("$ ");
        let Some(entry) = self.source.manifest().runs.get(command) else {
            return Err(unchecked(Unchecked::NoRun));
        };
        let words = citation.output.clone().or_else(|| citation.anchor.clone());
        let citation = Citation {
            anchor: words,
            ..citation.clone()
        };
        self.given(command, entry, &citation)
    }

    /// A text that was given to the debate.
    fn given(&mut self, name: &str, entry: &Entry, citation: &Citation) -> Answer {
        let bytes = self.source.bytes("", entry).map_err(unchecked)?;
        let text = self.text(entry, &bytes);
        let meaning = Meaning {
            file: name.to_owned(),
            commit: None,
            text,
        };
        self.look(meaning, bytes, citation)
    }

    /// Looks for the words in a text.
    fn look(&mut self, meaning: Meaning, bytes: Arc<[u8]>, citation: &Citation) -> Answer {
        let asked = Asked {
            file: meaning.file,
            commit: meaning.commit,
            lines: citation.lines.map(ordered),
            words: citation.anchor.as_deref().unwrap_or(""),
        };
        self.rests_on
            .insert(blake3::hash(&bytes).to_hex().to_string(), bytes);
        let anchor = Anchor::new(asked.words);
        let mut stamp = within(&meaning.text, &asked, anchor.as_ref());
        if let (Stamp::Wrong { elsewhere, .. }, Some(anchor)) = (&mut stamp, &anchor) {
            // Of a file in a commit, the pinned one is another.
            let but = asked.commit.is_none().then_some(asked.file.as_str());
            *elsewhere = self.elsewhere(anchor, but);
        }
        Ok(stamp)
    }

    /// Files of the source, other than `but`, in which the words stand.
    fn elsewhere(&mut self, anchor: &Anchor, but: Option<&str>) -> Vec<Place> {
        if anchor.weight() != Weight::Strong {
            return Vec::new();
        }
        let source = self.source;
        let index = self.index.get_or_insert_with(|| Index::new(source));
        let mut places = Vec::new();
        for file in index.with(&anchor.words()) {
            let Some(entry) = source.manifest().entries.get(file) else {
                continue;
            };
            if but == Some(file) {
                continue;
            }
            let Some((lines, bytes)) = self.first_in(anchor, file, entry) else {
                continue;
            };
            self.rests_on.insert(bytes.0, bytes.1);
            places.push(Place {
                file: file.to_owned(),
                commit: None,
                lines,
            });
            if places.len() == MOST_ELSEWHERE {
                break;
            }
        }
        places
    }

    /// The first lines of a file in which the words stand.
    fn first_in(
        &mut self,
        anchor: &Anchor,
        file: &str,
        entry: &Entry,
    ) -> Option<([u32; 2], Bytes)> {
        let hash = entry.hash.clone()?;
        let ready = self.ready.get(&hash).cloned();
        let (text, bytes) = match ready {
            Some(text) => (text, None),
            None => {
                let bytes = self.source.bytes(file, entry).ok()?;
                (self.text(entry, &bytes), Some(bytes))
            }
        };
        let lines = *anchor.anywhere(&text.looked)?.lines.first()?;
        let bytes = match bytes {
            Some(bytes) => bytes,
            None => self.source.bytes(file, entry).ok()?,
        };
        Some((lines, (hash, bytes)))
    }

    /// The text of an entry, ready to be looked in.
    fn text(&mut self, entry: &Entry, bytes: &[u8]) -> Arc<Text> {
        let hash = entry.hash.clone().unwrap_or_default();
        if let Some(text) = self.ready.get(&hash) {
            return Arc::clone(text);
        }
        let text = Arc::new(Text::new(bytes, hash.clone()));
        if self.ready_bytes + text.len() > MOST_READY {
            self.ready.clear();
            self.ready_bytes = 0;
        }
        self.ready_bytes += text.len();
        self.ready.insert(hash, Arc::clone(&text));
        text
    }
}

/// A stamp; the error is one too, which ends the looking up.
type Answer = Asking<Stamp>;
type Asking<T> = Result<T, Box<Stamp>>;

fn unchecked(reason: Unchecked) -> Box<Stamp> {
    Box::new(Stamp::unchecked(reason))
}

fn ordered([first, last]: [u32; 2]) -> [u32; 2] {
    [first.min(last), first.max(last)]
}

/// The counts of stamps by kind, as a verdict has them.
pub fn tally<'s>(
    stamps: impl IntoIterator<Item = &'s Stamp>,
) -> BTreeMap<agon_debate::stamp::StampKind, u32> {
    let all = agon_debate::stamp::StampKind::ALL.map(|kind| (kind, 0));
    let mut counts = BTreeMap::from(all);
    for stamp in stamps {
        *counts.entry(stamp.kind()).or_default() += 1;
    }
    counts
}
