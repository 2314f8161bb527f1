//! Extracts one file from a package.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
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
    let unread = |error: &dyn std::error::Error| UnpackError::Package(error.to_string());
    let file = agon_files::open(package).map_err(|error| unread(&error))?;
    let mut archive = zip::ZipArchive::new(BufReader::new(file)).map_err(|error| unread(&error))?;
    let nothing = || UnpackError::Nothing(member.to_owned());
    let named = archive
        .file_names()
        .filter_map(Result::ok)
        .find(|name| matches_member(name, member));
    let named = named.map(|name| name.into_owned()).ok_or_else(nothing)?;
    let mut inside = archive.by_name(&named).map_err(|error| unread(&error))?;
    if inside.size() != size {
        return Err(nothing());
    }
    let mut out = BufWriter::new(File::create(to).map_err(UnpackError::Write)?);
    let mut piece = vec![0; 256 * 1024];
    let mut written = 0_u64;
    loop {
        if gone() {
            return Err(UnpackError::Write(io::ErrorKind::Interrupted.into()));
        }
        let read = inside.read(&mut piece).map_err(|error| unread(&error))?;
        if read == 0 {
            break;
        }
        written = written.saturating_add(u64::try_from(read).unwrap_or(u64::MAX));
        if written > size {
            return Err(nothing());
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
    use super::matches_member;

    #[test]
    fn a_star_stands_for_letters_but_not_for_folders() {
        assert!(matches_member("a/b.gguf", "a/*.gguf"));
        assert!(matches_member("a/b.gguf", "a/b.gguf"));
        assert!(!matches_member("a/c/b.gguf", "a/*.gguf"));
        assert!(!matches_member("a/b.txt", "a/*.gguf"));
        assert!(!matches_member("a/.gg", "a/*.gguf"));
    }
}
