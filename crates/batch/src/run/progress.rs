//! The progress of a batch, and what it has spent.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use agon_agents::CallLimits;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::item::dollars;
use crate::folder::BatchFolder;
use crate::front::Live;
use crate::request::TotalCaps;
use crate::results::{BatchResult, Results};
use crate::usage::Used;
use crate::work::Item;

/// The schema of the progress.
pub const PROGRESS_SCHEMA: &str = "agon.batch_progress/1";

/// The progress of a batch.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Progress {
    /// Always `agon.batch_progress/1`.
    pub schema: String,
    /// All chosen requests, with repetitions.
    pub requests: usize,
    /// Debates with a verdict.
    pub done: usize,
    /// Debates without one.
    pub failed: usize,
    /// Debates under way.
    pub running: usize,
    /// The tokens that all debates of the batch used so far.
    pub tokens: u64,
    /// Their cost in US dollars, as far as tools report it.
    pub cost_usd: f64,
    /// The seconds since the run began.
    pub seconds: u64,
    /// The expected seconds until its end; null before the first debate ends.
    pub left_s: Option<u64>,
    /// The accounts that are called.
    pub accounts: Vec<AccountDoc>,
}

/// An account and the calls to it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AccountDoc {
    /// The provider and the variable with the key, or the name of a program.
    pub account: String,
    /// The number of simultaneous calls that it takes now.
    pub limit: usize,
    /// The calls under way.
    pub running: usize,
    /// The calls that ended.
    pub ended: u64,
    /// Those of them that the provider refused because there were too many.
    pub refused: u64,
}

impl Progress {
    pub(super) fn new(
        [requests, done, failed, running]: [usize; 4],
        (seconds, left_s): (u64, Option<u64>),
        spending: &Spending,
        limits: &CallLimits,
    ) -> Self {
        let (tokens, cost_micros) = spending.spending();
        let accounts = limits.accounts().into_iter().map(|account| AccountDoc {
            account: account.account,
            limit: account.limit,
            running: account.running,
            ended: account.ended,
            refused: account.refused,
        });
        Self {
            schema: PROGRESS_SCHEMA.to_owned(),
            requests,
            done,
            failed,
            running,
            tokens,
            cost_usd: dollars(cost_micros),
            seconds,
            left_s,
            accounts: accounts.collect(),
        }
    }

    /// Writes it for other processes. A failure changes nothing for the run.
    pub(super) fn write(&self, folder: &BatchFolder) {
        if let Ok(text) = serde_json::to_vec(self) {
            let path = folder.progress();
            drop(agon_files::replace(
                &path,
                &text,
                0o644,
                agon_files::Durable::No,
            ));
        }
    }
}

/// What a batch has spent, and its limits.
#[derive(Debug)]
pub(super) struct Spending {
    caps: TotalCaps,
    begun: Instant,
    /// The sums over `known`.
    tokens: u64,
    cost_micros: u64,
    /// The number and tokens of the debates that ended, for their average.
    ended: (u64, u64),
    /// The expected tokens of a debate before one ended.
    expected: u64,
    /// What each debate used that does not run now: those with a result, and those cut off.
    known: BTreeMap<String, UsageEntry>,
    live: BTreeMap<String, Arc<Live>>,
}

/// What a debate used, with all its attempts.
#[derive(Clone, Copy, Debug)]
struct UsageEntry {
    tokens: u64,
    cost_micros: u64,
    has_ended: bool,
}

impl Spending {
    pub(super) fn new(caps: TotalCaps, results: &Results, expected: u64) -> Self {
        let mut spending = Self {
            caps,
            begun: Instant::now(),
            tokens: 0,
            cost_micros: 0,
            ended: (0, 0),
            expected,
            known: BTreeMap::new(),
            live: BTreeMap::new(),
        };
        for result in results.all() {
            spending.add(result);
        }
        spending
    }

