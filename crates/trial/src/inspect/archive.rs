//! Packs the files of a log into a ZIP archive.

use std::io::{self, Cursor, Write as _};

use zip::write::SimpleFileOptions;
use zip::{DateTime, ZipWriter};

/// Returns an archive of files with these names and contents. The same files give the same archive,
/// because each has the earliest date that the format knows.
///
/// # Errors
///
/// If the archive would be too large for the format.
pub(super) fn archive(files: &[(String, Vec<u8>)]) -> io::Result<Vec<u8>> {
    let options = SimpleFileOptions::default().last_modified_time(DateTime::default());
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        archive.start_file(name.as_str(), options)?;
        archive.write_all(content)?;
    }
    Ok(archive.finish()?.into_inner())
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    #[test]
    fn an_archive_has_every_file_and_is_the_same_each_time() {
        let files = [
            ("a/é.json".to_owned(), b"{}".to_vec()),
            ("b".to_owned(), Vec::new()),
        ];
        let bytes = archive(&files).unwrap();
        assert_eq!(bytes, archive(&files).unwrap());
        let mut read = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
        for (name, content) in files {
            let mut found = Vec::new();
            read.by_name(&name)
                .unwrap()
                .read_to_end(&mut found)
                .unwrap();
            assert_eq!(found, content, "{name}");
        }
    }
}
