//! Remembers in the user's cache which texts have no secret, by the hash of their bytes.
//!
//! The search for secrets is the slowest part of pinning a project, and most of its files are the
//! same in the next debate. The cache contains only hashes of texts without secrets, so a lost or
//! damaged one costs time and hides nothing: a text counts as known only if its whole hash is there.

use std::collections::BTreeSet;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use agon_files::{Durable, require_own};
use agon_redact::RULES_VERSION;

/// The name of the file in Agon's cache.
const NAME: &str = "clean-texts";
/// The first bytes of the file, followed by the version of the rules and the hashes, sorted.
const MAGIC: &[u8; 16] = b"agon clean text1";
/// The size of the first bytes and the version.
const HEADER: usize = 32;
/// The size of a hash: BLAKE3.
const HASH: usize = 32;

// 8 MiB: three times the files of the largest project that was measured, and 8 ms to read.
/// Maximum number of hashes that are stored.
const MAX_HASHES: usize = 262_144;

/// The texts that are known to have no secret.
#[derive(Debug, Default)]
pub(crate) struct CleanTexts {
    /// Where they are stored; `None` if there is no safe place.
    file: Option<PathBuf>,
    /// The stored hashes, sorted.
    known: Vec<[u8; HASH]>,
    /// The hashes that were looked up and known, and those that were added.
    used: BTreeSet<[u8; HASH]>,
    is_changed: bool,
}

impl CleanTexts {
    /// Opens the texts stored in Agon's folder in the user's `cache`, unless that is in `project`,
    /// where it would be one of the project's files. Stores nothing without a project.
    pub(crate) fn open(cache: Option<&Path>, project: Option<&Path>) -> Self {
        let places = cache.zip(project);
        let file = places.and_then(|(cache, project)| private_file(cache, project));
        let known = file.as_deref().map(read_hashes).unwrap_or_default();
        Self {
            file,
            known,
            ..Self::default()
        }
    }

    /// Returns whether the text with this hash, in hexadecimal, is known to have no secret.
    pub(crate) fn contains(&mut self, hash: &str) -> bool {
        let Some(hash) = parse(hash) else {
            return false;
        };
        let is_known = self.known.binary_search(&hash).is_ok();
        if is_known {
            self.used.insert(hash);
        }
        is_known || self.used.contains(&hash)
    }

    /// Adds a text that was searched and has no secret.
    pub(crate) fn add(&mut self, hash: &str) {
        if let Some(hash) = parse(hash) {
            self.is_changed |= self.used.insert(hash);
        }
    }

    /// Stores the added texts for later debates. Another process may do the same at once: the
    /// hashes of one of them may then be missing.
    pub(crate) fn save(&self) {
        if let Some(file) = self.file.as_ref().filter(|_| self.is_changed) {
            // Failure only means that the texts are searched again.
            self.write(file).unwrap_or_default();
        }
    }

    fn write(&self, file: &Path) -> io::Result<()> {
        // Read again, because another process may have added some.
        let stored = read_hashes(file);
        let mut hashes: BTreeSet<_> = self.used.iter().copied().take(MAX_HASHES).collect();
        for hash in stored {
            if hashes.len() == MAX_HASHES {
                break;
            }
            hashes.insert(hash);
        }
        let mut bytes = header();
        bytes.extend(hashes.into_iter().flatten());
        agon_files::replace(file, &bytes, 0o600, Durable::No)
    }
}

/// Returns the path of the file, in a folder that only this user can write to; `None` if there is no
/// such folder outside the project.
fn private_file(cache: &Path, project: &Path) -> Option<PathBuf> {
    let folder = cache.join("agon");
    let mut above = folder.ancestors();
    let existing = above.find_map(|path| path.canonicalize().ok());
    if existing.is_none_or(|existing| existing.starts_with(project)) {
        return None;
    }
    let created = DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(&folder);
    let state = created.and_then(|()| fs::symlink_metadata(&folder));
    state.and_then(|state| require_own(&state)).ok()?;
    Some(folder.join(NAME))
}

/// Reads the stored hashes; none if the file is missing, damaged, or of other rules.
fn read_hashes(file: &Path) -> Vec<[u8; HASH]> {
    let most = (HEADER + HASH * MAX_HASHES) as u64;
    // Another user could claim that a text has no secret.
    let bytes = agon_files::read_own(file, most).unwrap_or_default();
    let Some(stored) = bytes.strip_prefix(header().as_slice()) else {
        return Vec::new();
    };
    let (hashes, _) = stored.as_chunks::<HASH>();
    match hashes.is_sorted() {
        true => hashes.to_vec(),
        false => Vec::new(),
    }
}

