//! The flags of what is done with a team.

use agon_teamwork::{MemberName, RoleName, TaskId};
use clap::{Args, Subcommand};

use crate::args::hosts::host_choice;

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
pub(crate) use lock::{TakeArgs, TeamLockCommand};
pub(crate) use mail::{SendArgs, TeamMailCommand};
pub(crate) use record::{
    ReviewArgs, TeamDoctorArgs, TeamExportArgs, TeamImportArgs, TeamLogArgs, TeamStatusArgs,
};
pub(crate) use start::{LandArgs, StartArgs, TeamRunArgs, TeamWatchArgs, TurnArgs};
use task::parse_epoch;
pub(crate) use task::{AddArgs, EditArgs, HeldArgs, ListTasksArgs, SpecArgs, TeamTaskCommand};
pub(crate) use usage::{TeamBy, TeamUsageArgs};
pub(crate) use worktree::{CleanArgs, WorktreeCommand};

/// What to do with a team.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum TeamCommand {
    /// Begin the team of this repository
    #[command(after_help = INIT)]
    Init,
    /// Join the team as the member of this work tree
    #[command(override_usage = "agon team join [OPTIONS] <NAME>")]
    Join(JoinArgs),
    /// Leave the team, or let another member go
    Leave(LeaveArgs),
    /// Show tasks, members and locks, and why one stands as it does
    Status(TeamStatusArgs),
    /// Start a member in a work tree of its own
    #[command(override_usage = "agon team start [OPTIONS] <ROLE>")]
    Start(StartArgs),
    /// Carry out a turn that another process began
    #[command(hide = true)]
    Turn(TurnArgs),
    /// Work towards a goal with members that Agon starts
    #[command(override_usage = "agon team run [OPTIONS] [GOAL]")]
    Run(TeamRunArgs),
    /// Move your branch to the result of a run
    Land(LandArgs),
    /// Remove work trees and branches of members that are done
    #[command(override_usage = "agon team clean [OPTIONS] [NAME]...")]
    Clean(CleanArgs),
    /// Watch over the members that Agon started
    Watch(TeamWatchArgs),
    /// Add, claim and finish tasks
    Task {
        #[command(subcommand)]
        command: TeamTaskCommand,
    },
    /// Say which task needs which
    Dep {
        #[command(subcommand)]
        command: DepCommand,
    },
    /// Define and run checks whose results count for one tree
    Gate {
        #[command(subcommand)]
        command: GateCommand,
    },
    /// Say which ignored files new work trees get, and what sets them up
    Worktree {
        #[command(subcommand)]
        command: WorktreeCommand,
    },
    /// Let git refuse commits of what another member has locked
    Precommit {
        #[command(subcommand)]
        command: PrecommitCommand,
    },
    /// Say what members may do, and why
    Policy {
        #[command(subcommand)]
        command: PolicyCommand,
    },
    /// Lock paths, so that no other member edits them meanwhile
    Lock {
        #[command(subcommand)]
        command: TeamLockCommand,
    },
    /// Send and get messages
    Mail {
        #[command(subcommand)]
        command: TeamMailCommand,
    },
    /// Give your word on what another member submitted
    #[command(override_usage = "agon team review [OPTIONS] <TASK>")]
    Review(ReviewArgs),
    /// Show what happened, in order
    Log(TeamLogArgs),
    /// Show what turns took: tokens, money, time
    Usage(TeamUsageArgs),
    /// Write the team as JSON lines
    Export(TeamExportArgs),
    /// Import tasks from a list of another tool, or a team from an export
    #[command(override_usage = "agon team import [OPTIONS] <FILE|FOLDER>")]
    Import(TeamImportArgs),
    /// Say what is wrong with the team's file, and repair it
    Doctor(TeamDoctorArgs),
}

/// Join the team as the member of this work tree.
#[derive(Clone, Debug, Args)]
#[command(after_help = JOIN)]
pub(crate) struct JoinArgs {
    /// Under which name
    #[arg(value_name = "NAME")]
    pub(crate) name: MemberName,

    /// In which role, such as worker or lead; `agon roster list` has all
    #[arg(long, value_name = "ROLE")]
    pub(crate) role: RoleName,

    #[arg(long, value_name = "HOST", help = format!("In which AI tool: {}; a person writes human", host_choice()))]
    pub(crate) host: String,
}

/// Leave the team, or let another member go.
#[derive(Clone, Debug, Args)]
#[command(after_help = LEAVE)]
pub(crate) struct LeaveArgs {
    /// Who leaves [default: the member of this work tree]
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<MemberName>,
}

/// Which task needs which.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum DepCommand {
    /// Let a task wait until another is done
    Add(DepArgs),
    /// Let a task no longer wait for another; the lead or a person
    Rm(DepArgs),
}

/// Two tasks.
#[derive(Clone, Debug, Args)]
#[command(after_help = DEP)]
pub(crate) struct DepArgs {
    /// The task that waits, such as t2
    #[arg(value_name = "TASK")]
    pub(crate) task: TaskId,

    /// The task that must be done first
    #[arg(value_name = "NEEDED")]
    pub(crate) needed: TaskId,
}

const INIT: &str = "\
Its file is in the git folder that all work trees of the repository share; a team that is there
stays as it is.

Examples:
  agon team init
  agon team init --json";

const JOIN: &str = "\
What proves that it is this member is written beside the work tree's git data, where only you can
read it, and printed nowhere. Each member has a work tree of its own; the lead joins too, usually in
the main one. The member of a work tree leaves with agon team leave.

Examples:
  agon team join lea --role lead --host claude
  git worktree add ../ada && cd ../ada
  agon team join ada --role worker --host claude";

const LEAVE: &str = "\
Its tasks are given back, and its locks end. Leave before you remove the work tree; the lead or a
person lets another go whose work tree is gone.

Examples:
  agon team leave
  agon team leave ada";

const DEP: &str = "\
A circle is refused, and so is a task that is under way.

Examples:
  agon team dep add t2 t1
  agon team dep rm t2 t1";
