//! Creates a debate folder in steps, so that a start holds its lock only for a rename.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use agon_record::event::Event;
use agon_record::spec::Spec;
use agon_record::state::State;
use agon_store::{Disk, Layout, create_dirs_synced, failpoints, slug, slug_with_number};

use super::Folder;
use super::create::{CreateError, FolderFiles, NAMES_TRIED, UnnamedFolder};
use super::published::Published;
use crate::manifest::Manifest;

impl Folder {
    /// Creates the folder of a new debate in `parent` and opens it.
    ///
    /// Its name is `wanted` as a slug, with a number if that is taken; the spec's slug is set to
    /// it. The folder appears in one step with the opening in its journal, and is durable on
    /// return.
    ///
    /// # Errors
    ///
    /// If no name is free or a file operation fails.
    pub fn create(
        disk: Arc<dyn Disk>,
        parent: &Path,
        wanted: &str,
        spec: Spec,
        at_ms: u64,
    ) -> Result<Self, CreateError> {
        NewFolder::write(disk, parent, wanted, spec, &[], at_ms)?
            .take_name()?
            .open()
    }
}

/// What a new debate folder is made from.
#[derive(Debug)]
struct Plan<'a> {
    disk: Arc<dyn Disk>,
    parent: PathBuf,
    /// The name without a number.
    base: String,
    spec: Spec,
    /// Blobs of the opening.
    kept: &'a [&'a [u8]],
    at_ms: u64,
}

/// The folder of a new debate, complete under a hidden name. Dropping it removes it.
#[derive(Debug)]
pub struct NewFolder<'a> {
    plan: Plan<'a>,
    /// The number of its future name.
    number: u32,
    // Before `hidden`, so that the lock is released before its file is removed.
    folder: UnnamedFolder,
    hidden: HiddenFolder,
}

impl<'a> NewFolder<'a> {
    /// Writes and syncs the folder of a new debate in `parent` under a hidden name, with `kept`
    /// stored under their hashes.
    ///
    /// Its future name is `wanted` as a slug, with a number if that is taken; the spec's slug is
    /// set to it.
    ///
    /// # Errors
    ///
    /// If no name is free or a file operation fails. Nothing of it is left then.
    pub fn write(
        disk: Arc<dyn Disk>,
        parent: &Path,
        wanted: &str,
        spec: Spec,
        kept: &'a [&'a [u8]],
        at_ms: u64,
    ) -> Result<Self, CreateError> {
        create_dirs_synced(&*disk, parent)?;
        let plan = Plan {
            disk,
            parent: parent.to_owned(),
            base: slug(wanted),
            spec,
            kept,
            at_ms,
        };
        plan.write_from(1)
    }

    /// Gives the folder its name: one rename, unless another process took the name after
    /// [`NewFolder::write`]. In that case, it writes the folder again with the next free name.
    ///
    /// # Errors
    ///
    /// If no name is free or a file operation fails. Nothing of it is left then.
    pub fn take_name(self) -> Result<NamedFolder, CreateError> {
        let mut new = self;
        loop {
            let to = Layout::new(&new.plan.parent.join(&new.plan.spec.slug));
            let disk = &new.plan.disk;
            match disk.rename_no_replace(new.hidden.layout.root(), to.root()) {
                Ok(()) => {
                    new.hidden.is_renamed = true;
                    return Ok(NamedFolder {
                        disk: new.plan.disk,
                        parent: new.plan.parent,
                        hidden: new.hidden.layout.clone(),
                        layout: to,
                        spec: new.plan.spec,
                        folder: new.folder,
                    });
                }
                Err(error) if error.is_target_taken() => {
                    let Self {
                        plan,
                        number,
                        folder,
                        hidden,
                    } = new;
                    drop((folder, hidden));
                    new = plan.write_from(number.saturating_add(1))?;
                }
                Err(error) => return Err(error.into()),
            }
        }
    }
}

