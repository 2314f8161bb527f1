//! The shape of `verdict.json`.

use std::collections::BTreeMap;

use agon_record::authority::Authority;
use agon_record::id::{NodeId, Seat};
use agon_record::moves::{AgreedPoint, Disagreement, OpenQuestion, Quality};
use agon_record::precedent::Precedent;
use agon_record::spec::ReplacedDoc;
use agon_record::spec::{Effort, FormatName, ToolName};
use agon_record::state::Former;
use agon_record::tally::Total;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::stability::JudgeReading;
use super::support::{Support, Unsupported};
use super::{Citations, FindingCounts, GraphReading, Missing, OneSided, Stability, UsageTotals};

/// The name and version of the document.
pub const SCHEMA: &str = "agon.verdict/5";

/// The verdict on a debate, as it stands in `verdict.json`.
///
/// Everything but the judge's own words is computed from the record. Ids that
/// the judge made up are left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Verdict {
    /// Always `agon.verdict/5`.
    #[schemars(extend("const" = SCHEMA))]
    pub schema: String,
    /// The debate's folder name.
    pub debate: String,
    /// The debate's unique name.
    pub ulid: String,
    /// What was debated.
    pub topic: String,
    /// The format.
    #[schemars(with = "String")]
    pub format: FormatName,
    /// Who sat where at the end.
    #[schemars(with = "BTreeMap<String, SeatDoc>")]
    pub seats: BTreeMap<Seat, SeatDoc>,
    /// The effort of the first seat; a seat that differs names its own.
    #[schemars(with = "String")]
    pub effort: Effort,
    /// Rounds in which both sides spoke.
    pub rounds_completed: u16,
    /// Rounds planned; 0 for a formal debate, which has no end.
    pub max_rounds: u16,
    /// What stands behind the answer, in a line: for whom, whether it stays with the sides swapped,
    /// which turns are missing, who judged where that was not the plan.
    #[serde(default)]
    pub headline: String,
    /// The answer to the topic; in a formal debate the thesis of the side that leads, null when
    /// neither does. One that begins with `One-sided claim` is no answer: see `one_sided`.
    pub answer: Option<String>,
    /// Why; null in a formal debate, whose scores have reasons of their own.
    pub why: Option<String>,
    /// The next step; null when nothing was judged.
    pub do_next: Option<String>,
    /// The condition under which the answer changes; null when nothing was judged.
    pub unless: Option<String>,
    /// The points without which the answer would fall, by the judge's account: those in `decisive`.
    /// Empty in a formal debate, whose judge names none.
    pub hangs_on: Vec<NodeId>,
    /// The fewest points without which the argument graph favours the other side; empty where it
    /// favours the other side already, or no few points turn it.
    #[serde(default)]
    pub graph_hangs_on: Vec<NodeId>,
    /// What a side granted, word for word.
    pub conceded: Vec<Conceded>,
    /// What stays open.
    pub open: Vec<OpenQuestion>,
    /// What both sides took for granted.
    pub assumed_by_both: Vec<String>,
    /// The seat that argued the better case; null when neither did, and when only one side spoke.
    #[schemars(with = "Option<String>")]
    pub winner: Option<Seat>,
    /// The tool in that seat.
    #[schemars(with = "Option<String>")]
    pub winner_tool: Option<ToolName>,
    /// The claim of the only side that spoke; left out when both did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub one_sided: Option<OneSided>,
    /// The tools whose seats substitutes took; left out when there were none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replaced: Vec<ReplacedDoc>,
    /// The points the judge rests on.
    pub decisive: Vec<NodeId>,
    /// What both sides accept.
    pub agreements: Vec<AgreedPoint>,
    /// On what they differ to the end.
    pub disagreements: Vec<Disagreement>,
    /// How good the debate was; null when nothing was judged.
    pub quality: Option<Quality>,
    /// What code enforced and checked, in a sentence.
    pub rigor: String,
    /// What each side answered before it heard the other; null when not asked.
    pub blind: Option<BlindAnswers>,
    /// Earlier verdicts that every seat was told of; left out when there were none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub precedents: Vec<Precedent>,
    /// How much of the planned debate stands behind the answer.
    pub authority: Authority,
    /// The turns that are missing, with the reason.
    pub missing: Vec<Missing>,
    /// Whether the verdict was tried again in other ways.
    pub stability: Stability,
    /// Who or what reads the debate how.
    pub readings: Readings,
    /// How many places each side cited, by what the check found.
    #[schemars(with = "BTreeMap<String, Citations>")]
    pub citations: BTreeMap<Seat, Citations>,
    /// How many points of each side rest on reasoning alone; empty where no place could be cited.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, Support>")]
    pub support: BTreeMap<Seat, Support>,
    /// The points that were said to be unsupported and stood so to the end.
    #[serde(default)]
    pub unsupported: Vec<Unsupported>,
    /// Broken rules that stayed in the debate.
    pub findings: FindingCounts,
    /// What the debate cost.
    pub usage: UsageTotals,
    /// What the user put in while it went on: notes, and commands that were run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<NoteDoc>,
    /// Rulings that stood before more rounds were played, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub former: Vec<FormerDoc>,
}