    /// Counts what the earlier attempts at a debate used.
    pub(super) fn add_begun(&mut self, item: &Item, used: Used) {
        let identity = item.identity.as_str();
        // A result counts the same debates.
        if !self.known.contains_key(identity) {
            self.set(identity, (used.tokens, used.cost_micros), false);
        }
    }

    pub(super) fn begin(&mut self, item: &Item, live: &Arc<Live>) {
        let identity = item.identity.as_str();
        let known = self.remove(identity);
        live.begin(known.map_or((0, 0), |known| (known.tokens, known.cost_micros)));
        self.live.insert(identity.to_owned(), Arc::clone(live));
    }

    pub(super) fn end(&mut self, item: &Item) {
        let identity = item.identity.as_str();
        if let Some(live) = self.live.remove(identity) {
            self.set(identity, live.used(), false);
        }
    }

    /// Counts a result, in place of what was known of its debate.
    pub(super) fn add(&mut self, result: &BatchResult) {
        let used = (result.tokens, micros(result.cost_usd));
        self.set(&result.identity, used, result.tokens > 0);
    }

    fn set(&mut self, identity: &str, (tokens, cost_micros): (u64, u64), has_ended: bool) {
        self.remove(identity);
        self.tokens = self.tokens.saturating_add(tokens);
        self.cost_micros = self.cost_micros.saturating_add(cost_micros);
        if has_ended {
            self.ended.0 += 1;
            self.ended.1 = self.ended.1.saturating_add(tokens);
        }
        let known = UsageEntry {
            tokens,
            cost_micros,
            has_ended,
        };
        self.known.insert(identity.to_owned(), known);
    }

    fn remove(&mut self, identity: &str) -> Option<UsageEntry> {
        let known = self.known.remove(identity)?;
        self.tokens = self.tokens.saturating_sub(known.tokens);
        self.cost_micros = self.cost_micros.saturating_sub(known.cost_micros);
        if known.has_ended {
            self.ended.0 -= 1;
            self.ended.1 = self.ended.1.saturating_sub(known.tokens);
        }
        Some(known)
    }

    /// Returns the tokens, and the cost in millionths of a dollar, including running debates.
    pub(super) fn spending(&self) -> (u64, u64) {
        let live = self.live.values().map(|live| live.used());
        live.fold((self.tokens, self.cost_micros), |sum, used| {
            (sum.0.saturating_add(used.0), sum.1.saturating_add(used.1))
        })
    }

    /// Returns whether another debate fits into the limits, beside `running` ones.
    pub(super) fn allows_another(&self, running: usize) -> bool {
        if self.reached().is_some() {
            return false;
        }
        let Some(most) = self.caps.tokens else {
            return true;
        };
        let average = self.ended.1.checked_div(self.ended.0);
        let each = average.unwrap_or(self.expected);
        let debates = u64::try_from(running).unwrap_or(u64::MAX).saturating_add(1);
        let expected = self.tokens.saturating_add(each.saturating_mul(debates));
        expected <= most
    }

    /// Returns the limit that is reached, so that no debate may start.
    pub(super) fn reached(&self) -> Option<&'static str> {
        let (tokens, cost) = self.spending();
        let TotalCaps {
            tokens: most_tokens,
            cost: most_cost,
            time,
        } = self.caps;
        if most_tokens.is_some_and(|most| tokens >= most) {
            return Some("max-total-tokens");
        }
        if most_cost.is_some_and(|most| cost >= micros(most)) {
            return Some("max-total-cost");
        }
        time.is_some_and(|most| self.begun.elapsed().as_secs() >= most)
            .then_some("max-total-time")
    }

    /// Returns the limit that running debates exceed, so that they must stop.
    pub(super) fn exceeded(&self) -> Option<&'static str> {
        self.reached().filter(|_| !self.live.is_empty())
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "not negative; the cast saturates"
)]
fn micros(dollars: f64) -> u64 {
    (dollars.max(0.0) * 1e6).round() as u64
}
