//! Reads untrusted files: with a size limit, without waiting, and only regular files. Also replaces
//! Agon's own files atomically, and opens folders as handles.
//!
//! A project, an archive or a home folder can contain a pipe, a device or a sparse file where Agon
//! expects a short text. Each function refuses anything but a regular file, and reading stops at a
//! limit. The errors contain no path: the caller adds it.

mod folder_handle;
pub mod json_text;
mod replacement;

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Seek as _, SeekFrom};
use std::os::fd::AsFd;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;

use rustix::buffer::spare_capacity;
use rustix::fs::{AtFlags, FileType, Mode, OFlags, openat, statat};
use rustix::process::geteuid;

pub use folder_handle::{
    open_folder_handle, open_own_folder, path_of_open_folder, set_folder_rights,
};
pub use replacement::{Durable, Replacement, replace, temporary_sibling};

/// What to do if the last part of a path is a symbolic link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Links {
    /// Read the target of the link.
    Follow,
    /// Fail. Used where a symbolic link is never legitimate.
    Refuse,
}

/// Opens a regular file for reading, following links.
///
/// # Errors
///
/// If the path cannot be opened or is not a regular file.
pub fn open(path: &Path) -> io::Result<File> {
    open_with(path, Links::Follow)
}

/// Opens a regular file for reading.
///
/// # Errors
///
/// If the path cannot be opened, is not a regular file, or is a symbolic link and these are
/// refused.
pub fn open_with(path: &Path, links: Links) -> io::Result<File> {
    // Checked before opening, because opening a device can have an effect. Checked again
    // afterwards, because the file may have been replaced in between.
    let found = match links {
        Links::Follow => fs::metadata(path)?,
        Links::Refuse => fs::symlink_metadata(path)?,
    };
    require_regular(&found)?;
    let mut flags = OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    if links == Links::Refuse {
        flags |= OFlags::NOFOLLOW;
    }
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(flags.bits().cast_signed())
        .open(path)?;
    require_regular(&file.metadata()?)?;
    Ok(file)
}

/// Fails unless `found` describes a regular file.
///
/// # Errors
///
/// `IsADirectory` for a folder, `InvalidInput` for a link, pipe, socket or device.
pub fn require_regular(found: &Metadata) -> io::Result<()> {
    let kind = found.file_type();
    if kind.is_file() {
        return Ok(());
    }
    if kind.is_dir() {
        return Err(rustix::io::Errno::ISDIR.into());
    }
    let what = match kind.is_symlink() {
        true => "it is a symbolic link",
        false => "it is not a regular file",
    };
    Err(io::Error::new(ErrorKind::InvalidInput, what))
}

/// Fails if another user owns the file or folder that `found` describes, or can change it.
///
/// Such a file cannot vouch for anything, even if Agon wrote one of its name.
///
/// # Errors
///
/// `PermissionDenied`.
pub fn require_own(found: &Metadata) -> io::Result<()> {
    match found.uid() == geteuid().as_raw() && found.mode() & 0o022 == 0 {
        true => Ok(()),
        false => Err(ErrorKind::PermissionDenied.into()),
    }
}

/// Reads a file of at most `max` bytes that only this user can change; fails if it is a symbolic
/// link.
///
/// # Errors
///
/// As [`read_no_follow`] and [`require_own`].
pub fn read_own(path: &Path, max: u64) -> io::Result<Vec<u8>> {
    let file = open_with(path, Links::Refuse)?;
    require_own(&file.metadata()?)?;
    read_from_offset(file, 0, max)
}

/// Reads a file of at most `max` bytes, following links.
///
/// # Errors
///
/// If the path cannot be read or is not a regular file; `FileTooLarge` if it has more than `max`
/// bytes.
pub fn read(path: &Path, max: u64) -> io::Result<Vec<u8>> {
    read_from_offset(open(path)?, 0, max)
}

/// Reads a file of at most `max` bytes; fails if the last part of the path is a symbolic link.
///
/// # Errors
///
/// As [`read`], or if the last part of the path is a symbolic link.
pub fn read_no_follow(path: &Path, max: u64) -> io::Result<Vec<u8>> {
    read_from_offset(open_with(path, Links::Refuse)?, 0, max)
}

/// Reads a file of at most `max` bytes by its name in an open folder; fails if it is a symbolic
/// link.
///
/// # Errors
///
/// As [`read_no_follow`].
pub fn read_at(folder: impl AsFd, name: &str, max: u64) -> io::Result<Vec<u8>> {
    // Checked before opening too, as in `open_with`.
    let found = statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW)?;
    if FileType::from_raw_mode(found.st_mode) != FileType::RegularFile {
        let what = "it is not a regular file";
        return Err(io::Error::new(ErrorKind::InvalidInput, what));
    }
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    let file = File::from(openat(&folder, name, flags, Mode::empty())?);
    require_regular(&file.metadata()?)?;
    read_from_offset(file, 0, max)
}

/// Reads a text file of at most `max` bytes, following links.
///
/// # Errors
///
/// As [`read`]; `InvalidData` if it is not UTF-8.
pub fn read_to_string(path: &Path, max: u64) -> io::Result<String> {
    String::from_utf8(read(path, max)?).map_err(|_| {
        let what = "stream did not contain valid UTF-8";
        io::Error::new(ErrorKind::InvalidData, what)
    })
}

/// Reads an open file from `offset` to its end; returns nothing if it is shorter.
///
/// # Errors
///
/// If it cannot be read; `FileTooLarge` if more than `max` bytes remain.
pub fn read_from_offset(mut file: File, offset: u64, max: u64) -> io::Result<Vec<u8>> {
    let left = file.metadata()?.len().saturating_sub(offset);
    if left > max {
        return Err(too_large(max));
    }
    if offset > 0 {
        file.seek(SeekFrom::Start(offset))?;
    }
    // Room for one byte over the limit to detect a larger file: the file can grow during the read,
    // and files in `/proc` do not report their length.
    let most = usize::try_from(max.saturating_add(1)).unwrap_or(usize::MAX);
    // One byte more than the file has, so that the second read finds its end.
    let mut bytes = Vec::with_capacity(usize::try_from(left + 1).unwrap_or(0));
    while bytes.len() < most {
        if bytes.len() == bytes.capacity() {
            bytes.reserve(MIN_READ.max(bytes.len()));
        }
        match rustix::io::read(&file, spare_capacity(&mut bytes)) {
            Ok(0) => break,
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    match bytes.len() as u64 > max {
        true => Err(too_large(max)),
        false => Ok(bytes),
    }
}

/// Minimum number of bytes asked for after a file's reported length.
const MIN_READ: usize = 8 << 10;

fn too_large(max: u64) -> io::Error {
    let limit = match max {
        0..1024 => format!("{max} bytes"),
        1024..0x0010_0000 => format!("{} KiB", max >> 10),
        _ => format!("{} MiB", max >> 20),
    };
    let what = format!("it is larger than {limit}");
    io::Error::new(ErrorKind::FileTooLarge, what)
}

#[cfg(test)]
mod tests;
