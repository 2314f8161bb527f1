//! What a batch will take: calls, tokens, money and time.

use std::collections::{BTreeMap, BTreeSet};

use agon_caller::profiles::profiles;
use agon_caller::{Caller, Code, Failure, settings};
use agon_debates::request::StartRequest;
use agon_debates::run::duel;
use agon_debates::status::outcome::Planned;
use agon_record::id::Seat;
use agon_record::spec::Seating;
use schemars::JsonSchema;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use crate::answer;
use crate::front::RowFront;
use crate::identity::Identity;
use crate::row::RowKind;
use crate::seated::SeatedTool;
use crate::work::{Item, Work};

/// The schema of an estimate.
pub const ESTIMATE_SCHEMA: &str = "agon.batch_estimate/1";

// Planning looks for the tools of each seat, which takes a few milliseconds. Rows of a table differ
// in their topic only, and so need one plan.
/// Maximum number of different kinds of requests that are planned; others count as the average.
const MAX_PLANS: usize = 64;
// The average of the calls of `agon demo`, as for one debate.
/// Tokens that a call uses if none is known from earlier debates.
const TOKENS_OF_CALL: u64 = 7_000;

/// The expected usage of the debates that are still to run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Estimate {
    /// Always `agon.batch_estimate/1`.
    pub schema: &'static str,
    /// All chosen requests, with repetitions.
    pub requests: usize,
    /// The debates that are done.
    pub done: usize,
    /// The debates that failed earlier and are not run again.
    pub failed: usize,
    /// The debates to run.
    pub debates: usize,
    /// Those of them that an earlier run began.
    pub begun: usize,
    /// The number of kinds of these debates, which differ in more than their texts.
    pub kinds: usize,
    /// The number of kinds that were planned and can be started, at most 64.
    pub kinds_checked: usize,
    /// The calls.
    pub calls: u64,
    /// The lower and upper quartile of the tokens.
    pub tokens: [u64; 2],
    /// Whether the tokens are known from earlier calls of these tools, or a general average.
    pub tokens_known: bool,
    /// The cost of models behind API keys, in US dollars; null if there is no such model or a price
    /// is unknown.
    pub cost_usd: Option<f64>,
    /// The lower and upper quartile of the seconds, if no provider refuses calls; null if too little
    /// is known.
    pub seconds: Option<[u64; 2]>,
    /// The tools of each kind of request, by shape.
    #[serde(skip)]
    pub(crate) groups: BTreeMap<Identity, BTreeSet<SeatedTool>>,
}

/// Estimates the debates that `work` has still to run, and checks that they can be started. Requests
/// of one kind differ in their texts only, so it checks the first request of each kind, of at most 64
/// kinds.
///
/// # Errors
///
/// If a checked request cannot be started, for example because its tool is not installed or a seat
/// is for a person; all of them are named.
pub async fn estimate(caller: &Caller, work: &Work) -> Result<Estimate, Failure> {
    let settings = settings::read_settings(caller)?;
    let mut kinds: BTreeMap<&Identity, (&Item, u64)> = BTreeMap::new();
    for item in &work.items {
        kinds.entry(&item.shape).or_insert((item, 0)).1 += 1;
    }
    let mut estimate = Estimate {
        schema: ESTIMATE_SCHEMA,
        requests: work.all(),
        done: work.done,
        failed: work.failed,
        debates: work.todo(),
        begun: work.begun(),
        kinds: kinds.len(),
        kinds_checked: kinds.len().min(MAX_PLANS),
        tokens_known: true,
        ..Estimate::default()
    };
    let mut sum = Sum::default();
    let mut failures = Vec::new();
    for (shape, (item, count)) in kinds.into_iter().take(MAX_PLANS) {
        if let RowKind::Answer { .. } = item.row.kind {
            match answer::plan(&settings, &item.row.request) {
                Ok((seated, tokens)) => {
                    sum.add_answers(tokens, count);
                    estimate.groups.insert(shape.clone(), [seated].into());
                }
                Err(failure) => failures.push((item.row.line, failure)),
            }
            continue;
        }
        match plan(caller, &item.row.request).await {
            Ok(planned) => {
                sum.add(&planned, count);
                let seats = planned.state.seats.into_values();
                let tools = seats.map(|Seating { tool, model, .. }| SeatedTool { tool, model });
                estimate.groups.insert(shape.clone(), tools.collect());
            }
            Err(failure) => failures.push((item.row.line, failure)),
        }
    }
    if let Some((_, first)) = failures.first() {
        let lines = failures
            .iter()
            .map(|(line, failure)| format!("line {line}: {}", failure.message));
        let lines = lines.collect::<Vec<_>>().join("\n");
        let message = format!("some debates cannot be started; nothing was started\n{lines}");
        return Err(Failure {
            message,
            ..first.clone()
        });
    }
    let at_once = calls_at_once(&settings, &estimate)?;
    sum.finish(&mut estimate, at_once);
    Ok(estimate)
}

