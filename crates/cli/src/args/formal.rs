//! The flags of `agon new` and `agon run`.

use agon_app::default;
use agon_app::request::{Effort, Transport};
use clap::Args;

use super::complete::{debate_completer, tool_completer};
use super::debate::LimitArgs;
use super::{context_help, effort_help, parse_effort, parse_transport};

/// Open a formal debate, without calling anybody yet.
#[derive(Clone, Debug, Default, Args)]
#[command(after_help = NEW_EXAMPLES)]
pub(crate) struct NewArgs {
    /// The motion, in any style: several words, `-` for stdin, `@FILE` for a file. With --motion, or
    /// as one word, the name of the debate's folder
    #[arg(value_name = "MOTION|NAME")]
    pub(crate) words: Vec<String>,

    /// The motion, where a name is given besides
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) motion: Option<String>,

    /// The name of the debate's folder [default: from the motion]
    #[arg(long, value_name = "NAME")]
    pub(crate) slug: Option<String>,

    /// What a term of the motion means; may be given several times
    #[arg(long, value_name = "TERM=MEANING")]
    pub(crate) define: Vec<String>,

    /// What the motion covers and what it does not
    #[arg(long, value_name = "TEXT")]
    pub(crate) scope: Option<String>,

    /// What the proposition defends, put positively [default: the judge is asked]
    #[arg(long, value_name = "THESIS", requires = "thesis_against")]
    pub(crate) thesis_for: Option<String>,

    /// What the opposition defends, put positively [default: the judge is asked]
    #[arg(long, value_name = "THESIS", requires = "thesis_for")]
    pub(crate) thesis_against: Option<String>,

    #[arg(long, value_name = "WHAT", help = context_help(default::QUESTION_CONTEXT))]
    pub(crate) context: Vec<String>,

    /// Ask for the pages that are cited, and check the words there; only pages of the public net
    #[arg(long)]
    pub(crate) verify_urls: bool,

    /// Send context even if it seems to hold a secret
    #[arg(long)]
    pub(crate) allow_secrets: bool,

    /// Take nothing by default: name, motion and theses must be given
    #[arg(long)]
    pub(crate) strict: bool,
}

const NEW_EXAMPLES: &str = "\
Examples:
  agon new \"This house would ban private cars in cities\"
  agon new halt-ai --motion \"Resolved: AI development should be halted\" --define \"AI=frontier models\"
  agon run halt-ai 3";

/// Go on with a formal debate for some exchanges.
#[derive(Clone, Debug, Default, Args)]
#[command(after_help = RUN_EXAMPLES)]
pub(crate) struct RunArgs {
    /// The debate: a folder, a name or an id [default: the only formal one]
    #[arg(add = debate_completer())]
    pub(crate) debate: Option<String>,

    #[arg(value_name = "N", help = format!(
        "Rebuttal exchanges; an opening or a judgment that is due comes first and does not count [default: {}]",
        default::EXCHANGES,
    ), value_parser = |text: &str| super::parse_count(text, 0_u16..=1_000))]
    pub(crate) exchanges: Option<u16>,

    /// Show seats, calls and bounds, and call nothing
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Ask again where a stored reply answers something else than would be asked now
    #[arg(long)]
    pub(crate) ask_again: bool,

    /// Take nothing by default: every parameter must be given
    #[arg(long)]
    pub(crate) strict: bool,

    /// Run it in the background and return at once; `agon wait` says when it is over
    #[arg(long)]
    pub(crate) detach: bool,

    // A heading holds for all that follows it: these stay last.
    #[command(flatten)]
    pub(crate) seats: FormalSeatArgs,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

const RUN_EXAMPLES: &str = "\
The bounds are those of this run alone. Seats that are not named stay as they were in the last run.
On a duel it does what `agon resume` does.

Examples:
  agon run halt-ai 3 --proposition claude --opposition codex --judge gemini
  agon run halt-ai --judge gemini --judge claude --judge codex
  agon run halt-ai 1 --opposition human         # you, with a form; the other side is a tool

`agon ops` takes arguments and scores that another program brings.
  agon run";

/// Who sits where in a formal debate.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Seats")]
pub(crate) struct FormalSeatArgs {
    /// The tool that argues for the motion
    #[arg(long, value_name = "TOOL")]
    #[arg(add = tool_completer())]
    pub(crate) proposition: Option<String>,

    /// The tool that argues against it
    #[arg(long, value_name = "TOOL")]
    #[arg(add = tool_completer())]
    pub(crate) opposition: Option<String>,

    /// The tool that judges; given several times, a panel [default: one of a third vendor]
    #[arg(long, value_name = "TOOL")]
    #[arg(add = tool_completer())]
    pub(crate) judge: Vec<String>,

    /// The proposition's model
    #[arg(long, value_name = "MODEL")]
    pub(crate) model_proposition: Option<String>,

    /// The opposition's model
    #[arg(long, value_name = "MODEL")]
    pub(crate) model_opposition: Option<String>,

    /// The judge's model; given several times, one a judge, in their order
    #[arg(long, value_name = "MODEL")]
    pub(crate) model_judge: Vec<String>,

    #[arg(long, value_parser = parse_effort, help = effort_help("every seat thinks, judges at least high"))]
    pub(crate) effort: Option<Effort>,

    /// How hard the proposition thinks
    #[arg(long, value_name = "EFFORT", value_parser = parse_effort)]
    pub(crate) effort_proposition: Option<Effort>,

    /// How hard the opposition thinks
    #[arg(long, value_name = "EFFORT", value_parser = parse_effort)]
    pub(crate) effort_opposition: Option<Effort>,

    /// How hard every judge thinks [default: high, or what --effort says where that is more]
    #[arg(long, value_name = "EFFORT", value_parser = parse_effort)]
    pub(crate) effort_judge: Option<Effort>,

    /// How every tool is spoken to: acp, one conversation for the whole debate, or cli, one start
    /// for each answer [default: as before, else acp where a tool knows it]
    #[arg(long, value_name = "WAY", value_parser = parse_transport)]
    pub(crate) transport: Option<Transport>,

    /// Let another tool take the seat of one that you named and that cannot be used
    #[arg(long)]
    pub(crate) substitute: bool,
}
