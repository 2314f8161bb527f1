//! The flags of what is told of the roster.

use clap::{Args, Subcommand};

use crate::args::hosts::host_choice;

/// The roles of a team, and what each may do.
#[derive(Clone, Debug, Args)]
#[command(after_help = ROSTER)]
pub(crate) struct RosterArgs {
    #[command(subcommand)]
    pub(crate) command: Option<RosterCommand>,
}

/// What to tell of the roster.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum RosterCommand {
    /// List the roles: what each is for, and what it may do
    #[command(after_help = LIST)]
    List,
    /// Show how a role is run, where each value is set, and what a tool makes of it
    Show(RoleArgs),
    /// Show each role in each tool: kept, translated, waived or left out, and why
    Matrix(MatrixArgs),
    /// Compare the agents that are installed with the roster, and check the roster; writes nothing
    #[command(after_help = CHECK)]
    Check,
}

/// Show how a role is run.
#[derive(Clone, Debug, Args)]
#[command(after_help = SHOW)]
pub(crate) struct RoleArgs {
    /// The role; `agon roster` lists them
    #[arg(value_name = "ROLE")]
    pub(crate) role: String,

    #[arg(long, value_name = "HOST", help = format!("The tool: {} [default: each of them]", host_choice()))]
    pub(crate) host: Option<String>,

    /// The profile of a team, instead of the one that is configured
    #[arg(long, value_name = "NAME")]
    pub(crate) team_profile: Option<String>,

    /// As if this was waived, written ROLE.FIELD; may be given several times
    #[arg(long, value_name = "ROLE.FIELD")]
    pub(crate) waive: Vec<String>,
}

/// Show each role in each tool.
#[derive(Clone, Debug, Args)]
#[command(after_help = MATRIX)]
pub(crate) struct MatrixArgs {
    /// The profile of a team, instead of the one that is configured
    #[arg(long, value_name = "NAME")]
    pub(crate) team_profile: Option<String>,

    /// As if this was waived, written ROLE.FIELD; may be given several times
    #[arg(long, value_name = "ROLE.FIELD")]
    pub(crate) waive: Vec<String>,
}

const ROSTER: &str = "\
Roles come with Agon; how each is run is set in agents.toml, profiles.toml and mcp.toml, beside your
configuration or in .agon of the project: `agon config show --sources`.

Examples:
  agon roster
  agon roster show scout --host claude
  agon roster matrix
  agon roster check";

const LIST: &str = "\
The same as `agon roster`.

Examples:
  agon roster list
  agon roster list --json";

const SHOW: &str = "\
Every value has where it is set: its role, a default, a file with its line, a profile, a variable.
The model `session` is the one that you chose in that tool.

Examples:
  agon roster show scout
  agon roster show scribe --host codex
  agon roster show worker --team-profile strict --json";

const MATRIX: &str = "\
What becomes of a role in a tool, and below the table why:

  kept         the tool has every field of the role
  translated   it is held to its limits; something is said in another way, or not had
  waived       it is there without a limit that was waived by name when it was installed
  left out     it is not there: the tool cannot hold it to its limits

Examples:
  agon roster matrix
  agon roster matrix --waive worker.network
  agon roster matrix --json";

const CHECK: &str = "\
Looked at are the tools in which `agon install HOST --what team` put agents, for all your projects
and for this one. Exit code 8 where a tool would not take a role as it is, else 7 where an agent is
not what the roster says.

Examples:
  agon roster check
  agon roster check --json";
