//! What each turn of a formal debate says.

use super::argument::{self, BACKING, CLAIM, GROUNDS, QUALIFIER, TITLE, WARRANT};
use super::field::{Field, FieldKind, MovePart, field, point, whole};
use super::filled::{Filled, Value};
use crate::moves::{
    Attack, AttackKind, Case, Choose, Contention, Defend, DefenseKind, Rescoring, Scores, Scoring,
    Theses,
};

/// An attack on an argument of the other side.
pub static ATTACK: MovePart = point(
    "Attack",
    &[
        field("target_id", "on", FieldKind::Id, "the id of their argument").also(&["target"]),
        field(
            "attack_type",
            "kind",
            FieldKind::Choice(AttackKind::CHOICES),
            "the part that fails: claim, grounds, warrant or backing",
        )
        .also(&["type", "part"]),
        field("content", "content", FieldKind::Text, "what fails and why")
            .words(75)
            .on_new_line()
            .also(&["text"]),
    ],
    "content",
);

/// A defense of an argument of the own side.
pub static DEFEND: MovePart = point(
    "Defend",
    &[
        field(
            "target_id",
            "of",
            FieldKind::Id,
            "the id of your own argument",
        )
        .also(&["target", "on"]),
        field(
            "defense_type",
            "kind",
            FieldKind::Choice(DefenseKind::CHOICES),
            "reinforce, clarify, or concede and pivot",
        )
        .also(&["type", "defence_type"]),
        field("content", "content", FieldKind::Text, "")
            .words(75)
            .also(&["text"]),
    ],
    "content",
);

/// An argument with what it attacks and what it defends.
pub static CONTENTION: MovePart = MovePart {
    name: "Contention",
    word: "ARGUMENT",
    fields: &[
        TITLE,
        CLAIM,
        GROUNDS,
        WARRANT.on_new_line(),
        BACKING,
        QUALIFIER,
        field("attacks", "Attacks", FieldKind::List(&ATTACK), "at most 3")
            .on_new_line()
            .single(&["attack"])
            .items(0, 3),
        field("defends", "Defenses", FieldKind::List(&DEFEND), "at most 2")
            .on_new_line()
            .also(&["defences"])
            .single(&["defense", "defence", "defend"])
            .items(0, 2),
    ],
    head: Some("title"),
    main: Some("claim"),
};

const ARGUMENT_ID: Field = field("argument_id", "of", FieldKind::Id, "the id of the argument")
    .also(&["argument", "target", "id"]);

const fn reasoning(asks: &'static str) -> Field {
    field("reasoning", "reasoning", FieldKind::Text, asks)
        .words(75)
        .also(&["why", "reason"])
}

/// The score of a new argument.
pub static SCORING: MovePart = point(
    "Scoring",
    &[
        ARGUMENT_ID,
        field("score", "score", FieldKind::Score, "from -1 to 1").shape("0.3"),
        reasoning("why"),
    ],
    "reasoning",
);

/// A new score for an earlier argument.
pub static RESCORING: MovePart = point(
    "Rescoring",
    &[
        ARGUMENT_ID,
        field(
            "old_score",
            "old score",
            FieldKind::Score,
            "what it has now",
        )
        .form("what it has now")
        .optional()
        .shape("0.4")
        .also(&["old"]),
        field(
            "new_score",
            "new score",
            FieldKind::Score,
            "at most 0.5 away",
        )
        .shape("0.2")
        .also(&["new", "score"]),
        reasoning("what changed"),
    ],
    "reasoning",
);

/// What each side defends.
pub static THESES: MovePart = whole(
    "Theses",
    // Asked for in 25 words, and held to 30.
    &[
        field("proposition", "Proposition", FieldKind::Text, "")
            .words(30)
            .shape("one plain sentence, ≤ 25 words")
            .form("what it defends, one plain sentence"),
        field("opposition", "Opposition", FieldKind::Text, "")
            .words(30)
            .shape("one plain sentence of its own, ≤ 25 words")
            .form("what it defends, put positively"),
    ],
);

/// The arguments with which a side opens.
pub static CASE: MovePart = whole(
    "Case",
    &[field(
        "arguments",
        "Arguments",
        FieldKind::List(&CONTENTION),
        "exactly three, none resting on another",
    )
    .single(&["argument"])
    .items(3, 3)],
);

/// A judge's scores.
pub static SCORES: MovePart = whole(
    "Scores",
    &[
        field(
            "scores",
            "Scores",
            FieldKind::List(&SCORING),
            "every new argument once; together they are zero",
        )
        .single(&["score", "score_of", "score_for"])
        .preset(),
        field(
            "rescores",
            "Rescores",
            FieldKind::List(&RESCORING),
            "earlier arguments that now deserve another score; may stay empty",
        )
        .single(&["rescore", "rescore_of"]),
    ],
);

impl<'a> From<&'a Theses> for Filled<'a> {
    fn from(theses: &'a Theses) -> Self {
        let Theses {
            proposition,
            opposition,
        } = theses;
        let values = vec![Value::Text(proposition), Value::Text(opposition)];
        Self::of(&THESES, values)
    }
}

impl<'a> From<&'a Case> for Filled<'a> {
    fn from(case: &'a Case) -> Self {
        let Case { arguments } = case;
        Self::of(&CASE, vec![Value::of_list(arguments)])
    }
}

impl<'a> From<&'a Contention> for Filled<'a> {
    fn from(contention: &'a Contention) -> Self {
        let Contention {
            argument,
            attacks,
            defends,
        } = contention;
        let mut values = argument::values(argument);
        values.extend([Value::of_list(attacks), Value::of_list(defends)]);
        Self::of(&CONTENTION, values)
    }
}

impl<'a> From<&'a Attack> for Filled<'a> {
    fn from(attack: &'a Attack) -> Self {
        let Attack {
            target_id,
            attack_type,
            content,
        } = attack;
        let values = vec![
            Value::Id(*target_id),
            Value::Word(attack_type.choice()),
            Value::Text(content),
        ];
        Self::of(&ATTACK, values)
    }
}

impl<'a> From<&'a Defend> for Filled<'a> {
    fn from(defend: &'a Defend) -> Self {
        let Defend {
            target_id,
            defense_type,
            content,
        } = defend;
        let values = vec![
            Value::Id(*target_id),
            Value::Word(defense_type.choice()),
            Value::Text(content),
        ];
        Self::of(&DEFEND, values)
    }
}

impl<'a> From<&'a Scores> for Filled<'a> {
    fn from(scores: &'a Scores) -> Self {
        let Scores { scores, rescores } = scores;
        let values = vec![Value::of_list(scores), Value::of_list(rescores)];
        Self::of(&SCORES, values)
    }
}

impl<'a> From<&'a Scoring> for Filled<'a> {
    fn from(scoring: &'a Scoring) -> Self {
        let Scoring {
            argument_id,
            score,
            reasoning,
        } = scoring;
        let values = vec![
            Value::Id(*argument_id),
            Value::Score(*score),
            Value::Text(reasoning),
        ];
        Self::of(&SCORING, values)
    }
}

impl<'a> From<&'a Rescoring> for Filled<'a> {
    fn from(rescoring: &'a Rescoring) -> Self {
        let Rescoring {
            argument_id,
            old_score,
            new_score,
            reasoning,
        } = rescoring;
        let values = vec![
            Value::Id(*argument_id),
            old_score.map_or(Value::Absent, Value::Score),
            Value::Score(*new_score),
            Value::Text(reasoning),
        ];
        Self::of(&RESCORING, values)
    }
}
