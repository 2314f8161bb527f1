//! The flags of what is done with tasks.

use std::path::PathBuf;

use agon_teamwork::{Epoch, GateName, Label, TaskId, TaskState, WaitReason};
use clap::{Args, Subcommand};

use crate::args::parse_duration;

/// What to do with tasks.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum TeamTaskCommand {
    /// Add a task
    Add(AddArgs),
    /// List tasks in the order in which they are claimed
    List(ListTasksArgs),
    /// Show a task: its text, needs, gates, locks, reviews and history
    #[command(after_help = SHOW)]
    Show {
        /// The task, such as t2
        #[arg(value_name = "TASK")]
        task: TaskId,
    },
    /// Change a task; the lead or a person
    #[command(override_usage = "agon team task edit [OPTIONS] <TASK>")]
    Edit(EditArgs),
    /// Add labels to a task, or remove them; the lead or a person
    #[command(override_usage = "agon team task label [OPTIONS] <TASK> [LABEL]...")]
    Label(LabelArgs),
    /// Keep a task for a member or a role; the lead or a person
    #[command(after_help = ASSIGN)]
    Assign {
        /// The task, such as t2
        #[arg(value_name = "TASK")]
        task: TaskId,
        /// A member, or a role
        #[arg(value_name = "WHO")]
        who: String,
    },
    /// Let any member claim a task again; the lead or a person
    #[command(after_help = ASSIGN)]
    Unassign {
        /// The task, such as t2
        #[arg(value_name = "TASK")]
        task: TaskId,
    },
    /// Put a task before or after others; the lead or a person
    #[command(override_usage = "agon team task move <TASK> <--top|--before TASK|--after TASK>")]
    Move(MoveArgs),
    /// Make a task ready again that is done, failed or cancelled; the lead or a person
    #[command(override_usage = "agon team task reopen [OPTIONS] <TASK>")]
    Reopen(ReopenArgs),
    /// Take a task, for a time and under a new epoch
    Claim(ClaimArgs),
    /// Keep a task for longer
    #[command(override_usage = "agon team task renew [OPTIONS] [TASK]")]
    Renew(RenewArgs),
    /// Begin, or go on after a wait
    #[command(override_usage = "agon team task start [OPTIONS] [TASK]")]
    Start(HeldArgs),
    /// Say what the work waits for, and for how long that is healthy
    #[command(override_usage = "agon team task wait [OPTIONS] [TASK]")]
    Wait(WaitForArgs),
    /// Submit a commit as the change that was asked for
    #[command(override_usage = "agon team task submit [OPTIONS] [TASK]")]
    Submit(SubmitArgs),
    /// Mark a submitted task as done (refused if its evidence is incomplete); merges nothing
    #[command(override_usage = "agon team task done [OPTIONS] [TASK]")]
    Done(HeldArgs),
    /// Give a task back for another to claim
    #[command(override_usage = "agon team task release [OPTIONS] [TASK]")]
    Release(NotedArgs),
    /// Give a task up
    #[command(override_usage = "agon team task fail [OPTIONS] [TASK]")]
    Fail(NotedArgs),
    /// Cancel a task that is no longer wanted; the lead or a person
    #[command(override_usage = "agon team task cancel [OPTIONS] <TASK>")]
    Cancel(OutsideArgs),
    /// Say all that a task waits for
    #[command(after_help = WHY)]
    Why {
        /// The task, such as t2
        #[arg(value_name = "TASK")]
        task: TaskId,
    },
}

/// Add a task.
#[derive(Clone, Debug, Args)]
#[command(after_help = ADD)]
pub(crate) struct AddArgs {
    /// What is to be done, in one line
    #[arg(value_name = "TITLE")]
    pub(crate) title: String,

    #[command(flatten)]
    pub(crate) spec: SpecArgs,

    /// A task that must be done first; several with commas, or one flag for each
    #[arg(long, value_name = "TASK", value_delimiter = ',')]
    pub(crate) needs: Vec<TaskId>,

