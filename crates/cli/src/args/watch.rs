//! The flags of `agon watch`.

use clap::Args;

use super::LiveArgs;
use super::exit::ExitArgs;

/// Watch a debate that runs in the background, and see its verdict.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct WatchArgs {
    /// Folder, name or id of the debate [default: the running one]
    pub(crate) debate: Option<String>,

    #[command(flatten)]
    pub(crate) exit: ExitArgs,

    #[command(flatten)]
    pub(crate) live: LiveArgs,
}

const EXAMPLES: &str = "\
Shows what `agon debate` shows in a terminal, and ends when the debate's process ends. Ctrl-C only
stops watching; the debate continues.

With --json, Agon prints one line per event, starting with the first (agon schema event). The last
line is the status of the debate (agon schema status).

Examples:
  agon debate \"tabs or spaces?\" --detach
  agon watch
  agon watch tabs-or-spaces --json";
