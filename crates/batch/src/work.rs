//! What is to do: the chosen requests, and whether each is new, cut off, failed or done.

use std::collections::BTreeSet;

use agon_caller::{Caller, Failure, settings};

use crate::folder::{BatchFolder, debate_name};
use crate::identity::{Identity, identity};
use crate::input::Row;
use crate::request::BatchRequest;
use crate::results::{BatchResult, ResultStatus};
use crate::select::sample_order;

/// A debate to run.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) row: Row,
    pub(crate) repeat: u32,
    pub(crate) identity: Identity,
    /// The name of its folder, without the number of the attempt.
    pub(crate) slug: String,
    /// How often earlier runs started it.
    pub(crate) attempt: u32,
    /// Whether its last attempt failed in an earlier run.
    pub(crate) failed_before: bool,
}

/// The requests of a batch.
#[derive(Clone, Debug, Default)]
pub struct Work {
    /// The debates to run, in the order of the file.
    pub(crate) items: Vec<Item>,
    /// The number of chosen requests that are done.
    pub done: usize,
    /// The number of chosen requests that failed earlier and are not run again.
    pub failed: usize,
    /// The identities of all chosen requests. Results may have others, of rows or settings that
    /// changed since.
    pub chosen: BTreeSet<String>,
    /// The number of requests that repeat an earlier line exactly.
    pub duplicates: usize,
}

impl Work {
    /// Returns the number of debates to run.
    pub fn todo(&self) -> usize {
        self.items.len()
    }

    /// Returns the number of debates to run that an earlier run began.
    pub fn begun(&self) -> usize {
        let begun = self.items.iter().filter(|item| item.attempt > 0);
        begun.count()
    }

    /// Returns the number of chosen requests.
    pub fn all(&self) -> usize {
        self.items.len() + self.done + self.failed
    }
}

/// Finds out what is to do for `rows`, given the results so far.
///
/// # Errors
///
/// If the configuration is not valid.
pub fn find_work<'a>(
    caller: &Caller,
    batch: &BatchRequest,
    folder: &BatchFolder,
    rows: Vec<Row>,
    result: impl Fn(&str) -> Option<&'a BatchResult>,
) -> Result<Work, Failure> {
    let settings = settings::read_settings(caller)?;
    let mut work = Work::default();
    let mut known = BTreeSet::new();
    let mut chosen = Vec::new();
    for row in rows {
        for repeat in 1..=batch.repeat.max(1) {
            let identity = identity(&row.request, &settings, &caller.cwd, repeat);
            if batch.shard.is_some_and(|shard| !shard.contains(&identity)) {
                continue;
            }
            if !known.insert(identity.clone()) {
                work.duplicates += 1;
                continue;
            }
            chosen.push((row.clone(), repeat, identity));
        }
    }
    if let Some(count) = batch.sample {
        let mut order: Vec<_> = chosen
            .iter()
            .map(|(_, _, identity)| (sample_order(identity, batch.seed), identity.clone()))
            .collect();
        order.sort();
        order.truncate(count);
        let sample: BTreeSet<_> = order.into_iter().map(|(_, identity)| identity).collect();
        chosen.retain(|(_, _, identity)| sample.contains(identity));
    }
    let identities = chosen.iter().map(|(_, _, identity)| identity.as_str());
    work.chosen = identities.map(str::to_owned).collect();
    for (row, repeat, identity) in chosen {
        let status = result(identity.as_str()).map(|result| result.status);
        let failed_before = status == Some(ResultStatus::Failed);
        match status {
            Some(ResultStatus::Done) => work.done += 1,
            Some(ResultStatus::Failed) if !batch.retry_failed => work.failed += 1,
            Some(ResultStatus::Failed) | None => {
                let slug = debate_name(&row, &identity);
                let (_, attempt) = folder.latest_attempt(&slug);
                work.items.push(Item {
                    row,
                    repeat,
                    identity,
                    slug,
                    attempt,
                    failed_before,
                });
            }
        }
    }
    Ok(work)
}
