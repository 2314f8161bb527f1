//! Which skill a request belongs to by example requests, in any language.
//!
//! Multinomial naive Bayes over words and parts of words, weighted by TF-IDF: J. Rennie, L. Shih,
//! J. Teevan and D. Karger, "Tackling the Poor Assumptions of Naive Bayes Text Classifiers", ICML
//! 2003. Parts of words make inflected and compound forms alike in every language that Agon has
//! examples of, so it needs neither a stemmer for each nor a model to download.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use self::features::features;

mod features;

// 0.02 and 0.1 both give lower figures in a cross-validation of our own examples.
/// What is added to each count, so that an unseen feature rules no label out.
const SMOOTHING: f64 = 0.05;

// A request's features are normalised to length 1, which makes the plain posterior too flat.
/// How far evidence counts.
const SHARPNESS: f64 = 2.0;

// At 0 a request of which one word is known is as certain as one that is known in full.
/// How much of its weight an unknown feature keeps from the known ones.
const UNKNOWN: f64 = 0.5;

/// What was learned from example requests.
#[derive(Clone, Debug)]
pub(crate) struct ExampleModel {
    /// The log-likelihood of a feature that no example of a label has, by label.
    unseen: Vec<f64>,
    /// The place of each feature by its hash.
    places: PlaceTable,
    /// The rarity of each feature, by its place.
    rarities: Vec<f64>,
    /// Where the gains of each feature begin, by its place; those of the next one end them.
    starts: Vec<usize>,
    /// Labels, each with what a feature adds to the log-likelihood of the label.
    gains: Vec<(u32, f64)>,
    /// The rarity of a feature that no example has.
    unknown_rarity: f64,
}

type PlaceTable = HashMap<u64, u32, BuildHasherDefault<KeptHash>>;

// Hashing a hash again takes half of the time of learning.
/// Keeps a key that already is a hash.
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

/// The place of a feature that no example has.
const UNPLACED: u32 = u32::MAX;

/// A feature of a text by its place, and how often it occurs.
type Placed = (u32, u32);

/// The features of all examples.
#[derive(Default)]
struct Examples {
    placed: Vec<Placed>,
    /// The label of each example, and where its two groups of features end.
    ends: Vec<(u32, [usize; 2])>,
}

impl Examples {
    /// The label of each example, and its features in two groups.
    fn iter(&self) -> impl Iterator<Item = (u32, [&[Placed]; 2])> {
        let mut from = 0;
        self.ends.iter().map(move |(label, [middle, end])| {
            let group = |from: usize, to: usize| self.placed.get(from..to).unwrap_or_default();
            let groups = [group(from, *middle), group(*middle, *end)];
            from = *end;
            (*label, groups)
        })
    }
}

impl ExampleModel {
    /// Learns from the example requests of each label.
    pub(crate) fn new(labels: &[Vec<&str>]) -> Self {
        let mut places = PlaceTable::default();
        let mut having: Vec<f64> = Vec::new();
        let mut examples = Examples::default();
        for (label, texts) in (0u32..).zip(labels) {
            for text in texts {
                let ends = features(text).map(|group| {
                    for (hash, count) in group {
                        let next = u32::try_from(having.len()).unwrap_or(UNPLACED);
                        let place = *places.entry(hash).or_insert(next);
                        match having.get_mut(place as usize) {
                            Some(having) => *having += 1.0,
                            None => having.push(1.0),
                        }
                        examples.placed.push((place, count));
                    }
                    examples.placed.len()
                });
                examples.ends.push((label, ends));
            }
        }
        let count = examples.ends.len() as f64;
        let rarity = |having: f64| ((1.0 + count) / (1.0 + having)).ln() + 1.0;
        let mut model = Self {
            unseen: Vec::new(),
            places,
            rarities: having.into_iter().map(rarity).collect(),
            starts: Vec::new(),
            gains: Vec::new(),
            unknown_rarity: rarity(0.0),
        };
        model.count(&examples, labels.len());
        model
    }

    /// Sums up the weights of the features in the examples of each label, and smooths the sums.
    fn count(&mut self, examples: &Examples, labels: usize) {
        self.lay_out(examples);
        let mut totals = vec![0.0; labels];
        // The end of the gains of each feature so far.
        let mut ends = self.starts.clone();
        let mut weighed = Vec::new();
        for (label, groups) in examples.iter() {
            self.weigh(groups, &mut weighed);
            for (place, weight) in &weighed {
                if let Some(total) = totals.get_mut(label as usize) {
                    *total += weight;
                }
                let (Some(start), Some(end)) = (self.starts.get(*place), ends.get_mut(*place))
                else {
                    continue;
                };
                // The examples of a label follow one another.
                let last = end.checked_sub(1).filter(|last| last >= start);
                let last = last.and_then(|at| self.gains.get_mut(at));
                if let Some((_, sum)) = last.filter(|(last, _)| *last == label) {
                    *sum += weight;
                } else if let Some(gain) = self.gains.get_mut(*end) {
                    *gain = (label, *weight);
                    *end += 1;
                }
            }
        }
        let count = self.rarities.len() as f64;
        let unseen = |total: f64| (SMOOTHING / (total + SMOOTHING * count)).ln();
        self.unseen = totals.into_iter().map(unseen).collect();
        for (_, sum) in &mut self.gains {
            *sum = (1.0 + *sum / SMOOTHING).ln();
        }
    }

