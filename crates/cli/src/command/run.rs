//! `agon run`: runs exchanges of a formal debate; for a duel it is the same as `resume`.

use std::io::{BufRead, Write};

use agon_debates::request::{JudgesRequest, PlayRequest, SeatRequest, SeatsRequest};
use agon_debates::run::formal_run;
use agon_debates::run::formal_run::Remaining;

use crate::args::{FormalSeatArgs, Global, RunArgs};
use crate::command::command_line;
use crate::error::{Code, Exit, Failure};
use crate::front::Terminal;
use crate::outcome;
use crate::output::Out;
use crate::surroundings::Surroundings;

/// Runs `agon run`.
pub(crate) async fn run(
    edge: &Surroundings,
    global: &Global,
    args: &RunArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let mut request = PlayRequest {
        debate: args.debate.clone(),
        exchanges: args.exchanges,
        note: None,
        dry_run: args.dry_run,
        ask_again: args.ask_again,
        strict: args.strict,
        detach: args.detach,
        seats: seats_from_args(&args.seats),
        bounds: args.limits.bounds(),
    };
    let asks = edge.terminal && !global.json && !args.dry_run && !args.strict;
    if asks && let Some(remaining) = formal_run::remaining_if_unspecified(edge, &request)? {
        let input = std::io::stdin().lock();
        request.exchanges = Some(ask_exchange_count(&remaining, input, std::io::stderr())?);
    }
    let outcome = formal_run::play(edge, &request, &mut Terminal::new(edge, global, out)).await;
    let outcome =
        outcome.map_err(|failure| command_line::with_substitute_command(edge, failure))?;
    outcome::print_outcome(edge, global, outcome, args.exit.required(), out)
}

fn seats_from_args(args: &FormalSeatArgs) -> SeatsRequest {
    let proposition = SeatRequest {
        tool: args.proposition.clone(),
        model: args.model_proposition.clone(),
        effort: args.effort_proposition,
    };
    let opposition = SeatRequest {
        tool: args.opposition.clone(),
        model: args.model_opposition.clone(),
        effort: args.effort_opposition,
    };
    SeatsRequest {
        sides: [proposition, opposition],
        judges: JudgesRequest {
            tools: args.judge.clone(),
            models: args.model_judge.clone(),
            effort: args.effort_judge,
        },
        effort: args.effort,
        transport: args.transport,
        same_tool: false,
        substitute: args.substitute,
    }
}

/// Asks how many rebuttal exchanges to run; one for an empty answer.
fn ask_exchange_count(
    remaining: &Remaining,
    mut input: impl BufRead,
    mut output: impl Write,
) -> Result<u16, Failure> {
    loop {
        let asked = write!(
            output,
            "How many rebuttal exchanges{}? [1] ",
            remaining.first
        );
        let mut line = String::new();
        let read = asked
            .and_then(|()| output.flush())
            .and_then(|()| input.read_line(&mut line));
        match (read, line.trim()) {
            (Ok(0) | Err(_), _) => {
                let message = "missing argument EXCHANGES";
                return Err(Failure::new(Code::MissingParameter, message)
                    .parameter("exchanges")
                    .hint(format!("agon run {} 3", remaining.slug)));
            }
            (Ok(_), "") => return Ok(1),
            (Ok(_), text) => {
                if let Some(more) = text.parse().ok().filter(|more| (1..=1_000).contains(more)) {
                    return Ok(more);
                }
                // A failure of stderr cannot be reported.
                drop(writeln!(output, "  enter a number from 1 to 1000"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_is_asked_for_a_number_until_there_is_one() {
        let remaining = Remaining {
            slug: "d".to_owned(),
            first: " after the opening exchange",
        };
        let mut shown = Vec::new();
        let more = ask_exchange_count(&remaining, "many\n0\n3\n".as_bytes(), &mut shown);
        assert_eq!(more.unwrap(), 3);
        let question = "How many rebuttal exchanges after the opening exchange? [1] ";
        let again = format!("{question}  enter a number from 1 to 1000\n");
        assert_eq!(
            String::from_utf8(shown).unwrap(),
            format!("{again}{again}{question}")
        );
        let ask =
            |typed: &'static str| ask_exchange_count(&remaining, typed.as_bytes(), Vec::new());
        assert_eq!(ask("\n").unwrap(), 1);
        assert_eq!(ask("").unwrap_err().code, Code::MissingParameter);
    }
}
