//! The words that moves choose from: how a reply writes each, and how people read it.

use super::{Category, Grade, ObjectionKind, ObjectionSeverity, ReplyKind, RulingKind, Side};

/// A word of a fixed list.
#[derive(Debug, PartialEq, Eq)]
pub struct ChoiceWord {
    /// The word in files and replies, such as `tradeoff`.
    pub word: &'static str,
    /// The word in a sentence for people, such as `trade-off`.
    pub label: &'static str,
    /// Other words that a person may write for it.
    pub also: &'static [&'static str],
}

/// An enumeration of which each variant is a word.
pub trait Choose: Copy + 'static {
    /// The words, in the order of the variants.
    const CHOICES: &'static [ChoiceWord];

    /// The place of the variant among them.
    fn place(self) -> usize;

    /// The word of the variant.
    fn choice(self) -> &'static ChoiceWord {
        &Self::CHOICES[self.place()]
    }

    /// The word in files and replies.
    fn word(self) -> &'static str {
        self.choice().word
    }

    /// The word in a sentence for people.
    fn label(self) -> &'static str {
        self.choice().label
    }
}

/// A word that people write as replies do.
pub(super) const fn word(word: &'static str) -> ChoiceWord {
    labelled(word, word)
}

/// A word with another for people.
pub(super) const fn labelled(word: &'static str, label: &'static str) -> ChoiceWord {
    ChoiceWord {
        word,
        label,
        also: &[],
    }
}

impl ChoiceWord {
    /// The choice, also understood by these words.
    pub(super) const fn also(self, also: &'static [&'static str]) -> Self {
        Self { also, ..self }
    }
}

impl Choose for Category {
    const CHOICES: &'static [ChoiceWord] = &[
        word("correctness"),
        word("security"),
        labelled("developer_experience", "developer experience").also(&["dx", "devex"]),
        word("performance"),
        word("cost"),
        word("other"),
    ];

    fn place(self) -> usize {
        self as usize
    }
}

impl Choose for ObjectionSeverity {
    const CHOICES: &'static [ChoiceWord] = &[
        word("minor"),
        word("major"),
        word("blocker").also(&["critical"]),
    ];

    fn place(self) -> usize {
        self as usize
    }
}

impl Choose for ObjectionKind {
    const CHOICES: &'static [ChoiceWord] = &[
        labelled("claim", "its claim is wrong"),
        labelled("grounds", "its grounds do not hold"),
        labelled("warrant", "its grounds do not carry the claim"),
        labelled("backing", "its warrant has no backing"),
        labelled("unsupported", "nothing supports it"),
    ];

    fn place(self) -> usize {
        self as usize
    }
}

impl Choose for ReplyKind {
    const CHOICES: &'static [ChoiceWord] = &[
        labelled("concede", "concedes"),
        labelled("rebut", "rebuts"),
        labelled("tradeoff", "trade-off").also(&["trade_off"]),
    ];

    fn place(self) -> usize {
        self as usize
    }
}

impl Choose for RulingKind {
    const CHOICES: &'static [ChoiceWord] = &[
        word("resolved"),
        word("sustained"),
        word("dodged"),
        word("unsupported"),
        word("reframed"),
    ];

    fn place(self) -> usize {
        self as usize
    }
}

impl Choose for Side {
    const CHOICES: &'static [ChoiceWord] = &[word("proposer"), word("challenger")];

    fn place(self) -> usize {
        self as usize
    }
}

impl Choose for Grade {
    const CHOICES: &'static [ChoiceWord] = &[word("high"), word("medium"), word("low")];

    fn place(self) -> usize {
        self as usize
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::super::{AttackKind, DefenseKind};
    use super::*;

    /// Whether each word is read as the variant at its place.
    fn each_is_read<T: Choose + for<'a> Deserialize<'a>>() -> Vec<usize> {
        let words = T::CHOICES.iter();
        words
            .map(|choice| {
                let read: T = serde_json::from_value(json!(choice.word)).unwrap();
                read.place()
            })
            .collect()
    }

    #[test]
    fn each_word_is_that_of_the_variant_at_its_place() {
        assert_eq!(each_is_read::<Category>(), [0, 1, 2, 3, 4, 5]);
        assert_eq!(each_is_read::<ObjectionSeverity>(), [0, 1, 2]);
        assert_eq!(each_is_read::<ObjectionKind>(), [0, 1, 2, 3, 4]);
        assert_eq!(each_is_read::<ReplyKind>(), [0, 1, 2]);
        assert_eq!(each_is_read::<RulingKind>(), [0, 1, 2, 3, 4]);
        assert_eq!(each_is_read::<Side>(), [0, 1]);
        assert_eq!(each_is_read::<Grade>(), [0, 1, 2]);
        assert_eq!(each_is_read::<AttackKind>(), [0, 1, 2, 3]);
        assert_eq!(each_is_read::<DefenseKind>(), [0, 1, 2]);
    }
}
