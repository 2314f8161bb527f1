//! The flags of `agon wait`.

use agon_config::default;

use super::complete::debate_completer;
use super::exit::ExitArgs;
use clap::Args;

/// Wait until a background debate ends, for programs.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES, mut_arg("exit_code", |arg| arg.help(EXIT_CODE)))]
pub(crate) struct WaitArgs {
    /// Folder, name or id of the debate [default: the running one]
    #[arg(add = debate_completer())]
    pub(crate) debate: Option<String>,

    #[arg(long, value_name = "TIME", default_value_t = default::WAIT_S, value_parser = parse_wait,
          help = "Wait at most TIME, such as 90s or 10m; 0 reports the state immediately")]
    pub(crate) timeout: u64,

    #[command(flatten)]
    pub(crate) exit: ExitArgs,
}

const EXIT_CODE: &str =
    "Exit with the code of `agon debate --exit-code` once the debate is over [default: 0]";

/// Parses the time to wait: 0 to one day.
fn parse_wait(text: &str) -> Result<u64, String> {
    match agon_config::parse_seconds(text)? {
        0 => Ok(0),
        _ => super::parse_timeout(text),
    }
}

const EXAMPLES: &str = "\
States:
  running             the debate is running
  waiting_for_person  a person must answer, in a seat or on the debate's terminal
  stopped             the debate is not running; agon resume continues it
  done                the debate has an answer: agon show
  failed              the debate ended without an answer, for the printed reason

If the time runs out, the state is `running` and the exit code 0.

Examples:
  agon debate \"tabs or spaces?\" --detach
  agon wait tabs-or-spaces
  agon wait 01JD3Q7M0Z8K4V2X5B6N9C1HTR --timeout 50 --json";
