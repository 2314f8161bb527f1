//! The flags of what is done with locks.

use agon_teamwork::{Epoch, LockId, PathGlob, TaskId};
use clap::{Args, Subcommand};

use super::parse_epoch;
use crate::args::parse_timeout;

/// What to do with locks.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum TeamLockCommand {
    /// Ask for a lock on paths; it is granted, or waits its turn
    #[command(
        visible_alias = "add",
        override_usage = "agon team lock take [OPTIONS] <GLOB>..."
    )]
    Take(TakeArgs),
    /// Give up a lock, or the wait for it
    #[command(override_usage = "agon team lock release [OPTIONS] <LOCK>")]
    Release(ReleaseArgs),
    /// Show all locks, granted and waiting
    #[command(after_help = LIST)]
    List,
}

/// Ask for a lock.
#[derive(Clone, Debug, Args)]
#[command(after_help = TAKE)]
pub(crate) struct TakeArgs {
    /// Paths as they are in the repository; * and ** stand for any
    #[arg(value_name = "GLOB", required = true)]
    pub(crate) globs: Vec<PathGlob>,

    /// For which of your tasks [default: the only one that you hold]
    #[arg(long, value_name = "TASK")]
    pub(crate) task: Option<TaskId>,

    /// The epoch that the claim gave [default: that of the task now]
    #[arg(long, value_name = "N", value_parser = parse_epoch)]
    pub(crate) epoch: Option<Epoch>,

    /// Others may have shared locks on the same paths
    #[arg(long)]
    pub(crate) shared: bool,

    /// Why, for those who wait for it
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(crate) reason: String,

    /// Wait until it is granted, for at most so long, such as 5m
    #[arg(long, value_name = "TIME", value_parser = parse_timeout)]
    pub(crate) wait: Option<u64>,
}

/// Give up a lock.
#[derive(Clone, Debug, Args)]
#[command(after_help = RELEASE)]
pub(crate) struct ReleaseArgs {
    /// The lock, such as l3
    #[arg(value_name = "LOCK")]
    pub(crate) lock: LockId,

    /// The epoch that the claim of its task gave [default: that of the task now]
    #[arg(long, value_name = "N", value_parser = parse_epoch)]
    pub(crate) epoch: Option<Epoch>,
}

const TAKE: &str = "\
It ends with the lease of its task, and so when the change is submitted. Where others have a path of it, it waits behind them, and is
granted when they let go; the exit code is 7 while it waits.

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
