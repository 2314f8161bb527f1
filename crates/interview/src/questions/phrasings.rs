//! The phrasings of the questions.
//!
//! Measured with SmolLM2 135M: asked for "one short sentence", after two examples, it answers in a
//! sentence about the subject. For a choice between two things, it remembers their purpose better
//! if the topic precedes the question: otherwise, Rust is a metal. For a question whether to do
//! something, the topic makes it forget to name that. Asked freely which of two things is better,
//! it mostly names both, so the judge chooses between two words.

use agon_record::moves::Side;
use agon_record::options::{Contrast, Options};

use crate::question::Tone;

/// One way to ask a question.
pub(super) struct Phrasing {
    /// The text, with a `{}` for each slot.
    pub(super) words: &'static str,
    pub(super) slots: &'static [Slot],
    /// Whether the answer is about the option of the other side.
    pub(super) of_other: bool,
}

/// The content of a slot in a question.
pub(super) enum Slot {
    /// The option of the side that is asked.
    Own,
    /// The option of the other side.
    Other,
    /// The purpose of the options.
    Setting,
    /// The topic.
    Topic,
}

use Slot::{Other, Own, Setting, Topic};

const fn own(words: &'static str, slots: &'static [Slot]) -> Phrasing {
    Phrasing {
        words,
        slots,
        of_other: false,
    }
}

const fn other(words: &'static str, slots: &'static [Slot]) -> Phrasing {
    Phrasing {
        words,
        slots,
        of_other: true,
    }
}

const BETWEEN_REASONS: &[Phrasing] = &[
    own(
        "{} What is the main advantage of {} over {}? Answer in one short sentence.",
        &[Topic, Own, Other],
    ),
    own(
        "{} What is one benefit of {} compared with {}? Answer in one short sentence.",
        &[Topic, Own, Other],
    ),
    own(
        "{} What is one strength of {}? Answer in one short sentence.",
        &[Topic, Own],
    ),
];

const BETWEEN_FAULTS: &[Phrasing] = &[
    other(
        "{} What is one drawback of {} compared with {}? Answer in one short sentence.",
        &[Topic, Other, Own],
    ),
    other(
        "{} What is one weakness of {}? Answer in one short sentence.",
        &[Topic, Other],
    ),
    other(
        "{} What is one problem with {} that {} does not have? Answer in one short sentence.",
        &[Topic, Other, Own],
    ),
];

const FOR_REASONS: &[Phrasing] = &[
    own(
        "What is the main advantage of {}{}? Answer in one short sentence.",
        &[Own, Setting],
    ),
    own(
        "What is one benefit of {}? Answer in one short sentence.",
        &[Own],
    ),
    own(
        "What is good about {}? Answer in one short sentence.",
        &[Own],
    ),
];

const AGAINST_REASONS: &[Phrasing] = &[
    own(
        "What is one risk of {}{}? Answer in one short sentence.",
        &[Own, Setting],
    ),
    own(
        "What is one problem with {}? Answer in one short sentence.",
        &[Own],
    ),
    own(
        "What is bad about {}? Answer in one short sentence.",
        &[Own],
    ),
];

const AGAINST_FAULTS: &[Phrasing] = &[
    own(
        "What is one drawback of {}{}? Answer in one short sentence.",
        &[Own, Setting],
    ),
    own(
        "What is one weakness of {}? Answer in one short sentence.",
        &[Own],
    ),
    own(
        "What is difficult about {}? Answer in one short sentence.",
        &[Own],
    ),
];

const ANSWER_REASONS: &[Phrasing] = &[
    own(
        "{} Give one reason to say {}. Answer in one short sentence.",
        &[Topic, Own],
    ),
    own(
        "{} What is one fact that speaks for {}? Answer in one short sentence.",
        &[Topic, Own],
    ),
    own(
        "{} Why do some people say {}? Answer in one short sentence.",
        &[Topic, Own],
    ),
];

const ANSWER_FAULTS: &[Phrasing] = &[
    own(
        "{} What is one fact that speaks against {}? Answer in one short sentence.",
        &[Topic, Other],
    ),
    own(
        "{} Why do some people not say {}? Answer in one short sentence.",
        &[Topic, Other],
    ),
    own(
        "{} Give one reason not to say {}. Answer in one short sentence.",
        &[Topic, Other],
    ),
];

/// Returns the phrasings that ask for a reason to support a side.
pub(super) fn reasons(contrast: Contrast, side: Side) -> &'static [Phrasing] {
    match (contrast, side) {
        (Contrast::Between, _) => BETWEEN_REASONS,
        (Contrast::Answers, _) => ANSWER_REASONS,
        (_, Side::Proposer) => FOR_REASONS,
        (_, Side::Challenger) => AGAINST_REASONS,
    }
}

/// Returns the phrasings that ask for a reason against the other side.
pub(super) fn faults(contrast: Contrast, side: Side) -> &'static [Phrasing] {
    match (contrast, side) {
        (Contrast::Between, _) => BETWEEN_FAULTS,
        (Contrast::Answers, _) => ANSWER_FAULTS,
        (_, Side::Challenger) => AGAINST_FAULTS,
        (_, Side::Proposer) => FOR_REASONS,
    }
}

/// A question which of two reasons weighs more.
pub(super) struct Weighing {
    /// The text, with a `{}` for each slot.
    pub(super) words: &'static str,
    pub(super) slots: &'static [WeighedSlot],
}

/// The content of a slot in such a question: an option, or its support.
pub(super) enum WeighedSlot {
    /// The option of this side.
    Option(Side),
    /// The arguments for this side.
    Reason(Side),
    /// The topic.
    Topic,
}

use WeighedSlot::{Option as Named, Reason, Topic as Asked};

