//! The flags of what brings Agon into other AI tools.

use std::path::PathBuf;

use agon_install::hosts::host_names;
use clap::{Args, Subcommand, ValueEnum, ValueHint};

/// The names of all hosts, as a help lists what may be typed: `a, b or c`.
pub(crate) fn host_choice() -> String {
    let names = host_names();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => names.concat(),
    }
}

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

/// Install Agon into your AI tools: server, skills, commands, agents.
#[derive(Clone, Debug, Args)]
#[command(after_help = INSTALL, after_long_help = ALL_OF_INSTALL)]
pub(crate) struct InstallArgs {
    #[command(flatten)]
    pub(crate) where_: WhereArgs,

    /// Install what debates need, what a team needs, or both [default: as before, else debate]
    #[arg(long, value_enum)]
    pub(crate) what: Option<ContentName>,

    /// Install an agent although its tool cannot enforce this limit; repeat for more
    #[arg(long, value_name = "AGENT.FIELD")]
    pub(crate) waive: Vec<String>,
}

/// Remove Agon from your AI tools and restore their files.
#[derive(Clone, Debug, Args)]
#[command(after_help = UNINSTALL)]
pub(crate) struct UninstallArgs {
    #[command(flatten)]
    pub(crate) where_: WhereArgs,
}

/// Which tools, and for whom.
#[derive(Clone, Debug, Args)]
pub(crate) struct WhereArgs {
    #[arg(value_name = "HOST", help = format!(
        "{} [default: the installed ones; on a terminal, Agon asks for each]",
        host_choice()
    ))]
    pub(crate) hosts: Vec<String>,

    /// For all your projects, or for this one alone
    #[arg(long, value_enum, default_value_t = ScopeName::User)]
    pub(crate) scope: ScopeName,

    /// Show what would be done; write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// List every file, every change to a configuration and every next step
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
Your own files stay: Agon keeps and names a file that you wrote or edited. A configuration gets one
server, and the rest of it is unchanged. Agon does not trust or allow anything for you: the steps
that are left to do in the tool come at the end. Run it again after an upgrade. Exit code 7
means that something was left as it is.

Examples:
  agon install claude --dry-run
  agon install claude codex
  agon install claude --what team    roles, and commands such as /agon-plan";

const ALL_OF_INSTALL: &str = "\
Your own files stay: Agon keeps and names a file that you wrote or edited. A configuration gets one
server, and the rest of it is unchanged; one that cannot be read is refused. Without the server,
Agon installs nothing that calls its tools. Agon does not trust or allow anything for you: the steps
that are left to do in the tool come at the end. Run it again after an upgrade. Exit code 7
means that something was left as it is.

Afterwards exactly what --what names is installed: --what debate removes the files of a team. A
command or an agent gets the prefix agon- if the tool has one of that name. An agent is left out if
the tool cannot enforce its limits; -v names it, and what installs it all the same.

Examples:
  agon install claude --dry-run -v
  agon install claude codex
  agon install                       every tool that is installed
  agon install opencode --scope project
  agon install claude --what team    roles, and commands such as /agon-plan
  agon install gemini --scope project --what team --waive scribe.edit-only
  agon install codex --waive judge.edit --waive judge.run --waive judge.network \\
    --waive judge.delegate --waive judge.agon-tools";

const UNINSTALL: &str = "\
Removes what `agon install` wrote, and nothing else: each configuration is what it was before,
unless something else changed it since. A file that you edited stays.

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