/// Returns the most simultaneous calls of the planned tool that takes the fewest.
fn calls_at_once(settings: &settings::Settings, estimate: &Estimate) -> Result<usize, Failure> {
    let most = usize::try_from(settings.batch_calls).unwrap_or(usize::MAX);
    let profiles = profiles(settings)?;
    let planned = estimate.groups.values().flatten();
    let planned = planned.filter_map(|seated| profiles.find(&seated.tool));
    let fewest = planned.map(|profile| profile.most_calls(most)).min();
    Ok(fewest.unwrap_or(most))
}

async fn plan(caller: &Caller, request: &StartRequest) -> Result<Box<Planned>, Failure> {
    let mut front = RowFront::silent(CancellationToken::new());
    let planned = duel::plan(caller, request, &mut front).await?;
    let planned = planned.ok_or_else(|| Failure::new(Code::Bug, "a dry run started a debate"))?;
    refuse_people(&planned.state.seats)?;
    Ok(planned)
}

/// Refuses a seat for a person, which may come from the configuration: no person answers in a batch.
fn refuse_people(seats: &BTreeMap<Seat, Seating>) -> Result<(), Failure> {
    match seats.iter().find(|(_, seating)| seating.is_human()) {
        None => Ok(()),
        Some((seat, _)) => {
            let message = format!("a person cannot be the {seat} in a batch");
            Err(Failure::new(Code::InvalidParameter, message)
                .parameter("seats")
                .hint("name a tool for every seat, such as --judge codex"))
        }
    }
}

/// The sums over the planned debates.
#[derive(Debug, Default)]
struct Sum {
    debates: u64,
    calls: u64,
    tokens: [u64; 2],
    ms: [u64; 2],
    has_unknown_tokens: bool,
    cost: Option<f64>,
}

impl Sum {
    fn add(&mut self, planned: &Planned, count: u64) {
        let calls = u64::from(planned.state.spec.planned_calls());
        self.debates += count;
        self.calls += calls * count;
        let [low, high] = match &planned.expected.takes {
            Some(takes) => {
                self.ms[0] = self.ms[0].saturating_add(takes.low.ms.saturating_mul(count));
                self.ms[1] = self.ms[1].saturating_add(takes.high.ms.saturating_mul(count));
                [takes.low.tokens, takes.high.tokens]
            }
            None => {
                self.has_unknown_tokens = true;
                [calls * TOKENS_OF_CALL; 2]
            }
        };
        self.tokens[0] = self.tokens[0].saturating_add(low.saturating_mul(count));
        self.tokens[1] = self.tokens[1].saturating_add(high.saturating_mul(count));
        if let Some(cost) = planned.expected.cost {
            self.cost = Some(self.cost.unwrap_or(0.0) + cost * as_float(count));
        }
    }

    /// Adds answers without a debate, whose duration is not known.
    fn add_answers(&mut self, tokens: u64, count: u64) {
        self.debates += count;
        self.calls += count;
        self.has_unknown_tokens = true;
        let tokens = tokens.saturating_mul(count);
        self.tokens = self.tokens.map(|sum| sum.saturating_add(tokens));
    }

    /// Scales the sums to all debates, with `at_once` calls at once.
    fn finish(self, estimate: &mut Estimate, at_once: usize) {
        let all = u64::try_from(estimate.debates).unwrap_or(u64::MAX);
        let scale = |sum: u64| match self.debates {
            0 => 0,
            planned => {
                let whole = u128::from(sum) * u128::from(all) / u128::from(planned);
                u64::try_from(whole).unwrap_or(u64::MAX)
            }
        };
        estimate.calls = scale(self.calls);
        estimate.tokens = self.tokens.map(scale);
        estimate.tokens_known = !self.has_unknown_tokens;
        estimate.cost_usd = self
            .cost
            .map(|cost| cost * as_float(all) / as_float(self.debates.max(1)));
        let at_once = all.min(at_once as u64).max(1);
        estimate.seconds =
            (!self.has_unknown_tokens).then(|| self.ms.map(|ms| scale(ms) / 1_000 / at_once));
    }
}

#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn as_float(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests;
