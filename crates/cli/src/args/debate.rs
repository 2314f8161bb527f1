//! The flags of `agon debate` and `agon resume`.

use std::path::PathBuf;

use agon_app::default;
use agon_app::request::{Bounds, Effort, Seat, ToolName, Transport};
use clap::{Args, ValueHint};

use super::complete::{debate_completer, tool_completer};
use super::{context_help, effort_help, parse_effort, parse_seat, parse_transport};

/// Let two AI tools argue a topic, and a third one judge.
#[derive(Clone, Debug, Default, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DebateArgs {
    /// The topic, or `TOOL vs TOOL about TOPIC`; `-` reads it from stdin
    #[arg(value_name = "TOPIC")]
    pub(crate) topic: Vec<String>,

    #[arg(long, help = format!("Rounds, 1 to 5 [default: {}]", default::ROUNDS), value_parser = |text: &str| super::parse_count(text, 1_u16..=5))]
    pub(crate) rounds: Option<u16>,

    /// One round, low effort, no first answers, no swap: three calls
    #[arg(long, conflicts_with_all = ["deep"])]
    pub(crate) quick: bool,

    /// Three rounds, high effort, a panel of three judges: twelve calls
    #[arg(long)]
    pub(crate) deep: bool,

    /// Ask the judge once, not a second time with the sides swapped and the names hidden
    #[arg(long)]
    pub(crate) no_swap: bool,

    #[arg(long, value_name = "WHAT", help = context_help(default::CONTEXT))]
    pub(crate) context: Vec<String>,

    /// Tell every seat of the nearest earlier verdicts here, as data; at most three
    #[arg(long)]
    pub(crate) with_precedents: bool,

    /// The name of the debate's folder [default: from the topic]
    #[arg(long)]
    pub(crate) slug: Option<String>,

    /// Ask for the pages that are cited, and check the words there; only pages of the public net
    #[arg(long)]
    pub(crate) verify_urls: bool,

    /// Send context even if it seems to hold a secret
    #[arg(long)]
    pub(crate) allow_secrets: bool,

    /// Permit the download of the built-in model (98 MB) if no AI tool is installed [default: ask
    /// on a terminal]
    #[arg(long)]
    pub(crate) allow_download: bool,

    /// Show seats, calls and bounds, and call nothing
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Take nothing by default: every parameter must be given
    #[arg(long)]
    pub(crate) strict: bool,

    /// Run it in the background and return at once; `agon wait` says when it is over
    #[arg(long)]
    pub(crate) detach: bool,

    /// Start it even if the same debate was started within the hour; without this, --detach and
    /// --json give that one while it runs or when it has its answer
    #[arg(long)]
    pub(crate) again: bool,

    // A heading holds for all that follows it: these stay last.
    #[command(flatten)]
    pub(crate) seats: SeatArgs,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

const EXAMPLES: &str = "\
Examples:
  agon debate \"SQLite or plain files for the job store?\"
  agon debate codex vs gemini about \"tabs or spaces\"
  agon debate quick claude vs codex about \"tabs or spaces\"
  agon debate \"Is this change safe to ship?\" --context diff --proposer claude --challenger codex
  agon debate \"Split the service?\" --deep --judge gemini --json
  agon debate \"Split the service?\" --detach --json
  agon debate \"Split the service?\" --proposer claude --challenger human
  agon debate \"Split the service?\" --judge gemini --judge copilot --judge opencode";

/// Who sits where.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Seats")]
pub(crate) struct SeatArgs {
    /// The tool that proposes; `human` for yourself, here and in the other seats
    #[arg(long, value_name = "TOOL")]
    #[arg(add = tool_completer())]
    pub(crate) proposer: Option<String>,

    /// The tool that challenges
    #[arg(long, value_name = "TOOL")]
    #[arg(add = tool_completer())]
    pub(crate) challenger: Option<String>,

    /// The tool that judges; given several times, a panel [default: a third one of another vendor]
    #[arg(long, value_name = "TOOL")]
    #[arg(add = tool_completer())]
    pub(crate) judge: Vec<String>,

    /// The proposer's model
    #[arg(long, value_name = "MODEL")]
    pub(crate) model_proposer: Option<String>,

    /// The challenger's model
    #[arg(long, value_name = "MODEL")]
    pub(crate) model_challenger: Option<String>,

    /// The judge's model; given several times, one a judge, in their order
    #[arg(long, value_name = "MODEL")]
    pub(crate) model_judge: Vec<String>,

    #[arg(long, value_parser = parse_effort, help = effort_help("every seat thinks, judges at least high but with --quick"))]
    pub(crate) effort: Option<Effort>,

    /// How hard the proposer thinks
    #[arg(long, value_name = "EFFORT", value_parser = parse_effort)]
    pub(crate) effort_proposer: Option<Effort>,

