//! What a person is asked in a formal debate.

use agon_record::moves::{AttackKind, Choose, DefenseKind};

use super::{AnswerKind, Ask, Group, Laid, PLACES, Told, single};

pub(super) static THESES: &[Group] = &[
    single(
        "Proposition",
        "what the proposition defends",
        "what the side for the motion defends, in one plain sentence",
        &[Ask::text("proposition", AnswerKind::Text)],
    ),
    single(
        "Opposition",
        "what the opposition defends",
        "what the other side defends, in a sentence of its own",
        &[Ask::text("opposition", AnswerKind::Text)],
    ),
];

/// The questions of an argument. Other tools read its warrant too, so it is not left out.
const ARGUMENT: &[Ask] = &[
    Ask::text("claim", AnswerKind::Text),
    Ask::text("warrant", AnswerKind::Text)
        .labelled("Why")
        .with_help("why that is so, and why it matters here"),
    PLACES,
];

pub(super) static CASE: &[Group] = &[Group {
    title: "Argument",
    name: "argument",
    list: "arguments",
    // The rule `opening-count`.
    told: Told::ByNumber(3),
    laid: Laid::Numbered { all: 3, needed: 3 },
    help: "what you claim, in a sentence or two; it rests on no other argument",
    asks: ARGUMENT,
}];

pub(super) static REBUTTAL: &[Group] = &[
    single(
        "Argument",
        "the argument",
        "what you claim, in a sentence or two",
        ARGUMENT,
    ),
    Group {
        title: "Attack on",
        name: "the attack on",
        list: "attacks",
        told: Told::ById("target_id"),
        laid: Laid::Attackable,
        help: "what is wrong with it, and why; empty if you do not attack it",
        asks: &[
            Ask::text("content", AnswerKind::Text),
            Ask::text("attack_type", AnswerKind::Choice(AttackKind::CHOICES))
                .labelled("Part")
                .with_default("claim")
                .with_help("the part that fails: claim, grounds, warrant or backing"),
        ],
    },
    Group {
        title: "Defense of",
        name: "the defense of",
        list: "defends",
        told: Told::ById("target_id"),
        laid: Laid::Attacked,
        help: "what you say to what was brought against it; empty if you leave it",
        asks: &[
            Ask::text("content", AnswerKind::Text),
            Ask::text("defense_type", AnswerKind::Choice(DefenseKind::CHOICES))
                .labelled("How")
                .with_default("reinforce")
                .with_help("reinforce, clarify, or concede and pivot"),
        ],
    },
];

const REASONING: Ask = Ask::text("reasoning", AnswerKind::Text);

pub(super) static SCORES: &[Group] = &[
    Group {
        title: "Score of",
        name: "the score of",
        list: "scores",
        told: Told::ById("argument_id"),
        laid: Laid::Unscored,
        help: "why it deserves that",
        asks: &[
            Ask::text("score", AnswerKind::Score)
                .labelled("Score")
                .with_help("from -1 to 1; all new scores together are zero"),
            REASONING,
        ],
    },
    Group {
        title: "New score of",
        name: "the new score of",
        list: "rescores",
        told: Told::ById("argument_id"),
        laid: Laid::Nothing,
        help: "an earlier argument that now deserves another score, and what changed",
        asks: &[
            Ask::text("new_score", AnswerKind::Score)
                .labelled("Score")
                .with_help("at most 0.5 away from what it has now"),
            REASONING,
        ],
    },
];
