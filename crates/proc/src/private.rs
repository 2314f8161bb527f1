//! Private folders that only their user can access. Each is named after the process that owns it,
//! so that a later process can remove those left by a crash.

use std::fs::{self, DirBuilder, File, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use agon_files::path_of_open_folder;
use rustix::process::geteuid;

use crate::group::random_digits;
use crate::owner::{DIGITS, Owner};
use crate::tree::{OWNER_ONLY_MODE, is_owned_by_user, open_folder, remove_tree, restrict_to_owner};

// Each name has 32 random bits (`DIGITS`): if eight names are taken, the random source is broken.
/// Maximum number of names tried; even two identical ones almost never occur.
const MAX_TRIES: usize = 8;
// A debate takes 30 minutes by default, and days are enough even with a raised limit. A folder that
// stays too long costs only disk space.
/// How long a folder of another machine counts as in use, because its processes are not visible.
const MAX_AGE_ELSEWHERE: Duration = Duration::from_hours(7 * 24);

/// The places for private folders, the best first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrivatePlaces(Vec<PathBuf>);

/// No place for a private folder is usable.
#[derive(Debug, thiserror::Error)]
#[error("{}", describe_failed_places(tried))]
pub struct NoPlace {
    /// Every place, with the reason why it is not usable.
    pub tried: Vec<(PathBuf, io::Error)>,
}

fn describe_failed_places(tried: &[(PathBuf, io::Error)]) -> String {
    let each = tried.iter();
    let each = each.map(|(path, cause)| format!("{}: {cause}", path.display()));
    each.collect::<Vec<_>>().join("; ")
}

/// A folder that only its user can access, removed when dropped.
#[derive(Debug)]
pub struct PrivateFolder {
    path: PathBuf,
    /// Locked while the owner lives, if the file system supports locks. Unlike the process number,
    /// the lock is also visible to another container on this machine.
    _held: File,
}

impl PrivatePlaces {
    /// Uses a folder in the user's `cache`, or else in `temp`, the folder for temporary files.
    pub fn new(cache: Option<&Path>, temp: &Path) -> Self {
        let cache = cache.map(|cache| cache.join("agon").join("private"));
        let user = geteuid().as_raw();
        let temp = temp.join(format!("agon-{user}"));
        Self(cache.into_iter().chain([temp]).collect())
    }

    /// The places.
    pub fn paths(&self) -> &[PathBuf] {
        &self.0
    }

    /// The places, both as configured and with symbolic links resolved.
    pub fn paths_and_real_paths(&self) -> Vec<PathBuf> {
        let mut all = Vec::new();
        for place in &self.0 {
            for spelling in [place.clone(), real_path(place)] {
                if !all.contains(&spelling) {
                    all.push(spelling);
                }
            }
        }
        all
    }

    /// Returns whether a folder of this name in a place was created by [`Self::make_folder`].
    pub fn is_folder_name(name: &str) -> bool {
        Owner::from_folder_name(name).is_some()
    }

    /// Creates a folder in the first usable place.
    ///
    /// A place in a repository is used last, because tools look for settings up to a repository's
    /// root.
    ///
    /// # Errors
    ///
    /// If no place is usable.
    pub fn make_folder(&self) -> Result<PrivateFolder, NoPlace> {
        self.make_folder_where(&|_| Ok(()))
    }

    /// Creates a folder outside `project`, in the first usable place.
    ///
    /// # Errors
    ///
    /// If no place is usable.
    pub fn make_folder_outside(&self, project: &Path) -> Result<PrivateFolder, NoPlace> {
        self.make_folder_where(
            &|place| match real_path(place).starts_with(real_path(project)) {
                true => Err(io::Error::other("it is in the project")),
                false => Ok(()),
            },
        )
    }

    fn make_folder_where(
        &self,
        fits: &dyn Fn(&Path) -> io::Result<()>,
    ) -> Result<PrivateFolder, NoPlace> {
        let mut places: Vec<&PathBuf> = self.0.iter().collect();
        places.sort_by_key(|place| is_in_repository(place));
        let mut tried = Vec::new();
        for place in places {
            match fits(place).and_then(|()| PrivateFolder::make_in(place)) {
                Ok(folder) => return Ok(folder),
                Err(cause) => tried.push((place.clone(), cause)),
            }
        }
        Err(NoPlace { tried })
    }

    /// Removes the folders whose owner has ended, and returns their number.
    ///
    /// Folders that cannot be removed stay, for the next time. A place that is not private to this
    /// user is left alone. Looks at one process for each existing folder.
    pub fn remove_orphans(&self) -> usize {
        self.0.iter().map(|place| remove_orphans_in(place)).sum()
    }
}

fn remove_orphans_in(place: &Path) -> usize {
    let Ok(opened) = open_folder(place) else {
        return 0;
    };
    // Skip a place that other users can write to: they could decide what is removed.
    let is_private =
        |meta: &fs::Metadata| is_owned_by_user(meta) && meta.mode() & 0o777 == OWNER_ONLY_MODE;
    if !opened.metadata().is_ok_and(|meta| is_private(&meta)) {
        return 0;
    }
    let entries = fs::read_dir(path_of_open_folder(&opened, place))
        .into_iter()
        .flatten()
        .flatten();
    let removed = entries.filter(|entry| {
        let name = entry.file_name();
        let owner = name.to_str().and_then(Owner::from_folder_name);
        owner.is_some_and(|owner| remove_orphan(&entry.path(), &owner))
    });
    removed.count()
}

/// Resolves symbolic links in a path, as far as the path exists.
fn real_path(path: &Path) -> PathBuf {
    let there = path.ancestors().find_map(|part| {
        let rest = path.strip_prefix(part).ok()?;
        Some(part.canonicalize().ok()?.join(rest))
    });
    there.unwrap_or_else(|| path.to_owned())
}

fn is_in_repository(place: &Path) -> bool {
    real_path(place)
        .ancestors()
        .any(|folder| folder.join(".git").exists())
}

/// Removes a folder unless its owner is running, and returns whether it did.
fn remove_orphan(path: &Path, owner: &Owner) -> bool {
    let Ok(folder) = open_folder(path) else {
        return false;
    };
    let is_over = |meta: &fs::Metadata| match owner.is_on_other_machine() {
        true => meta.modified().is_ok_and(is_old),
        false => !owner.is_running(),
    };
    let meta = folder.metadata();
    if !meta.is_ok_and(|meta| is_owned_by_user(&meta) && is_over(&meta)) {
        return false;
    }
    let free = match folder.try_lock() {
        Ok(()) => true,
        Err(TryLockError::WouldBlock) => false,
        // On a file system without locks, trust the folder's name, if it includes the machine.
        Err(TryLockError::Error(_)) => owner.machine.is_some(),
    };
    // The lock is held until the folder is removed, so that no two processes remove it at once.
    free && remove_tree(path).is_ok()
}

fn is_old(modified: std::time::SystemTime) -> bool {
    modified.elapsed().is_ok_and(|age| age > MAX_AGE_ELSEWHERE)
}

impl PrivateFolder {
    /// Creates a folder in `place`, and `place` itself if it is missing.
    fn make_in(place: &Path) -> io::Result<Self> {
        ensure_private_folder(place)?;
        let owner = Owner::this_process()?;
        for _ in 0..MAX_TRIES {
            let random: String = random_digits()?.chars().take(DIGITS).collect();
            let path = place.join(format!("{owner}-{random}"));
            match DirBuilder::new().mode(OWNER_ONLY_MODE).create(&path) {
                Err(cause) if cause.kind() == io::ErrorKind::AlreadyExists => continue,
                made => made?,
            }
            match lock_folder(&path) {
                Ok(Some(held)) => return Ok(Self { path, _held: held }),
                Ok(None) => {}
                Err(cause) => {
                    // Remove the new folder, which is still empty.
                    fs::remove_dir(&path).unwrap_or_default();
                    return Err(cause);
                }
            }
        }
        Err(io::Error::other("folders in it keep disappearing"))
    }

    /// Creates a subfolder, which is private, too.
    ///
    /// # Errors
    ///
    /// If it cannot be created.
    pub fn make_subfolder(&self, name: &str) -> io::Result<PathBuf> {
        let path = self.path.join(name);
        DirBuilder::new().mode(OWNER_ONLY_MODE).create(&path)?;
        Ok(path)
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for PrivateFolder {
    fn drop(&mut self) {
        // A later process removes what cannot be removed now.
        remove_tree(&self.path).unwrap_or_default();
    }
}

/// Opens and locks a new folder; `None` if another process removed or locked it in between.
fn lock_folder(path: &Path) -> io::Result<Option<File>> {
    let held = match open_folder(path) {
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(None),
        held => held?,
    };
    if is_locked_by_other(&held.try_lock()) {
        return Ok(None);
    }
    let same = fs::metadata(path).is_ok_and(|there| {
        held.metadata()
            .is_ok_and(|ours| (ours.dev(), ours.ino()) == (there.dev(), there.ino()))
    });
    Ok(same.then_some(held))
}

/// Returns whether another process holds the lock. On a file system without locks, only the
/// folder's name shows its owner.
fn is_locked_by_other(lock: &Result<(), TryLockError>) -> bool {
    matches!(lock, Err(TryLockError::WouldBlock))
}

/// Makes `place` a folder of this user that no other user can access.
fn ensure_private_folder(place: &Path) -> io::Result<()> {
    DirBuilder::new()
        .recursive(true)
        .mode(OWNER_ONLY_MODE)
        .create(place)?;
    let there = fs::symlink_metadata(place)?;
    if !there.is_dir() || there.uid() != geteuid().as_raw() {
        return Err(io::Error::other("it is not a folder of yours"));
    }
    if there.mode() & 0o777 != OWNER_ONLY_MODE {
        restrict_to_owner(place)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::symlink_metadata(path).unwrap().mode() & 0o777
    }

    /// A process that has ended, with a folder of the name it would have had.
    fn orphan(place: &Path, start: u64) -> PathBuf {
        let owner = Owner {
            start,
            ..Owner::this_process().unwrap()
        };
        let path = place.join(format!("{owner}-0123abcd"));
        fs::create_dir_all(path.join("copy/src")).unwrap();
        fs::write(path.join("copy/src/main.rs"), "fn main() {}\n").unwrap();
        path
    }

    #[test]
    fn a_folder_and_its_place_are_their_users_alone_and_go_away() {
        let home = tempfile::tempdir().unwrap();
        let places = PrivatePlaces::new(Some(home.path()), Path::new("/nowhere"));
        fs::create_dir_all(&places.paths()[0]).unwrap();
        let folder = places.make_folder().unwrap();
        assert_eq!(folder.path().parent(), Some(places.paths()[0].as_path()));
        assert_eq!(mode(&places.paths()[0]), 0o700);
        assert_eq!(mode(folder.path()), 0o700);
        assert_eq!(mode(&folder.make_subfolder("inner").unwrap()), 0o700);
        let path = folder.path().to_owned();
        drop(folder);
        assert!(!path.exists());
    }

    #[test]
    fn a_cache_that_cannot_be_had_gives_way_to_a_folder_that_is_as_private() {
        let home = tempfile::tempdir().unwrap();
        let cache = home.path().join("file");
        fs::write(&cache, "").unwrap();
        let temp = home.path().join("tmp");
        let places = PrivatePlaces::new(Some(&cache), &temp);
        let folder = places.make_folder().unwrap();
        let parent = folder.path().parent().unwrap();
        assert_eq!(parent, temp.join(format!("agon-{}", geteuid().as_raw())));
        assert_eq!([mode(parent), mode(folder.path())], [0o700; 2]);
    }

    #[test]
    fn a_place_of_somebody_else_is_none() {
        let home = tempfile::tempdir().unwrap();
        let elsewhere = home.path().join("elsewhere");
        fs::create_dir(&elsewhere).unwrap();
        let places = PrivatePlaces::new(None, home.path());
        symlink(&elsewhere, &places.paths()[0]).unwrap();
        let error = places.make_folder().unwrap_err();
        let expected = format!(
            "{}: it is not a folder of yours",
            places.paths()[0].display()
        );
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn no_folder_lies_in_the_project_and_one_in_a_repository_only_for_want_of_another() {
        let home = tempfile::tempdir().unwrap();
        let temp = tempfile::tempdir().unwrap();
        let places = PrivatePlaces::new(Some(&home.path().join(".cache")), temp.path());
        let below = |folder: &PrivateFolder, root: &Path| folder.path().starts_with(root);
        let folder = places.make_folder_outside(home.path()).unwrap();
        assert!(below(&folder, temp.path()));
        assert!(below(&places.make_folder().unwrap(), home.path()));
        fs::create_dir(home.path().join(".git")).unwrap();
        assert!(below(&places.make_folder().unwrap(), temp.path()));
        let only = PrivatePlaces::new(None, home.path());
        assert!(below(&only.make_folder().unwrap(), home.path()));
        let error = only.make_folder_outside(home.path()).unwrap_err();
        let expected = format!("{}: it is in the project", only.paths()[0].display());
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn what_a_dead_process_left_is_removed_and_nothing_else() {
        let home = tempfile::tempdir().unwrap();
        let places = PrivatePlaces::new(Some(home.path()), Path::new("/nowhere"));
        let place = places.paths()[0].clone();
        let mine = places.make_folder().unwrap();
        let ours = Owner::this_process().unwrap();
        let dead = orphan(&place, ours.start + 1);
        let read_only = fs::Permissions::from_mode(0o500);
        fs::set_permissions(dead.join("copy/src"), read_only.clone()).unwrap();
        fs::set_permissions(&dead, read_only).unwrap();
        // Its number says that it has ended, but its lock that it is running, invisibly for us.
        let held = orphan(&place, ours.start + 2);
        let lock = File::open(&held).unwrap();
        lock.try_lock().unwrap();
        // It is running but has not locked its new folder yet.
        let unheld = orphan(&place, ours.start);
        let other = place.join("notes");
        fs::create_dir(&other).unwrap();
        let link = place.join(format!("1-1-{}-0123abcd", ours.boot));
        symlink(home.path(), &link).unwrap();

        assert_eq!(places.remove_orphans(), 1);
        assert!(!dead.exists());
        assert!(mine.path().exists() && held.exists() && unheld.exists() && other.exists());
        assert!(fs::symlink_metadata(&link).is_ok());
        drop(lock);
        assert_eq!(places.remove_orphans(), 1);
        assert!(!held.exists());
    }

    #[test]
    fn a_place_that_others_can_write_to_or_that_is_a_link_is_left_alone() {
        let home = tempfile::tempdir().unwrap();
        let places = PrivatePlaces::new(Some(home.path()), home.path());
        let [open, link] = places.paths() else {
            panic!("two places");
        };
        let start = Owner::this_process().unwrap().start + 1;
        let kept = orphan(open, start);
        fs::set_permissions(open, fs::Permissions::from_mode(0o755)).unwrap();
        symlink(open, link).unwrap();
        assert_eq!(places.remove_orphans(), 0);
        assert!(kept.exists());
        assert_eq!(mode(open), 0o755);
        fs::set_permissions(open, fs::Permissions::from_mode(OWNER_ONLY_MODE)).unwrap();
        assert_eq!(PrivatePlaces(vec![link.clone()]).remove_orphans(), 0);
        assert!(kept.exists());
        assert_eq!(places.remove_orphans(), 1);
        assert!(!kept.exists());
    }

    #[test]
    fn what_another_machine_left_is_removed_once_it_is_old() {
        let home = tempfile::tempdir().unwrap();
        let places = PrivatePlaces::new(Some(home.path()), Path::new("/nowhere"));
        let place = places.paths()[0].clone();
        drop(places.make_folder().unwrap());
        let left = place.join("1-1-0a1b2c3d-00000000-0123abcd");
        fs::create_dir(&left).unwrap();
        assert_eq!(places.remove_orphans(), 0);
        assert!(left.exists());
        let then = std::time::SystemTime::now() - MAX_AGE_ELSEWHERE - Duration::from_mins(1);
        File::open(&left).unwrap().set_modified(then).unwrap();
        assert_eq!(places.remove_orphans(), 1);
        assert!(!left.exists());
    }

    #[test]
    fn a_file_system_without_locks_is_not_one_where_somebody_has_the_lock() {
        assert!(is_locked_by_other(&Err(TryLockError::WouldBlock)));
        let refused = io::Error::from(io::ErrorKind::Unsupported);
        assert!(!is_locked_by_other(&Err(TryLockError::Error(refused))));
        assert!(!is_locked_by_other(&Ok(())));
    }
}
