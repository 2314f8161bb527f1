//! The flags of gates and policies.

use std::path::PathBuf;

use agon_teamwork::{GateName, MemberName, RoleName, TaskId};
use clap::{ArgGroup, Args, Subcommand, ValueHint};

use crate::args::hosts::join_host_names;
use crate::args::{ScopeName, parse_duration};

/// What to do with gates.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum GateCommand {
    /// Define a gate (lead or human only)
    #[command(override_usage = "agon team gate add [OPTIONS] <NAME>")]
    Add(Box<GateAddArgs>),
    /// Propose gates based on the files of this project, without adding them
    #[command(after_help = PROPOSE)]
    Propose,
    /// Remove a gate (lead or human only)
    Rm(GateNameArgs),
    /// Run a gate on this work tree, and record the result for a task
    #[command(override_usage = "agon team gate run [OPTIONS] <NAME>")]
    Run(GateRunArgs),
    /// Show gates, and whether a task passed them
    Show(GateShowArgs),
}

/// Define a gate.
#[derive(Clone, Debug, Args)]
#[command(after_help = ADD)]
#[command(group = ArgGroup::new("does").required(true).args(["command", "debate", "evidence", "context", "review"]))]
pub(crate) struct GateAddArgs {
    /// Gate name
    #[arg(value_name = "NAME")]
    pub(crate) name: GateName,

    /// Program and arguments to run in the work tree, without a shell
    #[arg(value_name = "COMMAND", last = true)]
    pub(crate) command: Vec<String>,

    /// Hold a debate on QUESTION; the answer yes passes
    #[arg(long, value_name = "QUESTION")]
    pub(crate) debate: Option<String>,

    /// Check every citation in FILE of the work tree
    #[arg(long, value_name = "FILE")]
    pub(crate) evidence: Option<String>,

    /// Check whether the context of the member's session is still good
    #[arg(long)]
    pub(crate) context: bool,

    /// Fail on amber, not only on red
    #[arg(long, requires = "context", conflicts_with_all = ["review", "debate", "evidence", "command"])]
    pub(crate) amber: bool,

    /// Require the approval of a member who did not work on the task
    #[arg(long)]
    pub(crate) review: bool,

    /// Limit a command or debate to TIME [default: 10m for a command, 1h for a debate]
    #[arg(long = "for", value_name = "TIME", value_parser = parse_limit)]
    pub(crate) seconds: Option<u64>,

    /// Exit code of the command that passes
    #[arg(long, value_name = "CODE", default_value_t = 0, requires = "command")]
    pub(crate) exit: i32,

    /// Pass this environment variable to the command; repeat for more
    #[arg(long, value_name = "NAME", requires = "command")]
    pub(crate) env: Vec<String>,

    /// Let a debate pass even if a planned turn is missing
    #[arg(long, requires = "debate")]
    pub(crate) partial: bool,

    /// Let a debate pass even if the judge was not asked again with the sides swapped
    #[arg(long, requires = "debate")]
    pub(crate) any_swap: bool,
}

/// The name of a gate.
#[derive(Clone, Debug, Args)]
#[command(after_help = RM)]
pub(crate) struct GateNameArgs {
    /// Gate
    #[arg(value_name = "NAME")]
    pub(crate) name: GateName,
}

/// Run a gate.
#[derive(Clone, Debug, Args)]
#[command(after_help = RUN)]
pub(crate) struct GateRunArgs {
    /// Gate
    #[arg(value_name = "NAME")]
    pub(crate) name: GateName,

    /// Record the result for this task, such as t2 [default: your only one; for no task if you hold
    /// none]
    #[arg(long, value_name = "TASK")]
    pub(crate) task: Option<TaskId>,

    /// Keep running after the process that started it ends
    #[arg(long, hide = true)]
    pub(crate) apart: bool,
}

/// Show gates.
#[derive(Clone, Debug, Args)]
#[command(after_help = SHOW)]
pub(crate) struct GateShowArgs {
    /// Gate [default: all]
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<GateName>,

    /// Show whether TASK passed them, on the submitted tree and on the current one
    #[arg(long, value_name = "TASK")]
    pub(crate) task: Option<TaskId>,
}

/// What to do with the pre-commit hook.
#[derive(Clone, Copy, Debug, Subcommand)]
pub(crate) enum PrecommitCommand {
    /// Install the pre-commit hook (an existing hook still runs)
    #[command(after_help = PRECOMMIT)]
    Add,
    /// Remove the pre-commit hook and restore the previous one
    #[command(after_help = PRECOMMIT)]
    Rm,
}

