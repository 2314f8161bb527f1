//! The counts in a verdict.

use std::collections::BTreeMap;

use agon_record::evidence;
use agon_record::finding::{Finding, Severity};
use agon_record::ground::{self, Citations, CitedGround};
use agon_record::id::{Seat, Stage};
use agon_record::spec::ToolName;
use agon_record::state::{State, TurnEnd};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::support::has_place;

/// The number of unresolved broken rules, by severity.
///
/// It counts findings of admitted turns and findings that caused the loss of a turn. It does not
/// count findings that were fixed after the reply was sent back, nor those in the ruling with the
/// sides swapped, which does not affect the verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FindingCounts {
    /// Fatal findings: the turn was lost.
    pub fatal: u32,
    /// Errors in admitted turns.
    pub error: u32,
    /// Warnings.
    pub warning: u32,
}

/// The cost of a debate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UsageTotals {
    /// Calls started.
    pub calls: u32,
    /// Tokens.
    pub tokens: TokenTotals,
    /// The price in US dollars of the calls with a known price; null if none is known.
    pub cost: Option<f64>,
    /// Tools with calls of unknown price.
    #[schemars(with = "Vec<String>")]
    pub cost_unknown_for: Vec<ToolName>,
    /// Running time, in milliseconds.
    pub wall_ms: u64,
}

/// The tokens of all calls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Tokens")]
pub struct TokenTotals {
    /// Input tokens, cached ones included.
    #[serde(rename = "in")]
    pub input: u64,
    /// Output tokens.
    #[serde(rename = "out")]
    pub output: u64,
    /// Input tokens from a cache.
    pub cached: u64,
    /// Whether some counts are Agon's estimates.
    pub estimated: bool,
    /// Input and output tokens by tool.
    #[schemars(with = "BTreeMap<String, u64>")]
    pub by_tool: BTreeMap<ToolName, u64>,
}

impl TokenTotals {
    /// Returns the sum of input and output tokens.
    pub fn total(&self) -> u64 {
        self.input.saturating_add(self.output)
    }
}

/// Returns the number of citations of each side, by check result.
///
/// If nothing was checked, every citation is unchecked. A ground without a place does not count; a
/// ground with several places counts once for each.
pub fn citation_counts(state: &State) -> BTreeMap<Seat, Citations> {
    let sides = state.spec.format().sides();
    let mut counts = BTreeMap::from(sides.map(|seat| (seat, Citations::default())));
    for (turn, admitted) in state.admitted_turns() {
        let counts = counts.entry(turn.seat).or_default();
        let stamps = evidence::stamps_of_turn(state, turn);
        for stamp in stamps {
            counts.tally_stamp(&stamp.stamped.stamp);
        }
        let looked = |cited: &CitedGround<'_>| {
            let mut stamps = stamps.iter();
            stamps.any(|one| (one.point, one.ground) == (cited.point, cited.ground))
        };
        let grounds = ground::grounds_of_moves(&admitted.moves);
        let unseen = grounds
            .iter()
            .filter(|cited| has_place(cited.said) && !looked(cited));
        counts.unchecked += u32::try_from(unseen.count()).unwrap_or(u32::MAX);
    }
    counts.retain(|seat, _| sides.contains(seat));
    counts
}

/// Returns the number of unresolved broken rules.
pub fn finding_counts(state: &State) -> FindingCounts {
    let mut counts = FindingCounts::default();
    let turns = state.turns.iter();
    for (_, turn) in turns.filter(|(id, _)| id.stage != Stage::Swap) {
        let stayed: &[Finding] = match &turn.end {
            Some(TurnEnd::Admitted(admitted)) => &admitted.findings,
            Some(TurnEnd::Lost { findings, .. }) => findings,
            None => &[],
        };
        for finding in stayed {
            match finding.severity {
                Severity::Fatal => counts.fatal += 1,
                Severity::Error => counts.error += 1,
                Severity::Warning => counts.warning += 1,
            }
        }
    }
    counts
}

/// Returns the cost of the debate so far.
pub fn usage_totals(state: &State) -> UsageTotals {
    let tools = &state.spent.tools;
    let sum = |part: fn(&agon_record::event::Usage) -> u64| {
        let parts = tools.values().map(|tool| part(&tool.usage));
        parts.fold(0_u64, u64::saturating_add)
    };
    let priced = tools.values().any(|tool| tool.usage.cost_micros.is_some());
    let unpriced = tools.iter().filter(|(_, tool)| tool.unpriced > 0);
    UsageTotals {
        calls: state.spent.calls,
        tokens: TokenTotals {
            input: sum(|usage| usage.input),
            output: sum(|usage| usage.output),
            cached: sum(|usage| usage.cached),
            estimated: tools.values().any(|tool| tool.usage.estimated),
            by_tool: tools
                .iter()
                .map(|(name, tool)| (name.clone(), tool.usage.total_tokens()))
                .collect(),
        },
        cost: priced.then(|| state.spent.total_cost_micros() as f64 / 1e6),
        cost_unknown_for: unpriced.map(|(name, _)| name.clone()).collect(),
        wall_ms: state.spent.clock_ms,
    }
}
