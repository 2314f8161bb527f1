//! Finds the files of a source that contain given words.

use std::collections::HashMap;

use crate::decode::decode;
use crate::manifest::FileKind;
use crate::source::Source;

// Chosen, not measured: a quarter of a source's maximum (`PinLimits::bytes`). Text beyond it is not
// searched for words that a cited file lacks. A higher limit would slow down the first search of a
// large source.
/// Maximum number of bytes that are indexed.
const MAX_BYTES: u64 = 256 << 20;

/// The files of a source by the words in them.
#[derive(Debug, Default)]
pub(crate) struct Index<'a> {
    paths: Vec<&'a str>,
    /// The numbers of the files that contain a word, ascending, by the hash of the word in lower
    /// case.
    files: HashMap<u32, Vec<u32>>,
}

impl<'a> Index<'a> {
    /// Builds the index, reading every text of the source once.
    pub(crate) fn new(source: &'a Source) -> Self {
        let mut index = Self::default();
        let mut read = 0;
        for (path, entry) in &source.manifest().entries {
            if entry.kind != FileKind::Text {
                continue;
            }
            let Ok(bytes) = source.text_bytes(path, entry) else {
                continue;
            };
            read += entry.bytes;
            if read > MAX_BYTES {
                break;
            }
            index.add_file(path, &decode(&bytes).text);
        }
        index
    }

    fn add_file(&mut self, path: &'a str, text: &str) {
        let number = u32::try_from(self.paths.len()).unwrap_or(u32::MAX);
        self.paths.push(path);
        for word in text.split(|c: char| !c.is_alphanumeric()) {
            if word.is_empty() {
                continue;
            }
            let files = self.files.entry(hash(word)).or_default();
            if files.last() != Some(&number) {
                files.push(number);
            }
        }
    }

    /// Returns the files that may contain all the words, sorted by path; none if `words` is empty.
    pub(crate) fn files_with_words(&self, words: &[String]) -> Vec<&'a str> {
        let mut lists: Vec<&[u32]> = Vec::new();
        for word in words {
            match self.files.get(&hash(word)) {
                Some(list) => lists.push(list),
                None => return Vec::new(),
            }
        }
        lists.sort_unstable_by_key(|list| list.len());
        let Some((fewest, others)) = lists.split_first() else {
            return Vec::new();
        };
        let in_all = |file: &&u32| others.iter().all(|list| list.binary_search(file).is_ok());
        let files = fewest.iter().filter(in_all);
        files
            .filter_map(|file| self.paths.get(*file as usize).copied())
            .collect()
    }
}

/// Hashes a word in lower case. A collision only causes an unnecessary read.
fn hash(word: &str) -> u32 {
    let step = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    if word.is_ascii() {
        let small = word.bytes().map(|byte| byte.to_ascii_lowercase());
        return small.fold(0x811c_9dc5, step);
    }
    word.to_lowercase().bytes().fold(0x811c_9dc5, step)
}