    /// Higher is claimed first
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        allow_hyphen_values = true
    )]
    pub(crate) priority: i64,

    /// It is done only with the approval of a member who did not work on it
    #[arg(long)]
    pub(crate) review: bool,

    /// A gate that must pass on the submitted tree; several with commas, or one flag for each
    #[arg(long, value_name = "GATE", value_delimiter = ',')]
    pub(crate) gate: Vec<GateName>,

    /// A label to find it by; may be given several times
    #[arg(long, value_name = "LABEL")]
    pub(crate) label: Vec<Label>,
}

/// What a task says of itself.
#[derive(Clone, Debug, Args)]
pub(crate) struct SpecArgs {
    /// What is wanted, with the check that shows it; - reads it from stdin
    #[arg(long, value_name = "TEXT", conflicts_with = "spec_file")]
    pub(crate) spec: Option<String>,

    /// Read what is wanted from a file
    #[arg(long, value_name = "FILE")]
    pub(crate) spec_file: Option<PathBuf>,
}

/// Which tasks are listed.
#[derive(Clone, Debug, Args)]
#[command(after_help = LIST)]
pub(crate) struct ListTasksArgs {
    /// Only tasks with this label; with several, those that have all of them
    #[arg(long, value_name = "LABEL")]
    pub(crate) label: Vec<Label>,

    /// Only tasks that are kept for, or held by, this member or role
    #[arg(long, value_name = "WHO")]
    pub(crate) assignee: Option<String>,

    /// Only tasks in this state: ready, blocked, claimed, running, waiting, review, done, failed,
    /// cancelled or draft
    #[arg(long, value_name = "STATE", value_parser = parse_state)]
    pub(crate) state: Option<String>,
}

/// Change a task.
#[derive(Clone, Debug, Args)]
#[command(after_help = EDIT)]
pub(crate) struct EditArgs {
    /// The task, such as t2
    #[arg(value_name = "TASK")]
    pub(crate) task: TaskId,

    /// Another title
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,

    #[command(flatten)]
    pub(crate) spec: SpecArgs,

    /// Another priority; higher is claimed first
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(crate) priority: Option<i64>,

    /// The gates that must pass, in place of those before; several with commas, or one flag for each
    #[arg(
        long,
        value_name = "GATE",
        value_delimiter = ',',
        conflicts_with = "no_gates"
    )]
    pub(crate) gate: Vec<GateName>,

    /// Ask for no gate any more
    #[arg(long)]
    pub(crate) no_gates: bool,

    /// Ask for the approval of a member who did not work on it
    #[arg(long, conflicts_with = "no_review")]
    pub(crate) review: bool,

    /// Ask for no approval any more
    #[arg(long)]
    pub(crate) no_review: bool,
}

/// Labels of a task.
#[derive(Clone, Debug, Args)]
#[command(after_help = LABEL)]
pub(crate) struct LabelArgs {
    /// The task, such as t2
    #[arg(value_name = "TASK")]
    pub(crate) task: TaskId,

    /// Labels that it gets
    #[arg(value_name = "LABEL", required_unless_present = "remove")]
    pub(crate) add: Vec<Label>,

    /// A label that it loses; may be given several times
    #[arg(long, value_name = "LABEL")]
    pub(crate) remove: Vec<Label>,
}

/// Put a task into another place.
#[derive(Clone, Debug, Args)]
#[command(after_help = MOVE)]
#[command(group = clap::ArgGroup::new("place").required(true))]
pub(crate) struct MoveArgs {
    /// The task, such as t2
    #[arg(value_name = "TASK")]
    pub(crate) task: TaskId,

    /// Before all others
    #[arg(long, group = "place")]
    pub(crate) top: bool,

    /// Right before this task
    #[arg(long, value_name = "TASK", group = "place")]
    pub(crate) before: Option<TaskId>,

