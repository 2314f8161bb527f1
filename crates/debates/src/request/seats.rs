//! Who is to sit where.

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
