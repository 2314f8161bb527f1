//! The flags of gates and policies.

use std::path::PathBuf;

use agon_teamwork::{GateName, MemberName, RoleName, TaskId};
use clap::{ArgGroup, Args, Subcommand, ValueHint};

use crate::args::hosts::host_choice;
use crate::args::{ScopeName, parse_duration};

/// What to do with gates.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum GateCommand {
    /// Define a gate; the lead or a person
    #[command(override_usage = "agon team gate add [OPTIONS] <NAME>")]
    Add(Box<GateAddArgs>),
    /// Show gates that the files of this project propose, without adding them
    #[command(after_help = PROPOSE)]
    Propose,
    /// Remove a gate; the lead or a person
    Rm(GateNameArgs),
    /// Run a gate on this work tree, and keep the result for a task
    #[command(override_usage = "agon team gate run [OPTIONS] <NAME>")]
    Run(GateRunArgs),
    /// Show gates, and with a task whether they passed
    Show(GateShowArgs),
}

/// Define a gate.
#[derive(Clone, Debug, Args)]
#[command(after_help = ADD)]
#[command(group = ArgGroup::new("does").required(true).args(["command", "debate", "evidence", "context", "review"]))]
pub(crate) struct GateAddArgs {
    /// Under which name
    #[arg(value_name = "NAME")]
    pub(crate) name: GateName,

    /// Run this program with these arguments in the work tree; no shell reads them
    #[arg(value_name = "COMMAND", last = true)]
    pub(crate) command: Vec<String>,

    /// Hold a debate on this question; yes passes
    #[arg(long, value_name = "QUESTION")]
    pub(crate) debate: Option<String>,

    /// Look up every place that this file of the tree cites
    #[arg(long, value_name = "FILE")]
    pub(crate) evidence: Option<String>,

    /// Look whether the context of the member has gone bad
    #[arg(long)]
    pub(crate) context: bool,

    /// A context does not pass already where it is amber
    #[arg(long, requires = "context", conflicts_with_all = ["review", "debate", "evidence", "command"])]
    pub(crate) amber: bool,

    /// Ask for the approval of a member who did not work on the task
    #[arg(long)]
    pub(crate) review: bool,

    /// The most time that a command or a debate takes [default: 10m, 1h]
    #[arg(long = "for", value_name = "TIME", value_parser = parse_limit)]
    pub(crate) seconds: Option<u64>,

    /// The exit code with which a command passes
    #[arg(long, value_name = "CODE", default_value_t = 0, requires = "command")]
    pub(crate) exit: i32,

    /// Also give a command this variable of your environment; repeatable
    #[arg(long, value_name = "NAME", requires = "command")]
    pub(crate) env: Vec<String>,

    /// A debate passes also where a planned turn is missing
    #[arg(long, requires = "debate")]
    pub(crate) partial: bool,

    /// A debate passes also where it was not tried with the sides swapped
    #[arg(long, requires = "debate")]
    pub(crate) any_swap: bool,
}

/// Name a gate.
#[derive(Clone, Debug, Args)]
#[command(after_help = RM)]
pub(crate) struct GateNameArgs {
    /// The gate
    #[arg(value_name = "NAME")]
    pub(crate) name: GateName,
}

/// Run a gate.
#[derive(Clone, Debug, Args)]
#[command(after_help = RUN)]
pub(crate) struct GateRunArgs {
    /// The gate
    #[arg(value_name = "NAME")]
    pub(crate) name: GateName,

    /// For which task, such as t2 [default: none, the result counts for no task]
    #[arg(long, value_name = "TASK")]
    pub(crate) task: Option<TaskId>,

    /// It outlives the process that started it
    #[arg(long, hide = true)]
    pub(crate) apart: bool,
}

/// Show gates.
#[derive(Clone, Debug, Args)]
#[command(after_help = SHOW)]
pub(crate) struct GateShowArgs {
    /// The gate [default: all]
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<GateName>,

    /// Whether they passed for this task on the submitted tree, and on the tree as it is now
    #[arg(long, value_name = "TASK")]
    pub(crate) task: Option<TaskId>,
}

/// What to do with the hook before a commit.
#[derive(Clone, Copy, Debug, Subcommand)]
pub(crate) enum PrecommitCommand {
    /// Put it where git looks for it, before one that is there
    #[command(after_help = PRECOMMIT)]
    Add,
    /// Take it out; what was there before is there again
    #[command(after_help = PRECOMMIT)]
    Rm,
}

