//! What is fixed when a debate opens.

mod json;
mod standby;

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use self::json::{is_plain_name, plain_name};
pub use self::standby::{Replaced, ReplacedDoc, Standby};
use crate::finding::Severity;
pub use crate::format::{FormatName, Kind};
use crate::ground::Pinned;
use crate::id::Seat;
use crate::moves::Theses;
use crate::options::Options;
use crate::precedent::Precedent;
use crate::text::count_with_noun;
use crate::weights::EdgeWeights;

// Chosen, not measured: twice the five with which a duel may begin. Each round costs two calls, and
// what is older than the last round is told in a summary that gets no longer.
/// The most rounds that a duel comes to, however often it is continued.
pub const MAX_ROUNDS: u16 = 10;

/// The name of a tool, such as `claude`.
///
/// One to 200 bytes of `a-z`, `A-Z`, `0-9`, `.`, `_`, `:`, `@`, `/` and `-`,
/// starting with a letter.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ToolName(String);

impl ToolName {
    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ToolName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for ToolName {
    type Err = ToolNameError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"._:@/-".contains(&byte);
        let starts = text.bytes().next().is_some_and(|b| b.is_ascii_alphabetic());
        if starts && text.len() <= 200 && text.bytes().all(allowed) {
            Ok(Self(text.to_owned()))
        } else {
            Err(ToolNameError(text.chars().take(64).collect()))
        }
    }
}

impl TryFrom<String> for ToolName {
    type Error = ToolNameError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<ToolName> for String {
    fn from(name: ToolName) -> Self {
        name.0
    }
}

/// A text that cannot name a tool.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` cannot name a tool")]
pub struct ToolNameError(String);

/// How hard a tool is asked to think.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Effort {
    /// As little as the tool offers.
    Low,
    /// The middle.
    #[default]
    Medium,
    /// More.
    High,
    /// As much as the tool offers.
    Max,
}

impl Effort {
    /// Every step, from the least.
    pub const ALL: [Self; 4] = [Self::Low, Self::Medium, Self::High, Self::Max];

    /// The name used in flags and files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Max => "max",
        }
    }
}

impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Effort {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|effort| effort.name() == text)
            .ok_or_else(|| format!("`{text}` is no effort; use low, medium, high or max"))
    }
}

/// What a tool's model is good for, by which an effort chooses one.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum ModelClass {
    /// The quickest and cheapest.
    Fast,
    /// The one for most work.
    Standard,
    /// The one that reasons best.
    Strong,
}

impl ModelClass {
    /// The name used in files and messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fast => "fast",
            Self::Standard => "standard",
            Self::Strong => "strong",
        }
    }
}

impl Effort {
    /// The class of models that does what is asked for.
    pub fn model_class(self) -> ModelClass {
        match self {
            Self::Low => ModelClass::Fast,
            Self::Medium => ModelClass::Standard,
            Self::High | Self::Max => ModelClass::Strong,
        }
    }
}

/// Who sits in a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Seating {
    /// The tool.
    #[schemars(with = "String")]
    pub tool: ToolName,
    /// Who makes the tool's default models, such as `anthropic`; empty when not known.
    pub vendor: String,
    /// The model; none lets the tool choose.
    pub model: Option<String>,
    /// How hard it thinks.
    pub effort: Effort,
    /// How it is spoken to, such as `cli`.
    pub transport: String,
    /// The installed version, as the tool prints it.
    pub version: Option<String>,
    /// The tokens that a prompt and its answer may have together, where the model bears only few;
    /// it is then told a compact prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<u32>,
    /// Whether what is known of the tool was measured with another version of it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unmeasured: bool,
    /// The class of models that `model` was chosen as; none where the user named it or the tool
    /// chooses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<ModelClass>,
    /// The model that was chosen and that the tool refused: its own default answers in its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused_model: Option<String>,
    /// Whether the effort changes nothing: it chooses no model here and the tool takes no level.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ignores_effort: bool,
}

/// How a person sits at the table.
pub const HUMAN: &str = "human";

/// How the model in the program sits at the table.
pub const LOCAL: &str = "local";

