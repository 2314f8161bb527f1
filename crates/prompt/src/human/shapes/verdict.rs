//! The form of a verdict.

use crate::human::shape::{Field, Shape, slot, top};

const GRADES: Field = Field::Choice(&["high", "medium", "low"]);

static OPEN: Shape = Shape {
    slots: &[
        slot("question", "question", Field::Text, "what nobody settled"),
        slot(
            "to_settle",
            "to settle",
            Field::Text,
            "what would settle it",
        )
        .also(&["settle"]),
    ],
    head: Some("question"),
    main: Some("question"),
};

static AGREED: Shape = Shape {
    slots: &[
        slot("point", "point", Field::Text, "what both accept"),
        slot("evidence", "evidence", Field::Ids, "the ids that show it").also(&["ids"]),
    ],
    head: Some("point"),
    main: Some("point"),
};

static DIFFER: Shape = Shape {
    slots: &[
        slot(
            "point",
            "point",
            Field::Text,
            "where they differ to the end",
        ),
        slot("proposer", "proposer", Field::Text, "its side"),
        slot("challenger", "challenger", Field::Text, "its side"),
    ],
    head: Some("point"),
    main: Some("point"),
};

static QUALITY: Shape = Shape {
    slots: &[
        slot(
            "genuine_disagreement",
            "genuine disagreement",
            GRADES,
            "high, medium or low",
        ),
        slot("evidence", "evidence", GRADES, "high, medium or low"),
        slot(
            "challenge_depth",
            "challenge depth",
            GRADES,
            "high, medium or low",
        ),
    ],
    head: None,
    main: None,
};

pub(super) static VERDICT: Shape = top(&[
    slot(
        "winner",
        "Winner",
        Field::Choice(&["proposer", "challenger"]),
        "proposer or challenger",
    ),
    slot(
        "answer",
        "Answer",
        Field::Text,
        "the recommendation, one short sentence",
    ),
    slot(
        "why",
        "Why",
        Field::Text,
        "what decided it, at most 75 words",
    ),
    slot(
        "do_next",
        "Do next",
        Field::Text,
        "the first step, concrete",
    )
    .also(&["next"]),
    slot("unless", "Unless", Field::Text, "when the answer changes"),
    slot(
        "decisive",
        "Decisive",
        Field::Ids,
        "the ids that your verdict rests on",
    )
    .also(&["decisive_points"]),
    slot(
        "open",
        "Open",
        Field::List(&OPEN),
        "what nobody settled; may stay empty",
    )
    .also(&["open_questions", "still_open"])
    .single(&["open_question"]),
    slot(
        "assumed_by_both",
        "Assumed by both",
        Field::Texts,
        "what both took for granted; may stay empty",
    )
    .also(&["assumed"]),
    slot(
        "agreements",
        "Agreements",
        Field::List(&AGREED),
        "what both accept; may stay empty",
    )
    .single(&["agreement"]),
    slot(
        "disagreements",
        "Disagreements",
        Field::List(&DIFFER),
        "where they differ to the end; may stay empty",
    )
    .single(&["disagreement"]),
    slot(
        "quality",
        "Quality",
        Field::One(&QUALITY),
        "how good the debate was",
    ),
]);
