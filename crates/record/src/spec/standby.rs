//! Substitutes for debaters whose tools cannot be used.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Seating, ToolName};
use crate::cause::Cause;
use crate::id::Seat;

/// The substitutes of the debaters, fixed when a debate opens or continues.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standby {
    /// The substitutes of each side, in order; none if no other tool is installed. A side without
    /// an entry keeps its tool, because the user named it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub substitutes: BTreeMap<Seat, Vec<Seating>>,
    /// The tools that were replaced before the first call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replaced: Vec<Replaced>,
}

impl Standby {
    /// Returns whether the user named the tools of both sides, and none was replaced.
    pub fn is_empty(&self) -> bool {
        self.substitutes.is_empty() && self.replaced.is_empty()
    }
}

/// A tool that lost its seat to a substitute before its first usable reply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replaced {
    /// The seat.
    pub seat: Seat,
    /// The tool that was meant to take the seat.
    pub tool: ToolName,
    /// Its model; `None` if the tool chooses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The tool that took the seat.
    pub by: ToolName,
    /// The model of that tool; `None` if the tool chooses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_model: Option<String>,
    /// Why the tool could not be used; `None` if the user asked for a substitute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// How many replies it returned, none of them usable.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub replies: u32,
}

impl Replaced {
    /// Describes the replacement, such as `codex proposes in place of claude (its tool is not
    /// logged in)`.
    pub fn describe(&self) -> String {
        let is_same_tool = self.tool == self.by;
        let name = |tool: &ToolName, model: &Option<String>| match model {
            Some(model) if is_same_tool => format!("{tool} {model}"),
            Some(_) | None => tool.to_string(),
        };
        let (by, before) = (
            name(&self.by, &self.by_model),
            name(&self.tool, &self.model),
        );
        let does = match self.seat {
            Seat::Proposer => "proposes",
            Seat::Challenger => "challenges",
            Seat::Proposition => "argues for the motion",
            Seat::Opposition => "argues against the motion",
            Seat::Judge(_) => "judges",
        };
        let why = match (&self.cause, self.replies) {
            (None, _) => String::new(),
            (Some(cause), 0 | 1) => format!(" ({})", cause.code.describe()),
            (Some(cause), replies) => {
                format!(" ({replies} unusable replies: {})", cause.code.describe())
            }
        };
        format!("{by} {does} in place of {before}{why}")
    }
}

/// A replaced tool in a JSON document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReplacedDoc {
    /// The seat.
    #[schemars(with = "String")]
    pub seat: Seat,
    /// The tool that was meant to take the seat.
    #[schemars(with = "String")]
    pub tool: ToolName,
    /// Its model; null if the tool chooses.
    pub model: Option<String>,
    /// The tool that took the seat.
    #[schemars(with = "String")]
    pub by: ToolName,
    /// The model of that tool; null if the tool chooses.
    pub by_model: Option<String>,
    /// Why the tool could not be used, such as `logged_out`; null if the user asked for a
    /// substitute.
    pub cause: Option<String>,
    /// How many replies it returned, none of them usable.
    pub replies: u32,
}

impl From<&Replaced> for ReplacedDoc {
    fn from(replaced: &Replaced) -> Self {
        Self {
            seat: replaced.seat,
            tool: replaced.tool.clone(),
            model: replaced.model.clone(),
            by: replaced.by.clone(),
            by_model: replaced.by_model.clone(),
            cause: replaced
                .cause
                .as_ref()
                .map(|cause| cause.code.name().to_owned()),
            replies: replaced.replies,
        }
    }
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}
