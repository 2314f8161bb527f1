//! The flags of `agon tools`.

use agon_debates::request::ToolName;

use super::complete::tool_completer;
use clap::{Args, Subcommand};

/// What to do with the tools.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum ToolsCommand {
    /// Check whether your tools still match Agon's profiles, and print what to set if not
    Doctor(DoctorArgs),
}

/// Check whether your tools still match Agon's profiles, and print what to set if not.
#[derive(Clone, Debug, Default, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DoctorArgs {
    /// Tools to check [default: all installed tools]
    #[arg(add = tool_completer())]
    pub(crate) tool: Vec<ToolName>,

    /// Start each tool with placeholder keys against a local server, and compare the tools that it
    /// offers to its model with its profile
    #[arg(long)]
    pub(crate) deep: bool,

    /// Print passed checks too, not only failed ones
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

const EXAMPLES: &str = "\
Exits with 8 if a tool no longer matches, and with 4 if a named tool is not installed.
Calls no model and uses no login: Agon's own local server answers the tool.

Examples:
  agon tools doctor
  agon tools doctor codex --deep";
