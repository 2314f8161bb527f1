//! The parts of each turn of a duel.

use super::argument::ARGUMENT;
use super::field::{Field, FieldKind, MovePart, new_field, root_part};
use super::filled::{Filled, Value};
use super::points::{AGREEMENT, ASSESSMENT, NONE_FOUND, OBJECTION, RESPONSE};
use crate::moves::{
    AnswerComparison, Blind, Challenge, Choose, Defense, FollowUp, Formal, Moves, Opening,
};

const ARGUMENTS: Field = new_field(
    "arguments",
    "Arguments",
    FieldKind::List(&ARGUMENT),
    "one to five",
);

// The rule `duel-objection-count` enforces this limit: further objections can wait for the next
// round.
const OBJECTIONS: Field = new_field(
    "objections",
    "Objections",
    FieldKind::List(&OBJECTION),
    "at most three, the worst first",
)
.with_item_range(0, 3);

/// Whether both first answers agree.
pub const FIRST_ANSWERS: Field = new_field(
    "first_answers",
    "First answers",
    FieldKind::Choice(AnswerComparison::CHOICES),
    "do both first answers agree: same or different",
)
.optional();

/// Categories in which nothing was found.
pub const NOTHING_FOUND: Field = new_field(
    "none_found",
    "Nothing found",
    FieldKind::List(&NONE_FOUND),
    "where you looked and found nothing wrong",
);

const AGREEMENTS: Field = new_field(
    "agreements",
    "Agreements",
    FieldKind::List(&AGREEMENT),
    "what you checked and accept; may stay empty",
);

const ALTERNATIVES: Field = new_field(
    "alternatives",
    "Alternatives",
    FieldKind::List(&ARGUMENT),
    "another answer to the topic",
);

/// A first answer, given before either side has heard the other.
pub static BLIND: MovePart = root_part(
    "Blind",
    &[
        new_field("answer", "Answer", FieldKind::Text, "")
            .with_max_words(5)
            .with_shape_hint("≤ 5 words"),
        new_field(
            "position",
            "Position",
            FieldKind::Text,
            "one or two sentences",
        ),
        new_field(
            "because",
            "Because",
            FieldKind::Texts,
            "your reasons, the strongest first",
        )
        .with_shape_hint("a reason, one sentence; the strongest first, ≤ 3"),
    ],
);

/// The proposer's position and arguments.
pub static OPENING: MovePart = root_part(
    "Opening",
    &[
        new_field("stance", "Stance", FieldKind::Text, "one sentence"),
        ARGUMENTS.with_item_range(1, 5),
    ],
);

/// The challenger's first reply.
pub static CHALLENGE: MovePart = root_part(
    "Challenge",
    &[
        FIRST_ANSWERS,
        OBJECTIONS,
        NOTHING_FOUND,
        AGREEMENTS,
        ALTERNATIVES.with_item_range(1, 5),
    ],
);

/// The proposer's answer to the objections.
pub static DEFENSE: MovePart = root_part(
    "Defense",
    &[
        new_field(
            "position_now",
            "Position now",
            FieldKind::Text,
            "one or two sentences",
        ),
        new_field(
            "responses",
            "Answers",
            FieldKind::List(&RESPONSE),
            "one for each objection",
        ),
        ARGUMENTS.with_item_range(0, 5),
    ],
);

/// The challenger's rulings, and new points.
pub static FOLLOW_UP: MovePart = root_part(
    "FollowUp",
    &[
        new_field(
            "assessments",
            "Rulings",
            FieldKind::List(&ASSESSMENT),
            "one for each answer",
        ),
        OBJECTIONS,
        NOTHING_FOUND,
        AGREEMENTS,
        ALTERNATIVES,
    ],
);

impl<'a> From<&'a Moves> for Filled<'a> {
    fn from(moves: &'a Moves) -> Self {
        match moves {
            Moves::Blind(blind) => Self::from(blind),
            Moves::Opening(opening) => Self::from(opening),
            Moves::Challenge(challenge) => Self::from(challenge),
            Moves::Defense(defense) => Self::from(defense),
            Moves::FollowUp(follow_up) => Self::from(follow_up),
            Moves::Verdict(ruling) => Self::from(ruling),
            Moves::Formal(Formal::Theses(theses)) => Self::from(theses),
            Moves::Formal(Formal::Case(case)) => Self::from(case),
            Moves::Formal(Formal::Rebuttal(contention)) => Self::from(&**contention),
            Moves::Formal(Formal::Scores(scores)) => Self::from(scores),
        }
    }
}

impl<'a> From<&'a Blind> for Filled<'a> {
    fn from(blind: &'a Blind) -> Self {
        let Blind {
            answer,
            position,
            because,
        } = blind;
        let values = vec![
            Value::Text(answer),
            Value::Text(position),
            Value::Texts(because),
        ];
        Self::new(&BLIND, values)
    }
}

impl<'a> From<&'a Opening> for Filled<'a> {
    fn from(opening: &'a Opening) -> Self {
        let Opening { stance, arguments } = opening;
        Self::new(
            &OPENING,
            vec![Value::Text(stance), Value::from_list(arguments)],
        )
    }
}

impl<'a> From<&'a Challenge> for Filled<'a> {
    fn from(challenge: &'a Challenge) -> Self {
        let Challenge {
            first_answers,
            objections,
            none_found,
            agreements,
            alternatives,
        } = challenge;
        let values = vec![
            first_answers.map_or(Value::Absent, |said| Value::Word(said.choice())),
            Value::from_list(objections),
            Value::from_list(none_found),
            Value::from_list(agreements),
            Value::from_list(alternatives),
        ];
        Self::new(&CHALLENGE, values)
    }
}

impl<'a> From<&'a Defense> for Filled<'a> {
    fn from(defense: &'a Defense) -> Self {
        let Defense {
            position_now,
            responses,
            arguments,
        } = defense;
        let values = vec![
            Value::Text(position_now),
            Value::from_list(responses),
            Value::from_list(arguments),
        ];
        Self::new(&DEFENSE, values)
    }
}

impl<'a> From<&'a FollowUp> for Filled<'a> {
    fn from(follow_up: &'a FollowUp) -> Self {
        let FollowUp {
            assessments,
            objections,
            none_found,
            agreements,
            alternatives,
        } = follow_up;
        let values = vec![
            Value::from_list(assessments),
            Value::from_list(objections),
            Value::from_list(none_found),
            Value::from_list(agreements),
            Value::from_list(alternatives),
        ];
        Self::new(&FOLLOW_UP, values)
    }
}
