//! `agon continue`: finishes a debate, or adds rounds to one that has ended.

use agon_debates::request::ExtendRequest;
use agon_debates::run::extend::{ExtendOutcome, extend};

use crate::args::{ContinueArgs, Global};
use crate::command::{judge, resume};
use crate::error::{Exit, Failure};
use crate::front::Terminal;
use crate::outcome;
use crate::output::Out;
use crate::surroundings::Surroundings;

/// Runs `agon continue`.
pub(crate) async fn run(
    edge: &Surroundings,
    global: &Global,
    args: &ContinueArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let request = ExtendRequest {
        debate: args.debate.clone(),
        rounds: args.rounds,
        note: args.note.clone(),
        how: resume::request_from_args(&args.how)?,
    };
    match extend(edge, &request, &mut Terminal::new(edge, global, out)).await? {
        ExtendOutcome::Ran(outcome) => {
            outcome::print_outcome(edge, global, outcome, args.how.exit.required(), out)
        }
        ExtendOutcome::Longer(ordered) => judge::print_order(global, &ordered, out),
    }
}
