//! The structure of `verdict.json`.

use std::collections::BTreeMap;

use agon_record::authority::Authority;
use agon_record::decision::DecisionDoc;
use agon_record::id::{NodeId, Seat};
use agon_record::moves::{AgreedPoint, Disagreement, OpenQuestion, Quality};
use agon_record::precedent::Precedent;
use agon_record::spec::ReplacedDoc;
use agon_record::spec::{Effort, FormatName, ToolName};
use agon_record::state::FormerRuling;
use agon_record::tally::Total;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::stability::JudgeReading;
use super::support::{Support, Unsupported};
use super::{Citations, FindingCounts, GraphReading, Missing, OneSided, Stability, UsageTotals};

/// The schema name and version of the document.
pub const SCHEMA: &str = "agon.verdict/5";

/// The verdict on a debate, as stored in `verdict.json`.
///
/// Everything except the judge's own words is computed from the record. Ids that the judge invented
/// are left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Verdict {
    /// Always `agon.verdict/5`.
    #[schemars(extend("const" = SCHEMA))]
    pub schema: String,
    /// The debate's folder name.
    pub debate: String,
    /// The debate's unique name.
    pub ulid: String,
    /// The topic.
    pub topic: String,
    /// The format.
    #[schemars(with = "String")]
    pub format: FormatName,
    /// The seats at the end of the debate.
    #[schemars(with = "BTreeMap<String, SeatDoc>")]
    pub seats: BTreeMap<Seat, SeatDoc>,
    /// The effort of the first seat; seats with a different effort name theirs.
    #[schemars(with = "String")]
    pub effort: Effort,
    /// The number of rounds in which both sides spoke.
    pub rounds_completed: u16,
    /// The number of planned rounds; 0 for a formal debate, which has no end.
    pub max_rounds: u16,
    /// The basis of the answer, in one line: the winner, whether the ruling holds with the sides
    /// swapped, missing turns, and any substitute judge.
    #[serde(default)]
    pub headline: String,
    /// The answer to the topic. In a formal debate it is the thesis of the leading side, or null if
    /// neither leads. A text that starts with `One-sided claim` is not an answer: see `one_sided`.
    pub answer: Option<String>,
    /// The reason; null in a formal debate, where every score has its own reason.
    pub why: Option<String>,
    /// The next step; null if nothing was judged.
    pub do_next: Option<String>,
    /// The condition under which the answer changes; null if nothing was judged.
    pub unless: Option<String>,
    /// The points without which the answer would fail, according to the judge: those in `decisive`.
    /// Empty in a formal debate, whose judge names none.
    pub hangs_on: Vec<NodeId>,
    /// The fewest points without which the argument graph favors the other side. Empty if it does
    /// already, or if a few are not enough.
    #[serde(default)]
    pub graph_hangs_on: Vec<NodeId>,
    /// The concessions, word for word.
    pub conceded: Vec<Conceded>,
    /// Open questions.
    pub open: Vec<OpenQuestion>,
    /// Assumptions of both sides.
    pub assumed_by_both: Vec<String>,
    /// The seat that argued the better case; null if neither did or only one side spoke.
    #[schemars(with = "Option<String>")]
    pub winner: Option<Seat>,
    /// The tool in that seat.
    #[schemars(with = "Option<String>")]
    pub winner_tool: Option<ToolName>,
    /// The claim of the only side that replied; left out if both did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub one_sided: Option<OneSided>,
    /// The tools that substitutes replaced; left out if there were none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replaced: Vec<ReplacedDoc>,
    /// The points on which the judge based the ruling.
    pub decisive: Vec<NodeId>,
    /// Points that both sides accept.
    pub agreements: Vec<AgreedPoint>,
    /// Remaining disagreements.
    pub disagreements: Vec<Disagreement>,
    /// The judge's grades of the debate; null if nothing was judged.
    pub quality: Option<Quality>,
    /// What Agon enforced and checked, in a sentence.
    pub rigor: String,
    /// What each side answered before it saw the other's answer; null if not asked.
    pub blind: Option<BlindAnswers>,
    /// Earlier verdicts that were in every prompt; left out if there were none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub precedents: Vec<Precedent>,
    /// How far the answer was tested.
    pub authority: Authority,
    /// The missing turns, with the cause.
    pub missing: Vec<Missing>,
    /// The results of the stability trials.
    pub stability: Stability,
    /// The readings of the debate: by judges, score totals and the graph.
    pub readings: Readings,
    /// The number of citations of each side, by check result.
    #[schemars(with = "BTreeMap<String, Citations>")]
    pub citations: BTreeMap<Seat, Citations>,
    /// How many points of each side lack evidence; empty if nothing could be cited.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, Support>")]
    pub support: BTreeMap<Seat, Support>,
    /// The points that were called unsupported and stayed so.
    #[serde(default)]
    pub unsupported: Vec<Unsupported>,
    /// Unresolved broken rules.
    pub findings: FindingCounts,
    /// The cost of the debate.
    pub usage: UsageTotals,
    /// The user's inputs during the debate: notes and command runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<NoteDoc>,
    /// Earlier rulings, from before rounds were added, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub former: Vec<FormerDoc>,
    /// Whether the answer was taken, and why; left out until it is recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided: Option<DecisionDoc>,
    /// The decisions before that one, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decided_before: Vec<DecisionDoc>,
}

