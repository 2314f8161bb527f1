//! The flags of `agon consult`.

use std::path::PathBuf;

use agon_app::default;
use agon_app::request::{Effort, ToolName, Transport};
use clap::{Args, ValueHint};

use super::complete::tool_completer;
use super::{effort_help, parse_effort};

/// Ask several AI tools one question at once, outside any debate.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ConsultArgs {
    /// The question; `-`, or nothing at all, reads it from stdin
    pub(crate) question: Vec<String>,

    /// Read the question from this file
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath, conflicts_with = "question")]
    pub(crate) file: Option<PathBuf>,

    /// Ask this tool; given several times, all of them [default: two that are logged in, of
    /// different vendors]
    #[arg(long, value_name = "TOOL", value_delimiter = ',')]
    #[arg(add = tool_completer())]
    pub(crate) tool: Vec<ToolName>,

    /// The model: of one tool, or of the only one
    #[arg(long, value_name = "[TOOL=]MODEL")]
    pub(crate) model: Vec<String>,

    #[arg(long, value_parser = parse_effort, help = effort_help("they think"))]
    pub(crate) effort: Option<Effort>,

    /// What they are given besides: none, diff (uncommitted changes), commit=A..B (what commits
    /// changed), or file=PATH or dir=DIR (several can be named)
    #[arg(long, value_name = "WHAT", default_value = default::QUESTION_CONTEXT)]
    pub(crate) context: Vec<String>,

    /// Send question and context even if they seem to hold a secret
    #[arg(long)]
    pub(crate) allow_secrets: bool,

    /// Go on with the last consult here, or with the one of this id
    #[arg(long = "continue", value_name = "ID", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub(crate) continued: Option<String>,

    /// How long an answer may take, in seconds or as in 2m
    #[arg(long, value_name = "TIME", default_value_t = default::ANSWER_TIMEOUT_S, value_parser = super::parse_timeout)]
    pub(crate) timeout: u64,

    /// How the tools are spoken to: cli or acp [default: cli, where a conversation can be gone on with]
    #[arg(long, value_name = "HOW", value_parser = parse_program_transport)]
    pub(crate) transport: Option<Transport>,
}

const EXAMPLES: &str = "\
The tools are asked at the same time and do not hear of each other. They keep what was said, so
that --continue can go on with it for 30 days; agon keeps who was asked, not what.

Examples:
  agon consult \"Is there a simpler lock than flock here?\" --tool claude --tool codex
  agon consult \"What breaks if this ships?\" --context diff --tool gemini --effort high
  git log -p -5 | agon consult --tool claude,codex --json
  agon consult --continue \"And with two writers?\"";

fn parse_program_transport(text: &str) -> Result<Transport, String> {
    [Transport::Cli, Transport::Acp]
        .into_iter()
        .find(|transport| transport.name() == text)
        .ok_or_else(|| format!("`{text}` is no way to speak to a tool; use cli or acp"))
}
