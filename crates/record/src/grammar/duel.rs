//! What each turn of a duel says.

use super::argument::ARGUMENT;
use super::field::{Field, FieldKind, MovePart, field, whole};
use super::filled::{Filled, Value};
use super::points::{AGREEMENT, ASSESSMENT, NONE_FOUND, OBJECTION, RESPONSE};
use crate::moves::{Blind, Challenge, Defense, FollowUp, Formal, Moves, Opening};

const ARGUMENTS: Field = field(
    "arguments",
    "Arguments",
    FieldKind::List(&ARGUMENT),
    "one to five",
)
.single(&["argument", "new_argument"]);

// The rule `duel-objection-count`: what is left can be raised in the next round.
const OBJECTIONS: Field = field(
    "objections",
    "Objections",
    FieldKind::List(&OBJECTION),
    "at most three, the worst first",
)
.single(&["objection"])
.items(0, 3);

/// Categories in which nothing was found.
pub const NOTHING_FOUND: Field = field(
    "none_found",
    "Nothing found",
    FieldKind::List(&NONE_FOUND),
    "where you looked in vain",
)
.also(&["none_found"])
.single(&["nothing_found", "none_found_in", "nothing_found_in"])
.preset();

const AGREEMENTS: Field = field(
    "agreements",
    "Agreements",
    FieldKind::List(&AGREEMENT),
    "what you checked and accept; may stay empty",
)
.single(&["agreement"]);

const ALTERNATIVES: Field = field(
    "alternatives",
    "Alternatives",
    FieldKind::List(&ARGUMENT),
    "another answer to the topic",
)
.single(&["alternative"]);

/// A first answer, given before either side has heard the other.
pub static BLIND: MovePart = whole(
    "Blind",
    &[
        field("answer", "Answer", FieldKind::Text, "")
            .words(5)
            .shape("≤ 5 words")
            .form("at most five words"),
        field(
            "position",
            "Position",
            FieldKind::Text,
            "one or two sentences",
        ),
        field(
            "because",
            "Because",
            FieldKind::Texts,
            "your reasons, the strongest first",
        )
        .shape("a reason, one sentence; the strongest first, ≤ 3")
        .also(&["reasons", "reason"]),
    ],
);

/// The proposer's stance and arguments.
pub static OPENING: MovePart = whole(
    "Opening",
    &[
        field("stance", "Stance", FieldKind::Text, "one sentence")
            .form("one sentence that can be acted on; no \"it depends\""),
        ARGUMENTS.items(1, 5),
    ],
);

/// The challenger's first reply.
pub static CHALLENGE: MovePart = whole(
    "Challenge",
    &[
        OBJECTIONS,
        NOTHING_FOUND,
        AGREEMENTS,
        ALTERNATIVES.items(1, 5),
    ],
);

/// The proposer's answer to the objections.
pub static DEFENSE: MovePart = whole(
    "Defense",
    &[
        field(
            "position_now",
            "Position now",
            FieldKind::Text,
            "one or two sentences",
        )
        .form("the whole position as it now is, without what you conceded")
        .also(&["position", "stance"]),
        field(
            "responses",
            "Answers",
            FieldKind::List(&RESPONSE),
            "one for each objection",
        )
        .also(&["replies"])
        .single(&["answer", "response", "reply"])
        .preset(),
        ARGUMENTS.items(0, 5),
    ],
);

/// The challenger's rulings, and what is new.
pub static FOLLOW_UP: MovePart = whole(
    "FollowUp",
    &[
        field(
            "assessments",
            "Rulings",
            FieldKind::List(&ASSESSMENT),
            "one for each answer",
        )
        .single(&["ruling", "assessment"])
        .preset(),
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
        Self::of(&BLIND, values)
    }
}

impl<'a> From<&'a Opening> for Filled<'a> {
    fn from(opening: &'a Opening) -> Self {
        let Opening { stance, arguments } = opening;
        Self::of(
            &OPENING,
            vec![Value::Text(stance), Value::of_list(arguments)],
        )
    }
}

impl<'a> From<&'a Challenge> for Filled<'a> {
    fn from(challenge: &'a Challenge) -> Self {
        let Challenge {
            objections,
            none_found,
            agreements,
            alternatives,
        } = challenge;
        let values = vec![
            Value::of_list(objections),
            Value::of_list(none_found),
            Value::of_list(agreements),
            Value::of_list(alternatives),
        ];
        Self::of(&CHALLENGE, values)
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
            Value::of_list(responses),
            Value::of_list(arguments),
        ];
        Self::of(&DEFENSE, values)
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
            Value::of_list(assessments),
            Value::of_list(objections),
            Value::of_list(none_found),
            Value::of_list(agreements),
            Value::of_list(alternatives),
        ];
        Self::of(&FOLLOW_UP, values)
    }
}
