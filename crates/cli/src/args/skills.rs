//! The flags of what is done with skills.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueHint};

/// What to do with skills.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum SkillsCommand {
    /// Read a folder of skills that have a manifest, and write them as skills of Agon's
    Import(ImportArgs),
}

/// Read a folder of skills that have a manifest, and write them as skills of Agon's.
#[derive(Clone, Debug, Args)]
#[command(after_help = IMPORT)]
pub(crate) struct ImportArgs {
    /// The folder: one skill, or skills in folders below it
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) dir: PathBuf,

    /// The folder that gets them, each in a folder of its name
    #[arg(long, value_name = "DIR", default_value = "skills", value_hint = ValueHint::DirPath)]
    pub(crate) to: PathBuf,

    /// Show what would be done, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

const IMPORT: &str = "\
Each skill is a folder with a manifest.json, a flat object of name, version, description, triggers,
applicable_agents, max_context_tokens and entry_file. Its entry becomes SKILL.md, with the fields in
its front matter; other files come along. What is kept, translated and left out is said of each, and
the budget is raised where the skill takes more tokens than it says.

A skill with a fault is refused with file and line, the others are written; nothing that is there is
replaced. Exit code 8 where one was refused, 7 where one was there already with another text.

Examples:
  agon skills import ~/their-skills --dry-run
  agon skills import ~/their-skills --to .claude/skills
  agon skills import ~/their-skills/design-first --json";
