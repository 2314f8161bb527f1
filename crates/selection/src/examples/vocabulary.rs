//! The features of all examples, and their weights in a text.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::features::TextFeatures;

// At 0, a request with one known word would be as certain as one whose words are all known.
/// Share of its square that an unknown feature adds to the length of a text.
const UNKNOWN: f64 = 0.5;

/// The features of all examples, each with its index (in the order of first use) and its rarity.
#[derive(Clone, Debug, Default)]
pub(super) struct Vocabulary {
    places: HashMap<u64, usize, BuildHasherDefault<KeptHash>>,
    /// Inverse document frequency of each feature, by index: `ln((1 + n) / (1 + having)) + 1`
    /// for `n` examples of which `having` have the feature; at least 1.
    rarities: Vec<f64>,
    /// The rarity of a feature that no example has.
    unknown_rarity: f64,
}

impl Vocabulary {
    /// Collects the features of these texts.
    pub(super) fn new<'a>(texts: impl ExactSizeIterator<Item = &'a TextFeatures>) -> Self {
        let count = texts.len() as f64;
        let rarity = |having: f64| ((1.0 + count) / (1.0 + having)).ln() + 1.0;
        let mut vocabulary = Self {
            unknown_rarity: rarity(0.0),
            ..Self::default()
        };
        let mut having: Vec<f64> = Vec::new();
        for (hash, _) in texts.flat_map(|text| &text.groups).flatten() {
            let place = *vocabulary.places.entry(*hash).or_insert(having.len());
            match having.get_mut(place) {
                Some(having) => *having += 1.0,
                None => having.push(1.0),
            }
        }
        vocabulary.rarities = having.into_iter().map(rarity).collect();
        vocabulary
    }

    /// Returns the number of features.
    pub(super) fn len(&self) -> usize {
        self.rarities.len()
    }

    /// Returns the known features of `text` by index, each with its weight: the logarithm of
    /// its frequency times its rarity. Each group of features is scaled to length 1, so that words
    /// and parts of words count the same.
    pub(super) fn weigh(&self, text: &TextFeatures) -> Vec<(usize, f64)> {
        let mut weighed = Vec::new();
        for group in &text.groups {
            let first = weighed.len();
            let mut square = 0.0;
            for (hash, count) in group {
                let frequency = 1.0 + f64::from(*count).ln();
                let place = self.places.get(hash).copied();
                match place.and_then(|place| Some((place, self.rarities.get(place)?))) {
                    Some((place, rarity)) => {
                        let weight = frequency * rarity;
                        square += weight * weight;
                        weighed.push((place, weight));
                    }
                    None => square += UNKNOWN * (frequency * self.unknown_rarity).powi(2),
                }
            }
            let length = square.sqrt();
            for (_, weight) in weighed.iter_mut().skip(first) {
                *weight /= length;
            }
        }
        weighed
    }
}

// The keys already are hashes; hashing them again would take half of the learning time.
/// A hasher for keys that already are hashes.
#[derive(Clone, Copy, Debug, Default)]
struct KeptHash(u64);

impl Hasher for KeptHash {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64((*byte).into()));
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = self.0.rotate_left(8) ^ hash;
    }
}

#[cfg(test)]
mod tests {
    use super::super::features::features;
    use super::*;

    fn weights(request: &str) -> Vec<f64> {
        let texts = ["red ball", "red cube"].map(features);
        let vocabulary = Vocabulary::new(texts.iter());
        let weighed = vocabulary.weigh(&features(request));
        weighed.into_iter().map(|(_, weight)| weight).collect()
    }

    #[test]
    fn both_groups_of_features_have_length_one_where_all_are_known() {
        let square: f64 = weights("red ball").iter().map(|it| it * it).sum();
        assert!((square - 2.0).abs() < 1e-9, "{square}");
        let square: f64 = weights("red moon").iter().map(|it| it * it).sum();
        assert!(square < 2.0, "{square}");
    }

    #[test]
    fn a_feature_that_fewer_examples_have_weighs_more() {
        let vocabulary = Vocabulary::new(["red ball", "red cube"].map(features).iter());
        let first_weight = |text: &str| {
            let both = features(&format!("{text} moon"));
            vocabulary.weigh(&both).first().map(|(_, weight)| *weight)
        };
        assert!(first_weight("ball") > first_weight("red"));
    }
}
