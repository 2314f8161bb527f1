//! The points of a duel's turns: objections, answers, rulings, agreements.

use super::argument::{GROUNDS, IN_HEADING};
use super::field::{Captions, Field, FieldKind, MovePart, new_field, new_part};
use super::filled::{Filled, Value};
use crate::moves::{
    Agreement, Assessment, Category, Choose, NoneFound, Objection, ObjectionKind,
    ObjectionSeverity, ReplyKind, Response, RulingKind,
};
use crate::point::Point;

/// Creates a field for the content of a point; prose and pages show it in the heading.
const fn content_field(
    asks: &'static str,
    in_prompt: &'static str,
    in_file: &'static str,
) -> Field {
    new_field("content", "content", FieldKind::Text, asks)
        .with_max_words(75)
        .with_captions(Captions {
            prompt: in_prompt,
            file: in_file,
            prose: "",
            page: "",
        })
}

const fn id_field(key: &'static str, label: &'static str, asks: &'static str) -> Field {
    new_field(key, label, FieldKind::Id, asks).with_captions(IN_HEADING)
}

// As many as in an argument's title, because pictures show both in boxes of the same size.
/// Maximum number of words in the title of an objection.
const OBJECTION_TITLE_WORDS: u32 = 7;

/// An objection to one point of the other side.
pub static OBJECTION: MovePart = new_part(
    "Objection",
    &[
        id_field("target", "on", "the id of the point that fails"),
        new_field(
            "kind",
            "kind",
            FieldKind::Choice(ObjectionKind::CHOICES),
            "the part that fails: claim, grounds, warrant, backing; or unsupported",
        )
        .with_captions(IN_HEADING),
        new_field(
            "category",
            "category",
            FieldKind::Choice(Category::CHOICES),
            "correctness, security, developer experience, performance, cost, practicality, fairness or \
             other",
        )
        .with_captions(IN_HEADING)
        .on_new_line(),
        new_field(
            "severity",
            "severity",
            FieldKind::Choice(ObjectionSeverity::CHOICES),
            "minor, major or blocker",
        )
        .with_captions(IN_HEADING)
        // The most severe first, because a model chooses the first word more often.
        .with_shape_hint("blocker|major|minor"),
        new_field("title", "title", FieldKind::Text, "what fails, in a few words")
            .optional()
            .with_max_words(OBJECTION_TITLE_WORDS)
            .with_captions(Captions {
                prompt: "",
                file: "In short",
                prose: "",
                page: "",
            })
            .with_shape_hint("≤ 7 words"),
        content_field("what fails and why", "Objection", "Objection")
            .on_new_line(),
        GROUNDS,
    ],
);

/// A category in which nothing was found.
pub static NONE_FOUND: MovePart = new_part(
    "NoneFound",
    &[
        new_field(
            "category",
            "category",
            FieldKind::Choice(Category::CHOICES),
            "which category",
        )
        .with_captions(IN_HEADING)
        .with_shape_hint("as above"),
        new_field(
            "looked_at",
            "looked at",
            FieldKind::Texts,
            "where you looked and found nothing wrong",
        )
        .with_shape_hint("where")
        .with_at_least_one_item(),
        // The same limit as for an answer.
        new_field(
            "why",
            "why",
            FieldKind::Text,
            "what you tried and why it held",
        )
        .optional()
        .with_max_words(75)
        .with_shape_hint("optional")
        .with_captions(Captions {
            prompt: "Why nothing was found",
            file: "Why nothing was found",
            prose: "Nothing was found because",
            page: "Why",
        }),
    ],
);

/// A point of the other side that the challenger accepts.
pub static AGREEMENT: MovePart = new_part(
    "Agreement",
    &[
        id_field("target", "with", "the id of the point you accept"),
        GROUNDS,
        // Only the prompt asks for 75 words; no rule enforces it.
        new_field(
            "remaining_risk",
            "remaining risk",
            FieldKind::Text,
            "what may still go wrong",
        )
        .with_shape_hint("≤ 75 words")
        .with_captions(Captions {
            prompt: "Remaining risk",
            file: "Remaining risk",
            prose: "What may still go wrong",
            page: "",
        }),
    ],
);

