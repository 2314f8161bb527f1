//! The numbers of a verdict.

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

/// Broken rules that stayed in the debate, by severity.
///
/// Findings of admitted turns, and those that cost a turn. A finding that was
/// mended when the reply was sent back is not counted, nor one in a ruling with
/// the sides swapped, which the verdict does not rest on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FindingCounts {
    /// Nothing usable: the turn was lost.
    pub fatal: u32,
    /// Admitted all the same.
    pub error: u32,
    /// Recorded.
    pub warning: u32,
}

/// What a debate cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UsageTotals {
    /// Calls started.
    pub calls: u32,
    /// Tokens.
    pub tokens: TokenTotals,
    /// Money in US dollars, of the calls whose money is known; null when none is.
    pub cost: Option<f64>,
    /// Tools with calls whose money is not known.
    #[schemars(with = "Vec<String>")]
    pub cost_unknown_for: Vec<ToolName>,
    /// Running time, in milliseconds.
    pub wall_ms: u64,
}

/// Tokens of all calls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Tokens")]
pub struct TokenTotals {
    /// Read, cached ones included.
    #[serde(rename = "in")]
    pub input: u64,
    /// Written.
    #[serde(rename = "out")]
    pub output: u64,
    /// Read from a cache.
    pub cached: u64,
    /// Whether some of it is our estimate.
    pub estimated: bool,
    /// In and out together, by tool.
    #[schemars(with = "BTreeMap<String, u64>")]
    pub by_tool: BTreeMap<ToolName, u64>,
}

impl TokenTotals {
    /// In and out together.
    pub fn total(&self) -> u64 {
        self.input.saturating_add(self.output)
    }
}

/// The places that each side cites, by what was found there.
///
/// Where nothing was looked up, every place is unchecked. A ground that names no place
/// is not counted, and one that names several counts as several.
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

/// Broken rules that stayed in the debate.
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

/// What the debate has cost so far.
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