/// What to do with policies.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum PolicyCommand {
    /// Check the policies in effect here, or a file
    #[command(after_help = CHECK)]
    Check {
        /// Policy file [default: the team's and your own]
        #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
        file: Option<PathBuf>,
    },
    /// Explain whether an action is allowed, and by which rule
    Explain(PolicyExplainArgs),
    /// Show the policies as permissions of AI tools
    Compile(PolicyCompileArgs),
}

/// Show the policies as permissions of AI tools.
#[derive(Clone, Debug, Args)]
#[command(after_help = COMPILE)]
pub(crate) struct PolicyCompileArgs {
    #[arg(long, value_name = "HOST", help = format!("Only for this AI tool: {}", join_host_names()))]
    pub(crate) host: Option<String>,

    /// For your own sessions, in all your projects or only in this one
    #[arg(long, value_enum, default_value_t = ScopeName::User)]
    pub(crate) scope: ScopeName,

    /// For a member that Agon starts in this role
    #[arg(long, value_name = "ROLE", conflicts_with = "scope")]
    pub(crate) role: Option<RoleName>,
}

/// Explain whether an action is allowed.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXPLAIN)]
#[command(group = ArgGroup::new("whose").required(true).args(["role", "member"]))]
pub(crate) struct PolicyExplainArgs {
    /// Role that acts
    #[arg(long, value_name = "ROLE")]
    pub(crate) role: Option<RoleName>,

    /// Member that acts
    #[arg(long, value_name = "NAME")]
    pub(crate) member: Option<MemberName>,

    /// Tool that it uses, such as edit or run
    #[arg(long, value_name = "TOOL", default_value = "")]
    pub(crate) tool: String,

    /// Path that it acts on, relative to the root of the repository
    #[arg(long, value_name = "PATH")]
    pub(crate) path: Option<String>,

    /// Assume that N tokens were spent
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = agon_config::parse_number)]
    pub(crate) tokens: u64,

    /// Assume that N minutes were spent
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) minutes: u64,

    /// Assume a cost of N millionths of the billing currency
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) cost_micros: u64,
}

fn parse_limit(text: &str) -> Result<u64, String> {
    parse_duration(text, 86_400)
}

const ADD: &str = "\
Gates are stored next to the team's database, outside every work tree, so members cannot change
what a gate runs. A new gate replaces one of the same name and invalidates its results.

Examples:
  agon team gate add tests -- cargo test --workspace
  agon team gate add db --env DATABASE_URL -- cargo test -p db
  agon team gate add lint --for 2m --exit 1 -- grep -rn TODO src
  agon team gate add safe --debate \"Is this change safe to ship?\"
  agon team gate add cited --evidence docs/design.md
  agon team gate add fresh --context
  agon team gate add second-pair --review";

const PROPOSE: &str = "\
Reads AGENTS.md, package.json, Cargo.toml, Makefile, pyproject.toml, go.mod and CI files without
running anything in them. Proposes only commands that need no shell. Read a command before you add
it: it runs with your permissions.

Examples:
  agon team gate propose
  agon team gate propose --json";

const RM: &str = "\
Examples:
  agon team gate rm lint";

const RUN: &str = "\
The result counts only for the current content of this work tree, including changed, staged and
new files. Run it in the work tree of the member who submitted the task. The gate fails if the
tree changes while it runs. Exit code 8 means that the gate did not pass.

Examples:
  agon team gate run tests --task t2
  agon team gate run tests                     # for your only task, or after a merge
  agon team gate run tests --task t2 --json";

const SHOW: &str = "\
Examples:
  agon team gate show
  agon team gate show tests --task t2";

const PRECOMMIT: &str = "\
The hook is for people, and for AI tools that have no hook before an edit. An existing hook runs
first. The hook applies to all work trees of the repository. If `core.hooksPath` is a folder in
the repository, `add` changes nothing and prints the line for you to add and commit.

Examples:
  agon team precommit add
  agon team precommit rm";

const CHECK: &str = "\
The team's policy.toml is next to its database in the git folder; yours is next to your
configuration. The stricter rule of both wins. An invalid policy denies everything.

Examples:
  agon team policy check
  agon team policy check policy.toml";

const EXPLAIN: &str = "\
Examples:
  agon team policy explain --role worker --tool edit --path .github/ci.yml
  agon team policy explain --member ada --tool run --tokens 900000 --json";

const COMPILE: &str = "\
For every rule that denies or asks, shows whether the tool's own permissions can enforce it. Hooks
enforce the other rules in your own sessions, and Agon checks members after each turn. `agon
install --what team` writes the permissions for your sessions; members get them at the start. Agon
never allows anything that the tool would deny.

Examples:
  agon team policy compile
  agon team policy compile --host opencode --scope project
  agon team policy compile --host codex --role worker --json";
