//! The flags of `agon team usage`.

use agon_teamwork::RunId;
use clap::{Args, ValueEnum};

/// Show tokens, cost and time of members' turns.
#[derive(Clone, Debug, Args)]
#[command(after_help = USAGE)]
pub(crate) struct TeamUsageArgs {
    /// Count only turns that began since WHEN: 7d, 24h, 2w, or a day such as 2026-11-01 (UTC)
    #[arg(long, value_name = "WHEN")]
    pub(crate) since: Option<String>,

    /// Count only this run, such as r1
    #[arg(long, value_name = "RUN")]
    pub(crate) run: Option<RunId>,

    /// Group turns by this (--json prints every grouping)
    #[arg(long, value_enum, default_value_t = TeamBy::Member)]
    pub(crate) by: TeamBy,
}

/// How turns are grouped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TeamBy {
    /// Member
    Member,
    /// Role
    Role,
    /// AI tool
    Host,
    /// AI tool and model
    Model,
    /// Task
    Task,
    /// Run
    Run,
}

const USAGE: &str = "\
Counts the turns of members that Agon started. Members who joined by hand are not measured. Tokens
and cost are what the tools report; missing reports are shown as missing, not as zero. A turn that
was killed together with its monitor reports nothing.

Examples:
  agon team usage
  agon team usage --run r1 --by task
  agon team usage --since 7d --json";
