//! Estimates of time, tokens and cost: from earlier calls and known prices.

use std::collections::BTreeMap;
use std::path::Path;

use agon_agents::profile::{Api, Price};
use agon_index::{Index, PastCallCost, RefreshLimit};
use agon_record::spec::{Effort, ToolName};
use agon_record::state::State;
use agon_report::screen::describe_expected;
use agon_report::text::format_dollars;
use agon_rules::expected::{self, Expected, TimeAndTokens};
use agon_rules::format::format_of;

// SQLite indexed 10,000 documents in 5.3 s on two busy cores, so 200 take a tenth of a second.
// `agon list --search` reads the other debates.
/// Maximum number of changed debates that are read before a new one starts.
const LATEST: usize = 200;
// Chosen, not measured: enough that one unusual call does not change the quartiles, and few enough
// to forget last year's model.
/// Number of recent calls of a kind that the estimate uses.
const CALLS: usize = 100;

// The eight calls of the `agon demo` debate read 34,000 tokens in total.
/// Average number of tokens that a call reads.
const READ_BY_CALL: f64 = 4_300.0;
// The calls of the `agon demo` debate wrote 900 tokens each. Thinking is charged too and is assumed
// to be twice that.
/// Average number of tokens that a call writes.
const WRITTEN_BY_CALL: f64 = 2_700.0;

/// The expected usage of the rest of a debate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Expectation {
    /// Time and tokens, from earlier calls here; `None` if too little is known.
    pub takes: Option<Expected>,
    /// US dollars charged for models behind API keys; `None` if there is no such model or a price
    /// is unknown.
    pub cost: Option<f64>,
}

impl Expectation {
    /// Estimates the rest of the debate `state` from earlier calls in `debates_dir`.
    pub(crate) fn estimate(debates_dir: &Path, state: &State) -> Self {
        Self {
            takes: estimate_remaining(debates_dir, state),
            cost: expected_cost(state),
        }
    }

    /// Returns a description such as `about 6–9 min, 60–150k tokens, $0.50`; `None` if nothing is
    /// known.
    pub fn describe(&self) -> Option<String> {
        let cost = self.cost.map(|cost| format_dollars(cost.max(0.01)));
        match (&self.takes, cost) {
            (Some(takes), Some(cost)) => Some(format!("{}, {cost}", describe_expected(takes))),
            (Some(takes), None) => Some(describe_expected(takes)),
            (None, cost) => cost.map(|cost| format!("about {cost}")),
        }
    }
}

/// Estimates the rest of a debate from earlier calls in `dir`. Returns `None` if too little is
/// known.
///
/// Prefers calls of the same tool at the same effort, then of the same tool at any effort, then of
/// any tool. Ignores records that cannot be read.
fn estimate_remaining(dir: &Path, state: &State) -> Option<Expected> {
    let mut index = Index::open(dir).ok()?;
    // Read only the latest debates, because ten thousand old ones would delay the new one.
    index.refresh(RefreshLimit::Latest(LATEST)).ok()?;
    let mut known: BTreeMap<(ToolName, Effort, &str), Option<Expected>> = BTreeMap::new();
    expected::estimate_remaining(state, |seating, kind| {
        let key = (seating.tool.clone(), seating.effort, kind.name());
        let takes = known.entry(key);
        *takes.or_insert_with(|| {
            let (tool, effort) = (Some(&seating.tool), Some(seating.effort));
            let asked = [(tool, effort), (tool, None), (None, effort), (None, None)];
            asked.into_iter().find_map(|(tool, effort)| {
                let past = index.past_calls(kind, tool, effort, CALLS).ok()?;
                let takes = |past: PastCallCost| TimeAndTokens {
                    ms: past.took_ms,
                    tokens: past.tokens,
                };
                Expected::from_past_calls(&past.into_iter().map(takes).collect::<Vec<_>>())
            })
        })
    })
}

