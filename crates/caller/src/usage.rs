//! Sums up what debates cost.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use agon_index::{CallEnd, CallRecord, DebateCall, RefreshLimit};
use agon_record::spec::{HUMAN, ToolName};
use agon_record::text::sanitise_line;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::history;
use crate::notes::Notes;
use crate::system::format_time;

/// How calls are grouped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UsageGrouping {
    /// By tool.
    #[default]
    Tool,
    /// By debate.
    Debate,
    /// By tool and model.
    Model,
    /// By day of the call (UTC).
    Day,
}

/// The sum of several calls.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct UsageSum {
    /// The number of debates.
    pub debates: usize,
    /// The number of calls.
    pub calls: u64,
    /// The number of calls without a usable reply.
    pub lost: u64,
    /// The number of tokens.
    pub tokens: TokenSum,
    /// The reported cost in US dollars; null if no call reports one.
    pub cost: Option<f64>,
    /// The number of calls without a reported cost.
    pub cost_unknown: u64,
    /// The tools of the calls without a reported cost.
    #[schemars(with = "BTreeSet<String>")]
    pub cost_unknown_for: BTreeSet<ToolName>,
    /// The total time of the calls.
    pub time_ms: u64,
    /// The running time of the debates; concurrent calls count once.
    pub wall_ms: u64,
}

/// The tokens of some calls.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct TokenSum {
    /// Tokens in.
    #[serde(rename = "in")]
    pub input: u64,
    /// Tokens out.
    #[serde(rename = "out")]
    pub output: u64,
    /// Input tokens read from a cache.
    pub cached: u64,
    /// Whether some of the numbers are estimates by Agon.
    pub estimated: bool,
}

/// A group of calls and its sum.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Group {
    /// The name of the group.
    pub name: String,
    /// The sum of the calls.
    #[serde(flatten)]
    pub sum: UsageSum,
}

/// Returns the usage of the debates in a folder since a moment, in total and by group.
pub fn read_usage_of_debates(
    dir: &Path,
    since: Option<u64>,
    by: UsageGrouping,
    notes: &mut dyn Notes,
) -> Result<(UsageSum, Vec<Group>), Failure> {
    let (mut index, refreshed) = history::open_refreshed_index(dir, RefreshLimit::All, notes)?;
    history::note_unreadable(&refreshed, notes);
    let mut spent = index
        .calls_since(since.unwrap_or(0))
        .map_err(|error| history::failure(&error))?;
    // Leave out answers of people, which are not calls of a tool.
    spent.retain(|one| one.call.tool.as_str() != HUMAN);
    Ok((sum(spent.iter()), groups(&spent, by)))
}

fn groups(spent: &[DebateCall], by: UsageGrouping) -> Vec<Group> {
    // Two debates can have the same name, so their numbers distinguish them.
    let mut found: BTreeMap<(String, Option<i64>), Vec<&DebateCall>> = BTreeMap::new();
    for one in spent {
        let debate = (by == UsageGrouping::Debate).then_some(one.debate);
        found
            .entry((group_name(one, by), debate))
            .or_default()
            .push(one);
    }
    let groups = found.into_iter().map(|((name, _), calls)| Group {
        name,
        sum: sum(calls.into_iter()),
    });
    let mut groups: Vec<_> = groups.collect();
    match by {
        // Days stay in their order. Other groups are sorted by tokens, the largest first.
        UsageGrouping::Day => {}
        UsageGrouping::Tool | UsageGrouping::Debate | UsageGrouping::Model => {
            groups.sort_by_key(|group| std::cmp::Reverse(total_tokens(&group.sum.tokens)));
        }
    }
    groups
}

fn group_name(one: &DebateCall, by: UsageGrouping) -> String {
    let CallRecord { tool, model, .. } = &one.call;
    match by {
        UsageGrouping::Tool => tool.to_string(),
        UsageGrouping::Debate => sanitise_line(&one.slug, 120),
        UsageGrouping::Model => match model {
            Some(model) => format!("{tool} {}", sanitise_line(model, 80)),
            None => format!("{tool} (default model)"),
        },
        UsageGrouping::Day => format_time(one.call.at_ms).chars().take(10).collect(),
    }
}

fn total_tokens(tokens: &TokenSum) -> u64 {
    tokens.input.saturating_add(tokens.output)
}

fn sum<'a>(spent: impl Iterator<Item = &'a DebateCall>) -> UsageSum {
    let mut sum = UsageSum::default();
    let mut micros: Option<u64> = None;
    // The first start and the last end of the calls of each debate.
    let mut clocks: BTreeMap<i64, (u64, u64)> = BTreeMap::new();
    for DebateCall { debate, call, .. } in spent {
        sum.calls += 1;
        sum.lost += u64::from(call.ended != CallEnd::Given);
        sum.time_ms = sum.time_ms.saturating_add(call.took_ms.unwrap_or(0));
        let usage = call.usage.unwrap_or_default();
        let tokens = &mut sum.tokens;
        tokens.input = tokens.input.saturating_add(usage.input);
        tokens.output = tokens.output.saturating_add(usage.output);
        tokens.cached = tokens.cached.saturating_add(usage.cached);
        tokens.estimated |= usage.estimated;
        match usage.cost_micros {
            Some(cost) => micros = Some(micros.unwrap_or(0).saturating_add(cost)),
            None => {
                sum.cost_unknown += 1;
                sum.cost_unknown_for.insert(call.tool.clone());
            }
        }
        let clock = clocks.entry(*debate).or_insert((u64::MAX, 0));
        if let (Some(end), Some(took)) = (call.clock_ms, call.took_ms) {
            clock.0 = clock.0.min(end.saturating_sub(took));
            clock.1 = clock.1.max(end);
        }
    }
    sum.debates = clocks.len();
    let ran = clocks.values().map(|(from, to)| to.saturating_sub(*from));
    sum.wall_ms = ran.fold(0, u64::saturating_add);
    sum.cost = micros.map(|micros| micros as f64 / 1e6);
    sum
}
