//! The typed moves of a debate, which every reply must contain.
//!
//! Prompts ask a model for these structures, and the journal stores them. The rules for them are in
//! `agon-rules`.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use crate::id::NodeId;
use crate::tagged::deserialize_tagged;

mod access;
mod choice;
mod formal_moves;

pub use choice::{ChoiceWord, Choose};
pub use formal_moves::{
    Attack, AttackKind, Case, Contention, Defend, DefenseKind, Formal, Rescoring, Scores, Scoring,
    Theses,
};

/// The moves of one turn.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Moves {
    /// A first answer, given before either side has heard the other.
    Blind(Blind),
    /// The proposer's stance and arguments.
    Opening(Opening),
    /// The challenger's first reply.
    Challenge(Challenge),
    /// The proposer's answer to the objections.
    Defense(Defense),
    /// The challenger's ruling on those answers.
    FollowUp(FollowUp),
    /// The judge's verdict.
    Verdict(Ruling),
    /// The content of a turn of a formal debate.
    Formal(Formal),
}

/// The variants of [`Moves`], which `deserialize_tagged` selects.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum MovesVariant {
    Blind(Blind),
    Opening(Opening),
    Challenge(Challenge),
    Defense(Defense),
    FollowUp(FollowUp),
    Verdict(Ruling),
    Formal(Formal),
}

impl<'de> Deserialize<'de> for Moves {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match deserialize_tagged(deserializer, "kind")? {
            MovesVariant::Blind(blind) => Self::Blind(blind),
            MovesVariant::Opening(opening) => Self::Opening(opening),
            MovesVariant::Challenge(challenge) => Self::Challenge(challenge),
            MovesVariant::Defense(defense) => Self::Defense(defense),
            MovesVariant::FollowUp(follow_up) => Self::FollowUp(follow_up),
            MovesVariant::Verdict(ruling) => Self::Verdict(ruling),
            MovesVariant::Formal(formal) => Self::Formal(formal),
        })
    }
}

/// The kind of moves that a turn requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MovesKind {
    /// See [`Moves::Blind`].
    Blind,
    /// See [`Moves::Opening`].
    Opening,
    /// See [`Moves::Challenge`].
    Challenge,
    /// See [`Moves::Defense`].
    Defense,
    /// See [`Moves::FollowUp`].
    FollowUp,
    /// See [`Moves::Verdict`].
    Verdict,
    /// See [`Formal::Theses`].
    Theses,
    /// See [`Formal::Case`].
    Case,
    /// See [`Formal::Rebuttal`].
    Rebuttal,
    /// See [`Formal::Scores`].
    Scores,
}

impl MovesKind {
    /// Every kind, in the order in which the formats use them.
    pub const ALL: [Self; 10] = [
        Self::Blind,
        Self::Opening,
        Self::Challenge,
        Self::Defense,
        Self::FollowUp,
        Self::Verdict,
        Self::Theses,
        Self::Case,
        Self::Rebuttal,
        Self::Scores,
    ];

    /// Returns whether the kind belongs to a formal debate.
    pub fn is_formal(self) -> bool {
        matches!(
            self,
            Self::Theses | Self::Case | Self::Rebuttal | Self::Scores
        )
    }

    /// Returns the name used in schemas and prompts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Blind => "blind",
            Self::Opening => "opening",
            Self::Challenge => "challenge",
            Self::Defense => "defense",
            Self::FollowUp => "follow_up",
            Self::Verdict => "verdict",
            Self::Theses => "theses",
            Self::Case => "case",
            Self::Rebuttal => "rebuttal",
            Self::Scores => "scores",
        }
    }
}

/// A first answer, given before either side has heard the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Blind {
    /// The answer in at most five words.
    pub answer: String,
    /// The position, in a sentence or two.
    pub position: String,
    /// The reasons for it.
    #[serde(default)]
    pub because: Vec<String>,
}

/// The proposer's stance and arguments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Opening {
    /// One sentence, no hedging.
    pub stance: String,
    /// One to five arguments.
    pub arguments: Vec<Argument>,
}

