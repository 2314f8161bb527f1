//! Ids of things in a debate: seats, turns, asks and points.
//!
//! Each is parsed once, on input, and printed the same way everywhere: in the journal, in file
//! names, in prompts and on screen.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A place in a debate: a side or a judge.
///
/// Judges are numbered from 1; the first is written `judge`, the others
/// `judge-2`, `judge-3` and so on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Seat {
    /// Speaks first in a duel.
    Proposer,
    /// Answers the proposer in a duel.
    Challenger,
    /// Argues for the motion in a formal debate.
    Proposition,
    /// Argues against the motion in a formal debate.
    Opposition,
    /// Rules on what the others said.
    Judge(u8),
}

impl Seat {
    /// The first judge, or the only one.
    pub const JUDGE: Self = Self::Judge(1);

    /// Returns the short form used in turn and node ids, such as `pro`.
    pub fn short_name(self) -> String {
        match self {
            Self::Proposer => "pro".to_owned(),
            Self::Challenger => "cha".to_owned(),
            Self::Proposition => "prop".to_owned(),
            Self::Opposition => "opp".to_owned(),
            Self::Judge(_) => self.to_string(),
        }
    }

    /// Returns whether this seat judges.
    pub fn is_judge(self) -> bool {
        matches!(self, Self::Judge(_))
    }

    /// Returns the seat of the other side; `None` for a judge.
    pub fn opponent(self) -> Option<Self> {
        match self {
            Self::Proposer => Some(Self::Challenger),
            Self::Challenger => Some(Self::Proposer),
            Self::Proposition => Some(Self::Opposition),
            Self::Opposition => Some(Self::Proposition),
            Self::Judge(_) => None,
        }
    }

    fn from_short_name(text: &str) -> Option<Self> {
        match text {
            "pro" => Some(Self::Proposer),
            "cha" => Some(Self::Challenger),
            "prop" => Some(Self::Proposition),
            "opp" => Some(Self::Opposition),
            judge => parse_judge_seat(judge),
        }
    }
}

fn parse_judge_seat(text: &str) -> Option<Seat> {
    match text.strip_prefix("judge")? {
        "" => Some(Seat::JUDGE),
        rest => {
            let digits = rest.strip_prefix('-')?;
            let number: u8 = digits.parse().ok()?;
            (number >= 2 && digits == number.to_string()).then_some(Seat::Judge(number))
        }
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Proposer => f.write_str("proposer"),
            Self::Challenger => f.write_str("challenger"),
            Self::Proposition => f.write_str("proposition"),
            Self::Opposition => f.write_str("opposition"),
            Self::Judge(0 | 1) => f.write_str("judge"),
            Self::Judge(n) => write!(f, "judge-{n}"),
        }
    }
}

impl FromStr for Seat {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "proposer" => Ok(Self::Proposer),
            "challenger" => Ok(Self::Challenger),
            "proposition" => Ok(Self::Proposition),
            "opposition" => Ok(Self::Opposition),
            other => parse_judge_seat(other).ok_or_else(|| IdError::new("seat", text)),
        }
    }
}

/// The stage of a debate in which a turn takes place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// Before a formal debate: the theses of both sides.
    Theses,
    /// A round; 0 is the blind round of a duel, or the opening exchange of a formal debate.
    Round(u16),
    /// The verdict at the end of a duel.
    Verdict,
    /// The second verdict, with the sides swapped.
    Swap,
}

/// One seat speaking once, such as `r2.cha` or `verdict.judge`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TurnId {
    /// The stage.
    pub stage: Stage,
    /// The seat that speaks.
    pub seat: Seat,
}

impl TurnId {
    /// Returns the turn of `seat` in round `round`.
    pub const fn round(round: u16, seat: Seat) -> Self {
        Self {
            stage: Stage::Round(round),
            seat,
        }
    }

    /// Returns the turn in which `seat` states the theses of a formal debate.
    pub const fn theses(seat: Seat) -> Self {
        Self {
            stage: Stage::Theses,
            seat,
        }
    }