/// An answer to one objection.
pub static RESPONSE: MovePart = new_part(
    "Response",
    &[
        id_field("objection", "to", "the id of the objection"),
        new_field(
            "reply",
            "reply",
            FieldKind::Choice(ReplyKind::CHOICES),
            "concede, rebut, tradeoff or unsupported",
        )
        .with_captions(IN_HEADING),
        content_field("your answer", "Answer", "Response"),
        new_field(
            "still_favours_because",
            "still favours because",
            FieldKind::Text,
            "",
        )
        .optional()
        .with_shape_hint("why the position still stands; for tradeoff")
        .on_new_line()
        .with_captions(Captions {
            prompt: "Still favours the position because",
            file: "Still favours",
            prose: "The position still stands because",
            page: "Still stands",
        }),
        GROUNDS,
    ],
);

/// A ruling on one answer.
pub static ASSESSMENT: MovePart = new_part(
    "Assessment",
    &[
        id_field("response", "on", "the id of the answer"),
        new_field(
            "ruling",
            "ruling",
            FieldKind::Choice(RulingKind::CHOICES),
            "resolved, sustained, dodged, unsupported or reframed",
        )
        .with_captions(IN_HEADING),
        content_field("why", "Ruling", "Assessment"),
        // May be empty, because only the ruling `resolved` needs grounds.
        GROUNDS.with_item_range(0, 3),
    ],
);

impl<'a> From<Point<'a>> for Filled<'a> {
    fn from(point: Point<'a>) -> Self {
        match point {
            Point::Argument(argument) | Point::Alternative(argument) => Self::from(argument),
            Point::Objection(objection) => Self::from(objection),
            Point::Response(response) => Self::from(response),
            Point::Assessment(assessment) => Self::from(assessment),
            Point::Agreement(agreement) => Self::from(agreement),
            Point::Contention(contention) => Self::from(contention),
        }
    }
}

impl<'a> From<&'a Objection> for Filled<'a> {
    fn from(objection: &'a Objection) -> Self {
        let Objection {
            target,
            kind,
            category,
            severity,
            title,
            content,
            grounds,
        } = objection;
        let values = vec![
            Value::Id(*target),
            Value::Word(kind.choice()),
            Value::Word(category.choice()),
            Value::Word(severity.choice()),
            Value::from_optional(title.as_ref()),
            Value::Text(content),
            Value::Grounds(grounds),
        ];
        Self::new(&OBJECTION, values)
    }
}

impl<'a> From<&'a NoneFound> for Filled<'a> {
    fn from(none: &'a NoneFound) -> Self {
        let NoneFound {
            category,
            looked_at,
            why,
        } = none;
        let values = vec![
            Value::Word(category.choice()),
            Value::Texts(looked_at),
            Value::from_optional(why.as_ref()),
        ];
        Self::new(&NONE_FOUND, values)
    }
}

impl<'a> From<&'a Agreement> for Filled<'a> {
    fn from(agreement: &'a Agreement) -> Self {
        let Agreement {
            target,
            grounds,
            remaining_risk,
        } = agreement;
        let values = vec![
            Value::Id(*target),
            Value::Grounds(grounds),
            Value::Text(remaining_risk),
        ];
        Self::new(&AGREEMENT, values)
    }
}

impl<'a> From<&'a Response> for Filled<'a> {
    fn from(response: &'a Response) -> Self {
        let Response {
            objection,
            reply,
            content,
            still_favours_because,
            grounds,
        } = response;
        let values = vec![
            Value::Id(*objection),
            Value::Word(reply.choice()),
            Value::Text(content),
            Value::from_optional(still_favours_because.as_ref()),
            Value::Grounds(grounds),
        ];
        Self::new(&RESPONSE, values)
    }
}

impl<'a> From<&'a Assessment> for Filled<'a> {
    fn from(assessment: &'a Assessment) -> Self {
        let Assessment {
            response,
            ruling,
            content,
            grounds,
        } = assessment;
        let values = vec![
            Value::Id(*response),
            Value::Word(ruling.choice()),
            Value::Text(content),
            Value::Grounds(grounds),
        ];
        Self::new(&ASSESSMENT, values)
    }
}
