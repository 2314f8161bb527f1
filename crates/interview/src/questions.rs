//! Creates the questions of a turn.

use agon_record::id::{AskKey, NodeId, Seat, TurnId};
use agon_record::moves::{MovesKind, ObjectionSeverity, Side};
use agon_record::options::{Contrast, Options};
use agon_record::point::{Node, Point};
use agon_record::state::State;

use crate::computing::is_about_computing;
use crate::field::AnswerField;
use crate::options::read_options;
use crate::question::{Interview, Question, Tone};

mod phrasings;
#[cfg(test)]
mod tests;

impl Interview {
    /// Returns the interview of the seat of `key` for moves of `kind`; `None` if its model takes
    /// whole turns, or the topic does not name two options.
    pub fn for_turn(state: &State, key: AskKey, kind: MovesKind) -> Option<Self> {
        let seating = state.seats.get(&key.turn.seat)?;
        if !seating.is_interviewed() || !state.format_rules().can_interview {
            return None;
        }
        let topic = &state.spec.topic;
        let recorded = state.spec.options().cloned();
        let options = recorded.or_else(|| read_options(topic).ok())?;
        let nodes = state.nodes();
        let before = nodes.iter().filter(|node| node.turn < key.turn);
        let before: Vec<&Node<'_>> = before.collect();
        let said = before.iter().map(|node| node.point.main_text().to_owned());
        Some(Self {
            topic: topic.clone(),
            examples: phrasings::examples(options.contrast, is_about_computing(topic, &options)),
            questions: questions((&options, topic), kind, key.turn, &before),
            said_before: said.collect(),
            again: key.again,
            options,
        })
    }
}

/// Returns the questions of one turn.
fn questions(
    (options, topic): (&Options, &str),
    kind: MovesKind,
    turn: TurnId,
    before: &[&Node<'_>],
) -> Vec<Question> {
    let side = match turn.seat {
        Seat::Challenger => Side::Challenger,
        _ => Side::Proposer,
    };
    let asks = Asks {
        options,
        topic,
        side,
    };
    match kind {
        MovesKind::Blind => asks.questions_for(&[AnswerField::Position]),
        MovesKind::Opening => asks.questions_for(&[AnswerField::Claim(1), AnswerField::Claim(2)]),
        MovesKind::Challenge => {
            let targets = targets(before, turn);
            let objection = |(nth, target): (u8, NodeId)| AnswerField::Objection(nth, target);
            let fields: Vec<_> = (1..).zip(targets).map(objection).collect();
            let mut all = asks.questions_against(&fields);
            all.extend(asks.questions_for(&[AnswerField::Alternative(1)]));
            all
        }
        MovesKind::Defense => {
            let due = before
                .iter()
                .filter(|node| needs_answer(node, before, turn));
            let fields: Vec<_> = due.map(|node| AnswerField::Response(node.id)).collect();
            asks.questions_for(&fields)
        }
        MovesKind::FollowUp => {
            let last = last_turn(before, turn);
            let answers = before
                .iter()
                .filter(|node| Some(node.turn) == last && matches!(node.point, Point::Response(_)));
            let fields: Vec<_> = answers
                .map(|node| AnswerField::Assessment(node.id))
                .collect();
            asks.questions_against(&fields)
        }
        MovesKind::Verdict => verdict_questions((options, topic), before),
        MovesKind::Theses | MovesKind::Case | MovesKind::Rebuttal | MovesKind::Scores => Vec::new(),
    }
}

/// The questions for one side.
struct Asks<'a> {
    options: &'a Options,
    topic: &'a str,
    side: Side,
}