impl Seating {
    /// Whether a person sits there, who answers in their own time and costs nothing.
    pub fn is_human(&self) -> bool {
        self.transport == HUMAN
    }

    /// Whether its model is too small for a whole turn, and is interviewed: asked one short question
    /// at a time.
    pub fn is_interviewed(&self) -> bool {
        self.transport == LOCAL
    }

    /// Leaves the choice of the model to the tool, where the effort chose `model` and `tool`
    /// refuses it.
    pub fn drop_refused_model(&mut self, tool: &ToolName, model: &str) {
        let is_it = self.tool == *tool && self.model.as_deref() == Some(model);
        if is_it && self.class.take().is_some() {
            self.refused_model = self.model.take();
        }
    }
}

/// Bounds on what a debate may spend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Caps {
    /// Calls of all seats together.
    pub calls: u32,
    /// Tokens of all seats together, in and out.
    pub tokens: u64,
    /// Time that the debate runs, in milliseconds; while it is stopped the clock stands still.
    pub time_ms: u64,
    /// Money, in millionths of a US dollar, counted where a tool reports it.
    pub cost_micros: Option<u64>,
    /// Replies that may be sent back.
    pub reasks: u32,
}

/// Material given to every seat.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Context {
    /// Nothing but the topic.
    #[default]
    None,
    /// Changes of the project: the uncommitted ones, or those of some commits.
    Diff {
        /// The commit they stand on; of commits, the last one.
        commit: String,
        /// The commit that those of commits begin after; none where they are not committed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        since: Option<String>,
        /// The changes, as a unified diff.
        text: String,
        /// The submodules of the project, of which only the commit counts.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        submodules: Vec<String>,
    },
    /// One file of the project.
    File {
        /// Its path, relative to the project.
        path: String,
        /// What is in it.
        text: String,
    },
    /// Several files of the project.
    Files {
        /// The files, in the order in which they were named.
        files: Vec<ContextFile>,
    },
    /// The whole project, in a working copy that each seat reads with its own tools.
    Repo(Repo),
}

/// One of several files that every seat is given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContextFile {
    /// Its path, relative to the project.
    pub path: String,
    /// What is in it.
    pub text: String,
}

/// What every seat is given where the user did not say what it is to be, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum DefaultContext {
    /// The repository that the debate was opened in.
    Repository,
    /// Nothing: it was opened outside of any git work tree.
    Outside,
    /// Nothing: a tool at the table cannot be given a folder to read in.
    CannotRead {
        /// Who.
        tool: ToolName,
    },
    /// Nothing: the repository cannot be given.
    Unusable {
        /// Why not, in a few words.
        why: String,
    },
}

/// What is kept out of a working copy for what it is: one of it, and many.
pub const LEFT_OUT: [[&str; 2]; 8] = [
    ["settings file of AI tools", "settings files of AI tools"],
    ["submodule", "submodules"],
    ["link", "links"],
    ["large file", "large files"],
    ["pointer to a large file", "pointers to large files"],
    [
        "file that is not checked out",
        "files that are not checked out",
    ],
    ["unreadable file", "unreadable files"],
    ["special file", "special files"],
];

/// The project that every seat is given a working copy of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repo {
    /// The commit that was checked out, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// How many files differ from it.
    pub changed: u64,
    /// How many files a working copy has.
    pub files: u64,
    /// Files that are kept out because there seems to be a secret in them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub secrets: Vec<String>,
    /// Folders that are kept out because earlier debates stand in them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub debates: Vec<String>,
    /// What else is kept out, each kind of [`LEFT_OUT`] with its number, such as `2 submodules`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// The submodules among that, by their paths.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub submodules: Vec<String>,
}

impl Context {
    /// The submodules of the project, whose contents no seat is given.
    pub fn submodules(&self) -> &[String] {
        match self {
            Self::Diff { submodules, .. } => submodules,
            Self::Repo(repo) => &repo.submodules,
            Self::None | Self::File { .. } | Self::Files { .. } => &[],
        }
    }

