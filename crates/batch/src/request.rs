//! The request for a batch.

use std::path::PathBuf;

use agon_debates::request::StartRequest;

use crate::columns::Column;
use crate::select::Shard;

/// A request to run many debates.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BatchRequest {
    /// The file with the requests: JSON lines, or CSV if its name ends in `.csv`.
    pub file: PathBuf,
    /// The folder of the batch; `None` for the file's whole name and `.batch`.
    pub folder: Option<PathBuf>,
    /// The topic of each row, with `{column}` for the text of a column; `None` if rows are requests.
    pub template: Option<String>,
    /// What columns of a table mean.
    pub columns: Vec<Column>,
    /// The settings of every debate that its row does not set.
    pub base: StartRequest,
    /// How often each request is debated; at least 1.
    pub repeat: u32,
    /// The number of requests to choose at random; `None` for all.
    pub sample: Option<usize>,
    /// Determines the sample.
    pub seed: u64,
    /// The part of the requests to run.
    pub shard: Option<Shard>,
    /// The limits of the whole batch.
    pub caps: TotalCaps,
    /// Whether to run debates that failed again.
    pub retry_failed: bool,
}

/// Limits of a whole batch, including the debates of earlier runs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TotalCaps {
    /// The maximum number of tokens, in and out.
    pub tokens: Option<u64>,
    /// The maximum cost in US dollars, as far as tools report it.
    pub cost: Option<f64>,
    /// The maximum number of seconds of one run.
    pub time: Option<u64>,
}
