//! Turns and requests, added up.

use std::collections::BTreeSet;

use agon_caller::usage::TokenSum;
use agon_team::id::{RunId, SessionId};
use agon_team::store::{SessionUsage, TallyKind, Team, TurnUsage};
use schemars::JsonSchema;
use serde::Serialize;

/// What some turns took together.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct TeamUsageSum {
    /// How many turns Agon had carried out.
    pub turns: u64,
    /// Those of them that go on.
    pub under_way: u64,
    /// Those of them that were another try: on a task that the member had a turn on before, or in the
    /// place of one that was lost.
    pub retries: u64,
    /// The tokens, of the turns that say them; null where none does.
    pub tokens: Option<TokenSum>,
    /// Turns that do not say their tokens.
    pub tokens_unknown: u64,
    /// In US dollars, of the turns that say it; null where none does.
    pub cost: Option<f64>,
    /// Turns that do not say what they cost.
    pub cost_unknown: u64,
    /// The time in turns, of those that it is known of; null where it is of none.
    pub time_ms: Option<u64>,
    /// Turns of which it is not known: they go on, or were killed with what watched them.
    pub time_unknown: u64,
    /// Claims of a task that was not to be had.
    pub claims_refused: u64,
    /// Leases that ran out or were taken away.
    pub leases_lost: u64,
    /// Messages that were sent.
    pub mails: u64,
    #[serde(skip)]
    cost_micros: u64,
}

impl TeamUsageSum {
    /// What a run took up to now; nothing where that cannot be read.
    pub(crate) fn of_run(team: &mut Team, run: RunId) -> Self {
        Self::of(team, |it| it.run == Some(run))
    }

    /// What a session took up to now; nothing where that cannot be read.
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

    /// What came to it since it was `before`.
    pub(crate) fn since(&self, before: &Self) -> Self {
        let more = |now: u64, before: u64| now.saturating_sub(before);
        let turns = more(self.turns, before.turns);
        // Where no turn since then says it, it is not known, and not 0.
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

    /// Adds what became of a request.
    pub(super) const fn add_tally(&mut self, kind: TallyKind) {
        match kind {
            TallyKind::ClaimRefused => self.claims_refused += 1,
            TallyKind::LeaseLost => self.leases_lost += 1,
            TallyKind::MailSent => self.mails += 1,
        }
    }

    /// The tokens in and out.
    pub(super) fn all_tokens(&self) -> u64 {
        let tokens = self.tokens.as_ref();
        tokens.map_or(0, |it| it.input.saturating_add(it.output))
    }
}
