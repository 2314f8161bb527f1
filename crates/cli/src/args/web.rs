//! Arguments of `agon web`.

use clap::Args;

/// Show, start and steer debates in a browser.
#[derive(Clone, Copy, Debug, Args)]
#[command(after_help = WEB)]
pub(crate) struct WebArgs {
    /// Listen on port N [default: 2466, or a free port if that is taken]
    #[arg(long, value_name = "N")]
    pub(crate) port: Option<u16>,

    /// Print the address without opening a browser
    #[arg(long)]
    pub(crate) no_open: bool,

    /// Only show debates: refuse every request that would change one
    #[arg(long)]
    pub(crate) read_only: bool,
}

const WEB: &str = "\
The pages are served on this computer only, at the printed address. Anyone who knows the key in it
can start debates as you. Ctrl-C ends the server; running debates continue.

Examples:
  agon web
  agon web --no-open --port 8080
  agon web --read-only";
