//! The flags of `agon context calibrate`.

use agon_app::calibrate::CalibrationRequest;
use agon_app::default;
use agon_app::request::{Effort, ToolName, Transport};
use clap::Args;

use super::complete::tool_completer;
use super::{effort_help, parse_count, parse_effort, parse_transport};

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
    #[arg(long, value_name = "N,N", value_delimiter = ',', value_parser = parse_tokens)]
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
    #[arg(long, value_name = "N", value_parser = parse_tokens)]
    pub(crate) max_tokens: Option<u64>,

    /// The most money of this run, in US dollars
    #[arg(long, value_name = "USD", value_parser = parse_dollars)]
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

/// Reads tokens, such as `4000`, `4k` or `1.5m`.
fn parse_tokens(text: &str) -> Result<u64, String> {
    let wrong = || format!("`{text}` is not a number of tokens, as in 4000, 4k or 1m");
    let lower = text.trim().to_ascii_lowercase().replace('_', "");
    let (digits, times) = match (lower.strip_suffix('k'), lower.strip_suffix('m')) {
        (Some(digits), _) => (digits, 1_000.0),
        (_, Some(digits)) => (digits, 1_000_000.0),
        (None, None) => (lower.as_str(), 1.0),
    };
    let number: f64 = digits.parse().map_err(|_| wrong())?;
    let tokens = number * times;
    match (1.0..1e12).contains(&tokens) {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it is within the range above"
        )]
        true => Ok(tokens.round() as u64),
        false => Err(wrong()),
    }
}

fn parse_dollars(text: &str) -> Result<f64, String> {
    let dollars = text.trim_start_matches('$').parse().ok();
    let dollars = dollars.filter(|it: &f64| it.is_finite() && *it > 0.0);
    dollars.ok_or_else(|| format!("`{text}` is not an amount of dollars, as in 2.50"))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_read_in_thousands_and_millions() {
        let read = |text| parse_tokens(text).ok();
        assert_eq!(
            ["4000", "4k", "1.5K", "2m", "64_000"].map(read),
            [4_000, 4_000, 1_500, 2_000_000, 64_000].map(Some)
        );
        assert_eq!(
            ["", "k", "-4k", "0", "4g", "nan", "1e99"].map(read),
            [None; 7]
        );
    }

    #[test]
    fn dollars_are_more_than_nothing() {
        let read = |text| parse_dollars(text).ok();
        assert_eq!(
            ["2.50", "$3", "0", "-1", "inf", "x"].map(read),
            [Some(2.5), Some(3.0), None, None, None, None]
        );
    }
}
