//! Finds the files of a source that contain given words.

use std::collections::HashMap;
use std::sync::Arc;

use crate::decode::decode;

// Chosen, not measured: a quarter of a source's maximum (`PinLimits::bytes`). Text beyond it is not
// searched for words that a cited file lacks. A higher limit would slow down the first search of a
// large source.
/// Maximum number of bytes that are indexed.
const MAX_BYTES: u64 = 256 << 20;

/// The files of a source by the words in them.
#[derive(Debug, Default)]
pub(crate) struct Index {
    paths: Vec<String>,
    /// The numbers of the files that contain a word, ascending, by the hash of the word in lower
    /// case.
    files: HashMap<u32, Vec<u32>>,
    /// Whether every text was available, up to the maximum.
    complete: bool,
}

impl Index {
    /// Builds the index of texts, by path; a text is `None` if it is not available.
    pub(crate) fn new<'a>(texts: impl Iterator<Item = (&'a str, Option<Arc<[u8]>>)>) -> Self {
        let mut index = Self {
            complete: true,
            ..Self::default()
        };
        let mut read = 0;
        for (path, bytes) in texts {
            let Some(bytes) = bytes else {
                index.complete = false;
                continue;
            };
            read += bytes.len() as u64;
            if read > MAX_BYTES {
                break;
            }
            index.add_file(path, &decode(&bytes).text);
        }
        index
    }

    /// Returns whether every text of the source was available, so that another index of the same
    /// source would be equal.
    pub(crate) fn is_complete(&self) -> bool {
        self.complete
    }

    fn add_file(&mut self, path: &str, text: &str) {
        let number = u32::try_from(self.paths.len()).unwrap_or(u32::MAX);
        self.paths.push(path.to_owned());
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
    pub(crate) fn files_with_words(&self, words: &[String]) -> Vec<&str> {
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
            .filter_map(|file| self.paths.get(*file as usize).map(String::as_str))
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
