//! The formats of a debate: what holds for every debate of one, and what a value has of its own
//! for each of them.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::id::Seat;

/// The format of a debate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FormatName {
    /// Proposer against challenger, then a verdict.
    Duel,
    /// Proposition against opposition, exchange by exchange, each judged.
    Formal,
    /// What a third format takes, for tests.
    #[cfg(feature = "toy-format")]
    Toy,
}

/// What holds for every debate of a format.
#[derive(Clone, Copy, Debug)]
pub struct FormatRules {
    /// The name used in files and on the command line.
    pub name: &'static str,
    /// What a debate of it is called, such as `formal debate`.
    pub noun: &'static str,
    /// The two seats that argue, in the order in which they are named.
    pub sides: [Seat; 2],
    /// When judges speak, and so what a verdict is made of.
    pub judging: Judging,
    /// How its rounds are named.
    pub rounds: RoundNames,
    /// The families of rules that its replies are checked against, besides those of evidence and
    /// repetition.
    pub rule_families: &'static [&'static str],
    /// The most bytes of a rejected reply that are shown to its author again.
    pub max_rejected_bytes: usize,
    /// Whether the thesis of each side is stated before anything is argued.
    pub has_theses: bool,
    /// Whether a judge sees the sides by the names of their seats only, not of their tools.
    pub hides_tools_from_judges: bool,
    /// Whether other programs may write parts of a debate: arguments, scores, whole folders.
    pub takes_outside_parts: bool,
    /// Whether a model that is too small for a whole turn can sit there and be interviewed.
    pub can_interview: bool,
    /// Whether one tool with one model may argue both sides unasked, where no other can.
    pub seats_one_tool_twice: bool,
}

/// When judges speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judging {
    /// Once: the planned rounds end, and a ruling closes the debate.
    AtTheEnd,
    /// In every round, with scores that are added up; the debate has no end of its own.
    EachRound,
}

/// How the rounds of a format are named.
#[derive(Clone, Copy, Debug)]
pub struct RoundNames {
    /// One of them, before its number.
    pub one: &'static str,
    /// The same at the beginning of a line.
    pub heading: &'static str,
    /// What a side says in round 0, where that round has a name instead of its number.
    pub zero: Option<&'static str>,
    /// Round 0 as the heading of a part of the debate.
    pub opening: &'static str,
}

const DUEL: FormatRules = FormatRules {
    name: "duel",
    noun: "duel",
    sides: [Seat::Proposer, Seat::Challenger],
    judging: Judging::AtTheEnd,
    rounds: RoundNames {
        one: "round",
        heading: "Round",
        zero: Some("first answer"),
        opening: "First answers, unseen by each other",
    },
    rule_families: &["reply", "attack", "duel", "verdict"],
    // The longest block of moves in the debate of `agon demo` has 5.6 kB, and nothing else of a
    // reply is shown.
    max_rejected_bytes: 6 * 1024,
    has_theses: false,
    hides_tools_from_judges: true,
    takes_outside_parts: false,
    can_interview: true,
    seats_one_tool_twice: false,
};

const FORMAL: FormatRules = FormatRules {
    name: "formal",
    noun: "formal debate",
    sides: [Seat::Proposition, Seat::Opposition],
    judging: Judging::EachRound,
    rounds: RoundNames {
        one: "exchange",
        heading: "Exchange",
        zero: None,
        opening: "Opening exchange",
    },
    rule_families: &["reply", "opening", "attack", "score"],
    // An argument of two real debates has 4.6 kB in the middle, so three have 14 kB. Held by
    // `a_whole_opening_that_was_sent_back_is_shown_again` in `prompt/src/formal/tests.rs`.
    max_rejected_bytes: 16 * 1024,
    has_theses: true,
    hides_tools_from_judges: false,
    takes_outside_parts: true,
    can_interview: false,
    seats_one_tool_twice: true,
};

impl FormatName {
    /// Every format.
    pub const ALL: &[Self] = &[
        Self::Duel,
        Self::Formal,
        #[cfg(feature = "toy-format")]
        Self::Toy,
    ];

