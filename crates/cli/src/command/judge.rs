//! `agon judge`: sends a debate to the judge now.

use agon_debates::steer;
use agon_debates::steer::OrderDoc;

use crate::args::{Global, JudgeArgs};
use crate::error::{Exit, Failure};
use crate::output::Out;
use crate::surroundings::Surroundings;

/// Runs `agon judge`.
pub(crate) async fn run(
    edge: &Surroundings,
    global: &Global,
    args: &JudgeArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let ordered = steer::order_judgment(edge, args.debate.as_deref(), out).await?;
    print_order(global, &ordered, out)
}

/// Prints the effect of an order.
///
/// # Errors
///
/// Returns an error if stdout cannot be written.
pub(crate) fn print_order(
    global: &Global,
    ordered: &OrderDoc,
    out: &mut Out,
) -> Result<Exit, Failure> {
    if global.json {
        out.write_json(ordered)?;
        return Ok(Exit::Done);
    }
    out.write_line(&ordered.says)?;
    if !ordered.runs {
        let name = &ordered.command_name;
        out.eprint_line(&format!(
            "the debate is not running; continue it: agon resume {name}"
        ));
    }
    Ok(Exit::Done)
}