/// What to do with policies.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum PolicyCommand {
    /// Check the policies that hold here, or a file
    #[command(after_help = CHECK)]
    Check {
        /// The file [default: the team's and your own]
        #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
        file: Option<PathBuf>,
    },
    /// Say whether an act is allowed, and by which rule
    Explain(PolicyExplainArgs),
    /// Show what the policies are in the permissions of AI tools
    Compile(PolicyCompileArgs),
}

/// Show what an AI tool is given of the policies.
#[derive(Clone, Debug, Args)]
#[command(after_help = COMPILE)]
pub(crate) struct PolicyCompileArgs {
    #[arg(long, value_name = "HOST", help = format!("For this AI tool alone: {}", host_choice()))]
    pub(crate) host: Option<String>,

    /// For your own sessions, in all your projects or in this one alone
    #[arg(long, value_enum, default_value_t = ScopeName::User)]
    pub(crate) scope: ScopeName,

    /// For a member that Agon starts in this role
    #[arg(long, value_name = "ROLE", conflicts_with = "scope")]
    pub(crate) role: Option<RoleName>,
}

/// Ask about an act.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXPLAIN)]
#[command(group = ArgGroup::new("whose").required(true).args(["role", "member"]))]
pub(crate) struct PolicyExplainArgs {
    /// The act of this role
    #[arg(long, value_name = "ROLE")]
    pub(crate) role: Option<RoleName>,

    /// The act of this member, in its role
    #[arg(long, value_name = "NAME")]
    pub(crate) member: Option<MemberName>,

    /// With this tool, such as edit or run
    #[arg(long, value_name = "TOOL", default_value = "")]
    pub(crate) tool: String,

    /// On this path, from the root of the repository
    #[arg(long, value_name = "PATH")]
    pub(crate) path: Option<String>,

    /// Once so many tokens were spent
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = agon_config::parse_number)]
    pub(crate) tokens: u64,

    /// Once so many minutes were spent
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) minutes: u64,

    /// Once so many millionths of the bill's currency were spent
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) cost_micros: u64,
}

fn parse_limit(text: &str) -> Result<u64, String> {
    parse_duration(text, 86_400)
}

const ADD: &str = "\
It is written beside the team's file, in no work tree: what a member changes, says or is told never
changes what a gate runs. A gate of the same name is replaced, and what it said counts no more.

Examples:
  agon team gate add tests -- cargo test --workspace
  agon team gate add db --env DATABASE_URL -- cargo test -p db
  agon team gate add lint --for 2m --exit 1 -- grep -rn TODO src
  agon team gate add safe --debate \"Is this change safe to ship?\"
  agon team gate add cited --evidence docs/design.md
  agon team gate add fresh --context
  agon team gate add second-pair --review";

const PROPOSE: &str = "\
It reads AGENTS.md, package.json, Cargo.toml, Makefile, pyproject.toml, go.mod and CI files as data
and runs nothing of them. Only commands that need no shell are proposed. Read a command before you
add it: it runs with your rights.

Examples:
  agon team gate propose
  agon team gate propose --json";

const RM: &str = "\
Examples:
  agon team gate rm lint";

const RUN: &str = "\
The result counts for the tree of this folder as it is now, with all that is changed, staged or new,
and for no other: run it in the work tree of the member who submitted. A tree that changes while the
gate runs gets no pass. Exit code 8 says that it did not pass.

Examples:
  agon team gate run tests --task t2
  agon team gate run tests                     # for this folder, after a merge
  agon team gate run tests --task t2 --json";

const SHOW: &str = "\
Examples:
  agon team gate show
  agon team gate show tests --task t2";

const PRECOMMIT: &str = "\
It is for AI tools that cannot be asked before an edit, and for people. A hook that is there already
runs first. It counts for all work trees of the repository. Where `core.hooksPath` leads to a folder
of the repository, `add` changes nothing and prints the line for you to add and commit.

Examples:
  agon team precommit add
  agon team precommit rm";

const CHECK: &str = "\
The team's is policy.toml beside its file in the git folder, yours beside your configuration. Where
both say something, the stricter holds; one that cannot be followed denies everything.

Examples:
  agon team policy check
  agon team policy check policy.toml";

const EXPLAIN: &str = "\
Examples:
  agon team policy explain --role worker --tool edit --path .github/ci.yml
  agon team policy explain --member ada --tool run --tokens 900000 --json";

const COMPILE: &str = "\
Of every rule that forbids something or asks, it says whether the tool's own permissions hold it. What
they cannot hold is left to hooks in your own sessions, and of members is looked at after each turn.
`agon install --what team` writes it for your sessions; members get it at their start. Nothing is
allowed that the tool would not allow anyway.

Examples:
  agon team policy compile
  agon team policy compile --host opencode --scope project
  agon team policy compile --host codex --role worker --json";
