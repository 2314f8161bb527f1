//! The flags of `agon team`.

use agon_teamwork::{MemberName, RoleName, TaskId};
use clap::{Args, Subcommand};

use crate::args::hosts::join_host_names;

mod gate;
mod lock;
mod mail;
mod record;
mod start;
mod task;
mod usage;
mod worktree;

pub(crate) use gate::{
    GateAddArgs, GateCommand, PolicyCommand, PolicyCompileArgs, PolicyExplainArgs, PrecommitCommand,
};
pub(crate) use lock::{LockTakeArgs, TeamLockCommand};
pub(crate) use mail::{SendArgs, TeamMailCommand};
pub(crate) use record::{
    ReviewArgs, TeamDoctorArgs, TeamExportArgs, TeamImportArgs, TeamLogArgs, TeamStatusArgs,
};
pub(crate) use start::{LandArgs, StartArgs, TeamRunArgs, TeamWatchArgs, TurnArgs};
use task::parse_epoch;
pub(crate) use task::{
    AddArgs, ClaimedTaskArgs, EditArgs, ListTasksArgs, SpecArgs, TeamTaskCommand,
};
pub(crate) use usage::{TeamBy, TeamUsageArgs};
pub(crate) use worktree::{CleanArgs, WorktreeCommand};

/// What to do with a team.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum TeamCommand {
    /// Create a team for this repository
    #[command(after_help = INIT)]
    Init,
    /// Join the team as the member of this work tree
    #[command(override_usage = "agon team join [OPTIONS] <NAME>")]
    Join(JoinArgs),
    /// Leave the team, or remove a member
    Leave(LeaveArgs),
    /// Show tasks, members and locks, or explain the state of one
    Status(TeamStatusArgs),
    /// Start a member in its own work tree
    #[command(override_usage = "agon team start [OPTIONS] <ROLE>")]
    Start(StartArgs),
    /// Run a turn that another process prepared
    #[command(hide = true)]
    Turn(TurnArgs),
    /// Work towards a goal with members that Agon starts
    #[command(override_usage = "agon team run [OPTIONS] [GOAL]")]
    Run(TeamRunArgs),
    /// Move your branch to the result of a run
    Land(LandArgs),
    /// Remove work trees and branches of finished members
    #[command(override_usage = "agon team clean [OPTIONS] [NAME]...")]
    Clean(CleanArgs),
    /// Monitor the members that Agon started, and restart stuck ones
    Watch(TeamWatchArgs),
    /// Add, claim and finish tasks
    Task {
        #[command(subcommand)]
        command: TeamTaskCommand,
    },
    /// Set which tasks depend on which
    Dep {
        #[command(subcommand)]
        command: DepCommand,
    },
    /// Define and run checks that a task must pass
    Gate {
        #[command(subcommand)]
        command: GateCommand,
    },
    /// Set which ignored files new work trees get, and their setup command
    Worktree {
        #[command(subcommand)]
        command: WorktreeCommand,
    },
    /// Install a git hook that refuses commits of files locked by another member
    Precommit {
        #[command(subcommand)]
        command: PrecommitCommand,
    },
    /// Check and explain what members may do
    Policy {
        #[command(subcommand)]
        command: PolicyCommand,
    },
    /// Lock paths so that no other member edits them
    Lock {
        #[command(subcommand)]
        command: TeamLockCommand,
    },
    /// Send and fetch messages
    Mail {
        #[command(subcommand)]
        command: TeamMailCommand,
    },
    /// Review a task that another member submitted
    #[command(override_usage = "agon team review [OPTIONS] <TASK>")]
    Review(ReviewArgs),
    /// Show the team's events, in order
    Log(TeamLogArgs),
    /// Show tokens, cost and time of members' turns
    Usage(TeamUsageArgs),
    /// Export the team as JSON lines
    Export(TeamExportArgs),
    /// Import tasks from another tool's list, or a team from an export
    #[command(override_usage = "agon team import [OPTIONS] <FILE|FOLDER>")]
    Import(TeamImportArgs),
    /// Check the team's database, and repair it
    Doctor(TeamDoctorArgs),
}

/// Join the team as the member of this work tree.
#[derive(Clone, Debug, Args)]
#[command(after_help = JOIN)]
pub(crate) struct JoinArgs {
    /// Member name
    #[arg(value_name = "NAME")]
    pub(crate) name: MemberName,

    /// Role, such as worker or lead; see `agon roster list`
    #[arg(long, value_name = "ROLE")]
    pub(crate) role: RoleName,

    #[arg(long, value_name = "HOST", help = format!("AI tool of the member: {}; human for a person", join_host_names()))]
    pub(crate) host: String,
}

/// Leave the team, or remove a member.
#[derive(Clone, Debug, Args)]
#[command(after_help = LEAVE)]
pub(crate) struct LeaveArgs {
    /// Member who leaves [default: the member of this work tree]
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<MemberName>,
}

/// Dependencies between tasks.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum DepCommand {
    /// Make a task wait until another is done
    Add(DepArgs),
    /// Remove a dependency (lead or human only)
    Rm(DepArgs),
}

/// A task and the task that it depends on.
#[derive(Clone, Debug, Args)]
#[command(after_help = DEP)]
pub(crate) struct DepArgs {
    /// Task that waits, such as t2
    #[arg(value_name = "TASK")]
    pub(crate) task: TaskId,

    /// Task that must be done first
    #[arg(value_name = "NEEDED")]
    pub(crate) needed: TaskId,
}

const INIT: &str = "\
The database is in the git folder that all work trees of the repository share. An existing team
is kept unchanged.

Examples:
  agon team init
  agon team init --json";

const JOIN: &str = "\
Agon writes the member's secret token next to the work tree's git data, readable only by you, and
never prints it. Each member needs its own work tree. The lead joins too, usually in the main one.
`agon team leave` removes the member of a work tree.

Examples:
  agon team join lea --role lead --host claude
  git worktree add ../ada && cd ../ada
  agon team join ada --role worker --host claude";

const LEAVE: &str = "\
Releases the member's tasks and locks. Leave before you remove the work tree. If the work tree is
already gone, the lead or a human can remove the member by name.

Examples:
  agon team leave
  agon team leave ada";

const DEP: &str = "\
Agon refuses cycles, and tasks that are in progress.

Examples:
  agon team dep add t2 t1
  agon team dep rm t2 t1";