    /// What holds for every debate of this format.
    pub fn rules(self) -> &'static FormatRules {
        match self {
            Self::Duel => &DUEL,
            Self::Formal => &FORMAL,
            #[cfg(feature = "toy-format")]
            Self::Toy => &FormatRules {
                name: "toy",
                noun: "toy",
                ..DUEL
            },
        }
    }

    /// The two seats that argue, in the order in which they are named.
    pub fn sides(self) -> [Seat; 2] {
        self.rules().sides
    }
}

impl FormatRules {
    /// A round in the middle of a sentence, such as `round 2`, or `the first answer` with the article
    /// `the`.
    pub fn round_with_article(&self, article: &str, round: u16) -> String {
        let label = self.round_label(round);
        match self.rounds.zero {
            Some(zero) if zero == label => format!("{article} {label}"),
            Some(_) | None => label,
        }
    }

    /// A round as a label, such as `round 2` or `first answer`.
    pub fn round_label(&self, round: u16) -> String {
        match self.rounds.zero.filter(|_| round == 0) {
            Some(zero) => zero.to_owned(),
            None => format!("{} {round}", self.rounds.one),
        }
    }

    /// A round as the heading of what was said in it.
    pub fn round_heading(&self, round: u16) -> String {
        match self.rounds.zero {
            Some(_) if round == 0 => self.rounds.opening.to_owned(),
            Some(_) | None => format!("{} {round}", self.rounds.heading),
        }
    }
}

impl fmt::Display for FormatName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.rules().name)
    }
}

/// What only some formats have, such as the part of a state that only duels have: of the formats in
/// which judges rule at the end `D`, of those in which they score each round `F`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind<D, F> {
    /// Of a format in which judges rule at the end, as in a duel.
    Ruled(FormatName, D),
    /// Of a format in which judges score each round, as in a formal debate.
    Scored(FormatName, F),
}

impl<D, F> Kind<D, F> {
    /// Of a duel.
    pub fn duel(duel: D) -> Self {
        Self::Ruled(FormatName::Duel, duel)
    }

    /// Of a formal debate.
    pub fn formal(formal: F) -> Self {
        Self::Scored(FormatName::Formal, formal)
    }

    /// What the format of this name has of the two.
    pub fn select(name: FormatName, duel: D, formal: F) -> Self {
        match name.rules().judging {
            Judging::AtTheEnd => Self::Ruled(name, duel),
            Judging::EachRound => Self::Scored(name, formal),
        }
    }

    /// What a duel has and what a formal debate has, of which there is exactly one.
    pub(crate) fn into_parts(self) -> (Option<D>, Option<F>) {
        match self {
            Self::Ruled(_, duel) => (Some(duel), None),
            Self::Scored(_, formal) => (None, Some(formal)),
        }
    }

    /// The format's name.
    pub fn name(&self) -> FormatName {
        match self {
            Self::Ruled(name, _) | Self::Scored(name, _) => *name,
        }
    }

    /// What a duel has.
    pub fn as_duel(&self) -> Option<&D> {
        match self {
            Self::Ruled(_, duel) => Some(duel),
            Self::Scored(..) => None,
        }
    }

    /// What a duel has, to be changed.
    pub fn as_duel_mut(&mut self) -> Option<&mut D> {
        match self {
            Self::Ruled(_, duel) => Some(duel),
            Self::Scored(..) => None,
        }
    }

    /// What a formal debate has.
    pub fn as_formal(&self) -> Option<&F> {
        match self {
            Self::Scored(_, formal) => Some(formal),
            Self::Ruled(..) => None,
        }
    }

    /// What a formal debate has, to be changed.
    pub fn as_formal_mut(&mut self) -> Option<&mut F> {
        match self {
            Self::Scored(_, formal) => Some(formal),
            Self::Ruled(..) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_is_called_by_its_number_unless_it_has_a_name() {
        let labels = |name: FormatName| [0, 2].map(|round| name.rules().round_label(round));
        assert_eq!(labels(FormatName::Duel), ["first answer", "round 2"]);
        assert_eq!(labels(FormatName::Formal), ["exchange 0", "exchange 2"]);
    }

    #[test]
    fn a_format_has_the_part_of_its_judging_and_keeps_its_name() {
        for &name in FormatName::ALL {
            let kind = Kind::select(name, (), ());
            assert_eq!(kind.name(), name);
            let scores = name.rules().judging == Judging::EachRound;
            assert_eq!(kind.as_formal().is_some(), scores, "{name}");
            assert_eq!(name.to_string(), name.rules().name);
        }
    }
}
