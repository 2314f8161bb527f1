//! The flags of `agon roster`.

use clap::{Args, Subcommand};

use crate::args::hosts::join_host_names;

/// Show the roles of a team, and how each AI tool runs them.
#[derive(Clone, Debug, Args)]
#[command(after_help = ROSTER)]
pub(crate) struct RosterArgs {
    #[command(subcommand)]
    pub(crate) command: Option<RosterCommand>,
}

/// What to show of the roster.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum RosterCommand {
    /// List the roles with their purposes and permissions
    #[command(after_help = LIST)]
    List,
    /// Show a role's settings, where each is set, and how a tool runs it
    Show(RoleArgs),
    /// Show how each tool supports each role: kept, translated, waived or left out
    Matrix(MatrixArgs),
    /// Check the roster, and compare installed agents with it (writes nothing)
    #[command(after_help = CHECK)]
    Check,
}

/// Show a role's settings, where each is set, and how a tool runs it.
#[derive(Clone, Debug, Args)]
#[command(after_help = SHOW)]
pub(crate) struct RoleArgs {
    /// Role; `agon roster` lists all
    #[arg(value_name = "ROLE")]
    pub(crate) role: String,

    #[arg(long, value_name = "HOST", help = format!("AI tool: {} [default: all]", join_host_names()))]
    pub(crate) host: Option<String>,

    /// Use this team profile instead of the configured one
    #[arg(long, value_name = "NAME")]
    pub(crate) team_profile: Option<String>,

    /// Assume that this limit is waived; repeat for more
    #[arg(long, value_name = "ROLE.FIELD")]
    pub(crate) waive: Vec<String>,
}

/// Show how each tool supports each role.
#[derive(Clone, Debug, Args)]
#[command(after_help = MATRIX)]
pub(crate) struct MatrixArgs {
    /// Use this team profile instead of the configured one
    #[arg(long, value_name = "NAME")]
    pub(crate) team_profile: Option<String>,

    /// Assume that this limit is waived; repeat for more
    #[arg(long, value_name = "ROLE.FIELD")]
    pub(crate) waive: Vec<String>,
}

const ROSTER: &str = "\
The roles are built into Agon. agents.toml sets their models, effort, tools and skills,
profiles.toml what no role may do, and mcp.toml their servers. Each of these files can be next to
your configuration or in the project's .agon folder; see `agon config show --sources`.

Examples:
  agon roster
  agon roster show scout --host claude
  agon roster matrix
  agon roster check";

const LIST: &str = "\
Same as `agon roster`.

Examples:
  agon roster list
  agon roster list --json";

const SHOW: &str = "\
Prints where each value is set: the role, a default, a file and line, a profile, or a variable.
The model `session` is the model that you chose in the tool.

Examples:
  agon roster show scout
  agon roster show scribe --host codex
  agon roster show worker --team-profile strict --json";

const MATRIX: &str = "\
Shows how each tool supports each role, with the reasons below the table:

  kept         the tool supports every field of the role
  translated   the tool enforces its limits, but expresses or drops another field
  waived       installed without a limit that was waived by name
  left out     not installed, because the tool cannot enforce its limits

Examples:
  agon roster matrix
  agon roster matrix --waive worker.network
  agon roster matrix --json";

const CHECK: &str = "\
Checks the tools with agents installed by `agon install HOST --what team`, for all your projects
and for this one. Exits with 8 if a tool would reject a role, and with 7 if an installed agent
differs from the roster.

Examples:
  agon roster check
  agon roster check --json";
