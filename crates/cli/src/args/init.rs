//! The flags of `agon init`.

use clap::Args;

/// Find your AI tools and choose who debates.
#[derive(Clone, Copy, Debug, Args)]
#[command(after_help = INIT)]
pub(crate) struct InitArgs {
    /// Write the proposed seats to the configuration without asking
    #[arg(long)]
    pub(crate) yes: bool,

    /// Use the project's agon.toml instead of your own file (only in a folder that you trust)
    #[arg(long)]
    pub(crate) project: bool,
}

const INIT: &str = "\
Asks on a terminal. Without a terminal it only prints what it would do; --yes does it. Keeps the
seats that are already set. Models behind API keys are proposed only on a terminal, because every
call costs money.

Examples:
  agon init
  agon init --yes --json";
