//! Estimates the time and tokens of a debate from earlier calls.

use agon_record::moves::MovesKind;
use agon_record::spec::Seating;
use agon_record::state::State;

use crate::format;

// With only two calls, the quartiles would be just those two values.
/// The fewest earlier calls for an estimate.
pub const MIN_CALLS: usize = 3;

/// The time and tokens of one call or a debate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeAndTokens {
    /// Time, in milliseconds.
    pub ms: u64,
    /// Input and output tokens.
    pub tokens: u64,
}

/// An estimate: the median and the quartiles of the known values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    /// The lower quartile.
    pub low: TimeAndTokens,
    /// The median.
    pub middle: TimeAndTokens,
    /// The upper quartile.
    pub high: TimeAndTokens,
}

impl Expected {
    /// Estimates the next call from the calls in `past`; `None` with fewer than [`MIN_CALLS`].
    ///
    /// ```
    /// # use agon_rules::expected::{Expected, TimeAndTokens};
    /// let past = [10, 20, 30, 40, 90].map(|ms| TimeAndTokens { ms, tokens: 7 });
    /// let next = Expected::from_past_calls(&past).unwrap();
    /// assert_eq!([next.low.ms, next.middle.ms, next.high.ms], [20, 30, 40]);
    /// assert_eq!(next.middle.tokens, 7);
    /// assert_eq!(Expected::from_past_calls(&past[..2]), None);
    /// ```
    pub fn from_past_calls(past: &[TimeAndTokens]) -> Option<Self> {
        if past.len() < MIN_CALLS {
            return None;
        }
        let sorted = |of: fn(&TimeAndTokens) -> u64| {
            let mut values: Vec<u64> = past.iter().map(of).collect();
            values.sort_unstable();
            values
        };
        let (times, tokens) = (sorted(|it| it.ms), sorted(|it| it.tokens));
        let at = |quarter: usize| {
            let place = (past.len() - 1) * quarter / 4;
            let of = |values: &[u64]| values.get(place).copied().unwrap_or_default();
            TimeAndTokens {
                ms: of(&times),
                tokens: of(&tokens),
            }
        };
        Some(Self {
            low: at(1),
            middle: at(2),
            high: at(3),
        })
    }

    /// Combines two estimates that run one after the other.
    fn in_sequence_with(self, next: Self) -> Self {
        self.combine_with(next, u64::saturating_add)
    }

    /// Combines two estimates that run in parallel.
    fn in_parallel_with(self, other: Self) -> Self {
        self.combine_with(other, u64::max)
    }

    fn combine_with(self, other: Self, time: fn(u64, u64) -> u64) -> Self {
        let takes = |one: TimeAndTokens, other: TimeAndTokens| TimeAndTokens {
            ms: time(one.ms, other.ms),
            tokens: one.tokens.saturating_add(other.tokens),
        };
        Self {
            low: takes(self.low, other.low),
            middle: takes(self.middle, other.middle),
            high: takes(self.high, other.high),
        }
    }

    /// Returns the median time in seconds, rounded up.
    pub fn eta_seconds(&self) -> u64 {
        self.middle.ms.div_ceil(1_000)
    }
}

/// Estimates the rest of a debate. `past` returns the earlier calls of a kind of move by a seat's
/// holder.
///
/// Parallel calls take as long as the longest. Replies that are sent back and retried calls are not
/// counted. `None` if nothing is left to ask, or if nothing is known about some call.
pub fn estimate_remaining(
    state: &State,
    mut past: impl FnMut(&Seating, MovesKind) -> Option<Expected>,
) -> Option<Expected> {
    let format = format::format_of(state);
    let mut all: Option<Expected> = None;
    for step in format.planned_steps(state) {
        let mut beside: Option<Expected> = None;
        for turn in step {
            let over = state
                .turns
                .get(&turn)
                .is_some_and(|turn| turn.end.is_some());
            // Skip people, since the time that a person takes is unknown.
            let called = |seating: &&Seating| !over && !seating.is_human();
            let Some(seating) = state.seats.get(&turn.seat).filter(called) else {
                continue;
            };
            let call = past(seating, format.moves_kind(turn))?;
            beside = Some(beside.map_or(call, |other| other.in_parallel_with(call)));
        }
        all = match (all, beside) {
            (Some(before), Some(next)) => Some(before.in_sequence_with(next)),
            (before, next) => before.or(next),
        };
    }
    all
}

#[cfg(test)]
mod tests {
    use agon_record::id::Seat;
    use agon_record::spec::{FormalSpec, Kind};
    use agon_samples::duel;

    use super::*;

    fn call(ms: u64, tokens: u64) -> Expected {
        let takes = |ms| TimeAndTokens { ms, tokens };
        Expected {
            low: takes(ms / 2),
            middle: takes(ms),
            high: takes(ms * 2),
        }
    }

    #[test]
    fn calls_beside_each_other_take_as_long_as_the_longest() {
        let mut spec = duel::spec(2);
        spec.kind.as_duel_mut().unwrap().swap = true;
        let state = State::open(spec);
        let mut asked = Vec::new();
        let expected = estimate_remaining(&state, |seating, kind| {
            asked.push((seating.tool.to_string(), kind));
            Some(call(
                if seating.tool.as_str() == "codex" {
                    3_000
                } else {
                    1_000
                },
                10,
            ))
        });
        // Blind 3 s; rounds 2 × (1 + 3) s; the judge and its swap 1 s.
        let expected = expected.unwrap();
        assert_eq!((expected.eta_seconds(), expected.middle.tokens), (12, 80));
        assert_eq!((expected.low.ms, expected.high.ms), (6_000, 24_000));
        let kinds: Vec<_> = asked.iter().map(|(_, kind)| kind.name()).collect();
        assert_eq!(
            kinds,
            [
                "blind",
                "blind",
                "opening",
                "challenge",
                "defense",
                "follow_up",
                "verdict",
                "verdict"
            ]
        );
        assert_eq!(asked.len(), state.spec.planned_calls() as usize);
    }

    #[test]
    fn nothing_is_said_where_a_call_is_unknown() {
        let state = State::open(duel::spec(2));
        let known = |_: &Seating, kind| (kind != MovesKind::Verdict).then(|| call(1, 1));
        assert_eq!(estimate_remaining(&state, known), None);
    }

    #[test]
    fn a_formal_debate_takes_what_its_exchanges_take() {
        let mut spec = duel::spec(2);
        spec.kind = Kind::formal(FormalSpec::default());
        let seats = spec.seats.values().cloned();
        let names = [Seat::Proposition, Seat::Opposition, Seat::JUDGE];
        spec.seats = names.into_iter().zip(seats).collect();
        let mut state = State::open(spec);
        let takes = |state: &State| estimate_remaining(state, |_, _| Some(call(1_000, 10)));
        assert_eq!(takes(&state), None);
        state.through = Some(1);
        // The theses, then twice the sides and the judge.
        let expected = takes(&state).unwrap();
        assert_eq!((expected.eta_seconds(), expected.middle.tokens), (5, 70));
    }
}