    /// Returns the turn in which `seat` gives its verdict.
    pub const fn verdict(seat: Seat) -> Self {
        Self {
            stage: Stage::Verdict,
            seat,
        }
    }

    /// The first judge's verdict with the sides swapped, written `verdict.swap`.
    pub const SWAP: Self = Self {
        stage: Stage::Swap,
        seat: Seat::JUDGE,
    };
}

impl TurnId {
    /// Describes the turn in words, such as `challenger, round 1`.
    ///
    /// ```
    /// use agon_record::id::{Seat, TurnId};
    /// assert_eq!(TurnId::round(1, Seat::Challenger).describe(), "challenger, round 1");
    /// assert_eq!(TurnId::round(2, Seat::Opposition).describe(), "opposition, exchange 2");
    /// ```
    pub fn describe(self) -> String {
        let seat = self.seat;
        let is_formal = matches!(seat, Seat::Proposition | Seat::Opposition);
        match self.stage {
            Stage::Theses => "the theses".to_owned(),
            Stage::Round(exchange) if is_formal || seat.is_judge() => {
                format!("{seat}, exchange {exchange}")
            }
            Stage::Round(0) => format!("{seat}, first answer"),
            Stage::Round(round) => format!("{seat}, round {round}"),
            Stage::Verdict => seat.to_string(),
            Stage::Swap => format!("{seat}, sides swapped"),
        }
    }
}

impl fmt::Display for TurnId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.stage {
            Stage::Theses => write!(f, "theses.{}", self.seat.short_name()),
            Stage::Round(n) => write!(f, "r{n}.{}", self.seat.short_name()),
            Stage::Verdict => write!(f, "verdict.{}", self.seat.short_name()),
            // No seat name, because only the first judge is asked with the sides swapped.
            Stage::Swap => f.write_str("verdict.swap"),
        }
    }
}

impl FromStr for TurnId {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parse = || {
            if text == "verdict.swap" {
                return Some(Self::SWAP);
            }
            let (stage, seat) = text.split_once('.')?;
            let seat = Seat::from_short_name(seat)?;
            match stage {
                "theses" => return Some(Self::theses(seat)),
                "verdict" => return Some(Self::verdict(seat)),
                _ => {}
            }
            let digits = stage.strip_prefix('r')?;
            let round: u16 = digits.parse().ok()?;
            (digits == round.to_string()).then_some(Self::round(round, seat))
        };
        parse().ok_or_else(|| IdError::new("turn", text))
    }
}

/// One request for the content of a turn, such as `r2.cha#0`.
///
/// `#0` is the first ask, `#1` the one after a reply was sent back. Attempts that fail in transport
/// share the key of their ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct AskKey {
    /// The turn asked for.
    pub turn: TurnId,
    /// How many times its content was asked for before.
    pub again: u8,
}

impl AskKey {
    /// Returns the first ask of the same turn.
    pub fn first_ask(self) -> Self {
        Self { again: 0, ..self }
    }
}

impl fmt::Display for AskKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.turn, self.again)
    }
}

impl FromStr for AskKey {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parse = || {
            let (turn, digits) = text.split_once('#')?;
            let again: u8 = digits.parse().ok()?;
            let turn = turn.parse().ok()?;
            (digits == again.to_string()).then_some(Self { turn, again })
        };
        parse().ok_or_else(|| IdError::new("ask", text))
    }
}

/// A point made in a debate, such as `pro_001a`.
///
/// The seat that made it, the round, and its place in the turn: `a` to `z`,
/// then `aa`, `ab` and so on.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct NodeId {
    /// The seat that made the point.
    pub seat: Seat,
    /// The round.
    pub round: u16,
    /// Its index in the turn, from 0; `None` if the turn makes only one point.
    pub place: Option<u16>,
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}_{:03}", self.seat.short_name(), self.round)?;
        match self.place {
            Some(place) => f.write_str(&place_letters(place)),
            None => Ok(()),
        }
    }
}

