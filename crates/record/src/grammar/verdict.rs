//! What a judge says of a duel.

use super::argument::IN_HEADING;
use super::field::{Field, FieldKind, MovePart, field, point, whole};
use super::filled::{Filled, Value};
use crate::moves::{AgreedPoint, Choose, Disagreement, Grade, OpenQuestion, Quality, Ruling, Side};

/// A question that stays open.
static OPEN_QUESTION: MovePart = point(
    "OpenQuestion",
    &[
        field(
            "question",
            "question",
            FieldKind::Text,
            "what nobody settled",
        ),
        field(
            "to_settle",
            "to settle",
            FieldKind::Text,
            "what would settle it",
        )
        .also(&["settle"]),
    ],
    "question",
);

/// A point that both sides accept.
pub static AGREED_POINT: MovePart = point(
    "AgreedPoint",
    &[
        field("point", "point", FieldKind::Text, "what both accept"),
        field(
            "evidence",
            "evidence",
            FieldKind::Ids,
            "the ids that show it",
        )
        .also(&["ids"])
        .at_least_one(),
    ],
    "point",
);

/// A point on which the sides differ to the end.
static DISAGREEMENT: MovePart = point(
    "Disagreement",
    &[
        field(
            "point",
            "point",
            FieldKind::Text,
            "where they differ to the end",
        ),
        field("proposer", "proposer", FieldKind::Text, "its side").swapped("side_a", "its view"),
        field("challenger", "challenger", FieldKind::Text, "its side")
            .swapped("side_b", "its view"),
    ],
    "point",
);

const fn grade(key: &'static str, label: &'static str) -> Field {
    field(
        key,
        label,
        FieldKind::Choice(Grade::CHOICES),
        "high, medium or low",
    )
}

/// How good the debate was.
static QUALITY: MovePart = whole(
    "Quality",
    &[
        grade("genuine_disagreement", "genuine disagreement"),
        grade("evidence", "evidence"),
        grade("challenge_depth", "challenge depth"),
    ],
);

/// The judge's verdict.
pub static VERDICT: MovePart = whole(
    "Ruling",
    &[
        field(
            "winner",
            "Winner",
            FieldKind::Choice(Side::CHOICES),
            "proposer or challenger",
        )
        .swapped("winner", "A|B"),
        field(
            "answer",
            "Answer",
            FieldKind::Text,
            "the recommendation, one short sentence",
        ),
        field("why", "Why", FieldKind::Text, "what decided it").words(75),
        field(
            "do_next",
            "Do next",
            FieldKind::Text,
            "the first step, concrete",
        )
        .also(&["next"])
        .captions(IN_HEADING),
        field(
            "unless",
            "Unless",
            FieldKind::Text,
            "when the answer changes",
        )
        .shape("the condition under which the answer changes")
        .may_be_blank()
        .captions(IN_HEADING),
        field(
            "decisive",
            "Decisive",
            FieldKind::Ids,
            "the ids that your verdict rests on",
        )
        .also(&["decisive_points"])
        .at_least_one(),
        field(
            "open",
            "Open",
            FieldKind::List(&OPEN_QUESTION),
            "what nobody settled; may stay empty",
        )
        .also(&["open_questions", "still_open"])
        .single(&["open_question"]),
        field(
            "assumed_by_both",
            "Assumed by both",
            FieldKind::Texts,
            "what both took for granted; may stay empty",
        )
        .shape("what both sides took for granted and nobody checked")
        .also(&["assumed"])
        .captions(IN_HEADING),
        field(
            "agreements",
            "Agreements",
            FieldKind::List(&AGREED_POINT),
            "what both accept; may stay empty",
        )
        .single(&["agreement"]),
        field(
            "disagreements",
            "Disagreements",
            FieldKind::List(&DISAGREEMENT),
            "where they differ to the end; may stay empty",
        )
        .single(&["disagreement"]),
        field(
            "quality",
            "Quality",
            FieldKind::One(&QUALITY),
            "how good the debate was",
        ),
    ],
);

impl<'a> From<&'a Ruling> for Filled<'a> {
    fn from(ruling: &'a Ruling) -> Self {
        let Ruling {
            winner,
            answer,
            why,
            do_next,
            unless,
            decisive,
            open,
            assumed_by_both,
            agreements,
            disagreements,
            quality,
        } = ruling;
        let values = vec![
            Value::Word(winner.choice()),
            Value::Text(answer),
            Value::Text(why),
            Value::Text(do_next),
            Value::Text(unless),
            Value::Ids(decisive),
            Value::of_list(open),
            Value::Texts(assumed_by_both),
            Value::of_list(agreements),
            Value::of_list(disagreements),
            Value::One(Self::from(quality)),
        ];
        Self::of(&VERDICT, values)
    }
}

impl<'a> From<&'a OpenQuestion> for Filled<'a> {
    fn from(open: &'a OpenQuestion) -> Self {
        let OpenQuestion {
            question,
            to_settle,
        } = open;
        let values = vec![Value::Text(question), Value::Text(to_settle)];
        Self::of(&OPEN_QUESTION, values)
    }
}

impl<'a> From<&'a AgreedPoint> for Filled<'a> {
    fn from(agreed: &'a AgreedPoint) -> Self {
        let AgreedPoint { point, evidence } = agreed;
        let values = vec![Value::Text(point), Value::Ids(evidence)];
        Self::of(&AGREED_POINT, values)
    }
}

impl<'a> From<&'a Disagreement> for Filled<'a> {
    fn from(differ: &'a Disagreement) -> Self {
        let Disagreement {
            point,
            proposer,
            challenger,
        } = differ;
        let values = vec![
            Value::Text(point),
            Value::Text(proposer),
            Value::Text(challenger),
        ];
        Self::of(&DISAGREEMENT, values)
    }
}

impl<'a> From<&'a Quality> for Filled<'a> {
    fn from(quality: &'a Quality) -> Self {
        let Quality {
            genuine_disagreement,
            evidence,
            challenge_depth,
        } = quality;
        let grades = [genuine_disagreement, evidence, challenge_depth];
        let values = grades.map(|grade| Value::Word(grade.choice())).to_vec();
        Self::of(&QUALITY, values)
    }
}
