//! Weights of the signs.

use crate::document::SkillField;

/// Weights of the signs in a [`Score`](crate::Score).
///
/// The default is what Agon uses. Other weights are for measuring what a sign contributes. Points have
/// no unit: they are comparable with each other and with [`Self::threshold`]. All weights are finite
/// and at least 0.
///
/// The weights of fields are priors, close to common values for BM25F: a word counts more if its author
/// meant it as a sign. The others were tuned on labelled requests. A score does not depend on the
/// number of documents, since the rarity of a word is relative to that of a word that no document has.
#[derive(Clone, Debug, PartialEq)]
pub struct SignWeights {
    /// Factor of the frequency of a word in each field, in the order of [`SkillField::ALL`].
    pub fields: [f64; 5],
    /// How much the length of each field lowers the frequency of its words, from 0 (not at all) to 1
    /// (in proportion), in the order of [`SkillField::ALL`]. It is `b` of BM25F.
    pub lengths: [f64; 5],
    /// The weighted frequency at which a word has half of its maximum. It is `k1` of BM25F; above 0.
    pub saturation: f64,
    /// Points that the best phrase adds.
    pub phrase: f64,
    /// Factor of a second phrase, from 0 to 1. Further ones add nothing.
    pub second_phrase: f64,
    /// Factor of a phrase whose words have others between them, from 0 to 1.
    pub loose_phrase: f64,
    /// Factor of a phrase of one word within a longer request, from 0 to 1.
    pub single_word: f64,
    /// Factor of words and phrases if the skill has example requests, from 0 to 1, because examples are
    /// more telling.
    pub beside_examples: f64,
    /// Points that example requests take away at a probability of 1 that the request calls for no
    /// skill; in proportion below it.
    pub ordinary: f64,
    /// Points that the name of the skill adds.
    pub name: f64,
    /// Points that example requests add at a probability of 1 that the request calls for the skill; in
    /// proportion below it.
    pub examples: f64,
    /// Points that a counter-phrase takes away.
    pub counter_phrase: f64,
    /// Points that are taken away if the request begins with the verb of an errand, such as `rename`.
    pub errand: f64,
    /// Share of the points of words that a document would lose without any word of the request, from 0 to
    /// 1; in proportion to the missing words.
    pub coverage: f64,
    /// Minimum score of a candidate, in points.
    pub threshold: f64,
    /// Minimum score of a further candidate, as a share of the best score, from 0 to 1.
    pub nearness: f64,
}

impl Default for SignWeights {
    fn default() -> Self {
        Self {
            fields: [4.0, 3.0, 2.0, 1.0, 0.3],
            lengths: [0.5, 0.3, 0.5, 0.3, 0.7],
            saturation: 2.0,
            phrase: 1.5,
            second_phrase: 0.5,
            loose_phrase: 0.6,
            single_word: 0.2,
            name: 1.5,
            examples: 1.35,
            ordinary: 0.7,
            beside_examples: 0.4,
            counter_phrase: 2.0,
            errand: 1.5,
            coverage: 0.3,
            threshold: 0.75,
            nearness: 0.75,
        }
    }
}

impl SignWeights {
    /// Returns the factor of a word in `field`.
    pub(crate) fn field(&self, field: SkillField) -> f64 {
        self.fields.get(field as usize).copied().unwrap_or_default()
    }

    /// Returns how much the length of `field` counts, from 0 to 1.
    pub(crate) fn length(&self, field: SkillField) -> f64 {
        let length = self.lengths.get(field as usize);
        length.copied().unwrap_or_default()
    }
}
