//! Reads a folder's git data through a library and never runs git. References stored as reftables
//! are read by `agon-git`, because the library cannot.
//!
//! Nothing is written, no hook, filter or monitor runs, and no object is fetched.

use std::collections::{HashMap, HashSet};
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use agon_git::{DiscoverError, Repository};
use gix::bstr::{BString, ByteSlice as _};
use gix::dir::entry::{Kind as OnDisk, Status};
use gix::dir::walk::EmissionMode;
use gix::index::entry::{Flags, Mode};
use gix::objs::{Kind as Object, tree::EntryKind};
use gix::sec::Permission;

use crate::source::PinError;
use crate::source::allowance::Allowance;

// Chosen, not measured: an ignored folder counts once, so few projects have this many. Each one is
// a path in the manifest, which is stored with the debate.
/// Maximum number of ignored paths that are listed; citations of further ones count as missing.
const MAX_IGNORED: usize = 20_000;

/// A repository, and the folder of its work tree that is pinned.
pub(crate) struct Git {
    repository: gix::Repository,
    /// The same repository opened by `agon-git`, if its references are stored as reftables.
    tables: Option<Repository>,
    /// The path of the folder in the work tree, with a trailing `/` unless empty.
    prefix: String,
}

/// The files of a folder according to git.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    /// The full id of the checked-out commit.
    pub(crate) commit: Option<String>,
    /// Files in the commit, by path, with the id of their content.
    pub(crate) committed: HashMap<String, gix::ObjectId>,
    /// Files that git tracks or would add, whether they are on disk or not.
    pub(crate) files: Vec<String>,
    /// Ignored files and folders.
    pub(crate) ignored: Vec<String>,
    /// Submodules.
    pub(crate) submodules: Vec<String>,
    /// Files that a sparse checkout omits.
    pub(crate) sparse: Vec<String>,
    /// Paths that are not regular files.
    pub(crate) special: Vec<String>,
}

/// The content of a commit at one path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum InCommit {
    File(Vec<u8>),
    Oversized(u64),
    Link(String),
    Submodule,
    Folder,
    Absent,
}

/// The reason why a commit is not available.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NoCommit {
    /// The commit does not exist, or its name is ambiguous.
    Absent,
    /// The commit may exist in the remote repository; contains the reason.
    Elsewhere(&'static str),
}

impl Git {
    /// Opens the repository that contains `root`, a canonical path; `None` if there is none.
    pub(crate) fn open(root: &Path) -> Result<Option<Self>, PinError> {
        let found = match Repository::discover(root) {
            Ok(found) => found,
            Err(DiscoverError::None(_)) => return Ok(None),
            Err(DiscoverError::Bare(_)) => return Err(PinError::Bare),
            Err(DiscoverError::WorkTreeElsewhere { work_tree, .. }) => {
                return Err(PinError::WorkTreeElsewhere { work_tree });
            }
            Err(error) => return Err(git_error("open the repository")(error)),
        };
        let Some(work_tree) = &found.work_tree else {
            return Err(PinError::Bare);
        };
        // Open exactly the repository that was checked, without searching again.
        let options = gix::open::Options::default()
            .permissions(repository_permissions())
            .open_path_as_is(true);
        let opened = gix::ThreadSafeRepository::open_opts(&found.git_dir, options);
        let Ok(repository) = opened else {
            return Err(PinError::Git {
                doing: "open the repository",
                cause: "it is damaged or not supported".into(),
            });
        };
        let mut repository = repository.to_thread_local();
        let elsewhere = |work_tree| PinError::WorkTreeElsewhere { work_tree };
        match repository.workdir().map(|dir| dir.canonicalize().ok()) {
            Some(opened) if opened.as_ref() == Some(work_tree) => {}
            Some(opened) => return Err(elsewhere(opened.unwrap_or_default())),
            // For a separate git folder, the library does not find the work tree, so set it.
            None => {
                let set = repository.set_workdir(work_tree.clone());
                set.map_err(git_error("open the work tree"))?;
            }
        }
        let Ok(prefix) = root.strip_prefix(work_tree) else {
            return Err(elsewhere(work_tree.clone()));
        };
        let mut prefix = prefix.to_string_lossy().replace('\\', "/");
        if !prefix.is_empty() {
            prefix.push('/');
        }
        let tables = found.has_reftable().then_some(found);
        Ok(Some(Self {
            repository,
            tables,
            prefix,
        }))
    }

    pub(crate) fn work_tree_prefix(&self) -> &str {
        &self.prefix
    }