impl FromStr for NodeId {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parse = || {
            let (seat, rest) = text.split_once('_')?;
            let seat = Seat::from_short_name(seat).filter(|seat| !seat.is_judge())?;
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let round: u16 = rest.get(..digits)?.parse().ok()?;
            let place = match rest.get(digits..)? {
                "" => None,
                tail => Some(parse_place_letters(tail)?),
            };
            let id = Self { seat, round, place };
            (id.to_string() == text).then_some(id)
        };
        parse().ok_or_else(|| IdError::new("node", text))
    }
}

/// Returns `a` for 0, `z` for 25, `aa` for 26.
fn place_letters(place: u16) -> String {
    let mut out = Vec::new();
    let mut rest = u32::from(place) + 1;
    while rest > 0 {
        rest -= 1;
        out.push(b'a' + (rest % 26) as u8);
        rest /= 26;
    }
    out.iter().rev().map(|&byte| byte as char).collect()
}

fn parse_place_letters(text: &str) -> Option<u16> {
    let mut place: u32 = 0;
    for byte in text.bytes() {
        if !byte.is_ascii_lowercase() {
            return None;
        }
        place = place
            .checked_mul(26)?
            .checked_add(u32::from(byte - b'a') + 1)?;
    }
    u16::try_from(place.checked_sub(1)?).ok()
}

/// A text that is not a valid id.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a valid {what} id")]
pub struct IdError {
    what: &'static str,
    text: String,
}

impl IdError {
    fn new(what: &'static str, text: &str) -> Self {
        let text = text.chars().take(60).collect();
        Self { what, text }
    }
}

macro_rules! as_text {
    ($($id:ty),*) => {$(
        impl From<$id> for String {
            fn from(id: $id) -> Self {
                id.to_string()
            }
        }

        impl TryFrom<String> for $id {
            type Error = IdError;

            fn try_from(text: String) -> Result<Self, Self::Error> {
                text.parse()
            }
        }
    )*};
}

as_text!(Seat, TurnId, AskKey, NodeId);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn seats() -> impl Strategy<Value = Seat> {
        prop_oneof![
            Just(Seat::Proposer),
            Just(Seat::Challenger),
            Just(Seat::Proposition),
            Just(Seat::Opposition),
            (1..=u8::MAX).prop_map(Seat::Judge),
        ]
    }

    proptest! {
        #[test]
        fn every_id_reads_back_as_it_was_written(
            seat in seats(), round: u16, place in proptest::option::of(any::<u16>()), again: u8,
        ) {
            prop_assert_eq!(seat.to_string().parse(), Ok(seat));
            for turn in [
                TurnId::round(round, seat), TurnId::theses(seat), TurnId::verdict(seat), TurnId::SWAP,
            ] {
                prop_assert_eq!(turn.to_string().parse(), Ok(turn));
                let key = AskKey { turn, again };
                prop_assert_eq!(key.to_string().parse(), Ok(key));
            }
            if !seat.is_judge() {
                let id = NodeId { seat, round, place };
                prop_assert_eq!(id.to_string().parse(), Ok(id));
            }
        }

        #[test]
        fn no_text_makes_an_id_that_prints_otherwise(text in "[a-z_.#0-9-]{0,12}") {
            if let Ok(id) = text.parse::<NodeId>() { prop_assert_eq!(id.to_string(), text.clone()); }
            if let Ok(id) = text.parse::<AskKey>() { prop_assert_eq!(id.to_string(), text.clone()); }
            if let Ok(id) = text.parse::<Seat>() { prop_assert_eq!(id.to_string(), text); }
        }
    }

    #[test]
    fn letters_go_on_after_z() {
        let id = |place| {
            NodeId {
                seat: Seat::Proposer,
                round: 1,
                place,
            }
            .to_string()
        };
        assert_eq!(id(Some(0)), "pro_001a");
        assert_eq!(id(Some(25)), "pro_001z");
        assert_eq!(id(Some(26)), "pro_001aa");
        assert_eq!(id(None), "pro_001");
    }
}
