//! The flags of the commands that steer a debate.

use agon_app::default;
use agon_app::request::Transport;
use clap::Args;

use super::debate::LimitArgs;
use super::parse_transport;

/// Say something into a debate, for both seats and the judge.
#[derive(Clone, Debug, Args)]
#[command(after_help = SAY_EXAMPLES)]
pub(crate) struct SayArgs {
    /// The debate: a folder, a name or an id
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

/// Send a duel to the judge now.
#[derive(Clone, Debug, Args)]
#[command(after_help = JUDGE_HELP)]
pub(crate) struct JudgeArgs {
    /// The debate: a folder, a name or an id [default: the running one]
    pub(crate) debate: Option<String>,
}

const JUDGE_HELP: &str = "\
The judge rules on what was said so far; a turn that is under way is cut short. In round 1 it is
asked once both sides have spoken. The verdict has full authority, and says after which round.";

/// Stop a debate that runs.
#[derive(Clone, Debug, Args)]
#[command(after_help = STOP_HELP)]
pub(crate) struct StopArgs {
    /// The debate: a folder, a name or an id [default: the running one]
    pub(crate) debate: Option<String>,
}

const STOP_HELP: &str = "\
It does what Ctrl-C does in the terminal where the debate runs, and waits until it has stopped.
Nothing is lost; `agon resume` goes on. A debate that does not run is left as it is.";

/// Go on with a debate that has ended.
#[derive(Clone, Debug, Default, Args)]
#[command(after_help = CONTINUE_HELP)]
pub(crate) struct ContinueArgs {
    /// The debate: a folder, a name or an id [default: the latest]
    pub(crate) debate: Option<String>,

    #[arg(value_name = "N", help = format!("How many more rounds to play [default: {}]", default::MORE_ROUNDS),
          value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) rounds: Option<u16>,

    /// Say this first, for both seats and the judge
    #[arg(long, value_name = "TEXT")]
    pub(crate) note: Option<String>,

    /// Ask again where a stored reply answers something else than would be asked now
    #[arg(long)]
    pub(crate) ask_again: bool,

    /// Go on in the background and return at once; `agon wait` says when it is over
    #[arg(long)]
    pub(crate) detach: bool,

    /// How every tool is spoken to: acp, one conversation for the whole debate, or cli, one start
    /// for each answer [default: as before]
    #[arg(long, value_name = "WAY", value_parser = parse_transport)]
    pub(crate) transport: Option<Transport>,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

const CONTINUE_HELP: &str = "\
A closed duel takes more rounds, at most 10 in all, with the same seats; turns that were lost are
asked for again first. A fresh verdict then replaces the old one, and the record keeps both. The
bounds are those of these rounds alone. A duel that has not ended is planned that much longer. On
a formal debate it does what `agon run` does.

Examples:
  agon continue job-store
  agon continue job-store 2 --note \"we get a second writer process in August\"";
