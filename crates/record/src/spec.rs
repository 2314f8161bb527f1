//! The settings of a debate that are fixed when it opens.

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

// Chosen, not measured: twice the five that a duel may start with. Each round costs two calls, and
// prompts summarize everything before the last round in constant space.
/// Maximum number of rounds of a duel, including all continuations.
pub const MAX_ROUNDS: u16 = 10;

/// The name of a tool, such as `claude`.
///
/// One to 200 bytes of `a-z`, `A-Z`, `0-9`, `.`, `_`, `:`, `@`, `/` and `-`,
/// starting with a letter.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ToolName(String);

impl ToolName {
    /// Returns the name as text.
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

/// A text that is not a valid tool name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a tool name")]
pub struct ToolNameError(String);

/// The reasoning effort of a tool.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Effort {
    /// The lowest effort the tool offers.
    Low,
    /// The default.
    #[default]
    Medium,
    /// More than the default.
    High,
    /// The highest effort the tool offers.
    Max,
}

impl Effort {
    /// Every level, lowest first.
    pub const ALL: [Self; 4] = [Self::Low, Self::Medium, Self::High, Self::Max];

    /// Returns the name used in flags and files.
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
            .ok_or_else(|| format!("`{text}` is not an effort level; use low, medium, high or max"))
    }
}

/// The class of a model, by which an effort level chooses one.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum ModelClass {
    /// The quickest and cheapest.
    Fast,
    /// Suitable for most work.
    Standard,
    /// The best at reasoning.
    Strong,
}

impl ModelClass {
    /// Returns the name used in files and messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fast => "fast",
            Self::Standard => "standard",
            Self::Strong => "strong",
        }
    }
}

impl Effort {
    /// Returns the class of models that this effort level chooses.
    pub fn model_class(self) -> ModelClass {
        match self {
            Self::Low => ModelClass::Fast,
            Self::Medium => ModelClass::Standard,
            Self::High | Self::Max => ModelClass::Strong,
        }
    }
}

/// The tool and model in a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Seating {
    /// The tool.
    #[schemars(with = "String")]
    pub tool: ToolName,
    /// The vendor of the tool's default models, such as `anthropic`; empty if unknown.
    pub vendor: String,
    /// The model; `None` if the tool chooses.
    pub model: Option<String>,
    /// The reasoning effort.
    pub effort: Effort,
    /// The transport, such as `cli`.
    pub transport: String,
    /// The installed version, as the tool prints it.
    pub version: Option<String>,
    /// The maximum tokens of a prompt and its answer together, if the model's context window is
    /// small; it then gets a compact prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<u32>,
    /// Whether Agon's data about the tool was measured with another version of it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unmeasured: bool,
    /// The class of models for which `model` was chosen; `None` if the user named the model or the
    /// tool chooses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<ModelClass>,
    /// The chosen model that the tool refused; the tool's default model answers instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused_model: Option<String>,
    /// Whether the effort level has no effect: it chooses no model here and the tool takes no
    /// level.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ignores_effort: bool,
}

/// The tool name of a person.
pub const HUMAN: &str = "human";

/// The tool name of the built-in model.
pub const LOCAL: &str = "local";

impl Seating {
    /// Returns whether a person takes the seat. People answer in their own time and cost nothing.
    pub fn is_human(&self) -> bool {
        self.transport == HUMAN
    }

    /// Returns whether the model is too small for a whole turn and is interviewed: it answers one
    /// short question at a time.
    pub fn is_interviewed(&self) -> bool {
        self.transport == LOCAL
    }

    /// Removes `model`, which the effort level chose, because `tool` refuses it. The tool then
    /// chooses.
    pub fn drop_refused_model(&mut self, tool: &ToolName, model: &str) {
        let is_it = self.tool == *tool && self.model.as_deref() == Some(model);
        if is_it && self.class.take().is_some() {
            self.refused_model = self.model.take();
        }
    }
}

/// Limits on what a debate may spend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Caps {
    /// Calls of all seats together.
    pub calls: u32,
    /// Tokens of all seats together, in and out.
    pub tokens: u64,
    /// Running time of the debate, in milliseconds; the clock stops while the debate is stopped.
    pub time_ms: u64,
    /// Money, in millionths of a US dollar, if a tool reports it.
    pub cost_micros: Option<u64>,
    /// Number of replies that may be sent back.
    pub reasks: u32,
}

