//! The flags of `agon wait`.

use agon_config::default;

use super::complete::debate_completer;
use super::exit::ExitArgs;
use clap::Args;

/// Wait until no process runs a debate any more.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES, mut_arg("exit_code", |arg| arg.help(EXIT_CODE)))]
pub(crate) struct WaitArgs {
    /// The debate: a folder, a name or an id [default: the running one]
    #[arg(add = debate_completer())]
    pub(crate) debate: Option<String>,

    #[arg(long, value_name = "TIME", default_value_t = default::WAIT_S, value_parser = parse_wait,
          help = "Wait at most TIME, such as 90s or 10m; 0 reports the state at once")]
    pub(crate) timeout: u64,

    #[command(flatten)]
    pub(crate) exit: ExitArgs,
}

const EXIT_CODE: &str =
    "Exit as `agon debate --exit-code` does once the debate is over [default: 0]";

/// Reads how long to wait: at most a day, or not at all.
fn parse_wait(text: &str) -> Result<u64, String> {
    match agon_config::parse_seconds(text)? {
        0 => Ok(0),
        _ => super::parse_timeout(text),
    }
}

const EXAMPLES: &str = "\
States:
  running             a process runs it
  waiting_for_person  a person must answer first, in a seat or on its terminal
  stopped             no process runs it; agon resume continues it
  done                it has its answer: agon show
  failed              it ended without an answer, and says why

A wait that runs out of time reports `running` and exits 0.

Examples:
  agon debate \"tabs or spaces?\" --detach
  agon wait tabs-or-spaces
  agon wait 01JD3Q7M0Z8K4V2X5B6N9C1HTR --timeout 50 --json";
