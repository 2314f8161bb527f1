//! The flags of `agon tools`.

use agon_debates::request::ToolName;

use super::complete::tool_completer;
use clap::{Args, Subcommand};

/// What to do with the tools.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum ToolsCommand {
    /// Find out whether the tools here still are as Agon knows them, and what to set where not
    Doctor(DoctorArgs),
}

/// Find out whether the tools here still are as Agon knows them, and what to set where not.
#[derive(Clone, Debug, Default, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DoctorArgs {
    /// Look at these tools only [default: those that are installed]
    #[arg(add = tool_completer())]
    pub(crate) tool: Vec<ToolName>,

    /// Ask each tool, over the loopback and with placeholder keys, and compare the tools that it
    /// offers to its model with the lists of its profile
    #[arg(long)]
    pub(crate) deep: bool,
}

const EXAMPLES: &str = "\
Ends with 8 when something does not fit any more, with 4 when a tool that is named is not here.
No model is called and no login is used: a server of our own answers the tool.

Examples:
  agon tools doctor
  agon tools doctor codex --deep";
