//! What a duel's turns are made of: objections, answers, rulings, agreements.

use super::argument::{GROUNDS, IN_HEADING};
use super::field::{Captions, Field, FieldKind, MovePart, field, point};
use super::filled::{Filled, Value};
use crate::moves::{
    Agreement, Assessment, Category, Choose, NoneFound, Objection, ObjectionKind,
    ObjectionSeverity, ReplyKind, Response, RulingKind,
};
use crate::point::Point;

/// The content of a point: prose and pages have it in its heading.
const fn content(asks: &'static str, in_prompt: &'static str, in_file: &'static str) -> Field {
    field("content", "content", FieldKind::Text, asks)
        .words(75)
        .captions(Captions {
            prompt: in_prompt,
            file: in_file,
            prose: "",
            page: "",
        })
}

const fn id(key: &'static str, label: &'static str, asks: &'static str) -> Field {
    field(key, label, FieldKind::Id, asks).captions(IN_HEADING)
}

/// An objection to one point of the other side.
pub static OBJECTION: MovePart = point(
    "Objection",
    &[
        id("target", "on", "the id of the point that fails").also(&["target", "point"]),
        field(
            "kind",
            "kind",
            FieldKind::Choice(ObjectionKind::CHOICES),
            "the part that fails: claim, grounds, warrant, backing; or unsupported",
        )
        .captions(IN_HEADING)
        .also(&["part"]),
        field(
            "category",
            "category",
            FieldKind::Choice(Category::CHOICES),
            "correctness, security, developer experience, performance, cost or other",
        )
        .captions(IN_HEADING)
        .on_new_line(),
        field(
            "severity",
            "severity",
            FieldKind::Choice(ObjectionSeverity::CHOICES),
            "minor, major or blocker",
        )
        .captions(IN_HEADING)
        // The worst first: a model takes the first word more often.
        .shape("blocker|major|minor"),
        content("what fails and why", "Objection", "Objection")
            .form("at most 75 words")
            .also(&["text", "what_fails", "objection"])
            .on_new_line(),
        GROUNDS,
    ],
    "content",
);

/// A category in which nothing was found.
pub static NONE_FOUND: MovePart = point(
    "NoneFound",
    &[
        field(
            "category",
            "category",
            FieldKind::Choice(Category::CHOICES),
            "which category",
        )
        .captions(IN_HEADING)
        .shape("as above"),
        field(
            "looked_at",
            "looked at",
            FieldKind::Texts,
            "where you looked and found nothing wrong",
        )
        .shape("where you looked")
        .also(&["looked", "places", "where"])
        .at_least_one(),
    ],
    "looked_at",
);

/// A point of the other side that is accepted.
pub static AGREEMENT: MovePart = point(
    "Agreement",
    &[
        id("target", "with", "the id of the point you accept").also(&["target", "point", "on"]),
        GROUNDS,
        // Asked for in 75 words, and held to no limit.
        field(
            "remaining_risk",
            "remaining risk",
            FieldKind::Text,
            "what may go wrong all the same",
        )
        .shape("≤ 75 words")
        .also(&["risk"])
        .captions(Captions {
            prompt: "Remaining risk",
            file: "Remaining risk",
            prose: "What may still go wrong",
            page: "",
        }),
    ],
    "remaining_risk",
);

/// An answer to one objection.
pub static RESPONSE: MovePart = point(
    "Response",
    &[
        id("objection", "to", "the id of the objection").also(&["target", "on"]),
        field(
            "reply",
            "reply",
            FieldKind::Choice(ReplyKind::CHOICES),
            "concede, rebut or tradeoff",
        )
        .captions(IN_HEADING)
        .also(&["kind"]),
        content("your answer", "Answer", "Response").also(&["text", "because"]),
        field(
            "still_favours_because",
            "still favours because",
            FieldKind::Text,
            "",
        )
        .optional()
        .form("for a trade-off: why the position still stands")
        .shape("why the position still stands; for tradeoff")
        .on_new_line()
        .also(&["still_favors_because", "still_stands_because"])
        .captions(Captions {
            prompt: "Still favours the position because",
            file: "Still favours",
            prose: "The position still stands because",
            page: "Still stands",
        }),
        GROUNDS,
    ],
    "content",
);

/// A ruling on one answer.
pub static ASSESSMENT: MovePart = point(
    "Assessment",
    &[
        id("response", "on", "the id of the answer").also(&["target"]),
        field(
            "ruling",
            "ruling",
            FieldKind::Choice(RulingKind::CHOICES),
            "resolved, sustained, dodged, unsupported or reframed",
        )
        .captions(IN_HEADING),
        content("why", "Ruling", "Assessment").also(&["text", "why"]),
        // Only a resolution has to rest on something.
        GROUNDS.items(0, 3),
    ],
    "content",
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
            content,
            grounds,
        } = objection;
        let values = vec![
            Value::Id(*target),
            Value::Word(kind.choice()),
            Value::Word(category.choice()),
            Value::Word(severity.choice()),
            Value::Text(content),
            Value::Grounds(grounds),
        ];
        Self::of(&OBJECTION, values)
    }
}

impl<'a> From<&'a NoneFound> for Filled<'a> {
    fn from(none: &'a NoneFound) -> Self {
        let NoneFound {
            category,
            looked_at,
        } = none;
        let values = vec![Value::Word(category.choice()), Value::Texts(looked_at)];
        Self::of(&NONE_FOUND, values)
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
        Self::of(&AGREEMENT, values)
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
            Value::of_optional(still_favours_because.as_ref()),
            Value::Grounds(grounds),
        ];
        Self::of(&RESPONSE, values)
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
        Self::of(&ASSESSMENT, values)
    }
}
