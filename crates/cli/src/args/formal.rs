//! The flags of `agon new` and `agon run`.

use agon_config::default;
use agon_debates::request::{Effort, Transport};
use agon_record::format::{FormatName, Judging};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::complete::{debate_completer, tool_completer};
use super::debate::LimitArgs;
use super::exit::ExitArgs;
use super::{LiveArgs, context_help, effort_help, parse_effort, parse_transport};

/// Open a formal debate: a motion, two sides, a judge who scores every argument.
#[derive(Clone, Debug, Default, Args)]
#[command(after_help = NEW_EXAMPLES)]
pub(crate) struct NewArgs {
    /// Motion in several words; `-` reads stdin, `@FILE` reads a file. A single word, or any text
    /// with --motion, names the debate's folder
    #[arg(value_name = "MOTION|NAME")]
    pub(crate) words: Vec<String>,

    /// Motion, if the argument is a name
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) motion: Option<String>,

    /// Format of the debate
    #[arg(long, value_name = "FORMAT", value_parser = scored_format_parser(), hide = has_single_scored_format())]
    pub(crate) format: Option<FormatName>,

    /// Name the debate's folder NAME [default: from the motion]
    #[arg(long, value_name = "NAME")]
    pub(crate) slug: Option<String>,

    /// Define a term of the motion; repeat for more
    #[arg(long, value_name = "TERM=MEANING")]
    pub(crate) define: Vec<String>,

    /// What the motion covers, and what it does not
    #[arg(long, value_name = "TEXT")]
    pub(crate) scope: Option<String>,

    /// Claim that the proposition defends, phrased positively [default: written by the judge]
    #[arg(long, value_name = "THESIS", requires = "thesis_against")]
    pub(crate) thesis_for: Option<String>,

    /// Claim that the opposition defends, phrased positively [default: written by the judge]
    #[arg(long, value_name = "THESIS", requires = "thesis_for")]
    pub(crate) thesis_against: Option<String>,

    #[arg(long, value_name = "WHAT", help = context_help(default::QUESTION_CONTEXT))]
    pub(crate) context: Vec<String>,

    /// Fetch cited web pages and check the quotations (internet addresses only)
    #[arg(long)]
    pub(crate) verify_urls: bool,

    /// Send context even if it seems to contain a secret
    #[arg(long)]
    pub(crate) allow_secrets: bool,

    /// Use no defaults; fail if the name, the motion or a thesis is missing
    #[arg(long)]
    pub(crate) strict: bool,
}

/// Returns the formats that `agon new` can open: those scored after every exchange.
fn scored_formats() -> impl Iterator<Item = FormatName> {
    let all = FormatName::ALL.iter().copied();
    all.filter(|format| format.rules().judging == Judging::EachRound)
}

fn scored_format_parser() -> impl TypedValueParser<Value = FormatName> {
    PossibleValuesParser::new(scored_formats().map(|format| format.rules().name)).try_map(|name| {
        let named = scored_formats().find(|format| format.rules().name == name);
        named.ok_or("use one of the values")
    })
}

/// Whether there is only one format, so that the help hides the choice.
fn has_single_scored_format() -> bool {
    scored_formats().count() < 2
}

const NEW_EXAMPLES: &str = "\
Examples:
  agon new \"This house would ban private cars in cities\"
  agon new halt-ai --motion \"Resolved: AI should be halted\" --define \"AI=frontier models\"
  agon run halt-ai 3";

/// Run exchanges of a formal debate.
#[derive(Clone, Debug, Default, Args)]
#[command(after_help = RUN_EXAMPLES)]
pub(crate) struct RunArgs {
    /// Folder, name or id of the debate [default: the only formal one]
    #[arg(add = debate_completer())]
    pub(crate) debate: Option<String>,

    #[arg(value_name = "EXCHANGES", help = format!(
        "Number of rebuttal exchanges; a pending opening or judgment comes first and does not count [default: {}]",
        default::EXCHANGES,
    ), value_parser = |text: &str| super::parse_count(text, 0_u16..=1_000))]
    pub(crate) exchanges: Option<u16>,

    /// Show seats, calls and limits without calling any tool
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Ask again if a stored reply belongs to a different prompt
    #[arg(long, hide_short_help = true)]
    pub(crate) ask_again: bool,

    /// Use no defaults; fail if a parameter is missing
    #[arg(long, hide_short_help = true)]
    pub(crate) strict: bool,

    /// Run in the background; `agon watch` shows the debate
    #[arg(long, conflicts_with_all = ["exit_code", "require"])]
    pub(crate) detach: bool,

    #[command(flatten)]
    pub(crate) exit: ExitArgs,

    #[command(flatten)]
    pub(crate) live: LiveArgs,

    // Last, because their help headings apply to every flag that follows.
    #[command(flatten)]
    pub(crate) seats: FormalSeatArgs,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

const RUN_EXAMPLES: &str = "\
Limits apply only to this run. Seats that you do not name stay as in the last run. For a duel,
this is the same as `agon resume`. To add arguments and scores from another program, use `agon
ops`.

Examples:
  agon run halt-ai 3 --proposition claude --opposition codex --judge gemini
  agon run halt-ai --judge gemini --judge claude --judge codex
  agon run halt-ai 1 --opposition human   # you, against a tool";

/// The seats of a formal debate: who debates and who judges.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Seats")]
pub(crate) struct FormalSeatArgs {
    /// Tool that argues for the motion
    #[arg(long, value_name = "TOOL")]
    #[arg(add = tool_completer())]
    pub(crate) proposition: Option<String>,

    /// Tool that argues against it
    #[arg(long, value_name = "TOOL")]
    #[arg(add = tool_completer())]
    pub(crate) opposition: Option<String>,

    /// Tool that judges; repeat for a panel [default: another]
    #[arg(long, value_name = "TOOL")]
    #[arg(add = tool_completer())]
    pub(crate) judge: Vec<String>,

    /// Model of the proposition
    #[arg(long, hide_short_help = true, value_name = "MODEL")]
    pub(crate) model_proposition: Option<String>,

    /// Model of the opposition
    #[arg(long, hide_short_help = true, value_name = "MODEL")]
    pub(crate) model_opposition: Option<String>,

    /// Model of the judge; repeat for each judge of a panel, in their order
    #[arg(long, hide_short_help = true, value_name = "MODEL")]
    pub(crate) model_judge: Vec<String>,

    #[arg(long, value_parser = parse_effort, help = effort_help("every seat"))]
    pub(crate) effort: Option<Effort>,

    /// Reasoning effort of the proposition
    #[arg(long, hide_short_help = true, value_name = "EFFORT", value_parser = parse_effort)]
    pub(crate) effort_proposition: Option<Effort>,

    /// Reasoning effort of the opposition
    #[arg(long, hide_short_help = true, value_name = "EFFORT", value_parser = parse_effort)]
    pub(crate) effort_opposition: Option<Effort>,

    /// Reasoning effort of every judge [default: that of --effort, and at least high]
    #[arg(long, hide_short_help = true, value_name = "EFFORT", value_parser = parse_effort)]
    pub(crate) effort_judge: Option<Effort>,

    /// Transport of every tool: acp (one conversation for the debate) or cli (one start for each
    /// answer) [default: as before, else acp if supported]
    #[arg(long, hide_short_help = true, value_name = "TRANSPORT", value_parser = parse_transport)]
    pub(crate) transport: Option<Transport>,

    /// Let another tool take the seat of a named tool that cannot be used
    #[arg(long, hide_short_help = true)]
    pub(crate) substitute: bool,
}
