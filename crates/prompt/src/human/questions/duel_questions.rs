//! The questions for a person in a duel.

use agon_record::moves::{
    AnswerComparison, Choose, ObjectionSeverity, ReplyKind, RulingKind, Side,
};

use super::{AnswerKind, AskedField, PLACES, SectionGroup, SectionKey, SectionLayout, single};

const ANSWER: AskedField = AskedField::text("answer", AnswerKind::Text);

pub(super) static BLIND: &[SectionGroup] = &[
    single(
        "Answer",
        "the answer",
        "your answer, in a few words",
        &[ANSWER],
    ),
    single(
        "Reasons",
        "the reasons",
        "why: one reason per line, the strongest first",
        &[AskedField::text("because", AnswerKind::Lines)],
    ),
];

/// The questions of an argument.
const ARGUMENT: &[AskedField] = &[
    AskedField::text("claim", AnswerKind::Text),
    AskedField::text("warrant", AnswerKind::Text)
        .labelled("Why")
        .optional()
        .with_help("why that is true, or why it matters here"),
    PLACES,
];

const fn arguments(
    title: &'static str,
    name: &'static str,
    layout: SectionLayout,
    help: &'static str,
) -> SectionGroup {
    SectionGroup {
        title,
        name,
        list: "arguments",
        // The rule `duel-arguments` allows at most 5.
        key: SectionKey::ByNumber(5),
        layout,
        help,
        asks: ARGUMENT,
    }
}

pub(super) static OPENING: &[SectionGroup] = &[
    single(
        "Answer",
        "the answer",
        "what should be done, in one sentence",
        &[AskedField::text("stance", AnswerKind::Text)],
    ),
    arguments(
        "Reason",
        "reason",
        SectionLayout::Numbered { all: 3, needed: 1 },
        "a reason for it, in a sentence or two",
    ),
];

const OBJECTIONS: SectionGroup = SectionGroup {
    title: "Objection to",
    name: "the objection to",
    list: "objections",
    key: SectionKey::ById("target"),
    layout: SectionLayout::NewArguments,
    help: "what is wrong with it, and why; empty if nothing is",
    asks: &[
        AskedField::text("content", AnswerKind::Text),
        AskedField::text("severity", AnswerKind::Choice(ObjectionSeverity::CHOICES))
            .labelled("Severity")
            .with_default("major")
            .with_help("how serious it is: minor, major or blocker"),
        PLACES,
    ],
};

const NOTHING_FOUND: SectionGroup = SectionGroup {
    layout: SectionLayout::Optional,
    ..single(
        "Nothing found",
        "what you checked",
        "if you found nothing wrong: what you checked, one place per line",
        &[AskedField::text("none_found", AnswerKind::Lines)],
    )
};

const AGREEMENTS: SectionGroup = SectionGroup {
    title: "Agreement with",
    name: "the agreement with",
    list: "agreements",
    key: SectionKey::ById("target"),
    layout: SectionLayout::Nothing,
    help: "a point of the other side that you accept, and what may still go wrong",
    asks: &[
        AskedField::text("remaining_risk", AnswerKind::Text).optional(),
        PLACES,
    ],
};

const ALTERNATIVE: SectionGroup = SectionGroup {
    title: "Another answer",
    name: "the other answer",
    list: "alternatives",
    key: SectionKey::Once,
    layout: SectionLayout::Optional,
    help: "if you would do something else: what, in a sentence or two",
    asks: ARGUMENT,
};

const FIRST_ANSWERS: SectionGroup = SectionGroup {
    layout: SectionLayout::FirstAnswers,
    ..single(
        "First answers",
        "the comparison of the first answers",
        "whether both first answers agree: same or different",
        &[AskedField::text(
            "first_answers",
            AnswerKind::Choice(AnswerComparison::CHOICES),
        )],
    )
};

pub(super) static CHALLENGE: &[SectionGroup] = &[
    OBJECTIONS,
    NOTHING_FOUND,
    FIRST_ANSWERS,
    ALTERNATIVE,
    AGREEMENTS,
];

pub(super) static DEFENSE: &[SectionGroup] = &[
    SectionGroup {
        title: "Answer to",
        name: "the answer to objection",
        list: "responses",
        key: SectionKey::ById("objection"),
        layout: SectionLayout::Objections,
        help: "your answer to it, and why",
        asks: &[
            AskedField::text("reply", AnswerKind::Choice(ReplyKind::CHOICES))
                .labelled("Reply")
                .with_help(
                    "concede, rebut, trade-off (true, but other things weigh more) or unsupported",
                ),
            AskedField::text("content", AnswerKind::Text),
            PLACES,
        ],
    },
    SectionGroup {
        layout: SectionLayout::Position,
        ..single(
            "Position",
            "the position",
            "what should be done now, if your position has changed",
            &[AskedField::text("position_now", AnswerKind::Text)],
        )
    },
    arguments(
        "New reason",
        "new reason",
        SectionLayout::Numbered { all: 1, needed: 0 },
        "a further reason, if you have one",
    ),
];

pub(super) static FOLLOW_UP: &[SectionGroup] = &[
    SectionGroup {
        title: "Ruling on",
        name: "the ruling on answer",
        list: "assessments",
        key: SectionKey::ById("response"),
        layout: SectionLayout::Answers,
        help: "whether it answers your objection, and why",
        asks: &[
            AskedField::text("ruling", AnswerKind::Choice(RulingKind::CHOICES))
                .labelled("Ruling")
                .with_help(
                    "resolved (it does), sustained (it does not), dodged, unsupported or reframed",
                ),
            AskedField::text("content", AnswerKind::Text),
            PLACES,
        ],
    },
    OBJECTIONS,
    NOTHING_FOUND,
    ALTERNATIVE,
    AGREEMENTS,
];

pub(super) static VERDICT: &[SectionGroup] = &[
    single(
        "Winner",
        "the winner",
        "the side that argued the better case: proposer or challenger",
        &[AskedField::text(
            "winner",
            AnswerKind::Choice(Side::CHOICES),
        )],
    ),
    single(
        "Answer",
        "the answer",
        "what should be done, in one sentence",
        &[ANSWER],
    ),
    single(
        "Why",
        "the reason",
        "what decided it, in the words of the record, with the ids of the decisive points",
        &[AskedField::text("why", AnswerKind::Text)],
    ),
    SectionGroup {
        layout: SectionLayout::Optional,
        ..single(
            "Next step",
            "the next step",
            "optional: what to do first",
            &[AskedField::text("do_next", AnswerKind::Text)],
        )
    },
    SectionGroup {
        layout: SectionLayout::Optional,
        ..single(
            "Unless",
            "the condition",
            "optional: when the answer would be different",
            &[AskedField::text("unless", AnswerKind::Text)],
        )
    },
];
