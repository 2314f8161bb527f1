//! Runs the debates of a batch, many at once, and appends a result for each.

mod item;
mod pool;
mod progress;
mod unusable;

use std::rc::Rc;
use std::time::{Duration, Instant};

use agon_agents::CallLimits;
use agon_caller::{Caller, Code, Failure, Notes, settings};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::estimate::Estimate;
use crate::folder::BatchFolder;
use crate::front::{Live, RowNote};
use crate::request::TotalCaps;
use crate::results::{BatchResult, ResultStatus, Results};
use crate::usage::Used;
use crate::work::Work;
use item::{ItemEnd, run_item};
use pool::Pool;
use progress::Spending;
pub use progress::{AccountDoc, PROGRESS_SCHEMA, Progress};

/// How often the progress is reported.
const TICK: Duration = Duration::from_secs(1);

/// Receives what happens while a batch runs.
pub trait Watcher: Notes {
    /// Called every second, and when a debate ended.
    fn on_progress(&mut self, progress: &Progress);

    /// Called when the result of a debate was stored.
    fn on_result(&mut self, result: &BatchResult);
}

/// Why a run ended before all debates did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EarlyEnd {
    /// The user stopped it.
    Stopped,
    /// A limit of the whole batch was reached, such as `max-total-tokens`.
    Capped(&'static str),
    /// A failure that would meet every debate.
    Failed(Failure),
}

/// What a run did.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The progress at the end.
    pub progress: Progress,
    /// The debates that failed in this run.
    pub failures: Vec<BatchResult>,
    /// The number of debates that another process uses, and that were not run.
    pub skipped: usize,
    /// Why the run ended early.
    pub early: Option<EarlyEnd>,
}

/// The parts of a batch that a run needs.
#[derive(Debug)]
pub struct BatchRun<'a> {
    /// The caller.
    pub caller: &'a Caller,
    /// The folder, whose lock is held.
    pub folder: &'a BatchFolder,
    /// The limits of the whole batch.
    pub caps: TotalCaps,
    /// The debates to run.
    pub work: Work,
    /// What they are expected to take.
    pub estimate: &'a Estimate,
    /// Stops the run.
    pub stop: CancellationToken,
}

impl BatchRun<'_> {
    /// Runs the debates until all have ended, a limit is reached or the run is stopped. Must run
    /// within a `LocalSet`.
    ///
    /// # Errors
    ///
    /// If the configuration is not valid. A result that cannot be stored ends the run early.
    pub async fn run(
        self,
        results: &mut Results,
        watcher: &mut dyn Watcher,
    ) -> Result<Summary, Failure> {
        let settings = settings::read_settings(self.caller)?;
        let most = usize::try_from(settings.batch_calls).unwrap_or(usize::MAX);
        let limits = CallLimits::new(most);
        let caller = Rc::new(Caller {
            debates_dir: Some(self.folder.debates()),
            call_limits: Some(limits.clone()),
            ..self.caller.clone()
        });
        let cancel = self.stop.child_token();
        let (notes, mut noted) = mpsc::unbounded_channel::<RowNote>();
        let expected = self.estimate.tokens[1] / (self.estimate.debates.max(1) as u64);
        let mut spending = Spending::new(self.caps, results, expected);
        for item in &self.work.items {
            let used = Used::of_attempts(self.folder, &item.slug, item.attempt);
            spending.add_begun(item, used);
        }
        let mut pool = Pool::new(self.work, self.estimate, limits);
        let mut running = JoinSet::new();
        let mut early = None;
        let mut failures = Vec::new();
        let mut unusable = None;
        let mut tick = tokio::time::interval(TICK);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut last_written: Option<Instant> = None;
        loop {
            while early.is_none() && spending.allows_another(running.len()) {
                let Some((group, item)) = pool.next() else {
                    break;
                };
                let live = std::sync::Arc::new(Live::default());
                spending.begin(&item, &live);
                let (caller, folder) = (Rc::clone(&caller), self.folder.clone());
                let (cancel, notes) = (cancel.clone(), notes.clone());
                running.spawn_local(async move {
                    let end = run_item(&caller, &folder, &item, &live, &cancel, &notes).await;
                    (group, item, end)
                });
            }
            if running.is_empty() {
                if early.is_none() && pool.has_waiting() {
                    early = Some(match pool.hold_reason() {
                        Some(failure) => EarlyEnd::Failed(failure.clone()),
                        None => EarlyEnd::Capped(spending.reached().unwrap_or("max-total-tokens")),
                    });
                }
                break;
            }
            tokio::select! {
                Some(ended) = running.join_next() => match ended {
                    Ok((group, item, end)) => {
                        pool.end(group);
                        spending.end(&item);
                        match end {
                            ItemEnd::Result(result) => {
                                spending.add(&result);
                                if result.status == ResultStatus::Failed {
                                    failures.push((*result).clone());
                                }
                                pool.count(result.status);
                                match results.append(*result) {
                                    Ok(result) => watcher.on_result(result),
                                    // The debate keeps its verdict, so the next run stores it.
                                    Err(failure) => {
                                        cancel.cancel();
                                        early.get_or_insert(EarlyEnd::Failed(failure));
                                    }
                                }
                            }
                            ItemEnd::Stopped => {}
                            ItemEnd::Unavailable(failure) => {
                                watcher.warn(&format!("line {}: {}", item.row.line, failure.message));
                                pool.skipped += 1;
                            }
                            ItemEnd::OverBudget(failure) => {
                                pool.hold(group, item, failure);
                            }
                            ItemEnd::Unusable(tool, failure) => {
                                watcher.warn(&format!("line {}: {}", item.row.line, failure.message));
                                pool.block(group, &tool);
                                unusable.get_or_insert(failure);
                            }
                            ItemEnd::Fatal(failure) => {
                                cancel.cancel();
                                early.get_or_insert(EarlyEnd::Failed(failure));
                            }
                        }
                    }
                    Err(error) => {
                        cancel.cancel();
                        early.get_or_insert(EarlyEnd::Failed(Failure::from_error(Code::Bug, &error)));
                    }
                },
                () = self.stop.cancelled(), if early.is_none() => {
                    early = Some(EarlyEnd::Stopped);
                }
                Some(note) = noted.recv() => {
                    note.pass_on(watcher);
                    continue;
                }
                _ = tick.tick() => {}
            }
            if let Some(cap) = spending.exceeded() {
                cancel.cancel();
                early.get_or_insert(EarlyEnd::Capped(cap));
            }
            let progress = pool.progress(running.len(), &spending);
            watcher.on_progress(&progress);
            if last_written.is_none_or(|at| at.elapsed() >= TICK) {
                progress.write(self.folder);
                last_written = Some(Instant::now());
            }
        }
        while let Ok(note) = noted.try_recv() {
            note.pass_on(watcher);
        }
        if let (None, Some(failure)) = (&early, unusable) {
            early = Some(EarlyEnd::Failed(describe_blocked(failure, pool.blocked())));
        }
        let progress = pool.progress(0, &spending);
        progress.write(self.folder);
        Ok(Summary {
            progress,
            failures,
            skipped: pool.skipped,
            early,
        })
    }
}

/// Describes that `count` debates could not end because of a tool.
fn describe_blocked(failure: Failure, count: usize) -> Failure {
    let debates = if count == 1 { "debate" } else { "debates" };
    let message = format!("{}; {count} {debates} did not end", failure.message);
    Failure { message, ..failure }
        .hint("fix that (see `agon tools`), then run the same command again; nothing is lost")
}

#[cfg(test)]
mod tests;
