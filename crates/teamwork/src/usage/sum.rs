//! Adds up turns and requests.

use std::collections::BTreeSet;

use agon_caller::usage::TokenSum;
use agon_team::id::{RunId, SessionId};
use agon_team::store::{SessionUsage, TallyKind, Team, TurnUsage};
use schemars::JsonSchema;
use serde::Serialize;

/// The usage of some turns.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct TeamUsageSum {
    /// The number of turns that Agon ran.
    pub turns: u64,
    /// The number of turns that are still running.
    pub under_way: u64,
    /// The number of retries: turns on a task that the member had a turn on before, or that
    /// replaced a lost one.
    pub retries: u64,
    /// The tokens of the turns that report them; null if none does.
    pub tokens: Option<TokenSum>,
    /// The number of turns that do not report tokens.
    pub tokens_unknown: u64,
    /// The cost in US dollars of the turns that report it; null if none does.
    pub cost: Option<f64>,
    /// The number of turns that do not report a cost.
    pub cost_unknown: u64,
    /// The duration of the turns for which it is known; null if it is known for none.
    pub time_ms: Option<u64>,
    /// The number of turns of unknown duration: still running, or killed together with their
    /// watcher.
    pub time_unknown: u64,
    /// The number of refused claims.
    pub claims_refused: u64,
    /// The number of leases that expired or were taken away.
    pub leases_lost: u64,
    /// The number of messages sent.
    pub mails: u64,
    #[serde(skip)]
    cost_micros: u64,
}

impl TeamUsageSum {
    /// Returns the usage of a run so far; empty if it cannot be read.
    pub(crate) fn of_run(team: &mut Team, run: RunId) -> Self {
        Self::of(team, |it| it.run == Some(run))
    }

    /// Returns the usage of a session so far; empty if it cannot be read.
    pub(crate) fn of_session(team: &mut Team, session: SessionId) -> Self {
        Self::of(team, |it| it.session == session)
    }

    fn of(team: &mut Team, is_counted: impl Fn(&SessionUsage) -> bool) -> Self {
        let mut sum = Self::default();
        let mut counted = BTreeSet::new();
        for turn in team.usage().unwrap_or_default() {
            if is_counted(&turn) {
                sum.add_turn(&turn);
                counted.insert(turn.session);
            }
        }
        for tally in team.tallies().unwrap_or_default() {
            if tally.session.is_some_and(|it| counted.contains(&it)) {
                sum.add_tally(tally.kind);
            }
        }
        sum
    }

    /// Returns the usage added since `before`.
    pub(crate) fn since(&self, before: &Self) -> Self {
        let more = |now: u64, before: u64| now.saturating_sub(before);
        let turns = more(self.turns, before.turns);
        // If no turn since then reports a value, it is unknown rather than 0.
        let says = |now: u64, before: u64| more(now, before) < turns;
        let has_tokens = says(self.tokens_unknown, before.tokens_unknown);
        let tokens = self.tokens.as_ref().filter(|_| has_tokens).map(|now| {
            let before = before.tokens.clone().unwrap_or_default();
            TokenSum {
                input: more(now.input, before.input),
                output: more(now.output, before.output),
                cached: more(now.cached, before.cached),
                estimated: now.estimated,
            }
        });
        let cost_micros = more(self.cost_micros, before.cost_micros);
        Self {
            turns,
            under_way: self.under_way,
            retries: more(self.retries, before.retries),
            tokens,
            tokens_unknown: more(self.tokens_unknown, before.tokens_unknown),
            cost: self
                .cost
                .filter(|_| says(self.cost_unknown, before.cost_unknown))
                .map(|_| cost_micros as f64 / 1e6),
            cost_unknown: more(self.cost_unknown, before.cost_unknown),
            time_ms: self
                .time_ms
                .map(|now| more(now, before.time_ms.unwrap_or_default())),
            time_unknown: more(self.time_unknown, before.time_unknown),
            claims_refused: more(self.claims_refused, before.claims_refused),
            leases_lost: more(self.leases_lost, before.leases_lost),
            mails: more(self.mails, before.mails),
            cost_micros,
        }
    }

    /// Adds a turn.
    pub(super) fn add_turn(&mut self, turn: &SessionUsage) {
        self.turns += 1;
        self.under_way += u64::from(!turn.has_ended);
        self.retries += u64::from(turn.is_retry);
        let usage = turn.usage.as_ref();
        match usage {
            Some(TurnUsage { took_ms, .. }) => {
                self.time_ms = Some(self.time_ms.unwrap_or_default().saturating_add(*took_ms));
            }
            None => self.time_unknown += 1,
        }
        match usage.and_then(|it| it.tokens) {
            Some(tokens) => {
                let sum = self.tokens.get_or_insert_default();
                sum.input = sum.input.saturating_add(tokens.input);
                sum.cached = sum.cached.saturating_add(tokens.cached);
                sum.output = sum.output.saturating_add(tokens.output);
                sum.estimated |= tokens.estimated;
            }
            None => self.tokens_unknown += 1,
        }
        match usage.and_then(|it| it.cost_micros) {
            Some(micros) => {
                self.cost_micros = self.cost_micros.saturating_add(micros);
                self.cost = Some(self.cost_micros as f64 / 1e6);
            }
            None => self.cost_unknown += 1,
        }
    }

    /// Adds the outcome of a request.
    pub(super) const fn add_tally(&mut self, kind: TallyKind) {
        match kind {
            TallyKind::ClaimRefused => self.claims_refused += 1,
            TallyKind::LeaseLost => self.leases_lost += 1,
            TallyKind::MailSent => self.mails += 1,
        }
    }

    /// Returns the sum of input and output tokens.
    pub(super) fn all_tokens(&self) -> u64 {
        let tokens = self.tokens.as_ref();
        tokens.map_or(0, |it| it.input.saturating_add(it.output))
    }
}
