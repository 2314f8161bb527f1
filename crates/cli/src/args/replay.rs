//! The flags of what plays a recorded debate again.

use clap::Args;

use super::LiveArgs;
use super::complete::debate_completer;

/// Play a debate again from its record, and compare.
#[derive(Clone, Debug, Args)]
#[command(after_help = REPLAYS)]
pub(crate) struct ReplayArgs {
    /// The debate: a folder, a name or an id [default: the latest]
    #[arg(add = debate_completer())]
    pub(crate) debate: Option<String>,

    #[command(flatten)]
    pub(crate) pace: PaceArgs,

    #[command(flatten)]
    pub(crate) live: LiveArgs,
}

const REPLAYS: &str = "\
No tool is called and nothing is written. What the tools said is taken from the record; prompts,
decisions and documents are made anew, and compared with what was recorded. Exit code 8 where
something differs, as after a change of a rule or of a prompt's template.

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

/// How fast a record is played.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct PaceArgs {
    /// Play N times as fast as it was; 0: at once [default: reading speed on a terminal, else at
    /// once]
    #[arg(long, value_name = "N")]
    pub(crate) speed: Option<u32>,
}