    /// Right after this task
    #[arg(long, value_name = "TASK", group = "place")]
    pub(crate) after: Option<TaskId>,
}

/// Open a task again.
#[derive(Clone, Debug, Args)]
#[command(after_help = REOPEN)]
pub(crate) struct ReopenArgs {
    /// The task, such as t2
    #[arg(value_name = "TASK")]
    pub(crate) task: TaskId,

    /// Why, in one line
    #[arg(long, value_name = "TEXT")]
    pub(crate) note: String,

    /// How often it may be tried again [default: the team's limit]
    #[arg(long, value_name = "N")]
    pub(crate) attempts: Option<u32>,
}

/// Take a task.
#[derive(Clone, Debug, Args)]
#[command(after_help = CLAIM)]
pub(crate) struct ClaimArgs {
    /// The task [default: the first that is ready, by priority]
    #[arg(value_name = "TASK")]
    pub(crate) task: Option<TaskId>,

    #[command(flatten)]
    pub(crate) lease: LeaseArgs,
}

/// For how long a task is kept.
#[derive(Clone, Debug, Args)]
pub(crate) struct LeaseArgs {
    /// For how long, such as 20m [default: the team's limit]
    #[arg(long = "for", value_name = "TIME", value_parser = parse_lease)]
    seconds: Option<u64>,
}

impl LeaseArgs {
    /// In milliseconds.
    pub(crate) fn milliseconds(&self) -> Option<u64> {
        self.seconds.map(|seconds| seconds.saturating_mul(1_000))
    }
}

/// A task as its holder names it.
#[derive(Clone, Debug, Args)]
#[command(after_help = HELD)]
pub(crate) struct HeldArgs {
    /// The task, such as t2 [default: the only one that you hold, else have submitted]
    #[arg(value_name = "TASK")]
    pub(crate) task: Option<TaskId>,

    /// The epoch that the claim gave [default: that of the task now]
    #[arg(long, value_name = "N", value_parser = parse_epoch)]
    pub(crate) epoch: Option<Epoch>,
}

/// Keep a task for longer.
#[derive(Clone, Debug, Args)]
pub(crate) struct RenewArgs {
    #[command(flatten)]
    pub(crate) held: HeldArgs,

    #[command(flatten)]
    pub(crate) lease: LeaseArgs,
}

/// Say what the work waits for.
#[derive(Clone, Debug, Args)]
pub(crate) struct WaitForArgs {
    #[command(flatten)]
    pub(crate) held: HeldArgs,

    /// For what: input, mail, lock, gate or rate_limit
    #[arg(long, value_name = "WHAT", value_parser = parse_reason)]
    pub(crate) reason: WaitReason,

    /// For how long that is healthy, such as 10m
    #[arg(long = "for", value_name = "TIME", value_parser = parse_lease)]
    pub(crate) seconds: u64,
}

/// Submit a commit.
#[derive(Clone, Debug, Args)]
pub(crate) struct SubmitArgs {
    #[command(flatten)]
    pub(crate) held: HeldArgs,

    /// The commit
    #[arg(long, value_name = "COMMIT", default_value = "HEAD")]
    pub(crate) commit: String,

    /// Submit a commit that changes nothing, and say why nothing has to change
    #[arg(long, value_name = "REASON")]
    pub(crate) no_change: Option<String>,
}

/// Let a task go, and say why.
#[derive(Clone, Debug, Args)]
pub(crate) struct NotedArgs {
    #[command(flatten)]
    pub(crate) held: HeldArgs,

    /// Why, in one line
    #[arg(long, value_name = "TEXT")]
    pub(crate) note: String,
}

/// Cancel a task.
#[derive(Clone, Debug, Args)]
#[command(after_help = CANCEL)]
pub(crate) struct OutsideArgs {
    /// The task, such as t2
    #[arg(value_name = "TASK")]
    pub(crate) task: TaskId,

