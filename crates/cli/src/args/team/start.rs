//! The flags of `agon team start`, `run`, `land` and `watch`.

use agon_teamwork::{GateName, MemberName, RoleName, RunId, SessionId, TaskId};
use clap::Args;

use crate::args::parse_amount;

/// Start a member in its own work tree.
#[derive(Clone, Debug, Args)]
#[command(after_help = START)]
pub(crate) struct StartArgs {
    /// Role from the roster, such as worker
    #[arg(value_name = "ROLE")]
    pub(crate) role: RoleName,

    /// AI tool of the member
    #[arg(long, value_name = "HOST")]
    pub(crate) host: String,

    /// Task that Agon claims for the member
    #[arg(long, value_name = "TASK")]
    pub(crate) task: Option<TaskId>,

    /// Member name [default: its role and a number]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<MemberName>,

    /// Model [default: the role's model in the roster]
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,

    /// Commit that the member's branch starts from
    #[arg(long, value_name = "COMMIT", default_value = "HEAD")]
    pub(crate) base: String,

    /// Settings profile to use [default: the one in your settings, see agon config show profiles]
    #[arg(long, value_name = "NAME")]
    pub(crate) team_profile: Option<String>,

    /// Wait until the member ends
    #[arg(long)]
    pub(crate) wait: bool,
}

/// Run a turn that another process prepared.
#[derive(Clone, Debug, Args)]
pub(crate) struct TurnArgs {
    /// Session, such as s1
    #[arg(value_name = "SESSION")]
    pub(crate) session: SessionId,
}

/// Monitor the members that Agon started, and restart stuck ones.
#[derive(Clone, Debug, Args)]
#[command(after_help = WATCH)]
pub(crate) struct TeamWatchArgs {
    /// Check once, then exit
    #[arg(long)]
    pub(crate) once: bool,
}

/// Work towards a goal with members that Agon starts.
#[derive(Clone, Debug, Args)]
#[command(after_help = RUN)]
pub(crate) struct TeamRunArgs {
    /// Goal, in one sentence
    #[arg(value_name = "GOAL", required_unless_present = "resume")]
    pub(crate) goal: Option<String>,

    /// Settings profile to use: it chooses the team and sets flags [default: the one in your
    /// settings, see agon config show profiles]
    #[arg(long, value_name = "NAME")]
    pub(crate) team_profile: Option<String>,

    /// AI tool of the members; if repeated, tasks take turns and the reviewer's tool differs from
    /// the author's
    #[arg(long, value_name = "HOST", required_unless_present = "resume")]
    pub(crate) host: Vec<String>,

    /// Gate that each task must pass, alone and merged with the others; repeat for more [default:
    /// every gate of the team that checks a tree]
    #[arg(long, value_name = "GATE")]
    pub(crate) gate: Vec<GateName>,

    /// Run no gates
    #[arg(long, conflicts_with = "gate")]
    pub(crate) no_gates: bool,

    /// If the team has no gate, add the gates proposed by this project's files
    #[arg(long)]
    pub(crate) yes: bool,

    /// Resume a run that was stopped, such as r1
    #[arg(long, value_name = "RUN", conflicts_with_all = ["goal", "host", "gate", "no_gates", "max_tokens", "team_profile", "yes"])]
    pub(crate) resume: Option<RunId>,

    /// Approve the plan: skip its debate, or overrule it
    #[arg(long)]
    pub(crate) agreed: bool,

    /// Use at most N tokens, as far as the tools report them
    #[arg(long, value_name = "N", value_parser = parse_amount)]
    pub(crate) max_tokens: Option<u64>,
}

/// Move your branch to the result of a run.
#[derive(Clone, Debug, Args)]
#[command(after_help = LAND)]
pub(crate) struct LandArgs {
    /// Run to land, such as r1 (use git to merge the commit of a task)
    #[arg(value_name = "RUN")]
    pub(crate) run: RunId,
}

const RUN: &str = "\
Your settings profile selects the team (agon config show profiles, teams, flags). The scout
reports to the planner, the planner turns the goal into tasks, and the critic and the devil's
advocate raise objections to the plan. With the flag debate-plans, Agon holds a debate on the plan
and the objections; the run continues only if the verdict is yes, or with --agreed. In a team
without a planner, the goal is the only task.

The planner's weight of a task decides which role works on it. Each member has its own work tree.
A change must comply with the policy, pass the gates, and satisfy every role in `checked_by`. With
the flag debate-changes, it must also win a debate. Agon merges one change at a time, runs the
gates again on the merged tree, and moves agon/RUN there. A rejected change goes back to its
author at most review-rounds times. A task that cannot be undone waits for you. Your own branch
does not change until `agon team land` moves it. --resume continues a stopped or killed run with
its original settings.

Before a change is submitted, Agon runs the command gates in the author's work tree. The author
sees the output of failing gates, at most twice. Without a gate, the code is not run; Agon says
so before it starts, and proposes gates.

Examples:
  agon team run \"Greet by name, with a test\" --host claude
  agon team run \"Greet by name\" --host claude --host codex --gate tests
  agon team run \"Greet by name\" --host claude --team-profile strict
  agon team run --resume r1 --agreed
  agon team run --resume r1 --json";

const LAND: &str = "\
Moves the branch that is checked out here forward to agon/RUN, or merges agon/RUN into it. To
merge a task of a member who joined by hand, use git: `agon team task show t1` shows the commit
for `git merge COMMIT`.

Examples:
  agon team land r1";

const START: &str = "\
The member's work tree is in your state folder, on the branch agon/members/NAME. The permissions
of its AI tool let it write only there, and Agon checks all other work trees after its turn. Agon
commits and submits its changes, and keeps its output, without secrets, next to the team's
database. Only the lead or a human may start members.

Examples:
  agon team start worker --host claude --task t1
  agon team start worker --host codex --task t1 --name ada --wait
  agon team start reviewer --host gemini --wait --json";

const WATCH: &str = "\
If a member is silent, Agon first asks it, then reclaims its task, then ends its process and
starts it again. A task that ends every session is marked as failed. Agon ends only processes that
it started. Only one process can watch at a time.

Examples:
  agon team watch
  agon team watch --once --json";
