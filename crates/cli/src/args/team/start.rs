//! The flags of members that Agon starts, and of the watch over them.

use agon_teamwork::{GateName, MemberName, RoleName, RunId, SessionId, TaskId};
use clap::Args;

use crate::args::parse_amount;

/// Start a member in a work tree of its own.
#[derive(Clone, Debug, Args)]
#[command(after_help = START)]
pub(crate) struct StartArgs {
    /// In which role of the roster, such as worker
    #[arg(value_name = "ROLE")]
    pub(crate) role: RoleName,

    /// In which AI tool
    #[arg(long, value_name = "HOST")]
    pub(crate) host: String,

    /// What it works on; it is claimed for it
    #[arg(long, value_name = "TASK")]
    pub(crate) task: Option<TaskId>,

    /// Under which name [default: that of its role, with a number]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<MemberName>,

    /// With which model [default: that which the roster has for the role]
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,

    /// From which commit on
    #[arg(long, value_name = "COMMIT", default_value = "HEAD")]
    pub(crate) base: String,

    /// Settings profile to use [default: the one in your settings, see agon config show profiles]
    #[arg(long, value_name = "NAME")]
    pub(crate) team_profile: Option<String>,

    /// Wait until it ends
    #[arg(long)]
    pub(crate) wait: bool,
}

/// Carry out a turn that another process began.
#[derive(Clone, Debug, Args)]
pub(crate) struct TurnArgs {
    /// The session, such as s1
    #[arg(value_name = "SESSION")]
    pub(crate) session: SessionId,
}

/// Watch over the members that Agon started.
#[derive(Clone, Debug, Args)]
#[command(after_help = WATCH)]
pub(crate) struct TeamWatchArgs {
    /// Look once, and end
    #[arg(long)]
    pub(crate) once: bool,
}

/// Work towards a goal with members that Agon starts.
#[derive(Clone, Debug, Args)]
#[command(after_help = RUN)]
pub(crate) struct TeamRunArgs {
    /// What is to be reached, in a sentence
    #[arg(value_name = "GOAL", required_unless_present = "resume")]
    pub(crate) goal: Option<String>,

    /// Settings profile to use: it chooses the team and sets flags [default: the one in your
    /// settings, see agon config show profiles]
    #[arg(long, value_name = "NAME")]
    pub(crate) team_profile: Option<String>,

    /// In which AI tool its members work; given several times, each task has the next one, and a
    /// change is read by another than its author's
    #[arg(long, value_name = "HOST", required_unless_present = "resume")]
    pub(crate) host: Vec<String>,

    /// A gate that each task must pass, on its own tree and merged with the others; several can be
    /// named [default: every gate of the team that judges a tree]
    #[arg(long, value_name = "GATE")]
    pub(crate) gate: Vec<GateName>,

    /// No gate is run
    #[arg(long, conflicts_with = "gate")]
    pub(crate) no_gates: bool,

    /// If no gate is defined, add those that the files of this project propose
    #[arg(long)]
    pub(crate) yes: bool,

    /// Go on with a run that was stopped, such as r1
    #[arg(long, value_name = "RUN", conflicts_with_all = ["goal", "host", "gate", "no_gates", "max_tokens", "team_profile", "yes"])]
    pub(crate) resume: Option<RunId>,

    /// Its plan is agreed to: it is carried out without a debate, or against it
    #[arg(long)]
    pub(crate) agreed: bool,

    /// The most tokens that it may take, as far as its tools say what they take
    #[arg(long, value_name = "N", value_parser = parse_amount)]
    pub(crate) max_tokens: Option<u64>,
}

/// Move your branch to the result of a run.
#[derive(Clone, Debug, Args)]
#[command(after_help = LAND)]
pub(crate) struct LandArgs {
    /// The run, such as r1; the commit of a task is merged with git merge
    #[arg(value_name = "RUN")]
    pub(crate) run: RunId,
}

const RUN: &str = "\
The team of your settings profile takes part (agon config show profiles, teams, flags). Its planner
turns the goal into tasks; its scout reports to the planner first, and its critic and devil's
advocate object to the plan. The flag debate-plans has the plan debated with what they say: a run
goes on only if the verdict says yes, or after --agreed. A team without a planner takes the goal as
one task.

The weight that the planner gives a task decides which role works on it, each in a work tree of its
own. A change must keep the policy, pass the gates, and pass every role in `checked_by`; the flag
debate-changes has it debated as well. Changes are merged one at a time, the gates run again on the
merged tree, and agon/RUN moves there. What does not pass goes back to the author as often as
review-rounds says. A task that cannot be undone waits for you. Your branch stays as it is:
`agon team land` moves it. A run that is stopped or killed goes on with --resume, with the settings
that it began with.

Before a change is submitted, the gates that run a command run in its author's work tree, and the
author sees what a failing one printed, twice at most. Without a gate nothing is executed: a run
says so before it starts, and proposes gates.

Examples:
  agon team run \"Greet by name, with a test\" --host claude
  agon team run \"Greet by name\" --host claude --host codex --gate tests
  agon team run \"Greet by name\" --host claude --team-profile strict
  agon team run --resume r1 --agreed
  agon team run --resume r1 --json";

const LAND: &str = "\
The branch that is checked out here moves forward to agon/RUN, or is merged with it. What a member
who joined has submitted for a task is merged with git instead: `agon team task show t1` names its
commit, then `git merge COMMIT`.

Examples:
  agon team land r1";

const START: &str = "\
Its work tree is in your state folder, on the branch agon/members/NAME; it may write there and
nowhere else, by the limits of its AI tool, and every other work tree is looked at after its turn.
What it changed is committed and submitted. What it printed is kept beside the team's file, without
secrets. The lead or a person starts members.

Examples:
  agon team start worker --host claude --task t1
  agon team start worker --host codex --task t1 --name ada --wait
  agon team start reviewer --host gemini --wait --json";

const WATCH: &str = "\
A member that gives no sign is asked once, then its task is taken back, then its process is ended
and it is started again; a task that ends every session fails. Only what Agon itself started is ever
ended. One process watches at a time.

Examples:
  agon team watch
  agon team watch --once --json";
