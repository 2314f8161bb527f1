//! How much each sign counts.

use crate::document::SkillField;

/// How much each sign counts. The default is what is used; others are for measuring what a sign
/// brings.
///
/// The weights of fields are priors, near those that are common for BM25F: a word counts the more,
/// the more its author meant it as a sign. The rest is set by requests that people have labelled.
/// A score does not depend on how many documents there are, since the rarity of a word is taken in
/// parts of that of a word which none of them has.
#[derive(Clone, Debug, PartialEq)]
pub struct SignWeights {
    /// What a word in each field counts, in the order of [`SkillField::ALL`].
    pub fields: [f64; 5],
    /// How far the length of each field counts, from 0 to 1, in the order of [`SkillField::ALL`].
    pub lengths: [f64; 5],
    /// How soon more of one word counts no more.
    pub saturation: f64,
    /// What the best phrase that calls for the skill adds.
    pub phrase: f64,
    /// The part of its value that a second phrase adds.
    pub second_phrase: f64,
    /// The part of [`Self::phrase`] that the phrase's words with others between them add.
    pub loose_phrase: f64,
    /// The part of [`Self::phrase`] that a phrase with one word adds: it says little.
    pub single_word: f64,
    /// What is left of words and phrases where the skill has example requests, which say more.
    pub beside_examples: f64,
    /// What example requests take away for a request that surely belongs to none.
    pub ordinary: f64,
    /// What the name of the skill in the request adds.
    pub name: f64,
    /// What example requests add for a request that surely belongs to the skill.
    pub examples: f64,
    /// What a counter-phrase takes away.
    pub counter_phrase: f64,
    /// What is taken away where the request begins with the verb of an errand, such as `rename`.
    pub errand: f64,
    /// How far words that the document does not have make its score less, from 0 to 1.
    pub coverage: f64,
    /// The least score of a candidate.
    pub threshold: f64,
    /// The least part of the best score that a further candidate has.
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
    pub(crate) fn field(&self, field: SkillField) -> f64 {
        self.fields.get(field as usize).copied().unwrap_or_default()
    }

    pub(crate) fn length(&self, field: SkillField) -> f64 {
        let length = self.lengths.get(field as usize);
        length.copied().unwrap_or_default()
    }
}
