//! The flags of `agon consult`.

use std::path::PathBuf;

use agon_config::default;
use agon_debates::request::{Effort, ToolName, Transport};
use clap::{Args, ValueHint};

use super::complete::tool_completer;
use super::{effort_help, parse_effort};

/// Ask several AI tools one question, without a debate.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ConsultArgs {
    /// Question [default: read from stdin, like `-`]
    pub(crate) question: Vec<String>,

    /// Read the question from this file
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath, conflicts_with = "question")]
    pub(crate) file: Option<PathBuf>,

    /// Tool to ask; repeat for more [default: two logged-in tools from different vendors]
    #[arg(long, value_name = "TOOL", value_delimiter = ',')]
    #[arg(add = tool_completer())]
    pub(crate) tool: Vec<ToolName>,

    /// Model of TOOL, or of the only tool
    #[arg(long, value_name = "[TOOL=]MODEL")]
    pub(crate) model: Vec<String>,

    #[arg(long, value_parser = parse_effort, help = effort_help("every tool"))]
    pub(crate) effort: Option<Effort>,

    /// Give the tools: none, diff (uncommitted changes), commit=A..B, file=PATH or dir=DIR (repeat
    /// for more), or session[=ID] (a brief of your session in an AI tool)
    #[arg(long, value_name = "WHAT", default_value = default::QUESTION_CONTEXT)]
    pub(crate) context: Vec<String>,

    /// Send question and context even if they seem to contain a secret
    #[arg(long, hide_short_help = true)]
    pub(crate) allow_secrets: bool,

    /// Continue the last consult in this folder, or the one with this id
    #[arg(long = "continue", value_name = "ID", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub(crate) continued: Option<String>,

    /// Limit an answer to TIME, in seconds or as in 2m
    #[arg(long, value_name = "TIME", default_value_t = default::ANSWER_TIMEOUT_S, value_parser = super::parse_timeout)]
    pub(crate) timeout: u64,

    /// Transport of every tool: cli or acp [default: cli if it can continue a conversation]
    #[arg(long, hide_short_help = true, value_name = "TRANSPORT", value_parser = parse_program_transport)]
    pub(crate) transport: Option<Transport>,
}

const EXAMPLES: &str = "\
Agon asks the tools at the same time; none sees another's answer. The tools store the
conversation, so --continue works for 30 days. Agon stores only the names of the tools, and no
text.

Examples:
  agon consult \"Is there a simpler lock?\" --tool claude --tool codex
  agon consult \"What breaks if this ships?\" --context diff --tool gemini
  git log -p -5 | agon consult --tool claude,codex --json
  agon consult --continue \"And with two writers?\"";

fn parse_program_transport(text: &str) -> Result<Transport, String> {
    [Transport::Cli, Transport::Acp]
        .into_iter()
        .find(|transport| transport.name() == text)
        .ok_or_else(|| format!("unknown transport `{text}`; use cli or acp"))
}
