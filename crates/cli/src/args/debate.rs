//! The flags of `agon debate` and `agon resume`.

use std::path::PathBuf;

use agon_caller::bounds::Bounds;
use agon_config::default;
use agon_debates::request::{Effort, Seat, ToolName, Transport};
use clap::{Args, ValueHint};

use super::complete::{debate_completer, tool_completer};
use super::exit::ExitArgs;
use super::{LiveArgs, context_help, effort_help, parse_effort, parse_seat, parse_transport};

/// Let two AI tools argue a topic, and a third one judge.
#[derive(Clone, Debug, Default, Args)]
#[command(after_help = EXAMPLES, after_long_help = ALL_EXAMPLES)]
pub(crate) struct DebateArgs {
    /// Topic, or `TOOL vs TOOL about TOPIC`; `-` reads it from stdin
    #[arg(value_name = "TOPIC")]
    pub(crate) topic: Vec<String>,

    /// Hold one round with low effort: three calls
    #[arg(long, conflicts_with_all = ["deep"])]
    pub(crate) quick: bool,

    /// Hold three rounds with high effort and three judges
    #[arg(long)]
    pub(crate) deep: bool,

    #[arg(long, value_name = "N", help = format!("Number of rounds, 1 to 5 [default: {}]", default::ROUNDS), value_parser = |text: &str| super::parse_count(text, 1_u16..=5))]
    pub(crate) rounds: Option<u16>,

    /// Ask the judge once, not again with the sides swapped and the names hidden
    #[arg(long, hide_short_help = true)]
    pub(crate) no_swap: bool,

    #[arg(long, value_name = "WHAT", help = context_help(default::CONTEXT))]
    pub(crate) context: Vec<String>,

    /// Show every seat the nearest earlier verdicts in this folder, at most three
    #[arg(long, hide_short_help = true)]
    pub(crate) with_precedents: bool,

    /// Name the debate's folder NAME [default: from the topic]
    #[arg(long, hide_short_help = true, value_name = "NAME")]
    pub(crate) slug: Option<String>,

    /// Fetch cited web pages and check the quotations (internet addresses only)
    #[arg(long, hide_short_help = true)]
    pub(crate) verify_urls: bool,

    /// Send context even if it seems to contain a secret
    #[arg(long, hide_short_help = true)]
    pub(crate) allow_secrets: bool,

    /// Allow the download of the built-in model (98 MB) if no AI tool is installed [default: ask
    /// on a terminal]
    #[arg(long)]
    pub(crate) allow_download: bool,

    /// Show seats, calls and limits without calling any tool
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Use no defaults; fail if a parameter is missing
    #[arg(long, hide_short_help = true)]
    pub(crate) strict: bool,

    /// Run in the background; `agon watch` shows the debate
    #[arg(long, conflicts_with_all = ["exit_code", "require"])]
    pub(crate) detach: bool,

    /// Start a new debate even if an identical one was started within the last hour
    #[arg(long, hide_short_help = true)]
    pub(crate) again: bool,

    #[command(flatten)]
    pub(crate) exit: ExitArgs,

    #[command(flatten)]
    pub(crate) live: LiveArgs,

    // These come last, because a help heading applies to every flag after it.
    #[command(flatten)]
    pub(crate) seats: SeatArgs,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

const EXAMPLES: &str = "\
Examples:
  agon debate \"SQLite or plain files for the job store?\"
  agon debate codex vs gemini about \"tabs or spaces\"
  agon debate \"Is this change safe to ship?\" --context diff --judge gemini";

const ALL_EXAMPLES: &str = "\
Examples:
  agon debate \"SQLite or plain files for the job store?\"
  agon debate codex vs gemini about \"tabs or spaces\"
  agon debate \"Is this change safe to ship?\" --context diff --judge gemini
  agon debate \"Split the service?\" --deep --detach --json
  agon debate \"Split the service?\" --proposer claude --challenger human
  agon debate \"Split the service?\" --judge gemini --judge copilot --judge opencode";

/// The seats: who debates and who judges.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Seats")]
pub(crate) struct SeatArgs {
    /// Tool that proposes; `human` is you, in any seat
    #[arg(long, value_name = "TOOL")]
    #[arg(add = tool_completer())]
    pub(crate) proposer: Option<String>,

    /// Tool that challenges
    #[arg(long, value_name = "TOOL")]
    #[arg(add = tool_completer())]
    pub(crate) challenger: Option<String>,

    /// Tool that judges; repeat for a panel [default: another]
    #[arg(long, value_name = "TOOL")]
    #[arg(add = tool_completer())]
    pub(crate) judge: Vec<String>,

    /// Model of the proposer
    #[arg(long, hide_short_help = true, value_name = "MODEL")]
    pub(crate) model_proposer: Option<String>,

    /// Model of the challenger
    #[arg(long, hide_short_help = true, value_name = "MODEL")]
    pub(crate) model_challenger: Option<String>,

    /// Model of the judge; repeat for each judge of a panel, in their order
    #[arg(long, hide_short_help = true, value_name = "MODEL")]
    pub(crate) model_judge: Vec<String>,

    #[arg(long, value_parser = parse_effort, help = effort_help("every seat"))]
    pub(crate) effort: Option<Effort>,

    /// Reasoning effort of the proposer
    #[arg(long, hide_short_help = true, value_name = "EFFORT", value_parser = parse_effort)]
    pub(crate) effort_proposer: Option<Effort>,