const BETWEEN_VERDICT: Weighing = Weighing {
    words: "{}\nFor {}: {}\nFor {}: {}\nWhich is better, {} or {}?",
    slots: &[
        Asked,
        Named(Side::Proposer),
        Reason(Side::Proposer),
        Named(Side::Challenger),
        Reason(Side::Challenger),
        Named(Side::Proposer),
        Named(Side::Challenger),
    ],
};

const AGAINST_VERDICT: Weighing = Weighing {
    words: "For {}: {}\nAgainst {}: {}\nIs {} a good idea? Answer yes or no.",
    slots: &[
        Named(Side::Proposer),
        Reason(Side::Proposer),
        Named(Side::Challenger),
        Reason(Side::Challenger),
        Named(Side::Proposer),
    ],
};

const ANSWER_VERDICT: Weighing = Weighing {
    words: "Reason to say yes: {}\nReason to say no: {}\n{} Answer yes or no.",
    slots: &[Reason(Side::Proposer), Reason(Side::Challenger), Asked],
};

/// Returns whether the support of a side praises or criticizes the common subject.
pub(super) fn tone_of_reasons(contrast: Contrast, side: Side) -> Tone {
    match (contrast, side) {
        (Contrast::Between, _) | (_, Side::Proposer) => Tone::Good,
        (Contrast::Against | Contrast::Answers, Side::Challenger) => Tone::Bad,
    }
}

/// Returns whether criticism of the other side praises or criticizes the common subject.
pub(super) fn tone_of_faults(contrast: Contrast, side: Side) -> Tone {
    match (contrast, side) {
        (Contrast::Between, _) | (_, Side::Challenger) => Tone::Bad,
        (Contrast::Against | Contrast::Answers, Side::Proposer) => Tone::Good,
    }
}

/// Returns the question about which of two reasons weighs more.
pub(super) fn weighing_question(contrast: Contrast) -> &'static Weighing {
    match contrast {
        Contrast::Between => &BETWEEN_VERDICT,
        Contrast::Against => &AGAINST_VERDICT,
        Contrast::Answers => &ANSWER_VERDICT,
    }
}

/// Returns the words of which the judge chooses one.
pub(super) fn verdict_choices(options: &Options) -> [String; 2] {
    match options.contrast {
        Contrast::Between => {
            [&options.proposer, &options.challenger].map(|option| option.phrase.clone())
        }
        Contrast::Against | Contrast::Answers => ["Yes", "No"].map(str::to_owned),
    }
}

const BETWEEN_EXAMPLES: &[[&str; 2]] = &[
    [
        "Wool coats or rain jackets? What is the main advantage of wool coats over rain jackets? \
         Answer in one short sentence.",
        "Wool coats keep people warm on the coldest days.",
    ],
    [
        "Should we build wooden houses or stone houses? What is one drawback of wooden houses \
         compared with stone houses? Answer in one short sentence.",
        "Wooden houses burn more easily and need new paint every few years.",
    ],
];

const AGAINST_EXAMPLES: &[[&str; 2]] = &[
    [
        "What is the main advantage of planting trees? Answer in one short sentence.",
        "Planting trees keeps the streets cool in summer.",
    ],
    [
        "What is one drawback of painting walls? Answer in one short sentence.",
        "Painting walls takes many days and costs a lot of money.",
    ],
];

const ANSWER_EXAMPLES: &[[&str; 2]] = &[
    [
        "Are trees useful? Give one reason to say yes. Answer in one short sentence.",
        "Trees keep the streets cool in summer.",
    ],
    [
        "Are walls pretty? Give one reason to say no. Answer in one short sentence.",
        "Walls are grey and covered with dust.",
    ],
];

const BETWEEN_EXAMPLES_OF_COMPUTING: &[[&str; 2]] = &[
    [
        "Vim or Emacs for editing code? What is the main advantage of Vim over Emacs? Answer in one \
         short sentence.",
        "Vim starts faster and uses less memory than Emacs.",
    ],
    [
        "Should we use email or chat for bug reports? What is one drawback of email compared with \
         chat? Answer in one short sentence.",
        "Email is slower, so a bug report can wait for hours.",
    ],
];

const AGAINST_EXAMPLES_OF_COMPUTING: &[[&str; 2]] = &[
    [
        "What is the main advantage of using linters? Answer in one short sentence.",
        "Using linters finds simple mistakes before the code is merged.",
    ],
    [
        "What is one drawback of logging every request? Answer in one short sentence.",
        "Logging every request makes the server slower and fills its disk.",
    ],
];

const ANSWER_EXAMPLES_OF_COMPUTING: &[[&str; 2]] = &[
    [
        "Are linters useful? Give one reason to say yes. Answer in one short sentence.",
        "Linters are useful because they find mistakes before the code is merged.",
    ],
    [
        "Are daily meetings useful? Give one reason to say no. Answer in one short sentence.",
        "Daily meetings are slow and keep developers from their code.",
    ],
];

/// Returns the examples before each question; about computing if the topic is, since the model
/// otherwise takes tabs for furniture.
pub(super) fn examples(
    contrast: Contrast,
    is_about_computing: bool,
) -> &'static [[&'static str; 2]] {
    match (contrast, is_about_computing) {
        (Contrast::Between, false) => BETWEEN_EXAMPLES,
        (Contrast::Between, true) => BETWEEN_EXAMPLES_OF_COMPUTING,
        (Contrast::Against, false) => AGAINST_EXAMPLES,
        (Contrast::Against, true) => AGAINST_EXAMPLES_OF_COMPUTING,
        (Contrast::Answers, false) => ANSWER_EXAMPLES,
        (Contrast::Answers, true) => ANSWER_EXAMPLES_OF_COMPUTING,
    }
}
