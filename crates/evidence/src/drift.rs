//! Finds the files of a source that have changed since it was pinned.

use std::path::Path;

use crate::limits::PinLimits;
use crate::manifest::{FileKind, Manifest, ManifestEntry};
use crate::source::disk::{DiskEntry, Folder};

/// The result of comparing a source's files with the folder as it is now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceDrift {
    /// Number of files compared.
    pub files: usize,
    /// Files whose content differs from the pinned one, by their paths in the source.
    pub changed: Vec<String>,
    /// Files that no longer exist.
    pub gone: Vec<String>,
    /// Number of files that cannot be compared, such as one behind a symbolic link.
    pub unknown: usize,
}

impl Manifest {
    /// Compares files in the folder `root` with the pinned ones: those in `paths`, or all if it is
    /// `None`.
    ///
    /// Reads every file it compares: O(bytes). Paths outside the source are ignored.
    ///
    /// # Errors
    ///
    /// If the folder cannot be read.
    pub fn compare_with_folder(
        &self,
        root: &Path,
        paths: Option<&[String]>,
    ) -> std::io::Result<SourceDrift> {
        let folder = Folder::new(root.canonicalize()?);
        let limits = PinLimits::default();
        let named = |path: &&String| {
            !self.given.contains(*path) && paths.is_none_or(|paths| paths.contains(path))
        };
        let mut since = SourceDrift::default();
        for (path, entry) in self.entries.iter().filter(|(path, _)| named(path)) {
            since.files += 1;
            let now = folder.read_entry(path, limits.file_bytes);
            match matches_pinned(&now, entry) {
                Some(true) => {}
                Some(false) if matches!(now, DiskEntry::Nothing) => since.gone.push(path.clone()),
                Some(false) => since.changed.push(path.clone()),
                None => since.unknown += 1,
            }
        }
        Ok(since)
    }
}

/// Returns whether a file still has its pinned content; `None` if that cannot be determined.
fn matches_pinned(now: &DiskEntry, entry: &ManifestEntry) -> Option<bool> {
    match (now, &entry.hash, &entry.kind) {
        (DiskEntry::Bytes(bytes), Some(hash), _) => {
            Some(blake3::hash(bytes).to_hex().as_str() == hash)
        }
        // Only the length of both files is known, so equal lengths prove nothing.
        (DiskEntry::Oversized(bytes), None, FileKind::Oversized) if *bytes == entry.bytes => None,
        (DiskEntry::Link(target), None, FileKind::Symlink(pinned)) => Some(target == pinned),
        (DiskEntry::Unreadable, ..) => None,
        _ => Some(false),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use crate::{PinLimits, Source};

    #[test]
    fn what_changed_is_named_and_what_did_not_is_counted() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let put = |name: &str, text: &str| fs::write(root.join(name), text).unwrap();
        fs::create_dir(root.join("sub")).unwrap();
        for name in ["a.rs", "b.rs", "c.rs", "d.rs", "sub/e.rs"] {
            put(name, name);
        }
        std::os::unix::fs::symlink("a.rs", root.join("link")).unwrap();
        let source = Source::pin_tree(root, &PinLimits::default()).unwrap();
        let manifest = source.manifest();
        let same = manifest.compare_with_folder(root, None).unwrap();
        assert_eq!((same.files, same.unknown), (6, 0));
        put("b.rs", "otherwise");
        put("new.rs", "");
        fs::remove_file(root.join("c.rs")).unwrap();
        fs::create_dir(root.join("real")).unwrap();
        fs::remove_file(root.join("d.rs")).unwrap();
        fs::create_dir(root.join("d.rs")).unwrap();
        fs::remove_dir_all(root.join("sub")).unwrap();
        let since = manifest.compare_with_folder(root, None).unwrap();
        assert_eq!(since.changed, ["b.rs", "d.rs"]);
        assert_eq!(since.gone, ["c.rs", "sub/e.rs"]);
        assert_eq!(since.files, 6);
        let named = ["a.rs".to_owned(), "nowhere.rs".to_owned()];
        let since = manifest.compare_with_folder(root, Some(&named)).unwrap();
        assert_eq!((since.files, since.unknown), (1, 0));
        assert!(
            manifest
                .compare_with_folder(&root.join("gone"), None)
                .is_err()
        );
    }
}
