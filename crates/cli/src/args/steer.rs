//! The flags of the commands that steer a debate.

use agon_config::default;
use agon_debates::request::DecisionKind;
use clap::{ArgGroup, Args};

use super::complete::debate_completer;
use super::debate::ContinueOptions;

/// Add a note or the output of a command to a debate.
#[derive(Clone, Debug, Args)]
#[command(after_help = SAY_EXAMPLES)]
pub(crate) struct SayArgs {
    /// Folder, name or id of the debate
    #[arg(add = debate_completer())]
    pub(crate) debate: String,

    /// Text of the note; `-` reads it from stdin
    #[arg(
        value_name = "TEXT",
        required_unless_present = "run",
        conflicts_with = "run"
    )]
    pub(crate) text: Vec<String>,

    /// Run COMMAND in a shell here, and add its exit code and output as evidence
    #[arg(long, value_name = "COMMAND", allow_hyphen_values = true)]
    pub(crate) run: Option<String>,

    /// Limit the command to TIME, in seconds or as in 10m
    #[arg(long, value_name = "TIME", requires = "run", default_value_t = default::COMMAND_TIMEOUT_S,
          value_parser = super::parse_timeout)]
    pub(crate) timeout: u64,
}

const SAY_EXAMPLES: &str = "\
The debate may be running or stopped. Every later prompt contains your note, marked as yours, and
so do the transcript and the verdict. Agon removes secrets first. It keeps at most 64 KiB of a
command's output, from its beginning and its end. Only you can run a command this way.

Examples:
  agon say job-store \"we get a second writer process in August\"
  agon say job-store --run \"cargo test --workspace\"
  git log --oneline -20 | agon say job-store -";

/// Record whether you took the answer of a debate, and why.
#[derive(Clone, Debug, Args)]
#[command(after_help = DECIDE_HELP)]
#[command(group = ArgGroup::new("what").required(true).args(["taken", "partly", "not_taken"]))]
pub(crate) struct DecideArgs {
    /// Folder, name or id of the debate [default: the latest]
    #[arg(add = debate_completer())]
    pub(crate) debate: Option<String>,

    /// The answer was taken
    #[arg(long)]
    pub(crate) taken: bool,

    /// Parts of the answer were taken
    #[arg(long)]
    pub(crate) partly: bool,

    /// The answer was not taken
    #[arg(long)]
    pub(crate) not_taken: bool,

    /// Reason, in a sentence or two
    #[arg(long, value_name = "REASON", required = true)]
    pub(crate) why: String,
}

impl DecideArgs {
    /// Returns what became of the answer.
    pub(crate) fn outcome(&self) -> DecisionKind {
        match (self.taken, self.partly) {
            (true, _) => DecisionKind::Taken,
            (_, true) => DecisionKind::Partly,
            (false, false) => DecisionKind::NotTaken,
        }
    }
}

const DECIDE_HELP: &str = "\
Needs a verdict. The verdict itself stays as it is; `agon show`, `agon list`, `agon recall`, the
report and the decision record also say what became of it. You can decide again: the latest
decision counts, and the record keeps the earlier ones. Agon removes secrets from the reason.

Examples:
  agon decide job-store --taken --why \"one writer is enough until August\"
  agon decide job-store --not-taken --why \"the hosting plan has no disk\"
  agon decide --partly --why \"the lease yes, the second file no\"";

/// Send a debate to the judge now.
#[derive(Clone, Debug, Args)]
#[command(after_help = JUDGE_HELP)]
pub(crate) struct JudgeArgs {
    /// Folder, name or id of the debate [default: the running one]
    #[arg(add = debate_completer())]
    pub(crate) debate: Option<String>,
}

const JUDGE_HELP: &str = "\
The judge rules on the debate so far, and the current turn is cancelled. In round 1, Agon first
waits until both sides have spoken. The verdict has full authority, and names the round.

Examples:
  agon judge
  agon judge job-store";

/// Stop a running debate; `agon resume` continues it.
#[derive(Clone, Debug, Args)]
#[command(after_help = STOP_HELP)]
pub(crate) struct StopArgs {
    /// Folder, name or id of the debate [default: the running one]
    #[arg(add = debate_completer())]
    pub(crate) debate: Option<String>,
}

const STOP_HELP: &str = "\
Works like Ctrl-C in the debate's terminal, and waits until the debate has stopped. Nothing is
lost; `agon resume` continues. A debate that is not running stays unchanged.

Examples:
  agon stop
  agon stop job-store, then: agon resume job-store";

/// Finish a debate, or add rounds to one that has ended.
#[derive(Clone, Debug, Default, Args)]
#[command(after_help = CONTINUE_HELP)]
pub(crate) struct ContinueArgs {
    /// Folder, name or id of the debate [default: the latest]
    #[arg(add = debate_completer())]
    pub(crate) debate: Option<String>,

    #[arg(value_name = "N", help = format!("Number of rounds to add [default: {}]", default::MORE_ROUNDS),
          value_parser = |text: &str| super::parse_count(text, 1_u16..=9))]
    pub(crate) rounds: Option<u16>,

    /// Add this note first, for both seats and the judge
    #[arg(long, value_name = "TEXT")]
    pub(crate) note: Option<String>,

    #[command(flatten)]
    pub(crate) how: ContinueOptions,
}

const CONTINUE_HELP: &str = "\
Continues an unfinished debate like `agon resume`. With N, adds N rounds first, even to a running
debate. A finished duel gets more rounds with the same seats, at most 10 rounds in total; Agon
first asks again for turns that failed. The new verdict replaces the old one, and the record keeps
both. Limits apply only to these rounds. For a formal debate, this is the same as `agon run`.

Examples:
  agon continue
  agon continue job-store
  agon continue job-store 2 --note \"we get a second writer process in August\"";
