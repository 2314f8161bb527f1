//! What a person is asked in a turn: a table for each kind of moves.
//!
//! A person needs an answer, reasons and, if they like, places. All else has a default or may stay
//! empty, so a table names less than the grammar of the moves has.

mod duel;
mod formal;

use agon_record::moves::{ChoiceWord, MovesKind};

/// How an answer is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerKind {
    /// Words, over as many lines as they take.
    Text,
    /// One entry a line.
    Lines,
    /// One place a line, with what it shows.
    Places,
    /// One of these words.
    Choice(&'static [ChoiceWord]),
    /// A number from -1 to 1.
    Score,
}

impl AnswerKind {
    /// Whether the answer is a word or a few on one line.
    pub fn is_one_line(self) -> bool {
        !matches!(self, Self::Text | Self::Lines | Self::Places)
    }
}

/// By what the sections of a group are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SectionKey {
    /// There is only one.
    Once,
    /// By the id of the point that it is about, which is this key of the moves.
    ById(&'static str),
    /// By a number, up to this one.
    ByNumber(u8),
}

/// Which sections of a group a form has before anything is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SectionLayout {
    /// None: a person may add them.
    Nothing,
    /// The only one, which may stay empty.
    Optional,
    /// The only one, which is needed.
    Needed,
    /// So many by number, the first of which are needed.
    Numbered { all: u8, needed: u8 },
    /// The only one, which stays as it was if it is empty.
    Position,
    /// The only one, where both sides gave a first answer.
    FirstAnswers,
    /// One for each argument of the other side that is new.
    NewArguments,
    /// One for each objection without an answer; needed.
    Objections,
    /// One for each answer without a ruling; needed.
    Answers,
    /// One for each argument of the last exchange of the other side.
    Attackable,
    /// One for each own argument that was attacked and not defended.
    Attacked,
    /// One for each argument without a score; needed.
    Unscored,
}

/// Sections of a form that are alike.
#[derive(Debug)]
pub(super) struct SectionGroup {
    /// Its heading, without the id or number.
    pub(super) title: &'static str,
    /// How a sentence names one, without the id or number.
    pub(super) name: &'static str,
    /// The list of the moves that they are entries of; empty where they are the moves themselves.
    pub(super) list: &'static str,
    pub(super) key: SectionKey,
    /// Which of them a form has before anything is written.
    pub(super) layout: SectionLayout,
    /// What a person is told of it.
    pub(super) help: &'static str,
    pub(super) asks: &'static [AskedField],
}

/// One question.
#[derive(Clone, Copy, Debug)]
pub(super) struct AskedField {
    /// The key of the moves.
    pub(super) key: &'static str,
    /// What stands before or above the answer; empty for what stands right below the heading.
    pub(super) label: &'static str,
    pub(super) kind: AnswerKind,
    /// Whether a section that is begun needs it.
    pub(super) is_needed: bool,
    /// What it is if nothing is written; empty for nothing.
    pub(super) default: &'static str,
    pub(super) help: &'static str,
}

impl AskedField {
    /// What stands right below the heading.
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

/// A part that there is once, with one question.
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

/// Where an answer can be looked up; asked last of every point.
const PLACES: AskedField = AskedField::text("grounds", AnswerKind::Places)
    .labelled("Places")
    .optional()
    .with_help("where it can be looked up, one a line: src/a.rs:10-20 \"words copied from there\" what they show");

/// What a turn with moves of `kind` asks a person, in order.
pub(super) fn groups(kind: MovesKind) -> &'static [SectionGroup] {
    match kind {
        MovesKind::Blind => duel::BLIND,
        MovesKind::Opening => duel::OPENING,
        MovesKind::Challenge => duel::CHALLENGE,
        MovesKind::Defense => duel::DEFENSE,
        MovesKind::FollowUp => duel::FOLLOW_UP,
        MovesKind::Verdict => duel::VERDICT,
        MovesKind::Theses => formal::THESES,
        MovesKind::Case => formal::CASE,
        MovesKind::Rebuttal => formal::REBUTTAL,
        MovesKind::Scores => formal::SCORES,
    }
}
