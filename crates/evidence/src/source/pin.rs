//! Pins a source: reads each file once and compares it with the checked-out commit.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::disk::{DiskEntry, Folder};
use super::git::{self, Git, InCommit, Listing};
use super::{BlobsByHash, PinError, Source, folder};
use crate::commits::Commits;
use crate::decode::utf16_encoding;
use crate::limits::PinLimits;
use crate::manifest::{Change, FileKind, LeftOut, Manifest, ManifestEntry, Scope};
use crate::parallel::in_parallel;
use crate::path::{CitedPath, parse_cited_path};
use crate::source::allowance::Allowance;

/// The first bytes of a Git LFS pointer.
const LARGE_FILE_POINTER: &[u8] = b"version https://git-lfs.github.com/spec/";

/// Pins a folder: the whole tree, or only the files that differ from its commit.
pub(super) fn pin_tree(
    root: &Path,
    limits: &PinLimits,
    excluded: Excluded<'_>,
    scope: Scope,
) -> Result<Source, PinError> {
    let root = canonical_folder(root)?;
    let mut spent = Allowance::new(limits);
    let at = Folder::new(root);
    let mut pin = Pin::new(&at, limits, scope);
    pin.excluded = excluded;
    for folder in excluded.apart {
        pin.leave_out((*folder).to_owned(), LeftOut::Apart)?;
    }
    // Git lists only the outermost ignored folder, and Agon's hosts ignore their whole state
    // folder. So list that one as left out, whether it exists or not.
    for folder in excluded.unseen {
        if let Some((outer, _)) = folder.rsplit_once('/') {
            pin.leave_out(outer.to_owned(), LeftOut::Ignored)?;
        }
    }
    let Some(git) = Git::open(at.path())? else {
        if scope == Scope::Changes {
            return Err(PinError::NoCommit);
        }
        let listed = folder::list_files(&at, &mut spent)?;
        for (path, why) in listed.left_out {
            pin.leave_out_unless_excluded(path, why)?;
        }
        pin.add_files(listed.files, None, &mut spent)?;
        return Ok(pin.into_source());
    };
    let listing = git.list_files(&mut spent)?;
    if scope == Scope::Changes && listing.commit.is_none() {
        return Err(PinError::NoCommit);
    }
    git.work_tree_prefix()
        .trim_end_matches('/')
        .clone_into(&mut pin.manifest.prefix);
    pin.add_listing(listing, &mut spent)?;
    Ok(pin.into_source())
}

/// Pins a few named files.
pub(super) fn pin_files(
    root: &Path,
    paths: &[&str],
    limits: &PinLimits,
) -> Result<Source, PinError> {
    let root = canonical_folder(root)?;
    let mut spent = Allowance::new(limits);
    let at = Folder::new(root);
    let mut pin = Pin::new(&at, limits, Scope::Files);
    // A file can be pinned even if its repository is broken, so ignore errors here.
    let git = Git::open(at.path()).ok().flatten();
    let commit = git.as_ref().and_then(|git| git.resolve_commit("HEAD").ok());
    for given in paths {
        let CitedPath::Inside(path) = parse_cited_path(given, |_| false) else {
            return Err(PinError::Outside {
                path: (*given).to_owned(),
            });
        };
        let mut committed = HashMap::new();
        if let (Some(git), Some(commit)) = (&git, &commit)
            && let Ok(InCommit::File(bytes)) = git.read_in_commit(commit, &path, limits.file_bytes)
        {
            let id = git::blob_id(&bytes, gix::hash::Kind::Sha1);
            committed.extend(id.map(|id| (path.clone(), id)));
        }
        let known = commit.is_some().then_some(&committed);
        pin.add_file(path.clone(), known, &mut spent)?;
        pin.require_text(given, &path)?;
    }
    if let Some(git) = git {
        git.work_tree_prefix()
            .trim_end_matches('/')
            .clone_into(&mut pin.manifest.prefix);
    }
    pin.manifest.commit = commit;
    Ok(pin.into_source())
}