    /// The texts that stand in every prompt.
    pub fn texts(&self) -> Vec<&str> {
        match self {
            Self::None | Self::Repo(_) => Vec::new(),
            Self::Diff { text, .. } | Self::File { text, .. } => vec![text],
            Self::Files { files } => files.iter().map(|file| file.text.as_str()).collect(),
        }
    }
}

impl Repo {
    /// What it is, in a few words, such as `repo at 3f1c9ae + 2 changed files`.
    pub fn summary(&self) -> String {
        let commit = self.commit.as_deref().and_then(|commit| commit.get(..7));
        match (commit, self.changed) {
            (None, _) => format!("folder of {}", count_with_noun(self.files, "file")),
            (Some(commit), 0) => format!("repo at {commit}"),
            (Some(commit), changed) => {
                format!(
                    "repo at {commit} + {}",
                    count_with_noun(changed, "changed file")
                )
            }
        }
    }
}

/// Everything that is fixed when a debate opens; the first event carries it.
///
/// In JSON the fields of [`Spec::kind`] stand between the others; see `spec/json.rs`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "json::SpecJson", into = "json::SpecJson")]
pub struct Spec {
    /// The debate's unique name.
    pub ulid: ulid::Ulid,
    /// The folder's name.
    pub slug: String,
    /// The format, and what only debates of this format fix.
    pub kind: Kind<DuelSpec, FormalSpec>,
    /// What is debated: the topic of a duel, the motion of a formal debate.
    pub topic: String,
    /// Who sits where; the first judge included.
    pub seats: BTreeMap<Seat, Seating>,
    /// The substitutes of the debaters.
    pub standby: Standby,
    /// Material given to every seat.
    pub context: Context,
    /// Why it is that, where the user did not say what it is to be; none where they did.
    pub default_context: Option<DefaultContext>,
    /// Earlier verdicts that every seat is told of, as data.
    pub precedents: Vec<Precedent>,
    /// What citations are checked against; none when nothing is pinned.
    pub source: Option<Pinned>,
    /// Bounds.
    pub caps: Caps,
    /// Time for one ask, in milliseconds.
    pub ask_timeout_ms: u64,
    /// Severities that differ from the rules' own, by code.
    pub severities: BTreeMap<String, Severity>,
    /// What the edges of the argument graph carry, where that was configured.
    pub weights: EdgeWeights,
    /// Whether one model may sit on both sides.
    pub same_tool: bool,
    /// Where every hidden choice derives from; 64 hexadecimal digits.
    pub salt: String,
    /// The program that opened the debate.
    pub agon: String,
    /// The rules it is held to, such as `duel/1`.
    pub ruleset: String,
}

/// The salt of the debate that `agon demo` plays, which no other debate has.
const DEMO_SALT: &str = "d3cb7078609930daa3db5b702fc7d5556477800e2bb5b429620ecac0effef159";

impl Spec {
    /// Whether this is the recorded debate of `agon demo`: the tools in its seats do not exist, so
    /// no seat can be asked to go on with it.
    pub fn is_demo(&self) -> bool {
        self.salt == DEMO_SALT
    }
}

/// What only a duel fixes when it opens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DuelSpec {
    /// Who judges when the judge is lost, in order.
    pub substitutes: Vec<Seating>,
    /// Rounds planned.
    pub rounds: u16,
    /// Whether both sides answer first, unseen by each other.
    pub blind: bool,
    /// Whether the first judge is asked once more with the sides swapped.
    pub swap: bool,
    /// Whether a person is asked to stop when the blind answers agree.
    pub ask_on_agreement: bool,
    /// What the two sides stand for, where it was read out of the topic: seats that are interviewed
    /// need it.
    pub options: Option<Options>,
}

/// What only a formal debate fixes when it opens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FormalSpec {
    /// Words of the motion with a meaning of their own.
    pub definitions: Vec<Definition>,
    /// What the motion covers and what it does not.
    pub scope: Option<String>,
    /// What each side defends, where the user said so.
    pub theses: Option<Theses>,
}

/// A word of the motion with a meaning of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Definition {
    /// The word or words.
    pub term: String,
    /// What they mean here.
    pub meaning: String,
}

