//! The flags of what is seen of a team, and of its file.

use std::path::PathBuf;

use agon_teamwork::{Epoch, TaskId};
use clap::Args;

use super::parse_epoch;

/// Show tasks, members and locks.
#[derive(Clone, Debug, Args)]
#[command(after_help = STATUS)]
pub(crate) struct TeamStatusArgs {
    /// Say why a task or a member stands as it does
    #[arg(long, value_name = "NAME", conflicts_with = "watch")]
    pub(crate) why: Option<String>,

    /// Show it again whenever it changes, until Ctrl-C
    #[arg(long)]
    pub(crate) watch: bool,
}

/// Give your word on what was submitted.
#[derive(Clone, Debug, Args)]
#[command(after_help = REVIEW)]
#[command(group = clap::ArgGroup::new("word").required(true))]
pub(crate) struct ReviewArgs {
    /// The task, such as t2
    #[arg(value_name = "TASK")]
    pub(crate) task: TaskId,

    /// The epoch of the change that you looked at, as `task show` has it
    #[arg(long, value_name = "N", value_parser = parse_epoch)]
    pub(crate) epoch: Option<Epoch>,

    /// It may be taken
    #[arg(long, group = "word")]
    pub(crate) approve: bool,

    /// It goes back
    #[arg(long, group = "word")]
    pub(crate) send_back: bool,

    /// What you found, in one line
    #[arg(long, value_name = "TEXT")]
    pub(crate) note: String,
}

/// Show what happened.
#[derive(Clone, Debug, Args)]
#[command(after_help = LOG)]
pub(crate) struct TeamLogArgs {
    /// After the event with this number
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) after: i64,

    /// Since then: 7d, 24h, 2w, or a day such as 2026-11-01 (UTC)
    #[arg(long, value_name = "WHEN")]
    pub(crate) since: Option<String>,

    /// Go on with what happens from now on, until Ctrl-C
    #[arg(long, short)]
    pub(crate) follow: bool,
}

/// Write the team as JSON lines.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXPORT)]
pub(crate) struct TeamExportArgs {
    /// A file that is not there [default: stdout]
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
}

/// Import tasks, or a team.
#[derive(Clone, Debug, Args)]
#[command(after_help = IMPORT)]
pub(crate) struct TeamImportArgs {
    /// A Markdown checklist, a Backlog.md folder, a beads file, or what `agon team export` wrote
    #[arg(value_name = "FILE|FOLDER")]
    pub(crate) file: PathBuf,

    /// Show what would be added and changed, and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// Say what is wrong with the team's file.
#[derive(Clone, Debug, Args)]
#[command(after_help = DOCTOR)]
pub(crate) struct TeamDoctorArgs {
    /// Repair what can be; the lead or a person
    #[arg(long)]
    pub(crate) repair: bool,
}

const STATUS: &str = "\
Examples:
  agon team status
  agon team status --why t2
  agon team status --why ada
  agon team status --watch
  agon team status --json";

const REVIEW: &str = "\
Only a member who never worked on the task may. A task that is sent back is ready to be claimed.

Examples:
  agon team review t2 --epoch 1 --approve --note \"ran check.sh on its commit: exit 0\"
  agon team review t2 --epoch 1 --send-back --note \"greets an empty name\"";

const LOG: &str = "\
What messages say stands in none of it.

Examples:
  agon team log
  agon team log --since 24h
  agon team log --after 120 --follow --json";

const EXPORT: &str = "\
It has everything, messages too, but what proves who a member is. A file is written whole or not at
all.

Examples:
  agon team export
  agon team export team.jsonl";

const IMPORT: &str = "\
The kind is told from what is in it. Tasks are imported by the lead or a person; imported again, a
list brings its changes, and what was changed here too stays as it is here. Of a nested checklist an
item needs those below it. Fields that Agon does not know are kept with the task.
An export needs a repository without a team, or with an empty one; members join again.

Examples:
  agon team import TODO.md --dry-run
  agon team import backlog
  agon team import .beads/issues.jsonl
  agon team import team.jsonl";

const DOCTOR: &str = "\
Without --repair it changes nothing, and says of each finding what would be done. The exit code is 8
where something is wrong.

Examples:
  agon team doctor
  agon team doctor --repair
  agon team doctor --json";
