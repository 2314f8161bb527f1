//! Folders that only their user can look into, each named after the process that owns it, so that
//! a later process removes what a crash left.

use std::fmt;
use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::process::geteuid;

use crate::group::{Stat, boot, fresh_mark};

/// What its user alone may do: read, write and enter.
const OWNERS: u32 = 0o700;
/// Names that are tried before giving up; two are the same about never.
const TRIES: usize = 8;
/// Digits that tell one boot of a machine, and one folder of a process, from another.
const DIGITS: usize = 8;

/// The places where private folders may lie, the best first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrivatePlaces(Vec<PathBuf>);

/// There is no place for a private folder.
#[derive(Debug, thiserror::Error)]
#[error("{}", why(tried))]
pub struct NoPlace {
    /// Every place, and why it is none.
    pub tried: Vec<(PathBuf, io::Error)>,
}

fn why(tried: &[(PathBuf, io::Error)]) -> String {
    let each = tried.iter();
    let each = each.map(|(path, cause)| format!("{}: {cause}", path.display()));
    each.collect::<Vec<_>>().join("; ")
}

/// A folder that only its user can look into, gone when dropped.
#[derive(Debug)]
pub struct PrivateFolder {
    path: PathBuf,
    /// Held for as long as the owner lives. Its process number says so too, but not to processes
    /// of another container or machine that share the disk.
    _held: File,
}

impl PrivatePlaces {
    /// Below the user's `cache`, else below `temp`, the folder for temporary files.
    pub fn new(cache: Option<&Path>, temp: &Path) -> Self {
        let cache = cache.map(|cache| cache.join("agon").join("private"));
        let user = geteuid().as_raw();
        let temp = temp.join(format!("agon-{user}"));
        Self(cache.into_iter().chain([temp]).collect())
    }

    /// The places themselves.
    pub fn paths(&self) -> &[PathBuf] {
        &self.0
    }

    /// The places, each as it is named and as it is reached without links.
    pub fn spellings(&self) -> Vec<PathBuf> {
        let mut all = Vec::new();
        for place in &self.0 {
            for spelling in [place.clone(), real(place)] {
                if !all.contains(&spelling) {
                    all.push(spelling);
                }
            }
        }
        all
    }

    /// Whether a folder of this name in a place is, or was, one that [`Self::make`] gives.
    pub fn is_folder_name(name: &str) -> bool {
        Owner::of_name(name).is_some()
    }

    /// Makes a folder in the first place that can have one.
    ///
    /// A place in a repository comes last: tools look for settings up to the root of one.
    ///
    /// # Errors
    ///
    /// If no place can have one.
    pub fn make(&self) -> Result<PrivateFolder, NoPlace> {
        self.make_where(&|_| Ok(()))
    }

    /// Makes a folder that does not lie in `project`, in the first place that can have one.
    ///
    /// # Errors
    ///
    /// If no place can have one.
    pub fn make_outside(&self, project: &Path) -> Result<PrivateFolder, NoPlace> {
        self.make_where(&|place| match real(place).starts_with(real(project)) {
            true => Err(io::Error::other("it lies in the project")),
            false => Ok(()),
        })
    }

