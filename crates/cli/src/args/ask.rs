//! The flags of `agon ask`.

use agon_config::default;
use agon_debates::request::{Effort, Seat, ToolName, Transport};
use clap::Args;

use super::complete::{debate_completer, tool_completer};
use super::{parse_effort, parse_transport};

/// Ask a tool about a debate; it answers from the record.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES, override_usage = "agon ask [OPTIONS] [DEBATE] QUESTION...")]
pub(crate) struct AskArgs {
    /// Folder, name or id of the debate [default: the latest]
    #[arg(value_name = "DEBATE", add = debate_completer())]
    pub(crate) debate: String,

    /// Question; `-` reads it from stdin. A quoted question alone is about the latest debate
    pub(crate) question: Vec<String>,

    /// Ask the tool and model of this seat [default: judge]
    #[arg(long, value_parser = parse_core_seat, conflicts_with = "tool")]
    pub(crate) seat: Option<Seat>,

    /// Ask TOOL instead
    #[arg(long)]
    #[arg(add = tool_completer())]
    pub(crate) tool: Option<ToolName>,

    /// Model of the tool
    #[arg(long)]
    pub(crate) model: Option<String>,

    #[arg(long, value_parser = parse_effort, help = format!(
        "Reasoning effort: low, medium, high or max [default: that of its seat, otherwise {}]",
        default::EFFORT.name(),
    ))]
    pub(crate) effort: Option<Effort>,

    /// Transport: acp or cli [default: as in the debate]
    #[arg(long, value_name = "TRANSPORT", value_parser = parse_transport)]
    pub(crate) transport: Option<Transport>,

    /// Limit one answer to TIME, in seconds or as in 2m
    #[arg(long, value_name = "TIME", default_value_t = default::ANSWER_TIMEOUT_S, value_parser = super::parse_timeout)]
    pub(crate) timeout: u64,
}

const EXAMPLES: &str = "\
Makes one call, or two if the answer cites a point that does not exist. The answer is printed and
not stored; the debate stays unchanged. If the record is too long, the tool gets a short version
of each point.

Examples:
  agon ask \"Why did the challenger give up flock?\"
  agon ask job-store \"Why did the challenger give up flock?\"
  agon ask job-store \"What would change the answer?\" --seat challenger
  agon ask halt-ai \"Which argument was never attacked?\" --tool codex --json";

fn parse_core_seat(text: &str) -> Result<Seat, String> {
    text.parse()
        .map_err(|_| format!("unknown seat `{text}`; use proposer, challenger or judge"))
}
