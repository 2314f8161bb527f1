//! The flags of `agon review`.

use std::path::{Path, PathBuf};

use agon_verdict::review::DefectSeverity;
use clap::{Args, ValueEnum, ValueHint};

use super::debate::{LimitArgs, SeatArgs};
use super::live::LiveArgs;

/// Let AI tools debate whether a change is safe to ship, and list the defects that code could verify.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ChangeReviewArgs {
    /// Change: a commit, A..B, A...B, or the number of a pull request [default: what this branch
    /// changes]
    #[arg(value_name = "REV|PR")]
    pub(crate) revision: Option<String>,

    /// Print the review in this format [default: text]
    #[arg(long, value_name = "FORMAT", value_enum, conflicts_with = "output")]
    pub(crate) format: Option<ReviewFormat>,

    /// Write the review to this .md, .json, .sarif or .txt file, even if it fails; repeat for more
    #[arg(short, long, value_name = "PATH", value_hint = ValueHint::FilePath)]
    pub(crate) output: Vec<PathBuf>,

    /// Exit 8 if a defect, or an objection that stands, is at least this severe
    #[arg(long, value_name = "SEVERITY", value_enum, default_value_t = FailOn::Major)]
    pub(crate) fail_on: FailOn,

    /// Read the change's description from this file; a line that begins with `Agon:` is a question
    /// to the debate
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath)]
    pub(crate) description: Option<PathBuf>,

    /// Hold one round with low effort: three calls
    #[arg(long)]
    pub(crate) quick: bool,

    /// Show seats, calls and limits without calling any tool
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Name the debate's folder NAME [default: review-COMMIT]
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    pub(crate) slug: Option<String>,

    /// Send the change even if it seems to contain a secret
    #[arg(long, hide_short_help = true)]
    pub(crate) allow_secrets: bool,

    #[command(flatten)]
    pub(crate) live: LiveArgs,

    #[command(flatten)]
    pub(crate) seats: SeatArgs,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

const EXAMPLES: &str = "\
A defect is listed only if the words that it quotes are in the commit and its own side did not
give it up. A file that did not fit into the context is named. Without a verdict, there is no
review.

Examples:
  agon review
  agon review main..HEAD --quick
  agon review 1204 --format md
  agon review HEAD -o comment.md -o agon.sarif --fail-on blocker";

/// A format of a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReviewFormat {
    /// Lines for a screen
    Text,
    /// A comment on a pull request
    Md,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// The document `agon.review/1`
    Json,
}

impl ReviewFormat {
    /// Returns the format that a file's ending selects.
    pub(crate) fn of_file(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "md" => Some(Self::Md),
            "json" => Some(Self::Json),
            "sarif" => Some(Self::Sarif),
            "txt" => Some(Self::Text),
            _ => None,
        }
    }
}

/// The least severe defect that fails a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    /// No defect
    None,
    /// Any defect
    Minor,
    /// Major defects and blockers
    Major,
    /// Blockers
    Blocker,
}

impl FailOn {
    /// Returns the least severity that fails; `None` if no defect does.
    pub(crate) fn least(self) -> Option<DefectSeverity> {
        match self {
            Self::None => None,
            Self::Minor => Some(DefectSeverity::Minor),
            Self::Major => Some(DefectSeverity::Major),
            Self::Blocker => Some(DefectSeverity::Blocker),
        }
    }
}
