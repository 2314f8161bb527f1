//! The word lists of moves: the form in replies and the form for people.

use super::{
    AnswerComparison, Category, Grade, ObjectionKind, ObjectionSeverity, ReplyKind, RulingKind,
    Side,
};

/// A word of a fixed list.
#[derive(Debug, PartialEq, Eq)]
pub struct ChoiceWord {
    /// The word in files and replies, such as `tradeoff`.
    pub word: &'static str,
    /// The word in a sentence for people, such as `trade-off`.
    pub label: &'static str,
}

/// An enumeration whose variants are written as words.
pub trait Choose: Copy + 'static {
    /// The words, in the order of the variants.
    const CHOICES: &'static [ChoiceWord];

    /// Returns the index of the variant in `CHOICES`.
    fn variant_index(self) -> usize;

    /// Returns the word of the variant.
    fn choice(self) -> &'static ChoiceWord {
        &Self::CHOICES[self.variant_index()]
    }

    /// Returns the word in files and replies.
    fn word(self) -> &'static str {
        self.choice().word
    }

    /// Returns the word in a sentence for people.
    fn label(self) -> &'static str {
        self.choice().label
    }
}

/// Creates a word that is the same for people and in replies.
pub(super) const fn choice_word(word: &'static str) -> ChoiceWord {
    labelled_choice_word(word, word)
}

/// Creates a word with a different form for people.
pub(super) const fn labelled_choice_word(word: &'static str, label: &'static str) -> ChoiceWord {
    ChoiceWord { word, label }
}

impl Choose for Category {
    const CHOICES: &'static [ChoiceWord] = &[
        choice_word("correctness"),
        choice_word("security"),
        labelled_choice_word("developer_experience", "developer experience"),
        choice_word("performance"),
        choice_word("cost"),
        choice_word("practicality"),
        choice_word("fairness"),
        choice_word("other"),
    ];

    fn variant_index(self) -> usize {
        self as usize
    }
}

impl Choose for ObjectionSeverity {
    const CHOICES: &'static [ChoiceWord] = &[
        choice_word("minor"),
        choice_word("major"),
        choice_word("blocker"),
    ];

    fn variant_index(self) -> usize {
        self as usize
    }
}

impl Choose for ObjectionKind {
    const CHOICES: &'static [ChoiceWord] = &[
        labelled_choice_word("claim", "its claim is wrong"),
        labelled_choice_word("grounds", "its grounds do not hold"),
        labelled_choice_word("warrant", "its grounds do not support the claim"),
        labelled_choice_word("backing", "its warrant has no backing"),
        labelled_choice_word("unsupported", "nothing supports it"),
    ];

    fn variant_index(self) -> usize {
        self as usize
    }
}

impl Choose for ReplyKind {
    const CHOICES: &'static [ChoiceWord] = &[
        labelled_choice_word("concede", "concedes"),
        labelled_choice_word("rebut", "rebuts"),
        labelled_choice_word("tradeoff", "trade-off"),
        labelled_choice_word("unsupported", "calls unsupported"),
    ];

    fn variant_index(self) -> usize {
        self as usize
    }
}

impl Choose for RulingKind {
    const CHOICES: &'static [ChoiceWord] = &[
        choice_word("resolved"),
        choice_word("sustained"),
        choice_word("dodged"),
        choice_word("unsupported"),
        choice_word("reframed"),
    ];

    fn variant_index(self) -> usize {
        self as usize
    }
}

impl Choose for Side {
    const CHOICES: &'static [ChoiceWord] = &[choice_word("proposer"), choice_word("challenger")];

    fn variant_index(self) -> usize {
        self as usize
    }
}

impl Choose for AnswerComparison {
    const CHOICES: &'static [ChoiceWord] = &[choice_word("same"), choice_word("different")];

    fn variant_index(self) -> usize {
        self as usize
    }
}

impl Choose for Grade {
    const CHOICES: &'static [ChoiceWord] = &[
        choice_word("high"),
        choice_word("medium"),
        choice_word("low"),
    ];

    fn variant_index(self) -> usize {
        self as usize
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::super::{AttackKind, DefenseKind};
    use super::*;

    /// Checks that each word is read as the variant at its index.
    fn each_is_read<T: Choose + for<'a> Deserialize<'a>>() -> Vec<usize> {
        let words = T::CHOICES.iter();
        words
            .map(|choice| {
                let read: T = serde_json::from_value(json!(choice.word)).unwrap();
                read.variant_index()
            })
            .collect()
    }

    #[test]
    fn each_word_is_that_of_the_variant_at_its_place() {
        assert_eq!(each_is_read::<Category>(), [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(each_is_read::<AnswerComparison>(), [0, 1]);
        assert_eq!(each_is_read::<ObjectionSeverity>(), [0, 1, 2]);
        assert_eq!(each_is_read::<ObjectionKind>(), [0, 1, 2, 3, 4]);
        assert_eq!(each_is_read::<ReplyKind>(), [0, 1, 2, 3]);
        assert_eq!(each_is_read::<RulingKind>(), [0, 1, 2, 3, 4]);
        assert_eq!(each_is_read::<Side>(), [0, 1]);
        assert_eq!(each_is_read::<Grade>(), [0, 1, 2]);
        assert_eq!(each_is_read::<AttackKind>(), [0, 1, 2, 3]);
        assert_eq!(each_is_read::<DefenseKind>(), [0, 1, 2]);
    }
}