    /// Why, in one line
    #[arg(long, value_name = "TEXT")]
    pub(crate) note: String,
}

fn parse_lease(text: &str) -> Result<u64, String> {
    parse_duration(text, 86_400)
}

pub(super) fn parse_epoch(text: &str) -> Result<Epoch, String> {
    let epoch = text.parse().map(Epoch);
    epoch.map_err(|_| "the epoch is the number that the claim gave".to_owned())
}

fn parse_state(text: &str) -> Result<String, String> {
    let words = || {
        TaskState::ALL
            .map(TaskState::as_str)
            .into_iter()
            .chain(["blocked"])
    };
    match words().any(|word| word == text) {
        true => Ok(text.to_owned()),
        false => Err(format!(
            "one of {} is needed",
            words().collect::<Vec<_>>().join(", ")
        )),
    }
}

fn parse_reason(text: &str) -> Result<WaitReason, String> {
    let all = [
        WaitReason::Input,
        WaitReason::Mail,
        WaitReason::Lock,
        WaitReason::Gate,
        WaitReason::RateLimit,
    ];
    let found = all.into_iter().find(|reason| reason.as_str() == text);
    found.ok_or_else(|| {
        format!(
            "one of {} is needed",
            all.map(WaitReason::as_str).join(", ")
        )
    })
}

const ADD: &str = "\
Examples:
  agon team task add \"Greet by name\" --spec \"sh greet.sh Ada says Hello, Ada.\"
  agon team task add \"Document it\" --needs t1,t2 --review --label docs
  agon team task add \"Port the parser\" --spec-file plan.md";

const LIST: &str = "\
A task that needs one which is not done reads blocked.

Examples:
  agon team task list
  agon team task list --label docs --state ready
  agon team task list --assignee ada --json";

const SHOW: &str = "\
What members wrote is data, in a fence.

Examples:
  agon team task show t2
  agon team task show t2 --json";

const EDIT: &str = "\
Who works on the task is told by mail. What was there before is in the log. A task that is over is
reopened first.

Examples:
  agon team task edit t2 --title \"Greet by first name\" --priority 5
  agon team task edit t2 --spec-file plan.md --gate tests --review
  agon team task edit t2 --spec - < plan.md";

const LABEL: &str = "\
Examples:
  agon team task label t2 docs cli
  agon team task label t2 --remove cli";

const ASSIGN: &str = "\
Only WHO can claim the task then, and still has to: agon team task claim. Who holds the task keeps it
until it is released or its lease ends.

Examples:
  agon team task assign t2 ada
  agon team task assign t2 reviewer
  agon team task unassign t2";

const MOVE: &str = "\
The task gets the priority of the one that it is put beside.

Examples:
  agon team task move t5 --top
  agon team task move t5 --before t2
  agon team task move t5 --after t2";

const REOPEN: &str = "\
What was submitted and said of it stays in the log.

Examples:
  agon team task reopen t2 --note \"greets nobody when the name is empty\"";

const CLAIM: &str = "\
It is yours until the lease ends: renew it before. To give a task to another member, use assign.
Each claim has a number of its own, the epoch. A step without --epoch is one of your claim; one with
an epoch that is over is refused.

Examples:
  agon team task claim
  agon team task claim t2 --for 20m --json";

const HELD: &str = "\
Without a task it is the only one that you hold, else the only one that you submitted. A change can
be submitted without a start. With the submission its lease and its locks end. Release and fail need
a --note that says why.

Examples:
  agon team task start t2
  agon team task renew t2 --epoch 1 --for 20m
  agon team task wait t2 --reason input --for 10m
  agon team task submit t2
  agon team task submit t2 --no-change \"it greets by name already\"
  agon team task done t2
  agon team task release t2 --note \"needs t3 first\"";

const CANCEL: &str = "\
Examples:
  agon team task cancel t2 --note \"no longer wanted\"";

const WHY: &str = "\
Examples:
  agon team task why t2
  agon team task why t2 --json";