    /// Lists the files without reading their contents.
    pub(crate) fn list_files(&self, spent: &mut Allowance<'_>) -> Result<Listing, PinError> {
        let mut listing = Listing::default();
        if let Some(head) = self.head_commit()? {
            listing.commit = Some(head.id().to_string());
            let tree = head.tree().map_err(git_error("read the commit"))?;
            let files = tree.traverse().breadthfirst.files();
            for record in files.map_err(git_error("list the commit"))? {
                if record.mode.is_blob_or_symlink()
                    && let Some(path) = self.path_in_folder(record.filepath.as_bstr())
                {
                    listing.committed.insert(path, record.oid);
                }
            }
        }
        spent.check_time()?;
        let index = self.repository.index_or_empty();
        let index = index.map_err(git_error("read the index"))?;
        for entry in index.entries() {
            let Some(path) = self.path_in_folder(entry.path(&index)) else {
                continue;
            };
            let list = if entry.mode == Mode::COMMIT {
                &mut listing.submodules
            } else if entry.flags.contains(Flags::SKIP_WORKTREE) || entry.mode == Mode::DIR {
                &mut listing.sparse
            } else {
                &mut listing.files
            };
            list.push(path);
        }
        self.add_untracked(&index, &mut listing, spent)?;
        // A file with a merge conflict has several entries in the index.
        listing.files.sort_unstable();
        listing.files.dedup();
        Ok(listing)
    }

    /// Returns the checked-out commit, if there is one.
    fn head_commit(&self) -> Result<Option<gix::Commit<'_>>, PinError> {
        if self.tables.is_none() {
            return Ok(self.repository.head_commit().ok());
        }
        let id = self.find_in_tables("HEAD");
        let id = id.map_err(git_error("read the references"))?;
        Ok(id.and_then(|id| self.repository.find_commit(id).ok()))
    }

    fn find_in_tables(&self, name: &str) -> io::Result<Option<gix::ObjectId>> {
        let Some(tables) = &self.tables else {
            return Ok(None);
        };
        let id = tables.find_in_reftable(name)?;
        Ok(id.and_then(|id| self.parse_id(&id)))
    }

    /// Parses a full ID of the repository's hash kind; `None` for any other text.
    fn parse_id(&self, id: &str) -> Option<gix::ObjectId> {
        let id = gix::ObjectId::from_hex(id.as_bytes()).ok()?;
        (id.kind() == self.repository.object_hash()).then_some(id)
    }

    /// Adds the files that git does not track.
    fn add_untracked(
        &self,
        index: &gix::index::State,
        listing: &mut Listing,
        spent: &mut Allowance<'_>,
    ) -> Result<(), PinError> {
        let options = self.repository.dirwalk_options();
        let options = options
            .map_err(git_error("prepare the list of files"))?
            .emit_ignored(Some(EmissionMode::CollapseDirectory))
            .emit_untracked(EmissionMode::Matching);
        let patterns = (!self.prefix.is_empty()).then(|| {
            BString::from(format!(
                ":(top,literal){}",
                self.prefix.trim_end_matches('/')
            ))
        });
        let mut seen = WalkCollector {
            git: self,
            listing,
            spent,
            files: 0,
            failure: None,
        };
        let never = AtomicBool::new(false);
        let walked = self
            .repository
            .dirwalk(index, patterns, &never, options, &mut seen);
        if let Some(failure) = seen.failure {
            return Err(failure);
        }
        walked.map(drop).map_err(git_error("list the files"))
    }

    /// Converts a path of the repository to one in the pinned folder; `None` if it is elsewhere.
    fn path_in_folder(&self, path: &gix::bstr::BStr) -> Option<String> {
        let path = path.strip_prefix(self.prefix.as_bytes())?;
        (!path.is_empty()).then(|| path.to_str_lossy().into_owned())
    }

    /// Returns the full ID of a commit, given as `HEAD`, a tag, or a prefix of an ID.
    pub(crate) fn resolve_commit(&self, name: &str) -> Result<String, NoCommit> {
        let absent = || match self.incomplete_clone_reason() {
            Some(why) => NoCommit::Elsewhere(why),
            None => NoCommit::Absent,
        };
        let commit = if name == "HEAD" {
            let head = self.head_commit().ok().flatten();
            head.ok_or_else(absent)?
        } else if let Some(id) = self.find_by_id_prefix(name) {
            let object = self.repository.find_object(id).map_err(|_| absent())?;
            object.peel_to_commit().map_err(|_| absent())?
        } else if self.tables.is_some() {
            let tag = self.find_in_tables(&format!("refs/tags/{name}"));
            let tag = tag.ok().flatten().ok_or_else(absent)?;
            let object = self.repository.find_object(tag).map_err(|_| absent())?;
            object.peel_to_commit().map_err(|_| absent())?
        } else {
            let tag = format!("refs/tags/{name}");
            let tag = self.repository.try_find_reference(tag.as_str());
            let mut tag = tag.ok().flatten().ok_or_else(absent)?;
            let object = tag.peel_to_kind(Object::Commit).map_err(|_| absent())?;
            object.try_into_commit().map_err(|_| absent())?
        };
        Ok(commit.id().to_string())
    }

    fn find_by_id_prefix(&self, name: &str) -> Option<gix::ObjectId> {
        let kind = self.repository.object_hash();
        if !(4..=kind.len_in_hex()).contains(&name.len()) {
            return None;
        }
        // Pad the prefix with zeros to a full ID, because the library compares full IDs.
        let padded = format!("{:0<1$}", name.to_ascii_lowercase(), kind.len_in_hex());
        let padded = gix::ObjectId::from_hex(padded.as_bytes()).ok()?;
        let prefix = gix::hash::Prefix::new(&padded, name.len()).ok()?;
        let mut several = HashSet::new();
        let objects = &self.repository.objects;
        match objects.lookup_prefix(prefix, Some(&mut several)).ok()?? {
            Ok(id) => Some(id),
            Err(()) => {
                // If several objects have this prefix, prefer the commit.
                let is_commit = |id: &gix::ObjectId| {
                    let header = self.repository.find_header(*id);
                    header.is_ok_and(|it| it.kind() == Object::Commit)
                };
                let mut commits = several.into_iter().filter(is_commit);
                let first = commits.next()?;
                commits.next().is_none().then_some(first)
            }
        }
    }

    /// Returns why this clone may lack an existing commit; `None` if it is complete.
    fn incomplete_clone_reason(&self) -> Option<&'static str> {
        if self.repository.is_shallow().unwrap_or(false) {
            return Some("the clone is shallow and may lack the commit");
        }
        let config = self.repository.config_snapshot();
        let partial = config.string("extensions.partialClone").is_some();
        partial.then_some("the clone is partial and may lack the commit")
    }

    /// Reads a path of the pinned folder in a commit, which is given by its full ID.
    pub(crate) fn read_in_commit(
        &self,
        commit: &str,
        path: &str,
        most: u64,
    ) -> Result<InCommit, NoCommit> {
        let lost = || NoCommit::Elsewhere("the clone lacks the file's content");
        let id = self.parse_id(commit).ok_or(NoCommit::Absent)?;
        let found = self.repository.find_commit(id).map_err(|_| lost())?;
        let tree = found.tree().map_err(|_| lost())?;
        let path = format!("{}{path}", self.prefix);
        let entry = tree.lookup_entry(path.split('/').map(str::as_bytes));
        let Some(entry) = entry.map_err(|_| lost())? else {
            return Ok(InCommit::Absent);
        };
        match entry.mode().kind() {
            EntryKind::Tree => Ok(InCommit::Folder),
            EntryKind::Commit => Ok(InCommit::Submodule),
            kind @ (EntryKind::Blob | EntryKind::BlobExecutable | EntryKind::Link) => {
                let header = self.repository.find_header(entry.object_id());
                let bytes = header.map_err(|_| lost())?.size();
                if bytes > most {
                    return Ok(InCommit::Oversized(bytes));
                }
                let blob = self.repository.find_blob(entry.object_id());
                let bytes = blob.map_err(|_| lost())?.take_data();
                Ok(if kind == EntryKind::Link {
                    InCommit::Link(String::from_utf8_lossy(&bytes).into_owned())
                } else {
                    InCommit::File(bytes)
                })
            }
        }
    }
}

