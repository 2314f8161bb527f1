//! One layer of settings, from a file, the environment or a request.

use std::collections::BTreeMap;
use std::path::PathBuf;

use agon_agents::profile::Transport;
use agon_record::finding::Severity;
use agon_record::spec::Effort;
use agon_record::weights::EdgeWeights;
use serde::{Deserialize, Serialize};

use crate::{amount, costly, default, duration};

/// Who debates if the user names no tool and no AI tool is installed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fallback {
    /// A model server on this machine, else the small built-in model.
    #[default]
    Any,
    /// No substitute: the debate is refused.
    None,
}

/// What the installed hook does at the end of an AI tool's plan mode; a later one spends more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlanReview {
    /// Nothing.
    Off,
    /// Offers a debate on the plan to the person.
    #[default]
    Suggest,
    /// Lets other tools debate the plan, and returns it once with their findings.
    Auto,
}

impl PlanReview {
    /// Returns its name in the configuration.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Suggest => "suggest",
            Self::Auto => "auto",
        }
    }
}

/// Number of tokens from which a model gets worse.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContextLimit {
    /// Beginning of the model's name.
    pub model: String,
    /// Its context window, in tokens.
    #[serde(
        default,
        deserialize_with = "amount::deserialize",
        skip_serializing_if = "Option::is_none"
    )]
    pub window: Option<u64>,
    /// Number of tokens from which it gets worse.
    #[serde(
        default,
        deserialize_with = "amount::deserialize",
        skip_serializing_if = "Option::is_none"
    )]
    pub onset: Option<u64>,
    /// Number of tokens from which it gets much worse.
    #[serde(
        default,
        deserialize_with = "amount::deserialize",
        skip_serializing_if = "Option::is_none"
    )]
    pub severe: Option<u64>,
    /// Source of the figures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Date of the figures, such as `2026-11-26`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_of: Option<String>,
    /// How reliable they are, in one word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<String>,
}

/// Settings of one configuration layer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Layer {
    /// The tool that proposes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposer: Option<String>,
    /// The tool that challenges.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub challenger: Option<String>,
    /// The tool that judges.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judge: Option<String>,
    /// Rounds of a duel, 1 to 5.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u16>,
    /// Reasoning effort of every seat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effort: Option<Effort>,
    /// Transport for every tool: `acp`, one conversation for the whole debate, or `cli`, one
    /// process per answer. If `None`, each tool's default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transport: Option<Transport>,
    /// Who debates if the user names no tool and no AI tool is installed: `any`, a model server on
    /// this machine or else the built-in model; or `none`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fallback: Option<Fallback>,
    /// Material given to every seat: `none`, `diff`, `commit=A..B`, `file=PATH`, `dir=DIR`,
    /// `session`, `session=ID` or `repo`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// Time limit of one turn, in seconds.
    #[serde(
        deserialize_with = "duration::deserialize",
        skip_serializing_if = "Option::is_none"
    )]
    pub timeout: Option<u64>,
    /// Maximum calls of one debate.
    #[serde(
        deserialize_with = "amount::deserialize",
        skip_serializing_if = "Option::is_none"
    )]
    pub max_calls: Option<u32>,
    /// Maximum tokens of one debate.
    #[serde(
        deserialize_with = "amount::deserialize",
        skip_serializing_if = "Option::is_none"
    )]
    pub max_tokens: Option<u64>,
    /// Time limit of one debate, in seconds.
    #[serde(
        deserialize_with = "duration::deserialize",
        skip_serializing_if = "Option::is_none"
    )]
    pub max_time: Option<u64>,
    /// Maximum cost of one debate, in US dollars.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_cost: Option<f64>,
    /// Maximum tokens per day (UTC) for unattended runs.
    #[serde(
        deserialize_with = "amount::deserialize",
        skip_serializing_if = "Option::is_none"
    )]
    pub daily_tokens: Option<u64>,
    /// Maximum tokens per month (UTC) for debates and questions.
    #[serde(
        deserialize_with = "amount::deserialize",
        skip_serializing_if = "Option::is_none"
    )]
    pub monthly_tokens: Option<u64>,
    /// Maximum simultaneous calls to one account in a batch.
    #[serde(
        deserialize_with = "amount::deserialize",
        skip_serializing_if = "Option::is_none"
    )]
    pub batch_calls: Option<u32>,
    /// What the hook at the end of plan mode does: `off`, `suggest` or `auto`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan_review: Option<PlanReview>,
    /// Time limit of the debate on a plan, in seconds.
    #[serde(
        deserialize_with = "duration::deserialize",
        skip_serializing_if = "Option::is_none"
    )]
    pub plan_review_time: Option<u64>,
    /// Topics whose changes are costly to undo: `built-in`, the name of a built-in one, or
    /// `NAME: PHRASE, PHRASE`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub costly: Option<Vec<String>>,
    /// Folder for new debates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub debates_dir: Option<PathBuf>,
    /// Folder in which every verdict becomes a decision record, or `auto`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision_records: Option<String>,
    /// Address for traces, in the form of `OTEL_EXPORTER_OTLP_ENDPOINT`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub otlp_endpoint: Option<String>,
    /// Overridden severities of rules, by code.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub rules: BTreeMap<String, Severity>,
    /// Overridden weights of edges in argument graphs, by kind of edge.
    #[serde(skip_serializing_if = "EdgeWeights::is_default")]
    pub graph: EdgeWeights,
    /// The model for a seat: `proposer`, `challenger`, `judge`, `judge-2` and so on.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub model: BTreeMap<String, String>,
    /// Overrides of tools' profiles, by tool.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub tools: BTreeMap<String, toml::Table>,
    /// Limits of a team: leases, mail, supervision.
    #[serde(skip_serializing_if = "toml::Table::is_empty")]
    pub team: toml::Table,
    /// Overridden context limits of models.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<ContextLimit>,
    /// Folders whose project file may set anything.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub trust: Vec<PathBuf>,
    /// Vendors that may be sent material from any project without asking, or `all`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub vendors: Vec<String>,
    /// The default profile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// Named sets of these keys, one of which can override the files.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub profiles: BTreeMap<String, toml::Table>,
}

impl Layer {
    /// Returns the default settings.
    pub fn defaults() -> Self {
        Self {
            rounds: Some(default::ROUNDS),
            effort: Some(default::EFFORT),
            timeout: Some(default::TIMEOUT_S),
            max_tokens: Some(default::MAX_TOKENS),
            max_time: Some(default::MAX_TIME_S),
            daily_tokens: Some(default::DAILY_TOKENS),
            batch_calls: Some(default::BATCH_CALLS),
            plan_review: Some(PlanReview::default()),
            plan_review_time: Some(default::PLAN_REVIEW_TIME_S),
            costly: Some(costly::default_items()),
            debates_dir: Some(PathBuf::from(default::DEBATES_DIR)),
            ..Self::default()
        }
    }
}
