//! The flags of what brings Agon into other AI tools.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum, ValueHint};

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
    /// Files, or folders with such files below them [default: the current folder, and your own folders
    /// of skills, agents and commands]
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(crate) paths: Vec<PathBuf>,

    /// The tool that they are for [default: by the names of their folders]
    #[arg(long, value_name = "HOST")]
    pub(crate) host: Option<String>,
}

const LINT: &str = "\
What one tool takes, another one drops without a word: that is an error. So is a skill whose name is
not that of its folder, a text that readers of YAML take for different things, a key or a tool that
its host does not know. What every tool takes and the specification does not is a warning. Links to
skills and to folders of them are followed. Exit code 8 if there is an error.

Examples:
  agon hosts lint
  agon hosts lint .claude .mcp.json
  agon hosts lint my-agents/ --host opencode";

/// Put Agon into the AI tools that you work in: server, skills, commands, agents.
#[derive(Clone, Debug, Args)]
#[command(after_help = INSTALL)]
pub(crate) struct InstallArgs {
    #[command(flatten)]
    pub(crate) where_: WhereArgs,

    /// What to install: what debates need, what a team needs, or both [default: as before; the first
    /// time what debates need]
    #[arg(long, value_enum)]
    pub(crate) what: Option<ContentName>,

    /// Install an agent although its tool does not hold it to this, written AGENT.FIELD; may be
    /// given several times
    #[arg(long, value_name = "AGENT.FIELD")]
    pub(crate) waive: Vec<String>,
}

/// Take Agon out of the AI tools again.
#[derive(Clone, Debug, Args)]
#[command(after_help = UNINSTALL)]
pub(crate) struct UninstallArgs {
    #[command(flatten)]
    pub(crate) where_: WhereArgs,
}

/// Which tools, and for whom.
#[derive(Clone, Debug, Args)]
pub(crate) struct WhereArgs {
    /// The tools: claude, codex, gemini, opencode, copilot [default: those that are here; on a
    /// terminal each is asked]
    #[arg(value_name = "HOST")]
    pub(crate) hosts: Vec<String>,

    /// For all your projects, or for this one alone
    #[arg(long, value_enum, default_value_t = ScopeName::User)]
    pub(crate) scope: ScopeName,

    /// Show what would be done, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// List every file, every change of a configuration and every next step
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

/// For whom something is installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ScopeName {
    /// For all your projects
    User,
    /// For this project, in its folder
    Project,
}

/// What is installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ContentName {
    /// What debates need: the server, skills, commands, agents
    Debate,
    /// What a team needs: the server, roles as agents, commands, skills
    Team,
    /// Both
    All,
}

const INSTALL: &str = "\
What you wrote or changed stays: a file that is not Agon's, or that you edited, is kept and named, and
a configuration gets one server with all else left as it is. One that cannot be read is refused.
Without the server, nothing that calls its tools is installed. Nothing is trusted or allowed for
you: what is left to do in the tool is printed at the end, for several tools only with -v. Run it
again after an upgrade. Exit code 7 where something was left as it is.

What is chosen with --what is all that is there afterwards: --what debate takes the files of a team
out again. A command or an agent whose name the tool has itself gets the prefix agon-. An agent that
the tool cannot hold to its limits is left out and named, with what brings it in all the same.

Examples:
  agon install claude --dry-run      what would be done
  agon install claude --dry-run -v   what would be written, and where
  agon install claude codex
  agon install                       every tool that is here
  agon install opencode --scope project
  agon install claude --what team    roles, and commands such as /agon-plan and /execute
  agon install claude --what team --waive scribe.edit-only
  agon install codex --waive judge.edit --waive judge.run --waive judge.network \\
    --waive judge.delegate --waive judge.agon-tools";

const UNINSTALL: &str = "\
Takes out what `agon install` put there, and nothing else: a configuration is to the byte what it was,
unless something else changed it since. A file that you edited stays, and is yours.

Examples:
  agon uninstall claude
  agon uninstall --dry-run";

const HOSTS: &str = "\
Each tool is asked for its own lists, so that it is known whether it sees what is installed; that
takes some seconds a tool.

  connected   the tool started the server and spoke with it
  listed      the tool lists it, and starts none to make a list
  off         the tool knows it and does not use it; why, in its words

Examples:
  agon hosts
  agon hosts --json
  agon hosts lint";

/// The AI tools here, and what of Agon is in them.
#[derive(Clone, Debug, Args)]
#[command(after_help = HOSTS)]
pub(crate) struct HostsArgs {
    #[command(subcommand)]
    pub(crate) command: Option<HostsCommand>,
}
