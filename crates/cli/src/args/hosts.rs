//! The flags of what brings Agon into other AI tools.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueHint};

/// What to do with the AI tools that a person works in.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum HostsCommand {
    /// Check skills, agents, commands and configurations of AI tools; writes nothing
    Lint(LintArgs),
}

/// Check skills, agents, commands and configurations of AI tools; writes nothing.
#[derive(Clone, Debug, Args)]
#[command(after_help = LINT)]
pub(crate) struct LintArgs {
    /// Files, or folders with such files below them [default: the current folder]
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(crate) paths: Vec<PathBuf>,

    /// The tool that they are for [default: by the names of their folders]
    #[arg(long, value_name = "HOST")]
    pub(crate) host: Option<String>,
}

const LINT: &str = "\
What one tool takes, another one drops without a word: the check is stricter than each of them.
Every text in front matter is in quotes, a name is that of its folder, no skill is nested, and no
key is there that its tool does not know. Exit code 8 where something is wrong.

Examples:
  agon hosts lint
  agon hosts lint .claude .mcp.json
  agon hosts lint my-agents/ --host opencode";
