//! Runs a trial: first the debates and single answers, then the votes, which may use as many tokens.

use std::time::Instant;

use agon_batch::estimate::{Estimate, estimate};
use agon_batch::folder::BatchFolder;
use agon_batch::request::TotalCaps;
use agon_batch::results::{BatchResult, ResultStatus, Results};
use agon_batch::run::{BatchRun, Summary, Watcher};
use agon_batch::work::{Requests, Work, choose_requests, find_work};
use agon_caller::{Caller, Code, Failure};
use tokio_util::sync::CancellationToken;

use crate::arm::Arm;
use crate::folder::{PLANNED_SCHEMA, PlannedRow, TRIAL_SCHEMA, TrialDoc, TrialFolder};
use crate::request::{SERIES, TrialRequest, arm_of};
use crate::stats::float;

/// Answers in a vote if no arm is a debate.
pub const USUAL_VOTES: u32 = 9;
/// Maximum number of answers in a vote that is as large as a debate.
const MAX_VOTES: u32 = 99;

/// A trial that is ready to run.
#[derive(Debug)]
pub struct Prepared {
    /// Its settings.
    pub trial: TrialDoc,
    /// The rows to run, as far as they are known.
    pub requests: Requests,
}

/// Prepares a trial, in a new folder or in that of an earlier run.
///
/// # Errors
///
/// If the configuration is not valid, or the folder has a trial with another data set, seed or
/// number of votes.
pub fn prepare(caller: &Caller, request: &TrialRequest) -> Result<Prepared, Failure> {
    let folder = TrialFolder::new(caller.cwd.join(&request.folder));
    let before = folder.read_trial()?;
    let has_debate = request.arms.iter().any(|arm| arm.is_debate());
    let fixed = request.votes.or((!has_debate).then_some(USUAL_VOTES));
    let seats = &request.base.seats;
    let sides = seats.sides.iter().filter_map(|side| side.tool.clone());
    let mut trial = TrialDoc {
        schema: TRIAL_SCHEMA.to_owned(),
        dataset: request.dataset.clone(),
        licence: request.licence.clone(),
        seed: request.seed,
        arms: request.arms.clone(),
        votes: fixed,
        tools: sides.chain(seats.judges.tools.iter().cloned()).collect(),
    };
    if let Some(before) = before {
        trial.votes = trial.votes.or(before.votes);
        let changed = [
            (before.dataset != trial.dataset, "data set"),
            (before.seed != trial.seed, "seed"),
            (
                before.votes.is_some() && before.votes != trial.votes,
                "number of votes",
            ),
        ];
        if let Some((_, what)) = changed.into_iter().find(|(is_changed, _)| *is_changed) {
            let path = folder.path().display();
            let message = format!("{path} has a trial with another {what}");
            return Err(Failure::new(Code::InvalidParameter, message)
                .parameter("out")
                .hint("name another folder with --out"));
        }
    }
    let requests = choose_requests(caller, &request.batch(), request.rows(trial.votes))?;
    Ok(Prepared { trial, requests })
}

/// Returns what is to do for `requests`.
pub fn work<'a>(
    request: &TrialRequest,
    files: &BatchFolder,
    requests: &Requests,
    result: impl Fn(&str) -> Option<&'a BatchResult>,
) -> Work {
    find_work(&request.batch(), files, requests.clone(), result)
}

/// The parts of a trial that a run needs.
#[derive(Debug)]
pub struct TrialRun<'a> {
    /// The caller.
    pub caller: &'a Caller,
    /// The request.
    pub request: &'a TrialRequest,
    /// The trial.
    pub prepared: Prepared,
    /// The folder, whose lock is held.
    pub files: &'a BatchFolder,
    /// What it is expected to take.
    pub estimate: &'a Estimate,
    /// Stops the run.
    pub stop: CancellationToken,
}

