//! The flags of `agon team lock`.

use agon_teamwork::{Epoch, LockId, PathGlob, TaskId};
use clap::{Args, Subcommand};

use super::parse_epoch;
use crate::args::parse_timeout;

/// What to do with locks.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum TeamLockCommand {
    /// Request a lock on paths; wait in line if another member has them
    #[command(
        visible_alias = "add",
        override_usage = "agon team lock take [OPTIONS] <GLOB>..."
    )]
    Take(LockTakeArgs),
    /// Release a lock, or cancel a request for one
    #[command(override_usage = "agon team lock release [OPTIONS] <LOCK>")]
    Release(ReleaseArgs),
    /// List all locks, granted and waiting
    #[command(after_help = LIST)]
    List,
}

/// Request a lock.
#[derive(Clone, Debug, Args)]
#[command(after_help = TAKE)]
pub(crate) struct LockTakeArgs {
    /// Paths relative to the root of the repository; * and ** are wildcards
    #[arg(value_name = "GLOB", required = true)]
    pub(crate) globs: Vec<PathGlob>,

    /// Your task that needs the lock [default: your only one]
    #[arg(long, value_name = "TASK")]
    pub(crate) task: Option<TaskId>,

    /// Claim number (epoch) of the task [default: the current one]
    #[arg(long, value_name = "N", value_parser = parse_epoch)]
    pub(crate) epoch: Option<Epoch>,

    /// Allow other shared locks on the same paths
    #[arg(long)]
    pub(crate) shared: bool,

    /// Reason, shown to members who wait for the lock
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(crate) reason: String,

    /// Wait at most TIME, such as 5m, for the lock
    #[arg(long, value_name = "TIME", value_parser = parse_timeout)]
    pub(crate) wait: Option<u64>,
}

/// Release a lock.
#[derive(Clone, Debug, Args)]
#[command(after_help = RELEASE)]
pub(crate) struct ReleaseArgs {
    /// Lock, such as l3
    #[arg(value_name = "LOCK")]
    pub(crate) lock: LockId,

    /// Claim number (epoch) of its task [default: the current one]
    #[arg(long, value_name = "N", value_parser = parse_epoch)]
    pub(crate) epoch: Option<Epoch>,
}

const TAKE: &str = "\
A lock ends with the lease of its task, or when the task is submitted. If other members hold some
of the paths, the request waits until they release them. The exit code is 7 while it waits.

Examples:
  agon team lock take src/greet.sh --task t2
  agon team lock take \"src/**\" \"docs/*.md\" --task t2 --wait 5m
  agon team lock take Cargo.toml --shared --task t2 --reason \"reads the versions\"";

const RELEASE: &str = "\
Examples:
  agon team lock release l3";

const LIST: &str = "\
Examples:
  agon team lock list
  agon team lock list --json";
