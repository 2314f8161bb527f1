//! The form for one turn: its questions and the answers so far.

use std::collections::BTreeSet;

use agon_record::id::{AskKey, NodeId, TurnId};
use agon_record::moves::MovesKind;
use agon_record::point::{Node, Point};
use agon_record::state::State;
use agon_record::text::sanitise_line;
use agon_rules::floor::HeardArguments;
use agon_rules::format::requested_moves_kind;

use super::about::{describe_first_answers, describe_point};
use super::questions::{
    AnswerKind, AskedField, SectionGroup, SectionKey, SectionLayout, section_groups,
};
use super::value::answer_fault;
use crate::dispute::collect_disputes;

/// The questions of one turn, with the answers.
#[derive(Clone, Debug)]
pub struct Form {
    pub(super) kind: MovesKind,
    pub(super) sections: Vec<Section>,
    /// The seat's earlier position, which stays valid unless the form gives a new one.
    pub(super) position: String,
    /// The points that may be named.
    pub(super) known: Vec<NodeId>,
}

/// A section of a form: a heading with one or more questions.
#[derive(Clone, Debug)]
pub struct Section {
    pub(super) group: &'static SectionGroup,
    pub(super) id: Option<NodeId>,
    pub(super) number: Option<u8>,
    /// The point it answers, on one line; empty if none.
    pub(super) about: String,
    /// Whether the turn requires it.
    pub(super) is_needed: bool,
    /// Whether a person added it.
    pub(super) is_added: bool,
    /// The line of its heading in the parsed text.
    pub(super) line: u32,
    /// An answer for each question.
    pub(super) answers: Vec<Answer>,
}

/// The answer to one question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Answer {
    /// The text; empty if there is none.
    pub(super) text: String,
    /// The line where it starts in the parsed text.
    pub(super) line: u32,
}

/// A question of a form, with its answer.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The label within its section; empty for the question of the heading.
    pub label: &'static str,
    /// The help text.
    pub help: &'static str,
    /// The form of the answer.
    pub kind: AnswerKind,
    /// Whether a started section requires it.
    pub is_needed: bool,
    /// The default value; empty for none.
    pub default: &'static str,
    /// The answer; empty if there is none.
    pub answer: &'a str,
}

impl Form {
    /// Creates the blank form for `key`, a pure function of the state.
    pub fn blank(state: &State, key: AskKey) -> Self {
        let kind = requested_moves_kind(state, key.turn);
        let mut sections = Vec::new();
        for group in section_groups(kind) {
            sections.extend(initial_sections(state, key.turn, group));
        }
        Self {
            kind,
            sections,
            position: last_position(state, key.turn)
                .unwrap_or_default()
                .to_owned(),
            known: visible_points(state, key.turn)
                .iter()
                .map(|node| node.id)
                .collect(),
        }
    }

    /// Returns the sections, in order.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// Sets the answer to a question; does nothing if there is no such question.
    pub fn set_answer(&mut self, section: usize, question: usize, text: &str) {
        let section = self.sections.get_mut(section);
        if let Some(answer) = section.and_then(|section| section.answers.get_mut(question)) {
            text.trim().clone_into(&mut answer.text);
        }
    }

    /// Returns whether it has the same content as `other`; a written default counts as empty.
    pub(super) fn has_same_content(&self, other: &Self) -> bool {
        let said = |form: &Self| -> Vec<(String, Vec<String>)> {
            let said = form.sections.iter().map(|section| {
                let texts = section.fields_with_answers();
                let texts = texts.map(|(ask, answer)| match answer.text == ask.default {
                    true => String::new(),
                    false => answer.text.clone(),
                });
                (section.heading(), texts.collect())
            });
            said.collect()
        };
        said(self) == said(other)
    }