/// A note of the user's, or a command that the user ran into the debate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NoteDoc {
    /// Its name, such as `note 1` or `run 1`.
    pub id: String,
    /// What the note says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The command that was run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// How the command ended, such as `exit 1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ending: Option<String>,
    /// Whether it was told to the judge before it ruled.
    pub heard_by_judge: bool,
}

/// A ruling that stood before more rounds were played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FormerDoc {
    /// Rounds that it was about.
    pub rounds: u16,
    /// The side that it was for.
    #[schemars(with = "String")]
    pub winner: Seat,
    /// Its answer.
    pub answer: String,
}

impl FormerDoc {
    /// As the record has it.
    pub(super) fn of(former: &Former) -> Self {
        Self {
            rounds: former.rounds,
            winner: former.winner,
            answer: former.answer.clone(),
        }
    }
}

/// Who sits in a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SeatDoc {
    /// The tool.
    #[schemars(with = "String")]
    pub tool: ToolName,
    /// The model asked for; null when the tool chose.
    pub model: Option<String>,
    /// How it was spoken to.
    pub transport: String,
    /// The tool's version.
    pub version: Option<String>,
    /// The effort, where it differs from the debate's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub effort: Option<Effort>,
}

/// Something a side granted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Conceded {
    /// Who granted it.
    #[schemars(with = "String")]
    pub seat: Seat,
    /// Its words.
    pub text: String,
    /// Where it said so.
    pub id: NodeId,
}

/// What each side answered before it heard the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BlindAnswers {
    /// The proposer's answer; null when it was lost.
    pub proposer: Option<String>,
    /// The challenger's answer; null when it was lost.
    pub challenger: Option<String>,
    /// Whether the two come to the same, as the challenger says; null as long as it did not say.
    pub agree: Option<bool>,
    /// What the majority of them answers, without any debate: the answer that both gave; null
    /// when they differ or one is lost.
    #[serde(default)]
    pub vote: Option<String>,
}

/// Who or what reads the debate how; null where a reading was not made.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Readings {
    /// The judge's.
    pub judge: Option<JudgeReading>,
    /// The sums of scores, in a formal debate.
    pub tally: Option<Tally>,
    /// The argument graph's.
    pub graph: Option<GraphReading>,
    /// The judge's with the sides swapped.
    pub swap: Option<JudgeReading>,
    /// Each judge's, where a panel sat.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub panel: Vec<JudgeReading>,
}

/// How the sums of scores read a formal debate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Tally {
    /// The side that leads; null when neither does.
    #[schemars(with = "Option<String>")]
    pub winner: Option<Seat>,
    /// What each side's arguments score together.
    #[schemars(with = "BTreeMap<String, Total>")]
    pub totals: BTreeMap<Seat, Total>,
}