    /// How hard the challenger thinks
    #[arg(long, value_name = "EFFORT", value_parser = parse_effort)]
    pub(crate) effort_challenger: Option<Effort>,

    /// How hard every judge thinks [default: high, or what --effort says where that is more]
    #[arg(long, value_name = "EFFORT", value_parser = parse_effort)]
    pub(crate) effort_judge: Option<Effort>,

    /// How every tool is spoken to: acp, one conversation for the whole debate, or cli, one start
    /// for each answer [default: acp where a tool knows it]
    #[arg(long, value_name = "WAY", value_parser = parse_transport)]
    pub(crate) transport: Option<Transport>,

    /// Let one tool with one model sit on both sides; the verdict says so
    #[arg(long)]
    pub(crate) same_tool: bool,

    /// Let another tool take the seat of one that you named and that cannot be used
    #[arg(long)]
    pub(crate) substitute: bool,
}

/// Bounds.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Bounds")]
pub(crate) struct LimitArgs {
    #[arg(long, help = format!("How long one turn may take, such as 90s [default: {}m]", default::TIMEOUT_S / 60), value_name = "TIME", value_parser = super::parse_timeout)]
    pub(crate) timeout: Option<u64>,

    #[arg(long, value_name = "N", value_parser = super::parse_calls,
          help = format!("The most calls [default: those planned and {} more]", default::SPARE_CALLS))]
    pub(crate) max_calls: Option<u32>,

    #[arg(long, value_name = "N", value_parser = super::parse_amount,
          help = format!("The most tokens, in and out, such as 100k [default: {}k]", default::MAX_TOKENS / 1_000))]
    pub(crate) max_tokens: Option<u64>,

    #[arg(long, help = format!("How long the debate may run, such as 10m [default: {}m]", default::MAX_TIME_S / 60), value_name = "TIME", value_parser = super::parse_max_time)]
    pub(crate) max_time: Option<u64>,

    /// The most US dollars, counted where a tool reports them
    #[arg(long, value_name = "DOLLARS", value_parser = agon_app::parse_dollars)]
    pub(crate) max_cost: Option<f64>,
}

impl LimitArgs {
    /// The bounds that are given.
    pub(crate) fn bounds(&self) -> Bounds {
        Bounds {
            timeout: self.timeout,
            max_calls: self.max_calls,
            max_tokens: self.max_tokens,
            max_time: self.max_time,
            max_cost: self.max_cost,
        }
    }
}

/// Go on with a debate that was stopped, cut off or halted.
#[derive(Clone, Debug, Default, Args)]
#[command(after_help = RESUME_HELP)]
pub(crate) struct ResumeArgs {
    /// The debate: a folder, a name or an id [default: the only one to go on with]
    #[arg(add = debate_completer())]
    pub(crate) debate: Option<String>,

    // How a process is started that a debate is handed to.
    #[arg(long, hide = true)]
    pub(crate) handed: bool,

    #[command(flatten)]
    pub(crate) how: GoOnArgs,
}

const RESUME_HELP: &str = "\
Nothing is asked again that was answered. A person whose turn it is is asked for it, or hands it in
with --answer. `agon continue` does the same, and adds rounds to a debate that has ended.

Examples:
  agon resume
  agon resume job-store --max-calls 16
  agon resume job-store --answer challenge.md --detach";

/// How a debate goes on.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct GoOnArgs {
    /// Hand in a person's answer from this file, or from stdin for `-` [default: on a terminal, you
    /// are asked; elsewhere the form in the debate's folder, once it does not say it is unfinished]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) answer: Option<PathBuf>,

    /// The seat that the answer is of, where several people are awaited
    #[arg(long, value_parser = parse_seat)]
    pub(crate) seat: Option<Seat>,

    /// Hand in an answer although it breaks rules: it is sent back once, then taken with its errors
    #[arg(long)]
    pub(crate) as_is: bool,

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

    /// Let another tool take a seat from here on, such as challenger=codex; may be given several
    /// times
    #[arg(long, value_name = "SEAT=TOOL", value_parser = parse_replacement)]
    pub(crate) replace: Vec<(Seat, ToolName)>,

    /// Let another tool take the seat of each side that could not be used and has not spoken
    #[arg(long)]
    pub(crate) substitute: bool,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

/// Reads `SEAT=TOOL` from the command line.
fn parse_replacement(text: &str) -> Result<(Seat, ToolName), String> {
    let (seat, tool) = text
        .split_once('=')
        .ok_or("write SEAT=TOOL, such as challenger=codex")?;
    let tool = tool.parse().map_err(|error| format!("{error}"))?;
    Ok((parse_seat(seat)?, tool))
}
