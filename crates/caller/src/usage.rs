//! What debates have cost, added up.

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

/// What calls are added up by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UsageGrouping {
    /// The tool that was called.
    #[default]
    Tool,
    /// The debate it was called for.
    Debate,
    /// The tool and its model.
    Model,
    /// The day of the call (UTC).
    Day,
}

/// What some calls cost together.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct UsageSum {
    /// How many debates they were made for.
    pub debates: usize,
    /// How many calls.
    pub calls: u64,
    /// Calls that gave no reply.
    pub lost: u64,
    /// The tokens.
    pub tokens: TokenSum,
    /// In US dollars, of the calls that say it; null where none does.
    pub cost: Option<f64>,
    /// Calls that do not say what they cost.
    pub cost_unknown: u64,
    /// The tools of those calls.
    #[schemars(with = "BTreeSet<String>")]
    pub cost_unknown_for: BTreeSet<ToolName>,
    /// Time in calls.
    pub time_ms: u64,
    /// Running time of the debates: calls beside each other count once.
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
    /// Those of them in that were kept from before.
    pub cached: u64,
    /// Whether some of it is our estimate.
    pub estimated: bool,
}

/// Calls that have something in common, with what they cost.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Group {
    /// What they have in common.
    pub name: String,
    /// What they cost.
    #[serde(flatten)]
    pub sum: UsageSum,
}

/// What the debates in a folder have cost since that moment, in all and by what they have in common.
pub fn usage_in(
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
    // A person who answers makes no call.
    spent.retain(|one| one.call.tool.as_str() != HUMAN);
    Ok((sum(spent.iter()), groups(&spent, by)))
}

fn groups(spent: &[DebateCall], by: UsageGrouping) -> Vec<Group> {
    // Debates may have the same name in two tellings of it; their number tells them apart.
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
        // Days in their order; the rest by what they cost, the most first.
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
            None => format!("{tool} (its own choice)"),
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
    // From when to when each debate's clock ran.
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