impl Spec {
    /// A duel on `topic` that has no name, seats, rounds or bounds of its own yet.
    pub fn duel(slug: impl Into<String>, topic: impl Into<String>) -> Self {
        Self::of_format(FormatName::Duel, slug, topic)
    }

    /// A formal debate on `motion` that has no name, seats or bounds of its own yet.
    pub fn formal(slug: impl Into<String>, motion: impl Into<String>) -> Self {
        Self::of_format(FormatName::Formal, slug, motion)
    }

    /// A debate of this format that has no name, seats, rounds or bounds of its own yet.
    pub fn of_format(
        format: FormatName,
        slug: impl Into<String>,
        topic: impl Into<String>,
    ) -> Self {
        Self {
            ulid: ulid::Ulid::nil(),
            slug: slug.into(),
            ruleset: format!("{format}/1"),
            kind: Kind::select(format, DuelSpec::default(), FormalSpec::default()),
            topic: topic.into(),
            seats: BTreeMap::new(),
            standby: Standby::default(),
            context: Context::None,
            default_context: None,
            precedents: Vec::new(),
            source: None,
            caps: Caps::default(),
            ask_timeout_ms: 240_000,
            severities: BTreeMap::new(),
            weights: EdgeWeights::default(),
            same_tool: true,
            salt: "0".repeat(64),
            agon: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }

    /// The format.
    pub fn format(&self) -> FormatName {
        self.kind.name()
    }

    /// What only a duel fixes; none of another format.
    pub fn as_duel(&self) -> Option<&DuelSpec> {
        self.kind.as_duel()
    }

    /// What only a formal debate fixes; none of another format.
    pub fn as_formal(&self) -> Option<&FormalSpec> {
        self.kind.as_formal()
    }

    /// Who judges when the judge is lost, in order.
    pub fn substitutes(&self) -> &[Seating] {
        self.as_duel().map_or(&[], |duel| &duel.substitutes)
    }

    /// Rounds planned; a formal debate has no end and plans none.
    pub fn planned_rounds(&self) -> u16 {
        self.as_duel().map_or(0, |duel| duel.rounds)
    }

    /// Whether both sides answer first, unseen by each other.
    pub fn has_blind_round(&self) -> bool {
        self.as_duel().is_some_and(|duel| duel.blind)
    }

    /// Whether the first judge is to be asked once more with the sides swapped.
    pub fn has_swap(&self) -> bool {
        self.as_duel().is_some_and(|duel| duel.swap)
    }

    /// Whether a person is asked to stop when the blind answers agree.
    pub fn asks_on_agreement(&self) -> bool {
        self.as_duel().is_some_and(|duel| duel.ask_on_agreement)
    }

    /// What the two sides stand for, where it was read out of the topic.
    pub fn options(&self) -> Option<&Options> {
        self.as_duel()?.options.as_ref()
    }

    /// Words of the motion with a meaning of their own.
    pub fn definitions(&self) -> &[Definition] {
        self.as_formal().map_or(&[], |formal| &formal.definitions)
    }

    /// What the motion covers and what it does not.
    pub fn scope(&self) -> Option<&str> {
        self.as_formal()?.scope.as_deref()
    }

    /// What each side of a formal debate defends, where the user said so.
    pub fn theses(&self) -> Option<&Theses> {
        self.as_formal()?.theses.as_ref()
    }

    /// The calls a duel without re-asks or retries makes; a person's turn is none.
    pub fn planned_calls(&self) -> u32 {
        let called = |seat: &Seat| !self.seats.get(seat).is_some_and(Seating::is_human);
        let sides = self.format().sides();
        let sides = sides.iter().filter(|seat| called(seat)).count() as u32;
        let judges = self.seats.keys().filter(|seat| seat.is_judge());
        let judges: Vec<_> = judges.collect();
        let none = u32::from(judges.is_empty());
        let judges = judges.into_iter().filter(|seat| called(seat)).count() as u32 + none;
        let each = u32::from(self.planned_rounds()) + u32::from(self.has_blind_round());
        let swap = self.has_swap() && called(&Seat::JUDGE);
        each * sides + judges + u32::from(swap)
    }
}
