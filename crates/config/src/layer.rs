//! What can be set, in a file, in the environment or by a request.

use std::collections::BTreeMap;
use std::path::PathBuf;

use agon_agents::profile::Transport;
use agon_record::finding::Severity;
use agon_record::spec::Effort;
use agon_record::weights::EdgeWeights;
use serde::{Deserialize, Serialize};

use crate::{amount, default, duration};

/// Who debates where the user names no tool and no AI tool is installed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fallback {
    /// A model server on this machine, else the small model in the program.
    #[default]
    Any,
    /// None: the debate is refused.
    None,
}

/// From how many tokens on a model gets worse.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContextLimit {
    /// The beginning of the model's name.
    pub model: String,
    /// Tokens of its window.
    #[serde(
        default,
        deserialize_with = "amount::deserialize",
        skip_serializing_if = "Option::is_none"
    )]
    pub window: Option<u64>,
    /// Tokens from which on it gets worse.
    #[serde(
        default,
        deserialize_with = "amount::deserialize",
        skip_serializing_if = "Option::is_none"
    )]
    pub onset: Option<u64>,
    /// Tokens from which on it is much worse.
    #[serde(
        default,
        deserialize_with = "amount::deserialize",
        skip_serializing_if = "Option::is_none"
    )]
    pub severe: Option<u64>,
    /// Where the figures are from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The day they are of, such as `2026-11-26`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_of: Option<String>,
    /// How far to trust them, in a word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<String>,
}

/// What one layer of the configuration sets.
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
    /// How hard every seat thinks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effort: Option<Effort>,
    /// How every tool is spoken to: `acp`, one conversation for the whole debate, or `cli`, one
    /// start for each answer. Without it, each as it can be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transport: Option<Transport>,
    /// Who debates where the user names no tool and no AI tool is installed: `any`, a model server
    /// on this machine or else the built-in model; or `none`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fallback: Option<Fallback>,
    /// Material given to every seat: `none`, `diff`, `commit=A..B`, `file=PATH`, `dir=DIR` or `repo`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// Seconds for one turn.
    #[serde(
        deserialize_with = "duration::deserialize",
        skip_serializing_if = "Option::is_none"
    )]
    pub timeout: Option<u64>,
    /// The most calls of one debate.
    #[serde(
        deserialize_with = "amount::deserialize",
        skip_serializing_if = "Option::is_none"
    )]
    pub max_calls: Option<u32>,
    /// The most tokens of one debate.
    #[serde(
        deserialize_with = "amount::deserialize",
        skip_serializing_if = "Option::is_none"
    )]
    pub max_tokens: Option<u64>,
    /// The most seconds of one debate.
    #[serde(
        deserialize_with = "duration::deserialize",
        skip_serializing_if = "Option::is_none"
    )]
    pub max_time: Option<u64>,
    /// The most money of one debate, in US dollars.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_cost: Option<f64>,
    /// The most tokens of a day (UTC) for what is started while no person watches.
    #[serde(
        deserialize_with = "amount::deserialize",
        skip_serializing_if = "Option::is_none"
    )]
    pub daily_tokens: Option<u64>,
    /// The most tokens of a month (UTC) for debates and questions.
    #[serde(
        deserialize_with = "amount::deserialize",
        skip_serializing_if = "Option::is_none"
    )]
    pub monthly_tokens: Option<u64>,
    /// Where new debates go.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub debates_dir: Option<PathBuf>,
    /// Where traces are sent, as `OTEL_EXPORTER_OTLP_ENDPOINT` would say it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub otlp_endpoint: Option<String>,
    /// Severities that differ from the rules' own, by code.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub rules: BTreeMap<String, Severity>,
    /// What the edges of argument graphs carry, by what they say, where it is not the usual.
    #[serde(skip_serializing_if = "EdgeWeights::is_default")]
    pub graph: EdgeWeights,
    /// The model for a seat: `proposer`, `challenger`, `judge`, `judge-2` and so on.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub model: BTreeMap<String, String>,
    /// What differs from a tool's profile, by tool.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub tools: BTreeMap<String, toml::Table>,
    /// Limits of a team: leases, mail, supervision.
    #[serde(skip_serializing_if = "toml::Table::is_empty")]
    pub team: toml::Table,
    /// What models bear, where it differs from what is known of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<ContextLimit>,
    /// Folders whose project file may set anything.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub trust: Vec<PathBuf>,
    /// The profile that holds where none is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// Named sets of these keys, one of which comes on top of the files.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub profiles: BTreeMap<String, toml::Table>,
}

impl Layer {
    /// What holds when nothing is configured.
    pub fn defaults() -> Self {
        Self {
            rounds: Some(default::ROUNDS),
            effort: Some(default::EFFORT),
            timeout: Some(default::TIMEOUT_S),
            max_tokens: Some(default::MAX_TOKENS),
            max_time: Some(default::MAX_TIME_S),
            daily_tokens: Some(default::DAILY_TOKENS),
            debates_dir: Some(PathBuf::from(default::DEBATES_DIR)),
            ..Self::default()
        }
    }
}
