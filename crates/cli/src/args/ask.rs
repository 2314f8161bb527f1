//! The flags of `agon ask`.

use agon_config::default;
use agon_debates::request::{Effort, Seat, ToolName, Transport};
use clap::Args;

use super::complete::{debate_completer, tool_completer};
use super::{parse_effort, parse_transport};

/// Ask something about a debate, answered from its record.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES, override_usage = "agon ask [OPTIONS] [DEBATE] QUESTION...")]
pub(crate) struct AskArgs {
    /// The debate: a folder, a name or an id [default: the latest]
    #[arg(value_name = "DEBATE", add = debate_completer())]
    pub(crate) debate: String,

    /// The question; `-` reads it from stdin. Alone, in quotes, it is of the latest debate
    pub(crate) question: Vec<String>,

    /// Ask the tool and model of this seat [default: judge]
    #[arg(long, value_parser = parse_core_seat, conflicts_with = "tool")]
    pub(crate) seat: Option<Seat>,

    /// Ask this tool
    #[arg(long)]
    #[arg(add = tool_completer())]
    pub(crate) tool: Option<ToolName>,

    /// The model
    #[arg(long)]
    pub(crate) model: Option<String>,

    #[arg(long, value_parser = parse_effort, help = format!(
        "How hard it thinks: low, medium, high or max [default: as its seat did, else {}]",
        default::EFFORT.name(),
    ))]
    pub(crate) effort: Option<Effort>,

    /// How it is spoken to: acp or cli [default: as in the debate]
    #[arg(long, value_name = "WAY", value_parser = parse_transport)]
    pub(crate) transport: Option<Transport>,

    /// How long one answer may take, in seconds or as in 2m
    #[arg(long, value_name = "TIME", default_value_t = default::ANSWER_TIMEOUT_S, value_parser = super::parse_timeout)]
    pub(crate) timeout: u64,
}

const EXAMPLES: &str = "\
One call, two if the answer names a point that nobody made. The debate is not changed: the answer
is printed and not kept. A record that is too long is shown as its points in brief.

Examples:
  agon ask \"Why did the challenger give up flock?\"
  agon ask job-store \"Why did the challenger give up flock?\"
  agon ask job-store \"What would change the answer?\" --seat challenger
  agon ask halt-ai \"Which argument was never attacked?\" --tool codex --json";

fn parse_core_seat(text: &str) -> Result<Seat, String> {
    text.parse()
        .map_err(|_| format!("`{text}` is no seat; use proposer, challenger or judge"))
}