    /// Returns the blank section that a heading names, if any.
    pub(super) fn blank_section_for_heading(&self, heading: &str) -> Option<Section> {
        section_groups(self.kind).iter().find_map(|group| {
            let rest = strip_prefix_ignoring_case(heading, group.title)?;
            let rest = rest.trim();
            match group.key {
                SectionKey::Once => rest.is_empty().then(|| Section::new(group, None, None)),
                SectionKey::ById(_) => {
                    let id = rest.to_ascii_lowercase().parse().ok()?;
                    Some(Section::new(group, Some(id), None))
                }
                SectionKey::ByNumber(most) => {
                    let number = rest.parse().ok()?;
                    (1..=most)
                        .contains(&number)
                        .then(|| Section::new(group, None, Some(number)))
                }
            }
        })
    }
}

impl Section {
    pub(super) fn new(
        group: &'static SectionGroup,
        id: Option<NodeId>,
        number: Option<u8>,
    ) -> Self {
        Self {
            group,
            id,
            number,
            about: String::new(),
            is_needed: false,
            is_added: false,
            line: 0,
            answers: vec![Answer::default(); group.asks.len()],
        }
    }

    /// Returns the heading, such as `Answer to cha_001a`.
    pub fn heading(&self) -> String {
        self.group.title.to_owned() + &self.suffix()
    }

    /// Returns the name in a sentence, such as `the answer to objection cha_001a`.
    pub fn name(&self) -> String {
        self.group.name.to_owned() + &self.suffix()
    }

    fn suffix(&self) -> String {
        match (self.id, self.number) {
            (Some(id), _) => format!(" {id}"),
            (None, Some(number)) => format!(" {number}"),
            (None, None) => String::new(),
        }
    }

    /// The point it answers, on one line; empty if none.
    pub fn about(&self) -> &str {
        &self.about
    }

    /// Returns the help text.
    pub fn help(&self) -> &'static str {
        self.group.help
    }

    /// Returns whether the turn requires it.
    pub fn is_needed(&self) -> bool {
        self.is_needed
    }

    /// Returns whether it is one of several numbered sections.
    pub fn is_numbered(&self) -> bool {
        self.number.is_some()
    }

    /// Returns its questions with the answers.
    pub fn questions(&self) -> impl Iterator<Item = Question<'_>> {
        let pairs = self.group.asks.iter().zip(&self.answers);
        pairs.map(|(ask, answer)| Question {
            label: ask.label,
            help: match ask.help {
                "" => self.group.help,
                help => help,
            },
            kind: ask.kind,
            is_needed: ask.is_needed,
            default: ask.default,
            answer: &answer.text,
        })
    }

    /// Returns whether the person wrote anything in it.
    pub fn is_begun(&self) -> bool {
        let mut said = self.fields_with_answers();
        self.is_added || said.any(|(ask, answer)| !["", ask.default].contains(&&*answer.text))
    }

    pub(super) fn fields_with_answers(
        &self,
    ) -> impl Iterator<Item = (&'static AskedField, &Answer)> {
        self.group.asks.iter().zip(&self.answers)
    }

    /// Returns the name of one of its questions in a sentence.
    pub(super) fn name_of(&self, ask: &AskedField) -> String {
        match ask.label {
            "" => self.name(),
            label => format!("`{label}` of {}", self.name()),
        }
    }
}

impl Question<'_> {
    /// Returns what is wrong with `text` as the answer and how to fix it; `None` if it is valid.
    pub fn fault(&self, text: &str) -> Option<String> {
        let fault = answer_fault(self.kind, text);
        fault.map(|(message, hint)| format!("{message}; {hint}"))
    }
}

/// Returns the rest of `text` after `prefix`, ignoring case.
fn strip_prefix_ignoring_case<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let (start, rest) = text.split_at_checked(prefix.len())?;
    start.eq_ignore_ascii_case(prefix).then_some(rest)
}

