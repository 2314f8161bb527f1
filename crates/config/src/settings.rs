//! The configuration that holds, every value of it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use agon_agents::profile::Transport;
use agon_record::finding::Severity;
use agon_record::spec::Effort;
use agon_record::weights::EdgeWeights;

use crate::default;
use crate::layer::{ContextLimit, Fallback, Layer};

/// The configuration that holds; what can be left open is an [`Option`].
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The tool that proposes.
    pub proposer: Option<String>,
    /// The tool that challenges.
    pub challenger: Option<String>,
    /// The tool that judges.
    pub judge: Option<String>,
    /// Rounds of a duel.
    pub rounds: u16,
    /// How hard every seat thinks.
    pub effort: Effort,
    /// How every tool is spoken to; each as it can be where nothing is set.
    pub transport: Option<Transport>,
    /// Who debates where the user names no tool and no AI tool is installed.
    pub fallback: Fallback,
    /// Material given to every seat; the repository or nothing where nothing is set, see
    /// [`default::CONTEXT`].
    pub context: Option<String>,
    /// Seconds for one turn.
    pub timeout: u64,
    /// The most calls of one debate; those planned and a few more where nothing is set.
    pub max_calls: Option<u32>,
    /// The most tokens of one debate.
    pub max_tokens: u64,
    /// The most seconds of one debate.
    pub max_time: u64,
    /// The most money of one debate, in US dollars.
    pub max_cost: Option<f64>,
    /// The most tokens of a day for what is started while no person watches.
    pub daily_tokens: u64,
    /// The most tokens of a month (UTC) for debates and questions; unbounded where nothing is set.
    pub monthly_tokens: Option<u64>,
    /// Where new debates go.
    pub debates_dir: PathBuf,
    /// Where traces are sent.
    pub otlp_endpoint: Option<String>,
    /// Severities that differ from the rules' own, by code.
    pub rules: BTreeMap<String, Severity>,
    /// What the edges of argument graphs carry.
    pub graph: EdgeWeights,
    /// The model for a seat.
    pub model: BTreeMap<String, String>,
    /// What differs from a tool's profile, by tool.
    pub tools: BTreeMap<String, toml::Table>,
    /// Limits of a team, where they are not the defaults.
    pub team: toml::Table,
    /// What models bear, where it differs from what is known of them.
    pub limits: Vec<ContextLimit>,
}

impl From<Layer> for Settings {
    /// What `layer` sets, and the defaults for the rest.
    fn from(layer: Layer) -> Self {
        Self {
            proposer: layer.proposer,
            challenger: layer.challenger,
            judge: layer.judge,
            rounds: layer.rounds.unwrap_or(default::ROUNDS),
            effort: layer.effort.unwrap_or(default::EFFORT),
            transport: layer.transport,
            fallback: layer.fallback.unwrap_or_default(),
            context: layer.context,
            timeout: layer.timeout.unwrap_or(default::TIMEOUT_S),
            max_calls: layer.max_calls,
            max_tokens: layer.max_tokens.unwrap_or(default::MAX_TOKENS),
            max_time: layer.max_time.unwrap_or(default::MAX_TIME_S),
            max_cost: layer.max_cost,
            daily_tokens: layer.daily_tokens.unwrap_or(default::DAILY_TOKENS),
            monthly_tokens: layer.monthly_tokens,
            debates_dir: layer
                .debates_dir
                .unwrap_or_else(|| PathBuf::from(default::DEBATES_DIR)),
            otlp_endpoint: layer.otlp_endpoint,
            rules: layer.rules,
            graph: layer.graph,
            model: layer.model,
            tools: layer.tools,
            team: layer.team,
            limits: layer.limits,
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self::from(Layer::default())
    }
}
