//! The features by which a request is compared with examples.

use crate::words::{is_ideograph, runs};

/// Features by hash, in ascending order, each with its number of occurrences in the text.
type FeatureGroup = Vec<(u64, u32)>;

/// The features of a text in two groups: its words, and the parts of its words.
#[derive(Clone, Debug)]
pub(super) struct TextFeatures {
    pub(super) groups: [FeatureGroup; 2],
}

impl TextFeatures {
    /// Returns the number of words; in Chinese and Japanese, of pairs of adjacent characters.
    pub(super) fn words(&self) -> u32 {
        let [words, _] = &self.groups;
        words.iter().map(|(_, count)| count).sum()
    }
}

/// Lengths of the parts of a word, in characters.
const PART_LENGTHS: [usize; 3] = [2, 3, 4];

/// Returns the features of `text`. In a script without blanks, pairs of characters are the words,
/// and single characters and pairs the parts.
pub(super) fn features(text: &str) -> TextFeatures {
    let mut words = Vec::new();
    let mut parts = Vec::with_capacity(PART_LENGTHS.len() * text.len());
    let mut marked = Vec::new();
    for run in runs(text) {
        // Mark the ends of the word, because `re-` at the start is more telling than `re` inside.
        marked.clear();
        marked.push('^');
        marked.extend(run.text.chars());
        marked.push('$');
        let Some(run) = marked.get(1..marked.len() - 1) else {
            continue;
        };
        if run.first().copied().is_some_and(is_ideograph) {
            words.extend(run.windows(2.min(run.len())).map(|it| hash(b'w', it)));
            for length in [1, 2] {
                parts.extend(run.windows(length).map(|it| hash(b'i', it)));
            }
            continue;
        }
        words.push(hash(b'w', run));
        for length in PART_LENGTHS {
            parts.extend(marked.windows(length).map(|it| hash(b'p', it)));
        }
    }
    TextFeatures {
        groups: [count(words), count(parts)],
    }
}

fn count(mut hashes: Vec<u64>) -> FeatureGroup {
    hashes.sort_unstable();
    let mut group = Vec::with_capacity(hashes.len());
    let runs = hashes.chunk_by(|one, other| one == other);
    group.extend(runs.filter_map(|run| Some((*run.first()?, u32::try_from(run.len()).ok()?))));
    group
}

/// Returns the hash of a feature, which is the same on every machine: one multiplication per character,
/// then the finalizer of MurmurHash3 by A. Appleby, because the hash map uses the value unchanged.
fn hash(kind: u8, text: &[char]) -> u64 {
    let mix = |hash: u64, with: u32| {
        (hash.rotate_left(5) ^ u64::from(with)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    };
    let kind = mix(0, kind.into());
    let hash = text.iter().fold(kind, |hash, c| mix(hash, u32::from(*c)));
    let hash = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash ^ (hash >> 33)
}