/// The challenger's first reply: objections first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Challenge {
    /// Whether both first answers agree, if both sides gave one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_answers: Option<AnswerComparison>,
    /// At most three objections.
    #[serde(default)]
    pub objections: Vec<Objection>,
    /// Categories in which nothing was found, and the places searched.
    #[serde(default)]
    pub none_found: Vec<NoneFound>,
    /// Accepted points, with evidence and the remaining risk.
    #[serde(default)]
    pub agreements: Vec<Agreement>,
    /// Other answers to the topic.
    #[serde(default)]
    pub alternatives: Vec<Argument>,
}

/// Whether two answers to the topic agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AnswerComparison {
    /// Following one answer means doing what the other asks for.
    Same,
    /// Following one answer means doing something else.
    Different,
}

/// The proposer's answer to the objections.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Defense {
    /// The position as it now is.
    pub position_now: String,
    /// One answer per objection.
    #[serde(default)]
    pub responses: Vec<Response>,
    /// New arguments.
    #[serde(default)]
    pub arguments: Vec<Argument>,
}

/// The challenger's rulings on the answers, and what is new.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FollowUp {
    /// One ruling per answer.
    #[serde(default)]
    pub assessments: Vec<Assessment>,
    /// At most three objections.
    #[serde(default)]
    pub objections: Vec<Objection>,
    /// Categories in which nothing was found, and the places searched.
    #[serde(default)]
    pub none_found: Vec<NoneFound>,
    /// Accepted points, with evidence and the remaining risk.
    #[serde(default)]
    pub agreements: Vec<Agreement>,
    /// Other answers to the topic.
    #[serde(default)]
    pub alternatives: Vec<Argument>,
}

/// The judge's verdict: the part that a model writes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Ruling {
    /// Which side argued the better case.
    pub winner: Side,
    /// The answer to the topic; it may be the challenger's alternative.
    pub answer: String,
    /// Why, in a sentence or two.
    pub why: String,
    /// The next step that can be done.
    pub do_next: String,
    /// The condition under which the answer changes.
    pub unless: String,
    /// The points the verdict rests on.
    #[serde(default)]
    pub decisive: Vec<NodeId>,
    /// What stays open, and how to settle it.
    #[serde(default)]
    pub open: Vec<OpenQuestion>,
    /// Assumptions of both sides.
    #[serde(default)]
    pub assumed_by_both: Vec<String>,
    /// What both sides accept, with evidence.
    #[serde(default)]
    pub agreements: Vec<AgreedPoint>,
    /// Points on which the sides disagree.
    #[serde(default)]
    pub disagreements: Vec<Disagreement>,
    /// How good the debate was; optional for a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quality: Option<Quality>,
}

/// A side of a duel, as a verdict names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The proposer.
    Proposer,
    /// The challenger.
    Challenger,
}

impl Side {
    /// Returns the seat of this side.
    pub fn seat(self) -> crate::id::Seat {
        match self {
            Self::Proposer => crate::id::Seat::Proposer,
            Self::Challenger => crate::id::Seat::Challenger,
        }
    }
}

/// A question the debate did not settle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OpenQuestion {
    /// The question.
    pub question: String,
    /// Evidence that would settle it.
    pub to_settle: String,
}

/// A point both sides accept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AgreedPoint {
    /// The point.
    pub point: String,
    /// Where it was made.
    #[serde(default)]
    pub evidence: Vec<NodeId>,
}

/// A point on which the sides differ to the end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Disagreement {
    /// The point.
    pub point: String,
    /// Where the proposer stands.
    pub proposer: String,
    /// Where the challenger stands.
    pub challenger: String,
}

/// How good the debate was, in the judge's eyes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Quality {
    /// Whether the sides really differed.
    pub genuine_disagreement: Grade,
    /// How well the points were supported.
    pub evidence: Grade,
    /// How deep the challenge went.
    pub challenge_depth: Grade,
}

/// A judgment on three steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Grade {
    /// The best.
    High,
    /// The middle.
    Medium,
    /// The worst.
    Low,
}

/// An argument after Toulmin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Argument {
    /// Five to seven words.
    pub title: String,
    /// The claim.
    pub claim: String,
    /// The grounds it rests on; one to three.
    pub grounds: Vec<Ground>,
    /// Why the grounds support the claim.
    pub warrant: String,
    /// The support for the warrant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backing: Option<String>,
    /// How far the claim goes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub qualifier: Option<String>,
}

