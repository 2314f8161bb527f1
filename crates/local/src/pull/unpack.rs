//! Extracts one file from a package.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::Path;

/// The reason why a file could not be extracted.
#[derive(Debug, thiserror::Error)]
pub(super) enum UnpackError {
    /// The file cannot be written.
    #[error("cannot write the extracted file")]
    Write(#[source] io::Error),
    /// The package cannot be read.
    #[error("cannot read the package: {0}")]
    Package(String),
    /// The package does not contain exactly one such file of this size.
    #[error("the package contains no {0} of the right size")]
    Nothing(String),
}

/// Writes the file `member` of the package to `to`; `*` in the name matches any characters. Stops
/// early once `gone` returns true.
pub(super) fn unpack(
    package: &Path,
    member: &str,
    to: &Path,
    size: u64,
    gone: &dyn Fn() -> bool,
) -> Result<(), UnpackError> {
    let unread = |error: io::Error| UnpackError::Package(error.to_string());
    let mut file = agon_files::open(package).map_err(unread)?;
    let mut start = [0; 2];
    file.read_exact(&mut start).map_err(unread)?;
    file.rewind().map_err(unread)?;
    match start == GZIP {
        true => unpack_tar(BufReader::new(file), member, to, size, gone),
        false => unpack_zip(BufReader::new(file), member, to, size, gone),
    }
}

/// The first bytes of a file in the format of gzip, as source packages are.
const GZIP: [u8; 2] = [0x1f, 0x8b];

fn unpack_zip(
    package: impl Read + Seek,
    member: &str,
    to: &Path,
    size: u64,
    gone: &dyn Fn() -> bool,
) -> Result<(), UnpackError> {
    let unread = |error: zip::result::ZipError| UnpackError::Package(error.to_string());
    let mut archive = zip::ZipArchive::new(package).map_err(unread)?;
    let nothing = || UnpackError::Nothing(member.to_owned());
    let named = archive
        .file_names()
        .filter_map(Result::ok)
        .find(|name| matches_member(name, member));
    let named = named.map(|name| name.into_owned()).ok_or_else(nothing)?;
    let inside = archive.by_name(&named).map_err(unread)?;
    if inside.size() != size {
        return Err(nothing());
    }
    copy(inside, member, to, size, gone)
}

fn unpack_tar(
    package: impl Read,
    member: &str,
    to: &Path,
    size: u64,
    gone: &dyn Fn() -> bool,
) -> Result<(), UnpackError> {
    let unread = |error: io::Error| UnpackError::Package(error.to_string());
    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(package));
    for inside in archive.entries().map_err(unread)? {
        if gone() {
            return Err(UnpackError::Write(io::ErrorKind::Interrupted.into()));
        }
        let inside = inside.map_err(unread)?;
        let is_it = matches_member(&String::from_utf8_lossy(&inside.path_bytes()), member);
        if is_it && inside.header().entry_type().is_file() {
            return match inside.size() == size {
                true => copy(inside, member, to, size, gone),
                false => Err(UnpackError::Nothing(member.to_owned())),
            };
        }
    }
    Err(UnpackError::Nothing(member.to_owned()))
}

/// Writes the content of a member to `to`, which must have `size` bytes.
fn copy(
    mut inside: impl Read,
    member: &str,
    to: &Path,
    size: u64,
    gone: &dyn Fn() -> bool,
) -> Result<(), UnpackError> {
    let unread = |error: io::Error| UnpackError::Package(error.to_string());
    let mut out = BufWriter::new(File::create(to).map_err(UnpackError::Write)?);
    let mut piece = vec![0; 256 * 1024];
    let mut written = 0_u64;
    loop {
        if gone() {
            return Err(UnpackError::Write(io::ErrorKind::Interrupted.into()));
        }
        let read = inside.read(&mut piece).map_err(unread)?;
        if read == 0 {
            break;
        }
        written = written.saturating_add(u64::try_from(read).unwrap_or(u64::MAX));
        if written > size {
            return Err(UnpackError::Nothing(member.to_owned()));
        }
        out.write_all(&piece[..read]).map_err(UnpackError::Write)?;
    }
    let out = out
        .into_inner()
        .map_err(|error| UnpackError::Write(error.into_error()))?;
    out.sync_all().map_err(UnpackError::Write)
}

fn matches_member(name: &str, member: &str) -> bool {
    match member.split_once('*') {
        None => name == member,
        Some((before, after)) => {
            let between = name
                .strip_prefix(before)
                .and_then(|rest| rest.strip_suffix(after));
            between.is_some_and(|between| !between.contains('/'))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Returns a source package with these files.
    fn source_package(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut tar = tar::Builder::new(Vec::new());
        for (name, content) in files {
            let mut header = tar::Header::new_gnu();
            header.set_size(content.len() as u64);
            tar.append_data(&mut header, name, *content).unwrap();
        }
        let tar = tar.into_inner().unwrap();
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(&tar).unwrap();
        packed.finish().unwrap()
    }

    #[test]
    fn a_file_of_a_source_package_is_extracted() {
        let dir = tempfile::tempdir().unwrap();
        let (package, to) = (dir.path().join("a.tar.gz"), dir.path().join("out"));
        let bytes = source_package(&[("a/one", &[7; 700]), ("a/two", b"wanted")]);
        fs::write(&package, &bytes).unwrap();
        let unpack = |member, size| unpack(&package, member, &to, size, &|| false);
        unpack("a/two", 6).unwrap();
        assert_eq!(fs::read(&to).unwrap(), b"wanted");
        assert!(matches!(unpack("a/two", 5), Err(UnpackError::Nothing(_))));
        assert!(matches!(unpack("a/three", 6), Err(UnpackError::Nothing(_))));
        fs::write(&package, &bytes[..bytes.len() / 2]).unwrap();
        assert!(super::unpack(&package, "a/two", &to, 6, &|| false).is_err());
    }

    #[test]
    fn a_star_stands_for_letters_but_not_for_folders() {
        assert!(matches_member("a/b.gguf", "a/*.gguf"));
        assert!(matches_member("a/b.gguf", "a/b.gguf"));
        assert!(!matches_member("a/c/b.gguf", "a/*.gguf"));
        assert!(!matches_member("a/b.txt", "a/*.gguf"));
        assert!(!matches_member("a/.gg", "a/*.gguf"));
    }
}
