//! The flags of `agon watch`.

use clap::Args;

/// Watch a debate that runs in another process, then see its verdict.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct WatchArgs {
    /// The debate: a folder, a name or an id [default: the running one]
    pub(crate) debate: Option<String>,
}

const EXAMPLES: &str = "\
It shows what `agon debate` shows on its own terminal, and ends when nobody is at the debate any
more, with exit code 7 where the verdict has less than full authority. Ctrl-C ends the watching
alone; the debate goes on.

With --json every event is a line of its own, from the first one on (agon schema event), and the
last line says how the debate stands (agon schema status).

Examples:
  agon debate \"tabs or spaces?\" --detach
  agon watch
  agon watch tabs-or-spaces --json";