/// Pins files as they are in a commit.
pub(super) fn pin_in_commit(
    root: &Path,
    commit: &str,
    paths: &[&str],
    limits: &PinLimits,
) -> Result<Source, PinError> {
    let root = canonical_folder(root)?;
    let mut spent = Allowance::new(limits);
    let at = Folder::new(root);
    let mut pin = Pin::new(&at, limits, Scope::Changes);
    let git = Git::open(at.path())?.ok_or(PinError::NoCommit)?;
    for path in paths {
        let found = git.read_in_commit(commit, path, limits.file_bytes);
        let entry = match found.map_err(|_| PinError::NoCommit)? {
            InCommit::File(bytes) => {
                spent.count_file(bytes.len() as u64)?;
                let entry = entry_for_bytes(&bytes, Change::None);
                if entry.kind == FileKind::Text
                    && let Some(hash) = &entry.hash
                    && spent.reserve_memory(entry.bytes)
                {
                    // Keep the bytes, because another clone may lack the commit.
                    pin.held.insert(hash.clone(), bytes.into());
                }
                entry
            }
            InCommit::Oversized(bytes) => oversized_entry(bytes),
            InCommit::Link(target) => link_entry(target),
            InCommit::Absent => {
                pin.leave_out((*path).to_owned(), LeftOut::Deleted)?;
                continue;
            }
            InCommit::Folder | InCommit::Submodule => {
                pin.leave_out((*path).to_owned(), LeftOut::Submodule)?;
                continue;
            }
        };
        pin.manifest.entries.insert((*path).to_owned(), entry);
    }
    git.work_tree_prefix()
        .trim_end_matches('/')
        .clone_into(&mut pin.manifest.prefix);
    pin.manifest.commit = Some(commit.to_owned());
    Ok(pin.into_source())
}

fn canonical_folder(root: &Path) -> Result<PathBuf, PinError> {
    let path = root.canonicalize().map_err(|cause| PinError::Read {
        path: root.to_owned(),
        cause,
    })?;
    if path.is_dir() {
        Ok(path)
    } else {
        Err(PinError::NoFolder { path })
    }
}

/// Folders inside the pinned one that are not read, by their paths in it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Excluded<'a> {
    /// Folders that the manifest lists as left out, so that citations into them are unchecked.
    pub apart: &'a [&'a str],
    /// Folders that the manifest does not mention, so that it is the same whether or not they
    /// exist.
    pub unseen: &'a [&'a str],
}

impl Excluded<'_> {
    /// Returns whether `path` is one of these folders, or inside one.
    fn has(&self, path: &str) -> bool {
        let mut folders = self.apart.iter().chain(self.unseen);
        folders.any(|folder| Path::new(path).starts_with(folder))
    }
}

/// A file that was read, or why it was not.
enum ReadFile {
    /// It is in an excluded folder.
    Excluded,
    /// It is the same as in the commit, and only changed files are pinned; with its size.
    OutOfScope(u64),
    /// Its entry, and its bytes if they must be kept.
    Entry(ManifestEntry, Option<Vec<u8>>),
    /// What is at its path instead.
    Unread(DiskEntry),
}

/// How files are read and compared with the commit.
#[derive(Clone, Copy)]
struct ReadRules<'a> {
    excluded: Excluded<'a>,
    max_bytes: u64,
    scope: Scope,
    /// The files of the commit, if there is one.
    committed: Option<&'a CommittedFiles>,
}

/// The files of a commit, by path, with the id of their content.
type CommittedFiles = HashMap<String, gix::ObjectId>;

impl ReadRules<'_> {
    /// Reads a file and compares it with the commit.
    fn read(&self, at: &Folder, path: &str) -> ReadFile {
        if self.excluded.has(path) {
            return ReadFile::Excluded;
        }
        match at.read_entry(path, self.max_bytes) {
            DiskEntry::Bytes(bytes) => self.make_entry(path, bytes),
            other => ReadFile::Unread(other),
        }
    }

    /// Returns the entry of a file that was read, if it is in scope, with its bytes unless the
    /// commit has the same.
    fn make_entry(&self, path: &str, bytes: Vec<u8>) -> ReadFile {
        let (change, saved) = match self.committed.map(|files| files.get(path)) {
            None => (Change::None, false),
            Some(None) => (Change::New, false),
            Some(Some(id)) => compare_with_commit(&bytes, *id),
        };
        if self.scope == Scope::Changes && change == Change::None {
            return ReadFile::OutOfScope(bytes.len() as u64);
        }
        let entry = entry_for_bytes(&bytes, change);
        let is_unsaved = !saved && entry.kind == FileKind::Text;
        ReadFile::Entry(entry, is_unsaved.then_some(bytes))
    }
}