    fn make_where(&self, fits: &dyn Fn(&Path) -> io::Result<()>) -> Result<PrivateFolder, NoPlace> {
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

    /// Removes the folders whose owner is gone, and gives how many those were.
    ///
    /// What cannot be removed stays, for the next time. Costs about one look at `/proc` for each
    /// folder that is there.
    pub fn remove_orphans(&self) -> usize {
        let in_place = |place: &PathBuf| {
            let entries = fs::read_dir(place).into_iter().flatten().flatten();
            let orphans = entries.filter(|entry| {
                let name = entry.file_name();
                let owner = name.to_str().and_then(Owner::of_name);
                owner.is_some_and(|owner| !owner.lives())
            });
            orphans.filter(|entry| remove_orphan(&entry.path())).count()
        };
        self.0.iter().map(in_place).sum()
    }
}

/// Where a path leads; of one that is not there yet, as far as it is.
fn real(path: &Path) -> PathBuf {
    let there = path.ancestors().find_map(|part| {
        let rest = path.strip_prefix(part).ok()?;
        Some(part.canonicalize().ok()?.join(rest))
    });
    there.unwrap_or_else(|| path.to_owned())
}

fn is_in_repository(place: &Path) -> bool {
    real(place)
        .ancestors()
        .any(|folder| folder.join(".git").exists())
}

fn remove_orphan(path: &Path) -> bool {
    // Nobody puts a link here but to have something else removed.
    let is_folder = fs::symlink_metadata(path).is_ok_and(|meta| meta.is_dir());
    let free = |held: File| held.try_lock().is_ok();
    is_folder && File::open(path).is_ok_and(free) && remove_tree(path).is_ok()
}

impl PrivateFolder {
    /// Makes one in `place`, which is made too.
    fn make_in(place: &Path) -> io::Result<Self> {
        secure(place)?;
        let owner = Owner::this_process()?;
        for _ in 0..TRIES {
            let random: String = fresh_mark()?.chars().take(DIGITS).collect();
            let path = place.join(format!("{owner}-{random}"));
            match DirBuilder::new().mode(OWNERS).create(&path) {
                Err(cause) if cause.kind() == io::ErrorKind::AlreadyExists => continue,
                made => made?,
            }
            if let Some(held) = hold(&path)? {
                return Ok(Self { path, _held: held });
            }
        }
        Err(io::Error::other("folders in it go away"))
    }

    /// Makes a folder in it, which is as private.
    ///
    /// # Errors
    ///
    /// If it cannot be made.
    pub fn folder(&self, name: &str) -> io::Result<PathBuf> {
        let path = self.path.join(name);
        DirBuilder::new().mode(OWNERS).create(&path)?;
        Ok(path)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for PrivateFolder {
    fn drop(&mut self) {
        // What cannot be removed now is removed by a later process.
        remove_tree(&self.path).unwrap_or_default();
    }
}

/// Holds a new folder; none if another process removed it in between.
fn hold(path: &Path) -> io::Result<Option<File>> {
    let held = match File::open(path) {
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(None),
        held => held?,
    };
    if held.try_lock().is_err() {
        return Ok(None);
    }
    let same = fs::metadata(path).is_ok_and(|there| {
        held.metadata()
            .is_ok_and(|ours| (ours.dev(), ours.ino()) == (there.dev(), there.ino()))
    });
    Ok(same.then_some(held))
}

/// Makes `place` a folder of this user's, which nobody else can look into.
fn secure(place: &Path) -> io::Result<()> {
    DirBuilder::new()
        .recursive(true)
        .mode(OWNERS)
        .create(place)?;
    let there = fs::symlink_metadata(place)?;
    if !there.is_dir() || there.uid() != geteuid().as_raw() {
        return Err(io::Error::other("it is no folder of yours"));
    }
    if there.mode() & 0o777 != OWNERS {
        fs::set_permissions(place, fs::Permissions::from_mode(OWNERS))?;
    }
    Ok(())
}

/// Removes a folder with all that is in it, also where something in it is read-only.
fn remove_tree(path: &Path) -> io::Result<()> {
    if fs::remove_dir_all(path).is_ok() {
        return Ok(());
    }
    open_up(path);
    match fs::remove_dir_all(path) {
        Err(cause) if cause.kind() != io::ErrorKind::NotFound => Err(cause),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Gives the owner every right in the folders of a tree. Links are not followed.
fn open_up(folder: &Path) {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        fs::set_permissions(&folder, fs::Permissions::from_mode(OWNERS)).unwrap_or_default();
        let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
        let inner = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        folders.extend(inner.map(|entry| entry.path()));
    }
}

/// The process that owns a folder, as the folder's name says: its number, when it started, and
/// the beginning of the boot's name.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Owner {
    pid: i32,
    start: u64,
    boot: String,
}

impl Owner {
    fn this_process() -> io::Result<Self> {
        let pid = i32::try_from(std::process::id()).map_err(|_| io::ErrorKind::InvalidData)?;
        Ok(Self {
            pid,
            start: Stat::read(pid)?.start,
            boot: boot()?.chars().take(DIGITS).collect(),
        })
    }

    /// The owner of the folder of this name; none for a folder that is none of ours.
    fn of_name(name: &str) -> Option<Self> {
        let mut parts = name.split('-');
        let owner = Self {
            pid: parts.next()?.parse().ok()?,
            start: parts.next()?.parse().ok()?,
            boot: parts.next()?.to_owned(),
        };
        let random = parts.next()?;
        let digits = |text: &str| text.len() == DIGITS && text.bytes().all(is_hexadecimal);
        let ours = digits(&owner.boot) && digits(random) && parts.next().is_none();
        ours.then_some(owner)
    }

    fn lives(&self) -> bool {
        boot().is_ok_and(|boot| boot.starts_with(&self.boot))
            && Stat::read(self.pid).is_ok_and(|stat| stat.start == self.start && stat.is_running())
    }
}

fn is_hexadecimal(byte: u8) -> bool {
    byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte)
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}-{}", self.pid, self.start, self.boot)
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::symlink_metadata(path).unwrap().mode() & 0o777
    }

