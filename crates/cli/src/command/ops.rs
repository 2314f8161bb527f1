//! `agon ops`: takes one step of a formal debate with arguments from another program.
//!
//! Its output format is fixed: one JSON object, and exit code 0 or 1.

use agon_debates::steer::ops;
use agon_debates::steer::ops::{StepAnswer, StepFiles, StepRequest};

use crate::args::OpsCommand;
use crate::error::{Code, Exit, Failure, FailureKind};
use crate::output::{Out, escape_json_controls};
use crate::surroundings::Surroundings;

/// Runs `agon ops`; reports failures in the format that its callers expect.
pub(crate) fn run(edge: &Surroundings, command: &OpsCommand, out: &mut Out) -> Exit {
    let answer = ops::take_step(edge, &request_from_command(command), out);
    let is_exchange = matches!(command, OpsCommand::ProcessExchange { .. });
    print_step_answer(&answer, is_exchange, out)
}

/// Reports a usage error of `agon ops` in the format that its callers expect.
pub(crate) fn print_usage_error(error: &clap::Error, out: &mut Out) -> Exit {
    let text = error.to_string();
    let what: Vec<_> = text
        .trim_start_matches("error: ")
        .lines()
        .take_while(|line| !line.is_empty())
        .map(str::trim)
        .collect();
    let failure = Failure::new(Code::Usage, what.join(" ")).hint("see `agon ops --help`");
    print_step_answer(&StepAnswer::from_failure(&failure), true, out)
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

/// Prints an answer; failures of an exchange also go to stderr, where its callers look.
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
