//! The flags of `agon replay` and `agon demo`.

use clap::Args;

use super::LiveArgs;
use super::complete::debate_completer;

/// Replay a debate from its record and report differences.
#[derive(Clone, Debug, Args)]
#[command(after_help = REPLAYS)]
pub(crate) struct ReplayArgs {
    /// Folder, name or id of the debate [default: the latest]
    #[arg(add = debate_completer())]
    pub(crate) debate: Option<String>,

    #[command(flatten)]
    pub(crate) pace: PaceArgs,

    #[command(flatten)]
    pub(crate) live: LiveArgs,
}

const REPLAYS: &str = "\
Calls no tool and writes nothing. Takes the tools' replies from the record, computes prompts,
decisions and documents again, and compares them with the recorded ones. Exits with 8 if something
differs, for example after a change of a rule or of a prompt template.

Examples:
  agon replay job-store
  agon replay job-store --speed 0 --json";

/// Watch a recorded debate, offline.
#[derive(Clone, Debug, Args)]
#[command(after_help = DEMO)]
pub(crate) struct DemoArgs {
    /// Save the debate in the folder of debates, to explore it
    #[arg(long)]
    pub(crate) keep: bool,

    #[command(flatten)]
    pub(crate) pace: PaceArgs,

    #[command(flatten)]
    pub(crate) live: LiveArgs,
}

const DEMO: &str = "\
A recorded debate between language models about a small sample project. Works offline.
Keys: space pauses, enter or → shows the next turn, q quits.

Examples:
  agon demo
  agon demo --keep          then: agon report job-queue";

/// How fast to play a record.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct PaceArgs {
    /// Play N times as fast as the original; 0 shows everything at once [default: reading speed on
    /// a terminal, otherwise 0]
    #[arg(long, value_name = "N")]
    pub(crate) speed: Option<u32>,
}
