//! The flags of what new work trees get, and of their removal.

use agon_teamwork::{WorktreeSettings, worktree::SetupCommand};
use clap::{ArgGroup, Args, Subcommand};

use crate::args::parse_timeout;

/// What to do with the `[worktree]` section.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum WorktreeCommand {
    /// Set what new work trees of members get, in place of what was set before; the lead or a person
    #[command(override_usage = "agon team worktree set [OPTIONS]")]
    Set(WorktreeSetArgs),
    /// Show what new work trees of members get
    #[command(after_help = SHOW)]
    Show,
    /// Remove it: new work trees have the files of their commit alone; the lead or a person
    #[command(after_help = RM)]
    Rm,
}

/// Set what new work trees get.
#[derive(Clone, Debug, Args)]
#[command(after_help = SET)]
#[command(group = ArgGroup::new("gets").required(true).multiple(true).args(["copy", "link", "command"]))]
pub(crate) struct WorktreeSetArgs {
    /// Copy these ignored files of the main work tree; repeatable
    #[arg(long, value_name = "GLOB")]
    pub(crate) copy: Vec<String>,

    /// Link to this ignored file or folder of the main work tree; repeatable
    #[arg(long, value_name = "PATH")]
    pub(crate) link: Vec<String>,

    /// After `--`: run this command once in each new work tree; no shell reads it
    #[arg(value_name = "COMMAND", last = true)]
    pub(crate) command: Vec<String>,

    /// The most time that the command takes
    #[arg(long = "for", value_name = "TIME", value_parser = parse_timeout, requires = "command", default_value = "10m")]
    pub(crate) seconds: u64,

    /// Also give the command this variable of your environment; repeatable
    #[arg(long, value_name = "NAME", requires = "command")]
    pub(crate) env: Vec<String>,
}

impl WorktreeSetArgs {
    /// The section.
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

/// Remove work trees and branches of members that are done.
#[derive(Clone, Debug, Args)]
#[command(after_help = CLEAN)]
pub(crate) struct CleanArgs {
    /// Only these members and runs, such as ada or r1 [default: all that are done]
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,

    /// Show what would be removed, and what would stay
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Remove work that is nowhere else too, and named ones even if they are not done
    #[arg(long)]
    pub(crate) force: bool,

    /// Remove without a question
    #[arg(long)]
    pub(crate) yes: bool,
}

const SET: &str = "\
The section is kept beside the team's file, in no work tree: what a member changes never changes it.
Files come from the main work tree, once for each tree; what is in the tree already stays. Git must
ignore them there too, so that they are never committed.
A copy of .env is readable by the member's AI tool. A link leads to your own files: what a gate or
the command writes there changes them. OpenCode would write through it and is not started.

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
A member is done if it is not at work, has no open task and its run has landed. Uncommitted changes
and commits that no other branch has are listed and stay; --force removes them too. A member whose
task is open and a run that could be resumed go only by --force with their name. Ignored files in a
work tree are removed with it.

Examples:
  agon team clean --dry-run
  agon team clean
  agon team clean ada r1 --yes --json
  agon team clean bob --force";