    /// Reasoning effort of the challenger
    #[arg(long, hide_short_help = true, value_name = "EFFORT", value_parser = parse_effort)]
    pub(crate) effort_challenger: Option<Effort>,

    /// Reasoning effort of every judge [default: that of --effort, and at least high unless
    /// --quick]
    #[arg(long, hide_short_help = true, value_name = "EFFORT", value_parser = parse_effort)]
    pub(crate) effort_judge: Option<Effort>,

    /// Transport of every tool: acp (one conversation for the debate) or cli (one start for each
    /// answer) [default: as before, else acp if supported]
    #[arg(long, hide_short_help = true, value_name = "TRANSPORT", value_parser = parse_transport)]
    pub(crate) transport: Option<Transport>,

    /// Let the same tool and model argue both sides (the verdict says so)
    #[arg(long, hide_short_help = true)]
    pub(crate) same_tool: bool,

    /// Let another tool take the seat of a named tool that cannot be used
    #[arg(long, hide_short_help = true)]
    pub(crate) substitute: bool,
}

/// Limits on time, calls, tokens and cost.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArgs {
    #[arg(long, hide_short_help = true, help = format!("Limit one turn to TIME, such as 90s [default: {}m]", default::TIMEOUT_S / 60), value_name = "TIME", value_parser = super::parse_timeout)]
    pub(crate) timeout: Option<u64>,

    #[arg(long, hide_short_help = true, value_name = "N", value_parser = super::parse_calls,
          help = format!("Make at most N calls [default: the planned ones and {} more]", default::SPARE_CALLS))]
    pub(crate) max_calls: Option<u32>,

    #[arg(long, hide_short_help = true, value_name = "N", value_parser = super::parse_amount,
          help = format!("Use at most N tokens, in and out, such as 100k [default: {}k]", default::MAX_TOKENS / 1_000))]
    pub(crate) max_tokens: Option<u64>,

    #[arg(long, help = format!("Limit the debate to TIME, such as 10m [default: {}m]", default::MAX_TIME_S / 60), value_name = "TIME", value_parser = super::parse_max_time)]
    pub(crate) max_time: Option<u64>,

    /// Spend at most DOLLARS, if tools report their cost
    #[arg(long, value_name = "DOLLARS", value_parser = agon_config::parse_dollars)]
    pub(crate) max_cost: Option<f64>,
}

impl LimitArgs {
    /// Returns the limits that were given.
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

/// Resume a debate that was stopped or cut off.
#[derive(Clone, Debug, Default, Args)]
#[command(after_help = RESUME_HELP)]
pub(crate) struct ResumeArgs {
    /// Folder, name or id of the debate [default: the only unfinished one]
    #[arg(add = debate_completer())]
    pub(crate) debate: Option<String>,

    // Set when Agon starts the background process of a debate.
    #[arg(long, hide = true)]
    pub(crate) handed: bool,

    #[command(flatten)]
    pub(crate) how: ContinueOptions,
}

const RESUME_HELP: &str = "\
Keeps the answers given so far. If a person's turn is next, Agon asks for the answer or reads it
from --answer. `agon continue` also resumes, and can add rounds to a debate that has ended.

Examples:
  agon resume
  agon resume job-store --max-calls 16
  agon resume job-store --answer challenge.md --detach";

/// How to continue a debate.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ContinueOptions {
    /// Submit a person's answer from FILE, or from stdin for `-` [default: ask on a terminal,
    /// otherwise read the completed form in the debate's folder]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) answer: Option<PathBuf>,

    /// Seat that the answer is for, if several people have a turn
    #[arg(long, hide_short_help = true, value_parser = parse_seat)]
    pub(crate) seat: Option<Seat>,

    /// Submit the answer even if it breaks rules (it is sent back once, then accepted with its errors)
    #[arg(long, hide_short_help = true)]
    pub(crate) as_is: bool,

    /// Ask again if a stored reply belongs to a different prompt
    #[arg(long, hide_short_help = true)]
    pub(crate) ask_again: bool,

    /// Continue in the background; `agon watch` shows the debate
    #[arg(long, conflicts_with_all = ["exit_code", "require"])]
    pub(crate) detach: bool,

    #[command(flatten)]
    pub(crate) live: LiveArgs,

    /// Transport of every tool: acp (one conversation for the debate) or cli (one start for each
    /// answer) [default: as before, else acp if supported]
    #[arg(long, hide_short_help = true, value_name = "TRANSPORT", value_parser = parse_transport)]
    pub(crate) transport: Option<Transport>,

    /// Let another tool take a seat from here on, such as challenger=codex; repeat for more
    #[arg(long, value_name = "SEAT=TOOL", value_parser = parse_replacement)]
    pub(crate) replace: Vec<(Seat, ToolName)>,

    /// Let another tool replace each side whose tool failed before its first turn
    #[arg(long)]
    pub(crate) substitute: bool,

    #[command(flatten)]
    pub(crate) exit: ExitArgs,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

/// Parses `SEAT=TOOL` from the command line.
fn parse_replacement(text: &str) -> Result<(Seat, ToolName), String> {
    let (seat, tool) = text
        .split_once('=')
        .ok_or("write SEAT=TOOL, such as challenger=codex")?;
    let tool = tool.parse().map_err(|error| format!("{error}"))?;
    Ok((parse_seat(seat)?, tool))
}
