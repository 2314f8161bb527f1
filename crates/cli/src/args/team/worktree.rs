//! The flags of `agon team worktree` and `agon team clean`.

use agon_teamwork::{WorktreeSettings, worktree::SetupCommand};
use clap::{ArgGroup, Args, Subcommand};

use crate::args::parse_timeout;

/// What to do with the `[worktree]` section.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum WorktreeCommand {
    /// Set what new work trees get, replacing the previous settings (lead or human only)
    #[command(override_usage = "agon team worktree set [OPTIONS]")]
    Set(WorktreeSetArgs),
    /// Show what new work trees get
    #[command(after_help = SHOW)]
    Show,
    /// Remove the settings, so that new work trees contain only their commit (lead or human only)
    #[command(after_help = RM)]
    Rm,
}

/// Set what new work trees get.
#[derive(Clone, Debug, Args)]
#[command(after_help = SET)]
#[command(group = ArgGroup::new("gets").required(true).multiple(true).args(["copy", "link", "command"]))]
pub(crate) struct WorktreeSetArgs {
    /// Copy these ignored files of the main work tree; repeat for more
    #[arg(long, value_name = "GLOB")]
    pub(crate) copy: Vec<String>,

    /// Link to this ignored file or folder of the main work tree; repeat for more
    #[arg(long, value_name = "PATH")]
    pub(crate) link: Vec<String>,

    /// Command to run once in each new work tree, without a shell
    #[arg(value_name = "COMMAND", last = true)]
    pub(crate) command: Vec<String>,

    /// Limit the command to TIME
    #[arg(long = "for", value_name = "TIME", value_parser = parse_timeout, requires = "command", default_value = "10m")]
    pub(crate) seconds: u64,

    /// Pass this environment variable to the command; repeat for more
    #[arg(long, value_name = "NAME", requires = "command")]
    pub(crate) env: Vec<String>,
}

impl WorktreeSetArgs {
    /// Returns the settings for the `[worktree]` section.
    pub(crate) fn settings(&self) -> WorktreeSettings {
        WorktreeSettings {
            copy: self.copy.clone(),
            link: self.link.clone(),
            setup: (!self.command.is_empty()).then(|| SetupCommand {
                argv: self.command.clone(),
                timeout_s: self.seconds,
                env: self.env.clone(),
            }),
        }
    }
}

/// Remove work trees and branches of finished members.
#[derive(Clone, Debug, Args)]
#[command(after_help = CLEAN)]
pub(crate) struct CleanArgs {
    /// Members and runs to clean up, such as ada or r1 [default: all finished ones]
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,

    /// Show what would be removed and what would stay
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Also remove work that exists nowhere else, and named members and runs that are not finished
    #[arg(long)]
    pub(crate) force: bool,

    /// Remove without asking
    #[arg(long)]
    pub(crate) yes: bool,
}

const SET: &str = "\
The settings are stored next to the team's database, outside every work tree, so members cannot
change them. Each new work tree gets the files from the main work tree once; existing files stay.
Git must ignore them there too, so that they are never committed.
The member's AI tool can read a copied .env. A link points to your own files: a gate or a setup
command that writes there changes them. OpenCode is not started, because it would write through
links.

Examples:
  agon team worktree set --copy .env --link node_modules
  agon team worktree set --copy \"config/*.local.json\" -- npm ci
  agon team worktree set --for 20m --env NPM_TOKEN -- npm ci";

const SHOW: &str = "\
Examples:
  agon team worktree show
  agon team worktree show --json";

const RM: &str = "\
Examples:
  agon team worktree rm";

const CLEAN: &str = "\
A member is finished if it is idle, has no open task and its run has landed. Uncommitted changes
and commits that are on no other branch are listed and kept; --force removes them too. To remove a
member with an open task or a run that could be resumed, use --force and its name. Ignored files
in a work tree are removed with it.

Examples:
  agon team clean --dry-run
  agon team clean
  agon team clean ada r1 --yes --json
  agon team clean bob --force";
