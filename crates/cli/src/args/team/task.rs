//! The flags of what is done with tasks.

use agon_teamwork::{Epoch, GateName, TaskId, WaitReason};
use clap::{Args, Subcommand};

use crate::args::parse_duration;

/// What to do with tasks.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum TeamTaskCommand {
    /// Add a task
    Add(AddArgs),
    /// Take a task, for a time and under a new epoch
    Claim(ClaimArgs),
    /// Keep a task for longer
    #[command(override_usage = "agon team task renew [OPTIONS] <TASK>")]
    Renew(RenewArgs),
    /// Begin, or go on after a wait
    #[command(override_usage = "agon team task start [OPTIONS] <TASK>")]
    Start(HeldArgs),
    /// Say what the work waits for, and for how long that is healthy
    #[command(override_usage = "agon team task wait [OPTIONS] <TASK>")]
    Wait(WaitForArgs),
    /// Submit a commit as the change that was asked for
    #[command(override_usage = "agon team task submit [OPTIONS] <TASK>")]
    Submit(SubmitArgs),
    /// Take what was submitted for done; refused where its evidence is not complete
    #[command(override_usage = "agon team task done [OPTIONS] <TASK>")]
    Done(HeldArgs),
    /// Give a task back for another to claim
    #[command(override_usage = "agon team task release [OPTIONS] <TASK>")]
    Release(NotedArgs),
    /// Give a task up
    #[command(override_usage = "agon team task fail [OPTIONS] <TASK>")]
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

    /// What is wanted, with the check that shows it
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(crate) spec: String,

    /// A task that must be done first; may be given several times
    #[arg(long, value_name = "TASK")]
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

    /// A gate that must pass on the tree that is submitted; may be given several times
    #[arg(long, value_name = "GATE")]
    pub(crate) gate: Vec<GateName>,
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
    /// The task, such as t2
    #[arg(value_name = "TASK")]
    pub(crate) task: TaskId,

    /// The epoch that the claim gave
    #[arg(long, value_name = "N", value_parser = parse_epoch)]
    pub(crate) epoch: Epoch,
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
  agon team task add \"Document it\" --needs t1 --review";

const CLAIM: &str = "\
It is yours until the lease ends: renew it before. Every step names the epoch that the claim gave;
one that is over is refused, so that no change is made for a task that another has by then.

Examples:
  agon team task claim
  agon team task claim t2 --for 20m --json";

const HELD: &str = "\
Examples:
  agon team task start t2 --epoch 1
  agon team task renew t2 --epoch 1 --for 20m
  agon team task wait t2 --epoch 1 --reason input --for 10m
  agon team task submit t2 --epoch 1 --commit HEAD
  agon team task done t2 --epoch 1
  agon team task release t2 --epoch 1 --note \"needs t3 first\"";

const CANCEL: &str = "\
Examples:
  agon team task cancel t2 --note \"no longer wanted\"";

const WHY: &str = "\
Examples:
  agon team task why t2
  agon team task why t2 --json";
