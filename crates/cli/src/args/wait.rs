//! The flags of `agon wait`.

use agon_app::default;

use super::complete::debate_completer;
use clap::Args;

/// Wait until nobody is at a debate any more.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct WaitArgs {
    /// The debate: a folder, a name or an id [default: the running one]
    #[arg(add = debate_completer())]
    pub(crate) debate: Option<String>,

    #[arg(long, value_name = "TIME", default_value_t = default::WAIT_S, value_parser = parse_wait,
          help = "How long to wait at most, such as 90s or 10m; 0 says at once how it stands")]
    pub(crate) timeout: u64,

    /// End with the debate's own exit code once it is over, instead of 0
    #[arg(long)]
    pub(crate) exit_code: bool,
}

/// Reads how long to wait: at most a day, or not at all.
fn parse_wait(text: &str) -> Result<u64, String> {
    match agon_app::parse_seconds(text)? {
        0 => Ok(0),
        _ => super::parse_timeout(text),
    }
}

const EXAMPLES: &str = "\
States:
  running             a process is at it
  waiting_for_person  somebody must answer first: in a seat, or at the terminal it runs on
  stopped             nobody is at it; agon resume goes on
  done                it has its answer: agon show
  failed              it ended without an answer, and says why

A wait that expires is no failure: it says `running`, and ends with 0.

Examples:
  agon debate \"tabs or spaces?\" --detach
  agon wait tabs-or-spaces
  agon wait 01JD3Q7M0Z8K4V2X5B6N9C1HTR --timeout 50 --json";
