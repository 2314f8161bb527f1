//! The flags of what a team took.

use agon_teamwork::RunId;
use clap::{Args, ValueEnum};

/// What the turns of a team took.
#[derive(Clone, Debug, Args)]
#[command(after_help = USAGE)]
pub(crate) struct TeamUsageArgs {
    /// Only turns that began since then: 7d, 24h, 2w, or a day such as 2026-11-01 (UTC)
    #[arg(long, value_name = "WHEN")]
    pub(crate) since: Option<String>,

    /// Of one run alone, such as r1
    #[arg(long, value_name = "RUN")]
    pub(crate) run: Option<RunId>,

    /// What the turns are added up by; with --json, all of it
    #[arg(long, value_enum, default_value_t = TeamBy::Member)]
    pub(crate) by: TeamBy,
}

/// What turns are added up by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TeamBy {
    /// The member whose turn it was
    Member,
    /// The role of that member
    Role,
    /// The AI tool
    Host,
    /// The AI tool and its model
    Model,
    /// The task that it was started for
    Task,
    /// The run that it was of
    Run,
}

const USAGE: &str = "\
Counted are the turns of members that Agon started; what members take that joined by themselves is
not known. Tokens and money are what the tools report: what they do not is said beside it, and never
taken for nothing. A turn that was killed with what watched it reports nothing.

Examples:
  agon team usage
  agon team usage --run r1 --by task
  agon team usage --since 7d --json";
