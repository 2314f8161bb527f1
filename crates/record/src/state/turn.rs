//! The turns of a debate as its state has them, and what they cost.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::event::{Asked, Cause, Class, Given, Reply, Usage};
use crate::finding::Finding;
use crate::ground::GroundStamp;
use crate::id::{AskKey, NodeId, Seat};
use crate::moves::Moves;
use crate::spec::ToolName;

/// A ruling that stood until the debate was continued.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Former {
    /// Rounds that it was about.
    pub rounds: u16,
    /// The side that it was for.
    pub winner: Seat,
    /// Its answer.
    pub answer: String,
}

/// One turn, from the first ask to its end.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// Its asks, in order.
    pub asks: Vec<Ask>,
    /// How it ended.
    pub end: Option<TurnEnd>,
}

/// One ask and what came of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ask {
    /// What was asked last under this key.
    pub asked: Option<Asked>,
    /// Whether the last call has neither given a reply nor been lost.
    pub in_flight: bool,
    /// The calls that gave no reply, except cancelled ones.
    pub losses: Vec<(Class, Cause)>,
    /// Tokens of the calls that gave no reply.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub lost_tokens: u64,
    /// The reply.
    pub given: Option<Given>,
    /// What was found at the places that the reply cites; none before they were looked up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stamps: Option<Vec<GroundStamp>>,
    /// What commits said that it cites, by the hash under which it is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commits: Option<String>,
    /// How many of the user's runs could be cited then.
    #[serde(default)]
    pub runs: u32,
    /// Why the reply was sent back.
    pub sent_back: Option<Vec<Finding>>,
    /// Files that its tool changed where it was only to read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub touched: Vec<String>,
}

impl Ask {
    /// The text of the reply; none when there is no reply.
    pub fn reply_text(&self) -> Option<&str> {
        match &self.given.as_ref()?.reply {
            Reply::Text(text) => Some(text),
            Reply::Blob { .. } => None,
        }
    }
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// How a turn ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum TurnEnd {
    /// It is part of the debate.
    Admitted(Box<Admitted>),
    /// The seat did not speak.
    Lost {
        /// Why.
        cause: Cause,
        /// What was wrong with its last reply.
        findings: Vec<Finding>,
    },
}

/// A turn that is part of the debate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Admitted {
    /// The ask whose reply it is.
    pub key: AskKey,
    /// What was said, as moves.
    pub moves: Moves,
    /// The ids of its points.
    pub ids: Vec<NodeId>,
    /// What stayed wrong with it.
    pub findings: Vec<Finding>,
}

/// What a debate has spent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spending {
    /// Calls started.
    pub calls: u32,
    /// By tool.
    pub tools: BTreeMap<ToolName, ToolSpent>,
    /// The debate's clock, in milliseconds of running time.
    pub clock_ms: u64,
}

/// What one tool has spent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolSpent {
    /// Calls started.
    pub calls: u32,
    /// Calls whose money is not known.
    pub unpriced: u32,
    /// Tokens, and money where it is known.
    pub usage: Usage,
    /// Time in calls, in milliseconds.
    pub took_ms: u64,
}

impl Spending {
    /// Tokens of all tools, in and out.
    pub fn total_tokens(&self) -> u64 {
        self.tools
            .values()
            .map(|tool| tool.usage.total_tokens())
            .sum()
    }

    /// Money of all tools that report it, in millionths of a US dollar.
    pub fn total_cost_micros(&self) -> u64 {
        let known = |tool: &ToolSpent| tool.usage.cost_micros.unwrap_or(0);
        self.tools.values().map(known).sum()
    }
}
