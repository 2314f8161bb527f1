//! `agon ops`: one step of a formal debate, for programs that bring the arguments.
//!
//! Its answers are fixed: one JSON object, and exit 0 or 1.

use agon_debates::steer::ops;
use agon_debates::steer::ops::{StepAnswer, StepFiles, StepRequest};

use crate::args::OpsCommand;
use crate::edge::Surroundings;
use crate::error::{Code, Exit, Failure, FailureKind};
use crate::output::{Out, escape_json_controls};

/// Runs `agon ops`; what goes wrong is told as its callers expect it.
pub(crate) fn run(edge: &Surroundings, command: &OpsCommand, out: &mut Out) -> Exit {
    let answer = ops::take_step(edge, &request_from_command(command), out);
    let is_exchange = matches!(command, OpsCommand::ProcessExchange { .. });
    print_step_answer(&answer, is_exchange, out)
}

/// What cannot be read as a command of `agon ops`, told as its callers expect it.
pub(crate) fn print_usage_error(error: &clap::Error, out: &mut Out) -> Exit {
    let text = error.to_string();
    let what: Vec<_> = text
        .trim_start_matches("error: ")
        .lines()
        .take_while(|line| !line.is_empty())
        .map(str::trim)
        .collect();
    let failure =
        Failure::new(Code::Usage, what.join(" ")).hint("`agon ops --help` says what can be typed");
    print_step_answer(&StepAnswer::of_failure(&failure), true, out)
}

fn request_from_command(command: &OpsCommand) -> StepRequest {
    match command.clone() {
        OpsCommand::ProcessExchange {
            debate,
            exchange,
            prop_file,
            opp_file,
        } => StepRequest {
            debate,
            brought: StepFiles::Exchange {
                exchange,
                proposition: prop_file,
                opposition: opp_file,
            },
        },
        OpsCommand::ProcessJudge { debate, json_file } => StepRequest {
            debate,
            brought: StepFiles::Judgment { scores: json_file },
        },
    }
}

/// Prints an answer; a failure also where callers of an exchange look for it.
fn print_step_answer(answer: &StepAnswer, to_stderr: bool, out: &mut Out) -> Exit {
    let text = escape_json_controls(&answer.json);
    if !answer.is_success && to_stderr {
        out.eprint_line(&text);
    }
    match (out.write_line(&text), answer.is_success) {
        (Ok(()), true) => Exit::Done,
        (Ok(()) | Err(_), _) => FailureKind::NoVerdict.into(),
    }
}
