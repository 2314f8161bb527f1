//! Who is to sit where.

use agon_agents::profile::Transport;
use agon_record::spec::Effort;
use serde::{Deserialize, Serialize};

/// What is asked for one side.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SeatRequest {
    /// The tool; `human` for a person.
    pub tool: Option<String>,
    /// Its model.
    pub model: Option<String>,
    /// How hard it thinks.
    pub effort: Option<Effort>,
}

/// What is asked for the judges.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct JudgesRequest {
    /// The tools; several are a panel.
    pub tools: Vec<String>,
    /// The models, one a judge, in their order.
    pub models: Vec<String>,
    /// How hard each of them thinks.
    pub effort: Option<Effort>,
}

/// Who is to sit where in a debate.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SeatsRequest {
    /// The two sides, in the order of the format: who proposes and who challenges, or who argues
    /// for the motion and who against it.
    pub sides: [SeatRequest; 2],
    /// Who judges.
    pub judges: JudgesRequest,
    /// How hard every seat thinks.
    pub effort: Option<Effort>,
    /// How every tool is spoken to.
    pub transport: Option<Transport>,
    /// Whether one tool with one model may sit on both sides of a duel.
    pub same_tool: bool,
    /// Whether another tool may take the seat of one that is named and cannot be used.
    pub substitute: bool,
}

impl SeatsRequest {
    /// Whether the effort of each seat is set: for all, or for one after another.
    pub(crate) fn has_every_effort(&self) -> bool {
        let mut sides = self.sides.iter();
        self.effort.is_some()
            || sides.all(|side| side.effort.is_some()) && self.judges.effort.is_some()
    }
}
