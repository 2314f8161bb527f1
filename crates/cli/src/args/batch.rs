//! The flags of `agon batch`.

use std::path::PathBuf;

use agon_batch::columns::{Column, Field};
use agon_batch::select::Shard;
use agon_config::default;
use clap::{Args, ValueHint};

use super::context_help;
use super::debate::{LimitArgs, SeatArgs};

/// Run many debates from a file.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct BatchArgs {
    /// JSON lines of requests, or a table (.csv, or .jsonl with --topic)
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,

    /// Topic of each row of a table; `{name}` is the text of a column
    #[arg(long, value_name = "TEMPLATE")]
    pub(crate) topic: Option<String>,

    #[arg(long, value_name = "FIELD=COLUMN", value_parser = Column::parse, help = format!("Set a field of each request from a column; repeat for more ({})", Field::NAMES.join(", ")))]
    pub(crate) column: Vec<Column>,

    /// Keep the batch in DIR [default: the file's name and .batch]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) out: Option<PathBuf>,

    /// Show what the batch will take, and call no tool
    #[arg(long, visible_alias = "estimate")]
    pub(crate) dry_run: bool,

    /// Start without asking (required without a terminal)
    #[arg(long, short = 'y')]
    pub(crate) yes: bool,

    /// Run debates again that failed
    #[arg(long)]
    pub(crate) retry_failed: bool,

    /// Hold each debate N times
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) repeat: u32,

    /// Run a random sample of N debates
    #[arg(long, value_name = "N")]
    pub(crate) sample: Option<usize>,

    /// Choose another sample
    #[arg(long, hide_short_help = true, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// Run part I of N, such as 2/4; rows that are added later do not move others
    #[arg(long, hide_short_help = true, value_name = "I/N", value_parser = Shard::parse)]
    pub(crate) shard: Option<Shard>,

    /// Write a JUnit report to FILE at the end
    #[arg(long, hide_short_help = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) junit: Option<PathBuf>,

    /// Run in the background, with the limits of unattended runs; --status shows the progress
    #[arg(long)]
    pub(crate) detach: bool,

    // Set when Agon starts the background process of a batch, which was confirmed.
    #[arg(long, hide = true)]
    pub(crate) handed: bool,

    /// Show the progress of this batch, and start nothing
    #[arg(long, conflicts_with_all = ["dry_run", "detach"])]
    pub(crate) status: bool,

    /// Hold one round with low effort: three calls
    #[arg(long, hide_short_help = true, conflicts_with = "deep")]
    pub(crate) quick: bool,

    /// Hold three rounds with high effort and three judges
    #[arg(long, hide_short_help = true)]
    pub(crate) deep: bool,

    #[arg(long, hide_short_help = true, value_name = "N", help = format!("Number of rounds, 1 to 5 [default: {}]", default::ROUNDS), value_parser = |text: &str| super::parse_count(text, 1_u16..=5))]
    pub(crate) rounds: Option<u16>,

    /// Ask the judge once, not again with the sides swapped and the names hidden
    #[arg(long, hide_short_help = true)]
    pub(crate) no_swap: bool,

    #[arg(long, hide_short_help = true, value_name = "WHAT", help = context_help(default::CONTEXT))]
    pub(crate) context: Vec<String>,

    /// Fetch cited web pages and check the quotations (internet addresses only)
    #[arg(long, hide_short_help = true)]
    pub(crate) verify_urls: bool,

    /// Send context even if it seems to contain a secret
    #[arg(long, hide_short_help = true)]
    pub(crate) allow_secrets: bool,

    /// Stop when the whole batch has used N tokens, such as 50M
    #[arg(long, value_name = "N", value_parser = super::parse_amount)]
    pub(crate) max_total_tokens: Option<u64>,

    /// Stop when the whole batch has cost DOLLARS, if tools report their cost
    #[arg(long, value_name = "DOLLARS", value_parser = agon_config::parse_dollars)]
    pub(crate) max_total_cost: Option<f64>,

    /// Stop this run after TIME, such as 8h
    #[arg(long, value_name = "TIME", value_parser = super::parse_max_time)]
    pub(crate) max_total_time: Option<u64>,

    #[command(flatten)]
    pub(crate) seats: SeatArgs,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

const EXAMPLES: &str = "\
Run the same command again to continue: finished debates are not asked again, and added rows are
run. Results are in results.jsonl and results.csv in the batch's folder.

Examples:
  agon batch questions.jsonl --dry-run
  agon batch claims.csv --topic \"Is this true: {claim}?\" --column id=key --yes
  agon batch questions.jsonl --retry-failed --junit report.xml --yes";
