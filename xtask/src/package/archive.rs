//! Reproducible archives: the same entries give the same bytes on every machine.
//!
//! Entries are sorted by path and have one time, no owner and one of two modes.

use std::io::{Cursor, Write};

use anyhow::{Context, Result, ensure};
use flate2::{Compression, GzBuilder};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

/// The size of a tar block, in bytes.
const BLOCK: usize = 512;
/// Maximum length of a path in a tar header, in bytes.
const MAX_PATH: usize = 100;

/// A file of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Its path from the root of the archive, with `/`; at most 100 bytes.
    pub(super) path: String,
    pub(super) bytes: Vec<u8>,
    pub(super) is_program: bool,
}

impl Entry {
    /// Returns a file that is not a program.
    pub(super) fn text(path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self {
            path: path.into(),
            bytes: bytes.into(),
            is_program: false,
        }
    }

    /// Returns a program.
    pub(super) fn program(path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self {
            is_program: true,
            ..Self::text(path, bytes)
        }
    }

    fn mode(&self) -> u32 {
        match self.is_program {
            true => 0o755,
            false => 0o644,
        }
    }
}

/// Returns the entries with `folder` before their paths.
pub(super) fn below(folder: &str, entries: Vec<Entry>) -> Vec<Entry> {
    let moved = entries.into_iter().map(|mut entry| {
        entry.path = format!("{folder}/{}", entry.path);
        entry
    });
    moved.collect()
}

/// Returns a gzipped tar archive. `time` is in seconds since 1970.
///
/// # Errors
/// If a path is too long.
pub(super) fn tar_gz(entries: &[Entry], time: u64) -> Result<Vec<u8>> {
    gzip(&tar(entries, time, "")?)
}

/// Returns a gzipped tar archive with its folders, in which paths start with `./`, as dpkg needs it.
///
/// # Errors
/// If a path is too long.
pub(super) fn tar_gz_with_folders(entries: &[Entry], time: u64) -> Result<Vec<u8>> {
    let mut folders = vec![String::new()];
    for entry in entries {
        let ends = entry.path.match_indices('/').map(|(at, _)| at + 1);
        folders.extend(ends.filter_map(|end| entry.path.get(..end).map(str::to_owned)));
    }
    folders.sort();
    folders.dedup();
    let mut bytes = Vec::new();
    for folder in folders {
        let path = format!("./{folder}");
        bytes.extend(tar_header(&path, b'5', 0o755, 0, time)?);
    }
    bytes.extend(tar(entries, time, "./")?);
    gzip(&bytes)
}

fn tar(entries: &[Entry], time: u64, prefix: &str) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    for entry in sorted(entries) {
        let path = format!("{prefix}{}", entry.path);
        bytes.extend(tar_header(
            &path,
            b'0',
            entry.mode(),
            entry.bytes.len(),
            time,
        )?);
        bytes.extend(&entry.bytes);
        bytes.resize(bytes.len().next_multiple_of(BLOCK), 0);
    }
    bytes.resize(bytes.len() + 2 * BLOCK, 0);
    Ok(bytes)
}

fn sorted(entries: &[Entry]) -> Vec<&Entry> {
    let mut entries: Vec<_> = entries.iter().collect();
    entries.sort_by(|a, b| a.path.cmp(&b.path));
    entries
}

/// Returns a header of the POSIX form `ustar`.
fn tar_header(path: &str, kind: u8, mode: u32, size: usize, time: u64) -> Result<Vec<u8>> {
    ensure!(path.len() <= MAX_PATH, "{path} is too long for an archive");
    let mut header = Vec::with_capacity(BLOCK);
    let mut field = |text: &str, length: usize| {
        header.extend(text.bytes());
        header.resize(header.len() + length - text.len(), 0);
    };
    field(path, MAX_PATH);
    field(&format!("{mode:07o}"), 8);
    // User and group 0.
    field("0000000", 8);
    field("0000000", 8);
    field(&format!("{size:011o}"), 12);
    field(&format!("{time:011o}"), 12);
    // The checksum counts its own field as spaces.
    field("        ", 8);
    field(&char::from(kind).to_string(), 1);
    field("", 100);
    field("ustar", 6);
    field("00", 2);
    field("root", 32);
    field("root", 32);
    field("", BLOCK - 329);
    let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
    let sum = format!("{sum:06o}\0 ");
    header.splice(148..156, sum.bytes());
    Ok(header)
}

/// Compresses without a name and a time.
///
/// # Errors
/// Never in practice, because it writes into memory.
pub(super) fn gzip(bytes: &[u8]) -> Result<Vec<u8>> {
    let builder = GzBuilder::new().operating_system(255);
    let mut out = builder.write(Vec::new(), Compression::best());
    out.write_all(bytes)?;
    Ok(out.finish()?)
}

/// Returns an archive in the form of `ar`, which a Debian package is. Keeps the order.
///
/// # Errors
/// If a name is longer than 16 bytes.
pub(super) fn ar(members: &[(&str, Vec<u8>)], time: u64) -> Result<Vec<u8>> {
    let mut bytes = b"!<arch>\n".to_vec();
    for (name, content) in members {
        ensure!(name.len() <= 16, "{name} is too long for ar");
        let size = content.len();
        let header = format!(
            "{name:<16}{time:<12}{:<6}{:<6}{:<8}{size:<10}`\n",
            0, 0, "100644"
        );
        ensure!(header.len() == 60, "{name} is too large for ar");
        bytes.extend(header.bytes());
        bytes.extend(content);
        if size % 2 == 1 {
            bytes.push(b'\n');
        }
    }
    Ok(bytes)
}

/// Returns a zip archive. Keeps the order, because a wheel ends with its list of files.
///
/// # Errors
/// If two entries have the same path, or `time` is not in 1980 to 2107.
pub(super) fn zip(entries: &[Entry], time: u64) -> Result<Vec<u8>> {
    let time = zip_time(time)?;
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for entry in entries {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .compression_level(Some(9))
            .last_modified_time(time)
            // With the bit of a regular file, without which Python's installers drop the mode.
            .unix_permissions(0o100_000 | entry.mode());
        writer.start_file(&entry.path, options)?;
        writer.write_all(&entry.bytes)?;
    }
    Ok(writer.finish()?.into_inner())
}

/// Returns the day (UTC) of a time; zip archives have no time zone, so the hour would mislead.
fn zip_time(time: u64) -> Result<DateTime> {
    let date = Timestamp::from_second(i64::try_from(time)?)?;
    let date = date.to_zoned(TimeZone::UTC).date();
    let (year, month, day) = (date.year(), date.month(), date.day());
    DateTime::from_date_and_time(
        year.try_into()?,
        month.try_into()?,
        day.try_into()?,
        0,
        0,
        0,
    )
    .context("zip archives have no such year")
}

#[cfg(test)]
mod tests;
