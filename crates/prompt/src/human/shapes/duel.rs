//! The forms of those who debate in a duel.

use super::common::{BACKING, CLAIM, GROUNDS, QUALIFIER, TITLE, WARRANT};
use crate::human::shape::{Field, Shape, Slot, slot, top};

const CATEGORIES: Field = Field::Choice(&[
    "correctness",
    "security",
    "developer_experience",
    "performance",
    "cost",
    "other",
]);

static ARGUMENT: Shape = Shape {
    slots: &[TITLE, CLAIM, GROUNDS, WARRANT, BACKING, QUALIFIER],
    head: Some("title"),
    main: Some("claim"),
};

const CONTENT: Slot = slot("content", "content", Field::Text, "at most 75 words").also(&[
    "text",
    "what_fails",
    "objection",
]);

static OBJECTION: Shape = Shape {
    slots: &[
        slot("target", "on", Field::Id, "the id of the point that fails")
            .also(&["target", "point"]),
        slot(
            "kind",
            "kind",
            Field::Choice(&["claim", "grounds", "warrant", "backing", "unsupported"]),
            "the part that fails: claim, grounds, warrant, backing; or unsupported",
        )
        .also(&["part"]),
        slot(
            "category",
            "category",
            CATEGORIES,
            "correctness, security, developer experience, performance, cost or other",
        ),
        slot(
            "severity",
            "severity",
            Field::Choice(&["minor", "major", "blocker"]),
            "minor, major or blocker",
        ),
        CONTENT,
        GROUNDS,
    ],
    head: Some("content"),
    main: Some("content"),
};

static NONE_FOUND: Shape = Shape {
    slots: &[
        slot("category", "category", CATEGORIES, "which category"),
        slot(
            "looked_at",
            "looked at",
            Field::Texts,
            "where you looked and found nothing wrong",
        )
        .also(&["looked", "places", "where"]),
    ],
    head: Some("looked_at"),
    main: Some("looked_at"),
};

static AGREEMENT: Shape = Shape {
    slots: &[
        slot(
            "target",
            "with",
            Field::Id,
            "the id of the point you accept",
        )
        .also(&["target", "point", "on"]),
        GROUNDS,
        slot(
            "remaining_risk",
            "remaining risk",
            Field::Text,
            "what may go wrong all the same",
        )
        .also(&["risk"]),
    ],
    head: Some("remaining_risk"),
    main: Some("remaining_risk"),
};

static RESPONSE: Shape = Shape {
    slots: &[
        slot("objection", "to", Field::Id, "the id of the objection").also(&["target", "on"]),
        slot(
            "reply",
            "reply",
            Field::Choice(&["concede", "rebut", "tradeoff"]),
            "concede, rebut or tradeoff",
        )
        .also(&["kind"]),
        slot(
            "content",
            "content",
            Field::Text,
            "your answer, at most 75 words",
        )
        .also(&["text", "because"]),
        slot(
            "still_favours_because",
            "still favours because",
            Field::Text,
            "for a trade-off: why the position still stands",
        )
        .also(&["still_favors_because", "still_stands_because"])
        .optional(),
        GROUNDS,
    ],
    head: Some("content"),
    main: Some("content"),
};

static ASSESSMENT: Shape = Shape {
    slots: &[
        slot("response", "on", Field::Id, "the id of the answer").also(&["target"]),
        slot(
            "ruling",
            "ruling",
            Field::Choice(&["resolved", "sustained", "dodged", "unsupported", "reframed"]),
            "resolved, sustained, dodged, unsupported or reframed",
        ),
        slot("content", "content", Field::Text, "why, at most 75 words").also(&["text", "why"]),
        GROUNDS,
    ],
    head: Some("content"),
    main: Some("content"),
};

const ARGUMENTS: Slot = slot(
    "arguments",
    "Arguments",
    Field::List(&ARGUMENT),
    "one to five",
)
.single(&["argument", "new_argument"]);
const OBJECTIONS: Slot = slot(
    "objections",
    "Objections",
    Field::List(&OBJECTION),
    "at most three, the worst first",
)
.single(&["objection"]);
const NOTHING: Slot = slot(
    "none_found",
    "Nothing found",
    Field::List(&NONE_FOUND),
    "where you looked in vain",
)
.also(&["none_found"])
.single(&["nothing_found", "none_found_in", "nothing_found_in"])
.laid();
const AGREEMENTS: Slot = slot(
    "agreements",
    "Agreements",
    Field::List(&AGREEMENT),
    "what you checked and accept; may stay empty",
)
.single(&["agreement"]);
const ALTERNATIVES: Slot = slot(
    "alternatives",
    "Alternatives",
    Field::List(&ARGUMENT),
    "another answer to the topic",
)
.single(&["alternative"]);

pub(super) static BLIND: Shape = top(&[
    slot("answer", "Answer", Field::Text, "at most five words"),
    slot("position", "Position", Field::Text, "one or two sentences"),
    slot(
        "because",
        "Because",
        Field::Texts,
        "your reasons, the strongest first",
    )
    .also(&["reasons", "reason"]),
]);

pub(super) static OPENING: Shape = top(&[
    slot(
        "stance",
        "Stance",
        Field::Text,
        "one sentence that can be acted on; no \"it depends\"",
    ),
    ARGUMENTS,
]);

pub(super) static CHALLENGE: Shape = top(&[OBJECTIONS, NOTHING, AGREEMENTS, ALTERNATIVES]);

pub(super) static PLEA: Shape = top(&[
    slot(
        "position_now",
        "Position now",
        Field::Text,
        "the whole position as it now is, without what you conceded",
    )
    .also(&["position", "stance"]),
    slot(
        "responses",
        "Answers",
        Field::List(&RESPONSE),
        "one for each objection",
    )
    .also(&["replies"])
    .single(&["answer", "response", "reply"])
    .laid(),
    ARGUMENTS,
]);

pub(super) static FOLLOW_UP: Shape = top(&[
    slot(
        "assessments",
        "Rulings",
        Field::List(&ASSESSMENT),
        "one for each answer",
    )
    .single(&["ruling", "assessment"])
    .laid(),
    OBJECTIONS,
    NOTHING,
    AGREEMENTS,
    ALTERNATIVES,
]);
