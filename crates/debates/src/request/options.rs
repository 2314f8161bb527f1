//! How a debate runs.

use std::path::PathBuf;
use std::time::Duration;

/// How a debate runs.
#[derive(Clone, Debug)]
pub(crate) struct RunOptions {
    /// The folder of debates.
    pub debates_dir: PathBuf,
    /// Time for one ask, where it is not the debate's own.
    pub timeout: Option<Duration>,
    /// Whether it runs in the background, in a process of its own.
    pub detach: bool,
}