/// Returns the ID that git gives to a file with these bytes.
pub(crate) fn blob_id(bytes: &[u8], kind: gix::hash::Kind) -> Option<gix::ObjectId> {
    gix::objs::compute_hash(kind, Object::Blob, bytes).ok()
}

/// Returns permissions that allow the user's own ignore rules, but no environment variables.
fn repository_permissions() -> gix::open::Permissions {
    let mut permissions = gix::open::Permissions::isolated();
    permissions.config.system = true;
    permissions.config.git = true;
    permissions.config.user = true;
    permissions.env.home = Permission::Allow;
    permissions.env.xdg_config_home = Permission::Allow;
    permissions
}

fn git_error<E: std::fmt::Display>(doing: &'static str) -> impl FnOnce(E) -> PinError {
    move |cause| PinError::Git {
        doing,
        cause: cause.to_string(),
    }
}

/// Collects the results of listing the files.
struct WalkCollector<'a, 'b> {
    git: &'a Git,
    listing: &'a mut Listing,
    spent: &'a mut Allowance<'b>,
    files: usize,
    failure: Option<PinError>,
}

impl gix::dir::walk::Delegate for WalkCollector<'_, '_> {
    fn emit(
        &mut self,
        entry: gix::dir::EntryRef<'_>,
        _folder: Option<Status>,
    ) -> gix::dir::walk::Action {
        let Some(path) = self.git.path_in_folder(entry.rela_path.as_ref()) else {
            return ControlFlow::Continue(());
        };
        match entry.status {
            Status::Ignored(_) => {
                if self.listing.ignored.len() < MAX_IGNORED {
                    self.listing.ignored.push(path);
                }
            }
            Status::Untracked => match entry.disk_kind {
                Some(OnDisk::File | OnDisk::Symlink) => {
                    self.files += 1;
                    self.listing.files.push(path);
                }
                Some(OnDisk::Repository) => self.listing.submodules.push(path),
                Some(OnDisk::Untrackable) => self.listing.special.push(path),
                Some(OnDisk::Directory) | None => {}
            },
            Status::Pruned | Status::Tracked => {}
        }
        match self.spent.check_walk(self.files) {
            Ok(()) => ControlFlow::Continue(()),
            Err(failure) => {
                self.failure = Some(failure);
                ControlFlow::Break(())
            }
        }
    }
}
