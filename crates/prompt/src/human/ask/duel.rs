//! What a person is asked in a duel.

use agon_record::moves::{
    AnswerComparison, Choose, ObjectionSeverity, ReplyKind, RulingKind, Side,
};

use super::{AnswerKind, Ask, Group, Laid, PLACES, Told, single};

const ANSWER: Ask = Ask::text("answer", AnswerKind::Text);

pub(super) static BLIND: &[Group] = &[
    single(
        "Answer",
        "the answer",
        "your answer, in a few words",
        &[ANSWER],
    ),
    single(
        "Reasons",
        "the reasons",
        "why, one reason a line, the strongest first",
        &[Ask::text("because", AnswerKind::Lines)],
    ),
];

/// The questions of an argument.
const ARGUMENT: &[Ask] = &[
    Ask::text("claim", AnswerKind::Text),
    Ask::text("warrant", AnswerKind::Text)
        .labelled("Why")
        .optional()
        .with_help("why that is so, or why it matters here"),
    PLACES,
];

const fn arguments(
    title: &'static str,
    name: &'static str,
    laid: Laid,
    help: &'static str,
) -> Group {
    Group {
        title,
        name,
        list: "arguments",
        // The rule `duel-arguments`.
        told: Told::ByNumber(5),
        laid,
        help,
        asks: ARGUMENT,
    }
}

pub(super) static OPENING: &[Group] = &[
    single(
        "Answer",
        "the answer",
        "what should be done, in one sentence",
        &[Ask::text("stance", AnswerKind::Text)],
    ),
    arguments(
        "Reason",
        "reason",
        Laid::Numbered { all: 3, needed: 1 },
        "a reason for it, in a sentence or two",
    ),
];

const OBJECTIONS: Group = Group {
    title: "Objection to",
    name: "the objection to",
    list: "objections",
    told: Told::ById("target"),
    laid: Laid::NewArguments,
    help: "what is wrong with it, and why; empty if nothing is",
    asks: &[
        Ask::text("content", AnswerKind::Text),
        Ask::text("severity", AnswerKind::Choice(ObjectionSeverity::CHOICES))
            .labelled("Severity")
            .with_default("major")
            .with_help("how much hangs on it: minor, major or blocker"),
        PLACES,
    ],
};

const NOTHING_FOUND: Group = Group {
    laid: Laid::Optional,
    ..single(
        "Nothing found",
        "what you looked at",
        "if you found nothing wrong: what you looked at, one a line",
        &[Ask::text("none_found", AnswerKind::Lines)],
    )
};

const AGREEMENTS: Group = Group {
    title: "Agreement with",
    name: "the agreement with",
    list: "agreements",
    told: Told::ById("target"),
    laid: Laid::Nothing,
    help: "a point of the other side that you accept, and what may go wrong all the same",
    asks: &[
        Ask::text("remaining_risk", AnswerKind::Text).optional(),
        PLACES,
    ],
};

const ALTERNATIVE: Group = Group {
    title: "Another answer",
    name: "the other answer",
    list: "alternatives",
    told: Told::Once,
    laid: Laid::Optional,
    help: "if you would do something else: what, in a sentence or two",
    asks: ARGUMENT,
};

const FIRST_ANSWERS: Group = Group {
    laid: Laid::FirstAnswers,
    ..single(
        "First answers",
        "the comparison of the first answers",
        "whether both first answers come to the same: same or different",
        &[Ask::text(
            "first_answers",
            AnswerKind::Choice(AnswerComparison::CHOICES),
        )],
    )
};

pub(super) static CHALLENGE: &[Group] = &[
    OBJECTIONS,
    NOTHING_FOUND,
    FIRST_ANSWERS,
    ALTERNATIVE,
    AGREEMENTS,
];

pub(super) static DEFENSE: &[Group] = &[
    Group {
        title: "Answer to",
        name: "the answer to objection",
        list: "responses",
        told: Told::ById("objection"),
        laid: Laid::Objections,
        help: "your answer to it, and why",
        asks: &[
            Ask::text("reply", AnswerKind::Choice(ReplyKind::CHOICES))
                .labelled("Reply")
                .with_help(
                    "concede, rebut, trade-off (true, but other things weigh more) or unsupported",
                ),
            Ask::text("content", AnswerKind::Text),
            PLACES,
        ],
    },
    Group {
        laid: Laid::Position,
        ..single(
            "Position",
            "the position",
            "what should be done now, if you say something else than before",
            &[Ask::text("position_now", AnswerKind::Text)],
        )
    },
    arguments(
        "New reason",
        "new reason",
        Laid::Numbered { all: 1, needed: 0 },
        "a further reason, if you have one",
    ),
];

pub(super) static FOLLOW_UP: &[Group] = &[
    Group {
        title: "Ruling on",
        name: "the ruling on answer",
        list: "assessments",
        told: Told::ById("response"),
        laid: Laid::Answers,
        help: "whether it meets your objection, and why",
        asks: &[
            Ask::text("ruling", AnswerKind::Choice(RulingKind::CHOICES))
                .labelled("Ruling")
                .with_help(
                    "resolved (it does), sustained (it does not), dodged, unsupported or reframed",
                ),
            Ask::text("content", AnswerKind::Text),
            PLACES,
        ],
    },
    OBJECTIONS,
    NOTHING_FOUND,
    ALTERNATIVE,
    AGREEMENTS,
];

pub(super) static VERDICT: &[Group] = &[
    single(
        "Winner",
        "the winner",
        "the side that argued the better case: proposer or challenger",
        &[Ask::text("winner", AnswerKind::Choice(Side::CHOICES))],
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
        "what decided it; the points that you name by their ids count as decisive",
        &[Ask::text("why", AnswerKind::Text)],
    ),
    Group {
        laid: Laid::Optional,
        ..single(
            "Next step",
            "the next step",
            "may stay empty: what to do first",
            &[Ask::text("do_next", AnswerKind::Text)],
        )
    },
    Group {
        laid: Laid::Optional,
        ..single(
            "Unless",
            "the condition",
            "may stay empty: when the answer would be another",
            &[Ask::text("unless", AnswerKind::Text)],
        )
    },
];