    /// Makes room for the gains of each feature: one for each label whose examples have it.
    fn lay_out(&mut self, examples: &Examples) {
        let mut last = vec![u32::MAX; self.rarities.len()];
        let mut counts = vec![0; self.rarities.len()];
        for (label, groups) in examples.iter() {
            for (place, _) in groups.into_iter().flatten() {
                let place = *place as usize;
                if let (Some(last), Some(count)) = (last.get_mut(place), counts.get_mut(place))
                    && *last != label
                {
                    *last = label;
                    *count += 1;
                }
            }
        }
        let mut all = 0;
        self.starts = vec![0];
        self.starts.extend(counts.into_iter().map(|count: usize| {
            all += count;
            all
        }));
        self.gains = vec![(0, 0.0); all];
    }

    /// How likely it is that `request` belongs to each label, from 0 to 1: together 1, and 0 for all
    /// where the request has no known feature.
    pub(crate) fn likelihoods(&self, request: &str) -> Vec<f64> {
        let placed = features(request).map(|group| -> Vec<Placed> {
            let place = |(hash, count)| {
                let place = self.places.get(&hash).copied();
                (place.unwrap_or(UNPLACED), count)
            };
            group.into_iter().map(place).collect()
        });
        let mut sums = vec![0.0; self.unseen.len()];
        let mut weighed = Vec::new();
        self.weigh(placed.each_ref().map(Vec::as_slice), &mut weighed);
        if weighed.is_empty() {
            return sums;
        }
        for (place, weight) in weighed {
            for (sum, unseen) in sums.iter_mut().zip(&self.unseen) {
                *sum += weight * unseen;
            }
            for (label, gain) in self.gains_of(place) {
                if let Some(sum) = sums.get_mut(*label as usize) {
                    *sum += weight * gain;
                }
            }
        }
        let best = sums.iter().copied().fold(f64::MIN, f64::max);
        for sum in &mut sums {
            *sum = (SHARPNESS * (*sum - best)).exp();
        }
        let all: f64 = sums.iter().sum();
        sums.into_iter().map(|sum| sum / all).collect()
    }

    /// The labels whose examples have the feature at `place`, each with what it adds.
    fn gains_of(&self, place: usize) -> &[(u32, f64)] {
        let ends = self.starts.get(place).zip(self.starts.get(place + 1));
        let gains = ends.and_then(|(start, end)| self.gains.get(*start..*end));
        gains.unwrap_or_default()
    }

    /// Puts the features that are known into `weighed`, each with its weight. Both groups weigh the
    /// same.
    fn weigh(&self, groups: [&[Placed]; 2], weighed: &mut Vec<(usize, f64)>) {
        weighed.clear();
        for group in groups {
            let mut square = 0.0;
            let from = weighed.len();
            for (place, count) in group {
                let often = match count {
                    1 => 1.0,
                    count => 1.0 + f64::from(*count).ln(),
                };
                let place = *place as usize;
                match self.rarities.get(place) {
                    Some(rarity) => {
                        let weight = often * rarity;
                        square += weight * weight;
                        weighed.push((place, weight));
                    }
                    None => square += UNKNOWN * (often * self.unknown_rarity).powi(2),
                }
            }
            let length = square.sqrt();
            for (_, weight) in weighed.iter_mut().skip(from) {
                *weight /= length;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model() -> ExampleModel {
        ExampleModel::new(&[
            vec![
                "rename the function",
                "Benenne die Funktion um",
                "给表加一列",
            ],
            vec![
                "find out why it crashes",
                "Warum stürzt der Server ab",
                "服务器为什么崩溃",
            ],
            vec![
                "review my changes",
                "Schau über meine Änderungen",
                "看一下我的改动",
            ],
        ])
    }

    fn best(request: &str) -> usize {
        let likelihoods = model().likelihoods(request);
        let best = likelihoods.iter().copied().fold(0.0, f64::max);
        likelihoods.iter().position(|it| *it == best).unwrap()
    }

    #[test]
    fn other_forms_of_the_words_of_an_example_belong_to_its_label() {
        assert_eq!(best("Why is it crashing at night?"), 1);
        assert_eq!(best("Der Dienst ist abgestürzt"), 1);
        assert_eq!(best("程序又崩溃了"), 1);
        assert_eq!(best("Could somebody look over this change?"), 2);
        assert_eq!(best("Umbenennen der Funktionen"), 0);
    }

    #[test]
    fn likelihoods_add_up_to_one_and_nothing_known_gives_none() {
        let sum: f64 = model().likelihoods("review the server").iter().sum();
        assert!((sum - 1.0).abs() < 1e-9, "{sum}");
        assert_eq!(model().likelihoods("?!"), [0.0; 3]);
        assert_eq!(model().likelihoods("жжж"), [0.0; 3]);
    }

    #[test]
    fn unknown_words_make_a_request_less_certain() {
        let top = |request: &str| model().likelihoods(request).into_iter().fold(0.0, f64::max);
        assert!(top("review my changes") > top("review zzzz qqqq xxxx wwww vvvv my changes"));
    }
}
