//! What a session took, added up from its entries.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::{Entry, EntryKind, Location, Purpose, Tokens};

/// What a session took so far; fed with its entries one after the other.
#[derive(Clone, Debug, Default)]
pub struct Measures {
    /// The user's prompts.
    pub turns: u32,
    /// Model calls of the main agent, each once.
    pub calls: u32,
    /// What the main agent's calls took, without what was copied from the session forked.
    pub tokens: Tokens,
    /// Of them what a fork copied from the session it came from.
    pub copied: Tokens,
    /// What the summaries of compactions took, where that is recorded.
    pub compaction_tokens: Tokens,
    /// What sub-agents recorded in this session's own file took, by agent.
    pub agents: BTreeMap<String, Tokens>,
    /// Tool calls of the main agent.
    pub tool_calls: u64,
    /// Of them failed.
    pub failures: u64,
    /// Of them failed though the record says success.
    pub hidden_failures: u64,
    /// Sub-agents that were started, wherever they are recorded.
    pub sub_agents: Vec<String>,
    /// Each compaction: where it stands, after which call.
    pub compactions: Vec<(Location, u32)>,
    /// How often the context was begun again.
    pub renewals: u32,
    /// The model calls that came before the last of these.
    last_renewal: Option<u32>,
    /// Tokens that the last compaction left, where the record states them.
    left_by_compaction: Option<u64>,
    /// The id of the last model call of the main agent.
    last_call: Option<String>,
    /// Every model call of the main agent, to draw it.
    pub points: Vec<CallPoint>,
    /// The model that answered the main agent last.
    pub model: Option<String>,
    /// When the last entry came.
    pub last: Option<Timestamp>,
}

/// One model call of the main agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallPoint {
    /// The turn it belongs to.
    pub turn: u32,
    /// Tokens in the context once it was answered.
    pub fill: u64,
}

impl Measures {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The most tokens that the context ever held.
    pub fn max_fill(&self) -> u64 {
        self.points.iter().map(|it| it.fill).max().unwrap_or(0)
    }

    /// Tokens in the context: after the last call of the main agent, or as the compaction behind it
    /// left them; none where [`Measures::is_fill_stale`].
    pub fn fill(&self) -> Option<u64> {
        match self.is_emptied() {
            true => self.left_by_compaction,
            false => self.points.last().map(|it| it.fill),
        }
    }

    /// Whether the last compaction or renewal came after the last model call and the record does not
    /// state what it left, so that the fill is not known.
    pub fn is_fill_stale(&self) -> bool {
        self.is_emptied() && self.left_by_compaction.is_none()
    }

    /// Whether the fill of the last call is gone.
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
                        // A late count of an earlier call: the context has grown since.
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
