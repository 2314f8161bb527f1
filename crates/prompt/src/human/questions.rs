//! The questions that a person answers in a turn: a table for each kind of moves.
//!
//! A person must give an answer and reasons, and may cite places. Everything else has a default or
//! is optional, so the tables have fewer fields than the moves.

mod duel_questions;
mod formal_questions;

use agon_record::moves::{ChoiceWord, MovesKind};

/// The form of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerKind {
    /// Text over any number of lines.
    Text,
    /// One entry per line.
    Lines,
    /// One place per line, with what it shows.
    Places,
    /// One of these words.
    Choice(&'static [ChoiceWord]),
    /// A number from -1 to 1.
    Score,
}

impl AnswerKind {
    /// Returns whether the answer is short and on one line.
    pub fn is_one_line(self) -> bool {
        !matches!(self, Self::Text | Self::Lines | Self::Places)
    }
}

/// How the sections of a group are distinguished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SectionKey {
    /// The group has only one section.
    Once,
    /// By the id of the point, which is this key of the moves.
    ById(&'static str),
    /// By a number up to this one.
    ByNumber(u8),
}

/// The sections of a group in a blank form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SectionLayout {
    /// None; a person may add them.
    Nothing,
    /// One optional section.
    Optional,
    /// One required section.
    Needed,
    /// Numbered sections, of which the first are required.
    Numbered { all: u8, needed: u8 },
    /// One section; if it is empty, the earlier text stays valid.
    Position,
    /// One section, if both sides gave a first answer.
    FirstAnswers,
    /// One for each new argument of the other side.
    NewArguments,
    /// One for each objection without an answer; required.
    Objections,
    /// One for each answer without a ruling; required.
    Answers,
    /// One for each argument that the other side made in the last exchange.
    Attackable,
    /// One for each own argument that was attacked but not defended.
    Attacked,
    /// One for each argument without a score; required.
    Unscored,
}

/// A group of similar sections.
#[derive(Debug)]
pub(super) struct SectionGroup {
    /// The heading, without the id or number.
    pub(super) title: &'static str,
    /// The name in a sentence, without the id or number.
    pub(super) name: &'static str,
    /// The list of the moves that holds the entries; empty for the moves themselves.
    pub(super) list: &'static str,
    pub(super) key: SectionKey,
    /// The sections in a blank form.
    pub(super) layout: SectionLayout,
    /// The help text for the person.
    pub(super) help: &'static str,
    pub(super) asks: &'static [AskedField],
}

/// One question.
#[derive(Clone, Copy, Debug)]
pub(super) struct AskedField {
    /// The key of the moves.
    pub(super) key: &'static str,
    /// The label before or above the answer; empty for the answer right below the heading.
    pub(super) label: &'static str,
    pub(super) kind: AnswerKind,
    /// Whether a started section requires it.
    pub(super) is_needed: bool,
    /// The default value; empty for none.
    pub(super) default: &'static str,
    pub(super) help: &'static str,
}

impl AskedField {
    /// Creates the field for the text right below the heading.
    const fn text(key: &'static str, kind: AnswerKind) -> Self {
        Self {
            key,
            label: "",
            kind,
            is_needed: true,
            default: "",
            help: "",
        }
    }

    const fn labelled(self, label: &'static str) -> Self {
        Self { label, ..self }
    }

    const fn optional(self) -> Self {
        Self {
            is_needed: false,
            ..self
        }
    }

    const fn with_default(self, default: &'static str) -> Self {
        Self { default, ..self }.optional()
    }

    const fn with_help(self, help: &'static str) -> Self {
        Self { help, ..self }
    }
}

/// Creates a group of one section with one question.
const fn single(
    title: &'static str,
    name: &'static str,
    help: &'static str,
    asks: &'static [AskedField],
) -> SectionGroup {
    SectionGroup {
        title,
        name,
        list: "",
        key: SectionKey::Once,
        layout: SectionLayout::Needed,
        help,
        asks,
    }
}

/// The evidence for an answer; the last question about every point.
const PLACES: AskedField = AskedField::text("grounds", AnswerKind::Places)
    .labelled("Places")
    .optional()
    .with_help(
        "evidence, one place per line: src/a.rs:10-20 \"words copied from there\" what they show",
    );

/// Returns the sections that a turn with moves of `kind` asks a person for, in order.
pub(super) fn section_groups(kind: MovesKind) -> &'static [SectionGroup] {
    match kind {
        MovesKind::Blind => duel_questions::BLIND,
        MovesKind::Opening => duel_questions::OPENING,
        MovesKind::Challenge => duel_questions::CHALLENGE,
        MovesKind::Defense => duel_questions::DEFENSE,
        MovesKind::FollowUp => duel_questions::FOLLOW_UP,
        MovesKind::Verdict => duel_questions::VERDICT,
        MovesKind::Theses => formal_questions::THESES,
        MovesKind::Case => formal_questions::CASE,
        MovesKind::Rebuttal => formal_questions::REBUTTAL,
        MovesKind::Scores => formal_questions::SCORES,
    }
}
