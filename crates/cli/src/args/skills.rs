//! The flags of what is done with skills.

use std::path::PathBuf;

use agon_install::skills::{DEFAULT_SKILL_BUDGET, MatchRequest};
use clap::{Args, Subcommand, ValueHint};

/// What to do with skills.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum SkillsCommand {
    /// Choose skills for a request, within a budget of tokens
    Match(MatchArgs),
    /// Say why a skill is given for a request or not, part by part
    Explain(ExplainArgs),
    /// List the skills that there are
    List(SkillsListArgs),
    /// Print a skill
    Show(SkillsShowArgs),
    /// Check skills, and what their names and descriptions take together; writes nothing
    Lint(SkillsLintArgs),
    /// Read a folder of skills that have a manifest, and write them as skills of Agon's
    Import(ImportArgs),
}

/// Choose skills for a request, within a budget of tokens.
#[derive(Clone, Debug, Args)]
#[command(after_help = MATCH)]
pub(crate) struct MatchArgs {
    /// What is to be done
    #[arg(value_name = "REQUEST")]
    pub(crate) request: String,

    #[command(flatten)]
    pub(crate) whom: WhomArgs,
}

/// Say why a skill is given for a request or not, part by part.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXPLAIN)]
pub(crate) struct ExplainArgs {
    /// The skill, also by a name that it has elsewhere
    #[arg(value_name = "SKILL")]
    pub(crate) skill: String,

    /// What is to be done
    #[arg(value_name = "REQUEST")]
    pub(crate) request: String,

    #[command(flatten)]
    pub(crate) whom: WhomArgs,
}

/// For whom skills are chosen, and within which bounds.
#[derive(Clone, Debug, Args)]
pub(crate) struct WhomArgs {
    /// The role that is to do it: its own skills come first, and none that is for others
    #[arg(long, value_name = "ROLE")]
    pub(crate) role: Option<String>,

    /// The AI tool that its model runs in: no skill that is for others
    #[arg(long, value_name = "HOST")]
    pub(crate) host: Option<String>,

    /// The most tokens that all of it may take
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SKILL_BUDGET, value_parser = agon_config::parse_number)]
    pub(crate) budget: u64,

    /// The tokens that are left before its model reads worse; the lesser of both holds
    #[arg(long, value_name = "N", value_parser = agon_config::parse_number)]
    pub(crate) room: Option<u64>,

    #[command(flatten)]
    pub(crate) from: FromArgs,
}

impl WhomArgs {
    /// What is asked for.
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

/// Which skills there are besides ours.
#[derive(Clone, Debug, Args)]
pub(crate) struct FromArgs {
    /// A folder with further skills, which are only read; may be given several times
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) from: Vec<PathBuf>,
}

/// List the skills that there are.
#[derive(Clone, Debug, Args)]
#[command(after_help = LIST)]
pub(crate) struct SkillsListArgs {
    #[command(flatten)]
    pub(crate) from: FromArgs,
}

/// Print a skill.
#[derive(Clone, Debug, Args)]
#[command(after_help = SHOW)]
pub(crate) struct SkillsShowArgs {
    /// Its name, also one that it has elsewhere
    #[arg(value_name = "NAME")]
    pub(crate) name: String,

    #[command(flatten)]
    pub(crate) from: FromArgs,
}

/// Check skills, and what their names and descriptions take together; writes nothing.
#[derive(Clone, Debug, Args)]
#[command(after_help = SKILLS_LINT)]
pub(crate) struct SkillsLintArgs {
    /// The folder of skills [default: those of Agon]
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) dir: Option<PathBuf>,
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

    /// Keep the tools and commands that a skill allows itself
    #[arg(long)]
    pub(crate) keep_permissions: bool,

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

const MATCH: &str = "\
A skill is given where the request names it, has its words and phrases, or is like its example
requests in English, German, French, Spanish or Chinese; most requests call for none. Skills of a
folder have no example requests. A skill is given whole, or as one of its sections, or as a line
that says how to read it, whatever is worth most within the budget; nothing is cut. A quarter is
added to the tokens that are counted, since the tokenizers of others take more. A skill of a folder
is passed over, and named, where one of ours has its name or it has a fault.

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
Each skill is checked as `agon hosts lint` does it, and so are the tokens that it takes against
those that it says it takes. Claude Code lists skills in 1 % of its model's window and Codex in 2 %:
what is beyond that is dropped without a word. Exit code 8 where something is wrong.

Examples:
  agon skills lint
  agon skills lint .claude/skills --json";
