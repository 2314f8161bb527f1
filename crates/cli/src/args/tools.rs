//! The flags of `agon tools`.

use std::path::PathBuf;

use agon_debates::request::ToolName;

use super::complete::tool_completer;
use clap::{Args, Subcommand, ValueHint};

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

    /// Have exchanges with each tool, over the loopback and with placeholder keys, and hold the form
    /// of what it prints against the recording of the version that was measured, and the tools that
    /// it offers to its model against the lists of its profile
    #[arg(long)]
    pub(crate) deep: bool,

    /// Hold it against the recordings in this folder, DIR/TOOL.jsonl
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, requires = "deep")]
    pub(crate) against: Option<PathBuf>,

    /// Write what the tools print now to DIR/TOOL.jsonl, without what differs from run to run
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, conflicts_with_all = ["deep", "against"])]
    pub(crate) record: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Ends with 8 when something does not fit any more, with 4 when a tool that is named is not here.
No model is called and no login is used: the exchange is with a server of our own.

Examples:
  agon tools doctor
  agon tools doctor codex --deep
  agon tools doctor --record recordings, then --deep --against recordings";