fn header() -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(RULES_VERSION.bytes());
    bytes.resize(HEADER, 0);
    bytes
}

/// Parses a hash in hexadecimal.
fn parse(hash: &str) -> Option<[u8; HASH]> {
    blake3::Hash::from_hex(hash)
        .ok()
        .map(|hash| *hash.as_bytes())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn hash(text: &str) -> String {
        blake3::hash(text.as_bytes()).to_hex().to_string()
    }

    fn open(cache: &Path) -> CleanTexts {
        CleanTexts::open(Some(cache), Some(Path::new("/nowhere")))
    }

    fn stored(cache: &Path, texts: &[&str]) {
        let mut clean = open(cache);
        texts.iter().for_each(|text| clean.add(&hash(text)));
        clean.save();
    }

    #[test]
    fn added_texts_are_known_later_and_others_are_not() {
        let cache = tempfile::tempdir().unwrap();
        stored(cache.path(), &["a", "b"]);
        stored(cache.path(), &["c"]);
        let mut clean = open(cache.path());
        let known = ["a", "b", "c", "d"].map(|text| clean.contains(&hash(text)));
        assert_eq!(known, [true, true, true, false]);
        assert!(!clean.contains("no hash"));
    }

    #[test]
    fn texts_of_processes_at_the_same_time_are_both_stored_if_one_saves_after_the_other() {
        let cache = tempfile::tempdir().unwrap();
        let (mut first, mut second) = (open(cache.path()), open(cache.path()));
        first.add(&hash("a"));
        second.add(&hash("b"));
        first.save();
        second.save();
        let mut clean = open(cache.path());
        assert!(clean.contains(&hash("a")) && clean.contains(&hash("b")));
    }

    #[test]
    fn a_damaged_file_or_one_of_other_rules_is_empty() {
        let cache = tempfile::tempdir().unwrap();
        let file = cache.path().join("agon").join(NAME);
        let is_known = |change: &dyn Fn(&mut Vec<u8>)| {
            fs::remove_file(&file).unwrap_or_default();
            stored(cache.path(), &["a", "b"]);
            let mut bytes = fs::read(&file).unwrap();
            change(&mut bytes);
            fs::write(&file, bytes).unwrap();
            let mut clean = open(cache.path());
            clean.contains(&hash("a")) || clean.contains(&hash("b"))
        };
        assert!(is_known(&|_| {}));
        assert!(!is_known(&|bytes| bytes.clear()));
        assert!(!is_known(&|bytes| bytes.truncate(HEADER)));
        assert!(!is_known(&|bytes| bytes[MAGIC.len()] ^= 1), "other rules");
        assert!(!is_known(&|bytes| bytes[HEADER..].rotate_left(HASH)));
        assert!(!is_known(
            &|bytes| bytes.resize(HEADER + HASH * (MAX_HASHES + 1), 0)
        ));
    }

    #[test]
    fn the_number_of_texts_is_limited_and_those_of_this_debate_stay() {
        let cache = tempfile::tempdir().unwrap();
        let mut clean = open(cache.path());
        let mut bytes = header();
        for number in 0..MAX_HASHES {
            let mut hash = [0; HASH];
            hash[..8].copy_from_slice(&number.to_be_bytes());
            bytes.extend(hash);
        }
        let file = cache.path().join("agon").join(NAME);
        fs::write(&file, &bytes).unwrap();
        clean.add(&hash("a"));
        clean.save();
        assert_eq!(fs::metadata(&file).unwrap().len(), bytes.len() as u64);
        assert!(open(cache.path()).contains(&hash("a")));
    }

    #[test]
    fn a_place_in_the_project_or_of_others_is_not_used() {
        let cache = tempfile::tempdir().unwrap();
        let root = cache.path().canonicalize().unwrap();
        let mut clean = CleanTexts::open(Some(&root), Some(&root));
        clean.add(&hash("a"));
        clean.save();
        assert!(!root.join("agon").exists());
        stored(&root, &["a"]);
        assert!(open(&root).contains(&hash("a")));
        let open_to_all = fs::Permissions::from_mode(0o777);
        fs::set_permissions(root.join("agon"), open_to_all).unwrap();
        assert!(!open(&root).contains(&hash("a")));
    }
}
