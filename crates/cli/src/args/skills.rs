//! The flags of `agon skills`.

use std::path::PathBuf;

use agon_install::skills::{DEFAULT_SKILL_BUDGET, MatchRequest};
use clap::{Args, Subcommand, ValueHint};

/// What to do with skills.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum SkillsCommand {
    /// Choose the skills for a request, within a token budget
    Match(MatchArgs),
    /// Explain why a skill is chosen for a request or not
    Explain(ExplainArgs),
    /// List the available skills
    List(SkillsListArgs),
    /// Print a skill
    Show(SkillsShowArgs),
    /// Check skills, and the total size of their names and descriptions (writes nothing)
    Lint(SkillsLintArgs),
    /// Convert a folder of skills with manifests into Agon skills
    Import(ImportArgs),
}

/// Choose the skills for a request, within a token budget.
#[derive(Clone, Debug, Args)]
#[command(after_help = MATCH)]
pub(crate) struct MatchArgs {
    /// Task that needs skills, in words
    #[arg(value_name = "REQUEST")]
    pub(crate) request: String,

    #[command(flatten)]
    pub(crate) whom: SkillTargetArgs,
}

/// Explain why a skill is chosen for a request or not.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXPLAIN)]
pub(crate) struct ExplainArgs {
    /// Name of the skill; other tools' names for it work too
    #[arg(value_name = "SKILL")]
    pub(crate) skill: String,

    /// Task that needs skills, in words
    #[arg(value_name = "REQUEST")]
    pub(crate) request: String,

    #[command(flatten)]
    pub(crate) whom: SkillTargetArgs,
}

/// Who skills are chosen for, and their limits.
#[derive(Clone, Debug, Args)]
pub(crate) struct SkillTargetArgs {
    /// Prefer skills of ROLE, and leave out skills for other roles
    #[arg(long, value_name = "ROLE")]
    pub(crate) role: Option<String>,

    /// Leave out skills for AI tools other than HOST
    #[arg(long, value_name = "HOST")]
    pub(crate) host: Option<String>,

    /// Use at most N tokens in total
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SKILL_BUDGET, value_parser = agon_config::parse_number)]
    pub(crate) budget: u64,

    /// Tokens left before the model gets worse; the lower of --budget and --room applies
    #[arg(long, value_name = "N", value_parser = agon_config::parse_number)]
    pub(crate) room: Option<u64>,

    #[command(flatten)]
    pub(crate) from: SkillSourceArgs,
}

impl SkillTargetArgs {
    /// Returns the request for `request` with these limits.
    pub(crate) fn request(&self, request: &str) -> MatchRequest {
        MatchRequest {
            request: request.to_owned(),
            role: self.role.clone(),
            pinned: None,
            host: self.host.clone(),
            budget: Some(self.budget),
            room: self.room,
            from: self.from.from.clone(),
        }
    }
}

/// Where to find skills besides Agon's own.
#[derive(Clone, Debug, Args)]
pub(crate) struct SkillSourceArgs {
    /// Folder with more skills, which is only read; repeat for more
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) from: Vec<PathBuf>,
}

/// List the available skills.
#[derive(Clone, Debug, Args)]
#[command(after_help = LIST)]
pub(crate) struct SkillsListArgs {
    #[command(flatten)]
    pub(crate) from: SkillSourceArgs,
}

/// Print a skill.
#[derive(Clone, Debug, Args)]
#[command(after_help = SHOW)]
pub(crate) struct SkillsShowArgs {
    /// Name of the skill; other tools' names for it work too
    #[arg(value_name = "NAME")]
    pub(crate) name: String,

    #[command(flatten)]
    pub(crate) from: SkillSourceArgs,
}

/// Check skills, and the total size of their names and descriptions (writes nothing).
#[derive(Clone, Debug, Args)]
#[command(after_help = SKILLS_LINT)]
pub(crate) struct SkillsLintArgs {
    /// Folder of skills [default: Agon's own skills]
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) dir: Option<PathBuf>,
}

/// Convert a folder of skills with manifests into Agon skills.
#[derive(Clone, Debug, Args)]
#[command(after_help = IMPORT)]
pub(crate) struct ImportArgs {
    /// Folder of one skill, or of several skills in subfolders
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) dir: PathBuf,

    /// Folder to write the skills to, each in a subfolder with its name
    #[arg(long, value_name = "DIR", default_value = "skills", value_hint = ValueHint::DirPath)]
    pub(crate) to: PathBuf,

    /// Keep the tools and commands that a skill allows
    #[arg(long)]
    pub(crate) keep_permissions: bool,

    /// Show what would be done without writing anything
    #[arg(long)]
    pub(crate) dry_run: bool,
}

const IMPORT: &str = "\
Each skill is a folder with a manifest.json, a flat object of name, version, description,
triggers, applicable_agents, max_context_tokens and entry_file. The entry file becomes SKILL.md,
with the fields in its front matter; other files are copied. For each skill, Agon lists what it
keeps, translates and leaves out. It raises the budget of a skill that needs more tokens than
declared.

Agon refuses a faulty skill, with file and line, and writes the others. It overwrites nothing.
Exits with 8 if a skill was refused, and with 7 if one exists already with a different text.

Examples:
  agon skills import ~/their-skills --dry-run
  agon skills import ~/their-skills --to .claude/skills
  agon skills import ~/their-skills/design-first --json";

const MATCH: &str = "\
Chooses a skill if the request names it, contains its words and phrases, or is similar to its
example requests in English, German, French, Spanish or Chinese. Most requests need no skill.
Skills from a folder have no example requests. Prints each skill in full, or one of its sections,
or a line on how to read it, whichever is worth most within the budget. Nothing is cut off. Token
counts include a margin of 25 %, because other tokenizers count more. Skips and reports a skill
from a folder if it is faulty or has the name of one of Agon's.

Examples:
  agon skills match \"Break the billing project down into tickets\"
  agon skills match \"Why is test_upload flaky?\" --role worker --room 600
  agon skills match \"Review my merge request\" --host codex --from .claude/skills --json";

const EXPLAIN: &str = "\
Examples:
  agon skills explain root-cause-analysis \"The nightly job sometimes fails\"
  agon skills explain debate \"Stress test the server\" --role lead";

const LIST: &str = "\
Examples:
  agon skills list
  agon skills list --from .claude/skills --json";

const SHOW: &str = "\
Examples:
  agon skills show debate
  agon skills show cek-context-engineering";

const SKILLS_LINT: &str = "\
Checks each skill like `agon hosts lint`, and compares its size in tokens with the declared size.
Claude Code lists skills within 1 % of its model's context window, Codex within 2 %. Both silently
drop the rest. Exits with 8 if there is an error.

Examples:
  agon skills lint
  agon skills lint .claude/skills --json";