/// Returns the average cost of `calls` to a model, in US dollars.
pub(crate) fn cost_of_calls(price: &Price, calls: u32) -> f64 {
    let call = READ_BY_CALL * price.input + WRITTEN_BY_CALL * price.output;
    f64::from(calls) * call / 1e6
}

/// Returns the cost of the remaining turns. Tools with a login use their subscription, and local
/// models are free.
fn expected_cost(state: &State) -> Option<f64> {
    let steps = format_of(state).planned_steps(state);
    let left = steps.into_iter().flatten().filter(|turn| {
        let known = state.turns.get(turn);
        known.is_none_or(|turn| turn.end.is_none())
    });
    let seated = left.filter_map(|turn| state.seats.get(&turn.seat));
    let services = Api::all();
    let charged = seated.filter_map(|seating| split_service_name(&services, &seating.tool));
    let mut cost = None;
    for (service, model) in charged {
        // The price at a custom address is unknown.
        let price = service.price(model).filter(|_| !model.contains("@http"))?;
        cost = Some(cost.unwrap_or(0.0) + cost_of_calls(price, 1));
    }
    cost
}

/// Splits `tool` into its service and model. Returns `None` if it is not a model of a service, or
/// runs on this machine.
fn split_service_name<'a>(services: &'a [Api], tool: &'a ToolName) -> Option<(&'a Api, &'a str)> {
    let (prefix, model) = tool.as_str().split_once(':')?;
    let service = services.iter().find(|service| service.name == prefix)?;
    let is_here = model.contains("@http://");
    (!is_here).then_some((service, model))
}

#[cfg(test)]
mod tests {
    use agon_record::id::Seat;
    use agon_samples::duel;

    use super::*;

    fn cost(tools: [&str; 3]) -> Option<f64> {
        let mut spec = duel::spec(2);
        for (seat, tool) in [Seat::Proposer, Seat::Challenger, Seat::JUDGE]
            .into_iter()
            .zip(tools)
        {
            spec.seats.get_mut(&seat).unwrap().tool = tool.parse().unwrap();
        }
        expected_cost(&State::open(spec))
    }

    #[test]
    fn models_behind_keys_cost_what_their_calls_do_and_tools_nothing() {
        assert_eq!(cost(["claude", "codex", "gemini"]), None);
        let one = cost(["openai:gpt-6.2-sol", "codex", "gemini"]).unwrap();
        let both = cost(["openai:gpt-6.2-sol", "openai:gpt-6.2-sol", "gemini"]).unwrap();
        assert!(
            one > 0.05 && (both - 2.0 * one).abs() < 1e-9,
            "{one} {both}"
        );
    }

    #[test]
    fn what_a_price_is_not_known_of_has_none_and_a_model_here_costs_nothing() {
        assert_eq!(cost(["openai:unheard-of", "codex", "gemini"]), None);
        assert_eq!(
            cost([
                "openai:gpt-6.2-sol@https://models.example/v1",
                "codex",
                "gemini"
            ]),
            None
        );
        let one = cost(["openai:gpt-6.2-sol", "codex", "gemini"]);
        let beside = [
            "openai:gpt-6.2-sol",
            "openai:m@http://127.0.0.1:1/v1",
            "gemini",
        ];
        assert_eq!(cost(beside), one);
    }

    #[test]
    fn time_tokens_and_money_are_told_as_far_as_they_are_known() {
        let said = |takes: Option<Expected>, cost| Expectation { takes, cost }.describe();
        assert_eq!(said(None, None), None);
        assert_eq!(said(None, Some(0.481)).unwrap(), "about $0.48");
        assert_eq!(said(None, Some(0.000_1)).unwrap(), "about $0.01");
        let takes = Expected::default();
        assert_eq!(
            said(Some(takes), Some(0.5)).unwrap(),
            "about 0 s, 0 tokens, $0.50"
        );
    }
}
