//! Learns from example requests, in any language, which skill a request belongs to.
//!
//! Multinomial naive Bayes over words and parts of words. Frequencies are weighted as in sections 4.1
//! to 4.3 of J. Rennie, L. Shih, J. Teevan and D. Karger, "Tackling the Poor Assumptions of Naive
//! Bayes Text Classifiers", ICML 2003: by their logarithm, by inverse document frequency, and scaled
//! to the same length for each text. Their complement classes (section 3) are not used. Parts of
//! words match inflected and compound forms in every language that has examples, so there is neither
//! a stemmer for each language nor a model to download.

use self::features::features;
use self::vocabulary::Vocabulary;

mod features;
mod vocabulary;

// 0.02 and 0.1 both score lower in a cross-validation of our own examples.
/// Added to each weight, so that an unseen feature does not exclude a label.
const SMOOTHING: f64 = 0.05;

// Scaling a request's features to length 1 makes the probabilities too even; this corrects it.
/// Factor of a request's log-likelihood.
const SHARPNESS: f64 = 2.0;

// Without this, "ok" and "restart the server" would be classified as confidently as a request of
// twenty words.
/// Number of words from which a request counts in full; a shorter one counts in proportion.
const FULL_LENGTH: f64 = 9.0;

/// A model learned from the example requests of each label.
#[derive(Clone, Debug)]
pub(crate) struct ExampleModel {
    vocabulary: Vocabulary,
    /// Log-likelihood of a feature that no example of the label has, by label.
    unseen: Vec<f64>,
    /// For each feature: the labels whose examples have it, each with the gain in log-likelihood over
    /// [`Self::unseen`].
    gains: Vec<Vec<(usize, f64)>>,
}

impl ExampleModel {
    /// Learns from the example requests of each label.
    pub(crate) fn new(labels: &[Vec<&str>]) -> Self {
        let texts = labels.iter().enumerate();
        let texts = texts.flat_map(|(label, texts)| texts.iter().map(move |text| (label, text)));
        let examples: Vec<_> = texts.map(|(label, text)| (label, features(text))).collect();
        let vocabulary = Vocabulary::new(examples.iter().map(|(_, features)| features));
        let mut totals = vec![0.0; labels.len()];
        let mut gains: Vec<Vec<(usize, f64)>> = vec![Vec::new(); vocabulary.len()];
        for (label, features) in &examples {
            for (place, weight) in vocabulary.weigh(features) {
                if let Some(total) = totals.get_mut(*label) {
                    *total += weight;
                }
                let Some(gains) = gains.get_mut(place) else {
                    continue;
                };
                // The examples of a label are consecutive, so only the last entry can be of this
                // label.
                match gains.last_mut() {
                    Some((last, sum)) if last == label => *sum += weight,
                    _ => gains.push((*label, weight)),
                }
            }
        }
        let count = vocabulary.len() as f64;
        let unseen = |total: f64| (SMOOTHING / (total + SMOOTHING * count)).ln();
        for (_, sum) in gains.iter_mut().flatten() {
            *sum = (1.0 + *sum / SMOOTHING).ln();
        }
        Self {
            unseen: totals.into_iter().map(unseen).collect(),
            vocabulary,
            gains,
        }
    }

    /// Returns for each label the probability, from 0 to 1, that `request` belongs to it, reduced in
    /// proportion if the request is shorter than [`FULL_LENGTH`]. All are 0 if no feature is known.
    pub(crate) fn likelihoods(&self, request: &str) -> Vec<f64> {
        let features = features(request);
        let weighed = self.vocabulary.weigh(&features);
        if weighed.is_empty() {
            return vec![0.0; self.unseen.len()];
        }
        let weight: f64 = weighed.iter().map(|(_, weight)| weight).sum();
        let mut sums: Vec<f64> = self.unseen.iter().map(|unseen| weight * unseen).collect();
        for (place, weight) in weighed {
            for (label, gain) in self.gains.get(place).into_iter().flatten() {
                if let Some(sum) = sums.get_mut(*label) {
                    *sum += weight * gain;
                }
            }
        }
        let best = sums.iter().copied().fold(f64::MIN, f64::max);
        for sum in &mut sums {
            *sum = (SHARPNESS * (*sum - best)).exp();
        }
        let all: f64 = sums.iter().sum();
        let length = (f64::from(features.words()) / FULL_LENGTH).min(1.0);
        sums.into_iter().map(|sum| length * sum / all).collect()
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

    fn sum(request: &str) -> f64 {
        model().likelihoods(request).iter().sum()
    }

    #[test]
    fn likelihoods_add_up_to_one_and_nothing_known_gives_none() {
        let sum = sum("please review the server and say why it crashes");
        assert!((sum - 1.0).abs() < 1e-9, "{sum}");
        assert_eq!(model().likelihoods("?!"), [0.0; 3]);
        assert_eq!(model().likelihoods("жжж"), [0.0; 3]);
    }

    #[test]
    fn a_short_request_counts_in_proportion_to_its_words() {
        let (one, two) = (sum("review"), sum("review changes"));
        assert!((one - 1.0 / FULL_LENGTH).abs() < 1e-9, "{one}");
        assert!((two - 2.0 / FULL_LENGTH).abs() < 1e-9, "{two}");
        let pairs = sum("看一下我");
        assert!((pairs - 3.0 / FULL_LENGTH).abs() < 1e-9, "{pairs}");
    }

    #[test]
    fn unknown_words_make_a_request_less_certain() {
        let top = |request: &str| model().likelihoods(request).into_iter().fold(0.0, f64::max);
        let known = "review my changes and then my other changes again";
        assert!(top(known) > top(&format!("{known} zzzz qqqq xxxx wwww vvvv")));
    }
}