impl TrialRun<'_> {
    /// Runs the trial until every arm has answered every question, a limit is reached or the run is
    /// stopped. Must run within a `LocalSet`.
    ///
    /// # Errors
    ///
    /// If a file cannot be written or the configuration is not valid.
    pub async fn run(
        mut self,
        results: &mut Results,
        watcher: &mut dyn Watcher,
    ) -> Result<Summary, Failure> {
        let begun = Instant::now();
        let folder = TrialFolder::new(self.files.path());
        folder.write_questions(&self.request.questions)?;
        let summary = self
            .run_rows(&folder, results, self.estimate, begun, watcher)
            .await?;
        let has_vote = self.request.arms.iter().any(|arm| arm.is_vote());
        if summary.early.is_some() || !has_vote || self.prepared.trial.votes.is_some() {
            return Ok(summary);
        }
        let Some(votes) = equal_votes(self.request, &self.prepared.requests, results) else {
            watcher
                .warn("no debate has ended, so the size of a vote is not known; it was not held");
            return Ok(summary);
        };
        watcher.note(&format!(
            "a vote has {votes} answers, as many tokens as a debate"
        ));
        self.prepared.trial.votes = Some(votes);
        let rows = self.request.rows(Some(votes));
        self.prepared.requests = choose_requests(self.caller, &self.request.batch(), rows)?;
        let requests = &self.prepared.requests;
        let work = work(self.request, self.files, requests, |it| results.find(it));
        let expected = estimate(self.caller, &work).await?;
        let second = self
            .run_rows(&folder, results, &expected, begun, watcher)
            .await?;
        let mut failures = summary.failures;
        failures.extend(second.failures);
        Ok(Summary {
            failures,
            skipped: summary.skipped + second.skipped,
            ..second
        })
    }

    /// Writes the trial and its plan, and runs the rows that have no result.
    async fn run_rows(
        &self,
        folder: &TrialFolder,
        results: &mut Results,
        expected: &Estimate,
        begun: Instant,
        watcher: &mut dyn Watcher,
    ) -> Result<Summary, Failure> {
        let requests = &self.prepared.requests;
        folder.write_plan(&plan(requests))?;
        folder.write_trial(&self.prepared.trial)?;
        let work = work(self.request, self.files, requests, |it| results.find(it));
        let passed = begun.elapsed().as_secs();
        let caps = TotalCaps {
            time: self
                .request
                .caps
                .time
                .map(|time| time.saturating_sub(passed)),
            ..self.request.caps
        };
        let run = BatchRun {
            caller: self.caller,
            folder: self.files,
            caps,
            work,
            estimate: expected,
            stop: self.stop.clone(),
        };
        run.run(results, watcher).await
    }
}

fn plan(requests: &Requests) -> Vec<PlannedRow> {
    let rows = requests.iter().filter_map(|(row, _, identity)| {
        let (arm, sample) = arm_of(row)?;
        Some(PlannedRow {
            schema: PLANNED_SCHEMA.to_owned(),
            identity: identity.as_str().to_owned(),
            question: row.id.clone(),
            arm,
            sample,
        })
    });
    rows.collect()
}

/// Returns how many single answers use as many tokens as a debate: a duel, or else the first arm
/// that is one. `None` if one of them has no result.
fn equal_votes(request: &TrialRequest, requests: &Requests, results: &Results) -> Option<u32> {
    let debates = request.arms.iter().copied().filter(|arm| arm.is_debate());
    let debate = debates.min_by_key(|arm| (*arm != Arm::Duel, *arm))?;
    let mean_tokens = |wanted: Arm| {
        let rows = requests
            .iter()
            .filter(|(row, ..)| arm_of(row).is_some_and(|(arm, _)| arm == wanted));
        let found = rows.filter_map(|(.., identity)| results.find(identity.as_str()));
        let done = found.filter(|result| result.status == ResultStatus::Done);
        let tokens: Vec<u64> = done.map(|result| result.tokens).collect();
        let sum = tokens
            .iter()
            .fold(0, |sum: u64, one| sum.saturating_add(*one));
        #[expect(clippy::cast_precision_loss, reason = "far less than 2^52 tokens")]
        let mean = sum as f64 / float(tokens.len());
        (sum > 0).then_some(mean)
    };
    Some(votes_for(mean_tokens(debate)?, mean_tokens(Arm::One)?))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "not negative; the cast saturates"
)]
fn votes_for(debate: f64, answer: f64) -> u32 {
    let votes = (debate / answer).round().max(0.0) as u32;
    votes.clamp(2, MAX_VOTES.min(SERIES - 1))
}

#[cfg(test)]
mod tests;