// With files of the maximum size (`PinLimits::file_bytes`), a batch has 128 MiB.
/// Number of files that are read before the limits are checked.
const BATCH: usize = 64;

/// A source while it is being pinned.
struct Pin<'a> {
    at: &'a Folder,
    limits: &'a PinLimits,
    excluded: Excluded<'a>,
    manifest: Manifest,
    held: BlobsByHash,
}

impl<'a> Pin<'a> {
    fn new(at: &'a Folder, limits: &'a PinLimits, scope: Scope) -> Self {
        let name = at.path().file_name();
        let name = name.map(|name| name.to_string_lossy().into_owned());
        Self {
            at,
            limits,
            excluded: Excluded::default(),
            manifest: Manifest {
                scope,
                name: name.unwrap_or_default(),
                ..Manifest::default()
            },
            held: BlobsByHash::new(),
        }
    }

    /// Pins every file that git lists.
    fn add_listing(&mut self, listing: Listing, spent: &mut Allowance<'_>) -> Result<(), PinError> {
        self.manifest.commit.clone_from(&listing.commit);
        let left_out = [
            (listing.ignored, LeftOut::Ignored),
            (listing.submodules, LeftOut::Submodule),
            (listing.sparse, LeftOut::Sparse),
            (listing.special, LeftOut::Special),
        ];
        for (paths, why) in left_out {
            for path in paths {
                self.leave_out_unless_excluded(path, why)?;
            }
        }
        let committed = listing.commit.is_some().then_some(&listing.committed);
        self.add_files(listing.files, committed, spent)
    }

    /// Pins files, which several threads read and hash.
    fn add_files(
        &mut self,
        paths: Vec<String>,
        committed: Option<&CommittedFiles>,
        spent: &mut Allowance<'_>,
    ) -> Result<(), PinError> {
        let rules = self.read_rules(committed);
        let root = self.at.path();
        let mut paths = paths.into_iter();
        loop {
            let batch: Vec<String> = paths.by_ref().take(BATCH).collect();
            if batch.is_empty() {
                return Ok(());
            }
            let parts = in_parallel(
                &batch,
                |_| 0,
                |part| {
                    let at = Folder::new(root.to_owned());
                    let read = part.iter().map(|path| rules.read(&at, path));
                    read.collect::<Vec<_>>()
                },
            );
            for (path, read) in batch.iter().zip(parts.into_iter().flatten()) {
                self.add_read_file(path, read, spent)?;
            }
        }
    }

    /// Pins one file; `committed` contains the files of the commit, if there is one.
    fn add_file(
        &mut self,
        path: String,
        committed: Option<&CommittedFiles>,
        spent: &mut Allowance<'_>,
    ) -> Result<(), PinError> {
        let read = self.read_rules(committed).read(self.at, &path);
        self.add_read_file(&path, read, spent)
    }

