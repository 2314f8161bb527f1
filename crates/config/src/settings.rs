//! The effective configuration.

use std::collections::BTreeMap;
use std::path::PathBuf;

use agon_agents::profile::Transport;
use agon_record::finding::Severity;
use agon_record::spec::Effort;
use agon_record::weights::EdgeWeights;

use crate::layer::{ContextLimit, Fallback, Layer, PlanReview};
use crate::{costly, default};

/// The effective configuration; values without a default are [`Option`]s.
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
    /// Reasoning effort of every seat.
    pub effort: Effort,
    /// Transport for every tool; if `None`, each tool's default.
    pub transport: Option<Transport>,
    /// Who debates if the user names no tool and no AI tool is installed.
    pub fallback: Fallback,
    /// Material given to every seat; if `None`, see [`default::CONTEXT`].
    pub context: Option<String>,
    /// Time limit of one turn, in seconds.
    pub timeout: u64,
    /// Maximum calls of one debate; if `None`, the planned calls and a few more.
    pub max_calls: Option<u32>,
    /// Maximum tokens of one debate.
    pub max_tokens: u64,
    /// Time limit of one debate, in seconds.
    pub max_time: u64,
    /// Maximum cost of one debate, in US dollars.
    pub max_cost: Option<f64>,
    /// Maximum tokens per day (UTC) for unattended runs.
    pub daily_tokens: u64,
    /// Maximum tokens per month (UTC) for debates and questions; unlimited if `None`.
    pub monthly_tokens: Option<u64>,
    /// Maximum simultaneous calls to one account in a batch.
    pub batch_calls: u32,
    /// Vendors that may be sent material from any project without asking, or `all`.
    pub vendors: Vec<String>,
    /// What the hook at the end of plan mode does.
    pub plan_review: PlanReview,
    /// Time limit of the debate on a plan, in seconds.
    pub plan_review_time: u64,
    /// Topics whose changes are costly to undo, for [`costly_topics`](crate::costly_topics).
    pub costly: Vec<String>,
    /// Names of the topics that only the project's file adds to `costly`.
    pub costly_of_project: Vec<String>,
    /// Folder for new debates.
    pub debates_dir: PathBuf,
    /// Folder in which every verdict becomes a decision record, or `auto`; if `None`, no record.
    pub decision_records: Option<String>,
    /// Address for traces.
    pub otlp_endpoint: Option<String>,
    /// Overridden severities of rules, by code.
    pub rules: BTreeMap<String, Severity>,
    /// Weights of edges in argument graphs.
    pub graph: EdgeWeights,
    /// The model for a seat.
    pub model: BTreeMap<String, String>,
    /// Overrides of tools' profiles, by tool.
    pub tools: BTreeMap<String, toml::Table>,
    /// Overridden limits of a team.
    pub team: toml::Table,
    /// Overridden context limits of models.
    pub limits: Vec<ContextLimit>,
}

impl From<Layer> for Settings {
    /// Returns the settings of `layer`, with defaults for the rest.
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
            batch_calls: layer.batch_calls.unwrap_or(default::BATCH_CALLS),
            vendors: layer.vendors,
            plan_review: layer.plan_review.unwrap_or_default(),
            plan_review_time: layer
                .plan_review_time
                .unwrap_or(default::PLAN_REVIEW_TIME_S),
            costly: layer.costly.unwrap_or_else(costly::default_items),
            costly_of_project: Vec::new(),
            debates_dir: layer
                .debates_dir
                .unwrap_or_else(|| PathBuf::from(default::DEBATES_DIR)),
            decision_records: layer.decision_records,
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