/// Material given to every seat.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Context {
    /// Only the topic.
    #[default]
    None,
    /// Changes of the project: the uncommitted changes, or the changes in some commits.
    Diff {
        /// The commit that the changes are based on, or the last one of a range.
        commit: String,
        /// The commit before the first one of a range; `None` for uncommitted changes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        since: Option<String>,
        /// The changes, as a unified diff.
        text: String,
        /// The submodules of the project, of which only the commit is known.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        submodules: Vec<String>,
    },
    /// One file of the project.
    File {
        /// Its path, relative to the project.
        path: String,
        /// Its content.
        text: String,
    },
    /// Several files of the project.
    Files {
        /// The files, in the order in which the user named them.
        files: Vec<ContextFile>,
    },
    /// The whole project, in a working copy that each seat reads with its tools.
    Repo(Repo),
}

/// One of several files given to every seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContextFile {
    /// Its path, relative to the project.
    pub path: String,
    /// Its content.
    pub text: String,
}

/// The material given to every seat by default, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum DefaultContext {
    /// The repository in which the debate was opened.
    Repository,
    /// No material, because the debate was opened outside any git work tree.
    Outside,
    /// No material, because the tool of a seat cannot read a folder.
    CannotRead {
        /// The tool.
        tool: ToolName,
    },
    /// No material, because the repository cannot be used.
    Unusable {
        /// The reason, in a few words.
        why: String,
    },
}

/// Kinds of files left out of a working copy, in singular and plural.
pub const LEFT_OUT: [[&str; 2]; 8] = [
    ["settings file of an AI tool", "settings files of AI tools"],
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

/// The project of which every seat gets a working copy.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repo {
    /// The checked-out commit, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// How many files differ from the commit.
    pub changed: u64,
    /// The number of files in a working copy.
    pub files: u64,
    /// Files left out because they seem to contain a secret.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub secrets: Vec<String>,
    /// Folders left out because they contain earlier debates.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub debates: Vec<String>,
    /// Other files left out, by kind ([`LEFT_OUT`]) and number, such as `2 submodules`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// The paths of the submodules among them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub submodules: Vec<String>,
}

impl Context {
    /// Returns the submodules of the project. Seats do not get their contents.
    pub fn submodules(&self) -> &[String] {
        match self {
            Self::Diff { submodules, .. } => submodules,
            Self::Repo(repo) => &repo.submodules,
            Self::None | Self::File { .. } | Self::Files { .. } => &[],
        }
    }

    /// Returns the texts that every prompt contains.
    pub fn texts(&self) -> Vec<&str> {
        match self {
            Self::None | Self::Repo(_) => Vec::new(),
            Self::Diff { text, .. } | Self::File { text, .. } => vec![text],
            Self::Files { files } => files.iter().map(|file| file.text.as_str()).collect(),
        }
    }
}

impl Repo {
    /// Returns a short description, such as `repo at 3f1c9ae + 2 changed files`.
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

/// Everything that is fixed when a debate opens; its first event contains it.
///
/// In JSON, the fields of [`Spec::kind`] are among the others; see `spec/json.rs`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "json::SpecJson", into = "json::SpecJson")]
pub struct Spec {
    /// The debate's unique id.
    pub ulid: ulid::Ulid,
    /// The folder's name.
    pub slug: String,
    /// The format, and the settings that only this format has.
    pub kind: Kind<DuelSpec, FormalSpec>,
    /// The question: the topic of a duel, the motion of a formal debate.
    pub topic: String,
    /// The seating, including the first judge.
    pub seats: BTreeMap<Seat, Seating>,
    /// The substitutes of the debaters.
    pub standby: Standby,
    /// Material given to every seat.
    pub context: Context,
    /// Why the context is the default; `None` if the user chose it.
    pub default_context: Option<DefaultContext>,
    /// Earlier verdicts that every seat is shown, as data.
    pub precedents: Vec<Precedent>,
    /// The source that citations are checked against; `None` if nothing is pinned.
    pub source: Option<Pinned>,
    /// The limits.
    pub caps: Caps,
    /// Time limit of one ask, in milliseconds.
    pub ask_timeout_ms: u64,
    /// Severities that differ from the defaults, by rule code.
    pub severities: BTreeMap<String, Severity>,
    /// The configured weights of edges in the argument graph.
    pub weights: EdgeWeights,
    /// Whether one model may argue both sides.
    pub same_tool: bool,
    /// The seed of every hidden choice; 64 hexadecimal digits.
    pub salt: String,
    /// The version of Agon that opened the debate.
    pub agon: String,
    /// The rules that apply, such as `duel/1`.
    pub ruleset: String,
}

/// The salt of the recorded debate of `agon demo`; no other debate uses it.
const DEMO_SALT: &str = "d3cb7078609930daa3db5b702fc7d5556477800e2bb5b429620ecac0effef159";

impl Spec {
    /// Returns whether this is the recorded debate of `agon demo`. The tools in its seats do not
    /// exist, so it cannot continue.
    pub fn is_demo(&self) -> bool {
        self.salt == DEMO_SALT
    }
}

/// The settings that only a duel has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DuelSpec {
    /// The substitutes of the judge, in order.
    pub substitutes: Vec<Seating>,
    /// Number of planned rounds.
    pub rounds: u16,
    /// Whether both sides answer first, without seeing each other's answer.
    pub blind: bool,
    /// Whether the first judge is asked a second time with the sides swapped.
    pub swap: bool,
    /// Whether Agon asks the user to stop if the first answers agree.
    pub ask_on_agreement: bool,
    /// The options that the two sides argue for, if the topic names them; interviewed seats need
    /// them.
    pub options: Option<Options>,
}

