//! The requested seats.

use agon_agents::profile::Transport;
use agon_record::spec::{Effort, ToolName};
use serde::{Deserialize, Serialize};

/// The request for one side.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SeatRequest {
    /// The tool; `human` for a person.
    pub tool: Option<String>,
    /// Its model.
    pub model: Option<String>,
    /// The reasoning effort.
    pub effort: Option<Effort>,
}

/// The request for the judges.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct JudgesRequest {
    /// The tools; several form a panel.
    pub tools: Vec<String>,
    /// The models, one for each judge, in order.
    pub models: Vec<String>,
    /// The reasoning effort of each judge.
    pub effort: Option<Effort>,
}

/// The requested seats of a debate.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SeatsRequest {
    /// The two sides in the order of the format: proposer and challenger, or proposition and
    /// opposition.
    pub sides: [SeatRequest; 2],
    /// The judges.
    pub judges: JudgesRequest,
    /// The reasoning effort of every seat.
    pub effort: Option<Effort>,
    /// The transport for every tool.
    pub transport: Option<Transport>,
    /// Whether both sides of a duel may be the same tool with the same model.
    pub same_tool: bool,
    /// Whether another tool may replace a named tool that cannot be used.
    pub substitute: bool,
}

impl SeatsRequest {
    /// Returns the tools that the request names.
    pub(crate) fn named_tools(&self) -> Vec<ToolName> {
        let sides = self.sides.iter().filter_map(|side| side.tool.as_ref());
        let all = sides.chain(&self.judges.tools);
        all.filter_map(|name| name.parse().ok()).collect()
    }

    /// Returns whether the effort of each seat is set, for all at once or one by one.
    pub(crate) fn has_every_effort(&self) -> bool {
        let mut sides = self.sides.iter();
        self.effort.is_some()
            || sides.all(|side| side.effort.is_some()) && self.judges.effort.is_some()
    }
}
