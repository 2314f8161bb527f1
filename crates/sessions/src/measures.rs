//! Adds up the tokens, turns and calls of a session.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::{Entry, EntryKind, Location, Purpose, Tokens};

/// Running totals of a session, updated entry by entry.
#[derive(Clone, Debug, Default)]
pub struct Measures {
    /// The user's prompts.
    pub turns: u32,
    /// Distinct model calls of the main agent.
    pub calls: u32,
    /// Tokens of the main agent's calls, without those copied from the parent of a fork.
    pub tokens: Tokens,
    /// Tokens that a fork copied from its parent.
    pub copied: Tokens,
    /// Tokens of compaction summaries, if recorded.
    pub compaction_tokens: Tokens,
    /// Tokens of sub-agents recorded in the same file, by agent.
    pub agents: BTreeMap<String, Tokens>,
    /// Tool calls of the main agent.
    pub tool_calls: u64,
    /// Tool calls that failed.
    pub failures: u64,
    /// Failed tool calls that the record calls a success.
    pub hidden_failures: u64,
    /// Started sub-agents, in whatever file they are recorded.
    pub sub_agents: Vec<String>,
    /// Each compaction: its place and the number of calls before it.
    pub compactions: Vec<(Location, u32)>,
    /// The number of times the context was started again.
    pub renewals: u32,
    /// The number of model calls before the last renewal.
    last_renewal: Option<u32>,
    /// Tokens left by the last compaction, if recorded.
    left_by_compaction: Option<u64>,
    /// The id of the last model call of the main agent.
    last_call: Option<String>,
    /// Every model call of the main agent, for the curve.
    pub points: Vec<CallPoint>,
    /// The last model that answered the main agent.
    pub model: Option<String>,
    /// The time of the last entry.
    pub last: Option<Timestamp>,
}

/// One model call of the main agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallPoint {
    /// The turn it belongs to.
    pub turn: u32,
    /// Tokens in the context after its answer.
    pub fill: u64,
}

impl Measures {
    /// Creates empty totals.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the largest number of tokens that the context had.
    pub fn max_fill(&self) -> u64 {
        self.points.iter().map(|it| it.fill).max().unwrap_or(0)
    }

    /// Returns the tokens in the context after the main agent's last call or a later compaction.
    ///
    /// Returns `None` if [`Measures::is_fill_stale`].
    pub fn fill(&self) -> Option<u64> {
        match self.is_emptied() {
            true => self.left_by_compaction,
            false => self.points.last().map(|it| it.fill),
        }
    }

    /// Returns whether the fill is unknown: a compaction or renewal followed the last model call,
    /// and the record does not say how many tokens it left.
    pub fn is_fill_stale(&self) -> bool {
        self.is_emptied() && self.left_by_compaction.is_none()
    }

    /// Returns whether a compaction or renewal followed the last call.
    fn is_emptied(&self) -> bool {
        let compacted = self.compactions.last().map(|(_, call)| *call);
        self.calls > 0 && compacted.max(self.last_renewal) == Some(self.calls)
    }

    /// Adds the next entry.
    pub fn add(&mut self, entry: &Entry) {
        self.last = entry.time.or(self.last);
        let main = entry.agent.is_none();
        match &entry.kind {
            EntryKind::Prompt(_) if main => self.turns = entry.turn,
            EntryKind::Usage(usage) => {
                let before = usage.replaces.unwrap_or_default();
                let sum = match (&entry.agent, usage.purpose) {
                    (_, Purpose::Compaction) => &mut self.compaction_tokens,
                    (Some(agent), Purpose::Work) => self.agents.entry(agent.clone()).or_default(),
                    (None, Purpose::Work) if entry.copied => &mut self.copied,
                    (None, Purpose::Work) => &mut self.tokens,
                };
                *sum = sum.minus(before).plus(usage.tokens);
                if main && usage.purpose == Purpose::Work {
                    if usage.model.is_some() {
                        self.model.clone_from(&usage.model);
                    }
                    let point = CallPoint {
                        turn: entry.turn,
                        fill: usage.fill,
                    };
                    let is_last = self.last_call.as_ref() == Some(&usage.key);
                    match (usage.replaces, self.points.last_mut()) {
                        (Some(_), Some(last)) if is_last => *last = point,
                        // A late count of an earlier call says nothing about the current context,
                        // so drop it.
                        (Some(_), Some(_)) => {}
                        _ => self.points.push(point),
                    }
                    if usage.replaces.is_none() {
                        self.last_call = Some(usage.key.clone());
                    }
                    self.calls = entry.call;
                }
            }
            EntryKind::Call(_) if main => self.tool_calls += 1,
            EntryKind::Result(result) if main => {
                if let Some(failure) = result.failure {
                    self.failures += 1;
                    self.hidden_failures += u64::from(!failure.recorded);
                }
            }
            EntryKind::SubAgent(agent) => {
                let is_new = !self.sub_agents.contains(&agent.id);
                if is_new {
                    self.sub_agents.push(agent.id.clone());
                }
            }
            EntryKind::Compaction(compaction) if main => {
                self.left_by_compaction = compaction.after.filter(|it| *it > 0);
                self.compactions.push((entry.location.clone(), self.calls));
            }
            EntryKind::Renewed(_) if main => {
                self.renewals = self.renewals.saturating_add(1);
                self.last_renewal = Some(self.calls);
                self.left_by_compaction = None;
            }
            _ => {}
        }
    }
}
