//! The parts of a judge's verdict on a duel.

use super::argument::IN_HEADING;
use super::field::{Field, FieldKind, MovePart, new_field, new_part, root_part};
use super::filled::{Filled, Value};
use crate::moves::{AgreedPoint, Choose, Disagreement, Grade, OpenQuestion, Quality, Ruling, Side};

/// A question that stays open.
static OPEN_QUESTION: MovePart = new_part(
    "OpenQuestion",
    &[
        new_field(
            "question",
            "question",
            FieldKind::Text,
            "what stayed unsettled",
        ),
        new_field(
            "to_settle",
            "to settle",
            FieldKind::Text,
            "what would settle it",
        ),
    ],
);

/// A point that both sides accept.
pub static AGREED_POINT: MovePart = new_part(
    "AgreedPoint",
    &[
        new_field("point", "point", FieldKind::Text, "what both accept"),
        new_field(
            "evidence",
            "evidence",
            FieldKind::Ids,
            "the ids that show it",
        )
        .with_at_least_one_item(),
    ],
);

/// A point that the sides dispute to the end.
static DISAGREEMENT: MovePart = new_part(
    "Disagreement",
    &[
        new_field(
            "point",
            "point",
            FieldKind::Text,
            "where they differ to the end",
        ),
        new_field("proposer", "proposer", FieldKind::Text, "its side")
            .with_swapped_wording("side_a", "its view"),
        new_field("challenger", "challenger", FieldKind::Text, "its side")
            .with_swapped_wording("side_b", "its view"),
    ],
);

const fn grade_field(key: &'static str, label: &'static str) -> Field {
    new_field(
        key,
        label,
        FieldKind::Choice(Grade::CHOICES),
        "high, medium or low",
    )
}

/// The quality of the debate.
static QUALITY: MovePart = root_part(
    "Quality",
    &[
        grade_field("genuine_disagreement", "genuine disagreement"),
        grade_field("evidence", "evidence"),
        grade_field("challenge_depth", "challenge depth"),
    ],
);

/// The judge's verdict.
pub static VERDICT: MovePart = root_part(
    "Ruling",
    &[
        new_field(
            "winner",
            "Winner",
            FieldKind::Choice(Side::CHOICES),
            "proposer or challenger",
        )
        .with_swapped_wording("winner", "A|B"),
        new_field(
            "answer",
            "Answer",
            FieldKind::Text,
            "the recommendation, one short sentence",
        ),
        new_field("why", "Why", FieldKind::Text, "what decided it").with_max_words(75),
        new_field(
            "do_next",
            "Do next",
            FieldKind::Text,
            "the first step, concrete",
        )
        .with_captions(IN_HEADING),
        new_field(
            "unless",
            "Unless",
            FieldKind::Text,
            "when the answer changes",
        )
        .with_shape_hint("the condition under which the answer changes")
        .allow_blank()
        .with_captions(IN_HEADING),
        new_field(
            "decisive",
            "Decisive",
            FieldKind::Ids,
            "the ids that your verdict rests on",
        )
        .with_at_least_one_item(),
        new_field(
            "open",
            "Open",
            FieldKind::List(&OPEN_QUESTION),
            "what stayed unsettled; may be empty",
        ),
        new_field(
            "assumed_by_both",
            "Assumed by both",
            FieldKind::Texts,
            "what both took for granted; may stay empty",
        )
        .with_shape_hint("what both sides took for granted without a check")
        .with_captions(IN_HEADING),
        new_field(
            "agreements",
            "Agreements",
            FieldKind::List(&AGREED_POINT),
            "what both accept; may stay empty",
        ),
        new_field(
            "disagreements",
            "Disagreements",
            FieldKind::List(&DISAGREEMENT),
            "where they differ to the end; may stay empty",
        ),
        new_field(
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
            Value::from_list(open),
            Value::Texts(assumed_by_both),
            Value::from_list(agreements),
            Value::from_list(disagreements),
            quality
                .as_ref()
                .map_or(Value::Absent, |quality| Value::One(Self::from(quality))),
        ];
        Self::new(&VERDICT, values)
    }
}

impl<'a> From<&'a OpenQuestion> for Filled<'a> {
    fn from(open: &'a OpenQuestion) -> Self {
        let OpenQuestion {
            question,
            to_settle,
        } = open;
        let values = vec![Value::Text(question), Value::Text(to_settle)];
        Self::new(&OPEN_QUESTION, values)
    }
}

impl<'a> From<&'a AgreedPoint> for Filled<'a> {
    fn from(agreed: &'a AgreedPoint) -> Self {
        let AgreedPoint { point, evidence } = agreed;
        let values = vec![Value::Text(point), Value::Ids(evidence)];
        Self::new(&AGREED_POINT, values)
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
        Self::new(&DISAGREEMENT, values)
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
        Self::new(&QUALITY, values)
    }
}
