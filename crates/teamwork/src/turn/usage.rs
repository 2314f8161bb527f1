//! Adds up the usage of the tool runs that make up one turn.

use agon_agents::WorkOutcome;
use agon_team::store::{TurnTokens, TurnUsage};

/// Returns the usage of one run of a tool, as far as it is reported.
pub(super) fn usage_of(outcome: &WorkOutcome) -> TurnUsage {
    TurnUsage {
        took_ms: u64::try_from(outcome.took.as_millis()).unwrap_or(u64::MAX),
        tokens: outcome.usage.map(|usage| TurnTokens {
            input: usage.input,
            cached: usage.cached,
            output: usage.output,
            estimated: usage.estimated,
        }),
        cost_micros: outcome.usage.and_then(|usage| usage.cost_micros),
    }
}

/// Adds two usages. If one of them reports no tokens, the sum is marked as an estimate; if one has
/// no known cost, the sum has none.
pub(super) fn add(before: &TurnUsage, next: &TurnUsage) -> TurnUsage {
    if *before == TurnUsage::default() {
        return *next;
    }
    let tokens = match (before.tokens, next.tokens) {
        (Some(one), Some(other)) => Some(TurnTokens {
            input: one.input.saturating_add(other.input),
            cached: one.cached.saturating_add(other.cached),
            output: one.output.saturating_add(other.output),
            estimated: one.estimated || other.estimated,
        }),
        (Some(known), None) | (None, Some(known)) => Some(TurnTokens {
            estimated: true,
            ..known
        }),
        (None, None) => None,
    };
    let cost = before.cost_micros.zip(next.cost_micros);
    TurnUsage {
        took_ms: before.took_ms.saturating_add(next.took_ms),
        tokens,
        cost_micros: cost.map(|(one, other)| one.saturating_add(other)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn took(input: Option<u64>, cost_micros: Option<u64>) -> TurnUsage {
        TurnUsage {
            took_ms: 10,
            tokens: input.map(|input| TurnTokens {
                input,
                cached: 1,
                output: 2,
                estimated: false,
            }),
            cost_micros,
        }
    }

    #[test]
    fn runs_of_one_turn_are_added_and_what_one_does_not_say_is_an_estimate() {
        let first = add(&TurnUsage::default(), &took(Some(5), Some(7)));
        assert_eq!(first, took(Some(5), Some(7)));
        let both = add(&first, &took(Some(6), Some(8)));
        let tokens = both.tokens.unwrap();
        assert_eq!((both.took_ms, both.cost_micros), (20, Some(15)));
        assert_eq!((tokens.input, tokens.cached, tokens.output), (11, 2, 4));
        assert!(!tokens.estimated);
        let partly = add(&both, &took(None, None));
        assert_eq!(partly.tokens.map(|it| it.input), Some(11));
        assert!(partly.tokens.unwrap().estimated);
        assert_eq!(partly.cost_micros, None);
    }
}
