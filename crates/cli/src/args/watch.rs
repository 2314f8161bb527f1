//! The flags of `agon watch`.

use clap::Args;

use super::LiveArgs;
use super::exit::ExitArgs;

/// Watch a debate that runs in another process, then see its verdict.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct WatchArgs {
    /// The debate: a folder, a name or an id [default: the running one]
    pub(crate) debate: Option<String>,

    #[command(flatten)]
    pub(crate) exit: ExitArgs,

    #[command(flatten)]
    pub(crate) live: LiveArgs,
}

const EXAMPLES: &str = "\
It shows what `agon debate` shows on its own terminal, and ends when no process runs the debate any
more. Ctrl-C ends the watching alone; the debate continues.

With --json every event is a line of its own, from the first one on (agon schema event), and the
last line says how the debate stands (agon schema status).

Examples:
  agon debate \"tabs or spaces?\" --detach
  agon watch
  agon watch tabs-or-spaces --json";
