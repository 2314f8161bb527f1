//! Options of a run.

use std::path::PathBuf;
use std::time::Duration;

/// Options of a run.
#[derive(Clone, Debug)]
pub(crate) struct RunOptions {
    /// The folder of debates.
    pub debates_dir: PathBuf,
    /// Time for one call, if it differs from the debate's own.
    pub timeout: Option<Duration>,
    /// Whether to run in the background, in a separate process.
    pub detach: bool,
}