/// Returns the sections of `group` in the blank form of `turn`.
fn initial_sections(state: &State, turn: TurnId, group: &'static SectionGroup) -> Vec<Section> {
    let one = |is_needed| {
        vec![Section {
            is_needed,
            ..Section::new(group, None, None)
        }]
    };
    let formal = || HeardArguments::for_turn(state, turn);
    let (ids, is_needed) = match group.layout {
        SectionLayout::Nothing => return Vec::new(),
        SectionLayout::Optional => return one(false),
        SectionLayout::Needed => return one(true),
        SectionLayout::Position => {
            let position = last_position(state, turn).unwrap_or_default();
            let about = match position {
                "" => String::new(),
                position => sanitise_line(&format!("Your position so far: {position}"), usize::MAX),
            };
            return vec![Section {
                about,
                is_needed: position.is_empty(),
                ..Section::new(group, None, None)
            }];
        }
        SectionLayout::FirstAnswers => {
            let Some(about) = describe_first_answers(state) else {
                return Vec::new();
            };
            let compared = |section| Section {
                about: about.clone(),
                ..section
            };
            return one(false).into_iter().map(compared).collect();
        }
        SectionLayout::Numbered { all, needed } => {
            let numbered = (1..=all).map(|number| Section {
                is_needed: number <= needed,
                ..Section::new(group, None, Some(number))
            });
            return numbered.collect();
        }
        SectionLayout::NewArguments => (new_arguments(state, turn), false),
        SectionLayout::Objections => (unanswered_objections(state, turn), true),
        SectionLayout::Answers => (unruled_answers(state, turn), true),
        SectionLayout::Attackable => {
            let mut ids = formal().opponent_arguments();
            let last = ids.iter().map(|id| id.round).max();
            ids.retain(|id| Some(id.round) == last);
            (ids, false)
        }
        SectionLayout::Attacked => {
            let attacked = formal().unanswered_attacks().into_iter();
            let attacked: BTreeSet<_> = attacked.map(|one| one.attack.target_id).collect();
            (attacked.into_iter().collect(), false)
        }
        SectionLayout::Unscored => (formal().unscored_arguments(), true),
    };
    let nodes = visible_points(state, turn);
    let section = |id: NodeId| Section {
        about: nodes
            .iter()
            .find(|node| node.id == id)
            .map(|node| describe_point(node, &nodes))
            .unwrap_or_default(),
        is_needed,
        ..Section::new(group, Some(id), None)
    };
    ids.into_iter().map(section).collect()
}

fn visible_points(state: &State, turn: TurnId) -> Vec<Node<'_>> {
    let format = agon_rules::format::format_of(state);
    let mut nodes = state.nodes();
    nodes.retain(|node| format.may_refer_to(turn, node.turn));
    nodes
}

/// Returns the arguments that the other side made since this side's last turn.
fn new_arguments(state: &State, turn: TurnId) -> Vec<NodeId> {
    let nodes = visible_points(state, turn);
    let theirs = || {
        let theirs = nodes.iter();
        theirs.filter(|node| Some(node.seat()) == turn.seat.opponent())
    };
    let last = theirs().map(|node| node.turn).max();
    theirs()
        .filter(|node| Some(node.turn) == last && matches!(node.point, Point::Argument(_)))
        .map(|node| node.id)
        .collect()
}

/// Returns the objections without an answer.
fn unanswered_objections(state: &State, turn: TurnId) -> Vec<NodeId> {
    let nodes = visible_points(state, turn);
    let disputes = collect_disputes(&nodes);
    let open = disputes.iter().filter(|dispute| dispute.answers.is_empty());
    open.map(|dispute| dispute.id).collect()
}

/// Returns the answers without a ruling.
fn unruled_answers(state: &State, turn: TurnId) -> Vec<NodeId> {
    let nodes = visible_points(state, turn);
    let all = collect_disputes(&nodes);
    let answers = all.iter().flat_map(|dispute| &dispute.answers);
    answers
        .filter(|answer| answer.rulings.is_empty())
        .map(|answer| answer.id)
        .collect()
}

/// Returns the latest position of the turn's seat.
fn last_position(state: &State, turn: TurnId) -> Option<&str> {
    let own = state
        .admitted_turns()
        .filter(|(known, _)| known.seat == turn.seat && *known < turn);
    own.filter_map(|(_, admitted)| admitted.moves.stance())
        .last()
}
