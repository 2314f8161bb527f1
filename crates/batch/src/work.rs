//! What is to do: the chosen requests, and whether each is new, cut off, failed or done.

use std::collections::BTreeSet;

use agon_caller::{Caller, Failure, settings};

use crate::folder::{BatchFolder, debate_name};
use crate::identity::{ContextFiles, Identity, row_identity, row_shape};
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
    /// What it has in common with other requests.
    pub(crate) shape: Identity,
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

/// The chosen requests of a batch with their identities, in the order of the file.
#[derive(Clone, Debug, Default)]
pub struct Requests {
    chosen: Vec<Chosen>,
    duplicates: usize,
}

impl Requests {
    /// Returns each row with its repetition and identity.
    pub fn iter(&self) -> impl Iterator<Item = (&Row, u32, &Identity)> {
        let chosen = self.chosen.iter();
        chosen.map(|chosen| (&chosen.row, chosen.repeat, &chosen.identity))
    }
}

#[derive(Clone, Debug)]
struct Chosen {
    row: Row,
    repeat: u32,
    identity: Identity,
    shape: Identity,
}

/// Chooses the requests of `rows` that `batch` asks for. Reads each context file once.
///
/// # Errors
///
/// If the configuration is not valid.
pub fn choose_requests(
    caller: &Caller,
    batch: &BatchRequest,
    rows: Vec<Row>,
) -> Result<Requests, Failure> {
    let settings = settings::read_settings(caller)?;
    let files = ContextFiles::new(&caller.cwd);
    let mut requests = Requests::default();
    let mut known = BTreeSet::new();
    for row in rows {
        let shape = row_shape(&row, &settings, &files);
        for repeat in 1..=batch.repeat.max(1) {
            let identity = row_identity(&row, &settings, &files, repeat);
            if batch.shard.is_some_and(|shard| !shard.contains(&identity)) {
                continue;
            }
            if !known.insert(identity.clone()) {
                requests.duplicates += 1;
                continue;
            }
            requests.chosen.push(Chosen {
                row: row.clone(),
                repeat,
                identity,
                shape: shape.clone(),
            });
        }
    }
    if let Some(count) = batch.sample {
        let identities = requests.chosen.iter().map(|chosen| &chosen.identity);
        let mut order: Vec<_> = identities
            .map(|identity| (sample_order(identity, batch.seed), identity.clone()))
            .collect();
        order.sort();
        order.truncate(count);
        let sample: BTreeSet<_> = order.into_iter().map(|(_, identity)| identity).collect();
        requests
            .chosen
            .retain(|chosen| sample.contains(&chosen.identity));
    }
    Ok(requests)
}

/// Finds out what is to do for `requests`, given the results so far.
pub fn find_work<'a>(
    batch: &BatchRequest,
    folder: &BatchFolder,
    requests: Requests,
    result: impl Fn(&str) -> Option<&'a BatchResult>,
) -> Work {
    let identities = requests.chosen.iter().map(|it| it.identity.as_str());
    let mut work = Work {
        chosen: identities.map(str::to_owned).collect(),
        duplicates: requests.duplicates,
        ..Work::default()
    };
    for chosen in requests.chosen {
        let status = result(chosen.identity.as_str()).map(|result| result.status);
        let failed_before = status == Some(ResultStatus::Failed);
        match status {
            Some(ResultStatus::Done) => work.done += 1,
            Some(ResultStatus::Failed) if !batch.retry_failed => work.failed += 1,
            Some(ResultStatus::Failed) | None => {
                let slug = debate_name(&chosen.row, &chosen.identity);
                let (_, attempt) = folder.latest_attempt(&slug);
                work.items.push(Item {
                    row: chosen.row,
                    repeat: chosen.repeat,
                    identity: chosen.identity,
                    shape: chosen.shape,
                    slug,
                    attempt,
                    failed_before,
                });
            }
        }
    }
    work
}
