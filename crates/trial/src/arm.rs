//! The ways to answer a question that a trial compares.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A way to answer a question.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Arm {
    /// One answer of the side that speaks first.
    One,
    /// The most frequent of several answers of that side (self-consistency: Wang et al., ICLR 2023).
    Vote,
    /// The most frequent of as many answers, by all tools of the debate in turn.
    Consult,
    /// A duel.
    Duel,
    /// A duel with three rounds, high effort and three judges.
    Deep,
    /// A duel in which the passage of the question is a source, so that quotations are checked.
    Evidence,
}

impl Arm {
    /// All arms, in the order of tables.
    pub const ALL: [Self; 6] = [
        Self::One,
        Self::Vote,
        Self::Consult,
        Self::Duel,
        Self::Deep,
        Self::Evidence,
    ];

    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::One => "one",
            Self::Vote => "vote",
            Self::Consult => "consult",
            Self::Duel => "duel",
            Self::Deep => "deep",
            Self::Evidence => "evidence",
        }
    }

    /// Returns the arm with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|arm| arm.name() == name)
    }

    /// Returns whether it is a debate.
    pub fn is_debate(self) -> bool {
        matches!(self, Self::Duel | Self::Deep | Self::Evidence)
    }

    /// Returns whether it is a vote over several answers.
    pub fn is_vote(self) -> bool {
        matches!(self, Self::Vote | Self::Consult)
    }

    /// Parses names with commas, such as `one,vote,duel`. Each arm is once in the result.
    ///
    /// # Errors
    ///
    /// If there is no name, or an unknown one.
    pub fn parse_list(text: &str) -> Result<Vec<Self>, String> {
        let names = text
            .split(',')
            .map(str::trim)
            .filter(|name| !name.is_empty());
        let mut arms = names
            .map(|name| {
                let known = Self::ALL.map(Self::name).join(", ");
                Self::from_name(name).ok_or_else(|| format!("the arms are {known}"))
            })
            .collect::<Result<Vec<_>, _>>()?;
        arms.sort_unstable();
        arms.dedup();
        match arms.is_empty() {
            true => Err("name at least one arm, such as one,vote,duel".to_owned()),
            false => Ok(arms),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arms_are_listed_by_name() {
        let parsed = Arm::parse_list("duel, one,duel");
        assert_eq!(parsed, Ok(vec![Arm::One, Arm::Duel]));
        assert!(Arm::parse_list("").is_err());
        assert!(Arm::parse_list("one,two").unwrap_err().contains("evidence"));
    }
}
