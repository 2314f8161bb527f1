//! The formats of a debate: their rules, and values that differ by format.

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
    /// A third format, for tests.
    #[cfg(feature = "toy-format")]
    Toy,
}

/// The rules of a format.
#[derive(Clone, Copy, Debug)]
pub struct FormatRules {
    /// The name used in files and on the command line.
    pub name: &'static str,
    /// The noun for a debate in this format, such as `formal debate`.
    pub noun: &'static str,
    /// The two debating seats, in their usual order.
    pub sides: [Seat; 2],
    /// When judges speak, which determines the content of a verdict.
    pub judging: Judging,
    /// How its rounds are named.
    pub rounds: RoundNames,
    /// The families of rules that replies are checked against, besides evidence and repetition.
    pub rule_families: &'static [&'static str],
    /// Maximum bytes of a rejected reply that its author sees again.
    pub max_rejected_bytes: usize,
    /// Whether each side's thesis is stated before the first argument.
    pub has_theses: bool,
    /// Whether judges know the sides only by their seats, not by their tools.
    pub hides_tools_from_judges: bool,
    /// Whether other programs may write parts of a debate: arguments, scores, whole folders.
    pub takes_outside_parts: bool,
    /// Whether a model too small for a whole turn can take part by answering short questions.
    pub can_interview: bool,
    /// Whether one tool with one model may argue both sides by default if there is no other tool.
    pub seats_one_tool_twice: bool,
}

/// When judges speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judging {
    /// Once: a ruling closes the debate after the planned rounds.
    AtTheEnd,
    /// In every round, with scores that are added up; the debate has no fixed end.
    EachRound,
}

/// How the rounds of a format are named.
#[derive(Clone, Copy, Debug)]
pub struct RoundNames {
    /// The noun before a round's number.
    pub one: &'static str,
    /// The noun at the beginning of a line.
    pub heading: &'static str,
    /// What a side's turn in round 0 is called, if that round has a name instead of a number.
    pub zero: Option<&'static str>,
    /// The heading for round 0.
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
    // Only the moves of a rejected reply are shown; the longest in the debate of `agon demo` have
    // 5.6 kB.
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
    // The median argument of two real debates has 4.6 kB, so three have 14 kB. Tested by
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

    /// Returns the rules of this format.
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

    /// Returns the two debating seats, in their usual order.
    pub fn sides(self) -> [Seat; 2] {
        self.rules().sides
    }
}

impl FormatRules {
    /// Returns a round inside a sentence, such as `round 2`, or `the first answer` if the article
    /// is `the`.
    pub fn round_with_article(&self, article: &str, round: u16) -> String {
        let label = self.round_label(round);
        match self.rounds.zero {
            Some(zero) if zero == label => format!("{article} {label}"),
            Some(_) | None => label,
        }
    }

    /// Returns a round as a label, such as `round 2` or `first answer`.
    pub fn round_label(&self, round: u16) -> String {
        match self.rounds.zero.filter(|_| round == 0) {
            Some(zero) => zero.to_owned(),
            None => format!("{} {round}", self.rounds.one),
        }
    }

    /// Returns the heading for a round.
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

/// A value that differs by format: `D` if judges rule at the end, `F` if they score each round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind<D, F> {
    /// For a format in which judges rule at the end, such as a duel.
    Ruled(FormatName, D),
    /// For a format in which judges score each round, such as a formal debate.
    Scored(FormatName, F),
}

impl<D, F> Kind<D, F> {
    /// Returns the value of a duel.
    pub fn duel(duel: D) -> Self {
        Self::Ruled(FormatName::Duel, duel)
    }

    /// Returns the value of a formal debate.
    pub fn formal(formal: F) -> Self {
        Self::Scored(FormatName::Formal, formal)
    }

    /// Picks the value for the format of this name.
    pub fn select(name: FormatName, duel: D, formal: F) -> Self {
        match name.rules().judging {
            Judging::AtTheEnd => Self::Ruled(name, duel),
            Judging::EachRound => Self::Scored(name, formal),
        }
    }

    /// Returns the duel's value and the formal debate's value, exactly one of which is present.
    pub(crate) fn into_parts(self) -> (Option<D>, Option<F>) {
        match self {
            Self::Ruled(_, duel) => (Some(duel), None),
            Self::Scored(_, formal) => (None, Some(formal)),
        }
    }

    /// Returns the format's name.
    pub fn name(&self) -> FormatName {
        match self {
            Self::Ruled(name, _) | Self::Scored(name, _) => *name,
        }
    }

    /// Returns the duel's value.
    pub fn as_duel(&self) -> Option<&D> {
        match self {
            Self::Ruled(_, duel) => Some(duel),
            Self::Scored(..) => None,
        }
    }

    /// Returns the duel's value, mutable.
    pub fn as_duel_mut(&mut self) -> Option<&mut D> {
        match self {
            Self::Ruled(_, duel) => Some(duel),
            Self::Scored(..) => None,
        }
    }

    /// Returns the formal debate's value.
    pub fn as_formal(&self) -> Option<&F> {
        match self {
            Self::Scored(_, formal) => Some(formal),
            Self::Ruled(..) => None,
        }
    }

    /// Returns the formal debate's value, mutable.
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
