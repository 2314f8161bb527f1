//! The flags of the commands that steer a debate.

use agon_config::default;
use clap::Args;

use super::complete::debate_completer;
use super::debate::GoOnArgs;

/// Say something into a debate, for both seats and the judge.
#[derive(Clone, Debug, Args)]
#[command(after_help = SAY_EXAMPLES)]
pub(crate) struct SayArgs {
    /// The debate: a folder, a name or an id
    #[arg(add = debate_completer())]
    pub(crate) debate: String,

    /// What you say; `-` reads it from stdin
    #[arg(
        value_name = "TEXT",
        required_unless_present = "run",
        conflicts_with = "run"
    )]
    pub(crate) text: Vec<String>,

    /// Run this command here, by a shell; how it ends and what it prints become evidence
    #[arg(long, value_name = "COMMAND", allow_hyphen_values = true)]
    pub(crate) run: Option<String>,

    /// How long the command may take, in seconds or as in 10m
    #[arg(long, value_name = "TIME", requires = "run", default_value_t = default::COMMAND_TIMEOUT_S,
          value_parser = super::parse_timeout)]
    pub(crate) timeout: u64,
}

const SAY_EXAMPLES: &str = "\
It may run or stand still: in both cases every prompt from then on has what you say, marked as
yours, and so have the transcript and the verdict. Secrets are taken out first. Of what a command
prints at most 64 KiB are kept, from its beginning and its end; nothing runs it but you.

Examples:
  agon say job-store \"we get a second writer process in August\"
  agon say job-store --run \"cargo test --workspace\"
  git log --oneline -20 | agon say job-store -";

/// Send a debate to the judge now.
#[derive(Clone, Debug, Args)]
#[command(after_help = JUDGE_HELP)]
pub(crate) struct JudgeArgs {
    /// The debate: a folder, a name or an id [default: the running one]
    #[arg(add = debate_completer())]
    pub(crate) debate: Option<String>,
}

const JUDGE_HELP: &str = "\
The judge rules on what was said so far; a turn that is under way is cut short. In round 1 it is
asked once both sides have spoken. The verdict has full authority, and says after which round.

Examples:
  agon judge
  agon judge job-store";

/// Stop a debate that runs.
#[derive(Clone, Debug, Args)]
#[command(after_help = STOP_HELP)]
pub(crate) struct StopArgs {
    /// The debate: a folder, a name or an id [default: the running one]
    #[arg(add = debate_completer())]
    pub(crate) debate: Option<String>,
}

const STOP_HELP: &str = "\
It does what Ctrl-C does in the terminal where the debate runs, and waits until it has stopped.
Nothing is lost; `agon resume` goes on. A debate that does not run is left as it is.

Examples:
  agon stop
  agon stop job-store, then: agon resume job-store";

/// Continue a debate: finish it, or add rounds to one that has ended.
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
    pub(crate) how: GoOnArgs,
}

const CONTINUE_HELP: &str = "\
An unfinished debate continues as with `agon resume`; with N it first gets N more rounds, also
while it runs. A closed duel takes more rounds with the same seats, at most 10 in all; lost turns
are asked for again first. The new verdict replaces the old one, and the record keeps both. The
limits apply to these rounds alone. On a formal debate it does what `agon run` does.

Examples:
  agon continue
  agon continue job-store
  agon continue job-store 2 --note \"we get a second writer process in August\"";