    /// A process that is gone, with a folder of the name it would have had.
    fn orphan(place: &Path, start: u64) -> PathBuf {
        let ours = Owner::this_process().unwrap();
        let owner = Owner {
            start,
            ..ours.clone()
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
        let folder = places.make().unwrap();
        assert_eq!(folder.path().parent(), Some(places.paths()[0].as_path()));
        assert_eq!(mode(&places.paths()[0]), 0o700);
        assert_eq!(mode(folder.path()), 0o700);
        assert_eq!(mode(&folder.folder("inner").unwrap()), 0o700);
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
        let folder = places.make().unwrap();
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
        let error = places.make().unwrap_err();
        let expected = format!("{}: it is no folder of yours", places.paths()[0].display());
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn no_folder_lies_in_the_project_and_one_in_a_repository_only_for_want_of_another() {
        let home = tempfile::tempdir().unwrap();
        let temp = tempfile::tempdir().unwrap();
        let places = PrivatePlaces::new(Some(&home.path().join(".cache")), temp.path());
        let below = |folder: &PrivateFolder, root: &Path| folder.path().starts_with(root);
        let folder = places.make_outside(home.path()).unwrap();
        assert!(below(&folder, temp.path()));
        assert!(below(&places.make().unwrap(), home.path()));
        fs::create_dir(home.path().join(".git")).unwrap();
        assert!(below(&places.make().unwrap(), temp.path()));
        let only = PrivatePlaces::new(None, home.path());
        assert!(below(&only.make().unwrap(), home.path()));
        let error = only.make_outside(home.path()).unwrap_err();
        let expected = format!("{}: it lies in the project", only.paths()[0].display());
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn what_a_dead_process_left_is_removed_and_nothing_else() {
        let home = tempfile::tempdir().unwrap();
        let places = PrivatePlaces::new(Some(home.path()), Path::new("/nowhere"));
        let place = places.paths()[0].clone();
        let mine = places.make().unwrap();
        let ours = Owner::this_process().unwrap();
        let dead = orphan(&place, ours.start + 1);
        let read_only = fs::Permissions::from_mode(0o500);
        fs::set_permissions(dead.join("copy/src"), read_only.clone()).unwrap();
        fs::set_permissions(&dead, read_only).unwrap();
        // Its number says that it is gone, and its lock that it lives, out of our sight.
        let held = orphan(&place, ours.start + 2);
        let lock = File::open(&held).unwrap();
        lock.try_lock().unwrap();
        // It lives, and has not come to hold its new folder yet.
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
    fn a_name_tells_the_owner() {
        let owner = Owner {
            pid: 42,
            start: 7,
            boot: "0a1b2c3d".into(),
        };
        assert_eq!(Owner::of_name("42-7-0a1b2c3d-00ff00ff"), Some(owner));
        for other in [
            "42-7-0a1b2c3d",
            "42-7-0a1b2c3d-00ff00ff-1",
            "42-7-0a1b2c3-00ff00ff",
            "a-7-0a1b2c3d-00ff00ff",
            "agon-x",
        ] {
            assert_eq!(Owner::of_name(other), None, "{other}");
        }
    }
}
