//! The flags of `agon team status`, `review`, `log`, `export`, `import` and `doctor`.

use std::path::PathBuf;

use agon_teamwork::{Epoch, TaskId};
use clap::Args;

use super::parse_epoch;

/// Show tasks, members and locks.
#[derive(Clone, Debug, Args)]
#[command(after_help = STATUS)]
pub(crate) struct TeamStatusArgs {
    /// Explain the state of a task or a member
    #[arg(long, value_name = "NAME", conflicts_with = "watch")]
    pub(crate) why: Option<String>,

    /// Refresh on every change, until Ctrl-C
    #[arg(long)]
    pub(crate) watch: bool,
}

/// Review a task that another member submitted.
#[derive(Clone, Debug, Args)]
#[command(after_help = REVIEW)]
#[command(group = clap::ArgGroup::new("word").required(true))]
pub(crate) struct ReviewArgs {
    /// Task, such as t2
    #[arg(value_name = "TASK")]
    pub(crate) task: TaskId,

    /// Claim number (epoch) of the change that you reviewed; see `agon team task show`
    #[arg(long, value_name = "N", value_parser = parse_epoch)]
    pub(crate) epoch: Option<Epoch>,

    /// Approve the change
    #[arg(long, group = "word")]
    pub(crate) approve: bool,

    /// Send the task back
    #[arg(long, group = "word", alias = "reject")]
    pub(crate) send_back: bool,

    /// Your findings, in one line
    #[arg(long, value_name = "TEXT")]
    pub(crate) note: String,
}

/// Show the team's events, in order.
#[derive(Clone, Debug, Args)]
#[command(after_help = LOG)]
pub(crate) struct TeamLogArgs {
    /// Show only events after number N
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) after: i64,

    /// Show only events since WHEN: 7d, 24h, 2w, or a day such as 2026-11-01 (UTC)
    #[arg(long, value_name = "WHEN")]
    pub(crate) since: Option<String>,

    /// Keep printing new events, until Ctrl-C
    #[arg(long, short)]
    pub(crate) follow: bool,
}

/// Export the team as JSON lines.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXPORT)]
pub(crate) struct TeamExportArgs {
    /// New file to write [default: stdout]
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
}

/// Import tasks, or a team.
#[derive(Clone, Debug, Args)]
#[command(after_help = IMPORT)]
pub(crate) struct TeamImportArgs {
    /// Markdown checklist, Backlog.md folder, beads file, or an export of `agon team export`
    #[arg(value_name = "FILE|FOLDER")]
    pub(crate) file: PathBuf,

    /// Show what would be added and changed without changing anything
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// Check the team's database, and repair it.
#[derive(Clone, Debug, Args)]
#[command(after_help = DOCTOR)]
pub(crate) struct TeamDoctorArgs {
    /// Repair what can be repaired (lead or human only)
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
Only a member who never worked on the task may review it. A task that is sent back can be claimed
again.

Examples:
  agon team review t2 --epoch 1 --approve --note \"ran check.sh on its commit: exit 0\"
  agon team review t2 --epoch 1 --send-back --note \"greets an empty name\"";

const LOG: &str = "\
The log never contains the texts of messages.

Examples:
  agon team log
  agon team log --since 24h
  agon team log --after 120 --follow --json";

const EXPORT: &str = "\
The export contains everything, including messages, except the members' secret tokens. A file is
written completely or not at all.

Examples:
  agon team export
  agon team export team.jsonl";

const IMPORT: &str = "\
Agon detects the format from the content. Only the lead or a human may import tasks. Importing a
list again applies its changes, but keeps what was also changed here. In a nested checklist, an
item depends on the items below it. Unknown fields are stored with the task. Importing an export
requires a repository without a team, or with an empty one; members must join again.

Examples:
  agon team import TODO.md --dry-run
  agon team import backlog
  agon team import .beads/issues.jsonl
  agon team import team.jsonl";

const DOCTOR: &str = "\
Without --repair, only lists each problem and how it would be repaired. Exits with 8 if there is
a problem.

Examples:
  agon team doctor
  agon team doctor --repair
  agon team doctor --json";

#[cfg(test)]
mod tests {
    use clap::{Args as _, FromArgMatches as _};

    use super::*;

    #[test]
    fn a_rejection_sends_the_task_back() {
        let typed = ["review", "t2", "--epoch", "1", "--reject", "--note", "why"];
        let command = ReviewArgs::augment_args(clap::Command::new("review"));
        let matches = command.try_get_matches_from(typed).unwrap();
        let args = ReviewArgs::from_arg_matches(&matches).unwrap();
        assert!(args.send_back && !args.approve);
    }
}
