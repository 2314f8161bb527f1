//! Open folders, by which their entries are reached whatever happens to the path.
//!
//! Linux opens a folder as a handle (`O_PATH`), which needs no permission on it, and has a path to
//! every open file in `/proc`. Other systems have neither: there a folder is opened for reading, and
//! is reached by the path by which it was opened. `--cfg agon_portable` selects that side on Linux,
//! too, so that its tests run there.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags, openat};

/// Opens a folder for what is in it; never follows a symbolic link. On systems other than Linux it
/// must be readable.
///
/// # Errors
///
/// If it cannot be opened, or is not a folder.
pub fn open_folder_handle(parent: impl AsFd, name: impl rustix::path::Arg) -> io::Result<OwnedFd> {
    let flags = HANDLE | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(openat(parent, name, flags, Mode::empty())?)
}

#[cfg(all(target_os = "linux", not(agon_portable)))]
use linux::HANDLE;
#[cfg(all(target_os = "linux", not(agon_portable)))]
pub use linux::{open_own_folder, path_of_open_folder, set_folder_rights};
#[cfg(any(not(target_os = "linux"), agon_portable))]
use portable::HANDLE;
#[cfg(any(not(target_os = "linux"), agon_portable))]
pub use portable::{open_own_folder, path_of_open_folder, set_folder_rights};

#[cfg(all(target_os = "linux", not(agon_portable)))]
mod linux {
    use std::fs;
    use std::os::fd::AsRawFd as _;
    use std::os::unix::fs::PermissionsExt as _;

    use super::{AsFd, OFlags, OwnedFd, Path, PathBuf, io};

    pub(super) const HANDLE: OFlags = OFlags::PATH;

    /// Opens a folder of this user, whatever its permissions are; never follows a symbolic link.
    ///
    /// # Errors
    ///
    /// If it cannot be opened, or is not a folder.
    pub fn open_own_folder(parent: impl AsFd, name: impl rustix::path::Arg) -> io::Result<OwnedFd> {
        super::open_folder_handle(parent, name)
    }

    /// Sets the permissions of an open folder.
    ///
    /// # Errors
    ///
    /// If it belongs to another user.
    pub fn set_folder_rights(folder: &impl AsFd, mode: u32) -> io::Result<()> {
        // An `O_PATH` descriptor cannot change rights itself, but its path in `/proc` can.
        let path = path_of_open_folder(folder, Path::new(""));
        fs::set_permissions(path, fs::Permissions::from_mode(mode))
    }

    /// Returns a path to an open folder, which stays valid if the folder or one above it is renamed
    /// or replaced. `named` is the path by which it was opened.
    pub fn path_of_open_folder(folder: &impl AsFd, _named: &Path) -> PathBuf {
        format!("/proc/self/fd/{}", folder.as_fd().as_raw_fd()).into()
    }
}

#[cfg(any(not(target_os = "linux"), agon_portable))]
mod portable {
    use rustix::fs::{AtFlags, FileType, Mode, RawMode, chmodat, fchmod, statat};
    use rustix::io::Errno;
    use rustix::process::geteuid;

    use super::{AsFd, OFlags, OwnedFd, Path, PathBuf, io};

    pub(super) const HANDLE: OFlags = OFlags::RDONLY;

    /// Opens a folder of this user, whatever its permissions are; never follows a symbolic link.
    /// Grants the user all rights on it if it cannot be opened without them.
    ///
    /// # Errors
    ///
    /// If it cannot be opened, or is not a folder.
    pub fn open_own_folder(parent: impl AsFd, name: impl rustix::path::Arg) -> io::Result<OwnedFd> {
        let name = name.into_c_str()?;
        let opened = super::open_folder_handle(&parent, &*name);
        let Err(cause) = opened else {
            return opened;
        };
        let found = statat(&parent, &*name, AtFlags::SYMLINK_NOFOLLOW)?;
        let is_folder = FileType::from_raw_mode(found.st_mode) == FileType::Directory;
        let is_refused = cause.raw_os_error() == Some(Errno::ACCESS.raw_os_error());
        if !is_refused || !is_folder || found.st_uid != geteuid().as_raw() {
            return Err(cause);
        }
        chmodat(&parent, &*name, Mode::RWXU, AtFlags::empty())?;
        super::open_folder_handle(&parent, &*name)
    }

    /// Sets the permissions of an open folder.
    ///
    /// # Errors
    ///
    /// If it belongs to another user, or `mode` is not the permissions of a file.
    pub fn set_folder_rights(folder: &impl AsFd, mode: u32) -> io::Result<()> {
        let mode = RawMode::try_from(mode).map_err(io::Error::other)?;
        Ok(fchmod(folder, Mode::from_raw_mode(mode))?)
    }

    /// Returns the path `named`, by which the folder was opened: there is none that follows an open
    /// folder.
    pub fn path_of_open_folder(_folder: &impl AsFd, named: &Path) -> PathBuf {
        named.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use rustix::fs::CWD;

    use super::*;

    #[test]
    fn a_folder_without_permissions_is_opened_and_gets_them() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("closed");
        fs::create_dir(&folder).unwrap();
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o000)).unwrap();
        let opened = open_own_folder(CWD, folder.as_path()).unwrap();
        set_folder_rights(&opened, 0o750).unwrap();
        let mode = fs::metadata(&folder).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o750);
        fs::write(folder.join("file"), "in it").unwrap();
        let entry = path_of_open_folder(&opened, &folder).join("file");
        assert_eq!(fs::read_to_string(entry).unwrap(), "in it");
    }

    #[test]
    fn a_link_to_a_folder_and_a_file_are_refused() {
        let home = tempfile::tempdir().unwrap();
        let (link, file) = (home.path().join("link"), home.path().join("file"));
        symlink(home.path(), &link).unwrap();
        fs::write(&file, "").unwrap();
        for path in [&link, &file] {
            assert!(open_folder_handle(CWD, path.as_path()).is_err());
            assert!(open_own_folder(CWD, path.as_path()).is_err());
        }
    }
}
