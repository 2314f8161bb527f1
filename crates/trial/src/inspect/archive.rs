//! Writes a ZIP archive without compression, which every reader of ZIP accepts.

use std::io;

/// The date 1980-01-01, so that the same files give the same archive.
const DATE: u16 = 0x0021;
const VERSION: u16 = 20;
/// The flag for names in UTF-8.
const UTF8: u16 = 1 << 11;
const LOCAL_HEADER: u32 = 0x0403_4b50;
const CENTRAL_HEADER: u32 = 0x0201_4b50;
const END: u32 = 0x0605_4b50;

/// Returns an archive of files with these names and contents.
///
/// # Errors
///
/// If there are more than 65,535 files or 4 GiB, which the plain format cannot hold.
pub(super) fn archive(files: &[(String, Vec<u8>)]) -> io::Result<Vec<u8>> {
    let too_large = || io::Error::other("too large for a ZIP archive");
    let count = u16::try_from(files.len()).map_err(|_| too_large())?;
    let size = |bytes: usize| u32::try_from(bytes).map_err(|_| too_large());
    let (mut all, mut directory) = (Vec::new(), Vec::new());
    for (name, content) in files {
        let offset = size(all.len())?;
        let name_length = u16::try_from(name.len()).map_err(|_| too_large())?;
        let length = size(content.len())?;
        let mut common = Vec::new();
        for field in [VERSION, UTF8, 0, 0, DATE] {
            common.extend(field.to_le_bytes());
        }
        for field in [crc32(content), length, length] {
            common.extend(field.to_le_bytes());
        }
        common.extend(name_length.to_le_bytes());
        common.extend([0; 2]);
        all.extend(LOCAL_HEADER.to_le_bytes());
        all.extend(&common);
        all.extend(name.as_bytes());
        all.extend(content);
        directory.extend(CENTRAL_HEADER.to_le_bytes());
        directory.extend(VERSION.to_le_bytes());
        directory.extend(&common);
        // No comment, the first disk, no attributes.
        directory.extend([0; 10]);
        directory.extend(offset.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let (start, length) = (size(all.len())?, size(directory.len())?);
    all.extend(directory);
    all.extend(END.to_le_bytes());
    all.extend([0; 4]);
    for _ in 0..2 {
        all.extend(count.to_le_bytes());
    }
    all.extend(length.to_le_bytes());
    all.extend(start.to_le_bytes());
    all.extend([0; 2]);
    Ok(all)
}

/// Returns the checksum CRC-32 of ISO 3309.
fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            let mask = (crc & 1).wrapping_neg();
            crc = (crc >> 1) ^ (0xedb8_8320 & mask);
        }
    }
    !crc
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_the_standard() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn an_archive_has_its_parts_where_its_directory_says() {
        let files = [
            ("a/é.json".to_owned(), b"{}".to_vec()),
            ("b".to_owned(), Vec::new()),
        ];
        let bytes = archive(&files).unwrap();
        assert!(bytes.starts_with(b"PK\x03\x04"));
        let end = &bytes[bytes.len() - 22..];
        assert!(end.starts_with(b"PK\x05\x06"));
        assert_eq!(end[8..12], [2, 0, 2, 0]);
        let number = |at: usize| u32::from_le_bytes(end[at..at + 4].try_into().unwrap()) as usize;
        let (length, start) = (number(12), number(16));
        assert_eq!(start + length + 22, bytes.len());
        assert!(bytes[start..].starts_with(b"PK\x01\x02"));
    }
}
