//! The forms of a formal debate.

use super::common::{BACKING, CLAIM, GROUNDS, QUALIFIER, TITLE, WARRANT};
use crate::human::shape::{Field, Shape, Slot, slot, top};

static ATTACK: Shape = Shape {
    slots: &[
        slot("target_id", "on", Field::Id, "the id of their argument").also(&["target"]),
        slot(
            "attack_type",
            "kind",
            Field::Choice(&[
                "claim_attack",
                "grounds_attack",
                "warrant_attack",
                "backing_attack",
            ]),
            "the part that fails: claim, grounds, warrant or backing",
        )
        .also(&["type", "part"]),
        slot(
            "content",
            "content",
            Field::Text,
            "what fails and why, at most 75 words",
        )
        .also(&["text"]),
    ],
    head: Some("content"),
    main: Some("content"),
};

static DEFENSE: Shape = Shape {
    slots: &[
        slot("target_id", "of", Field::Id, "the id of your own argument").also(&["target", "on"]),
        slot(
            "defense_type",
            "kind",
            Field::Choice(&["reinforce", "clarify", "concede_and_pivot"]),
            "reinforce, clarify, or concede and pivot",
        )
        .also(&["type", "defence_type"]),
        slot("content", "content", Field::Text, "at most 75 words").also(&["text"]),
    ],
    head: Some("content"),
    main: Some("content"),
};

const ATTACKS: Slot =
    slot("attacks", "Attacks", Field::List(&ATTACK), "at most 3").single(&["attack"]);
const DEFENDS: Slot = slot("defends", "Defenses", Field::List(&DEFENSE), "at most 2")
    .also(&["defences"])
    .single(&["defense", "defence", "defend"]);

pub(super) static CONTENTION: Shape = Shape {
    slots: &[
        TITLE, CLAIM, GROUNDS, WARRANT, BACKING, QUALIFIER, ATTACKS, DEFENDS,
    ],
    head: Some("title"),
    main: Some("claim"),
};

static SCORING: Shape = Shape {
    slots: &[
        slot("argument_id", "of", Field::Id, "the id of the argument")
            .also(&["argument", "target", "id"]),
        slot("score", "score", Field::Score, "from -1 to 1"),
        slot(
            "reasoning",
            "reasoning",
            Field::Text,
            "why, at most 75 words",
        )
        .also(&["why", "reason"]),
    ],
    head: Some("reasoning"),
    main: Some("reasoning"),
};

static RESCORING: Shape = Shape {
    slots: &[
        slot("argument_id", "of", Field::Id, "the id of the argument")
            .also(&["argument", "target", "id"]),
        slot("old_score", "old score", Field::Score, "what it has now").also(&["old"]),
        slot("new_score", "new score", Field::Score, "at most 0.5 away").also(&["new", "score"]),
        slot(
            "reasoning",
            "reasoning",
            Field::Text,
            "what changed, at most 75 words",
        )
        .also(&["why", "reason"]),
    ],
    head: Some("reasoning"),
    main: Some("reasoning"),
};

pub(super) static THESES: Shape = top(&[
    slot(
        "proposition",
        "Proposition",
        Field::Text,
        "what it defends, one plain sentence",
    ),
    slot(
        "opposition",
        "Opposition",
        Field::Text,
        "what it defends, put positively",
    ),
]);

pub(super) static CASE: Shape = top(&[slot(
    "arguments",
    "Arguments",
    Field::List(&CONTENTION),
    "exactly three, none resting on another",
)
.single(&["argument"])]);

pub(super) static SCORES: Shape = top(&[
    slot(
        "scores",
        "Scores",
        Field::List(&SCORING),
        "every new argument once; together they are zero",
    )
    .single(&["score", "score_of", "score_for"])
    .laid(),
    slot(
        "rescores",
        "Rescores",
        Field::List(&RESCORING),
        "earlier arguments that now deserve another score; may stay empty",
    )
    .single(&["rescore", "rescore_of"]),
]);