impl<'a> Plan<'a> {
    /// Writes the folder for the first free name with at least this number.
    fn write_from(mut self, first: u32) -> Result<NewFolder<'a>, CreateError> {
        for number in first..=NAMES_TRIED {
            self.spec.slug = slug_with_number(&self.base, number);
            if self
                .disk
                .metadata(&self.parent.join(&self.spec.slug))?
                .is_some()
            {
                continue;
            }
            let name = format!(".{}.tmp-{}", self.spec.slug, self.spec.ulid);
            let hidden = HiddenFolder {
                disk: Arc::clone(&self.disk),
                layout: Layout::new(&self.parent.join(name)),
                is_renamed: false,
            };
            let opening = [Event::Opened(Box::new(self.spec.clone()))];
            let temp = &hidden.layout;
            let folder =
                UnnamedFolder::build_in_temp(&*self.disk, temp, &opening, self.kept, self.at_ms)?;
            return Ok(NewFolder {
                plan: self,
                number,
                folder,
                hidden,
            });
        }
        Err(CreateError::Taken { base: self.base })
    }
}

/// A folder under a temporary name, removed when dropped unless it was renamed.
#[derive(Debug)]
struct HiddenFolder {
    disk: Arc<dyn Disk>,
    layout: Layout,
    is_renamed: bool,
}

impl Drop for HiddenFolder {
    fn drop(&mut self) {
        if !self.is_renamed {
            // Ignore a failure, because a leftover hidden folder is not mistaken for a debate.
            self.disk.remove_tree(self.layout.root()).ok();
        }
    }
}

/// The folder of a new debate that others can find. Its name is not durable yet.
#[derive(Debug)]
#[must_use = "its name may not survive a crash of the machine until it is opened"]
pub struct NamedFolder {
    disk: Arc<dyn Disk>,
    parent: PathBuf,
    /// Where it was before it was renamed.
    hidden: Layout,
    layout: Layout,
    spec: Spec,
    folder: UnnamedFolder,
}

impl NamedFolder {
    /// Makes the folder's name durable and opens it.
    ///
    /// # Errors
    ///
    /// If a file operation fails. The folder is removed then.
    pub fn open(self) -> Result<Folder, CreateError> {
        let opened = FolderFiles::sync_parent_and_open(&self.disk, &self.parent, &self.layout);
        let FolderFiles {
            journal,
            left,
            runs,
        } = opened.inspect_err(|_| {
            let hidden = self.hidden.root();
            let back = self.disk.rename_no_replace(self.layout.root(), hidden);
            // Ignore failures here, so that the first error is reported.
            back.and_then(|()| self.disk.remove_tree(hidden)).ok();
        })?;
        failpoints::die_if_armed(failpoints::AFTER);
        Ok(Folder {
            disk: self.disk,
            layout: self.layout,
            left,
            journal,
            after: self.folder.after,
            state: State::open(self.spec),
            manifest: Manifest::default(),
            published: Published::default(),
            runs,
            snapshot: (0, 0),
            poisoned: false,
            _lock: self.folder.lock,
        })
    }
}

#[cfg(test)]
mod tests {
    use agon_store::RealDisk;

    use super::*;

    fn write<'a>(parent: &Path, number: u128) -> NewFolder<'a> {
        let spec = Spec {
            ulid: number.into(),
            ..agon_samples::batches::spec()
        };
        NewFolder::write(Arc::new(RealDisk), parent, "cache", spec, &[], 0).unwrap()
    }

    fn names(dir: &Path) -> Vec<String> {
        let names = RealDisk.list_names(dir).unwrap().into_iter();
        names.map(|name| name.into_string().unwrap()).collect()
    }

    #[test]
    fn a_folder_without_a_name_is_hidden_and_removed() {
        let dir = tempfile::tempdir().unwrap();
        let new = write(dir.path(), 1);
        assert_eq!(names(dir.path()), [".cache.tmp-00000000000000000000000001"]);
        drop(new);
        assert_eq!(names(dir.path()), [""; 0]);
    }

    #[test]
    fn two_folders_for_one_name_get_two_names() {
        let dir = tempfile::tempdir().unwrap();
        let new = [write(dir.path(), 1), write(dir.path(), 2)];
        let opened = new.map(|new| new.take_name().unwrap().open().unwrap());
        assert_eq!(names(dir.path()), ["cache", "cache-2"]);
        for (folder, slug) in opened.iter().zip(["cache", "cache-2"]) {
            assert_eq!(folder.state().spec.slug, slug);
            assert_eq!(folder.path(), dir.path().join(slug));
        }
        let found = opened.map(|folder| {
            let path = folder.path().to_owned();
            drop(folder);
            Folder::open(Arc::new(RealDisk), &path, 0)
                .unwrap()
                .0
                .state()
                .spec
                .slug
                .clone()
        });
        assert_eq!(found, ["cache", "cache-2"]);
    }
}
