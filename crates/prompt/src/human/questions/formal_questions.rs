//! The questions for a person in a formal debate.

use agon_record::moves::{AttackKind, Choose, DefenseKind};

use super::{AnswerKind, AskedField, PLACES, SectionGroup, SectionKey, SectionLayout, single};

pub(super) static THESES: &[SectionGroup] = &[
    single(
        "Proposition",
        "what the proposition defends",
        "what the side for the motion defends, in one plain sentence",
        &[AskedField::text("proposition", AnswerKind::Text)],
    ),
    single(
        "Opposition",
        "what the opposition defends",
        "what the other side defends, in one plain sentence",
        &[AskedField::text("opposition", AnswerKind::Text)],
    ),
];

/// The questions of an argument. It includes the warrant, since other tools read it.
const ARGUMENT: &[AskedField] = &[
    AskedField::text("claim", AnswerKind::Text),
    AskedField::text("warrant", AnswerKind::Text)
        .labelled("Why")
        .with_help("why that is true, and why it matters here"),
    PLACES,
];

pub(super) static CASE: &[SectionGroup] = &[SectionGroup {
    title: "Argument",
    name: "argument",
    list: "arguments",
    // The rule `opening-count` requires exactly 3.
    key: SectionKey::ByNumber(3),
    layout: SectionLayout::Numbered { all: 3, needed: 3 },
    help: "what you claim, in a sentence or two, independent of your other arguments",
    asks: ARGUMENT,
}];

pub(super) static REBUTTAL: &[SectionGroup] = &[
    single(
        "Argument",
        "the argument",
        "what you claim, in a sentence or two",
        ARGUMENT,
    ),
    SectionGroup {
        title: "Attack on",
        name: "the attack on",
        list: "attacks",
        key: SectionKey::ById("target_id"),
        layout: SectionLayout::Attackable,
        help: "what is wrong with it, and why; empty if you do not attack it",
        asks: &[
            AskedField::text("content", AnswerKind::Text),
            AskedField::text("attack_type", AnswerKind::Choice(AttackKind::CHOICES))
                .labelled("Part")
                .with_default("claim")
                .with_help("the part that fails: claim, grounds, warrant or backing"),
        ],
    },
    SectionGroup {
        title: "Defense of",
        name: "the defense of",
        list: "defends",
        key: SectionKey::ById("target_id"),
        layout: SectionLayout::Attacked,
        help: "your answer to the attacks on it; empty if you do not defend it",
        asks: &[
            AskedField::text("content", AnswerKind::Text),
            AskedField::text("defense_type", AnswerKind::Choice(DefenseKind::CHOICES))
                .labelled("How")
                .with_default("reinforce")
                .with_help("reinforce, clarify, or concede and pivot"),
        ],
    },
];

const REASONING: AskedField = AskedField::text("reasoning", AnswerKind::Text);

pub(super) static SCORES: &[SectionGroup] = &[
    SectionGroup {
        title: "Score of",
        name: "the score of",
        list: "scores",
        key: SectionKey::ById("argument_id"),
        layout: SectionLayout::Unscored,
        help: "why it deserves that score",
        asks: &[
            AskedField::text("score", AnswerKind::Score)
                .labelled("Score")
                .with_help("from -1 to 1; all new scores must sum to zero"),
            REASONING,
        ],
    },
    SectionGroup {
        title: "New score of",
        name: "the new score of",
        list: "rescores",
        key: SectionKey::ById("argument_id"),
        layout: SectionLayout::Nothing,
        help: "what changed, for an earlier argument that now deserves a different score",
        asks: &[
            AskedField::text("new_score", AnswerKind::Score)
                .labelled("Score")
                .with_help("at most 0.5 from its current score"),
            REASONING,
        ],
    },
];
