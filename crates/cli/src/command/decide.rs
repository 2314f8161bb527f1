//! `agon decide`: records what became of a verdict.

use agon_debates::steer::{Decider, decide};
use agon_report::text::{count_with_noun, plain_line};

use crate::args::{DecideArgs, Global};
use crate::error::{Exit, Failure};
use crate::output::Out;
use crate::surroundings::Surroundings;

/// Runs `agon decide`.
pub(crate) async fn run(
    edge: &Surroundings,
    global: &Global,
    args: &DecideArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let debate = args.debate.as_deref();
    let decided = decide(
        edge,
        debate,
        args.outcome(),
        &args.why,
        Decider::Caller,
        out,
    )
    .await?;
    if global.json {
        out.write_json(&decided)?;
        return Ok(Exit::Done);
    }
    if decided.redacted > 0 {
        let secrets = count_with_noun(decided.redacted, "secret");
        out.eprint_line(&format!("{secrets} removed before storing"));
    }
    let answer = decided.answer.as_deref().unwrap_or("no answer");
    let (debate, taken) = (plain_line(&decided.debate), decided.decided.taken);
    out.write_line(&format!("{debate}: {taken} · {}", plain_line(answer)))?;
    Ok(Exit::Done)
}
