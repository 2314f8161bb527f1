//! The parts of a form: what may be said where, and under which names.

use crate::moves::MovesKind;

/// What stands in a slot.
#[derive(Clone, Copy, Debug)]
pub(super) enum Field {
    /// Words, over as many lines as they take.
    Text,
    /// Several of those, one an entry of a list.
    Texts,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// The id of a point.
    Id,
    /// The ids of points.
    Ids,
    /// A number.
    Score,
    /// What a point rests on.
    Grounds,
    /// A part with slots of its own.
    One(&'static Shape),
    /// Several of those.
    List(&'static Shape),
}

/// A place to fill in.
#[derive(Debug)]
pub(super) struct Slot {
    /// Its key in the moves.
    pub(super) key: &'static str,
    /// How a form names it.
    pub(super) label: &'static str,
    /// Other names that are understood, plain as [`plain`] makes them.
    pub(super) also: &'static [&'static str],
    /// Names of a single entry, where it is a list.
    pub(super) single: &'static [&'static str],
    /// What stands in it.
    pub(super) field: Field,
    /// What is asked for, in a few words.
    pub(super) hint: &'static str,
}

/// A part of the moves with slots of its own.
#[derive(Debug)]
pub(super) struct Shape {
    /// Its slots, in the order of a form.
    pub(super) slots: &'static [Slot],
    /// Where words go that stand in a heading.
    pub(super) head: Option<&'static str>,
    /// Where words go that stand under no name.
    pub(super) main: Option<&'static str>,
}

impl Slot {
    /// Whether `name`, made plain, means it.
    pub(super) fn is(&self, name: &str) -> bool {
        name == self.key || plain(self.label) == name || self.also.contains(&name)
    }

    /// Whether `name`, made plain, means one entry of it.
    pub(super) fn is_one(&self, name: &str) -> bool {
        self.single.contains(&name)
    }
}

impl Shape {
    /// The slot with this key.
    pub(super) fn slot(&'static self, key: &str) -> Option<&'static Slot> {
        self.slots.iter().find(|slot| slot.key == key)
    }

    /// The slot of this name, and whether one entry of it is meant.
    pub(super) fn named(&'static self, name: &str) -> Option<(&'static Slot, bool)> {
        let whole = self.slots.iter().find(|slot| slot.is(name));
        let one = || self.slots.iter().find(|slot| slot.is_one(name));
        whole
            .map(|slot| (slot, false))
            .or_else(|| Some((one()?, true)))
    }
}

/// `name` in lower case, with `_` for everything but letters and digits.
pub(super) fn plain(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars().flat_map(char::to_lowercase) {
        if c.is_alphanumeric() {
            out.push(c);
        } else if !out.ends_with('_') {
            out.push('_');
        }
    }
    out.trim_matches('_').to_owned()
}

const fn slot(key: &'static str, label: &'static str, field: Field, hint: &'static str) -> Slot {
    Slot {
        key,
        label,
        also: &[],
        single: &[],
        field,
        hint,
    }
}

impl Slot {
    const fn also(self, also: &'static [&'static str]) -> Self {
        Self { also, ..self }
    }

    const fn single(self, single: &'static [&'static str]) -> Self {
        Self { single, ..self }
    }
}

const GRADES: Field = Field::Choice(&["high", "medium", "low"]);
const CATEGORIES: Field = Field::Choice(&[
    "correctness",
    "security",
    "developer_experience",
    "performance",
    "cost",
    "other",
]);

const GROUNDS: Slot = slot(
    "grounds",
    "grounds",
    Field::Grounds,
    "one to three, such as: src/a.rs:10-20 \"words copied from there\" — what it says — why it matters",
)
.also(&["ground", "evidence", "rests_on"]);

const TITLE: Slot = slot("title", "title", Field::Text, "5 to 7 words");
const CLAIM: Slot = slot("claim", "claim", Field::Text, "at most 25 words");
const WARRANT: Slot = slot(
    "warrant",
    "warrant",
    Field::Text,
    "why the grounds carry it, at most 50 words",
);
const BACKING: Slot = slot(
    "backing",
    "backing",
    Field::Text,
    "may stay empty, at most 50 words",
);
const QUALIFIER: Slot = slot(
    "qualifier",
    "qualifier",
    Field::Text,
    "may stay empty, at most 10 words",
);

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
        .also(&["still_favors_because", "still_stands_because"]),
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

static CONTENTION: Shape = Shape {
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
.single(&["nothing_found", "none_found_in", "nothing_found_in"]);
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

static BLIND: Shape = top(&[
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

static OPENING: Shape = top(&[
    slot(
        "stance",
        "Stance",
        Field::Text,
        "one sentence that can be acted on; no \"it depends\"",
    ),
    ARGUMENTS,
]);

static CHALLENGE: Shape = top(&[OBJECTIONS, NOTHING, AGREEMENTS, ALTERNATIVES]);

static PLEA: Shape = top(&[
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
    .single(&["answer", "response", "reply"]),
    ARGUMENTS,
]);

static FOLLOW_UP: Shape = top(&[
    slot(
        "assessments",
        "Rulings",
        Field::List(&ASSESSMENT),
        "one for each answer",
    )
    .single(&["ruling", "assessment"]),
    OBJECTIONS,
    NOTHING,
    AGREEMENTS,
    ALTERNATIVES,
]);

static VERDICT: Shape = top(&[
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

static THESES: Shape = top(&[
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

static CASE: Shape = top(&[slot(
    "arguments",
    "Arguments",
    Field::List(&CONTENTION),
    "exactly three, none resting on another",
)
.single(&["argument"])]);

static SCORES: Shape = top(&[
    slot(
        "scores",
        "Scores",
        Field::List(&SCORING),
        "every new argument once; together they are zero",
    )
    .single(&["score", "score_of", "score_for"]),
    slot(
        "rescores",
        "Rescores",
        Field::List(&RESCORING),
        "earlier arguments that now deserve another score; may stay empty",
    )
    .single(&["rescore", "rescore_of"]),
]);

const fn top(slots: &'static [Slot]) -> Shape {
    Shape {
        slots,
        head: None,
        main: None,
    }
}

/// The form of moves of `kind`.
pub(super) fn shape(kind: MovesKind) -> &'static Shape {
    match kind {
        MovesKind::Blind => &BLIND,
        MovesKind::Opening => &OPENING,
        MovesKind::Challenge => &CHALLENGE,
        MovesKind::Defense => &PLEA,
        MovesKind::FollowUp => &FOLLOW_UP,
        MovesKind::Verdict => &VERDICT,
        MovesKind::Theses => &THESES,
        MovesKind::Case => &CASE,
        MovesKind::Rebuttal => &CONTENTION,
        MovesKind::Scores => &SCORES,
    }
}
