//! The flags of `agon init`.

use clap::Args;

/// Look which AI tools are here, and set who sits where from now on.
#[derive(Clone, Copy, Debug, Args)]
#[command(after_help = INIT)]
pub(crate) struct InitArgs {
    /// Put the proposed seats into the configuration without asking
    #[arg(long)]
    pub(crate) yes: bool,

    /// Use the project's file, agon.toml, instead of your own; its folder must be one you trust
    #[arg(long)]
    pub(crate) project: bool,
}

const INIT: &str = "\
On a terminal it asks; without one it says what it would do, and --yes does it. Seats that are set
already stay. Models behind API keys cost money by the call: they are proposed on a terminal only.

Examples:
  agon init
  agon init --yes --json";
