//! The flags of `agon trial`.

use std::path::PathBuf;

use agon_config::default;
use agon_trial::arm::Arm;
use agon_trial::dataset::DATA_SETS;
use agon_trial::generate::{Difficulty, Generator};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand, ValueEnum, ValueHint};

use super::debate::{LimitArgs, SeatArgs};

/// Measure whether a debate is worth its price.
#[derive(Clone, Debug, Args)]
#[command(args_conflicts_with_subcommands = true, after_help = EXAMPLES)]
pub(crate) struct TrialArgs {
    #[command(subcommand)]
    pub(crate) command: Option<TrialCommand>,

    #[command(flatten)]
    pub(crate) run: TrialRunArgs,
}

/// What to do with trials.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum TrialCommand {
    /// Show the results of a trial, computed from its folder without a call
    Show(TrialShowArgs),
    /// Compare two trials on the questions that both have
    Compare(TrialCompareArgs),
    /// Generate questions whose right answers are planted
    Generate(TrialGenerateArgs),
}

/// The arms as a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Arms(pub(crate) Vec<Arm>);

fn dataset_help() -> String {
    let names = DATA_SETS.map(|set| set.name).join(", ");
    format!("Use a public data set, fetched from the Python package index: {names}")
}

fn parse_arms(text: &str) -> Result<Arms, String> {
    Arm::parse_list(text).map(Arms)
}

/// A trial to run.
#[derive(Clone, Debug, Args)]
pub(crate) struct TrialRunArgs {
    /// JSON lines of questions with their right answers
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: Option<PathBuf>,

    #[arg(long, value_name = "NAME", conflicts_with = "file", help = dataset_help())]
    pub(crate) dataset: Option<String>,

    /// Ways to answer: one, vote, consult, duel, deep, evidence
    #[arg(long, value_name = "LIST", default_value = "one,vote,duel", value_parser = parse_arms)]
    pub(crate) arms: Arms,

    /// Answers in a vote [default: as many as use the tokens of a debate]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=999))]
    pub(crate) votes: Option<u32>,

    /// Determine the order of options and sides, the sample, and the resamples
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// Use a random sample of N questions
    #[arg(long, value_name = "N")]
    pub(crate) sample: Option<usize>,

    /// Keep the trial in DIR [default: the data set's name and .trial]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) out: Option<PathBuf>,

    /// Show what the trial will take and can show, and call no tool
    #[arg(long, visible_alias = "estimate")]
    pub(crate) dry_run: bool,

    /// Start without asking (required without a terminal)
    #[arg(long, short = 'y')]
    pub(crate) yes: bool,

    /// Run again what failed
    #[arg(long)]
    pub(crate) retry_failed: bool,

    /// Hold duels of one round with low effort: three calls
    #[arg(long, hide_short_help = true)]
    pub(crate) quick: bool,

    #[arg(long, hide_short_help = true, value_name = "N", help = format!("Number of rounds of a duel, 1 to 5 [default: {}]", default::ROUNDS), value_parser = |text: &str| super::parse_count(text, 1_u16..=5))]
    pub(crate) rounds: Option<u16>,

    /// Stop when the whole trial has used N tokens, such as 50M
    #[arg(long, value_name = "N", value_parser = super::parse_amount)]
    pub(crate) max_total_tokens: Option<u64>,

    /// Stop when the whole trial has cost DOLLARS, if tools report their cost
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

/// The form of a report on stdout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum TrialFormat {
    /// Aligned columns
    #[default]
    Text,
    /// Markdown
    Md,
    /// A JSON document, as with --json
    Json,
}

/// A trial to show.
#[derive(Clone, Debug, Args)]
#[command(after_help = SHOW)]
pub(crate) struct TrialShowArgs {
    /// Folder of the trial
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) folder: PathBuf,

    /// Form of the tables
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    pub(crate) format: TrialFormat,

    /// Print one JSON line for each answer instead
    #[arg(long, conflicts_with = "format")]
    pub(crate) outcomes: bool,

    /// Also write the report as a page with pictures to FILE
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) html: Option<PathBuf>,

    /// Also write a log of Inspect (.eval) for each arm to DIR
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) inspect: Option<PathBuf>,
}

/// Two trials to compare.
#[derive(Clone, Debug, Args)]
#[command(after_help = COMPARE)]
pub(crate) struct TrialCompareArgs {
    /// Folder of the first trial
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) first: PathBuf,

    /// Folder of the second trial
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) second: PathBuf,

    /// Form of the tables
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    pub(crate) format: TrialFormat,
}

/// Questions to generate.
#[derive(Clone, Debug, Args)]
#[command(after_help = GENERATE)]
pub(crate) struct TrialGenerateArgs {
    /// Kind of questions: hidden-passage, planted-bug or number-puzzle
    #[arg(value_name = "KIND", value_parser = named_parser(&Generator::ALL, Generator::name))]
    pub(crate) kind: Generator,

    /// Choose other questions
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// How hard the questions are: easy, medium or hard
    #[arg(long, value_name = "LEVEL", default_value = "medium", value_parser = named_parser(&Difficulty::ALL, Difficulty::name))]
    pub(crate) difficulty: Difficulty,

    /// Number of questions
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = parse_question_count)]
    pub(crate) count: usize,

    /// Write to FILE [default: stdout]
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) out: Option<PathBuf>,
}

/// Returns a parser of the names of `all`.
fn named_parser<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let names = all.iter().map(|one| name(*one));
    PossibleValuesParser::new(names).try_map(move |text| {
        let found = all.iter().copied().find(|one| name(*one) == text);
        found.ok_or("unknown name")
    })
}

fn parse_question_count(text: &str) -> Result<usize, String> {
    super::parse_count(text, 1_usize..=100_000)
}

const GENERATE: &str = "\
hidden-passage: a passage that only the arm `evidence` gets. planted-bug: sources in which one
function does not do what its documentation says. number-puzzle: an expression to find. The same
seed gives the same questions.

Examples:
  agon trial generate number-puzzle --count 50 -o puzzles.jsonl
  agon trial generate hidden-passage --difficulty hard --seed 7 -o passages.jsonl";

const EXAMPLES: &str = "\
Every arm answers the same questions. Code grades the answers, so no model judges who is right.
Run the same command again to continue: nothing that has a result is asked again.

Examples:
  agon trial questions.jsonl --proposer claude --challenger codex --judge gemini --dry-run
  agon trial questions.jsonl --arms one,vote,duel,evidence --sample 100 --yes
  agon trial --dataset bigbench:truthful_qa --sample 100 --dry-run
  agon trial show questions.jsonl.trial
  agon trial compare before.trial after.trial";

const SHOW: &str = "\
Examples:
  agon trial show questions.jsonl.trial
  agon trial show questions.jsonl.trial --format md
  agon trial show questions.jsonl.trial --html report.html --inspect logs";

const COMPARE: &str = "\
Examples:
  agon trial compare before.trial after.trial";
