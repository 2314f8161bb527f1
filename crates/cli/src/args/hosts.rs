//! The flags of `agon install`, `agon uninstall` and `agon hosts`.

use std::path::PathBuf;

use agon_install::hosts::host_names;
use clap::{Args, Subcommand, ValueEnum, ValueHint};

/// Returns the names of all hosts for a help: `a, b or c`.
pub(crate) fn join_host_names() -> String {
    let names = host_names();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => names.concat(),
    }
}

/// What to check in your AI tools.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum HostsCommand {
    /// Check skills, agents, commands and configurations of AI tools (writes nothing)
    Lint(LintArgs),
}

/// Check skills, agents, commands and configurations of AI tools (writes nothing).
#[derive(Clone, Debug, Args)]
#[command(after_help = LINT)]
pub(crate) struct LintArgs {
    /// Files or folders to check [default: the current folder, and your own folders of skills,
    /// agents and commands]
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(crate) paths: Vec<PathBuf>,

    /// Tool that the files are for [default: from the names of their folders]
    #[arg(long, value_name = "HOST")]
    pub(crate) host: Option<String>,
}

const LINT: &str = "\
Errors are: content that some tool silently drops, a skill whose name differs from its folder's,
YAML that parsers read differently, and a key or tool that the host does not know. Content that
every tool accepts against the specification is a warning. Follows links to skills and to folders
of skills. Exits with 8 if there is an error.

Examples:
  agon hosts lint
  agon hosts lint .claude .mcp.json
  agon hosts lint my-agents/ --host opencode";

/// Install Agon into your AI tools: server, skills, commands, agents.
#[derive(Clone, Debug, Args)]
#[command(after_help = INSTALL, after_long_help = ALL_OF_INSTALL)]
pub(crate) struct InstallArgs {
    #[command(flatten)]
    pub(crate) where_: InstallTargetArgs,

    /// Install what debates need, what a team needs, both, a review of plans, or suggestions of
    /// debates [default: as before, else debate]
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
    pub(crate) where_: InstallTargetArgs,
}

/// Which tools to install into, and for which projects.
#[derive(Clone, Debug, Args)]
pub(crate) struct InstallTargetArgs {
    #[arg(value_name = "HOST", help = format!(
        "{} [default: the installed ones; on a terminal, Agon asks for each]",
        join_host_names()
    ))]
    pub(crate) hosts: Vec<String>,

    /// Install for all your projects, or only for this one
    #[arg(long, value_enum, default_value_t = ScopeName::User)]
    pub(crate) scope: ScopeName,

    /// Show what would be done without writing anything
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// List every file, every change to a configuration and every next step
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

/// The scope of an installation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ScopeName {
    /// For all your projects
    User,
    /// For this project, in its folder
    Project,
}

/// What to install.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ContentName {
    /// What debates need: the server, skills, commands, agents
    Debate,
    /// What a team needs: the server, roles as agents, commands, skills
    Team,
    /// Both
    All,
    /// A hook at the end of plan mode, besides what is installed
    PlanReview,
    /// A hook at your prompts that suggests debates, besides what is installed
    Suggest,
}

const INSTALL: &str = "\
Agon keeps files that you wrote or edited, and lists them. It adds one server to a tool's
configuration and changes nothing else in it. It does not trust or allow anything for you; the
steps that you must do in the tool come at the end. Run it again after an upgrade. Exits with 7 if
something could not be installed.

Examples:
  agon install claude --dry-run
  agon install claude codex
  agon install claude --what team    roles, and commands such as /agon-plan";

const ALL_OF_INSTALL: &str = "\
Agon keeps files that you wrote or edited, and lists them. It adds one server to a tool's
configuration and changes nothing else in it. It refuses a configuration that it cannot read, and
without the server it installs nothing that calls the server's tools. It does not trust or allow
anything for you; the steps that you must do in the tool come at the end. Run it again after an
upgrade. Exits with 7 if something could not be installed.

--what replaces what was installed before: --what debate removes the files of a team, and --what
team those of debates. To keep both, use --what all. --what plan-review adds a hook at the end of
plan mode in Claude Code, Gemini CLI or Copilot CLI to what was installed before. --what suggest
adds a hook at your prompts in every tool. debate, team and all remove both hooks.
A command or an agent gets the prefix agon- if the tool already has one of that name. An agent is
left out if the tool cannot enforce its limits; -v names it and prints how to install it anyway.

Examples:
  agon install claude --dry-run -v
  agon install claude codex
  agon install                       every installed tool
  agon install opencode --scope project
  agon install claude --what team    roles, and commands such as /agon-plan
  agon install claude --what plan-review
  agon install claude --what suggest
  agon install gemini --scope project --what team --waive scribe.edit-only
  agon install codex --waive judge.edit --waive judge.run --waive judge.network \\
    --waive judge.delegate --waive judge.agon-tools";

const UNINSTALL: &str = "\
Removes only what `agon install` wrote. Each configuration is restored exactly, unless something
else changed it since. Files that you edited are kept.

Examples:
  agon uninstall claude
  agon uninstall --dry-run";

const HOSTS: &str = "\
Asks each tool for its own lists, to check that it sees what is installed. This takes a few
seconds per tool.

  connected   the tool started the server and got an answer
  listed      the tool lists the server without starting it
  off         the tool knows the server but does not use it, for the printed reason

Examples:
  agon hosts
  agon hosts --json
  agon hosts lint";

/// Check that your AI tools see what is installed in them.
#[derive(Clone, Debug, Args)]
#[command(after_help = HOSTS)]
pub(crate) struct HostsArgs {
    #[command(subcommand)]
    pub(crate) command: Option<HostsCommand>,

    /// Also list the skills, and count the installed parts
    #[arg(short, long)]
    pub(crate) verbose: bool,
}
