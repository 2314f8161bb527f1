//! The flags of `agon context calibrate`.

use agon_config::default;
use agon_debates::request::{Effort, ToolName, Transport};
use agon_health::calibrate::CalibrationRequest;
use clap::Args;

use super::complete::tool_completer;
use super::{effort_help, parse_amount, parse_count, parse_effort, parse_transport};

/// Measure from which length of a prompt on a model misses what stands in it.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CalibrateArgs {
    /// Who is measured, named as a seat is: a tool, local:MODEL, or a model behind a key
    #[arg(value_name = "MODEL", add = tool_completer())]
    pub(crate) tool: ToolName,

    /// The model of a tool
    #[arg(long = "model", value_name = "NAME")]
    pub(crate) model: Option<String>,

    #[arg(long, value_parser = parse_effort, help = effort_help("it thinks"))]
    pub(crate) effort: Option<Effort>,

    /// How it is spoken to [default: as in `agon consult`]
    #[arg(long, value_name = "HOW", value_parser = parse_transport)]
    pub(crate) transport: Option<Transport>,

    /// Lengths of prompts in tokens, as in 4k,16k,64k [default: five, by the onset that is known of
    /// the model]
    #[arg(long, value_name = "N,N", value_delimiter = ',', value_parser = parse_amount)]
    pub(crate) lengths: Vec<u64>,

    /// Depths at which facts stand in a prompt, 2 to 16
    #[arg(long, value_name = "N", default_value_t = CalibrationRequest::DEPTHS, value_parser = |text: &str| parse_count::<usize>(text, 2..=16))]
    pub(crate) depths: usize,

    /// Repetitions with other texts, 1 to 100
    #[arg(long, value_name = "N", default_value_t = CalibrationRequest::SEEDS, value_parser = |text: &str| parse_count::<u32>(text, 1..=100))]
    pub(crate) seeds: u32,

    /// How long an answer may take, in seconds or as in 2m
    #[arg(long, value_name = "TIME", default_value_t = default::ANSWER_TIMEOUT_S, value_parser = super::parse_timeout)]
    pub(crate) timeout: u64,

    /// The most tokens of this run; the same command goes on
    #[arg(long, value_name = "N", value_parser = parse_amount)]
    pub(crate) max_tokens: Option<u64>,

    /// The most money of this run, in US dollars
    #[arg(long, value_name = "USD", value_parser = agon_config::parse_dollars)]
    pub(crate) max_cost: Option<f64>,

    /// Say what would be asked and what it takes; ask nothing
    #[arg(long, conflicts_with_all = ["yes", "write"])]
    pub(crate) dry_run: bool,

    /// Do not ask before the first call
    #[arg(long)]
    pub(crate) yes: bool,

    /// Drop what was measured so far, and begin from the beginning
    #[arg(long)]
    pub(crate) again: bool,

    /// Put the limit that comes out into your configuration
    #[arg(long)]
    pub(crate) write: bool,
}

impl CalibrateArgs {
    /// What is to be measured.
    pub(crate) fn request(&self) -> CalibrationRequest {
        CalibrationRequest {
            model: self.model.clone(),
            effort: self.effort,
            transport: self.transport,
            lengths: self.lengths.clone(),
            depths: self.depths,
            seeds: self.seeds,
            max_tokens: self.max_tokens,
            max_cost: self.max_cost,
            again: self.again,
            ..CalibrationRequest::new(self.tool.clone(), self.timeout)
        }
    }
}

const EXAMPLES: &str = "\
Facts with made-up names and values are planted in prose that is made for it, at several depths of
prompts of several lengths, and asked for after it: in their own words and in others, without and
with facts beside them that nearly are the ones asked for. Code compares the answers; no model does.
The calls and tokens that this takes are said before the first one. Every answer is kept at once:
after Ctrl-C, or where a limit stopped it, the same command goes on.

Examples:
  agon context calibrate claude --model opus --dry-run
  agon context calibrate local:smollm2-135m --lengths 1200,2k,4k --seeds 1
  agon context calibrate codex --lengths 16k,32k,64k,128k,200k --max-tokens 2m --yes
  agon context calibrate claude --model opus --write";