impl Asks<'_> {
    /// Returns questions for reasons that support the side, with every phrasing for each field, so
    /// that the next phrasing is tried if there is no answer.
    fn questions_for(&self, fields: &[AnswerField]) -> Vec<Question> {
        let contrast = self.options.contrast;
        let tone = phrasings::tone_of_reasons(contrast, self.side);
        self.rotate_phrasings(fields, phrasings::reasons(contrast, self.side), tone)
    }

    /// Returns questions for reasons against the other side.
    fn questions_against(&self, fields: &[AnswerField]) -> Vec<Question> {
        let contrast = self.options.contrast;
        let tone = phrasings::tone_of_faults(contrast, self.side);
        self.rotate_phrasings(fields, phrasings::faults(contrast, self.side), tone)
    }

    /// Returns all phrasings for each field, each field starting with a different one, so that no
    /// two questions are the same.
    fn rotate_phrasings(
        &self,
        fields: &[AnswerField],
        ways: &[phrasings::Phrasing],
        tone: Tone,
    ) -> Vec<Question> {
        let ask = |(nth, field): (usize, &AnswerField)| -> Vec<Question> {
            let rotated = ways.iter().cycle().skip(nth % ways.len()).take(ways.len());
            rotated
                .map(|way| self.question(*field, way, tone))
                .collect()
        };
        fields.iter().enumerate().flat_map(ask).collect()
    }

    fn question(&self, field: AnswerField, way: &phrasings::Phrasing, tone: Tone) -> Question {
        let Options { setting, .. } = self.options;
        let own = &self.options.side(self.side).phrase;
        let other = &self.options.side(other_side(self.side)).phrase;
        let setting = match setting.as_str() {
            "" => String::new(),
            setting => format!(" {setting}"),
        };
        let fill = |slot: &phrasings::Slot| match slot {
            phrasings::Slot::Own => own.clone(),
            phrasings::Slot::Other => other.clone(),
            phrasings::Slot::Setting => setting.clone(),
            phrasings::Slot::Topic => ensure_end_mark(self.topic),
        };
        let about = match (self.options.contrast, way.of_other) {
            (Contrast::Between, true) => Some(other_side(self.side)),
            (Contrast::Between, false) => Some(self.side),
            (Contrast::Against | Contrast::Answers, _) => None,
        };
        Question {
            field,
            words: way.words,
            fills: way.slots.iter().map(fill).collect(),
            about,
            tone: Some(tone),
            choices: None,
            after: None,
        }
    }
}

fn other_side(side: Side) -> Side {
    match side {
        Side::Proposer => Side::Challenger,
        Side::Challenger => Side::Proposer,
    }
}

/// Returns the last turn before this one in which the other side spoke.
fn last_turn(before: &[&Node<'_>], turn: TurnId) -> Option<TurnId> {
    let theirs = before
        .iter()
        .filter(|node| Some(node.seat()) == turn.seat.opponent());
    theirs.map(|node| node.turn).max()
}

/// Returns the first two points of the other side, to which the seat objects.
fn targets(before: &[&Node<'_>], turn: TurnId) -> Vec<NodeId> {
    let theirs = before
        .iter()
        .filter(|node| Some(node.seat()) == turn.seat.opponent());
    theirs.map(|node| node.id).take(2).collect()
}

/// Returns whether an objection of the other side's last turn needs an answer.
fn needs_answer(node: &Node<'_>, before: &[&Node<'_>], turn: TurnId) -> bool {
    let grave = matches!(node.point, Point::Objection(objection)
        if objection.severity > ObjectionSeverity::Minor);
    grave && Some(node.turn) == last_turn(before, turn)
}

/// Returns the judge's questions: which side's reason weighs more, and why.
fn verdict_questions((options, topic): (&Options, &str), before: &[&Node<'_>]) -> Vec<Question> {
    let of = |seat: Seat| before.iter().filter(move |node| node.seat() == seat);
    let reason = |seat: Seat| {
        let argues = |node: &&&Node<'_>| {
            node.point.argument().is_some() || node.point.alternative().is_some()
        };
        of(seat).find(argues).or_else(|| of(seat).next())
    };
    let (Some(one), Some(other)) = (reason(Seat::Proposer), reason(Seat::Challenger)) else {
        return Vec::new();
    };
    let reason = |side: Side| match side {
        Side::Proposer => one.point.main_text(),
        Side::Challenger => other.point.main_text(),
    };
    let fill = |slot: &phrasings::WeighedSlot| match slot {
        phrasings::WeighedSlot::Option(side) => options.side(*side).phrase.clone(),
        phrasings::WeighedSlot::Reason(side) => reason(*side).to_owned(),
        phrasings::WeighedSlot::Topic => ensure_end_mark(topic),
    };
    let way = phrasings::weighing_question(options.contrast);
    let mut all = vec![Question {
        field: AnswerField::Verdict(one.id, other.id),
        words: way.words,
        fills: way.slots.iter().map(fill).collect(),
        about: None,
        tone: None,
        choices: Some(phrasings::verdict_choices(options)),
        after: None,
    }];
    for side in [Side::Proposer, Side::Challenger] {
        let asks = Asks {
            options,
            topic,
            side,
        };
        let reasons = asks.questions_for(&[AnswerField::Reason]).into_iter();
        all.extend(reasons.map(|question| Question {
            after: Some(side),
            ..question
        }));
    }
    all
}

/// Adds a full stop to a topic, if necessary, so that a question can follow.
fn ensure_end_mark(topic: &str) -> String {
    let topic = topic.trim();
    match topic.ends_with(['?', '.', '!']) {
        true => topic.to_owned(),
        false => format!("{topic}."),
    }
}
