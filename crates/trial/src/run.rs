//! Runs a trial: first the debates and single answers, then the votes, which may use as many tokens.

use std::time::Instant;

use agon_batch::estimate::{Estimate, estimate};
use agon_batch::folder::BatchFolder;
use agon_batch::request::TotalCaps;
use agon_batch::results::{BatchResult, Results};
use agon_batch::run::{BatchRun, Summary, Watcher};
use agon_batch::work::{Requests, Work, choose_requests, find_work};
use agon_caller::{Caller, Code, Failure};
use agon_debates::request::SeatRequest;
use tokio_util::sync::CancellationToken;

use crate::folder::TrialFolder;
use crate::request::{TrialRequest, all_seats, arm_of};
use crate::stored::{PLANNED_SCHEMA, PlannedRow, TRIAL_SCHEMA, TrialDoc};
use crate::votes::{equal_votes, votes_before};

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
/// If the configuration is not valid, or the folder has a trial with another data set, seed, size of
/// a vote or settings of its debates.
pub fn prepare(caller: &Caller, request: &TrialRequest) -> Result<Prepared, Failure> {
    let folder = TrialFolder::new(caller.cwd.join(&request.folder));
    let before = folder.read_trial()?;
    let mut arms = request.arms.clone();
    arms.extend(before.iter().flat_map(|before| &before.arms));
    arms.sort_unstable();
    arms.dedup();
    let votes = votes_before(request.votes, &request.arms, &arms, before.as_ref());
    let (votes, votes_basis) = votes.unzip();
    let seats = all_seats(&request.base.seats);
    let effort = |seat: &SeatRequest| {
        let effort = seat.effort.or(request.base.seats.effort)?;
        Some(effort.name().to_owned())
    };
    let trial = TrialDoc {
        schema: TRIAL_SCHEMA.to_owned(),
        dataset: request.dataset.clone(),
        licence: request.licence.clone(),
        seed: request.seed,
        arms,
        votes,
        votes_basis,
        tools: seats.iter().filter_map(|seat| seat.tool.clone()).collect(),
        models: seats.iter().map(|seat| seat.model.clone()).collect(),
        efforts: seats.iter().map(effort).collect(),
        rounds: request.base.rounds,
        quick: request.base.quick,
    };
    if let Some(before) = before {
        let settings = |it: &TrialDoc| {
            let seats = (it.tools.clone(), it.models.clone(), it.efforts.clone());
            (seats, it.rounds, it.quick)
        };
        let is_other_size = request.votes.is_some() && before.votes.is_some();
        let changed = [
            (before.dataset != trial.dataset, "data set"),
            (before.seed != trial.seed, "seed"),
            (
                is_other_size && before.votes != trial.votes,
                "number of votes",
            ),
            // Its arms would not differ in the way to answer alone.
            (
                settings(&before) != settings(&trial),
                "choice of tools, models, efforts or rounds",
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
        let (plan, summary) = self
            .run_rows(&folder, results, self.estimate, begun, watcher)
            .await?;
        let has_vote = self.request.arms.iter().any(|arm| arm.is_vote());
        if summary.early.is_some() || !has_vote || self.prepared.trial.votes.is_some() {
            return Ok(summary);
        }
        let arms = &self.prepared.trial.arms;
        let Some((votes, basis)) = equal_votes(arms, &plan, |it| results.find(it)) else {
            watcher
                .warn("no debate has ended, so the size of a vote is not known; it was not held");
            return Ok(summary);
        };
        watcher.note(&format!(
            "a vote has {votes} answers, as many tokens as a debate"
        ));
        let trial = &mut self.prepared.trial;
        (trial.votes, trial.votes_basis) = (Some(votes), Some(basis));
        let rows = self.request.rows(Some(votes));
        self.prepared.requests = choose_requests(self.caller, &self.request.batch(), rows)?;
        let requests = &self.prepared.requests;
        let work = work(self.request, self.files, requests, |it| results.find(it));
        let expected = estimate(self.caller, &work).await?;
        let (_, second) = self
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

    /// Writes the trial, and runs the rows that have no result. Returns the whole plan.
    async fn run_rows(
        &self,
        folder: &TrialFolder,
        results: &mut Results,
        expected: &Estimate,
        begun: Instant,
        watcher: &mut dyn Watcher,
    ) -> Result<(Vec<PlannedRow>, Summary), Failure> {
        let requests = &self.prepared.requests;
        let questions = &self.request.questions;
        let plan = folder.add(&self.prepared.trial, questions, plan(requests))?;
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
        Ok((plan, run.run(results, watcher).await?))
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

#[cfg(test)]
mod tests;
