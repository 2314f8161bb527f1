//! The turns in a debate's state, and their cost.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::State;
use crate::event::{Asked, Cause, Class, Given, Reply, Usage};
use crate::finding::Finding;
use crate::ground::GroundStamp;
use crate::id::{AskKey, NodeId, Seat};
use crate::moves::Moves;
use crate::spec::ToolName;

/// A ruling that a continuation of the debate made void.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormerRuling {
    /// Number of rounds it was based on.
    pub rounds: u16,
    /// The winning side.
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

impl State {
    /// Returns a copy without any turn, for a few events whose effect does not depend on others.
    #[must_use]
    pub fn without_turns(&self) -> Self {
        Self {
            spec: self.spec.clone(),
            kind: self.kind.clone(),
            seats: self.seats.clone(),
            substitutes: self.substitutes.clone(),
            replaced: self.replaced.clone(),
            caps: self.caps,
            turns: BTreeMap::new(),
            spent: self.spent.clone(),
            sent_back: self.sent_back,
            capped: self.capped,
            halted: self.halted.clone(),
            closed: self.closed,
            through: self.through,
            words: self.words.clone(),
            orders: self.orders.clone(),
            decisions: self.decisions.clone(),
            former_decisions: self.former_decisions,
            typed: self.typed.clone(),
        }
    }
}

impl Turn {
    /// Returns its moves, if it was admitted.
    pub fn admitted(&self) -> Option<&Admitted> {
        match self.end.as_ref()? {
            TurnEnd::Admitted(admitted) => Some(admitted),
            TurnEnd::Lost { .. } => None,
        }
    }
}

/// One ask and its result.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ask {
    /// The last call under this key.
    pub asked: Option<Asked>,
    /// Whether the last call is still running.
    pub in_flight: bool,
    /// The calls that returned no reply, except cancelled ones.
    pub losses: Vec<(Class, Cause)>,
    /// Tokens of the calls that returned no reply.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub lost_tokens: u64,
    /// The reply.
    pub given: Option<Given>,
    /// The results of looking up the reply's citations; `None` before the look-up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stamps: Option<Vec<GroundStamp>>,
    /// The looked-up commits, by the hash under which they are stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commits: Option<String>,
    /// How many of the user's runs could be cited then.
    #[serde(default)]
    pub runs: u32,
    /// Why the reply was sent back.
    pub sent_back: Option<Vec<Finding>>,
    /// Files that its tool changed although it was only meant to read them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub touched: Vec<String>,
}

impl Ask {
    /// Returns the text of the reply; `None` if there is no reply.
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
    /// The seat returned no usable reply.
    Lost {
        /// Why.
        cause: Cause,
        /// The fault in its last reply.
        findings: Vec<Finding>,
    },
}

/// A turn that is part of the debate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Admitted {
    /// The ask whose reply it is.
    pub key: AskKey,
    /// The moves.
    pub moves: Moves,
    /// The ids of its points.
    pub ids: Vec<NodeId>,
    /// The remaining fault in it.
    pub findings: Vec<Finding>,
}

/// The spending of a debate.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spending {
    /// Calls started.
    pub calls: u32,
    /// By tool.
    pub tools: BTreeMap<ToolName, ToolSpent>,
    /// The debate's clock, in milliseconds of running time.
    pub clock_ms: u64,
}

/// The spending of one tool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolSpent {
    /// Calls started.
    pub calls: u32,
    /// Calls whose cost is unknown.
    pub unpriced: u32,
    /// Tokens, and cost where it is known.
    pub usage: Usage,
    /// Time spent in calls, in milliseconds.
    pub took_ms: u64,
}

impl Spending {
    /// Input and output tokens of all tools.
    pub fn total_tokens(&self) -> u64 {
        self.tools
            .values()
            .map(|tool| tool.usage.total_tokens())
            .sum()
    }

    /// Cost of all tools that report it, in millionths of a US dollar.
    pub fn total_cost_micros(&self) -> u64 {
        let known = |tool: &ToolSpent| tool.usage.cost_micros.unwrap_or(0);
        self.tools.values().map(known).sum()
    }
}
