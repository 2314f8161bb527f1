//! Arguments of `agon web`.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::Args;

/// Show, start and steer debates in a browser.
#[derive(Clone, Debug, Args)]
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

    /// Also print an address that only shows the debates, decisions, usage and the team
    #[arg(long)]
    pub(crate) share: bool,

    /// Listen at ADDR, which other computers can reach [default: 127.0.0.1]
    #[arg(long, value_name = "ADDR", requires = "token_file")]
    pub(crate) listen: Option<IpAddr>,

    /// Expect browsers at the address URL, such as that of a proxy
    #[arg(long, value_name = "URL", requires = "token_file")]
    pub(crate) origin: Option<String>,

    /// Use the token in FILE as the key (at least 32 characters, readable by you alone)
    #[arg(long, value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,
}

const WEB: &str = "\
The pages are served on this computer only, at the printed address. Anyone who knows the key in it
can start debates as you. Ctrl-C ends the server; running debates continue.

Programs that send the key reach the tools of agon mcp at /mcp.

Examples:
  agon web
  agon web --no-open --port 8080
  agon web --read-only
  agon web --share
  agon web --share --listen 192.168.1.5 --token-file ~/agon-token
  agon web --origin https://agon.example.org --token-file ~/agon-token";