    fn read_rules<'b>(&self, committed: Option<&'b CommittedFiles>) -> ReadRules<'b>
    where
        'a: 'b,
    {
        ReadRules {
            excluded: self.excluded,
            max_bytes: self.limits.file_bytes,
            scope: self.manifest.scope,
            committed,
        }
    }

    /// Adds a file that was read, within the limits.
    fn add_read_file(
        &mut self,
        path: &str,
        read: ReadFile,
        spent: &mut Allowance<'_>,
    ) -> Result<(), PinError> {
        let path = path.to_owned();
        let entry = match read {
            ReadFile::Excluded => return Ok(()),
            ReadFile::OutOfScope(bytes) => return spent.count_file(bytes),
            ReadFile::Entry(entry, unsaved) => {
                spent.count_file(entry.bytes)?;
                self.manifest.dirty |= entry.change != Change::None;
                if let (Some(bytes), Some(hash)) = (unsaved, &entry.hash)
                    && spent.reserve_memory(entry.bytes)
                {
                    self.held.insert(hash.clone(), bytes.into());
                }
                entry
            }
            ReadFile::Unread(DiskEntry::Oversized(bytes)) => {
                spent.count_file(0)?;
                oversized_entry(bytes)
            }
            ReadFile::Unread(DiskEntry::Link(target)) => {
                spent.count_file(0)?;
                link_entry(target)
            }
            ReadFile::Unread(DiskEntry::Special | DiskEntry::Directory) => {
                return self.leave_out(path, LeftOut::Special);
            }
            ReadFile::Unread(DiskEntry::Nothing) if !path.contains(char::REPLACEMENT_CHARACTER) => {
                return self.leave_out(path, LeftOut::Deleted);
            }
            // `Nothing`: the file's name is not valid Unicode, so the converted path does not exist.
            ReadFile::Unread(DiskEntry::Nothing | DiskEntry::Unreadable | DiskEntry::Bytes(_)) => {
                return self.leave_out(path, LeftOut::Unreadable);
            }
        };
        self.manifest.entries.insert(path, entry);
        Ok(())
    }

    fn leave_out_unless_excluded(&mut self, path: String, why: LeftOut) -> Result<(), PinError> {
        match self.excluded.has(&path) {
            true => Ok(()),
            false => self.leave_out(path, why),
        }
    }

    fn leave_out(&mut self, path: String, why: LeftOut) -> Result<(), PinError> {
        self.manifest.dirty |= why == LeftOut::Deleted;
        self.manifest.left_out.insert(path, why);
        Ok(())
    }

    /// Returns an error if a named file is not a readable text.
    fn require_text(&self, given: &str, path: &str) -> Result<(), PinError> {
        let why = match self.manifest.entries.get(path).map(|it| &it.kind) {
            Some(FileKind::Text) => return Ok(()),
            Some(FileKind::Binary) => "it is not a text file",
            Some(FileKind::Oversized) => "it is too large",
            Some(FileKind::LargeFile) => "it is a Git LFS pointer; its content is stored elsewhere",
            Some(FileKind::Symlink(_)) => "it is a link; name the file it points to",
            None => match self.manifest.left_out.get(path) {
                Some(LeftOut::Deleted) | None => {
                    return Err(PinError::NoFile {
                        path: given.to_owned(),
                    });
                }
                Some(LeftOut::Unreadable) => "it cannot be read, or is behind a symbolic link",
                Some(_) => "it is not a regular file",
            },
        };
        Err(PinError::NoText {
            path: given.to_owned(),
            why,
        })
    }

    fn into_source(self) -> Source {
        Source {
            manifest: self.manifest,
            root: Some(self.at.path().to_owned()),
            limits: *self.limits,
            held: self.held.into_iter().collect(),
            commits: Commits::default(),
            pages: None,
            mark: None,
            known: Default::default(),
            index: Default::default(),
        }
    }
}

/// Returns how a file differs from the commit, and whether the bytes are identical.
fn compare_with_commit(bytes: &[u8], committed: gix::ObjectId) -> (Change, bool) {
    let id = |bytes: &[u8]| git::blob_id(bytes, committed.kind());
    if id(bytes) == Some(committed) {
        return (Change::None, true);
    }
    // The checkout may have converted the line endings, so compare again with LF.
    let without = crlf_to_lf(bytes);
    if without.len() != bytes.len() && id(&without) == Some(committed) {
        (Change::None, false)
    } else {
        (Change::Changed, false)
    }
}

fn crlf_to_lf(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    for (at, byte) in bytes.iter().enumerate() {
        if *byte != b'\r' || bytes.get(at + 1) != Some(&b'\n') {
            out.push(*byte);
        }
    }
    out
}

/// Returns the entry of a file with these bytes.
pub(super) fn entry_for_bytes(bytes: &[u8], change: Change) -> ManifestEntry {
    let kind = if bytes.starts_with(LARGE_FILE_POINTER) {
        FileKind::LargeFile
    } else if memchr::memchr(0, bytes).is_some() && utf16_encoding(bytes).is_none() {
        FileKind::Binary
    } else {
        FileKind::Text
    };
    ManifestEntry {
        hash: Some(blake3::hash(bytes).to_hex().to_string()),
        bytes: bytes.len() as u64,
        kind,
        change,
    }
}

/// Returns the entry of a file that was not read because it is too large.
pub(super) fn oversized_entry(bytes: u64) -> ManifestEntry {
    unread_entry(bytes, FileKind::Oversized)
}

/// Returns the entry of a symbolic link.
pub(super) fn link_entry(target: String) -> ManifestEntry {
    unread_entry(target.len() as u64, FileKind::Symlink(target))
}

fn unread_entry(bytes: u64, kind: FileKind) -> ManifestEntry {
    ManifestEntry {
        hash: None,
        bytes,
        kind,
        change: Change::None,
    }
}