/// The settings that only a formal debate has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FormalSpec {
    /// Definitions of words in the motion.
    pub definitions: Vec<Definition>,
    /// What the motion covers and excludes.
    pub scope: Option<String>,
    /// The theses of both sides, if the user set them.
    pub theses: Option<Theses>,
}

/// The definition of a word in the motion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Definition {
    /// The word or phrase.
    pub term: String,
    /// Its meaning in this debate.
    pub meaning: String,
}

impl Spec {
    /// Creates a duel on `topic`, without id, seats, rounds or limits.
    pub fn duel(slug: impl Into<String>, topic: impl Into<String>) -> Self {
        Self::for_format(FormatName::Duel, slug, topic)
    }

    /// Creates a formal debate on `motion`, without id, seats or limits.
    pub fn formal(slug: impl Into<String>, motion: impl Into<String>) -> Self {
        Self::for_format(FormatName::Formal, slug, motion)
    }

    /// Creates a debate in this format, without id, seats, rounds or limits.
    pub fn for_format(
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

    /// Returns the format.
    pub fn format(&self) -> FormatName {
        self.kind.name()
    }

    /// Returns the settings of a duel; `None` for another format.
    pub fn as_duel(&self) -> Option<&DuelSpec> {
        self.kind.as_duel()
    }

    /// Returns the settings of a formal debate; `None` for another format.
    pub fn as_formal(&self) -> Option<&FormalSpec> {
        self.kind.as_formal()
    }

    /// Returns the substitutes of the judge, in order.
    pub fn substitutes(&self) -> &[Seating] {
        self.as_duel().map_or(&[], |duel| &duel.substitutes)
    }

    /// Returns the number of planned rounds; a formal debate has no end and plans none.
    pub fn planned_rounds(&self) -> u16 {
        self.as_duel().map_or(0, |duel| duel.rounds)
    }

    /// Returns whether both sides answer first, without seeing each other's answer.
    pub fn has_blind_round(&self) -> bool {
        self.as_duel().is_some_and(|duel| duel.blind)
    }

    /// Returns whether the first judge is asked a second time with the sides swapped.
    pub fn has_swap(&self) -> bool {
        self.as_duel().is_some_and(|duel| duel.swap)
    }

    /// Returns whether Agon asks the user to stop if the first answers agree.
    pub fn asks_on_agreement(&self) -> bool {
        self.as_duel().is_some_and(|duel| duel.ask_on_agreement)
    }

    /// Returns the options that the two sides argue for, if the topic names them.
    pub fn options(&self) -> Option<&Options> {
        self.as_duel()?.options.as_ref()
    }

    /// Definitions of words in the motion.
    pub fn definitions(&self) -> &[Definition] {
        self.as_formal().map_or(&[], |formal| &formal.definitions)
    }

    /// What the motion covers and excludes.
    pub fn scope(&self) -> Option<&str> {
        self.as_formal()?.scope.as_deref()
    }

    /// Returns the theses of both sides of a formal debate, if the user set them.
    pub fn theses(&self) -> Option<&Theses> {
        self.as_formal()?.theses.as_ref()
    }

    /// Returns the number of calls of a duel without re-asks or retries; a person's turn is not a
    /// call.
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