/// Something an argument rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Ground {
    /// Where it comes from.
    pub source: String,
    /// Its content.
    pub content: String,
    /// Why it matters here.
    pub relevance: String,
    /// The place where code can look it up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub citation: Option<Citation>,
}

/// A place that code can look up, with the words expected there.
///
/// One of: `file` (with `lines`, with `commit`), `url`, `document`, `command`
/// with its `output`, or `reasoning` when the ground is none of these.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Citation {
    /// A file, relative to the project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// First and last line, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<[u32; 2]>,
    /// The commit that has the cited version of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// A page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// A document that was given to the debate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document: Option<String>,
    /// At most twelve words copied from that place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anchor: Option<String>,
    /// A command whose run was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The output of that command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// A ground that is reasoning and nothing else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
}

/// A typed objection to one point of the other side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Objection {
    /// The point objected to.
    pub target: NodeId,
    /// The part of it that fails.
    pub kind: ObjectionKind,
    /// The part of the target that the objection is about.
    pub category: Category,
    /// How serious it is.
    pub severity: ObjectionSeverity,
    /// The objection in at most seven words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The objection.
    pub content: String,
    /// The grounds it rests on; one to three.
    pub grounds: Vec<Ground>,
}

/// The part of a point that an objection is aimed at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ObjectionKind {
    /// The claim.
    Claim,
    /// The grounds.
    Grounds,
    /// The warrant.
    Warrant,
    /// The backing.
    Backing,
    /// The point has no support at all.
    Unsupported,
}

/// The part of its target that an objection is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// It gives wrong results.
    Correctness,
    /// It can be abused.
    Security,
    /// It makes work harder.
    DeveloperExperience,
    /// It is slow.
    Performance,
    /// It costs too much.
    Cost,
    /// It cannot be done as intended.
    Practicality,
    /// It is unfair to some people.
    Fairness,
    /// Anything else.
    Other,
}

impl Category {
    /// The categories that a challenger must cover if the topic is software.
    pub const COVERED: [Self; 3] = [Self::Correctness, Self::Security, Self::DeveloperExperience];
}

/// How serious an objection is.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum ObjectionSeverity {
    /// Worth saying.
    Minor,
    /// It must be answered.
    Major,
    /// If it is right, the position fails.
    Blocker,
}

/// A category in which nothing was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NoneFound {
    /// The category.
    pub category: Category,
    /// The places searched.
    pub looked_at: Vec<String>,
    /// The attempts to find a flaw, and why they found none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// A point of the other side that is accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Agreement {
    /// The point accepted.
    pub target: NodeId,
    /// The evidence that it holds.
    pub grounds: Vec<Ground>,
    /// The remaining risk.
    pub remaining_risk: String,
}

/// The proposer's answer to one objection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Response {
    /// The objection answered.
    pub objection: NodeId,
    /// How.
    pub reply: ReplyKind,
    /// The answer.
    pub content: String,
    /// Why the position still stands; needed for a trade-off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub still_favours_because: Option<String>,
    /// The grounds of the answer.
    #[serde(default)]
    pub grounds: Vec<Ground>,
}

/// How an objection is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReplyKind {
    /// It is right.
    Concede,
    /// It is wrong.
    Rebut,
    /// It is right and does not decide.
    Tradeoff,
    /// The text has no support.
    Unsupported,
}

/// The challenger's ruling on one answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Assessment {
    /// The answer ruled on.
    pub response: NodeId,
    /// The ruling.
    pub ruling: RulingKind,
    /// Why.
    pub content: String,
    /// The grounds of the ruling; required for `resolved`.
    #[serde(default)]
    pub grounds: Vec<Ground>,
}

/// A ruling on an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RulingKind {
    /// The answer settles the objection.
    Resolved,
    /// The objection stands.
    Sustained,
    /// The answer does not address it.
    Dodged,
    /// The answer has no support.
    Unsupported,
    /// The answer changed the question.
    Reframed,
}
