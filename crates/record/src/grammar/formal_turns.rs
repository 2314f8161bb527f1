//! The parts of each turn of a formal debate.

use super::argument::{self, BACKING, CLAIM, GROUNDS, QUALIFIER, TITLE, WARRANT};
use super::field::{Field, FieldKind, MovePart, new_field, new_part, root_part};
use super::filled::{Filled, Value};
use crate::moves::{
    Attack, AttackKind, Case, Choose, Contention, Defend, DefenseKind, Rescoring, Scores, Scoring,
    Theses,
};

/// An attack on an argument of the other side.
pub static ATTACK: MovePart = new_part(
    "Attack",
    &[
        new_field("target_id", "on", FieldKind::Id, "the id of their argument"),
        new_field(
            "attack_type",
            "kind",
            FieldKind::Choice(AttackKind::CHOICES),
            "the part that fails: claim, grounds, warrant or backing",
        ),
        new_field("content", "content", FieldKind::Text, "what fails and why")
            .with_max_words(75)
            .on_new_line(),
    ],
);

/// A defense of an argument of one's own side.
pub static DEFEND: MovePart = new_part(
    "Defend",
    &[
        new_field(
            "target_id",
            "of",
            FieldKind::Id,
            "the id of your own argument",
        ),
        new_field(
            "defense_type",
            "kind",
            FieldKind::Choice(DefenseKind::CHOICES),
            "reinforce, clarify, or concede and pivot",
        ),
        new_field("content", "content", FieldKind::Text, "").with_max_words(75),
    ],
);

/// An argument with its attacks and defenses.
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
        new_field("attacks", "Attacks", FieldKind::List(&ATTACK), "at most 3")
            .on_new_line()
            .with_item_range(0, 3),
        new_field("defends", "Defenses", FieldKind::List(&DEFEND), "at most 2")
            .on_new_line()
            .with_item_range(0, 2),
    ],
    each_on_a_line: false,
};

const ARGUMENT_ID: Field = new_field("argument_id", "of", FieldKind::Id, "the id of the argument");

const fn reasoning_field(asks: &'static str) -> Field {
    new_field("reasoning", "reasoning", FieldKind::Text, asks).with_max_words(75)
}

/// The score of a new argument.
pub static SCORING: MovePart = new_part(
    "Scoring",
    &[
        ARGUMENT_ID,
        new_field("score", "score", FieldKind::Score, "from -1 to 1").with_shape_hint("0.3"),
        reasoning_field("why"),
    ],
);

/// A new score for an earlier argument.
pub static RESCORING: MovePart = new_part(
    "Rescoring",
    &[
        ARGUMENT_ID,
        new_field(
            "old_score",
            "old score",
            FieldKind::Score,
            "what it has now",
        )
        .optional()
        .with_shape_hint("0.4"),
        new_field(
            "new_score",
            "new score",
            FieldKind::Score,
            "at most 0.5 away",
        )
        .with_shape_hint("0.2"),
        reasoning_field("what changed"),
    ],
);

/// The thesis of each side.
pub static THESES: MovePart = root_part(
    "Theses",
    // Some tolerance: the prompt asks for 25 words, and the rule allows 30.
    &[
        new_field("proposition", "Proposition", FieldKind::Text, "")
            .with_max_words(30)
            .with_shape_hint("one plain sentence, ≤ 25 words"),
        new_field("opposition", "Opposition", FieldKind::Text, "")
            .with_max_words(30)
            .with_shape_hint("one plain sentence of its own, ≤ 25 words"),
    ],
);

/// A side's opening arguments.
pub static CASE: MovePart = root_part(
    "Case",
    &[new_field(
        "arguments",
        "Arguments",
        FieldKind::List(&CONTENTION),
        "exactly three, none depending on another",
    )
    .with_item_range(3, 3)],
);

/// A judge's scores.
pub static SCORES: MovePart = root_part(
    "Scores",
    &[
        new_field(
            "scores",
            "Scores",
            FieldKind::List(&SCORING),
            "every new argument once; together they are zero",
        ),
        new_field(
            "rescores",
            "Rescores",
            FieldKind::List(&RESCORING),
            "earlier arguments that now deserve another score; may stay empty",
        ),
    ],
);

impl<'a> From<&'a Theses> for Filled<'a> {
    fn from(theses: &'a Theses) -> Self {
        let Theses {
            proposition,
            opposition,
        } = theses;
        let values = vec![Value::Text(proposition), Value::Text(opposition)];
        Self::new(&THESES, values)
    }
}

impl<'a> From<&'a Case> for Filled<'a> {
    fn from(case: &'a Case) -> Self {
        let Case { arguments } = case;
        Self::new(&CASE, vec![Value::from_list(arguments)])
    }
}

impl<'a> From<&'a Contention> for Filled<'a> {
    fn from(contention: &'a Contention) -> Self {
        let Contention {
            argument,
            attacks,
            defends,
        } = contention;
        let mut values = argument::argument_values(argument);
        values.extend([Value::from_list(attacks), Value::from_list(defends)]);
        Self::new(&CONTENTION, values)
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
        Self::new(&ATTACK, values)
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
        Self::new(&DEFEND, values)
    }
}

impl<'a> From<&'a Scores> for Filled<'a> {
    fn from(scores: &'a Scores) -> Self {
        let Scores { scores, rescores } = scores;
        let values = vec![Value::from_list(scores), Value::from_list(rescores)];
        Self::new(&SCORES, values)
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
        Self::new(&SCORING, values)
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
        Self::new(&RESCORING, values)
    }
}