/// A note of the user, or a command whose output the user added to the debate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NoteDoc {
    /// The id, such as `note 1` or `run 1`.
    pub id: String,
    /// The text of the note.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The command that was run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// How the command ended, such as `exit 1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ending: Option<String>,
    /// Whether the judge had seen it before ruling.
    pub heard_by_judge: bool,
}

/// An earlier ruling, from before rounds were added.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FormerDoc {
    /// The number of rounds it covered.
    pub rounds: u16,
    /// The side it was for.
    #[schemars(with = "String")]
    pub winner: Seat,
    /// Its answer.
    pub answer: String,
}

impl FormerDoc {
    /// Converts the recorded form.
    pub(super) fn from_record(former: &FormerRuling) -> Self {
        Self {
            rounds: former.rounds,
            winner: former.winner,
            answer: former.answer.clone(),
        }
    }
}

/// The holder of a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SeatDoc {
    /// The tool.
    #[schemars(with = "String")]
    pub tool: ToolName,
    /// The requested model; null if the tool chose it.
    pub model: Option<String>,
    /// The transport.
    pub transport: String,
    /// The tool's version.
    pub version: Option<String>,
    /// The effort, if it differs from the debate's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub effort: Option<Effort>,
}

/// A concession.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Conceded {
    /// The seat that conceded.
    #[schemars(with = "String")]
    pub seat: Seat,
    /// Its words.
    pub text: String,
    /// The point that contains it.
    pub id: NodeId,
}

/// What each side answered before it saw the other's answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BlindAnswers {
    /// The proposer's answer; null if the turn was lost.
    pub proposer: Option<String>,
    /// The challenger's answer; null if the turn was lost.
    pub challenger: Option<String>,
    /// Whether the answers agree, according to the challenger; null until it says so.
    pub agree: Option<bool>,
    /// The answer that both sides gave without a debate; null if the answers differ or one is lost.
    #[serde(default)]
    pub vote: Option<String>,
}

/// The readings of the debate; null if a reading was not made.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Readings {
    /// The judge's ruling.
    pub judge: Option<JudgeReading>,
    /// The totals of the scores, in a formal debate.
    pub tally: Option<Tally>,
    /// The result of the argument graph.
    pub graph: Option<GraphReading>,
    /// The judge's ruling with the sides swapped.
    pub swap: Option<JudgeReading>,
    /// Each judge's ruling, if there was a panel.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub panel: Vec<JudgeReading>,
}

/// The result of a formal debate by the totals of its scores.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Tally {
    /// The leading side; null if neither leads.
    #[schemars(with = "Option<String>")]
    pub winner: Option<Seat>,
    /// The total score of each side.
    #[schemars(with = "BTreeMap<String, Total>")]
    pub totals: BTreeMap<Seat, Total>,
}
