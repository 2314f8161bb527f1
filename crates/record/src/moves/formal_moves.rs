//! The typed moves of a formal debate.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use super::choice::{ChoiceWord, Choose, choice_word, labelled_choice_word};
use super::{Argument, Ground};
use crate::id::{NodeId, Seat};
use crate::score::{self, Score};
use crate::tagged::deserialize_tagged;

/// The content of a turn of a formal debate.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "said", rename_all = "snake_case")]
pub enum Formal {
    /// What each side defends, put positively.
    Theses(Theses),
    /// The three arguments with which a side opens.
    Case(Case),
    /// The one argument of a later exchange.
    Rebuttal(Box<Contention>),
    /// A judge's scores.
    Scores(Scores),
}

/// The variants of [`Formal`], which `deserialize_tagged` selects.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum FormalVariant {
    Theses(Theses),
    Case(Case),
    Rebuttal(Box<Contention>),
    Scores(Scores),
}

impl<'de> Deserialize<'de> for Formal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match deserialize_tagged(deserializer, "said")? {
            FormalVariant::Theses(theses) => Self::Theses(theses),
            FormalVariant::Case(case) => Self::Case(case),
            FormalVariant::Rebuttal(rebuttal) => Self::Rebuttal(rebuttal),
            FormalVariant::Scores(scores) => Self::Scores(scores),
        })
    }
}

/// What each side defends, each put positively.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Theses {
    /// What the proposition defends, as one plain sentence.
    pub proposition: String,
    /// What the opposition defends, as one plain sentence of its own.
    pub opposition: String,
}

impl Theses {
    /// Returns the thesis of `seat`; `None` for a judge.
    pub fn thesis(&self, seat: Seat) -> Option<&str> {
        match seat {
            Seat::Proposition => Some(&self.proposition),
            Seat::Opposition => Some(&self.opposition),
            Seat::Proposer | Seat::Challenger | Seat::Judge(_) => None,
        }
    }
}

/// The three independent arguments with which a side opens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Case {
    /// Exactly three, none depending on another.
    pub arguments: Vec<Contention>,
}

/// An argument of a formal debate, with what it attacks and what it defends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Contention {
    /// The argument.
    #[serde(flatten)]
    pub argument: Argument,
    /// At most three attacks on earlier arguments of the other side.
    #[serde(default)]
    pub attacks: Vec<Attack>,
    /// At most two defenses of earlier arguments of its own side.
    #[serde(default)]
    pub defends: Vec<Defend>,
}

/// The members of a [`Contention`]. Serde would keep all of them in memory before it reads a
/// flattened structure.
#[derive(Deserialize)]
struct ContentionMembers {
    title: String,
    claim: String,
    grounds: Vec<Ground>,
    warrant: String,
    backing: Option<String>,
    qualifier: Option<String>,
    #[serde(default)]
    attacks: Vec<Attack>,
    #[serde(default)]
    defends: Vec<Defend>,
}

impl<'de> Deserialize<'de> for Contention {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let members = ContentionMembers::deserialize(deserializer)?;
        Ok(Self {
            argument: Argument {
                title: members.title,
                claim: members.claim,
                grounds: members.grounds,
                warrant: members.warrant,
                backing: members.backing,
                qualifier: members.qualifier,
            },
            attacks: members.attacks,
            defends: members.defends,
        })
    }
}

/// A typed attack on an earlier argument of the other side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Attack {
    /// The argument attacked.
    pub target_id: NodeId,
    /// The part of it that fails.
    pub attack_type: AttackKind,
    /// Why it fails.
    pub content: String,
}

/// The part of an argument that an attack is aimed at.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
pub enum AttackKind {
    /// The claim.
    #[serde(rename = "claim_attack")]
    Claim,
    /// The grounds.
    #[serde(rename = "grounds_attack")]
    Grounds,
    /// The warrant.
    #[serde(rename = "warrant_attack")]
    Warrant,
    /// The backing.
    #[serde(rename = "backing_attack")]
    Backing,
}

impl Choose for AttackKind {
    const CHOICES: &'static [ChoiceWord] = &[
        labelled_choice_word("claim_attack", "claim"),
        labelled_choice_word("grounds_attack", "grounds"),
        labelled_choice_word("warrant_attack", "warrant"),
        labelled_choice_word("backing_attack", "backing"),
    ];

    fn variant_index(self) -> usize {
        self as usize
    }
}

impl AttackKind {
    /// Returns the name used in files and replies.
    pub fn name(self) -> &'static str {
        self.word()
    }

    /// Returns the attacked part of an argument, in words for people.
    pub fn part_label(self) -> &'static str {
        self.label()
    }
}

/// A typed defense of an earlier argument of one's own side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Defend {
    /// The argument defended.
    pub target_id: NodeId,
    /// How.
    pub defense_type: DefenseKind,
    /// The defense.
    pub content: String,
}

/// How an earlier argument is defended.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum DefenseKind {
    /// Further support for it.
    Reinforce,
    /// The actual words.
    Clarify,
    /// It is given up, and the case continues without it.
    ConcedeAndPivot,
}

impl Choose for DefenseKind {
    const CHOICES: &'static [ChoiceWord] = &[
        choice_word("reinforce"),
        choice_word("clarify"),
        choice_word("concede_and_pivot"),
    ];

    fn variant_index(self) -> usize {
        self as usize
    }
}

impl DefenseKind {
    /// Returns the name used in files and replies.
    pub fn name(self) -> &'static str {
        self.word()
    }
}

/// A judge's scores for the arguments of an exchange.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Scores {
    /// Every new argument once; together they are zero.
    pub scores: Vec<Scoring>,
    /// Earlier arguments that now deserve another score.
    #[serde(default)]
    pub rescores: Vec<Rescoring>,
}

/// The score of a new argument.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Scoring {
    /// The argument.
    pub argument_id: NodeId,
    /// From -1 to 1, in steps of a thousandth.
    #[serde(deserialize_with = "score::deserialize_argument_score")]
    pub score: Score,
    /// Why.
    pub reasoning: String,
}

/// A new score for an earlier argument.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Rescoring {
    /// The argument.
    pub argument_id: NodeId,
    /// The score it has now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_score: Option<Score>,
    /// The score it deserves, at most 0.5 away.
    #[serde(deserialize_with = "score::deserialize_argument_score")]
    pub new_score: Score,
    /// Why.
    pub reasoning: String,
}
